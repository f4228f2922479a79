"""Blocks of equal sample count, and the sums over each that the means of USURE need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from .record import FloatArray
from .stretches import Stretch


@dataclass(frozen=True)
class BlockPart:
    """The part of a stretch's core that lies in one block.

    Parameters
    ----------
    block : int
        Number of the block, from 0.
    samples : slice
        Core samples, counted from the core's first.
    begins, ends : bool
        Whether the block's first and last sample are among them: the interval between two blocks
        is not integrated.
    """

    block: int
    samples: slice
    begins: bool
    ends: bool


@dataclass(frozen=True)
class BlockLayout:
    """The window's samples split into runs of equal sample count, the remainder dropped.

    Parameters
    ----------
    block_count : int
        NB_BLOC ≥ 1.
    sample_count : int, optional
        Samples in the window; needed for more than one block.

    Raises
    ------
    ValueError
        When it is needed and missing, or a block would hold fewer than two samples.
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

    def parts(self, stretch: Stretch) -> Iterator[BlockPart]:
        """Split a stretch's core at the blocks' borders."""
        core_size = stretch.core_end - stretch.core_begin
        if self.block_count == 1 or self.sample_count is None:
            yield BlockPart(0, slice(0, core_size), stretch.number == 0, stretch.is_last)
            return
        size = self.sample_count // self.block_count
        position = stretch.number
        stop = min(stretch.number + core_size, size * self.block_count)
        while position < stop:
            block = position // size
            end = min(stop, (block + 1) * size)
            yield BlockPart(
                block,
                slice(position - stretch.number, end - stretch.number),
                position == block * size,
                end == (block + 1) * size,
            )
            position = end


@dataclass(eq=False)
class BlockSums:
    """Sums over one block: the rows are the quantities, the columns the measures of ``usure``.

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
    duration: float = field(default=0.0)

    @classmethod
    def empty(cls, quantities: int, measures: int) -> BlockSums:
        """Sums over nothing."""
        return cls(
            np.zeros((quantities, measures)),
            np.zeros((quantities, measures)),
            np.zeros(measures),
            np.full(quantities, np.inf),
            np.full(quantities, -np.inf),
        )
