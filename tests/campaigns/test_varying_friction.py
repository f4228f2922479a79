"""Velocity-dependent friction and wear feedback, compared with an independent integration."""

import pytest

from wearmodel import NormalLaw, TangentialLaw

from ..wearmodel.models.frictional_shock.test_varying_friction import LAWS, compared

pytestmark = pytest.mark.campaign
RUNS = 34  # For each pair of laws, 204 in total.


def test_two_hundred_random_runs_agree_with_an_independent_integration():
    left_out = sum(compared(normal, tangential, RUNS) for normal, tangential in LAWS)
    assert left_out < 0.1 * RUNS * len(LAWS)


def test_a_hundred_random_runs_whose_wear_opens_the_gaps_agree_with_it_too():
    left_out = sum(
        compared(NormalLaw.penalty, tangential, 50, wearing=True) for tangential in TangentialLaw
    )
    assert left_out < 10
