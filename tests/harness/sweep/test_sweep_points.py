"""Designs: their points, the order of the points, and the effect of the seed."""

import math

import pytest

from harness.sweep.points import design_points
from harness.sweep.sections import SAMPLED_KINDS, Design, Varied

LAW = Varied(of="parameters.normal_law", values=("penalty", "rigid"))
FRICTION = Varied(of="parameters.friction_coefficient", start=0.05, stop=0.15)
AMPLITUDE = Varied(of="inputs.base_acceleration.amplitude", start=0.5, stop=50.0, scale="log")


def test_a_grid_holds_all_combinations_with_the_first_quantity_slowest():
    listed = Varied(of="parameters.mass", values=(1, 2.5, 4))
    points = design_points(Design(kind="grid"), {"law": LAW, "mass": listed})
    assert points == [(law, mass) for law in ("penalty", "rigid") for mass in (1, 2.5, 4)]


def test_a_list_takes_the_values_side_by_side():
    friction = Varied(of="parameters.friction_coefficient", start=0.05, stop=0.15, count=2)
    points = design_points(Design(kind="list"), {"law": LAW, "friction": friction})
    assert points == [("penalty", 0.05), ("rigid", 0.15)]


def test_a_log_range_holds_its_ends_exactly_and_equal_ratios():
    range_of = Varied(of="parameters.mass", start=0.1, stop=1000.0, count=5, scale="log")
    values = [float(value) for (value,) in design_points(Design(kind="grid"), {"mass": range_of})]
    assert (values[0], values[-1]) == (0.1, 1000.0)
    # A logarithm, a product and an exponential give a few roundings of a number near 7.
    assert values == pytest.approx([0.1, 1.0, 10.0, 100.0, 1000.0], rel=1e-14)


@pytest.mark.parametrize("kind", SAMPLED_KINDS)
def test_a_seed_fixes_the_points_and_another_gives_others(kind):
    varied = {"law": LAW, "friction": FRICTION, "amplitude": AMPLITUDE}
    first, again, other = (
        design_points(Design(kind=kind, count=100, seed=seed), varied)  # type: ignore[arg-type]
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert len(set(first)) == 100
    assert {law for law, _, _ in first} == {"penalty", "rigid"}
    assert all(0.05 <= friction <= 0.15 for _, friction, _ in first)
    assert all(0.5 <= amplitude <= 50.0 for _, _, amplitude in first)


def strata(values: list[float], count: int, low: float, high: float) -> list[int]:
    """Return the number of values in each of `count` equal parts of [low, high]."""
    filled = [0] * count
    for value in values:
        filled[min(int(count * (value - low) / (high - low)), count - 1)] += 1
    return filled


def test_a_latin_hypercube_puts_one_point_into_each_slice():
    varied = {"friction": FRICTION, "amplitude": AMPLITUDE}
    points = design_points(Design(kind="latin_hypercube", count=50, seed=3), varied)
    assert strata([point[0] for point in points], 50, 0.05, 0.15) == [1] * 50
    logarithms = [math.log(point[1]) for point in points]
    assert strata(logarithms, 50, math.log(0.5), math.log(50.0)) == [1] * 50


def test_a_sobol_design_of_a_power_of_two_fills_every_square_equally():
    varied = {"friction": FRICTION, "amplitude": AMPLITUDE}
    points = design_points(Design(kind="sobol", count=64, seed=3), varied)
    # A (0, 6, 2)-net in base 2 has one point in each of 8 × 8 squares.
    squares = {
        (int(8 * (friction - 0.05) / 0.1), int(8 * math.log(amplitude / 0.5) / math.log(100.0)))
        for friction, amplitude in points
    }
    assert len(squares) == 64


def test_a_sobol_design_of_another_size_begins_as_the_larger_one():
    varied = {"friction": FRICTION}
    larger = design_points(Design(kind="sobol", count=64, seed=5), varied)
    assert design_points(Design(kind="sobol", count=50, seed=5), varied) == larger[:50]
