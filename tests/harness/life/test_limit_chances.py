"""Probabilities of limits against closed forms of normal depths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from harness.life.limit_chances import limit_chances
from harness.life.sections import ArchardLaw, Scatter
from wearmodel.statistics.cycle_jump import LifePoint

NORMAL = 1.959963984540054


def points(rates: tuple[float, ...], errors: tuple[float, ...]) -> list[LifePoint]:
    """Depths that grow evenly until the time 1, with relative standard deviations."""
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
    # 4000 draws scatter by 0.8 %.
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
