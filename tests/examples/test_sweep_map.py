"""The examples of a sweep are valid sweep files."""

from pathlib import Path

import pytest

from harness.sweep import load_sweep
from harness.sweep.batch import run_batch
from wearmodel.reference.closed_forms import RubbingShoe

EXAMPLES = Path(__file__).parents[2] / "examples"

OMEGA = 6.283185307179586


def test_the_last_corner_of_the_map_is_the_wear_power_in_closed_form(tmp_path):
    sweep = load_sweep(EXAMPLES / "sweep_map.toml", fmu_folder=tmp_path)
    assert len(sweep.points) == 1500
    ((row,), _) = run_batch(sweep.study, sweep.points[-1:])
    exact = RubbingShoe(1.0, 10.0, 0.15, 20.0, OMEGA).mean_wear_power(8.0, 12.0)
    # Tolerance of the case: the input is a parabola through three samples a step apart.
    assert row.values[0] is not None
    assert abs(row.values[0] - exact) <= 1e-6 * exact


def test_the_map_by_derivatives_of_the_sine_is_that_of_the_closed_form(tmp_path):
    sweep = load_sweep(EXAMPLES / "wear_power_map.toml", fmu_folder=tmp_path)
    assert len(sweep.points) == 10_000
    # Every 97th point, with all friction coefficients and amplitudes of both regimes.
    points = sweep.points[::97]
    rows, _ = run_batch(sweep.study, points)
    for (amplitude, friction), row in zip(points, rows, strict=True):
        shoe = RubbingShoe(1.0, 10.0, float(friction), float(amplitude), OMEGA)
        # The tolerance of the case is 1e-12. A slip that just starts has less work, and its error
        # is relative to the sine. The largest error of all 10 000 points is 1.2e-12.
        exact = shoe.mean_wear_power(4.0, 12.0)
        assert row.values[0] == pytest.approx(exact, rel=3e-12, abs=1e-50)
