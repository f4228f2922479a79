"""Penalised contact with the stateful friction law of the transient modal operator.

Models one contact in one tangential direction: a normal spring and damper without tension, and a
friction force that sticks on a spring and damper about an anchor or opposes the *velocity* (there
is no radial return). The law remembers: every evaluation may change its state, the stages of a
Runge-Kutta step included, and only a rejected step restores the old state. With a varying normal
force it has no good limit as the time step goes to 0. The FMU uses another law.

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

from collections.abc import Callable

from .shock_oscillator import ShockOscillator

SLIP_VELOCITY_THRESHOLD = 1e-6
"""Speed above which a slipping contact continues to slip [m/s], as in the operator."""

MACHINE_EPSILON = 2.220446049250313e-16
"""Speed [m/s] up to which slip has no direction, also used to scale errors of an embedded pair."""

FrictionMemory = tuple[bool, float, float, float]
"""State of the law between two evaluations.

s, True if the last evaluation found stick, f*, friction where stick began, or the last slip force
[N], x*, the tangential displacement there [m], and v*, the tangential velocity of the last
evaluation [m/s]."""

ContactForces = tuple[float, float, FrictionMemory]
"""F_N ≥ 0 [N], the friction force on the mass [N] and the new memory."""

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
