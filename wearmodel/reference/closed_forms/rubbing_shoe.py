"""The rubbing shoe: a mass that friction alone drags along on a harmonically shaken support.

Support acceleration A(t) = a0 sin ωt, velocity V(t) = −(a0/ω) cos ωt, displacement
X(t) = −(a0/ω²) sin ωt. The mass starts at t = 0 with the support's velocity and no relative
displacement; the normal force is m g throughout. In the fixed frame

    stick  v = V as long as |A| ≤ μ g
    slip   v′ = ±μ g, the sign of V − v, until v = V again; then stick if |A| ≤ μ g there,
           otherwise slip the other way

With η = μ g/a0 and η* = 2/√(π² + 4): never slips where η ≥ 1, stick-slip where η* < η < 1,
slip-slip where η ≤ η*. Slip velocities are mass minus support.

Inputs are taken as the exact binary numbers they are: 1 − η and the phases ωt come from rational
arithmetic and are rounded once, so that neither η near 1 nor a late instant costs accuracy.

Does not model: springs, loads, a static coefficient above the dynamic one, a mass that slips at
the start, an initial phase of the shaking.
Source: SDND104 (V5.01.104), section 2. Where it contradicts itself: wear power is F_N |v_slip|
without μ, as in its formulas and results; η = η* belongs to slip-slip, as in its summary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from functools import cached_property

from ...quantities import require_positive
from .arcs import ETA_STAR
from .rubbing_shoe_sequence import SlipSequence, quarter_phase
from .rubbing_shoe_slips import Slip, onset_slip, reversing_slips, steady_reversal_slip

PARAMETER_UNITS = {
    "mass": "kg",
    "gravity": "m/s2",
    "friction_coefficient": "1",
    "amplitude": "m/s2",
    "angular_frequency": "rad/s",
}
"""Unit of each parameter of `RubbingShoe`."""


def check_window(start: float, stop: float) -> None:
    """Raise ValueError unless 0 ≤ start < stop [s], both finite."""
    if not 0.0 <= start < stop < math.inf:
        raise ValueError(f"window=[{start}, {stop}] s must have 0 ≤ start < stop, finite")


class Regime(Enum):
    """What the motion settles to."""

    STICK = "stick"
    STICK_SLIP = "stick-slip"
    SLIP_SLIP = "slip-slip"


@dataclass(frozen=True)
class RubbingShoe:
    """A mass rubbing on a harmonically shaken support; see the module for the equations.

    The defaults are those of SDND104 at its largest amplitude, as for the model of the shock and
    the motion of its base; its other shoes differ in the amplitude alone.

    Parameters
    ----------
    mass : float
        m [kg], > 0.
    gravity : float
        g [m/s2], > 0.
    friction_coefficient : float
        μ [1], > 0, static and dynamic.
    amplitude : float
        a0 [m/s2], > 0: largest acceleration of the support.
    angular_frequency : float
        ω [rad/s], > 0.

    Raises
    ------
    ValueError
        If a parameter is not positive and finite.
    """

    mass: float = 1.0
    gravity: float = 10.0
    friction_coefficient: float = 0.1
    amplitude: float = 15.0
    angular_frequency: float = 2.0 * math.pi

    def __post_init__(self) -> None:
        for field in fields(self):
            require_positive(field.name, getattr(self, field.name), PARAMETER_UNITS[field.name])

    @cached_property
    def _exact_eta(self) -> Fraction:
        friction_limit = Fraction(self.friction_coefficient) * Fraction(self.gravity)
        return friction_limit / Fraction(self.amplitude)

    @cached_property
    def eta(self) -> float:
        """η = μ g/a0 [1]: the friction limit over the largest force that stick would need."""
        return float(self._exact_eta)

    @cached_property
    def regime(self) -> Regime:
        """Stick for η ≥ 1, slip-slip for η ≤ η*, stick-slip between.

        Decided on η and η* as rounded to double precision.
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
        """t1 = arcsin(η)/ω [s], the instant of the first slip; infinite if there is none."""
        if self.regime is Regime.STICK:
            return math.inf
        return self._onset_slip.start_phase / self.angular_frequency

    @property
    def steady_reversal_time(self) -> float:
        """θ = arccos(π η/2)/ω [s]: the reversals of slip-slip tend to θ + n π/ω.

        Raises
        ------
        ValueError
            If the regime is not slip-slip.
        """
        if self.regime is not Regime.SLIP_SLIP:
            raise ValueError(f"eta={self.eta} must be ≤ {ETA_STAR}: only slip-slip has reversals")
        return steady_reversal_slip(self.eta).start_phase / self.angular_frequency

    @property
    def half_period_wear_work(self) -> float:
        """Wear work of one half period of the steady motion [J]; SDND104, section 2.

        Stick-slip, from the first slip on, with t2 the end of the slip that starts at t1:
        m g [(a0/ω)(t2 − t1) cos ωt1 − (a0/ω²)(sin ωt2 − sin ωt1) − μ g (t2 − t1)²/2].
        Slip-slip, in the limit: m g (a0/ω²) √(4 − π² η²). (The document calls this the energy of
        a period, but its own mean power takes it as that of a half period.) Stick: 0.
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
        """Return ∫ F_N |v_slip| dt [J] over any window, exactly.

        To 1e-12 relative, where the window holds a noticeable part of a slip; where it only
        touches the end of one, to 1e-12 of that slip's own wear work.

        Parameters
        ----------
        start, stop : float
            Window [s], 0 ≤ start < stop.

        Raises
        ------
        ValueError
            Unless 0 ≤ start < stop, both finite.
        """
        check_window(start, stop)
        return self._wear_work_scale * self.slips(stop).distance(start, stop)

    def friction_work(self, start: float, stop: float) -> float:
        """Return ∫ |F_T v_slip| dt = μ × wear work [J], the heat.

        Window and errors are those of `wear_work`.
        """
        return self.friction_coefficient * self.wear_work(start, stop)

    def mean_wear_power(self, start: float, stop: float) -> float:
        """Return the mean of F_N |v_slip| [W] over the window.

        Window and errors are those of `wear_work`.
        """
        return self.wear_work(start, stop) / (stop - start)

    def mean_friction_power(self, start: float, stop: float) -> float:
        """Return the mean of |F_T v_slip| [W] over the window.

        Window and errors are those of `wear_work`.
        """
        return self.friction_work(start, stop) / (stop - start)

    def slips(self, until: float) -> SlipSequence:
        """Return the slips, without dimensions, good for instants up to `until` [s]."""
        slips: list[Slip] = []
        if self.regime is Regime.STICK_SLIP:
            slips = [self._onset_slip]
        elif self.regime is Regime.SLIP_SLIP:
            quarters, _ = quarter_phase(self.angular_frequency, until)
            slips = reversing_slips(self._onset_slip, self.eta, quarters // 2 + 1)
        return SlipSequence(self.angular_frequency, tuple(slips))
