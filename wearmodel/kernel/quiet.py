"""A whole step at once where nothing can happen in it: the closed form under a proven bound.

Most steps of a run are of this kind. What is taken here is what the pieces of `stepper` would give,
to rounding, at a fraction of the cost.
"""

from __future__ import annotations

from math import sqrt

from .free_motion import free_motion
from .friction import fill_slip_motion, holding_bound, sliding_friction, viscous_part
from .limits import PENALISED_FRICTION, PENALTY, PRESCRIBED, RATE_LIMIT
from .normal import gap_to
from .quiet_flight import quiet_flight
from .quiet_stick import driven_motion, quiet_penalised_stick
from .records import Parameters, State, Work
from .series import integrate_square, rescale

# Forces closer than this share of the largest among them cannot be told from equal ones: where a
# heavily damped contact comes to rest, positions stay some ten roundings from equilibrium.
_ROUNDING = 1e-14


def quiet_step(
    p: Parameters,
    s: State,
    tangential_forcing: list[float],
    tangential_count: int,
    normal_forcing: list[float],
    normal_count: int,
    step_size: float,
    work: Work,
) -> bool:
    """Take the whole step at once where a bound excludes every event; False leaves all untouched.

    What overflows is left to `advance`, so that nothing needs to be checked after this.

    Taken are flight (`quiet_flight`) and contact that has not begun at this instant, under a
    constant force F_N = plane·(k_n w − f_n) > 0. It is constant where f_n is and the mass has no
    normal motion: prescribed (without k_n w), rigid, and penalised at rest. Then rigid stick lasts
    where the terms of |k u − f_t| sum up to no more than μ_s F_N, and nothing moves; for penalised
    stick see `quiet_stick`, for slip `_quiet_slip`. The work rows are scratch.
    """
    plane = s.contact
    sliding = s.sliding
    # What began at this very instant is judged by `advance`.
    if sliding != s.last_sliding or s.zeros_force != 0.0:
        return False
    if plane == 0.0:
        return quiet_flight(
            p, s, tangential_forcing, tangential_count, normal_forcing, normal_count, step_size
        )
    if normal_count != 1:
        return False
    force = -plane * normal_forcing[0]
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
        if p.opening_per_work != 0.0:
            return False
        if p.constant_friction < 0.0:
            if not _quiet_varying_slip(
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
        # Neither where a term is not a number.
        if not bound >= 0.0:
            return False
    if force > s.peak_force:
        s.peak_force = force
    return True


def _rests(p: Parameters, s: State, force: float, elastic: float) -> bool:
    """Whether a mass in penalised contact is in equilibrium with a constant f_n, to rounding.

    `force` is plane·(k_n w − f_n), so that F + K_N gap is the net force; `elastic` [N] is the
    springs' force on the positions whose difference the gap is. K = k_n + K_N and C = c_n + C_N.
    About the equilibrium w_e the energy only falls, so
    K |w − w_e| ≤ B = |F + K_N gap| + √(m K) |ẇ| for ever; and where |ẇ| is largest, it is so now
    or C |ẇ| = K |w − w_e|. So K |w − w_e| and C |ẇ| both stay within B + C |ẇ(0)|.
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
    """Slip under a constant force [N]; `elastic` as in `_rests`. False leaves the state untouched.

    s u̇ > 0 by the terms of its series that are against s; ∫ F_N |u̇| dt = F_N |Δu|. Penalised slip
    whose stretch is the one that the force imposes, K_T e = s μ_d F_N, is the same: the anchor
    moves as the mass does.
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
    # Along s: the distance, what the speed gains, and a bound of how low it falls.
    if p.rate_free == 0.0:
        # Without springs the series ends with the forcing. It is summed here, not by `free_motion`,
        # for speed: most steps of most runs come this way, and the call makes one 1.2 times longer.
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


def _quiet_varying_slip(
    p: Parameters,
    s: State,
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    step_size: float,
    work: Work,
) -> bool:
    """As `_quiet_slip` where friction depends on the velocity: rigid friction, one short series."""
    sliding = s.sliding
    speed = sliding * s.velocity
    if (
        speed <= 0.0
        or p.tangential_law == PENALISED_FRICTION
        or p.rate_free * step_size > RATE_LIMIT
    ):
        return False
    viscous = viscous_part(p)
    if viscous > 0.0:
        return _quiet_viscous_slip(
            p, s, viscous, tangential_forcing, tangential_count, force, step_size
        )
    counts = work.counts
    forces = work.force
    forces[0] = force
    counts.force = 1.0
    rescale(tangential_forcing, tangential_count, 0.0, step_size, work.tangential_forcing)
    if fill_slip_motion(p, s, tangential_count, step_size, work) > 0.0:
        return False
    velocities = work.velocity
    positions = work.displacement
    gained = 0.0
    travelled = 0.0
    for j in range(int(counts.motion) - 1, 0, -1):
        gain = sliding * velocities[j]
        gained += gain
        travelled += positions[j]
        if gain < 0.0:
            speed += gain
    if speed <= 0.0:
        return False
    distance = sliding * travelled
    wear = force * distance
    # What friction takes is what the work of f_t leaves over for mass, spring and damper.
    forcing = work.tangential_forcing
    taken = forcing[0] * travelled
    count = int(counts.motion)
    for k in range(1, tangential_count):
        moment = 0.0
        for j in range(count - 1, -1, -1):
            moment += velocities[j] / (j + k + 1)
        taken += forcing[k] * step_size * moment
    change = sliding * gained
    taken -= p.mass * change * (s.velocity + 0.5 * change)
    taken -= p.stiffness * travelled * (s.displacement + 0.5 * travelled)
    if p.damping > 0.0:
        taken -= p.damping * step_size * integrate_square(velocities, count, 1.0)
    friction_work = s.friction_work + max(0.0, taken)
    velocity = s.velocity + sliding * gained
    displacement = s.displacement + travelled
    wear_work = s.wear_work + wear
    sliding_distance = s.sliding_distance + distance
    return _is_kept(s, velocity, displacement, wear_work, friction_work, sliding_distance)


def _quiet_viscous_slip(
    p: Parameters,
    s: State,
    viscous: float,
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    step_size: float,
) -> bool:
    """As `_quiet_varying_slip` where μ = μ_0 + η |u̇|: a damper η F_N [N.s/m] beside c, linear."""
    sliding = s.sliding
    damper = viscous * force
    damping = p.damping + damper
    if damping * step_size > RATE_LIMIT * p.mass:
        return False
    coulomb = sliding_friction(p, 0.0) * force
    start = s.velocity
    held = p.stiffness * s.displacement + sliding * coulomb
    travelled, gained, taken, largest = driven_motion(
        p.mass,
        damping,
        p.stiffness,
        tangential_forcing,
        tangential_count,
        held,
        start,
        step_size,
    )
    # No other term of u̇'s series outweighs the first one.
    if not largest < 2.0 * sliding * start:
        return False
    distance = sliding * travelled
    # ∫ (c + η F_N) u̇² dt is what the work leaves over for spring and mass.
    heat = taken - 0.5 * p.stiffness * travelled * travelled
    heat -= p.mass * gained * (start + 0.5 * gained)
    wear_work = s.wear_work + force * distance
    friction_work = s.friction_work + coulomb * distance + max(0.0, heat) * damper / damping
    velocity = start + gained
    displacement = s.displacement + travelled
    sliding_distance = s.sliding_distance + distance
    return _is_kept(s, velocity, displacement, wear_work, friction_work, sliding_distance)


def _is_kept(
    s: State,
    velocity: float,
    displacement: float,
    wear_work: float,
    friction_work: float,
    sliding_distance: float,
) -> bool:
    """Put a slip's end into the state; False, and nothing, where a number is not finite.

    `_quiet_slip` does the same in line, for speed.
    """
    total = velocity + displacement + wear_work + friction_work + sliding_distance
    # The difference is zero unless one of them is infinite or not a number.
    if total - total != 0.0:
        return False
    s.velocity = velocity
    s.displacement = displacement
    if s.contact < 0.0:
        s.wear_work_upper += wear_work - s.wear_work
    s.wear_work = wear_work
    s.friction_work = friction_work
    s.sliding_distance = sliding_distance
    return True
