"""Closed form of a rigid block on a slope between samples, at 40 digits.

It is independent of the kernel and uses no series or search. Accelerations are linear between
samples, so a velocity is quadratic and its roots have a closed form. Slip starts at the root of a
linear function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mpmath

# After cancellation in the closed forms, thirty digits remain.
_DIGITS = 40


@dataclass(frozen=True)
class BlockMotion:
    """Largest |u|, final u, and sliding distance [m]."""

    peak: float
    residual: float
    slid: float


def exact_block(
    times: Sequence[float],
    drive: Sequence[float],
    pressing: Sequence[float],
    friction: float,
    *,
    one_way: bool = False,
) -> BlockMotion:
    """Return the displacements of a block that is initially at rest.

    Parameters
    ----------
    times : sequence of float
        Times of the samples, s.
    drive : sequence of float
        (−A_t + P_t/m) at these times, m/s2, positive downslope.
    pressing : sequence of float
        F_N/m at these times, m/s2, > 0.
    friction : float
        Coefficient of friction.
    one_way : bool
        Whether friction resists any upslope force.
    """
    with mpmath.workdps(_DIGITS):
        u = v = peak = slid = mpmath.mpf(0)
        sliding = 0
        mu = mpmath.mpf(friction)
        for row in range(len(times) - 1):
            h = mpmath.mpf(times[row + 1]) - mpmath.mpf(times[row])
            f0, f1 = mpmath.mpf(drive[row]), mpmath.mpf(drive[row + 1])
            n0, n1 = mpmath.mpf(pressing[row]), mpmath.mpf(pressing[row + 1])
            at = mpmath.mpf(0)
            while at < h:
                f, n = f0 + (f1 - f0) * at / h, n0 + (n1 - n0) * at / h
                if sliding == 0:
                    begins = []
                    for way in (1,) if one_way else (1, -1):
                        excess = way * f - mu * n
                        rate = (way * (f1 - f0) - mu * (n1 - n0)) / h
                        if excess > 0 or (excess == 0 and rate > 0):
                            begins.append((at, way))
                        elif rate > 0 and at - excess / rate < h:
                            begins.append((at - excess / rate, way))
                    if not begins:
                        break
                    at, sliding = min(begins)
                    continue
                a = f - sliding * mu * n
                b = ((f1 - f0) - sliding * mu * (n1 - n0)) / h
                rest = h - at
                stop = _first_root(sliding * v, sliding * a, sliding * b, rest)
                x = rest if stop is None else stop
                moved = x * (v + x * (a / 2 + x * b / 6))
                u += moved
                slid += abs(moved)
                v += x * (a + x * b / 2)
                at += x
                peak = max(peak, abs(u))
                if stop is not None:
                    v, sliding = mpmath.mpf(0), 0
                else:
                    at = h
        return BlockMotion(float(peak), float(u), float(slid))


def _first_root(v: mpmath.mpf, a: mpmath.mpf, b: mpmath.mpf, end: mpmath.mpf) -> mpmath.mpf | None:
    """Return the first x in (0, end) at which v + a x + b x²/2 decreases to 0, or None."""
    if v <= 0:  # slip has just begun
        roots = [-2 * a / b] if b != 0 else []
    elif b == 0:
        roots = [-v / a] if a < 0 else []
    else:
        inside = a * a - 2 * b * v
        if inside < 0:
            return None
        root = mpmath.sqrt(inside)
        # This form avoids cancellation.
        q = -(a + root) if a >= 0 else -(a - root)
        roots = [q / b] + ([2 * v / q] if q != 0 else [])
    later = [x for x in roots if 0 < x < end]
    return min(later) if later else None
