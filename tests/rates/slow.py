"""Rates that vary slowly: `python -m tests.rates.slow --draws 200`, part of `make campaign`.

A run has 1e4 samples at first. It is extended until its rate is known to 5 % and a run four times
as long confirms it. Each process has a time scale: mean dwell time, period, end of the start-up or
correlation time. The table lists accepted rates, and accepted rates whose interval does not contain
the mean, for all runs and for runs that contain at least four time scales.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from harness.case.case_file import Case, load_case
from harness.case.mean_until import extended_run
from wearmodel.batch.cores import core_count
from wearmodel.statistics.known_rate import KnownRate, known_rate

Floats = NDArray[np.float64]
# Samples of the first run, and number of samples that are combined in a value.
FIRST, COARSE = 10_000, 100
RELATIVE_ERROR = 0.05
CASE = """\
[case]
title = "A record"
source = "test"
fmu = "FrictionalShock"
[inputs.base_acceleration]
kind = "noise"
rms = 1.0
low = 1.0
high = 10.0
sample_interval = 0.01
seed = 1
[experiment]
stop_time = 1.0
step_size = 0.01
"""
# A number of rates from two random generators, one for the process and one for the noise. A larger
# number starts with the same rates.
Rates = Callable[[np.random.Generator, np.random.Generator, int], Floats]


def _times(count: int) -> Floats:
    return COARSE * (np.arange(count) + 0.5)


def _noise(noise: np.random.Generator, count: int) -> Floats:
    return noise.standard_normal(count) / math.sqrt(COARSE)


def _of_time(rate: Callable[[Floats, float], Floats]) -> Rates:
    return lambda random, noise, count: rate(_times(count), random.random()) + _noise(noise, count)


def _two_states(dwells: tuple[float, float], rates: tuple[float, float]) -> Rates:
    mean = (dwells[0] * rates[0] + dwells[1] * rates[1]) / sum(dwells)

    def drawn(random: np.random.Generator, noise: np.random.Generator, count: int) -> Floats:
        state = int(random.random() < dwells[1] / sum(dwells))
        ends, states = [0.0], []
        while ends[-1] < count * COARSE:
            ends.append(ends[-1] + random.exponential(dwells[state]))
            states.append(state)
            state = 1 - state
        place = np.searchsorted(ends, _times(count), side="right") - 1
        return np.array(rates)[np.array(states)[place]] / mean + _noise(noise, count)

    return drawn


def _correlated(memory: float) -> Rates:
    keep = math.exp(-1.0 / memory)

    def drawn(random: np.random.Generator, noise: np.random.Generator, count: int) -> Floats:
        shocks = math.sqrt(1.0 - keep * keep) * noise.standard_normal(count * COARSE)
        values, _ = lfilter([1.0], [1.0, -keep], shocks, zi=[keep * random.standard_normal()])
        return np.asarray(1.0 + values.reshape(count, COARSE).mean(axis=1))

    return drawn


def _sine(period: float) -> Rates:
    return _of_time(lambda t, phase: 1.0 + 0.8 * np.sin(2.0 * math.pi * (t / period + phase)))


def _bursts(period: float) -> Rates:
    # For a twentieth of the period, the rate is eleven times as high.
    return _of_time(lambda t, phase: (1.0 + 10.0 * ((t / period + phase) % 1.0 < 0.05)) / 1.5)


# Name, time scale in samples, and rates of mean 1. A trend has the length of the record.
PROCESSES: dict[str, tuple[float, Rates]] = {
    "white": (1.0, lambda random, noise, count: 1.0 + 3.0 * _noise(noise, count)),
    "AR(10)": (10.0, _correlated(10.0)),
    "rare bursts, 1e5 apart": (1e5, _two_states((1e5, 5e3), (1.0, 11.0))),
    "trend over the record": (math.inf, _of_time(lambda t, phase: 1.0 + t / 1e6)),
    "two states, dwell 3e4": (3e4, _two_states((3e4, 3e4), (0.5, 1.5))),
    "two states, dwell 3e5": (3e5, _two_states((3e5, 3e5), (0.5, 1.5))),
    "bursts, period 3e4": (3e4, _bursts(3e4)),
    "bursts, period 2e5": (2e5, _bursts(2e5)),
    "start-up until 3e4": (3e4, _of_time(lambda t, phase: np.where(t < 3e4, 10.0, 1.0))),
    "sine, period 5e4": (5e4, _sine(5e4)),
    "sine, period 3e5": (3e5, _sine(3e5)),
}


def accepted(
    case: Case, rates: Rates, seed: np.random.SeedSequence
) -> tuple[bool, KnownRate, list[float]]:
    """Return whether a rate is accepted, the rate, and the numbers of samples of all runs."""
    seeds = seed.spawn(2)
    lengths: list[float] = []

    def measure(longer: Case) -> KnownRate:
        count = round(longer.experiment.stop_time * FIRST / COARSE)
        lengths.append(float(count * COARSE))
        times = COARSE * np.arange(count + 1.0)
        # With equal seeds, longer runs contain shorter ones.
        values = rates(*map(np.random.default_rng, seeds), count)
        totals = np.concatenate(([0.0], COARSE * np.cumsum(values)))
        return known_rate(times, totals, start=0.1 * times[-1])

    def lengths_needed(rate: KnownRate) -> float:
        return 1.0 if not rate.reason and rate.relative_half_width <= RELATIVE_ERROR else math.inf

    run = extended_run(case, measure, lengths_needed, lambda rate: rate.is_steady)
    assert run is not None
    return run.is_enough, run.found, lengths


def outcome(draws: int, name: str) -> str:
    """Return the row of a process."""
    scale, rates = PROCESSES[name]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "record.toml"
        file.write_text(CASE, encoding="utf-8")
        case = load_case(file)
    total = wrong = inside = wrong_inside = 0
    costs = []
    for seed in np.random.SeedSequence(7).spawn(draws):
        known, rate, lengths = accepted(case, rates, seed)
        if not known:
            continue
        is_wrong = not rate.lower <= 1.0 <= rate.upper
        total, wrong = total + 1, wrong + is_wrong
        # The run before the last one was sufficient, except for the confirmation.
        costs.append(lengths[-1] / lengths[-2])
        if lengths[-1] >= 4.0 * scale:
            inside, wrong_inside = inside + 1, wrong_inside + is_wrong
    cost = f"{np.median(costs):.1f}" if costs else "–"
    return (
        f"| {name} | {scale:.2g} | {100 * total / draws:.1f} % | {100 * wrong / draws:.1f} % |"
        f" {100 * inside / draws:.1f} % | {100 * wrong_inside / draws:.1f} % | {cost} |"
    )


def main(words: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.rates.slow", description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--workers", type=int, default=core_count())
    arguments = parser.parse_args(words)
    print("| process | time scale | accepted | wrong | within the limit | wrong | samples |")
    print(f"|{'---|' * 7}")
    with ProcessPoolExecutor(arguments.workers) as pool:
        for row in pool.map(partial(outcome, arguments.draws), PROCESSES):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
