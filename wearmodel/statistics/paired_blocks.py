"""Error bars of sums of mean rates from runs that share their time and their noise.

The errors of such rates may be equal, independent or anything between. Therefore each run is
divided into the same blocks of time. The error of a sum Σ w_i r_i is computed from its own blocks,

    y_b = Σ_i w_i e_ib,    variance Σ_b y_b²

where e_ib is the contribution of block b to the error of rate i. Dependence between the runs is
contained in y_b, so that no assumption about it is needed. The half width uses Student's
distribution with the degrees of freedom of Satterthwaite, 3 (Σ y²)²/Σ y⁴ − 2. If pairs of blocks
give a wider interval, because neighbouring blocks are correlated, this interval is used.

A run may be 2, 4, 8, … times as long as the first. The first run has 20 blocks, and each doubling
adds 10, so that shorter runs share all their blocks with longer ones.

Source: G. Fishman, "Discrete-Event Simulation", Springer 2001, ch. 6 (batch means);
F. Satterthwaite, Biometrics Bulletin 2 (1946) 110 (degrees of freedom).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from wearmodel.arrays import Floats

BLOCKS = 20
_BLOCKS_OF_A_DOUBLING = BLOCKS // 2


def block_errors(times: Floats, totals: Floats, start: float, first: float) -> Floats:
    """Return the contribution e_b (b,) of each block to the error of the mean rate of a run.

    `totals` (m,) is the accumulated quantity at increasing `times` (m,) [s]. The run is excluded as
    transient before `start` [s]. All runs share the blocks of the `first` run's duration [s]. The
    contributions have the unit of `totals` per second. Their squares add up to the variance of the
    mean if blocks are independent.
    """
    end = float(times[-1])
    inside = np.clip(block_borders(float(times[0]), end, first), start, end)
    shares = np.diff(inside) / (end - start)
    increments = np.diff(np.interp(inside, times, totals)) / (end - start)
    errors = increments - shares * np.sum(increments)
    # Deviations from the mean of the same run are too small by this factor.
    unbiased: Floats = errors / math.sqrt(1.0 - float(np.sum(shares * shares)))
    return unbiased


def block_borders(begin: float, end: float, first: float) -> list[float]:
    """Return the borders [s] of the blocks of a run. The first run has the duration `first`."""
    borders = [begin + first * number / BLOCKS for number in range(BLOCKS + 1)]
    # Rounding must not add a doubling.
    while borders[-1] < end - 1e-6 * first:
        step = (borders[-1] - begin) / _BLOCKS_OF_A_DOUBLING
        borders += [borders[-1] + step * number for number in range(1, _BLOCKS_OF_A_DOUBLING + 1)]
    return borders


def added(errors: Iterable[Floats]) -> Floats:
    """Return the sum of block errors (b, …) of runs that may have different numbers of blocks."""
    rows = list(errors)
    shape = rows[0].shape[1:]
    total = np.zeros((max(row.shape[0] for row in rows), *shape))
    for row in rows:
        total[: row.shape[0]] += row
    return total


def half_widths(errors: Floats) -> Floats:
    """Return the half widths (n,) of 95 % intervals from block errors (b, n)."""
    count = errors.shape[0] // 2 * 2
    pairs = errors[0:count:2] + errors[1:count:2]
    return np.maximum(_of_independent(errors), _of_independent(pairs))


def standard_errors(errors: Floats) -> Floats:
    """Return the standard errors (n,) from block errors (b, n)."""
    roots: Floats = np.sqrt(np.sum(errors * errors, axis=0))
    return roots


def _of_independent(errors: Floats) -> Floats:
    from scipy.special import stdtrit  # the import takes a third of a second

    # Scaled, so that fourth powers do not underflow.
    largest = np.max(np.abs(errors), axis=0, initial=0.0)
    scaled = np.divide(errors, largest, out=np.zeros_like(errors), where=largest > 0.0) ** 2
    sums, squares = scaled.sum(axis=0), (scaled * scaled).sum(axis=0)
    freedom = 3.0 * sums * sums / np.maximum(squares, 1e-300) - 2.0
    widths: Floats = stdtrit(np.maximum(freedom, 1.0), 0.975) * standard_errors(errors)
    return widths
