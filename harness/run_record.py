"""What a run leaves behind: the values of its variables at all communication points."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class RunRecord:
    """Histories of one run.

    Parameters
    ----------
    times : ndarray, shape (n + 1,)
        Communication points, s.
    values : dict of str to ndarray, shape (n + 1,)
        By the FMU's variable name and in its unit; integers, enumerations and booleans as floats.
    seconds : float
        Time that the n steps took, s; loading and initialisation not counted.
    messages : tuple of str
        What the FMU logged.
    """

    times: NDArray[np.float64]
    values: dict[str, NDArray[np.float64]]
    seconds: float
    messages: tuple[str, ...]

    @property
    def steps(self) -> int:
        """Number of communication steps."""
        return len(self.times) - 1

    def thinned(self, stride: int) -> dict[str, list[float]]:
        """Return every `stride`-th sample of each column by name, `time` first."""
        columns = {"time": self.times, **self.values}
        return {name: column[::stride].tolist() for name, column in columns.items()}


def write_csv(record: RunRecord, path: Path, *, stride: int) -> None:
    """Write every `stride`-th sample as CSV: a row of names with `time` first, then numbers.

    Numbers are written so that reading them gives the same double. Raises OSError if the file
    cannot be written.
    """
    columns = record.thinned(stride)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
