"""The examples of a sweep are sweep files as they stand."""

from pathlib import Path

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
    # The case's own tolerance: the input is a parabola through three samples a step apart.
    assert row.values[0] is not None
    assert abs(row.values[0] - exact) <= 1e-6 * exact


def test_the_map_in_closed_form_is_zero_where_the_shoe_sticks(tmp_path):
    sweep = load_sweep(EXAMPLES / "wear_power_map.toml", fmu_folder=tmp_path)
    assert len(sweep.points) == 10_000
    rows, _ = run_batch(sweep.study, sweep.points)
    stuck = {point: row.values == (0.0,) for point, row in zip(sweep.points, rows, strict=True)}
    # It sticks where a0 ≤ μ g. No other point of the grid lies within rounding of that than its
    # first, where both are 0.5 m/s2.
    assert stuck == {(a, mu): float(a) <= float(mu) * 10.0 for a, mu in sweep.points}
