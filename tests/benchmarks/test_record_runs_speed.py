"""Speed of record runs: µs per sample, interpreted and compiled, on one core and on all cores.

Records have random samples at intervals of 1 ms with linear interpolation. Rounds of the three
forms alternate in a single process. CPU time is also given, because other processes increase the
wall time.
"""

from typing import Any

import numpy as np
import pytest

from wearmodel import FrictionalShockParameters
from wearmodel.batch import record_runs
from wearmodel.batch.cores import core_count
from wearmodel.batch.record_runs import run_records

from .compiled_code import Seconds, clocked, first_call_seconds, interpreted, median

SAMPLES = 4001
STEP = 1e-3
RUNS = 32
ROUNDS = 5

# Parameters by name, and whether the base also moves in the normal direction.
VARIANTS: dict[str, tuple[dict[str, Any], bool]] = {
    "rigid friction": ({}, False),
    "rigid friction, spring and damper": ({"stiffness": 400.0, "damping": 1.0}, False),
    "rigid friction, varying normal force": ({}, True),
    "penalised friction": ({"tangential_law": "penalty"}, False),
    "rigid contact, bouncing": ({"normal_law": "rigid", "restitution": 0.5}, True),
    "penalised contact, K_N 2e5": ({"normal_law": "penalty", "contact_stiffness": 2e5}, True),
}


def smooth_noise(seed: int) -> Any:
    """Return random acceleration of some m/s2 with a spectrum below 10 Hz."""
    generator = np.random.default_rng(seed)
    times = np.arange(SAMPLES) * STEP
    frequencies = generator.uniform(0.5, 10.0, 12)
    phases = generator.uniform(0.0, 2.0 * np.pi, 12)
    return 1.5 * np.sin(2.0 * np.pi * np.outer(times, frequencies) + phases).sum(axis=1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_microseconds_a_sample(benchmark, monkeypatch, variant, capsys):
    values, shaken_normally = VARIANTS[variant]
    coefficients = np.linspace(0.08, 0.12, RUNS)
    sets = [FrictionalShockParameters(**values, friction_coefficient=mu) for mu in coefficients]
    inputs = {"base_acceleration": smooth_noise(1)}
    if shaken_normally:
        inputs["base_acceleration_normal"] = 2.0 * smooth_noise(2)
    run_records(sets[0], STEP, **inputs)

    one_core: list[Seconds] = []
    all_cores: list[Seconds] = []
    plain: list[Seconds] = []

    def others() -> None:
        one_core.append(clocked(lambda: run_records(sets, STEP, **inputs, threads=1)))
        with interpreted(record_runs, monkeypatch):
            plain.append(clocked(lambda: run_records(sets[RUNS // 2], STEP, **inputs)))

    benchmark.pedantic(
        lambda: all_cores.append(clocked(lambda: run_records(sets, STEP, **inputs))),
        setup=others,
        rounds=ROUNDS,
    )

    microseconds = 1e6 / (SAMPLES - 1)
    figures = {
        "all cores": median(all_cores).clock / RUNS * microseconds,
        "one core": median(one_core).clock / RUNS * microseconds,
        "one core, processor time": median(one_core).processor / RUNS * microseconds,
        "all cores, processor time": median(all_cores).processor / RUNS * microseconds,
        "interpreted, processor time": median(plain).processor * microseconds,
    }
    ratio = figures["interpreted, processor time"] / figures["one core, processor time"]
    benchmark.extra_info.update({f"µs a sample, {name}": value for name, value in figures.items()})
    benchmark.extra_info.update({"cores": core_count(), "compiled over interpreted": ratio})
    with capsys.disabled():
        shown = "; ".join(f"{name} {value:.3f}" for name, value in figures.items())
        print(f"\n{variant}: µs a sample: {shown}; compiled {ratio:.0f} times faster")


def test_first_call(benchmark, tmp_path, capsys):
    cold, warm = benchmark.pedantic(first_call_seconds, args=(tmp_path,), rounds=1, iterations=1)
    benchmark.extra_info.update({"nothing compiled, s": cold, "compiled code on disk, s": warm})
    with capsys.disabled():
        print(f"\nfirst record run: {cold:.1f} s compiling, {warm:.2f} s from disk")
