"""Velocity-dependent friction against an independent integration: 200 random problems."""

from __future__ import annotations

import pytest

from ..wearmodel.models.frictional_shock.test_varying_friction import LAWS, compared

pytestmark = pytest.mark.campaign
RUNS = 34  # of each pair of laws: 204 together


def test_two_hundred_random_runs_agree_with_an_independent_integration() -> None:
    left_out = sum(compared(normal, tangential, RUNS) for normal, tangential in LAWS)
    assert left_out < 0.1 * RUNS * len(LAWS)
