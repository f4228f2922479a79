"""An extrapolated service life, compared with single long runs with continuous wear feedback."""

from __future__ import annotations

import dataclasses
import math
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from harness import load_case
from harness.fmu.noise import NoiseSignal
from harness.life import load_life, run_life
from wearmodel import run_structure
from wearmodel.batch.record_runs import run_records
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.structure import read_structure

from ...docs.documents import ROOT
from .planes import between_planes, life_between_planes

EXAMPLES = ROOT / "examples"

YEARS = 40.0
LONG_RUN = 1000.0  # s, so that a second represents two weeks
# Like the ground in an earthquake: an oscillator under white noise.
GROUND = {
    "frequency": 8.0,
    "damping_ratio": 0.4,
    "sample_interval": 1e-3,
}
COEFFICIENT, AREA = 2e-15, 1e-4


def depth_of_a_long_run(seed: int) -> np.ndarray:
    """Return the depth of each scar [m] over a run with continuous wear feedback."""
    shock = between_planes(
        wear_feedback=True,
        archard_coefficient=COEFFICIENT,
        wear_area=AREA,
        wear_time_scale=YEARS * SECONDS_PER_YEAR / LONG_RUN,
    )
    times = np.arange(round(LONG_RUN * 1e3) + 1) * 1e-3
    along, across = (
        NoiseSignal(kind="noise", rms=rms, seed=number, **GROUND).sample(times)
        for rms, number in ((3.0, seed), (5.0, seed + 1))
    )
    runs = run_records(
        [shock],
        1e-3,
        base_acceleration=along,
        base_acceleration_normal=across,
        histories=("wear_depth",),
    )
    assert not runs.failures
    # The volume is divided by one area. Each of the two planes has half of it.
    depth: np.ndarray = 0.5 * runs.histories["wear_depth"][0]
    return depth


@pytest.mark.campaign
def test_jumps_meet_long_runs_whose_wear_acts_back_all_the_time(tmp_path: Path) -> None:
    file = tmp_path / "shocks.toml"
    text = life_between_planes(
        GROUND, years=YEARS, relative_error=0.05, coefficient=COEFFICIENT, area=AREA
    )
    file.write_text(text, encoding="utf-8")
    states = run_life(load_life(file)).states
    seeds = (100, 102, 104, 106)
    histories = np.array([depth_of_a_long_run(seed) for seed in seeds])
    mean = histories.mean(axis=0)
    # Student's quantile of 95 % at three degrees of freedom.
    bar = 3.182 * histories.std(axis=0, ddof=1) / math.sqrt(len(seeds))
    places = np.linspace(0.0, YEARS * SECONDS_PER_YEAR, mean.size)
    for state in states[1:]:
        want, want_bar = (float(np.interp(state.time, places, one)) for one in (mean, bar))
        assert abs(state.depth - want) <= state.depth_bar + want_bar
    last = states[-1]
    # The feedback matters. Without it, the depth would differ by more than both error bars.
    unchanged = COEFFICIENT * states[0].power / (2.0 * AREA) * last.time
    assert unchanged - last.depth > last.depth_bar + bar[-1]


TUBE_RUN = 2000.0  # s, so that a second represents a week
TUBE_AREA = 2e-4


def depths_of_a_long_run_of_the_tube(seed: int) -> dict[str, np.ndarray]:
    """Return the depth of each support [m] over a run with wear feedback on all gaps."""
    structure = read_structure(EXAMPLES / "life_of_a_tube_structure.toml")
    case = load_case(EXAMPLES / "life_of_a_tube.toml")
    names = [contact.name for contact in structure.contacts]
    feedback = {
        "wear_feedback": True,
        "wear_time_scale": YEARS * SECONDS_PER_YEAR / TUBE_RUN,
        "archard_coefficient": 1e-14,
        "wear_area": TUBE_AREA,
    }
    times = np.arange(round(TUBE_RUN * 1e3) + 1) * 1e-3
    loads = {
        name: dataclasses.replace(signal, seed=seed + number).sample(times)
        for number, (name, signal) in enumerate(case.declared_inputs.items())
    }
    run = run_structure(
        structure.with_parameters(
            {f"{name}.{key}": value for name in names for key, value in feedback.items()}
        ),
        loads,
        step_size=1e-3,
        steps=times.size - 1,
        outputs=[f"{name}.wear_depth" for name in names],
    )
    return {name: run.history[f"{name}.wear_depth"] for name in names}


@pytest.mark.campaign
def test_four_supports_of_a_tube_meet_long_runs_in_which_all_of_them_wear(tmp_path: Path) -> None:
    for part in EXAMPLES.glob("life_of_a_tube*"):
        shutil.copy(part, tmp_path)
    file = tmp_path / "life_of_a_tube.toml"
    text = re.sub(
        "^shape = .*$",
        f'shape = {{ kind = "FLAT", wear_area = {TUBE_AREA!r} }}',
        file.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    file.write_text(text, encoding="utf-8")
    result = run_life(load_life(file))
    runs = [depths_of_a_long_run_of_the_tube(seed) for seed in (100, 200)]
    places = np.linspace(0.0, YEARS * SECONDS_PER_YEAR, runs[0]["S1"].size)
    for contact in result.contacts:
        ends = [run[contact.contact] for run in runs]
        for state in contact.states[1:]:
            first, second = (float(np.interp(state.time, places, end)) for end in ends)
            # An interval from two runs is not reliable. Their difference is used as their error.
            apart = abs(second - first)
            assert abs(state.depth - 0.5 * (first + second)) <= state.depth_bar + apart
