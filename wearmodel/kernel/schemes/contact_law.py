"""Penalised contact with the stateful friction law of the transient modal operator.

Models one contact in one tangential direction: a normal spring and damper without tension, and a
friction force that sticks on a spring and damper about an anchor or opposes the *velocity* (there
is no radial return). The law remembers: every evaluation may change its state, the stages of a
Runge-Kutta step included, and only a rejected step gives the old state back. With a normal force
that varies it has no good limit as the time step goes to 0; the FMU uses another law.

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

from .records import FrictionMemory, PenalisedContact

SLIP_VELOCITY_THRESHOLD = 1e-6
"""Speed above which a slipping contact goes on slipping [m/s]; the operator's number."""

MACHINE_EPSILON = 2.220446049250313e-16
"""Speed [m/s] up to which slip has no direction; an embedded pair scales errors with it too."""


def penalised_normal_force(p: PenalisedContact, gap: float, gap_velocity: float) -> float:
    """Return F_N = max(0, −K_N d − C_N v_n) [N] where d ≤ 0, and 0 where d > 0.

    Parameters
    ----------
    p
        Of the contact.
    gap
        Distance d to the obstacle [m], negative in contact.
    gap_velocity
        Its rate v_n [m/s], negative when approaching.
    """
    if gap > 0.0:
        return 0.0
    return max(0.0, -p.contact_stiffness * gap - p.contact_damping * gap_velocity)


def velocity_direction_friction(
    p: PenalisedContact,
    memory: FrictionMemory,
    normal_force: float,
    displacement: float,
    velocity: float,
) -> float:
    """Return the friction force on the mass [N], and give the law its new state.

    1. Where v v* ≥ 0, s = 0 and |v| > 1e-6 m/s, slip: f = −μ_d F_N v/|v|; f* = f, x* = x.
    2. Otherwise try stick: f = f* − K_T (x − x*) − C_T v, s = 1. Where |f| > μ_s F_N it slips
       after all: s = 0, f = −μ_d F_N v/|v| (0 where |v| is below machine epsilon), f* = f, x* = x.
    3. v* = v. Out of contact (F_N = 0) the force and f*, v*, s are 0 and x* = x.

    Parameters
    ----------
    p
        Of the contact.
    memory
        State left by the previous evaluation.
    normal_force
        F_N ≥ 0 [N].
    displacement, velocity
        Tangential displacement x [m] and velocity v [m/s] of the mass against the obstacle.
    """
    if normal_force <= 0.0:
        memory.sticking = 0.0
        memory.anchor_force = 0.0
        memory.anchor_displacement = displacement
        memory.previous_velocity = 0.0
        return 0.0
    slides_on = (
        velocity * memory.previous_velocity >= 0.0
        and memory.sticking == 0.0
        and abs(velocity) > SLIP_VELOCITY_THRESHOLD
    )
    memory.previous_velocity = velocity
    if not slides_on:
        stick_force = (
            memory.anchor_force
            - p.tangential_stiffness * (displacement - memory.anchor_displacement)
            - p.tangential_damping * velocity
        )
        if abs(stick_force) <= p.friction_coefficient_static * normal_force:
            memory.sticking = 1.0
            return stick_force
    slip_force = 0.0
    if velocity > MACHINE_EPSILON:
        slip_force = -p.friction_coefficient * normal_force
    elif velocity < -MACHINE_EPSILON:
        slip_force = p.friction_coefficient * normal_force
    memory.sticking = 0.0
    memory.anchor_force = slip_force
    memory.anchor_displacement = displacement
    return slip_force
