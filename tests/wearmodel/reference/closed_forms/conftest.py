"""The rubbing shoe in 50-digit arithmetic, as a reference for the tests.

It solves the equations of motion in time and in the fixed frame, without the phases, regimes and
cancellation-free forms of the library. The end of each arc is a bracketed root. The forces at each
event determine slip or stick. Distances are plain differences of antiderivatives. The extra digits
compensate for cancellation.
"""

from dataclasses import dataclass

import pytest
from mpmath import mp, mpf

from wearmodel.reference.closed_forms import RubbingShoe

DIGITS = 50


@dataclass(frozen=True)
class ReferenceArc:
    """One arc: sign of the slip velocity (0 in stick), start, end and initial state."""

    direction: int
    start: mpf
    stop: mpf
    start_velocity: mpf
    start_displacement: mpf


class ReferenceShoe:
    """Solution from t = 0 to `until`, with the same binary parameters as in the library."""

    def __init__(self, shoe: RubbingShoe, until: float) -> None:
        with mp.workdps(DIGITS):
            self.normal_force = mpf(shoe.mass) * mpf(shoe.gravity)
            self.mass = mpf(shoe.mass)
            self.limit = mpf(shoe.friction_coefficient) * mpf(shoe.gravity)
            self.amplitude = mpf(shoe.amplitude)
            self.frequency = mpf(shoe.angular_frequency)
            self.arcs = self._arcs(mpf(until))

    def acceleration(self, time: mpf) -> mpf:
        return self.amplitude * mp.sin(self.frequency * time)

    def velocity(self, time: mpf) -> mpf:
        return -self.amplitude / self.frequency * mp.cos(self.frequency * time)

    def displacement(self, time: mpf) -> mpf:
        return -self.amplitude / self.frequency**2 * mp.sin(self.frequency * time)

    def _arcs(self, until: mpf) -> list[ReferenceArc]:
        if self.limit >= self.amplitude:
            return [ReferenceArc(0, mpf(0), until, self.velocity(mpf(0)), mpf(0))]
        onset = mp.asin(self.limit / self.amplitude) / self.frequency
        half = mp.pi / self.frequency
        arcs: list[ReferenceArc] = []
        start, displacement, direction = mpf(0), mpf(0), 0
        while start < until:
            velocity = self.velocity(start)
            if direction == 0:
                stop = onset + half * mp.ceil((start - onset) / half)
                following = -int(mp.sign(self.acceleration(stop)))
            else:
                # The slip speed decreases from the time at which the base acceleration returns
                # below the limit. A period later it would be negative.
                fall = half - onset if direction < 0 else 2 * half - onset
                fall += 2 * half * mp.ceil((start - fall) / (2 * half))
                stop = mp.findroot(
                    lambda t, v=velocity, t0=start, s=direction: (
                        v - s * self.limit * (t - t0) - self.velocity(t)
                    ),
                    (fall, fall + half + 2 * onset),
                    solver="bisect",
                    tol=mpf(10) ** (5 - DIGITS),
                    maxsteps=200,
                )
                needed = self.acceleration(stop)
                following = 0 if abs(needed) <= self.limit else -int(mp.sign(needed))
            arcs.append(ReferenceArc(direction, start, stop, velocity, displacement))
            displacement += self._relative(arcs[-1], stop)
            start, direction = stop, following
        return arcs

    def _relative(self, arc: ReferenceArc, time: mpf) -> mpf:
        """Return the relative displacement from the start of an arc to a time within it."""
        if arc.direction == 0:
            return mpf(0)
        elapsed = time - arc.start
        mass = arc.start_velocity * elapsed - arc.direction * self.limit * elapsed**2 / 2
        return mass - (self.displacement(time) - self.displacement(arc.start))

    def wear_work(self, start: float | mpf, stop: float | mpf) -> mpf:
        with mp.workdps(DIGITS):
            total = mpf(0)
            for arc in self.arcs:
                first, last = max(arc.start, mpf(start)), min(arc.stop, mpf(stop))
                if first < last:
                    total += abs(self._relative(arc, last) - self._relative(arc, first))
            return self.normal_force * total


@pytest.fixture(scope="session")
def reference_shoe() -> type[ReferenceShoe]:
    """Return the 50-digit reference: `reference_shoe(shoe, until)`."""
    return ReferenceShoe
