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

import sys
from typing import NamedTuple

SLIP_VELOCITY_THRESHOLD = 1e-6
"""Speed above which a slipping contact goes on slipping [m/s]; the operator's number."""

MACHINE_EPSILON = sys.float_info.epsilon
"""Speed [m/s] up to which slip has no direction; `runge_kutta` scales errors with it too."""


class FrictionMemory(NamedTuple):
    """What the friction law keeps between two evaluations."""

    sticking: bool
    """s: whether the last evaluation found stick."""
    anchor_force: float
    """f*: friction force on the mass where stick began, or the last slip force [N]."""
    anchor_displacement: float
    """x*: tangential displacement there [m]."""
    previous_velocity: float
    """v*: tangential velocity at the last evaluation [m/s]."""


INITIAL_MEMORY = FrictionMemory(False, 0.0, 0.0, 0.0)


def penalised_normal_force(
    gap: float, gap_velocity: float, contact_stiffness: float, contact_damping: float
) -> float:
    """Return F_N = max(0, −K_N d − C_N v_n) [N] where d ≤ 0, and 0 where d > 0.

    Parameters
    ----------
    gap
        Distance d to the obstacle [m], negative in contact.
    gap_velocity
        Its rate v_n [m/s], negative when approaching.
    contact_stiffness, contact_damping
        K_N [N/m], C_N [N.s/m], both ≥ 0.
    """
    if gap > 0.0:
        return 0.0
    return max(0.0, -contact_stiffness * gap - contact_damping * gap_velocity)


def velocity_direction_friction(
    normal_force: float,
    displacement: float,
    velocity: float,
    friction_coefficient_static: float,
    friction_coefficient: float,
    tangential_stiffness: float,
    tangential_damping: float,
    memory: FrictionMemory,
) -> tuple[float, FrictionMemory]:
    """Return the friction force on the mass [N] and the law's new state.

    1. Where v v* ≥ 0, s = 0 and |v| > 1e-6 m/s, slip: f = −μ_d F_N v/|v|; f* = f, x* = x.
    2. Otherwise try stick: f = f* − K_T (x − x*) − C_T v, s = 1. Where |f| > μ_s F_N it slips
       after all: s = 0, f = −μ_d F_N v/|v| (0 where |v| is below machine epsilon), f* = f, x* = x.
    3. v* = v. Out of contact (F_N = 0) the force and f*, v*, s are 0 and x* = x.

    Parameters
    ----------
    normal_force
        F_N ≥ 0 [N].
    displacement, velocity
        Tangential displacement x [m] and velocity v [m/s] of the mass against the obstacle.
    friction_coefficient_static, friction_coefficient
        μ_s bounds stick, μ_d acts in slip.
    tangential_stiffness, tangential_damping
        K_T [N/m], C_T [N.s/m].
    memory
        State left by the previous evaluation.
    """
    if normal_force <= 0.0:
        return 0.0, FrictionMemory(False, 0.0, displacement, 0.0)
    slides_on = (
        velocity * memory.previous_velocity >= 0.0
        and not memory.sticking
        and abs(velocity) > SLIP_VELOCITY_THRESHOLD
    )
    if not slides_on:
        stick_force = (
            memory.anchor_force
            - tangential_stiffness * (displacement - memory.anchor_displacement)
            - tangential_damping * velocity
        )
        if abs(stick_force) <= friction_coefficient_static * normal_force:
            return stick_force, FrictionMemory(
                True, memory.anchor_force, memory.anchor_displacement, velocity
            )
    slip_force = 0.0
    if velocity > MACHINE_EPSILON:
        slip_force = -friction_coefficient * normal_force
    elif velocity < -MACHINE_EPSILON:
        slip_force = friction_coefficient * normal_force
    return slip_force, FrictionMemory(False, slip_force, displacement, velocity)
