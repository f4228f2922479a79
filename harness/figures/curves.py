"""Curves of a picture, and histories thinned to what a screen can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Enough for a screen's width; the page of all cases must stay under 8 MB.
MOST_SAMPLES = 1000


@dataclass(frozen=True)
class Curve:
    """A line, or points, in a panel.

    Parameters
    ----------
    name : str
        In the legend and where a value is read.
    x, y : ndarray, shape (n,)
        What is drawn; NaN interrupts a line.
    colour : str, optional
        Name in `palette.COLOURS`; default by index.
    style : {"solid", "dash", "dot", "points", "marked", "band"}
        Line, points alone, or a line with its points; a band is a dotted line, shaded as far as the
        curve before.
    labels : tuple of str
        Text beside each point where it is read.
    width : float
        Of the line, px.
    """

    name: str
    x: NDArray[Any]
    y: NDArray[Any]
    colour: str | None = None
    style: str = "solid"
    labels: tuple[str, ...] = ()
    width: float = 1.7


def reduced(
    x: NDArray[np.float64], y: NDArray[np.float64], most: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Thin a history to at most about `most` samples, its ends and extremes kept.

    Of each block of samples the least and the largest stay. Single precision holds the seven
    digits that a picture is read to.
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
