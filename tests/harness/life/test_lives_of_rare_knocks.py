"""Many service lives with wear that becomes rare with depth, compared with a closed form."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from harness.case.case_file import Case
from harness.case.settled_mean import settled_rate
from harness.fmu.noise import NoiseSignal
from harness.life import load_life
from harness.life.life_file import Motion
from harness.life.life_run import run_life
from harness.life.motion_runs import MotionRuns, Rates
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .pads import LIFE, life_file

NOISE = """kind = "noise"
rms = 0.9
low = 5.0
high = 20.0
sample_interval = 0.002
seed = 1"""
SINE = 'kind = "sine"\namplitude = 2.0\nfrequency = 5.0'
# Knocks are random. There are 20 per second without wear, and fewer by a factor e per 8 µm. The
# wear work of each knock has an exponential distribution with this mean [J].
FREQUENCY, FALLS_IN, SIZE = 20.0, 8e-6, 2e-5
YEARS, COEFFICIENT, AREA = 40.0, 1e-14, 1e-6
# Duration in s of a piece of a run. A longer run has the knocks of a shorter run and more.
PIECE = 20.0


class KnockingRuns(MotionRuns):
    """Runs with random knocks that become rarer with the depth, the same ones at all depths."""

    seed = 0

    def worn(self, case: Case, depths: object) -> Case:
        return case

    def rates(self, motion: Motion, case: Case, depths: object) -> list[Rates]:
        (depth,) = depths  # type: ignore[misc]
        span = case.experiment.stop_time
        instants, sizes = [], []
        for number in range(math.ceil(span / PIECE - 1e-9)):
            random = np.random.default_rng([self.seed, number])
            count = random.poisson(FREQUENCY * PIECE)
            at, size = random.uniform(0.0, PIECE, count), random.exponential(SIZE, count)
            # The knocks that wear at a depth also wear at all smaller depths, so the rate is
            # smooth.
            wears = random.random(count) < math.exp(-depth / FALLS_IN)
            instants.append(number * PIECE + at[wears])
            sizes.append(size[wears])
        at, size = np.concatenate(instants), np.concatenate(sizes)
        order = np.argsort(at)
        step = 10.0 * case.experiment.step_size
        times = np.arange(round(span / step) + 1) * step
        work = np.concatenate(([0.0], np.cumsum(size[order])))
        total = work[np.searchsorted(at[order], times, side="right")]
        rate = settled_rate(times, total, case.inputs)
        return [Rates(rate, rate)]

    def margin(self, case: Case, contact: object) -> str:
        return ""


def exact(years: float) -> float:
    """Return the depth [m]: ḋ = k P e^(−d/w)/A, so d = w ln(1 + k P t/(A w))."""
    power = FREQUENCY * SIZE
    slope = COEFFICIENT * power / (AREA * FALLS_IN)
    return FALLS_IN * math.log1p(slope * years * SECONDS_PER_YEAR)


@pytest.mark.campaign
def test_the_bars_of_fifty_lives_of_knocks_that_become_rare_hold_the_closed_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = LIFE.replace("relative_error = 0.02", "relative_error = 0.3")
    text = text.replace("coefficient = 1e-16", f"coefficient = {COEFFICIENT!r}")
    text = text.replace("wear_area = 1e-4", f"wear_area = {AREA!r}")
    life = load_life(
        life_file(tmp_path, text, (SINE, NOISE), ("stop_time = 2.0", "stop_time = 20.0"))
    )
    assert isinstance(next(iter(life.case.inputs.values())), NoiseSignal)
    monkeypatch.setattr("harness.life.wear_power.MotionRuns", KnockingRuns)
    held = []
    for seed in range(50):
        monkeypatch.setattr(KnockingRuns, "seed", seed)
        states = run_life(life).states
        held.append(
            all(
                abs(state.depth - exact(state.time / SECONDS_PER_YEAR)) <= state.depth_bar
                for state in states[1:]
            )
        )
    # The required coverage is 92 %.
    assert sum(held) >= 46
