"""Print the statistics of a long record that is read in chunks, and the peak memory.

This is a program because peak memory is measured per process. The record contains a pulse of 10 ms
every 97 ms, so that chunk borders occur at all positions within a pulse.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wearmodel.statistics import ShockRecord, StatisticsSettings, shock_statistics

STEP = 1e-4
SETTINGS = StatisticsSettings(window_end=1e9, rest_time=1e-3)


def samples(begin: int, end: int) -> ShockRecord:
    """Return the samples [begin, end) of the record."""
    time = np.arange(begin, end) * STEP
    phase = np.mod(time, 0.097)
    pulse = np.sin(np.pi * phase / 0.01)
    position = np.cos(0.37 * time)
    return ShockRecord(
        time=time,
        normal_force=np.where(phase < 0.01, 1000.0 * (1.0 + 0.3 * position) * pulse, 0.0),
        normal_velocity=-np.cos(np.pi * phase / 0.01),
        tangential_velocity_1=position,
        position_y=position,
        position_z=pulse,
    )


def chunks(sample_count: int, chunk_samples: int) -> Iterator[ShockRecord]:
    """Yield the record in successive chunks."""
    for begin in range(0, sample_count, chunk_samples):
        yield samples(begin, min(begin + chunk_samples, sample_count))


def main() -> None:
    """Print the peak memory in bytes and the results."""
    sample_count, chunk_samples = map(int, sys.argv[1:])
    statistics = shock_statistics(chunks(sample_count, chunk_samples), SETTINGS)
    # Linux counts this process only. getrusage includes the memory of its parent at the fork.
    status = Path("/proc/self/status").read_text()
    print(int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024)
    print(repr(statistics))


if __name__ == "__main__":
    main()
