"""How the sections of a user's file, of a case or a sweep, are declared.

Sections are frozen dataclasses that pydantic checks: no unknown key, no silent conversion, no
NaN or infinity. `harness.messages.first_problem` words a broken rule.
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

# Strict refuses "1.0" and true where a number is meant; an integer is a number.
Number = Annotated[float, Strict(), AllowInfNan(False)]
Text = Annotated[str, Strict(), StringConstraints(strip_whitespace=True, min_length=1)]


def _parameter_value(value: Any) -> Any:
    """Refuse what no FMI type can take; the FMU's own type is checked when it is known."""
    if not isinstance(value, bool | int | float | str):
        raise ValueError(f"{value!r} must be a number, true, false or a text")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value!r} must be finite")
    return value


ParameterValue: TypeAlias = Annotated[bool | int | float | str, PlainValidator(_parameter_value)]

_SectionClass = TypeVar("_SectionClass", bound=type)

# The declared sections by the name of their class, which pydantic gives as an error's title.
_sections: dict[str, Any] = {}


@dataclass_transform(kw_only_default=True, frozen_default=True)
def section(declared: _SectionClass) -> _SectionClass:
    """Make a class a frozen, keyword-only, checked dataclass: one section of a case file."""
    made = dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))(declared)
    _sections[made.__name__] = made
    return made  # type: ignore[return-value]


def keys_at(title: str, location: tuple[int | str, ...]) -> list[str]:
    """Return the keys of the section that lies at a place of the document of this title."""
    declared: Any = _sections.get(title)
    for step in location:
        while get_origin(declared) is Annotated:
            declared = get_args(declared)[0]
        if dataclasses.is_dataclass(declared):
            declared = get_type_hints(declared, include_extras=True).get(str(step))
        elif get_origin(declared) in (Union, UnionType):
            # One of several kinds: the step is the literal by which pydantic chose it.
            declared = next((kind for kind in get_args(declared) if step in _literals(kind)), None)
        else:  # a table of names, or a list
            declared = next(
                (kind for kind in reversed(get_args(declared)) if kind is not ...), None
            )
    fields = dataclasses.fields(declared) if dataclasses.is_dataclass(declared) else ()
    return [field.name for field in fields]


def _literals(declared: Any) -> set[Any]:
    """Return the literals that a section's fields may take."""
    hints = get_type_hints(declared).values()
    return {value for hint in hints if get_origin(hint) is Literal for value in get_args(hint)}
