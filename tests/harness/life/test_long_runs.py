"""Long runs of a service life need little memory and have the rates of a run in one piece."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.life import load_life
from harness.life.motion_runs import MotionRuns, Rates
from tests.harness.life.pads import LIFE, life_file
from tests.harness.life.test_run_lengths import NOISE, SINE

# Pieces of a run that are shorter than a record, and a smaller limit for samples in pauses.
STEPS_AT_ONCE, PAUSE_SAMPLES = "_STEPS_AT_ONCE", "_PAUSE_SAMPLES"


def rare_rubbing(folder: Path, rms: float = 0.9) -> MotionRuns:
    """Return runs of a pad that slips in a few percent of the steps."""
    file = life_file(
        folder,
        LIFE.replace("relative_error = 0.02", "relative_error = 0.4"),
        (SINE, NOISE.replace("rms = 0.9", f"rms = {rms}")),
        ("friction_coefficient = 0.0", "friction_coefficient = 0.2"),
        ("contact_stiffness = 9e5", "contact_stiffness = 1e7\ncontact_damping = 1e3"),
        ("initial_velocity = 0.06366197723675814\n", ""),
        ("stop_time = 2.0", "stop_time = 20.0"),
    )
    return MotionRuns(load_life(file))


def rates_after(runs: MotionRuns, *stop_times: float) -> tuple[Rates, int]:
    """Return the rates after the last time, and the number of samples in its record."""
    (motion,) = runs._life.motions
    for stop_time in stop_times:
        experiment = replace(motion.case.experiment, stop_time=stop_time)
        case = runs.worn(replace(motion.case, experiment=experiment), [np.zeros(1)])
        (rates,) = runs.rates(motion, case, [np.zeros(1)])
    assert runs._so_far is not None
    return rates, runs._so_far.times.size


def test_a_long_run_in_parts_without_pauses_has_the_rates_of_one_with_all_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # `known_rate` divides a record into at most 2¹⁷ blocks. The run has 2²⁰ steps.
    stop_time = 0.002 * (1 << 20)
    monkeypatch.setattr(f"harness.life.motion_runs.{STEPS_AT_ONCE}", 1 << 30)
    monkeypatch.setattr(f"harness.life.motion_runs.{PAUSE_SAMPLES}", 1 << 30)
    expected, samples = rates_after(rare_rubbing(tmp_path), stop_time)
    assert samples == (1 << 20) + 1
    monkeypatch.undo()
    monkeypatch.setattr(f"harness.life.motion_runs.{STEPS_AT_ONCE}", 77_777)
    rates, samples = rates_after(rare_rubbing(tmp_path), stop_time)
    assert (1 << 18) < samples < 500_000
    assert rates == expected
    # The rates are equal if shorter runs came before.
    rates, samples = rates_after(rare_rubbing(tmp_path), 200.0, 800.0, stop_time)
    assert samples < 600_000
    assert rates == expected


def test_a_record_with_other_quantities_keeps_all_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"harness.life.motion_runs.{PAUSE_SAMPLES}", 100)
    runs = rare_rubbing(tmp_path)
    (motion,) = runs._life.motions
    names = ["wear_work", "normal_force"]
    assert runs._history(motion.case, names, "", [np.zeros(1)]).times.size == 10_001
    names.pop()
    assert runs._history(motion.case, names, "", [np.zeros(1)]).times.size < 3000


def test_the_memory_of_a_long_run_is_that_of_its_wear(tmp_path: Path) -> None:
    runs = rare_rubbing(tmp_path)
    tracemalloc.start()
    try:
        _, samples = rates_after(runs, 0.002 * (1 << 22))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert samples < 500_000
    # The noise needs 34 MB, and 2²⁰ steps about ten arrays of 8 MB. All steps at once need 400 MB.
    assert peak < 160e6, f"peak {peak / 1e6:.0f} MB"
