"""Records and yield accelerations of the benchmark of sliding blocks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SAMPLES, STEP = 4000, 0.01
RECORDS = 5
YIELDS = np.linspace(0.02, 0.4, 20)  # g


def records() -> list[NDArray[np.float64]]:
    """Return smoothed noise with a sin² envelope and a peak of 0.5 g."""
    generator = np.random.default_rng(11)
    times = STEP * np.arange(SAMPLES)
    swell = np.sin(np.pi * times / times[-1]) ** 2
    rows = []
    for _ in range(RECORDS):
        row = swell * np.convolve(generator.standard_normal(SAMPLES), np.full(5, 0.2), "same")
        rows.append(0.5 * row / np.abs(row).max())
    return rows
