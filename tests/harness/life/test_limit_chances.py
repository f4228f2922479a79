"""Probabilities of reaching limits, compared with closed forms for normal depths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from harness.life.limit_chances import _times_to_reach, limit_chances
from harness.life.sections import ArchardLaw, Scatter
from wearmodel.statistics.cycle_jump import LifePoint

NORMAL = 1.959963984540054
# Numbers of draws, out of 4000.
CHANCES = np.array([[2488.0, 1967.0], [1616.0, 1147.0]])


def points(rates: tuple[float, ...], errors: tuple[float, ...]) -> list[LifePoint]:
    """Return depths that grow uniformly until the time 1, with relative standard deviations."""
    steady = np.array(rates)
    nothing = np.zeros_like(steady)
    bars = NORMAL * steady * np.array(errors)
    return [
        LifePoint(time, time * steady, time * bars, steady, nothing, (), nothing)
        for time in np.linspace(0.0, 1.0, 9).tolist()
    ]


@pytest.mark.parametrize("limit", [0.9, 1.0, 1.1])
def test_the_probability_of_a_limit_is_that_of_a_normal_depth(limit: float) -> None:
    law = ArchardLaw(kind="ARCHARD", coefficient=1e-15)
    (chances,) = limit_chances(points((1.0,), (0.1,)), limit, 1.0, law, 1)
    # 4000 draws have a scatter of 0.8 %.
    assert chances.reached == pytest.approx(float(norm.sf((limit - 1.0) / 0.1)), abs=0.024)
    assert chances.first == chances.reached


def test_the_first_of_two_contacts_is_the_faster_one_of_two_normal_depths() -> None:
    law = ArchardLaw(kind="ARCHARD", coefficient=1e-15)
    both = limit_chances(points((1.1, 1.0), (0.1, 0.1)), 0.5, 1.0, law, 2)
    want = float(norm.cdf(0.1 / math.hypot(0.11, 0.1)))
    assert both[0].first == pytest.approx(want, abs=0.024)
    assert both[0].first + both[1].first == pytest.approx(1.0)


def test_a_coefficient_that_scatters_reaches_the_limit_by_its_own_law() -> None:
    law = ArchardLaw(kind="ARCHARD", coefficient=Scatter(median=1e-15, factor=3.0))
    (chances,) = limit_chances(points((1.0,), (0.0,)), 1.5, 1.0, law, 1)
    # The coefficient must be 1.5 times its median.
    want = float(norm.sf(math.log(1.5) / (math.log(3.0) / NORMAL)))
    assert chances.reached == pytest.approx(want, abs=0.024)


def points_of(times: list[float], depths: list[float], bars: list[float]) -> list[LifePoint]:
    """Return points of one contact."""
    nothing = np.zeros(1)
    return [
        LifePoint(time, np.array([depth]), np.array([bar]), nothing, nothing, (), nothing)
        for time, depth, bar in zip(times, depths, bars, strict=True)
    ]


@pytest.mark.parametrize(
    ("times", "depths", "limit", "reached"),
    [
        # Between two points, at a point, and before the first point.
        ([0.0, 1.0, 2.0, 4.0], [0.0, 2.0, 3.0, 4.0], 2.5, 1.5),
        ([0.0, 1.0, 2.0, 4.0], [0.0, 2.0, 3.0, 4.0], 3.0, 2.0),
        ([0.0, 1.0, 2.0, 4.0], [0.0, 2.0, 3.0, 4.0], 1.0, 0.5),
        # After the last point, at the last rate.
        ([0.0, 1.0, 2.0, 4.0], [0.0, 2.0, 3.0, 4.0], 5.0, 6.0),
        # The wear has ended or has not started.
        ([0.0, 1.0, 2.0, 4.0], [0.0, 2.0, 3.0, 3.0], 3.5, math.inf),
        ([0.0, 1.0], [0.0, 0.0], 1.0, math.inf),
        # If a later run gives a smaller depth, the depth stays constant.
        ([0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 1.0, 4.0], 3.0, 2.5),
        ([0.0], [0.0], 1.0, math.inf),
        ([2.0], [1.0], 1.0, 2.0),
    ],
)
def test_the_time_to_a_limit_is_on_the_line_between_points(
    times: list[float], depths: list[float], limit: float, reached: float
) -> None:
    points = points_of(times, depths, [0.0] * len(times))
    found = _times_to_reach(points, limit, 0, np.array([-1.0, 0.0, 2.0]))
    assert found.tolist() == pytest.approx([reached] * 3)


@pytest.mark.parametrize("deviate", [-2.0, -0.5, 0.0, 1.0])
def test_a_depth_deviates_by_a_multiple_of_its_error_bar(deviate: float) -> None:
    times = np.linspace(0.0, 10.0, 11)
    points = points_of(times.tolist(), times.tolist(), (0.2 * times).tolist())
    found = _times_to_reach(points, 6.0, 0, np.array([deviate]))
    assert found.tolist() == pytest.approx([6.0 / (1.0 + 0.2 * deviate)])


def test_chances_are_those_of_the_first_version() -> None:
    """Regression: results are equal in each version. Rounding may change a draw at the limit."""
    law = ArchardLaw(kind="ARCHARD", coefficient=Scatter(median=1e-15, factor=1.2, draw="contact"))
    both = limit_chances(points((1.1, 1.0), (0.1, 0.2)), 1.05, 1.0, law, 2)
    found = 4000.0 * np.array([(chances.reached, chances.first) for chances in both])
    assert found == pytest.approx(CHANCES, abs=1.0)
