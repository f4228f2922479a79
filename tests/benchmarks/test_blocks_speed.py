"""Speed of sliding blocks: records × yield accelerations, beside pySLAMMER where it is installed.

Twenty yield accelerations on records of 4000 samples, one-way, peak displacements. pySLAMMER goes
from sample to sample; its largest difference from the exact arcs is printed beside its time, in
shares of the largest displacement of the record.
"""

import importlib.util

import numpy as np
import pytest
from numpy.typing import NDArray

from wearmodel import run_blocks
from wearmodel.units import STANDARD_GRAVITY

from .compiled_code import Seconds, clocked, median

SAMPLES, STEP = 4000, 0.01
RECORDS = 5
ROUNDS = 5
YIELDS = np.linspace(0.02, 0.4, 20)  # g


def records() -> list[NDArray[np.float64]]:
    """Smoothed noise that swells and fades, peak 0.5 g."""
    generator = np.random.default_rng(11)
    times = STEP * np.arange(SAMPLES)
    swell = np.sin(np.pi * times / times[-1]) ** 2
    rows = []
    for _ in range(RECORDS):
        row = swell * np.convolve(generator.standard_normal(SAMPLES), np.full(5, 0.2), "same")
        rows.append(0.5 * row / np.abs(row).max())
    return rows


def peaks(record: NDArray[np.float64], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Peak displacements [m] by yield acceleration of a record in g."""
    return run_blocks(YIELDS, times, STANDARD_GRAVITY * record, one_way=True).peak[:, 0]


def peaks_by_pyslammer(record: NDArray[np.float64]) -> NDArray[np.float64]:
    from pyslammer import GroundMotion, RigidAnalysis

    motion = GroundMotion(record, STEP)
    return np.array([RigidAnalysis(level, motion).sliding_disp.max() for level in YIELDS])


def test_a_record_at_twenty_yield_accelerations(benchmark, capsys):
    times = STEP * np.arange(SAMPLES)
    rows = records()
    ours = [peaks(row, times) for row in rows]  # compiles, where nothing is kept yet
    fine = np.linspace(0.0, times[-1], 4 * (SAMPLES - 1) + 1)
    for row, exact in zip(rows, ours, strict=True):
        # The same straight lines, cut in four.
        assert peaks(np.interp(fine, times, row), fine) == pytest.approx(exact, rel=1e-9)

    theirs: list[Seconds] = []
    own: list[Seconds] = []
    is_there = importlib.util.find_spec("pyslammer") is not None

    def others() -> None:
        if is_there:
            theirs.append(clocked(lambda: [peaks_by_pyslammer(row) for row in rows]))

    benchmark.pedantic(
        lambda: own.append(clocked(lambda: [peaks(row, times) for row in rows])),
        setup=others,
        rounds=ROUNDS,
    )
    runs = RECORDS * len(YIELDS)
    figures = {"ours, CPU ms a run": 1e3 * median(own).processor / runs}
    if is_there:
        others_ms = 1e3 * median(theirs).processor / runs
        figures["pySLAMMER, CPU ms a run"] = others_ms
        figures["ratio"] = others_ms / figures["ours, CPU ms a run"]
        figures["pySLAMMER, largest difference"] = max(
            np.abs(peaks_by_pyslammer(row) - exact).max() / exact.max()
            for row, exact in zip(rows, ours, strict=True)
        )
    benchmark.extra_info.update(figures)
    with capsys.disabled():
        print("\nblocks: " + "; ".join(f"{name} {value:.3g}" for name, value in figures.items()))
