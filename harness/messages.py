"""Parts of messages: the nearest known name, and a violated rule of a section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.schema import document_path, section_keys, sections_with
from wearmodel import symbols

# pydantic's name for an unknown key.
_UNKNOWN = ("unexpected_keyword_argument",)
# Options that users mistake for parameters.
_OPTIONS_OF_BLOCKS = ("slope", "yield")
# Keys between 0 and 1 for which users write percentages.
_FRACTIONS = ("relative_error", "fraction", "share_of_wall")
_PLAIN_WORDS = {
    "Input should be": "must be",
    "should": "must",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "a valid": "a",
}


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the known name nearest to `name`, or "".

    Symbols of our variables, such as μ, mu_s or K_N, are recognised too.
    """
    matches = nearest_names(name, list(known))
    return f"; did you mean {' or '.join(map(repr, matches))}?" if matches else ""


def listed(texts: Sequence[str]) -> str:
    """Return `a, b and c`."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def unknown_variable(
    name: str, role: str, owner: str, causalities: Mapping[str, str], listed_as: str
) -> str:
    """Return the message about a name that is not a variable of this role.

    `role` is "parameter", "input", "output" or "variable". `causalities` contains all variables of
    `owner` by name, and `wearfmu variables` lists them if called with `listed_as`.
    """
    remedy = f"`wearfmu variables {listed_as}` lists all"
    if listed_as == "FrictionalShock" and name in _OPTIONS_OF_BLOCKS:
        remedy = f"`wearfmu blocks --{name}` runs a block on a slope"
    if name in causalities:
        has = _with_article(causalities[name])
        return f"{name!r} is {has} of {owner} and not {_with_article(role)}; {remedy}"
    problem = f"{name!r} is not {_with_article(role)} of {owner}"
    others = symbols.names_of_symbol(name, causalities, _symbols())
    entries = [known for known in causalities if known.startswith(f"{name}_") and "[1]" in known]
    if entries and name.endswith("_table"):
        meant = f"{' and '.join(map(repr, entries))} …"
    elif any(role in ("variable", causalities[known_name]) for known_name in others) or not others:
        wanted = [variable for variable, has in causalities.items() if role in ("variable", has)]
        meant = " or ".join(map(repr, nearest_names(name, wanted)))
    else:
        meant = " or ".join(
            f"the {causalities[known_name]} {known_name!r}" for known_name in others
        )
    return f"{problem}; did you mean {meant}? {remedy}" if meant else f"{problem}; {remedy}"


def _with_article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def nearest_names(name: str, known: list[str]) -> list[str]:
    """Return the known names that `name` may mean, usually one, or [] if all differ too much."""
    return symbols.nearest_names(name, known, _symbols())


@cache
def _symbols() -> tuple[tuple[str, str], ...]:
    """Return all symbols and aliases of the variables of our FMUs, with the variable's name."""
    from fmu_src.models import fmu_definitions

    return tuple(
        (symbol, variable.name)
        for definition in fmu_definitions()
        for variable in definition.slave.table
        for symbol in (variable.symbol, *variable.aliases)
        if symbol
    )


def point_for_comma(text: object) -> str:
    """Return `; use a point: 0.15` for a number with a decimal comma, otherwise ""."""
    if isinstance(text, str) and re.fullmatch(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?", text):
        return f"; use a point: {text.replace(',', '.')}"
    return ""


def first_problem(error: ValidationError) -> str:
    """Return the first violated rule as `key = value: rule`, in one line.

    An unknown key is reported first, because pydantic also reports the correct key as missing. If a
    number and a section are both allowed, only the rules of the given form are reported.
    """
    problem = min(
        error.errors(include_url=False),
        key=lambda failure: (failure["type"] not in _UNKNOWN, _wants_other_form(failure)),
    )
    key = _key(document_path(error.title, problem["loc"])[0])
    kind, value = problem["type"], problem["input"]
    if kind == "missing":
        return f"{key} is missing"
    if kind in _UNKNOWN:
        name = str(problem["loc"][-1])
        keys = section_keys(error.title, problem["loc"][:-1])
        # "value" is nearer to "variable", but users mean the limit of a criterion.
        meant = "limit" if name == "value" and "limit" in keys else name
        remedy = nearest(meant, keys) or (f"; known are {', '.join(keys)}" if keys else "")
        sections = sections_with(name, error.title)
        # The other kinds of the same section may have the key.
        if sections and not key.startswith(tuple(sections)):
            remedy = f"; it belongs to {' or '.join(sections)}"
        return f"{key} is not a known key{remedy}"
    if kind == "union_tag_not_found":
        return f"{key}.{problem['ctx']['discriminator'].strip(chr(39))} is missing"
    if kind == "union_tag_invalid":
        context: dict[str, Any] = problem["ctx"]
        discriminator = context["discriminator"].strip("'")
        tag, tags = context["tag"], context["expected_tags"]
        known = [name.strip("' ") for name in tags.split(",")]
        meant = nearest(tag, known) or nearest(tag.upper(), known)
        return f"{key}.{discriminator} = {tag!r}: must be one of {tags}{meant}"
    if kind == "value_error":  # raised by the section, with quantity and value
        reason = str(problem["ctx"]["error"])
        return f"{key}: {reason}" if key else reason
    if kind.startswith("dataclass") or kind == "model_attributes_type":
        return f"{key} = {_shown(value)}: must be a section (a table of keys)"
    if kind == "tuple_type":
        return f"{key} = {_shown(value)}: must be a list"
    rule = problem["msg"]
    for words, plain in _PLAIN_WORDS.items():
        rule = rule.replace(words, plain)
    if kind == "string_type" and key.endswith("slowest"):
        rule = f"must be a number and a unit, such as '1 h': for seconds write '{value} s'"
    if kind.startswith("less_than") and key.endswith(_FRACTIONS) and value <= 100:
        rule += f"; {value:g} % is {value / 100:g}"
    return f"{key} = {_shown(value)}: {rule}"


def _wants_other_form(failure: ErrorDetails) -> bool:
    """Whether a section is given instead of a value, or a value instead of a section."""
    kind, is_section = failure["type"], isinstance(failure["input"], dict)
    return kind.endswith("_type") and is_section != kind.startswith("dataclass")


def _key(path: list[int | str]) -> str:
    """Return the key as in the file: `expect[2].window[1]`, counted from 1."""
    key = ""
    for part in path:
        if isinstance(part, int):
            key += f"[{part + 1}]"
        else:
            key += f".{part}" if key else part
    return key


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
