"""Acceleration of the support: an exact sine, or a table read with straight lines.

SDND104 (V5.01.104), section 1.3, shakes its support with A(t) = a₀ sin ωt. The recorded runs read
that sine from a table of 240 000 intervals of 5e-5 s.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ...quantities import require_finite, require_positive


class Excitation(NamedTuple):
    """Base acceleration A(t) [m/s2], a sine or a table.

    With an empty `table` it is amplitude·sin(angular_frequency·t), otherwise the table's straight
    lines. Built by `sine_excitation` and `table_excitation`.
    """

    amplitude: float
    """a₀ of the sine [m/s2], 0 with a table."""
    angular_frequency: float
    """ω of the sine [rad/s], 0 with a table."""
    table_interval: float
    """Time between two samples [s]."""
    table: array[float]
    """Samples of A from t = 0 on [m/s2]."""

    @property
    def span(self) -> float:
        """Last instant at which the excitation is known [s]."""
        return (len(self.table) - 1) * self.table_interval if self.table else math.inf


def acceleration_function(excitation: Excitation) -> Callable[[float], float]:
    """Return A [m/s2] as a function of t [s], which must be in [0, span], to rounding."""
    amplitude, angular_frequency, table_interval, table = excitation
    last = len(table) - 2

    def sine(time: float) -> float:
        return amplitude * math.sin(angular_frequency * time)

    def straight_lines(time: float) -> float:
        # Rounding may move the last instant just past the table's end.
        interval = min(int(time / table_interval), last)
        first = table[interval]
        fraction = (time - interval * table_interval) / table_interval
        return first + (table[interval + 1] - first) * fraction

    return straight_lines if table else sine


def sine_excitation(amplitude: float, angular_frequency: float) -> Excitation:
    """Return A(t) = amplitude·sin(angular_frequency·t). ValueError if a value is not finite."""
    require_finite("amplitude", amplitude, "m/s2")
    require_finite("angular_frequency", angular_frequency, "rad/s")
    return Excitation(float(amplitude), float(angular_frequency), 1.0, array("d"))


def table_excitation(interval: float, values: Iterable[float]) -> Excitation:
    """Return A(t) interpolated linearly from samples at 0, interval, 2·interval, …

    ValueError if the interval is not positive, a sample is not finite, or fewer than two are given.
    """
    table = array("d", values)
    require_positive("interval", interval, "s")
    if len(table) < 2:
        raise ValueError(f"values: {len(table)} given, a table needs at least 2")
    for index, value in enumerate(table):
        if not math.isfinite(value):  # most tables are long: no name is written for what is right
            require_finite(f"values[{index}]", value, "m/s2")
    return Excitation(0.0, 0.0, float(interval), table)


def tabulated_sine(
    amplitude: float, angular_frequency: float, *, interval: float, intervals: int
) -> Excitation:
    """Return amplitude·sin(angular_frequency·t) as a table of `intervals` straight lines.

    Parameters and errors are those of `sine_excitation` and `table_excitation`.
    """
    return table_excitation(
        interval,
        (amplitude * math.sin(angular_frequency * (i * interval)) for i in range(intervals + 1)),
    )
