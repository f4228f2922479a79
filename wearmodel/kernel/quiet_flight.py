"""Flight over a whole step at once, where a proven bound excludes that it closes."""

from __future__ import annotations

from .free_motion import free_motion
from .layout import (
    DAMPING,
    DISPLACEMENT,
    MASS,
    NORMAL_DAMPING,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_STIFFNESS,
    NORMAL_VELOCITY,
    PLANE_DISTANCE,
    PRESCRIBED,
    RATE_FREE,
    RATE_LIMIT,
    RATE_NORMAL_FREE,
    STIFFNESS,
    VELOCITY,
    ZEROS_GAP,
)
from .normal import gap_to


def quiet_flight(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    normal_forcing: list[float],
    normal_count: int,
    step_size: float,
) -> bool:
    """Take a step in flight at once where nothing closes; False leaves the state untouched.

    A gap never falls below gap(0) + h·min(0, v_min), v_min the bound of its velocity over the step.
    The prescribed law closes where f_n < 0: taken where f_n is constant.
    """
    if state[ZEROS_GAP] != 0.0 or parameters[RATE_FREE] * step_size > RATE_LIMIT:
        return False
    place = state[NORMAL_DISPLACEMENT]
    velocity = state[NORMAL_VELOCITY]
    if parameters[NORMAL_LAW] == PRESCRIBED:
        if normal_count != 1 or normal_forcing[0] < 0.0:
            return False
    else:
        if parameters[RATE_NORMAL_FREE] * step_size > RATE_LIMIT:
            return False
        travelled, gained, fall, rise = free_motion(
            parameters[MASS],
            parameters[NORMAL_DAMPING],
            parameters[NORMAL_STIFFNESS],
            normal_forcing,
            normal_count,
            0.0,
            place,
            velocity,
            step_size,
        )
        gap = gap_to(parameters, 1.0, place)
        if gap + step_size * min(0.0, velocity + fall) <= 0.0:
            return False
        if parameters[PLANE_DISTANCE] > 0.0:
            gap = gap_to(parameters, -1.0, place)
            if gap - step_size * max(0.0, velocity + rise) <= 0.0:
                return False
        place += travelled
        velocity += gained
    travelled, gained, fall, rise = free_motion(
        parameters[MASS],
        parameters[DAMPING],
        parameters[STIFFNESS],
        tangential_forcing,
        tangential_count,
        0.0,
        state[DISPLACEMENT],
        state[VELOCITY],
        step_size,
    )
    travelled += state[DISPLACEMENT]
    gained += state[VELOCITY]
    total = place + velocity + travelled + gained
    # The difference is zero unless one of them is infinite or not a number.
    if total - total != 0.0:
        return False
    state[NORMAL_DISPLACEMENT] = place
    state[NORMAL_VELOCITY] = velocity
    state[DISPLACEMENT] = travelled
    state[VELOCITY] = gained
    return True
