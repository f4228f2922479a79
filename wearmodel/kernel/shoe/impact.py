"""Impact of a rigid contact: Newton's restitution, friction, and the end of bouncing.

Impact, P = m (1 + e)|v_n|: `contact.friction` computes u̇ after the impact and the wear work.
Friction dissipates ½ m (u̇⁻² − u̇⁺²).

Rest: bouncing ends if its remaining duration 2 e v/(a (1 − e)) under the pressing acceleration a is
below REST_TIME, and the rebound's height e² v²/(2 a) is below REST_SPEED² v_max²/(2 a), with the
speed v_max of the fastest impact since the last rest. The impulses of the omitted bounces,
m (1 + e) e v/(1 − e), are included. Their wear is replaced by the wear in contact.
"""

from __future__ import annotations

from ..contact.friction import rub_impact
from ..limits import REST_SPEED, REST_TIME
from .parameters import Parameters
from .pendulum import swing_impact
from .state_objects import State, Work


def strike(p: Parameters, s: State, plane: float, normal_forcing: float, work: Work) -> bool:
    """Apply an impact of the mass on a plane, with friction. Return whether bouncing ends."""
    mass = p.mass
    restitution = p.restitution
    approach = abs(s.normal_velocity)
    impulse = mass * (1.0 + restitution) * approach
    s.impulse += impulse

    before = abs(s.velocity)
    # Unlimited friction stops the mass before it has slid.
    after = 0.0
    wear = 0.0
    if p.curvature != 0.0:
        wear = swing_impact(p, s, impulse)
        before = abs(s.velocity)
        after = before
    elif s.velocity * p.held_direction <= 0.0:
        after, wear = rub_impact(
            p, mass, before, impulse, work.velocity, work.drive, work.guard, work.scratch
        )
    s.wear_work += wear
    if plane < 0.0:
        s.wear_work_upper += wear
    s.friction_work += 0.5 * mass * (before - after) * (before + after)
    s.velocity = -after if s.velocity < 0.0 else after

    rebound = restitution * approach
    s.normal_velocity = plane * rebound
    # Acceleration of the mass towards the plane.
    pressing = (
        -plane
        * (
            normal_forcing
            - p.normal_damping * s.normal_velocity
            - p.normal_stiffness * s.normal_displacement
        )
        / mass
    )
    fastest = max(s.fastest_impact, approach)
    is_over = rebound == 0.0
    if rebound <= REST_SPEED * fastest and 2.0 * rebound < REST_TIME * pressing * (
        1.0 - restitution
    ):
        # The impulses of all remaining bounces: m (1 + e)(e v + e² v + …).
        s.impulse += impulse * restitution / (1.0 - restitution)
        is_over = True
    if is_over:
        s.fastest_impact = 0.0
        s.normal_velocity = 0.0
    else:
        s.fastest_impact = fastest
    return is_over
