"""Declared quantities: dataclass fields that carry unit, range and meaning; and checks of numbers.

The same declaration makes the constructor's check, the FMU's variable table and its documentation.
The checks named `require_…` say the same of a number that is not declared.
"""

from __future__ import annotations

import enum
import math
from dataclasses import Field, field, fields
from typing import Any


def quantity(
    default: Any,
    *,
    description: str,
    unit: str = "1",
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    nominal: float | None = None,
) -> Any:
    """Declare a dataclass field of a physical quantity.

    Parameters
    ----------
    default
        Value where none is given; its type (float, int, bool, str, IntEnum) is the quantity's type.
    description
        What it is and which sign it has.
    unit
        SI unit in FMI notation (``"N.s/m"``); ``"1"`` for a pure number.
    minimum, maximum
        Closed bounds.
    above
        Open lower bound (for quantities that must be positive).
    nominal
        Order of magnitude in the problems that the model is for, where 1 is far off.
    """
    return field(
        default=default,
        metadata={
            "description": description,
            "unit": unit,
            "minimum": minimum,
            "maximum": maximum,
            "above": above,
            "nominal": nominal,
        },
    )


class Choice(enum.IntEnum):
    """Base of enumerations whose members say what they mean: ``member = number, meaning``."""

    meaning: str

    def __new__(cls, number: int, meaning: str = "") -> Choice:
        """Make a member that is its number."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.meaning = meaning
        return member


def with_unit(value: Any, unit: str) -> str:
    """Text of a value and its unit, as error messages show it."""
    return f"{value}" if unit == "1" else f"{value} {unit}"


def require_finite(name: str, value: float, unit: str = "1") -> None:
    """Raise ValueError, naming quantity, value, unit and rule, unless `value` is finite.

    Parameters
    ----------
    name
        Of the quantity.
    value
        To be checked.
    unit
        SI unit in FMI notation; ``"1"`` for a pure number.
    """
    if not math.isfinite(value):
        raise ValueError(f"{name}={with_unit(value, unit)} must be finite")


def require_positive(name: str, value: float, unit: str = "1") -> None:
    """Raise ValueError, naming quantity, value, unit and rule, unless 0 < `value` < ∞.

    Parameters are those of `require_finite`.
    """
    if not 0.0 < value < math.inf:
        raise ValueError(f"{name}={with_unit(value, unit)} must be > 0 and finite")


def require_not_negative(name: str, value: float, unit: str = "1") -> None:
    """Raise ValueError, naming quantity, value, unit and rule, unless 0 ≤ `value` < ∞.

    Parameters are those of `require_finite`.
    """
    if not 0.0 <= value < math.inf:
        raise ValueError(f"{name}={with_unit(value, unit)} must be ≥ 0 and finite")


def check_quantities(owner: Any) -> None:
    """Check every declared field of a dataclass; convert integers given for real quantities.

    Raises
    ------
    TypeError
        A value is not a number (or not a bool, text or enumeration member where one is declared).
    ValueError
        A value is not finite or out of its range; the message names quantity, value, unit, rule.
    """
    for item in fields(owner):
        checked = _checked(item, getattr(owner, item.name))
        object.__setattr__(owner, item.name, checked)


def _checked(item: Field[Any], value: Any) -> Any:
    kind: type[Any] = type(item.default)
    if issubclass(kind, enum.IntEnum):
        try:
            return kind[value] if isinstance(value, str) else kind(value)
        except (KeyError, ValueError):
            names = ", ".join(member.name for member in kind)
            raise ValueError(f"{item.name}={value!r} must be one of: {names}") from None
    if kind is bool:
        if not isinstance(value, bool):
            raise TypeError(f"{item.name}={value!r} must be true or false")
        return value
    if kind is str:
        if not isinstance(value, str):
            raise TypeError(f"{item.name}={value!r} must be a text")
        return value
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"{item.name}={value!r} must be a number")
    unit = item.metadata["unit"]
    shown = with_unit(value, unit)
    number = float(value)
    require_finite(item.name, number, unit)
    if kind is int:
        if number != int(number):
            raise ValueError(f"{item.name}={shown} must be a whole number")
        number = int(number)
    minimum, maximum = item.metadata["minimum"], item.metadata["maximum"]
    above = item.metadata["above"]
    if above is not None and not number > above:
        raise ValueError(f"{item.name}={shown} must be > {above:g}")
    if minimum is not None and number < minimum:
        raise ValueError(f"{item.name}={shown} must be ≥ {minimum:g}")
    if maximum is not None and number > maximum:
        raise ValueError(f"{item.name}={shown} must be ≤ {maximum:g}")
    return number
