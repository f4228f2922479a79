"""Speed of harmonic maps: cases a second, compiled on one core and on all, and interpreted.

The cases are those of the goal, 8e5 a second on two cores: a0 log-uniform in [0.5, 20] m/s2, ω/2π
uniform in [0.5, 2] Hz, μ uniform in [0.05, 0.15], 12 s each, window [4, 12] s, relative error
≤ 1e-10. Rounds of one form and of the others alternate in one process. Seconds of processor time
stand beside those of the clock, because a machine that is shared lengthens the latter.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wearmodel.batch import harmonic_maps
from wearmodel.batch.cores import core_count
from wearmodel.batch.harmonic_maps import harmonic_wear_powers
from wearmodel.reference.closed_forms import RubbingShoe

from .compiled_code import Seconds, clocked, first_call_seconds, interpreted, median

CASES = 400_000
INTERPRETED_CASES = 4_000
CHECKED_CASES = 2_000
ROUNDS = 7
FIXED: dict[str, Any] = {"mass": 1.0, "gravity": 10.0, "window": (4.0, 12.0)}


def random_cases(count: int) -> dict[str, Any]:
    generator = np.random.default_rng(11)
    return {
        "amplitude": np.exp(generator.uniform(np.log(0.5), np.log(20.0), count)),
        "angular_frequency": 2.0 * np.pi * generator.uniform(0.5, 2.0, count),
        "friction_coefficient": generator.uniform(0.05, 0.15, count),
    }


def test_cases_a_second(
    benchmark: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    cases = random_cases(CASES)
    few = {name: values[:INTERPRETED_CASES] for name, values in cases.items()}
    powers = harmonic_wear_powers(**FIXED, **cases)
    worst = 0.0
    for i in range(CHECKED_CASES):
        values = {name: float(column[i]) for name, column in cases.items()}
        want = RubbingShoe(mass=1.0, gravity=10.0, **values).mean_wear_power(4.0, 12.0)
        worst = max(worst, abs(powers[i] - want) / want if want else abs(powers[i]))

    one_core: list[Seconds] = []
    all_cores: list[Seconds] = []
    plain: list[Seconds] = []

    def others() -> None:
        one_core.append(clocked(lambda: harmonic_wear_powers(**FIXED, **cases, threads=1)))
        with interpreted(harmonic_maps, monkeypatch):
            plain.append(clocked(lambda: harmonic_wear_powers(**FIXED, **few)))

    benchmark.pedantic(
        lambda: all_cores.append(clocked(lambda: harmonic_wear_powers(**FIXED, **cases))),
        setup=others,
        rounds=ROUNDS,
    )

    cold, warm = first_call_seconds("map_power", tmp_path)
    compiled = median(one_core)
    figures = {
        "cases a second, all cores": CASES / median(all_cores).clock,
        "cores": core_count(),
        "cases a second, one core": CASES / compiled.clock,
        "cases a second of processor time": CASES / compiled.processor,
        "cases a second of processor time, all cores": CASES / median(all_cores).processor,
        "cases a second of processor time, interpreted": (
            INTERPRETED_CASES / median(plain).processor
        ),
        "worst relative error": worst,
        "first call, nothing compiled, s": cold,
        "first call, compiled code on disk, s": warm,
    }
    benchmark.extra_info.update(figures)
    with capsys.disabled():
        print(
            "\nharmonic map: " + "; ".join(f"{name} {value:.3g}" for name, value in figures.items())
        )
    assert worst <= 1e-10
