"""Curves of a picture, and histories thinned to the resolution of a screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wearmodel.arrays import Floats

# Enough for the width of a screen.
MOST_SAMPLES = 1000


@dataclass(frozen=True)
class Curve:
    """A line, or points, in a panel."""

    # Name in the legend and at the pointer.
    name: str
    # Coordinates. NaN interrupts a line. Shape (n,).
    x: NDArray[Any]
    y: NDArray[Any]
    # Name in `palette.COLOURS`. The default depends on the index.
    colour: str | None = None
    # {"solid", "dash", "dot", "points", "marked", "band"}: a line, points only, or a line with its
    # points. A band is a dotted line, with a shaded area between it and the previous curve.
    style: str = "solid"
    # Text of each point at the pointer.
    labels: tuple[str, ...] = ()
    # Width of the line, px.
    width: float = 1.7


def reduced(x: Floats, y: Floats, most: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Thin a history to about `most` samples, including its ends and extremes.

    The smallest and the largest sample of each block are kept. Single precision is sufficient for a
    picture.
    """
    count = len(y)
    if count > most:
        size = -(-count // (most // 2))
        whole = count - count % size
        starts = np.arange(0, whole, size)
        blocks = y[:whole].reshape(-1, size)
        kept = np.unique(
            np.concatenate(
                [
                    [0, count - 1],
                    starts + blocks.argmin(axis=1),
                    starts + blocks.argmax(axis=1),
                    np.arange(whole, count),
                ]
            )
        )
        x, y = x[kept], y[kept]
    return x.astype(np.float32), y.astype(np.float32)
