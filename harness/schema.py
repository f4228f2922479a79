"""Declaration of the sections of case, sweep and service-life files.

Sections are frozen dataclasses checked by pydantic. Unknown keys, implicit conversions, NaN and
infinity are errors. `harness.messages.first_problem` writes the message.
"""

from __future__ import annotations

import dataclasses
import math
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import AllowInfNan, ConfigDict, PlainValidator, Strict, StringConstraints
from pydantic.dataclasses import dataclass

# Strict rejects "1.0" and true instead of a number. Integers are numbers.
Number = Annotated[float, Strict(), AllowInfNan(False)]
Text = Annotated[str, Strict(), StringConstraints(strip_whitespace=True, min_length=1)]


def _parameter_value(value: Any) -> Any:
    """Reject values that have no FMI type. The type is checked when the FMU is known."""
    if not isinstance(value, bool | int | float | str):
        raise ValueError(f"{value!r} must be a number, true, false or a text")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value!r} must be finite")
    return value


ParameterValue: TypeAlias = Annotated[bool | int | float | str, PlainValidator(_parameter_value)]

_SectionClass = TypeVar("_SectionClass", bound=type)

# The declared sections by the name of their class, which is the title of pydantic's errors.
_sections: dict[str, Any] = {}


@dataclass_transform(kw_only_default=True, frozen_default=True)
def section(declared: _SectionClass) -> _SectionClass:
    """Make a class a frozen, keyword-only, checked dataclass: a section of a file."""
    made = dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))(declared)
    _sections[made.__name__] = made
    return made  # type: ignore[return-value]


def section_keys(title: str, location: tuple[int | str, ...]) -> list[str]:
    """Return the keys of the section at a place of the document with this title."""
    declared = document_path(title, location)[1]
    fields = dataclasses.fields(declared) if dataclasses.is_dataclass(declared) else ()
    return [field.name for field in fields]


def sections_with(key: str, title: str) -> list[str]:
    """Return the places of the sections with this key in the document with this title."""
    found = []
    places: list[tuple[Any, str]] = [(_sections.get(title), "")]
    for kind, place in places:  # grows by the inner sections
        declared = _without_constraints(kind)
        places += [(inner, place) for inner in get_args(declared)]
        if dataclasses.is_dataclass(declared):
            hints = get_type_hints(declared, include_extras=True)
            places += [(inner, f"{place}.{name}".strip(".")) for name, inner in hints.items()]
            if any(field.name == key for field in dataclasses.fields(declared)):
                found.append(place or "the section above")
    return list(dict.fromkeys(found))


def document_path(title: str, location: tuple[int | str, ...]) -> tuple[list[int | str], Any]:
    """Return the place in the document, and its declaration.

    The place does not contain pydantic's names of the members of a union.
    """
    declared: Any = _sections.get(title)
    path: list[int | str] = []
    for step in location:
        declared = _without_constraints(declared)
        if get_origin(declared) in (Union, UnionType):
            # The step names the member of the union that pydantic tried.
            declared = next((kind for kind in get_args(declared) if _is_called(kind, step)), None)
            continue
        path.append(step)
        if dataclasses.is_dataclass(declared):
            declared = get_type_hints(declared, include_extras=True).get(str(step))
        else:  # a table of names, or a list
            declared = next(
                (kind for kind in reversed(get_args(declared)) if kind is not ...), None
            )
    return path, _without_constraints(declared)


def _without_constraints(declared: Any) -> Any:
    """Return a declared type without its constraints, and without an optional None."""
    while get_origin(declared) is Annotated:
        declared = get_args(declared)[0]
    if get_origin(declared) in (Union, UnionType):
        kinds = [kind for kind in get_args(declared) if kind is not type(None)]
        if len(kinds) == 1:
            return _without_constraints(kinds[0])
    return declared


def _is_called(kind: Any, name: int | str) -> bool:
    """Whether pydantic names a member of a union by `name`: its class or one of its literals."""
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind)):
        return False
    literals = (hint for hint in get_type_hints(kind).values() if get_origin(hint) is Literal)
    return kind.__name__ == name or any(name in get_args(literal) for literal in literals)
