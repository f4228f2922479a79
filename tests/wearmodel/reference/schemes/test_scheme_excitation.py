"""The support's acceleration, exact and tabulated."""

import math

import pytest

from wearmodel.reference.schemes import (
    euler,
    sine_excitation,
    table_excitation,
    tabulated_sine,
)

from .wall import spring_wall


def test_sine_is_exact():
    assert sine_excitation(1.5, 2.0).acceleration(0.3) == 1.5 * math.sin(0.6)


@pytest.mark.parametrize(
    ("time", "value"), [(0.0, 1.0), (0.25, 2.0), (0.5, 3.0), (0.875, 0.0), (1.0, -1.0)]
)
def test_table_is_read_with_straight_lines(time, value):
    # Samples and fractions are exact in binary.
    assert table_excitation(0.5, [1.0, 3.0, -1.0]).acceleration(time) == value


def test_tabulated_sine_lies_within_the_interpolation_bound():
    interval, angular_frequency, amplitude = 1e-2, 2.0 * math.pi, 15.0
    table = tabulated_sine(amplitude, angular_frequency, interval=interval, intervals=100)
    # Straight lines are at most max|A''| interval²/8 away.
    bound = amplitude * (angular_frequency * interval) ** 2 / 8.0
    errors = [
        abs(table.acceleration(time) - amplitude * math.sin(angular_frequency * time))
        for time in (i * 1e-3 for i in range(1001))
    ]
    assert max(errors) <= bound
    assert max(errors) > 0.9 * bound  # the crest's middle reaches it to second order


def test_table_is_not_read_past_its_end():
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
def test_bad_tables_are_refused(interval, values, message):
    with pytest.raises(ValueError, match=message):
        table_excitation(interval, values)


def test_sine_must_be_finite():
    with pytest.raises(ValueError, match=r"amplitude=nan m/s2 must be finite"):
        sine_excitation(math.nan, 1.0)
