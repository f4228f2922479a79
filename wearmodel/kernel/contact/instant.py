"""Forces and sliding rate of one contact at an instant.

Position and velocity of its point in its frame are the first numbers of their work rows. For the
laws see `forces`.
"""

from __future__ import annotations

from ..series.arithmetic import magnitude
from .friction import friction_slope, has_friction, sliding_friction
from .obstacle import acceleration_along, gap_acceleration, kinematics, velocity_along
from .parameters import ContactLaw
from .state_objects import ContactState, ContactWork


def forces_now(
    law: ContactLaw, s: ContactState, work: ContactWork
) -> tuple[float, float, float, float]:
    """F_N, F_T along the two directions of friction [N], and λ [m/s] without accelerations.

    In slip without damper `whole_slip_rate` adds the rest of λ.
    """
    gap, gap_velocity, first, second = kinematics(law, s, work)
    if s.closed == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    force = max(0.0, -law.stiffness * gap - law.contact_damping * gap_velocity)
    if not has_friction(law):
        return force, 0.0, 0.0, 0.0
    stiffness = law.tangential_stiffness
    damping = law.tangential_damping
    trial_1 = stiffness * s.stretch_1 + damping * first
    trial_2 = stiffness * s.stretch_2 + damping * second
    if s.sliding == 0.0:
        return force, -trial_1, -trial_2, 0.0
    friction = sliding_friction(law, magnitude(first, second))
    bound = friction * force
    if damping > 0.0:
        trial = magnitude(trial_1, trial_2)
        slip = max(0.0, (trial - bound) / damping)
        if trial == 0.0:
            return force, 0.0, 0.0, slip
        return force, -bound * (trial_1 / trial), -bound * (trial_2 / trial), slip
    direction_1 = s.direction_1
    direction_2 = s.direction_2
    speed = magnitude(first, second)
    if force == 0.0 and speed > 0.0:
        direction_1 = first / speed
        direction_2 = second / speed
    along = first * direction_1 + second * direction_2
    slip = along + friction * law.stiffness / stiffness * gap_velocity
    return force, -bound * direction_1, -bound * direction_2, slip


def whole_slip_rate(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    normal_force: float,
    slip: float,
    rate_1: float,
    rate_2: float,
    rate_3: float,
) -> float:
    """λ [m/s] in slip without damper, after `forces_now`, which gives `slip`.

    (μ/K_T) C_N d²(gap)/dt², −(dμ/dt) F_N/K_T and the effect of the opening by wear are added.
    `rate_1` … are the point's accelerations in the frame [m/s2].
    """
    first, second = velocity_along(law, work)
    speed = magnitude(first, second)
    stiffness = law.tangential_stiffness
    if law.contact_damping > 0.0:
        rate = gap_acceleration(law, s, work, rate_1, rate_2)
        share = sliding_friction(law, speed)
        share /= stiffness
        slip += share * law.contact_damping * rate
    if law.constant_friction < 0.0:
        along = acceleration_along(law, work, rate_1, rate_2)
        speeding = magnitude(along, rate_3)
        if speed > 0.0:
            speeding = (first * along + second * rate_3) / speed
        rate = friction_slope(law, speed, speeding) * speeding
        slip -= rate * normal_force / stiffness
    if law.opening_per_work != 0.0:
        # The opening by wear also reduces F_N, at the rate K β F_N λ.
        fall = sliding_friction(law, speed) * law.stiffness
        fall *= law.opening_per_work * normal_force / stiffness
        if fall < 1.0:  # otherwise the slip accelerates itself
            slip /= 1.0 - fall
    return slip
