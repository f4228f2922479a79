"""Runs in blocks give the same values as in one piece, with constant memory."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import simulate
from harness.fmu.experiment import Experiment
from harness.fmu.files import own_fmu
from harness.fmu.history import write_csv
from harness.fmu.signals import ConstantSignal, TableSignal
from harness.fmu.simulation import simulated_blocks
from harness.shaking.shaking_record import read_shaking
from harness.shaking.shaking_result import ShakingResult
from harness.shaking.shaking_run import run_shaking

RAMP = TableSignal(kind="table", time=(0.0, 1.0), value=(0.0, 8.0))
SUBSTEPS = 10


@pytest.mark.parametrize("block_steps", [1, 3, 8, 100])
def test_blocks_one_after_the_other_are_the_run_at_once(toy_fmu, block_steps):
    experiment = Experiment(stop_time=1.0, step_size=0.125)
    whole = simulate(toy_fmu, experiment, inputs={"rate": RAMP})
    blocks = list(
        simulated_blocks(toy_fmu, experiment, inputs={"rate": RAMP}, block_steps=block_steps)
    )
    # The first block contains the initial point.
    assert len(blocks[0].times) == min(block_steps, 8) + 1
    assert np.array_equal(np.concatenate([one.times for one in blocks]), whole.times)
    for name, column in whole.values.items():
        assert np.array_equal(np.concatenate([one[name] for one in blocks]), column), name


def test_memory_of_blocks_does_not_grow_with_what_is_read(toy_fmu):
    steps = 20_000
    experiment = Experiment(stop_time=float(steps), step_size=1.0)
    one = ConstantSignal(kind="constant", value=1.0)
    tracemalloc.start()
    try:
        blocks = simulated_blocks(toy_fmu, experiment, inputs={"rate": one}, block_steps=500)
        next(blocks)
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        for _ in blocks:
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The history has seven variables of 160 kB each. In a block a variable has 4 kB. Two blocks
    # exist at the same time, and each record has objects of its own.
    assert peak - before < 160_000


@pytest.fixture(scope="module")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_fmu("FrictionalShock", tmp_path_factory.mktemp("fmus"))


@pytest.fixture
def shaken(tmp_path: Path, fmu: Path) -> Callable[..., ShakingResult]:
    """Return a function that runs samples as a base motion, by default every 10 ms."""

    def shake(samples: Any, *, interval: float = 1e-2) -> ShakingResult:
        file = tmp_path / "quake.csv"
        times = np.arange(len(samples)) * interval
        np.savetxt(
            file, np.column_stack([times, samples]), delimiter=",", header="time [s],acc [m/s2]"
        )
        parameters = {"normal_law": "rigid", "restitution": 0.5, "initial_gap": 1e-2}
        return run_shaking(fmu, read_shaking(file), parameters=parameters, substeps=SUBSTEPS)

    return shake


def test_a_long_shaking_gives_the_same_numbers_statistics_and_history(
    shaken, tmp_path, monkeypatch
):
    samples = 15.0 * np.sin(2.0 * np.pi * 1.3 * np.arange(301) * 1e-2)
    short = shaken(samples)
    monkeypatch.setattr("harness.shaking.shaking_run._MOST_ROWS", 2_000)
    # 333 is not a multiple of the substeps and not a divisor of the 3000 steps.
    monkeypatch.setattr("harness.shaking.shaking_run._BLOCK_STEPS", 333)
    long = shaken(samples)
    assert (len(short.history.times), len(long.history.times)) == (3001, 301)
    assert np.array_equal(long.history.times, short.history.times[::SUBSTEPS])
    assert long.quantities() == short.quantities()
    assert long.tables() == short.tables()
    histories = []
    for result in (short, long):
        path = tmp_path / "history.csv"
        write_csv(result.history, path, stride=result.sample_stride)
        histories.append(path.read_bytes())
    assert histories[0] == histories[1]
    assert histories[0].count(b"\n") == 302
    (note,) = (one for one in long.notes if one not in short.notes)
    assert note.startswith("3000 steps are too many to store: ")


def test_statistics_of_a_shaking_count_all_of_it(shaken):
    # The default window of the operator would end at 999 s.
    result = shaken(np.resize([5.0, -5.0], 1201), interval=1.0)
    assert (result.statistics.window_start, result.statistics.window_end) == (0.0, 1200.0)


def test_a_csv_file_has_the_same_rows_however_many_are_made_at_a_time(
    toy_fmu, tmp_path, monkeypatch
):
    record = simulate(toy_fmu, Experiment(stop_time=1.0, step_size=0.125), inputs={"rate": RAMP})
    write_csv(record, tmp_path / "at_once.csv", stride=2)
    monkeypatch.setattr("harness.fmu.history._CSV_ROWS", 2)
    write_csv(record, tmp_path / "by_two.csv", stride=2)
    assert (tmp_path / "by_two.csv").read_bytes() == (tmp_path / "at_once.csv").read_bytes()
    assert len((tmp_path / "at_once.csv").read_text().splitlines()) == 6
