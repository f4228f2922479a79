"""Acceleration of a shaken support as a signal: a sine, a table, or an accelerogram in a file.

    a(t) = offset + scale · s(t)
    sine   s(t) = amplitude · sin(2π frequency t + phase)
    table  s(t) through the points of `table`
    csv    s(t) through the points of `file`; units that stand above its columns are converted to
           s and m/s2

Between two points s is a straight line, or the value of the point before. Defaults are SDND104's
at a0 = 15 m/s2 (EDF V5.01.104, section 1).

Does not model: a value outside the points (refused: to hold the last value silently would be to
invent an input), filters, integration to velocity or displacement.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from ..quantities import (
    Choice,
    Output,
    check_quantities,
    quantities_by_name,
    quantity,
    require_finite,
)
from .accelerogram import Accelerogram, accelerogram_of_text, read_accelerogram

# A communication point start + i·step may miss the instant written in a table by a few roundings;
# "previous" must not then take the value of the interval before.
_ROUNDINGS = 8.0 * sys.float_info.epsilon


class MotionKind(Choice):
    """Where the signal comes from."""

    sine = 0, "A sine of given amplitude, frequency and phase"
    table = 1, "The points of the parameter table"
    csv = 2, "The points of a file"


class Interpolation(Choice):
    """What lies between two points: a straight line, or the value of the point before."""

    linear = 0, "The straight line between the two points"
    previous = 1, "The value of the point before"


@quantities_by_name
@dataclass(frozen=True)
class BaseMotionParameters:
    """Parameters of `BaseMotion`, checked at construction.

    Raises
    ------
    ValueError, TypeError
        A value is out of range; the message names quantity, value, unit and the rule broken.
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
        description="Factor on the signal, for instance 9.80665 for a file in g that does not say "
        "so; 1 or -1 where its header names another unit than m/s2, which is converted",
    )
    table: str = quantity(
        "",
        description="Points of kind table: 'time value; time value; …', s and m/s2 before scale",
    )
    file: str = quantity(
        "",
        description="Path of kind csv: a file with a time column and value columns, delimited by "
        "comma, semicolon or blanks, with or without a header, or a PEER .AT2 file; best absolute",
    )
    value_column: int = quantity(
        2, minimum=2, description="Column of the values in the file; the time is column 1"
    )
    interpolation: Interpolation = quantity(
        Interpolation.linear, description="Between two points: straight line, or the one before"
    )

    def __post_init__(self) -> None:
        check_quantities(self)


OUTPUTS: tuple[Output, ...] = (
    Output("acceleration", "m/s2", "Acceleration at the present instant", nominal=10.0),
)


class BaseMotion:
    """The signal and the instant at which it is read.

    Parameters
    ----------
    parameters
        Checked parameters.
    start_time
        Time [s] at which the run starts.

    Raises
    ------
    ValueError
        The table or the file breaks a rule, its header names a unit that is not known, or it does
        not cover the start.
    """

    def __init__(
        self, parameters: BaseMotionParameters | None = None, *, start_time: float = 0.0
    ) -> None:
        self.parameters = parameters if parameters is not None else BaseMotionParameters()
        self._points: Accelerogram | None = None
        if self.parameters.kind is MotionKind.table:
            self._points = accelerogram_of_text(self.parameters.table)
        elif self.parameters.kind is MotionKind.csv:
            self._points = _points_of_file(self.parameters)
        self.move_to(start_time)

    def acceleration_at(self, time: float) -> float:
        """Return a(t) [m/s2] at any `time` [s]; see the module for the equations.

        Raises
        ------
        ValueError
            The time is not finite, or outside the points.
        """
        require_finite("time", time, "s")
        values = self.parameters
        if self._points is None:
            angle = 2.0 * math.pi * values.frequency * time + values.phase
            signal = values.amplitude * math.sin(angle)
        else:
            signal = _between(self._points, values.interpolation, time)
        return values.offset + values.scale * signal

    def move_to(self, time: float) -> None:
        """Make `time` [s] the present instant.

        Raises
        ------
        ValueError
            As `acceleration_at`. The present instant stands.
        """
        acceleration = self.acceleration_at(time)
        self.time = time
        self._acceleration = acceleration

    def output_values(self) -> list[float]:
        """Return the acceleration [m/s2] at the present instant, as a list of one."""
        return [self._acceleration]

    def snapshot(self) -> dict[str, Any]:
        """All that a later `restore` needs (JSON-serialisable)."""
        return {"time": self.time}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Return to a snapshot.

        Raises
        ------
        ValueError, KeyError, TypeError
            It has another form, or its time is outside the points.
        """
        self.move_to(snapshot["time"])


def _points_of_file(parameters: BaseMotionParameters) -> Accelerogram:
    """Points of the file in s and m/s2, where the scale does not leave that in doubt."""
    points = read_accelerogram(parameters.file, value_column=parameters.value_column)
    if points.unit not in ("", "m/s2") and abs(parameters.scale) != 1.0:
        # A factor may be there to convert: to apply both would be as wrong as to drop one.
        raise ValueError(
            f"scale={parameters.scale!r} must be 1 or -1: {points.source} names the unit "
            f"{points.unit} of its values, which are converted; for another scale, write them in "
            "m/s2"
        )
    return points


def _between(points: Accelerogram, interpolation: Interpolation, time: float) -> float:
    times, values = points.times, points.values
    rounding = _ROUNDINGS * max(abs(times[0]), abs(times[-1]))
    if not times[0] - rounding <= time <= times[-1] + rounding:
        raise ValueError(
            f"time={time!r} s must lie in [{times[0]!r}, {times[-1]!r}] s, the span of "
            f"{points.source}; to go on, add a point there"
        )
    last = len(times) - 1
    if interpolation is Interpolation.previous:
        return values[max(bisect_right(times, time + rounding) - 1, 0)]
    before = min(max(bisect_right(times, time) - 1, 0), last - 1)
    fraction = (time - times[before]) / (times[before + 1] - times[before])
    fraction = min(max(fraction, 0.0), 1.0)
    return values[before] + fraction * (values[before + 1] - values[before])
