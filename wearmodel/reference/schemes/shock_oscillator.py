"""A mass with one degree of freedom and a penalised contact on a moving support, for the schemes.

    M ẍ = F(t, x, v) − K x − C v,    F = −M A(t) + n F_N + τ F_T

x is the mass's displacement along its direction of motion, relative to the support. τ and n are the
components of this direction along the obstacle and along its normal, so gap = initial_gap + n x and
friction depends on τ x: (1, 0) rubs under a constant normal force, (0, ±1) strikes a wall. A mass
with two degrees of freedom is modelled by the FMU only.

The contact is a normal spring and damper without tension, and a friction force that sticks on a
spring and damper about an anchor or opposes the *velocity* (there is no radial return). The law
remembers: every evaluation may change its state, the stages of a Runge-Kutta step included, and
only a rejected step restores the old state. With a varying normal force it has no good limit as the
time step goes to 0. The FMU uses another law.

SDND104 (V5.01.104), section 1.3, shakes its support with A(t) = a₀ sin ωt. The recorded runs read
that sine from a table of 240 000 intervals of 5e-5 s. The constant normal force m g comes from a
contact spring of 20 N/m with a constant penetration of 0.5 m. The weak spring of 3e-5 N/m belongs
to the finite-element model only.

Source: code_aster documentation of the transient operator on a modal basis, law DIS_CHOC, as
exercised by SDND104 (V5.01.104).

=====================  ======================================================
symbol                 identifier
=====================  ======================================================
F_N, d, v_n            normal_force, gap, gap_velocity
K_N, C_N, K_T, C_T     contact_stiffness, contact_damping,
                       tangential_stiffness, tangential_damping
μ_s, μ_d               friction_coefficient_static, friction_coefficient
s, f*, x*, v*          FrictionMemory: sticking, anchor_force,
                       anchor_displacement, previous_velocity
=====================  ======================================================
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ...quantities import require_finite, require_not_negative, require_positive

_UNITS = {
    "mass": "kg",
    "stiffness": "N/m",
    "damping": "N.s/m",
    "tangential_component": "1",
    "normal_component": "1",
    "initial_gap": "m",
    "contact_stiffness": "N/m",
    "contact_damping": "N.s/m",
    "friction_coefficient_static": "1",
    "friction_coefficient": "1",
    "tangential_stiffness": "N/m",
    "tangential_damping": "N.s/m",
    "initial_displacement": "m",
    "initial_velocity": "m/s",
}


class ShockOscillator(NamedTuple):
    """Parameters of the mass and its contact.

    A negative `friction_coefficient_static` means the dynamic one, as in the FMU. A negative
    `tangential_damping` means the critical value 2√(M(K + K_T)). `checked` replaces both.
    """

    mass: float = 1.0  #: M [kg], > 0.
    stiffness: float = 0.0  #: K of the spring to the support [N/m], ≥ 0.
    damping: float = 0.0  #: C of the damper to the support [N.s/m], ≥ 0.
    tangential_component: float = 1.0  #: τ, with τ² + n² = 1.
    normal_component: float = 0.0  #: n, positive away from the obstacle.
    initial_gap: float = 0.0  #: Gap at x = 0 [m], negative pressed in.
    contact_stiffness: float = 0.0  #: K_N [N/m], ≥ 0.
    contact_damping: float = 0.0  #: C_N [N.s/m], ≥ 0.
    friction_coefficient_static: float = -1.0  #: μ_s ≥ μ_d. Negative: the same as μ_d.
    friction_coefficient: float = 0.0  #: μ_d, ≥ 0.
    tangential_stiffness: float = 0.0  #: K_T [N/m], ≥ 0.
    tangential_damping: float = -1.0  #: C_T [N.s/m]. Negative: critical.
    initial_displacement: float = 0.0  #: x at t = 0 [m].
    initial_velocity: float = 0.0  #: v at t = 0 [m/s].

    def checked(self) -> ShockOscillator:
        """Return the same parameters as floats, with the values filled in that negative ones mean.

        ValueError if a parameter breaks the rule of its field.
        """
        values = self._asdict()
        for name, value in values.items():
            require_finite(name, value, _UNITS[name])
        require_positive("mass", self.mass, _UNITS["mass"])
        for name in (
            "stiffness",
            "damping",
            "contact_stiffness",
            "contact_damping",
            "friction_coefficient",
            "tangential_stiffness",
        ):
            require_not_negative(name, values[name], _UNITS[name])
        if self.friction_coefficient_static < 0.0:
            values["friction_coefficient_static"] = self.friction_coefficient
        elif self.friction_coefficient_static < self.friction_coefficient:
            raise ValueError(
                f"friction_coefficient_static={self.friction_coefficient_static} must be ≥ "
                f"friction_coefficient={self.friction_coefficient}, or negative to use the same "
                "value"
            )
        norm = math.hypot(self.tangential_component, self.normal_component)
        if abs(norm - 1.0) > 1e-12:  # a sine and a cosine are off by some 1e-16
            raise ValueError(
                f"tangential_component={self.tangential_component}, "
                f"normal_component={self.normal_component} must be a unit vector"
            )
        if self.tangential_damping < 0.0:
            stiffness = self.stiffness + self.tangential_stiffness
            values["tangential_damping"] = 2.0 * math.sqrt(self.mass * stiffness)
        return ShockOscillator(*(float(value) for value in values.values()))


#: Speed above which a slipping contact continues to slip [m/s], as in the operator.
SLIP_VELOCITY_THRESHOLD = 1e-6

#: Speed [m/s] up to which slip has no direction, also used to scale errors of an embedded pair.
MACHINE_EPSILON = 2.220446049250313e-16

FrictionMemory = tuple[bool, float, float, float]
"""State of the law between two evaluations.

s, True if the last evaluation found stick, f*, friction where stick began, or the last slip force
[N], x*, the tangential displacement there [m], and v*, the tangential velocity of the last
evaluation [m/s]."""

#: F_N ≥ 0 [N], the friction force on the mass [N] and the new memory.
ContactForces = tuple[float, float, FrictionMemory]

NO_MEMORY: FrictionMemory = (False, 0.0, 0.0, 0.0)


def contact_law(p: ShockOscillator) -> Callable[[float, float, FrictionMemory], ContactForces]:
    """Return the law as a function of the mass's x [m] and v [m/s] and of the law's memory.

    F_N = max(0, −K_N d − C_N v_n) if d ≤ 0, and 0 if d > 0. Along the obstacle, x and v being the
    tangential components there:

    1. If v v* ≥ 0, s = 0 and |v| > 1e-6 m/s, slip: f = −μ_d F_N v/|v|, f* = f, x* = x.
    2. Otherwise try stick: f = f* − K_T (x − x*) − C_T v, s = 1. If |f| > μ_s F_N, slip: s = 0,
       f = −μ_d F_N v/|v| (0 if |v| is below machine epsilon), f* = f, x* = x.
    3. v* = v. Out of contact (F_N = 0) the force and f*, v*, s are 0 and x* = x.

    The checked parameters are copied, because a run evaluates the law a million times.
    """
    normal, tangential, initial_gap = p.normal_component, p.tangential_component, p.initial_gap
    contact_stiffness, contact_damping = p.contact_stiffness, p.contact_damping
    tangential_stiffness, tangential_damping = p.tangential_stiffness, p.tangential_damping
    static, dynamic = p.friction_coefficient_static, p.friction_coefficient

    def forces(x: float, v: float, memory: FrictionMemory) -> ContactForces:
        gap = initial_gap + normal * x
        normal_force = -contact_stiffness * gap - contact_damping * (normal * v)
        x = tangential * x
        v = tangential * v
        if gap > 0.0 or not normal_force > 0.0:
            return 0.0, 0.0, (False, 0.0, x, 0.0)
        is_sticking, anchor_force, anchor, previous = memory
        slides_on = v * previous >= 0.0 and not is_sticking and abs(v) > SLIP_VELOCITY_THRESHOLD
        if not slides_on:
            force = anchor_force - tangential_stiffness * (x - anchor) - tangential_damping * v
            if abs(force) <= static * normal_force:
                return normal_force, force, (True, anchor_force, anchor, v)
        force = 0.0
        if v > MACHINE_EPSILON:
            force = -dynamic * normal_force
        elif v < -MACHINE_EPSILON:
            force = dynamic * normal_force
        return normal_force, force, (False, force, x, v)

    return forces


class Excitation(NamedTuple):
    """Base acceleration, see `sine_excitation` and `table_excitation`."""

    acceleration: Callable[[float], float]  #: A [m/s2] at t [s] in [0, span], to rounding.
    span: float  #: Last instant at which the excitation is known [s].


def sine_excitation(amplitude: float, angular_frequency: float) -> Excitation:
    """Return A(t) = amplitude·sin(angular_frequency·t). ValueError if a value is not finite."""
    require_finite("amplitude", amplitude, "m/s2")
    require_finite("angular_frequency", angular_frequency, "rad/s")
    return Excitation(lambda time: amplitude * math.sin(angular_frequency * time), math.inf)


def table_excitation(interval: float, values: Iterable[float]) -> Excitation:
    """Return A(t) interpolated linearly from samples at 0, interval, 2·interval, …

    ValueError if the interval is not positive, a sample is not finite, or fewer than two are given.
    """
    table = array("d", values)
    require_positive("interval", interval, "s")
    if len(table) < 2:
        raise ValueError(f"values: {len(table)} given, a table needs at least 2")
    for index, value in enumerate(table):
        if not math.isfinite(value):  # most tables are long: correct values are not named
            require_finite(f"values[{index}]", value, "m/s2")

    def straight_lines(time: float) -> float:
        # Rounding may move the last instant just past the table's end.
        place = min(int(time / interval), len(table) - 2)
        fraction = (time - place * interval) / interval
        return table[place] + (table[place + 1] - table[place]) * fraction

    return Excitation(straight_lines, (len(table) - 1) * interval)


def tabulated_sine(
    amplitude: float, angular_frequency: float, *, interval: float, intervals: int
) -> Excitation:
    """Return amplitude·sin(angular_frequency·t) as a table of `intervals` straight lines.

    Parameters and errors are those of `sine_excitation` and `table_excitation`.
    """
    return table_excitation(
        interval,
        (amplitude * math.sin(angular_frequency * (i * interval)) for i in range(intervals + 1)),
    )


ANGULAR_FREQUENCY = 2.0 * math.pi  #: ω of SDND104's support [rad/s]: a period of 1 s.


def sdnd104_shoe() -> ShockOscillator:
    """Return the rubbing shoe of SDND104 (V5.01.104), section 1, as it was recorded.

    m = 1 kg, μ = 0.1, F_N = 20 N/m × 0.5 m = m g = 10 N, K_T = 9e6 N/m (the document prints 9e5,
    the recorded errors match 9e6) and C_T = 2√(m(K_T + k)), which the document does not mention.
    """
    return ShockOscillator(
        mass=1.0,
        stiffness=3e-5,
        initial_gap=-0.5,
        contact_stiffness=20.0,
        friction_coefficient=0.1,
        tangential_stiffness=9e6,
    )


def sdnd104_excitation(amplitude: float, *, tabulated: bool) -> Excitation:
    """Return A(t) = amplitude·sin(2πt) on [0, 12] s, exact or from 240 000 intervals of 5e-5 s."""
    if tabulated:
        return tabulated_sine(amplitude, ANGULAR_FREQUENCY, interval=5e-5, intervals=240_000)
    return sine_excitation(amplitude, ANGULAR_FREQUENCY)
