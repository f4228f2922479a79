"""A whole step at once where nothing can happen in it: the closed form under a proven bound.

Most steps of a run are of this kind. What is taken here is what the pieces of `stepper` would give,
to rounding, at a fraction of the cost.
"""

from __future__ import annotations

from math import sqrt

from .free_motion import free_motion
from .layout import (
    CONTACT,
    CONTACT_DAMPING,
    CONTACT_STIFFNESS,
    DAMPING,
    DISPLACEMENT,
    FRICTION_DYNAMIC,
    FRICTION_STATIC,
    FRICTION_WORK,
    INITIAL_GAP,
    LAST_SLIDING,
    MASS,
    NORMAL_DAMPING,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_STIFFNESS,
    NORMAL_VELOCITY,
    PEAK_FORCE,
    PENALISED_FRICTION,
    PENALTY,
    PLANE_DISTANCE,
    PRESCRIBED,
    RATE_FREE,
    RATE_LIMIT,
    SLIDING,
    SLIDING_DISTANCE,
    STIFFNESS,
    STRETCH,
    TANGENTIAL_LAW,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
    WEAR_WORK,
    ZEROS_FORCE,
)
from .normal import gap_to
from .quiet_flight import quiet_flight
from .quiet_stick import quiet_penalised_stick

# Forces closer than this share of the largest among them cannot be told from equal ones: where a
# heavily damped contact comes to rest, places stay some ten roundings from equilibrium.
_ROUNDING = 1e-14


def quiet_step(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    normal_forcing: list[float],
    normal_count: int,
    step_size: float,
) -> bool:
    """Take the whole step at once where a bound excludes every event; False leaves all untouched.

    What overflows is left to `advance`, so that nothing needs to be checked after this.

    Taken are flight (`quiet_flight`) and contact that has not begun at this instant, under a
    constant force F_N = plane·(k_n w − f_n) > 0. It is constant where f_n is and the mass has no
    normal motion: prescribed (without k_n w), rigid, and penalised at rest. Then rigid stick lasts
    where the terms of |k u − f_t| sum up to no more than μ_s F_N, and nothing moves; for penalised
    stick see `quiet_stick`, for slip `_quiet_slip`.
    """
    plane = state[CONTACT]
    sliding = state[SLIDING]
    # What began at this very instant is judged by `advance`.
    if sliding != state[LAST_SLIDING] or state[ZEROS_FORCE] != 0.0:
        return False
    if plane == 0.0:
        return quiet_flight(
            parameters,
            state,
            tangential_forcing,
            tangential_count,
            normal_forcing,
            normal_count,
            step_size,
        )
    if normal_count != 1:
        return False
    force = -plane * normal_forcing[0]
    elastic = 0.0
    law = parameters[NORMAL_LAW]
    if law != PRESCRIBED:
        force += plane * parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]
        if law == PENALTY:
            # A gap is a difference of places and has their rounding.
            places = abs(state[NORMAL_DISPLACEMENT]) + abs(parameters[INITIAL_GAP])
            if plane < 0.0:
                places += parameters[PLANE_DISTANCE]
            elastic = (parameters[NORMAL_STIFFNESS] + parameters[CONTACT_STIFFNESS]) * places
            if not _rests(parameters, state, force, elastic):
                return False
    # The difference is zero unless the force is infinite.
    if force <= 0.0 or force - force != 0.0:
        return False
    if sliding != 0.0:
        if not _quiet_slip(
            parameters, state, tangential_forcing, tangential_count, force, elastic, step_size
        ):
            return False
    elif parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
        if not quiet_penalised_stick(
            parameters, state, tangential_forcing, tangential_count, force, step_size
        ):
            return False
    else:
        bound = parameters[FRICTION_STATIC] * force
        bound -= abs(parameters[STIFFNESS] * state[DISPLACEMENT] - tangential_forcing[0])
        power = step_size
        for j in range(1, tangential_count):
            bound -= abs(tangential_forcing[j]) * power
            power *= step_size
        # Neither where a term is not a number.
        if not bound >= 0.0:
            return False
    if force > state[PEAK_FORCE]:
        state[PEAK_FORCE] = force
    return True


def _rests(parameters: list[float], state: list[float], force: float, elastic: float) -> bool:
    """Whether a mass in penalised contact is in equilibrium with a constant f_n, to rounding.

    `force` is plane·(k_n w − f_n), so that F + K_N gap is the net force; `elastic` [N] is the
    springs' force on the places whose difference the gap is. K = k_n + K_N and C = c_n + C_N.
    About the equilibrium w_e the energy only falls, so
    K |w − w_e| ≤ B = |F + K_N gap| + √(m K) |ẇ| for ever; and where |ẇ| is largest, it is so now
    or C |ẇ| = K |w − w_e|. So K |w − w_e| and C |ẇ| both stay within B + C |ẇ(0)|.
    """
    stiffness = parameters[CONTACT_STIFFNESS]
    gap = gap_to(parameters, state[CONTACT], state[NORMAL_DISPLACEMENT])
    bound = abs(force + stiffness * gap)
    velocity = state[NORMAL_VELOCITY]
    if velocity != 0.0:
        stiffness += parameters[NORMAL_STIFFNESS]
        damping = parameters[NORMAL_DAMPING] + parameters[CONTACT_DAMPING]
        bound += (sqrt(parameters[MASS] * stiffness) + damping) * abs(velocity)
    return bound < _ROUNDING * (force + elastic)


def _quiet_slip(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    elastic: float,
    step_size: float,
) -> bool:
    """Slip under a constant force [N]; `elastic` as in `_rests`. False leaves the state untouched.

    s u̇ > 0 by the terms of its series that are against s; ∫ F_N |u̇| dt = F_N |Δu|. Penalised slip
    whose stretch is the one that the force imposes, K_T e = s μ_d F_N, is the same: the anchor
    moves as the mass does.
    """
    sliding = state[SLIDING]
    speed = sliding * state[VELOCITY]
    if speed <= 0.0:
        return False
    coefficient = parameters[FRICTION_DYNAMIC]
    friction = sliding * coefficient * force
    if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
        missing = friction - parameters[TANGENTIAL_STIFFNESS] * state[STRETCH]
        if abs(missing) > coefficient * _ROUNDING * (force + elastic):
            return False
    # Along s: the distance, what the speed gains, and a bound of how low it falls.
    if parameters[RATE_FREE] == 0.0:
        # Without springs the series ends with the forcing. It is summed here, not by `free_motion`,
        # for speed: most steps of most runs come this way, and the call makes one 1.2 times longer.
        factor = sliding * step_size / parameters[MASS]
        gain = factor * (tangential_forcing[0] - friction)
        gained = gain
        distance = step_size * (speed + 0.5 * gain)
        slowest = speed
        if gain < 0.0:
            slowest += gain
        order = 1.0
        for j in range(1, tangential_count):
            order += 1.0
            factor *= step_size
            gain = factor * tangential_forcing[j] / order
            gained += gain
            distance += step_size * gain / (order + 1.0)
            if gain < 0.0:
                slowest += gain
    else:
        if parameters[RATE_FREE] * step_size > RATE_LIMIT:
            return False
        travelled, gained, fall, rise = free_motion(
            parameters[MASS],
            parameters[DAMPING],
            parameters[STIFFNESS],
            tangential_forcing,
            tangential_count,
            friction,
            state[DISPLACEMENT],
            state[VELOCITY],
            step_size,
        )
        distance = sliding * travelled
        gained *= sliding
        slowest = speed + fall if sliding > 0.0 else speed - rise
    wear = force * distance
    velocity = sliding * (speed + gained)
    displacement = state[DISPLACEMENT] + sliding * distance
    wear_work = state[WEAR_WORK] + wear
    friction_work = state[FRICTION_WORK] + coefficient * wear
    sliding_distance = state[SLIDING_DISTANCE] + distance
    total = velocity + displacement + wear_work + friction_work + sliding_distance
    # The difference is zero unless one of them is infinite or not a number.
    if slowest <= 0.0 or total - total != 0.0:
        return False
    state[VELOCITY] = velocity
    state[DISPLACEMENT] = displacement
    state[WEAR_WORK] = wear_work
    state[FRICTION_WORK] = friction_work
    state[SLIDING_DISTANCE] = sliding_distance
    return True
