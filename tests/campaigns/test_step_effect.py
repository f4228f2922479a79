"""Sixteen families of random inputs: a warning appears if, and only if, a coarse step matters."""

import pytest

from ..harness.fmu.input_families import END, FAMILIES, START, STEPS, family_run

pytestmark = pytest.mark.campaign

SEEDS = 12


@pytest.mark.parametrize("reading", [START, END], ids=["start", "end"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("family", list(FAMILIES))
def test_a_warning_comes_with_an_error_above_4_percent_and_none_below_1_percent(
    family, step, reading
):
    for seed in range(1 + SEEDS):
        family_run(family, step, seed, reading).require_right_verdict()
