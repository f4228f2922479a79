"""How the sections of a case file are declared and how a broken rule is worded.

Sections are frozen dataclasses that pydantic checks: no unknown key, no silent conversion, no
NaN or infinity. pydantic reports key, value and rule apart; `first_problem` puts them in one line.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import AllowInfNan, ConfigDict, Strict, StringConstraints, ValidationError
from pydantic.dataclasses import dataclass

# Strict refuses "1.0" and true where a number is meant; an integer is a number.
Number = Annotated[float, Strict(), AllowInfNan(False)]
Text = Annotated[str, Strict(), StringConstraints(strip_whitespace=True, min_length=1)]

_SectionClass = TypeVar("_SectionClass", bound=type)

# What pydantic calls a key that the section does not have.
_UNKNOWN = ("unexpected_keyword_argument",)

# The declared sections by the name of their class, which pydantic gives as an error's title.
_sections: dict[str, Any] = {}


@dataclass_transform(kw_only_default=True, frozen_default=True)
def section(declared: _SectionClass) -> _SectionClass:
    """Make a class a frozen, keyword-only, checked dataclass: one section of a case file."""
    made = dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))(declared)
    _sections[made.__name__] = made
    return made  # type: ignore[return-value]


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the known name nearest to `name`, or nothing."""
    names = list(known)
    # Half a name is far from the whole one by letters, but says which is meant.
    begun = sorted(one for one in names if name and one.startswith(name))
    matches = begun or difflib.get_close_matches(name, names, n=1)
    return f"; did you mean '{matches[0]}'?" if matches else ""


def first_problem(error: ValidationError) -> str:
    """Return the first broken rule as `key = value: rule`, in one line.

    An unknown key goes before all others: a mistyped key is also reported as a missing one.
    """
    problem = min(error.errors(include_url=False), key=lambda one: one["type"] not in _UNKNOWN)
    key = _key(problem["loc"])
    kind, value = problem["type"], problem["input"]
    if kind == "missing":
        return f"{key} is missing"
    if kind in _UNKNOWN:
        name = str(problem["loc"][-1])
        keys = _keys_at(error.title, problem["loc"][:-1])
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


def _keys_at(title: str, location: tuple[int | str, ...]) -> list[str]:
    """Return the keys of the section that lies at a place of the document of this title."""
    declared: Any = _sections.get(title)
    for step in location:
        while get_origin(declared) is Annotated:
            declared = get_args(declared)[0]
        if dataclasses.is_dataclass(declared):
            declared = get_type_hints(declared, include_extras=True).get(str(step))
        elif get_origin(declared) in (Union, UnionType):
            # One of several kinds: the step is the literal by which pydantic chose it.
            declared = next((one for one in get_args(declared) if step in _literals(one)), None)
        else:  # a table of names, or a list
            declared = next((one for one in reversed(get_args(declared)) if one is not ...), None)
    fields = dataclasses.fields(declared) if dataclasses.is_dataclass(declared) else ()
    return [field.name for field in fields]


def _literals(declared: Any) -> set[Any]:
    """Return the literals that a section's fields may take."""
    hints = get_type_hints(declared).values()
    return {value for hint in hints if get_origin(hint) is Literal for value in get_args(hint)}


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
