"""Flight over a whole step in closed form, if a proven bound excludes contact."""

from __future__ import annotations

from ..limits import PRESCRIBED, RATE_LIMIT
from ..series.free_motion import free_motion
from .normal import gap_to
from .parameters import Parameters
from .state_objects import State, Work


def quiet_flight(
    p: Parameters, s: State, tangential_count: int, normal_count: int, step_size: float, work: Work
) -> bool:
    """Take a whole step in flight if a bound excludes contact. False: the state is unchanged.

    A gap is at least gap(0) + h·min(0, v_min), where v_min is a bound of its velocity over the
    step. With the prescribed law the contact closes if f_n < 0, and f_n must be constant.
    """
    if s.zeros_gap != 0.0 or p.rate_free * step_size > RATE_LIMIT:
        return False
    place = s.normal_displacement
    velocity = s.normal_velocity
    if p.normal_law == PRESCRIBED:
        if normal_count != 1 or work.step_normal[0] < 0.0:
            return False
    else:
        if p.rate_normal_free * step_size > RATE_LIMIT:
            return False
        travelled, gained, fall, rise = free_motion(
            p.mass,
            p.normal_damping,
            p.normal_stiffness,
            work.step_normal,
            normal_count,
            0.0,
            place,
            velocity,
            step_size,
        )
        gap = gap_to(p, s, 1.0, place)
        if gap + step_size * min(0.0, velocity + fall) <= 0.0:
            return False
        if p.plane_distance > 0.0:
            gap = gap_to(p, s, -1.0, place)
            if gap - step_size * max(0.0, velocity + rise) <= 0.0:
                return False
        place += travelled
        velocity += gained
    travelled, gained, fall, rise = free_motion(
        p.mass,
        p.damping,
        p.stiffness,
        work.step_tangential,
        tangential_count,
        0.0,
        s.displacement,
        s.velocity,
        step_size,
    )
    travelled += s.displacement
    gained += s.velocity
    total = place + velocity + travelled + gained
    # The difference is zero unless one of them is infinite or not a number.
    if total - total != 0.0:
        return False
    s.normal_displacement = place
    s.normal_velocity = velocity
    s.displacement = travelled
    s.velocity = gained
    return True
