"""Slip over a whole step with varying friction or wear feedback, under a proven bound.

If friction depends on the velocity, the contact force F_N is constant. The motion is the series of
`varying_slip`. Penalised friction adds the stretch e:

    C_T ė + K_T e = −F_T,   e = P(t) + A e^(−K_T t/C_T)

with a polynomial P, or as a series if C_T/K_T is longer than the step. If wear opens the gap, the
step is one piece of `wearing_slip`. The sums of all terms of opposite sign prove that the slip
velocity u̇ − ė keeps its sign.
"""

from __future__ import annotations

from math import exp

from ..contact.friction import linear_friction
from ..limits import NEVER, PENALISED_FRICTION, RATE_LIMIT
from ..series.polynomials import integrate_square, rescale
from ..series.roots import largest_value
from .parameters import Parameters
from .quiet_stick import driven_motion
from .state_objects import State, Work
from .tangential import relaxing_series, take_oscillator
from .varying_slip import damper_heat, dissipated, knot_ahead, varying_slip_series
from .wearing_slip import fill_wearing_slip

# Relative rounding of a stretch without damper, which the force imposes, after thousands of sums.
_IMPOSED = 1e-12
# Rates of the stretch over the step below this share of the stretch are rounding.
_SWALLOWED = 1e-15
# Largest K_T h/C_T for a series of the stretch over a step, and largest relative change of the
# stretch. Beyond these, the rounding of the terms would exceed the rounding of the stretch.
_FASTEST = 4.0
_CALM = 1e-2
# Wear is the opening divided by `opening_per_work`, which must not be close to the smallest float.
_SMALLEST_OPENING = 1e-250


def quiet_varying_slip(
    p: Parameters,
    s: State,
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    step_size: float,
    work: Work,
) -> bool:
    """Slip over a step under a constant force [N]. False: the state is unchanged.

    The friction work is the work of f_t minus the work on mass, springs and dampers.
    """
    sliding = s.sliding
    start = s.velocity
    slowest = sliding * start
    if slowest <= 0.0 or s.zeros_slip != 0.0 or p.rate_free * step_size > RATE_LIMIT:
        return False
    slow, viscous = linear_friction(p)
    is_penalised = p.tangential_law == PENALISED_FRICTION
    if viscous >= 0.0 and not is_penalised:
        return _quiet_viscous_slip(
            p,
            s,
            slow * force,
            viscous * force,
            tangential_forcing,
            tangential_count,
            force,
            step_size,
        )
    take_oscillator(p, work.counts)
    work.force[0] = force
    rescale(tangential_forcing, tangential_count, 0.0, step_size, work.tangential_forcing)
    count, shorter = varying_slip_series(p, s, sliding, step_size, tangential_count, 1, work)
    if shorter > 0.0 or (p.knots > 0.0 and knot_ahead(p, count, work) < NEVER):
        return False
    velocities = work.velocity
    positions = work.displacement
    gained = 0.0
    travelled = 0.0
    for j in range(count - 1, 0, -1):
        gain = velocities[j]
        gained += gain
        travelled += positions[j]
        gain *= sliding
        if gain < 0.0:
            slowest += gain
    stretched = 0.0
    heat = 0.0
    if is_penalised:
        stretched, heat, fastest = _stretch_over(p, s, count - 1, step_size, work)
        if fastest < 0.0:
            return False
        slowest -= fastest
    # Also false for NaN.
    if not slowest > 0.0:
        return False
    taken = _work_on_friction(p, s, tangential_count, count, travelled, gained, step_size, work)
    if is_penalised:
        # ∫ F_T ė dt is the work on the friction spring and its damper.
        taken -= p.tangential_stiffness * stretched * (s.stretch + 0.5 * stretched) + heat
    distance = sliding * (travelled - stretched)
    return _keep(s, gained, travelled, stretched, force * distance, taken, distance, heat)


def _keep(
    s: State,
    gained: float,
    travelled: float,
    stretched: float,
    wear: float,
    taken: float,
    distance: float,
    heat: float,
) -> bool:
    """Add the changes in a slip to the state. False: a sum is not finite, the state is unchanged.

    `_quiet_viscous_slip` does the same in line, for speed.
    """
    velocity = s.velocity + gained
    displacement = s.displacement + travelled
    stretch = s.stretch + stretched
    wear_work = s.wear_work + wear
    friction_work = s.friction_work + max(0.0, taken)
    sliding_distance = s.sliding_distance + distance
    damping_work = s.damping_work + heat
    total = velocity + displacement + stretch + taken
    total += wear_work + friction_work + sliding_distance + damping_work
    # The difference is zero unless one of them is infinite or not a number.
    if total - total != 0.0:
        return False
    s.velocity = velocity
    s.displacement = displacement
    s.stretch = stretch
    if s.contact < 0.0:
        s.wear_work_upper += wear_work - s.wear_work
    s.wear_work = wear_work
    s.friction_work = friction_work
    s.sliding_distance = sliding_distance
    s.damping_work = damping_work
    return True


def _work_on_friction(
    p: Parameters,
    s: State,
    tangential_count: int,
    count: int,
    travelled: float,
    gained: float,
    step_size: float,
    work: Work,
) -> float:
    """−∫ F_T u̇ dt [J]: work of f_t that mass, spring k and damper c do not store or dissipate.

    u̇ and f_t are in the work rows, `travelled` and `gained` are the changes of u and u̇.
    """
    velocities = work.velocity
    forcing = work.tangential_forcing
    left = forcing[0] * travelled
    for k in range(1, tangential_count):
        moment = 0.0
        order = float(count + k)
        for j in range(count - 1, -1, -1):
            moment += velocities[j] / order
            order -= 1.0
        left += forcing[k] * step_size * moment
    left -= p.mass * gained * (s.velocity + 0.5 * gained)
    left -= p.stiffness * travelled * (s.displacement + 0.5 * travelled)
    if p.damping > 0.0:
        left -= p.damping * step_size * integrate_square(velocities, count, 1.0)
    return left


def quiet_wearing_slip(
    p: Parameters, s: State, tangential_count: int, normal_count: int, step_size: float, work: Work
) -> bool:
    """Slip over a step in which wear opens the gap. False: the state is unchanged.

    The step is one piece of `wearing_slip`. Sums of terms prove that F_N, the slip velocity, and u̇
    if friction depends on it, keep their signs. It is one function because the same loops sum
    bounds and motions.
    """
    if (
        s.zeros_slip != 0.0
        or p.rate_free * step_size > RATE_LIMIT
        or p.rate_normal_contact * step_size > RATE_LIMIT
        or p.opening_per_work < _SMALLEST_OPENING
    ):
        return False
    is_penalised = p.tangential_law == PENALISED_FRICTION
    damping = p.tangential_damping
    if is_penalised and damping > 0.0 and p.tangential_stiffness * step_size > _FASTEST * damping:
        return False
    rescale(work.step_tangential, tangential_count, 0.0, step_size, work.tangential_forcing)
    rescale(work.step_normal, normal_count, 0.0, step_size, work.normal_forcing)
    counts = work.counts
    take_oscillator(p, counts)
    if fill_wearing_slip(p, s, tangential_count, normal_count, step_size, work) != 0.0:
        return False
    if p.knots > 0.0 and knot_ahead(p, int(counts.motion), work) < NEVER:
        return False
    counts.piece_length = step_size
    velocities = work.velocity
    positions = work.displacement
    rates = work.normal_velocity
    heights = work.normal_displacement
    forces = work.force
    openings = work.opening
    count = int(counts.motion)
    sliding = s.sliding
    slowest = sliding * s.velocity
    weakest = forces[0]
    strongest = weakest
    gained = 0.0
    travelled = 0.0
    risen = 0.0
    opened = 0.0
    rate = 0.0
    for j in range(count - 1, 0, -1):
        term = velocities[j]
        gained += term
        term *= sliding
        if term < 0.0:
            slowest += term
        term = forces[j]
        if term < 0.0:
            weakest += term
        else:
            strongest += term
        travelled += positions[j]
        risen += heights[j]
        rate += rates[j]
        opened += openings[j]
    stretched = 0.0
    if is_penalised:
        slips = work.slip
        stretches = work.stretch
        if p.constant_friction >= 0.0:
            slowest = sliding * slips[0]
        else:
            slowest = min(slowest, sliding * slips[0])
        for j in range(1, int(counts.slip)):
            slowest -= abs(slips[j])
        changing = 0.0
        stretch_count = 1
        swallowed = _SWALLOWED * abs(stretches[0])
        for j in range(int(counts.stretch) - 1, 0, -1):
            term = stretches[j]
            stretched += term
            changing += abs(term)
            if stretch_count == 1 and j * abs(term) > swallowed:
                stretch_count = j + 1
        counts.stretch = float(stretch_count)
        away = stretches[0] - s.stretch
        if changing > _CALM * abs(stretches[0]) or abs(away) > _IMPOSED * abs(stretches[0]):
            return False
        stretched += away
    # Also false for NaN.
    if not (slowest > 0.0 and weakest > 0.0):
        return False
    wear = opened / p.opening_per_work
    if p.constant_friction >= 0.0 or is_penalised:
        taken = dissipated(p, wear, 1.0, work)
    else:
        taken = _work_on_friction(p, s, tangential_count, count, travelled, gained, step_size, work)
    heat = 0.0
    if p.contact_damping > 0.0 or (is_penalised and damping > 0.0):
        heat = damper_heat(p, sliding, 1.0, step_size, work)
    normal_velocity = s.normal_velocity + rate
    normal_displacement = s.normal_displacement + risen
    total = normal_velocity + normal_displacement
    # The difference is zero unless one of them is infinite or not a number.
    if total - total != 0.0:
        return False
    distance = sliding * (travelled - stretched)
    if not _keep(s, gained, travelled, stretched, wear, taken, distance, heat):
        return False
    s.normal_velocity = normal_velocity
    s.normal_displacement = normal_displacement
    if strongest > s.peak_force:
        s.peak_force = max(
            s.peak_force, largest_value(forces, count, 1.0, work.guard, work.scratch)
        )
    return True


def _quiet_viscous_slip(
    p: Parameters,
    s: State,
    coulomb: float,
    damper: float,
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    step_size: float,
) -> bool:
    """Like `quiet_varying_slip`, for rigid friction with μ = μ_0 + η |u̇|: linear and cheaper.

    `coulomb` is μ_0 F_N [N]. `damper` is η F_N [N.s/m] and acts like a damper parallel to c.
    """
    damping = p.damping + damper
    if damping * step_size > RATE_LIMIT * p.mass:
        return False
    sliding = s.sliding
    start = s.velocity
    held = p.stiffness * s.displacement + sliding * coulomb
    travelled, gained, taken, largest = driven_motion(
        p.mass, damping, p.stiffness, tangential_forcing, tangential_count, held, start, step_size
    )
    # All other terms of u̇'s series together are smaller than the first one.
    if not largest < 2.0 * sliding * start:
        return False
    distance = sliding * travelled
    # ∫ (c + η F_N) u̇² dt is the work that spring and mass do not store.
    heat = taken - 0.5 * p.stiffness * travelled * travelled
    heat -= p.mass * gained * (start + 0.5 * gained)
    velocity = start + gained
    displacement = s.displacement + travelled
    wear_work = s.wear_work + force * distance
    friction_work = s.friction_work + coulomb * distance + max(0.0, heat) * damper / damping
    sliding_distance = s.sliding_distance + distance
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


def _stretch_over(
    p: Parameters, s: State, friction_count: int, step_size: float, work: Work
) -> tuple[float, float, float]:
    """Change of e over a step [m], heat ∫ C_T ė² dt [J] and a bound of |ė| [m/s].

    The friction force is in the work rows. A bound of −1.0 means that the step needs pieces.

    P is computed from its highest coefficient down, P_j = −F_j/K_T − (j + 1) C_T/(K_T h) P_{j+1}.
    This finite sum is accurate for any C_T/(K_T h) if the terms do not exceed the sum.
    """
    stiffness = p.tangential_stiffness
    damping = p.tangential_damping
    friction = work.friction
    rates = work.scratch
    delay = damping / (stiffness * step_size)
    if delay >= 1.0:
        stretches = work.stretch
        count = relaxing_series(p, s.stretch, step_size, friction_count, work)
        stretched = 0.0
        fastest = 0.0
        for j in range(count - 1, 0, -1):
            stretched += stretches[j]
            rates[j - 1] = j * stretches[j]
            fastest += abs(rates[j - 1])
        heat = damping / step_size * integrate_square(rates, count - 1, 1.0)
        return stretched, heat, fastest / step_size
    # P, P', ∫ P'² dτ, and z with z' − z/δ = P', for which ∫ P' e^(−τ/δ) dτ = [z e^(−τ/δ)].
    following = 0.0
    stretched = 0.0
    fastest = 0.0
    squared = 0.0
    higher = 0.0
    mixed = 0.0
    compliance = 1.0 / stiffness
    swallowed = _SWALLOWED * abs(friction[0]) * compliance
    rate_count = 0
    number = float(friction_count)
    for j in range(friction_count - 1, -1, -1):
        rate = number * following
        following = -friction[j] * compliance - delay * rate
        stretched += following
        size = abs(rate)
        if size > swallowed:
            if rate_count == 0:
                rate_count = j + 1
            fastest += size
            rates[j] = rate
            inner = 0.0
            order = float(j + rate_count)
            for i in range(rate_count - 1, j, -1):
                inner += rates[i] / order
                order -= 1.0
            squared += rate * (2.0 * inner + rate / order)
        else:
            rates[j] = 0.0
        higher = delay * (number * higher - rate)
        mixed += higher
        number -= 1.0
    away = s.stretch - following
    stretched -= following
    if not fastest <= abs(following):
        return 0.0, 0.0, -1.0
    if delay == 0.0:
        if abs(away) > _IMPOSED * abs(following):
            return 0.0, 0.0, -1.0
        return stretched - away, 0.0, fastest / step_size
    decay = exp(-1.0 / delay)
    relaxing = away / delay
    squared -= 2.0 * relaxing * (mixed * decay - higher)
    squared += 0.5 * relaxing * away * (1.0 - decay * decay)
    stretched -= away * (1.0 - decay)
    fastest += abs(relaxing)
    return stretched, max(0.0, damping / step_size * squared), fastest / step_size
