"""Rubbing shoe: a mass moved only by friction on a support with a sine acceleration.

Support acceleration A(t) = a0 sin ωt, velocity V(t) = −(a0/ω) cos ωt, displacement
X(t) = −(a0/ω²) sin ωt. The mass starts at t = 0 with the velocity of the support and without
relative displacement. The normal force is constant, m g. In the fixed frame

    stick  v = V as long as |A| ≤ μ g
    slip   v′ = ±μ g, with the sign of V − v, until v = V. Then stick if |A| ≤ μ g,
           otherwise slip in the other direction

With η = μ g/a0 and η* = 2/√(π² + 4): no slip if η ≥ 1, stick-slip if η* < η < 1, slip-slip if
η ≤ η*. Slip velocities are mass minus support. The pictures of SDND104 show the velocity of the
mass as a polyline through its reversals.

Inputs are exact binary numbers. 1 − η and the phases ωt are computed by rational arithmetic and
rounded once. Therefore η near 1 and late times do not reduce the accuracy.

Not included: springs, loads, a static coefficient above the dynamic coefficient, a mass that slips
at the start, an initial phase of the sine.
Source: SDND104 (V5.01.104), section 2. It is contradictory in two places: wear power is
F_N |v_slip| without μ, as in its formulas and results, and η = η* belongs to slip-slip, as in its
summary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from wearmodel.arrays import Floats

from ...quantities import require_positive
from .slips import (
    ETA_STAR,
    Slip,
    SlipSequence,
    onset_slip,
    quarter_phase,
    reversing_slips,
    slip_direction,
    steady_reversal_slip,
)

#: Unit of each parameter of `RubbingShoe`.
PARAMETER_UNITS = {
    "mass": "kg",
    "gravity": "m/s2",
    "friction_coefficient": "1",
    "amplitude": "m/s2",
    "angular_frequency": "rad/s",
}


class Regime(Enum):
    """Regime of the steady motion."""

    STICK = "stick"
    STICK_SLIP = "stick-slip"
    SLIP_SLIP = "slip-slip"


@dataclass(frozen=True)
class RubbingShoe:
    """Mass on a support with a sine acceleration, see the module for the equations.

    The defaults are those of SDND104 at its largest amplitude, as in the models. The other cases of
    SDND104 differ only in the amplitude.

    Raises
    ------
    ValueError
        A parameter is not positive and finite.
    """

    mass: float = 1.0  #: m [kg], > 0.
    gravity: float = 10.0  #: g [m/s2], > 0.
    friction_coefficient: float = 0.1  #: μ [1], > 0, static and dynamic.
    amplitude: float = 15.0  #: a0 [m/s2], > 0, largest acceleration of the support.
    angular_frequency: float = 2.0 * math.pi  #: ω [rad/s], > 0.

    def __post_init__(self) -> None:
        for field in fields(self):
            require_positive(field.name, getattr(self, field.name), PARAMETER_UNITS[field.name])

    @cached_property
    def _exact_eta(self) -> Fraction:
        friction_limit = Fraction(self.friction_coefficient) * Fraction(self.gravity)
        return friction_limit / Fraction(self.amplitude)

    @cached_property
    def eta(self) -> float:
        """η = μ g/a0 [1]: friction limit divided by the largest force required for stick."""
        return float(self._exact_eta)

    @cached_property
    def regime(self) -> Regime:
        """Stick for η ≥ 1, slip-slip for η ≤ η*, stick-slip between.

        Uses η and η* rounded to double precision.
        """
        if self.eta >= 1.0:
            return Regime.STICK
        return Regime.SLIP_SLIP if self.eta <= ETA_STAR else Regime.STICK_SLIP

    @cached_property
    def _onset_slip(self) -> Slip:
        return onset_slip(self.eta, float(1 - self._exact_eta))

    @property
    def normal_force(self) -> float:
        """F_N = m g [N]."""
        return self.mass * self.gravity

    @property
    def first_onset(self) -> float:
        """t1 = arcsin(η)/ω [s], time of the first slip. Infinite if the mass never slips."""
        if self.regime is Regime.STICK:
            return math.inf
        return self._onset_slip.start_phase / self.angular_frequency

    @property
    def steady_reversal_time(self) -> float:
        """θ = arccos(π η/2)/ω [s]: the reversals of slip-slip tend to θ + n π/ω.

        ValueError if the regime is not slip-slip.
        """
        if self.regime is not Regime.SLIP_SLIP:
            raise ValueError(f"eta={self.eta} must be ≤ {ETA_STAR}: only slip-slip has reversals")
        return steady_reversal_slip(self.eta).start_phase / self.angular_frequency

    @property
    def half_period_wear_work(self) -> float:
        """Wear work of one half period of the steady motion [J]; SDND104, section 2.

        Stick-slip, from the first slip on, where t2 is the end of the slip that starts at t1:
        m g [(a0/ω)(t2 − t1) cos ωt1 − (a0/ω²)(sin ωt2 − sin ωt1) − μ g (t2 − t1)²/2].
        Slip-slip, in the limit: m g (a0/ω²) √(4 − π² η²). (The document calls this the energy of
        a period, but its mean power uses it as the energy of a half period.) Stick: 0.
        """
        if self.regime is Regime.STICK:
            return 0.0
        if self.regime is Regime.STICK_SLIP:
            return self._wear_work_scale * self._onset_slip.distance
        return self._wear_work_scale * steady_reversal_slip(self.eta).distance

    @property
    def steady_wear_power(self) -> float:
        """Mean wear power of the steady motion [W]: `half_period_wear_work` × ω/π.

        In slip-slip m g a0 √(4 − π² η²)/(π ω), the limit of the mean power.
        """
        return self.half_period_wear_work * self.angular_frequency / math.pi

    @property
    def _wear_work_scale(self) -> float:
        return self.normal_force * self.amplitude / self.angular_frequency**2

    def wear_work(self, start: float, stop: float) -> float:
        """Return ∫ F_N |v_slip| dt [J] over any window.

        The relative error is 1e-12 if the window contains a significant part of a slip. If it
        contains only the end of a slip, the error is 1e-12 of the wear work of that slip.

        Parameters
        ----------
        start, stop : float
            Window [s], 0 ≤ start < stop.

        Raises
        ------
        ValueError
            0 ≤ start < stop is violated, or a value is not finite.
        """
        if not 0.0 <= start < stop < math.inf:
            raise ValueError(f"window=[{start}, {stop}] s must be finite with 0 ≤ start < stop")
        return self._wear_work_scale * self.slips(stop).distance(start, stop)

    def friction_work(self, start: float, stop: float) -> float:
        """Return ∫ |F_T v_slip| dt = μ × wear work [J], the heat.

        Window and errors as for `wear_work`.
        """
        return self.friction_coefficient * self.wear_work(start, stop)

    def mean_wear_power(self, start: float, stop: float) -> float:
        """Return the mean of F_N |v_slip| [W] over the window.

        Window and errors as for `wear_work`.
        """
        return self.wear_work(start, stop) / (stop - start)

    def slips(self, until: float) -> SlipSequence:
        """Return the dimensionless slips for times up to `until` [s]."""
        slips: list[Slip] = []
        if self.regime is Regime.STICK_SLIP:
            slips = [self._onset_slip]
        elif self.regime is Regime.SLIP_SLIP:
            quarters, _ = quarter_phase(self.angular_frequency, until)
            slips = reversing_slips(self._onset_slip, self.eta, quarters // 2 + 1)
        return SlipSequence(self.angular_frequency, tuple(slips))


@dataclass(frozen=True)
class Arc:
    """A time span without onset, arrest or reversal, from `start` to `stop` [s].

    `direction` is the sign of the slip velocity (mass minus support), 0 in stick. `start_velocity`
    is the velocity of the mass in the fixed frame at the start [m/s], equal to the support's.
    """

    direction: int
    start: float
    stop: float
    start_velocity: float


@dataclass(frozen=True)
class RubbingShoeHistory:
    """Motion of a rubbing shoe from t = 0 to `until` [s], > 0 and finite."""

    shoe: RubbingShoe
    until: float

    def __post_init__(self) -> None:
        require_positive("until", self.until, "s")

    @cached_property
    def _slips(self) -> SlipSequence:
        return self.shoe.slips(self.until)

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs in their order, from 0 to `until`.

        In slip-slip the first arc alone is stick.
        """
        speed = self.shoe.amplitude / self.shoe.angular_frequency
        starts = [(0, 0.0, -speed)]
        last, _ = self._slips.position(*quarter_phase(self.shoe.angular_frequency, self.until))
        for index in range(last + 1):
            slip = self._slips.slip(index)
            phase = index * math.pi + slip.start_phase
            direction = slip_direction(index)
            # V = −(a0/ω) cos ωt with ωt = n π + α; the sign of the slip carries (−1)ⁿ⁺¹.
            velocity = direction * speed * slip.cosine
            start = phase / self.shoe.angular_frequency
            starts.append((direction, start, velocity))
            if self.shoe.regime is Regime.STICK_SLIP:
                stop = (phase + slip.span) / self.shoe.angular_frequency
                starts.append((0, stop, direction * speed * slip.end_cosine))
        ends = [*(start for _, start, _ in starts[1:]), self.until]
        return tuple(
            Arc(direction, start, min(stop, self.until), velocity)
            for (direction, start, velocity), stop in zip(starts, ends, strict=True)
            if start < min(stop, self.until)
        )

    def _times(self, *, from_slip: bool, to_slip: bool) -> Floats:
        instants = [
            after.start
            for before, after in pairwise(self.arcs)
            if (before.direction != 0, after.direction != 0) == (from_slip, to_slip)
        ]
        return np.array(instants, dtype=np.float64)

    @property
    def onset_times(self) -> Floats:
        """Times [s] before `until` at which stick ends."""
        return self._times(from_slip=False, to_slip=True)

    @property
    def arrest_times(self) -> Floats:
        """Times [s] before `until` at which slip ends in stick."""
        return self._times(from_slip=True, to_slip=False)

    @property
    def reversal_times(self) -> Floats:
        """Times [s] before `until` at which slip changes its direction without stick."""
        return self._times(from_slip=True, to_slip=True)

    @property
    def velocity_vertices(self) -> tuple[Floats, Floats]:
        """Times [s] and velocities of the mass [m/s] at its onsets, arrests and reversals.

        In the fixed frame. In slip the velocity is the straight line between two vertices, in
        stick it is the support's: in slip-slip it is the broken line through them.
        """
        times = np.array([arc.start for arc in self.arcs[1:]], dtype=np.float64)
        velocities = np.array([arc.start_velocity for arc in self.arcs[1:]], dtype=np.float64)
        return times, velocities
