"""The share of the energy of a record at high frequencies, and the cost of its computation."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.signal import periodogram

from harness.records import Fineness


@pytest.mark.parametrize("count", [2, 3, 500, 501])
def test_the_energies_are_those_of_the_periodogram(count):
    rng = np.random.default_rng(count)
    times = np.linspace(1.0, 3.0, count)
    signal = rng.normal(size=count) + 5.0
    fineness = Fineness("acceleration")
    fineness.add(times, signal)
    frequencies, energies = periodogram(signal, (count - 1) / 2.0)
    assert fineness.half == pytest.approx(0.5 * frequencies[-1], rel=1e-15)
    # The error of both transforms grows with log n. Here it is a few roundings.
    assert fineness.whole == pytest.approx(energies.sum(), rel=1e-14)
    upper = energies[frequencies > 0.5 * frequencies[-1]].sum()
    assert fineness.upper == pytest.approx(upper, rel=1e-14)


def test_a_record_is_read_without_a_library_that_takes_a_second_to_load(tmp_path):
    record = tmp_path / "quake.csv"
    record.write_text("time,acc [m/s2]\n0.00,1.0\n0.01,2.0\n0.02,-1.0\n0.03,0.5\n")
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from harness.shaking import read_shaking\n"
        f"read_shaking(Path({str(record)!r}))\n"
        "print([name for name in sys.modules if name.startswith('scipy.')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
