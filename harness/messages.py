"""What messages have in common: the nearest known name, and a rule that a section breaks."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from harness.schema import keys_at

# What pydantic calls a key that the section does not have.
_UNKNOWN = ("unexpected_keyword_argument",)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the known name nearest to `name`, or nothing."""
    names = list(known)
    # Half a name is far from the whole one by letters, but says which is meant.
    begun = sorted(one for one in names if name and one.startswith(name))
    matches = begun or difflib.get_close_matches(name, names, n=1)
    return f"; did you mean '{matches[0]}'?" if matches else ""


def first_problem(error: ValidationError) -> str:
    """Return the first broken rule as `key = value: rule`, in one line.

    pydantic reports key, value and rule apart, and in words of its own. An unknown key goes before
    all others: a mistyped key is also reported as a missing one.
    """
    problem = min(error.errors(include_url=False), key=lambda one: one["type"] not in _UNKNOWN)
    key = _key(problem["loc"])
    kind, value = problem["type"], problem["input"]
    if kind == "missing":
        return f"{key} is missing"
    if kind in _UNKNOWN:
        name = str(problem["loc"][-1])
        keys = keys_at(error.title, problem["loc"][:-1])
        remedy = nearest(name, keys) or (f"; known are {', '.join(keys)}" if keys else "")
        return f"{key} is not a known key{remedy}"
    if kind == "union_tag_not_found":
        return f"{key}.{problem['ctx']['discriminator'].strip(chr(39))} is missing"
    if kind == "union_tag_invalid":
        context: dict[str, Any] = problem["ctx"]
        discriminator = context["discriminator"].strip("'")
        return (
            f"{key}.{discriminator} = {context['tag']!r}: must be one of {context['expected_tags']}"
        )
    if kind == "value_error":  # raised by a section itself, which names quantity and value
        reason = str(problem["ctx"]["error"])
        return f"{key}: {reason}" if key else reason
    if kind.startswith("dataclass"):
        return f"{key} = {_shown(value)}: must be a section (a table of keys)"
    if kind == "tuple_type":
        return f"{key} = {_shown(value)}: must be a list"
    rule = problem["msg"].replace("Input should be", "must be").replace("should", "must")
    return f"{key} = {_shown(value)}: {rule}"


def _key(location: tuple[int | str, ...]) -> str:
    """Return the key as it stands in the file: `expect[2].window[1]`, counted from 1."""
    parts = list(location)
    if len(parts) > 2 and parts[0] in ("inputs", "expect"):
        del parts[2]  # the kind or quantity by which pydantic chose the section
    key = ""
    for part in parts:
        if isinstance(part, int):
            key += f"[{part + 1}]"
        else:
            key += f".{part}" if key else part
    return key


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
