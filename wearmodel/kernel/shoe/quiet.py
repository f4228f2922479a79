"""A whole step in closed form, if a bound proves that it has no event.

This applies to most steps of a run. To rounding, the result is the same as with `stepper`, at
a fraction of the cost.
"""

from __future__ import annotations

from math import sqrt

from ..contact.friction import holding_bound
from ..limits import PENALISED_FRICTION, PENALTY, PRESCRIBED, RATE_LIMIT
from ..series.free_motion import free_motion
from .normal import gap_to
from .parameters import Parameters
from .quiet_flight import quiet_flight
from .quiet_slip import quiet_varying_slip, quiet_wearing_slip
from .quiet_stick import quiet_penalised_stick
from .state_objects import State, Work

# Forces are equal if their difference is below this share of the largest. When a heavily damped
# contact comes to rest, its position remains some ten roundings from equilibrium.
_ROUNDING = 1e-14


def quiet_step(
    p: Parameters, s: State, tangential_count: int, normal_count: int, step_size: float, work: Work
) -> bool:
    """Take the whole step at once if a bound excludes all events. False: the state is unchanged.

    Steps that overflow are excluded, so the new state need not be checked.

    Runs with stops or a pendulum are excluded. The function computes flight (`quiet_flight`), and
    contact that has not started at this instant, under a constant F_N = plane·(k_n w − f_n) > 0. It
    is constant if f_n is constant and the mass has no normal motion: prescribed (without k_n w),
    rigid, and penalised at rest. Rigid stick lasts if the sum of the terms of |k u − f_t| does not
    exceed μ_s F_N. `quiet_stick` computes penalised stick. `_quiet_slip` computes slip, and
    `quiet_slip` slip with varying friction, or with wear feedback under any force. The work rows
    are work space.
    """
    tangential_forcing = work.step_tangential
    plane = s.contact
    sliding = s.sliding
    # `advance` computes an event at this instant.
    if sliding != s.last_sliding or s.zeros_force != 0.0 or p.has_pieces != 0.0:
        return False
    if plane == 0.0:
        return quiet_flight(p, s, tangential_count, normal_count, step_size, work)
    if sliding != 0.0 and p.opening_per_work != 0.0:
        return quiet_wearing_slip(p, s, tangential_count, normal_count, step_size, work)
    if normal_count != 1:
        return False
    force = -plane * work.step_normal[0]
    elastic = 0.0
    law = p.normal_law
    if law != PRESCRIBED:
        force += plane * p.normal_stiffness * s.normal_displacement
        if law == PENALTY:
            # A gap is a difference of positions and has their rounding.
            places = abs(s.normal_displacement) + abs(p.initial_gap)
            if plane < 0.0:
                places += p.plane_distance
            elastic = (p.normal_stiffness + p.contact_stiffness) * places
            if not _rests(p, s, force, elastic):
                return False
    # The difference is zero unless the force is infinite.
    if force <= 0.0 or force - force != 0.0:
        return False
    if sliding != 0.0:
        if p.constant_friction < 0.0:
            if not quiet_varying_slip(
                p, s, tangential_forcing, tangential_count, force, step_size, work
            ):
                return False
        elif not _quiet_slip(p, s, tangential_forcing, tangential_count, force, elastic, step_size):
            return False
    elif p.tangential_law == PENALISED_FRICTION:
        if not quiet_penalised_stick(p, s, tangential_forcing, tangential_count, force, step_size):
            return False
    else:
        bound = holding_bound(p, force)
        bound -= abs(p.stiffness * s.displacement - tangential_forcing[0])
        power = step_size
        for j in range(1, tangential_count):
            bound -= abs(tangential_forcing[j]) * power
            power *= step_size
        # Also false for NaN.
        if not bound >= 0.0:
            return False
    s.peak_force = max(s.peak_force, force)
    return True


def _rests(p: Parameters, s: State, force: float, elastic: float) -> bool:
    """Whether a mass in penalised contact is in equilibrium with a constant f_n, to rounding.

    F = `force` is plane·(k_n w − f_n), so that F + K_N gap is the net force. `elastic` [N] is the
    springs' force for the positions whose difference is the gap. K = k_n + K_N and C = c_n + C_N.
    The energy about the equilibrium w_e never increases, so that K |w − w_e| ≤ B at all later times
    with B = |F + K_N gap| + √(m K) |ẇ|. |ẇ| is largest now, or when C |ẇ| = K |w − w_e|.
    Therefore K |w − w_e| and C |ẇ| both stay within B + C |ẇ(0)|.
    """
    stiffness = p.contact_stiffness
    gap = gap_to(p, s, s.contact, s.normal_displacement)
    bound = abs(force + stiffness * gap)
    velocity = s.normal_velocity
    if velocity != 0.0:
        stiffness += p.normal_stiffness
        damping = p.normal_damping + p.contact_damping
        bound += (sqrt(p.mass * stiffness) + damping) * abs(velocity)
    return bound < _ROUNDING * (force + elastic)


def _quiet_slip(
    p: Parameters,
    s: State,
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    elastic: float,
    step_size: float,
) -> bool:
    """Slip under a constant force [N], with `elastic` of `_rests`. False: the state is unchanged.

    The terms of the series of u̇ that are against s prove s u̇ > 0. The wear work is F_N |Δu|.
    Penalised slip is the same if the stretch is imposed by the force, K_T e = s μ_d F_N, because
    the anchor then moves like the mass.
    """
    sliding = s.sliding
    speed = sliding * s.velocity
    if speed <= 0.0:
        return False
    coefficient = p.constant_friction
    friction = sliding * coefficient * force
    if p.tangential_law == PENALISED_FRICTION:
        missing = friction - p.tangential_stiffness * s.stretch
        if abs(missing) > coefficient * _ROUNDING * (force + elastic):
            return False
    # Along s: distance, increase of the speed, and a lower bound of the speed.
    if p.rate_free == 0.0:
        # Without springs the series ends with the forcing. It is summed here for speed and not by
        # `series.free_motion`: most steps of most runs use this branch, and the call makes them 1.2
        # times longer.
        factor = sliding * step_size / p.mass
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
        if p.rate_free * step_size > RATE_LIMIT:
            return False
        travelled, gained, fall, rise = free_motion(
            p.mass,
            p.damping,
            p.stiffness,
            tangential_forcing,
            tangential_count,
            friction,
            s.displacement,
            s.velocity,
            step_size,
        )
        distance = sliding * travelled
        gained *= sliding
        slowest = speed + fall if sliding > 0.0 else speed - rise
    wear = force * distance
    velocity = sliding * (speed + gained)
    displacement = s.displacement + sliding * distance
    wear_work = s.wear_work + wear
    friction_work = s.friction_work + coefficient * wear
    sliding_distance = s.sliding_distance + distance
    total = velocity + displacement + wear_work + friction_work + sliding_distance
    # The difference is zero unless one of them is infinite or not a number.
    if slowest <= 0.0 or total - total != 0.0:
        return False
    s.velocity = velocity
    s.displacement = displacement
    if s.contact < 0.0:
        s.wear_work_upper += wear_work - s.wear_work
    s.wear_work = wear_work
    s.friction_work = friction_work
    s.sliding_distance = sliding_distance
    return True
