"""Wear and motion under the default order of extrapolation, over families of random inputs."""

import math
from pathlib import Path

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters

from .input_families import FAMILIES, family_errors, row

HALF_SINE = (6.0, 2.3, 1e-2, 600)  # m/s², Hz, s, steps


@pytest.mark.parametrize("family", FAMILIES)
def test_the_default_order_wears_as_the_better_of_hold_and_order_2(family):
    errors = family_errors(family)
    better = min(errors["hold"], errors["order 2"], key=lambda one: one.rms)
    got = errors["automatic"]
    assert got.rms <= max(3.0 * better.rms, 5e-3), (got.rms, better.rms)
    # A mean is a bias: over a long run it does not cancel.
    assert abs(got.mean) <= max(2.0 * abs(better.mean), 3e-3), (got.mean, better.mean)


def shaken(order: int, steps_within: int) -> FrictionalShock:
    """A shoe after half-sine pulses; with several steps within one, on straight lines."""
    amplitude, frequency, step_size, count = HALF_SINE
    timing = "start" if steps_within == 1 else "end"
    model = FrictionalShock(
        FrictionalShockParameters(input_extrapolation_order=order, input_timing=timing)
    )
    fine = step_size / steps_within
    for index in range(count * steps_within):
        at = index + (timing == "end")
        pulse = amplitude * max(0.0, math.sin(2.0 * math.pi * frequency * at * fine))
        model.step(fine, pulse)
    return model


def test_half_sine_pulses_leave_the_mass_where_it_belongs():
    # Straight lines over a tenth of a step err by (ωh)²/12 = 2e-5 of the input.
    truth = shaken(0, 10).outputs()["relative_displacement"]
    off = {order: shaken(order, 1).outputs()["relative_displacement"] - truth for order in (-1, 0)}
    # Orders that switched at each kink once left it 0.597 m off; a held one errs by half a step.
    assert abs(off[-1]) <= 2.0 * abs(off[0]) + 1e-3, off


def test_the_table_in_the_docs_is_what_the_families_give():
    page = Path(__file__).parents[3] / "docs" / "inputs.md"
    shown = page.read_text(encoding="utf-8").splitlines()
    # One that neither stick nor chaos makes sensitive to a rounding.
    assert row("sine") in shown
    assert [name for name in FAMILIES if not any(f"| {name} |" in line for line in shown)] == []
