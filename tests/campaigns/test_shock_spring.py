"""The shock spring with dampers and wear feedback, compared with an independent integration."""

import pytest

from ..wearmodel.models.test_shock_spring_in_a_hole import COMPARISON, problem
from ..wearmodel.models.test_shock_spring_integration import left_out

pytestmark = pytest.mark.campaign
RUNS = 400


def test_four_hundred_random_polygons_agree_with_an_independent_integration():
    assert sum(map(left_out, range(1000, 1000 + RUNS))) < 0.1 * RUNS


def test_a_hundred_random_polygons_in_a_hole_agree_with_it_too():
    assert (
        sum(COMPARISON.left_out(*problem(seed)) for seed in (*range(4, 12), *range(100, 200))) < 20
    )
