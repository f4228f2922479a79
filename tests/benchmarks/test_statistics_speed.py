"""USURE and IMPACT on ten million samples, compared with numpy's mean of the same arrays.

Run with ``pytest tests/benchmarks --benchmark-only``. An ordinary test run skips these tests.
"""

import time

import numpy as np
import pytest

from wearmodel.statistics import ShockRecord, StatisticsSettings, shock_statistics

SAMPLE_COUNT = 10_000_000
REPETITIONS = 5


@pytest.fixture(scope="module")
def record() -> ShockRecord:
    """Return a vibrating tube: 1000 s in steps of 1e-4 s, a shock of 31 ms every 345 ms."""
    instants = np.arange(SAMPLE_COUNT) * 1e-4
    phase = np.mod(instants, 0.345)
    force = np.where(phase < 0.0313, 1e4 * np.sin(np.pi * phase / 0.0313), 0.0)
    force *= 1.0 + 0.2 * np.sin(0.01 * instants)
    sway = np.sin(7.0 * instants)
    return ShockRecord(
        time=instants,
        normal_force=np.maximum(force, 0.0),
        normal_velocity=-np.cos(np.pi * phase / 0.0313),
        tangential_force_1=-0.1 * force * np.sign(sway),
        tangential_force_2=0.05 * force,
        tangential_velocity_1=sway,
        tangential_velocity_2=np.cos(7.0 * instants),
        position_x=0.01 * sway,
        position_y=sway,
        position_z=np.cos(3.0 * instants),
        stick=np.abs(sway) < 0.1,
    )


def fastest(durations: list[float]) -> float:
    """Return the minimum, because other processes increase the time."""
    return min(durations)


@pytest.mark.parametrize("reading", ["sampled", "interpolated"])
def test_statistics_take_at_most_ten_times_the_means(record, reading, benchmark):
    settings = StatisticsSettings(window_end=1e9, reading=reading)  # type: ignore[arg-type]
    columns = [record.column(quantity) for quantity in record.quantities]
    mean_times: list[float] = []

    def means() -> None:
        begin = time.perf_counter()
        for column in columns:
            column.mean()
        mean_times.append(time.perf_counter() - begin)

    # The means run before each round, so that both are measured under the same conditions.
    benchmark.pedantic(
        shock_statistics, args=(record, settings), setup=means, rounds=REPETITIONS, warmup_rounds=1
    )
    ratio = fastest(benchmark.stats.stats.data) / fastest(mean_times)
    benchmark.extra_info["times of the means"] = ratio
    assert ratio <= 10.0, f"{ratio:.1f} times the means, at most 10 wanted"
