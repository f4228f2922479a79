"""Oscillator with Coulomb friction under harmonic load, by closed forms between located events.

m ü + c u̇ + k u = L(t) − F sgn(u̇), L(t) = offset + amplitude sin(ω t + phase). Between events the
solution is a particular integral and a free vibration. A slip ends at a root of the velocity and
starts at a root of |L − k u| − F_s. The computation uses 30 digits and no code of the product.
"""

from __future__ import annotations

from dataclasses import dataclass

import mpmath as mp

mp.mp.dps = 30


@dataclass
class Oscillator:
    """An oscillator, its load, and its `friction` force in slip and `static` force in stick."""

    mass: float
    damping: float
    stiffness: float
    friction: float
    static: float
    amplitude: float = 0.0
    omega: float = 1.0
    phase: float = 0.0
    offset: float = 0.0

    def load(self, t):
        """Return the load at a time."""
        return self.offset + self.amplitude * mp.sin(self.omega * t + self.phase)

    def slip(self, t0, u0, v0, side):
        """Return displacement and velocity as functions of time, for a slip in this direction."""
        m, c, k = map(mp.mpf, (self.mass, self.damping, self.stiffness))
        w = mp.mpf(self.omega)
        transfer = 1 / (k - m * w * w + 1j * c * w)
        rest = (self.offset - side * self.friction) / k

        def forced(t, order):
            turned = self.amplitude * mp.expj(w * t + self.phase) * transfer
            return (turned * (1j * w) ** order).imag + (rest if order == 0 else 0)

        root = mp.sqrt(mp.mpc(c * c - 4 * k * m))
        one, other = (-c + root) / (2 * m), (-c - root) / (2 * m)
        du, dv = u0 - forced(t0, 0), v0 - forced(t0, 1)
        first = (dv - other * du) / (one - other)
        second = du - first

        def motion(t, order=0):
            free = first * one**order * mp.exp(one * (t - t0))
            free += second * other**order * mp.exp(other * (t - t0))
            return free.real + forced(t, order)

        return motion


def first_root(function, start, end, pieces):
    """Return the first change of sign after `start`, or None."""
    step = (end - start) / pieces
    before = start + step * mp.mpf("1e-9")
    low = function(before)
    for piece in range(1, pieces + 1):
        after = start + step * piece
        high = function(after)
        if low * high < 0:
            return mp.findroot(function, (before, after), solver="anderson", tol=mp.mpf("1e-50"))
        before, low = after, high
    return None


def integrate(oscillator, end, u=0.0, v=0.0, pieces_per_second=200, start=0.0):
    """Return u, v, the sliding distance and the number of slips at the end."""
    t, u, v, end = mp.mpf(start), mp.mpf(u), mp.mpf(v), mp.mpf(end)
    distance, slips = mp.mpf(0), 0
    side = mp.sign(v)
    while t < end:
        pieces = max(4, int(pieces_per_second * (end - t)))
        if side == 0:

            def excess(time, u=u):
                return abs(oscillator.load(time) - oscillator.stiffness * u) - oscillator.static

            begins = t if excess(t) > 0 else first_root(excess, t, end, pieces)
            if begins is None:
                break
            t = begins
            side = mp.sign(oscillator.load(t) - oscillator.stiffness * u)
        slips += 1
        motion = oscillator.slip(t, u, v, side)
        stops = first_root(lambda time, of=motion: of(time, 1), t, end, pieces) or end
        distance += abs(motion(stops) - u)
        t, u = stops, motion(stops)
        v = mp.mpf(0) if stops < end else motion(stops, 1)
        push = oscillator.load(t) - oscillator.stiffness * u
        side = mp.sign(push) if abs(push) > oscillator.static else mp.mpf(0)
    return u, v, distance, slips
