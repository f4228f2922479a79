"""Blocks of equal sample count, and the sums over each that the means of USURE need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .portions import Portion
from .shock_record import FloatArray

# So few that a dozen columns stay in the second-level cache while they are summed.
CACHED_SAMPLES = 8192


@dataclass(frozen=True)
class BlockPart:
    """Samples of a portion's core that lie in one block.

    Parameters
    ----------
    block : int
        Number of the block, from 0.
    start, stop : int
        Sample numbers [start, stop) in the portion.
    begins, ends : bool
        Whether the block's first and last sample are among them: the interval between two blocks
        is not integrated.
    """

    block: int
    start: int
    stop: int
    begins: bool
    ends: bool

    def half_steps(self, time: FloatArray) -> FloatArray:
        """Halves of the steps before and after each sample [s], 0 at the block's ends.

        Shape (stop − start + 1,): sample i is between entries i and i + 1.
        """
        half = np.zeros(self.stop - self.start + 1)
        low, high = int(self.begins), half.size - int(self.ends)
        first = self.start - 1 + low
        half[low:high] = 0.5 * np.diff(time[first : first + high - low + 1])
        return half


@dataclass(frozen=True)
class BlockLayout:
    """The window's samples split into runs of equal sample count, the remainder dropped.

    Parameters
    ----------
    block_count : int
        NB_BLOC ≥ 1.
    sample_count : int, optional
        Samples in the window. Required for more than one block.

    Raises
    ------
    ValueError
        If `sample_count` is required and missing, or a block has fewer than two samples.
    """

    block_count: int
    sample_count: int | None

    def __post_init__(self) -> None:
        if self.block_count == 1:
            return
        if self.sample_count is None:
            raise ValueError(
                f"block_count={self.block_count} needs sample_count, the window's number of"
                " samples, because blocks have equal sample counts"
            )
        if self.sample_count < 2 * self.block_count:
            raise ValueError(
                f"block_count={self.block_count} must be ≤ half the window's"
                f" {self.sample_count} samples"
            )

    def parts(self, portion: Portion) -> Iterator[BlockPart]:
        """Split a portion's core at the blocks' borders and into cached pieces."""
        first = portion.number - portion.core_begin
        position = portion.number
        stop = first + portion.core_end
        size: int | None = None
        if self.sample_count is not None:
            size = self.sample_count // self.block_count
            stop = min(stop, size * self.block_count)
        while position < stop:
            end = min(stop, position + CACHED_SAMPLES)
            if size is None:
                begins, ends, block = position == 0, portion.is_last and end == stop, 0
            else:
                block = position // size
                end = min(end, (block + 1) * size)
                begins, ends = position == block * size, end == (block + 1) * size
            yield BlockPart(block, position - first, end - first, begins, ends)
            position = end


@dataclass(eq=False)
class BlockSums:
    """Sums over one block: the rows are the quantities, the columns the measures of ``usure_sums``.

    Parameters
    ----------
    sums, square_sums : array (quantities, measures)
        Σ w x and Σ w x² under each measure w.
    measures : array (measures,)
        Σ w, by which the sums are divided.
    smallest, largest : array (quantities,)
        Extreme samples.
    wear_work : float
        ∫F|V| dt [J].
    duration : float
        Time integrated over [s].
    """

    sums: FloatArray
    square_sums: FloatArray
    measures: FloatArray
    smallest: FloatArray
    largest: FloatArray
    wear_work: float = 0.0
    duration: float = 0.0

    @classmethod
    def empty(cls, quantities: int, measures: int) -> BlockSums:
        """Sums over no samples."""
        return cls(
            np.zeros((quantities, measures)),
            np.zeros((quantities, measures)),
            np.zeros(measures),
            np.full(quantities, np.inf),
            np.full(quantities, -np.inf),
        )
