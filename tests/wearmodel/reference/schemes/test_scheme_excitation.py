"""The support's acceleration, exact and tabulated."""

from __future__ import annotations

import math

import pytest

from wearmodel.kernel.records import field_names, record_of
from wearmodel.kernel.schemes import march
from wearmodel.kernel.schemes.records import Shaking
from wearmodel.reference.schemes import (
    Excitation,
    euler,
    sine_excitation,
    spring_wall,
    table_excitation,
    tabulated_sine,
)


def base_acceleration(excitation: Excitation, time: float) -> float:
    values = [getattr(excitation, name) for name in field_names(Shaking)]
    return march.base_acceleration(record_of(Shaking, values), list(excitation.table), time)


def test_sine_is_exact() -> None:
    assert base_acceleration(sine_excitation(1.5, 2.0), 0.3) == 1.5 * math.sin(0.6)


@pytest.mark.parametrize(
    ("time", "value"), [(0.0, 1.0), (0.25, 2.0), (0.5, 3.0), (0.875, 0.0), (1.0, -1.0)]
)
def test_table_is_read_with_straight_lines(time: float, value: float) -> None:
    # Samples and fractions are exact in binary.
    assert base_acceleration(table_excitation(0.5, [1.0, 3.0, -1.0]), time) == value


def test_tabulated_sine_lies_within_the_interpolation_bound() -> None:
    interval, angular_frequency, amplitude = 1e-2, 2.0 * math.pi, 15.0
    table = tabulated_sine(amplitude, angular_frequency, interval=interval, intervals=100)
    # Straight lines are at most max|A''| interval²/8 away.
    bound = amplitude * (angular_frequency * interval) ** 2 / 8.0
    errors = [
        abs(base_acceleration(table, time) - amplitude * math.sin(angular_frequency * time))
        for time in (i * 1e-3 for i in range(1001))
    ]
    assert max(errors) <= bound
    assert max(errors) > 0.9 * bound  # the crest's middle reaches it to second order


def test_table_is_not_read_past_its_end() -> None:
    with pytest.raises(ValueError, match=r"duration=2.0 s must be ≤ the table's span of 1.0 s"):
        euler(spring_wall(), table_excitation(0.5, [0.0, 0.0, 0.0]), duration=2.0, step_size=0.1)


@pytest.mark.parametrize(
    ("interval", "values", "message"),
    [
        (0.0, [0.0, 1.0], r"interval=0.0 s must be > 0"),
        (0.1, [0.0], r"1 given, a table needs at least 2"),
        (0.1, [0.0, math.inf], r"values\[1\]=inf m/s2 must be finite"),
    ],
)
def test_bad_tables_are_refused(interval: float, values: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        table_excitation(interval, values)


def test_sine_must_be_finite() -> None:
    with pytest.raises(ValueError, match=r"amplitude=nan m/s2 must be finite"):
        sine_excitation(math.nan, 1.0)
