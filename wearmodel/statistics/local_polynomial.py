"""Polynomials through neighbouring samples on one side of a kink.

A contact force is smooth during contact and has a kink at its beginning and end. Therefore a
stencil contains samples of one contact run only. It is extrapolated to the crossing, at most one
step away. For a function of angular frequency ω, p samples with the step h give an error (ω h)^p
relative to its amplitude, of order p.

The degree is chosen for each polynomial. The terms of Newton's form decrease until the noise of the
record dominates, and the form is cut at its smallest terms. An exact record gives the full order,
and a noisy or coarse record gives a parabola.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .shock_record import BoolArray, FloatArray, IndexArray

STENCIL_SAMPLES = 10  #: p. With 100 samples per half sine (ω h)^p is 1e-15, similar to rounding.


@dataclass(frozen=True, eq=False)
class Stencils:
    """r stencils of up to p samples, each near one instant."""

    indices: IndexArray  #: Sample numbers, nearest first. Shape (r, p).
    #: False if the run does not have further samples. True entries come first. Shape (r, p).
    valid: BoolArray
    nodes: FloatArray  #: Instants (t − origin)/scale, of which the first is 0. Shape (r, p).
    #: The nearest sample's instant [s] and the local step [s]. Shape (r,).
    origin: FloatArray
    scale: FloatArray

    def polynomials(self, values: FloatArray, probe: FloatArray) -> FloatArray:
        """Return power-series coefficients of sampled values, shape (r, p), in (t − origin)/scale.

        The terms are compared at `probe`, (r,), in units of ``scale``, to choose the degree.
        """
        size = self.nodes.shape[1]
        newton = values[self.indices]
        for order in range(1, size):
            newton[:, order:] = (newton[:, order:] - newton[:, order - 1 : -1]) / (
                self.nodes[:, order:] - self.nodes[:, :-order]
            )
        newton = np.where(self.valid, newton, 0.0)
        products = np.cumprod(probe[:, np.newaxis] - self.nodes[:, :-1], axis=1)
        terms = np.abs(newton[:, 1:] * products)
        # Two neighbouring terms are added, because a single term can vanish by symmetry.
        pairs = np.where(self.valid[:, 2:], terms[:, :-1] + terms[:, 1:], np.inf)
        degree = np.where(self.valid[:, 2], np.argmin(pairs, axis=1) + 2, size)
        newton[np.arange(size) > degree[:, np.newaxis]] = 0.0
        powers = np.zeros_like(newton)
        for order in range(size - 1, -1, -1):
            node = self.nodes[:, order, np.newaxis]
            raised = -node * powers
            raised[:, 1:] += powers[:, :-1]
            raised[:, 0] += newton[:, order]
            powers = raised
        return powers


def edge_stencils(
    time: FloatArray, edge: IndexArray, length: IndexArray, *, direction: int
) -> Stencils:
    """Stencils that start at a run's first (direction +1) or last (−1) sample, into the run."""
    offsets = np.arange(STENCIL_SAMPLES)
    valid = offsets < length[:, np.newaxis]
    indices = np.where(valid, edge[:, np.newaxis] + direction * offsets, edge[:, np.newaxis])
    return _stencils(time, indices, valid)


def centred_stencils(
    time: FloatArray, centre: IndexArray, begin: IndexArray, end: IndexArray
) -> Stencils:
    """Stencils around ``centre`` within the runs [begin, end), nearest samples first."""
    half = STENCIL_SAMPLES // 2
    first = np.maximum(np.minimum(centre - half, end - STENCIL_SAMPLES), begin)
    indices = first[:, np.newaxis] + np.arange(STENCIL_SAMPLES)
    valid = indices < end[:, np.newaxis]
    distance = np.where(valid, np.abs(indices - centre[:, np.newaxis]), STENCIL_SAMPLES + 1)
    nearest = np.argsort(distance, axis=1, kind="stable")
    indices = np.take_along_axis(indices, nearest, axis=1)
    valid = np.take_along_axis(valid, nearest, axis=1)
    return _stencils(time, np.where(valid, indices, centre[:, np.newaxis]), valid)


def _stencils(time: FloatArray, indices: IndexArray, valid: BoolArray) -> Stencils:
    nearest = indices[:, 0]
    origin = time[nearest]
    neighbour = np.where(valid[:, 1], indices[:, 1], np.where(nearest > 0, nearest - 1, 1))
    scale = np.abs(time[neighbour] - origin)
    nodes = (time[indices] - origin[:, np.newaxis]) / scale[:, np.newaxis]
    # Entries without a sample get far, distinct nodes, whose coefficients are set to zero.
    far = 1e3 + np.arange(indices.shape[1])
    return Stencils(indices, valid, np.where(valid, nodes, far), origin, scale)


def value(polynomials: FloatArray, at: FloatArray) -> FloatArray:
    """Evaluate each row's polynomial at its own abscissa, shape (r,)."""
    result = polynomials[:, -1]
    for order in range(polynomials.shape[1] - 2, -1, -1):
        result = result * at + polynomials[:, order]
    return result


def derivative(polynomials: FloatArray) -> FloatArray:
    """Coefficients of the derivatives, shape (r, p − 1)."""
    return polynomials[:, 1:] * np.arange(1, polynomials.shape[1])


def integral_from_origin(polynomials: FloatArray, to: FloatArray) -> FloatArray:
    """Integrate each row's polynomial from 0 to its own abscissa, shape (r,)."""
    return value(polynomials / np.arange(1, polynomials.shape[1] + 1), to) * to


def roots(
    polynomials: FloatArray, left: FloatArray, right: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Return the roots (r,) of polynomials between two abscissae by Newton's method with bisection.

    If a polynomial does not change its sign, the second result is False and the root undefined.
    """
    abscissa = 0.5 * (left + right)
    negative_left = value(polynomials, left) <= 0.0
    has_root = negative_left != (value(polynomials, right) <= 0.0)
    rows = polynomials[has_root]
    slopes = derivative(rows)
    low, high, at = left[has_root], right[has_root], abscissa[has_root]
    low_is_negative = negative_left[has_root]
    # Bisection alone needs 52 steps. Newton's method needs about five.
    for _ in range(60):
        height = value(rows, at)
        on_low_side = (height <= 0.0) == low_is_negative
        low, high = np.where(on_low_side, at, low), np.where(on_low_side, high, at)
        slope = value(slopes, at)
        step = np.divide(height, slope, out=np.full_like(height, np.inf), where=slope != 0.0)
        inside = (at - step >= np.minimum(low, high)) & (at - step <= np.maximum(low, high))
        moved = np.where(inside, at - step, 0.5 * (low + high))
        converged = np.all(np.abs(moved - at) <= 1e-15)
        at = moved
        if converged:
            break
    abscissa[has_root] = at
    return abscissa, has_root
