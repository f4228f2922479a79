"""Speed of sliding blocks: records × yield accelerations.

Twenty yield accelerations and records of 4000 samples, one-way, peak displacements. `make peers`
compares them with pySLAMMER.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

from wearmodel import run_blocks
from wearmodel.units import STANDARD_GRAVITY

from .block_records import RECORDS, SAMPLES, STEP, YIELDS, records
from .compiled_code import Seconds, clocked, median

ROUNDS = 5


def peaks(record: NDArray[np.float64], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the peak displacements [m] for each yield acceleration of a record in g."""
    return run_blocks(YIELDS, times, STANDARD_GRAVITY * record, one_way=True).peak[:, 0]


def test_a_record_at_twenty_yield_accelerations(benchmark, capsys):
    times = STEP * np.arange(SAMPLES)
    rows = records()
    ours = [peaks(row, times) for row in rows]  # compiles if the cache is empty
    fine = np.linspace(0.0, times[-1], 4 * (SAMPLES - 1) + 1)
    for row, exact in zip(rows, ours, strict=True):
        # Linear interpolation with four times as many samples must give the same result.
        assert peaks(np.interp(fine, times, row), fine) == pytest.approx(exact, rel=1e-9)

    own: list[Seconds] = []
    benchmark.pedantic(
        lambda: own.append(clocked(lambda: [peaks(row, times) for row in rows])), rounds=ROUNDS
    )
    per_run = 1e3 * median(own).processor / (RECORDS * len(YIELDS))
    benchmark.extra_info["CPU ms per run"] = per_run
    with capsys.disabled():
        print(f"\nblocks: {per_run:.3g} ms of CPU time per run")
