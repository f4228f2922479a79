"""Parameters of the base motion: values, units, ranges.

The defaults come from SDND104 at a0 = 15 m/s2 (EDF V5.01.104, section 1).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from ...quantities import Choice, check_quantities, declared_numbers, quantities_by_name, quantity
from ..limits import NO_RULE

# Numbers of the rules.
UNKNOWN_KIND = 1
UNKNOWN_INTERPOLATION = 2


class MotionKind(Choice):
    """Source of the signal."""

    sine = 0, "A sine of given amplitude, frequency and phase"
    table = 1, "The points of the parameter table"
    csv = 2, "The points of a file"


class Interpolation(Choice):
    """Signal between two points: a straight line, or the value of the previous point."""

    linear = 0, "The straight line between the two points"
    previous = 1, "The value of the previous point"


SINE = float(MotionKind.sine)
TABLE = float(MotionKind.table)
FILE = float(MotionKind.csv)
LINEAR = float(Interpolation.linear)
PREVIOUS = float(Interpolation.previous)

# Texts of the rules. {0} is the invalid value.
RULES = {
    UNKNOWN_KIND: f"kind={{0!r}} {MotionKind.rule()}",
    UNKNOWN_INTERPOLATION: f"interpolation={{0!r}} {Interpolation.rule()}",
}


@quantities_by_name
@dataclass(frozen=True)
class BaseMotionParameters:
    """Parameters of `BaseMotion`, checked at construction.

    ValueError or TypeError if a value is out of range.
    """

    kind: MotionKind = quantity(
        MotionKind.sine, description="Source of the signal: sine, table or file"
    )
    amplitude: float = quantity(
        15.0, unit="m/s2", nominal=10.0, description="Amplitude of the sine", symbol="a_0"
    )
    frequency: float = quantity(
        1.0, unit="Hz", minimum=0.0, description="Frequency of the sine", symbol="f"
    )
    phase: float = quantity(0.0, unit="rad", description="Phase of the sine at time 0", symbol="φ")
    offset: float = quantity(0.0, unit="m/s2", description="Added to the scaled signal")
    scale: float = quantity(
        1.0,
        description="Factor on the signal: 9.80665 for a table in g",
    )
    table: str = quantity(
        "",
        description="Points of kind table: 'time value; …', s and m/s2 before scale",
    )
    file: str = quantity(
        "",
        description="File for kind csv, written by `wearfmu motion`, preferably with an absolute "
        "path. An FMU built with a motion contains it as resources/motion.csv",
    )
    value_column: int = quantity(
        2, minimum=2, description="Column of the values in the file. The time is column 1"
    )
    interpolation: Interpolation = quantity(
        Interpolation.linear,
        description="Between two points: linear, or the value of the previous point",
    )

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = broken_motion_rule(self)  # type: ignore[arg-type]  # the same fields
        if rule != NO_RULE:
            raise ValueError(RULES[rule].format(first, second))


class MotionParameters:
    """The declared parameters as numbers. Texts are replaced by 0."""

    __slots__ = tuple(declared.name for declared in fields(BaseMotionParameters))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float: ...

        def __setattr__(self, name: str, value: float) -> None: ...

    def __init__(self, declared: BaseMotionParameters) -> None:
        for name, value in declared_numbers(BaseMotionParameters, declared):
            setattr(self, name, value)


def broken_motion_rule(p: MotionParameters) -> tuple[int, float, float]:
    """Number of the rule that an unknown kind or interpolation breaks, its value, and 0."""
    kind = float(p.kind)
    if not (kind == SINE or kind == TABLE or kind == FILE):
        return UNKNOWN_KIND, kind, 0.0
    interpolation = float(p.interpolation)
    if not (interpolation == LINEAR or interpolation == PREVIOUS):
        return UNKNOWN_INTERPOLATION, interpolation, 0.0
    return NO_RULE, 0.0, 0.0
