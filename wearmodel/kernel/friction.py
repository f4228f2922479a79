"""The law of friction: all that the rest of the kernel asks of it.

    μ(v)    = μ_d + (μ_0 − μ_d) e^(−v/v_s) + η v       v = |u̇|, the mass's speed along the support
    slip    F_T = −s μ(|u̇|) F_N         s the direction of slip, F_T the force on the mass
    stick   |F_T| ≤ max(μ_s, μ(|u̇|)) F_N,   μ_s ≥ μ_0
    impact  m d|u̇|/dP = −μ(|u̇|) until |u̇| = 0, over the normal impulse P = m (1 + e)|v_n|

Without the last two terms it is Coulomb's law, μ = μ_d. In stick the mass moves only where friction
is penalised; there a cone narrower than what slip would bear at once would be left and entered
without end. Wear work is ∫ F_N |slip velocity| dt, friction work ∫ |F_T| |slip velocity| dt.
Whether F_T acts on the mass directly or through a spring and a damper is not the law's concern: see
`tangential`; a structure's contacts have a force vector, in `modal_contact`, and ask for the same
law by its coefficients. No coefficient of a `FrictionalShock` is read anywhere else in the kernel.

Sources: the exponential law of Bowden and Leben; Constantinou, Mokha and Reinhorn, Teflon bearings
in base isolation II, J. Struct. Eng. 116 (1990) for μ_0 < μ_d; the impact is the limit of a stiff
contact, Keller, Impact with friction, J. Appl. Mech. 53 (1986).
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from .limits import NEGLIGIBLE, NEVER, PENALISED_FRICTION, SERIES_LENGTH
from .oscillator import oscillator_series
from .roots import first_exit
from .series import evaluate, integrate_product
from .series_arithmetic import (
    LAST_TERM,
    SHARE_BEFORE,
    ends,
    exponential_term,
    product_term,
    shortening,
)

if TYPE_CHECKING:
    from .records import Parameters, State, Work

# Numbers of the rules between its parameters, beside those of `rules`.
STATIC_BELOW_DYNAMIC = 1
STATIC_BELOW_SLOW = 9
SLOW_WITHOUT_DECAY = 10
DECAY_TOO_SHORT = 18
# Shortest v_s [m/s]: below it a slip that turns needs more pieces than a step may have.
SHORTEST_DECAY = 1e-9

# A piece over which the exponent or the velocity's own decay would change by more than this has no
# short series.
LONGEST_REACH = 1.0
# The shortest piece [s, or N.s at an impact] that is made shorter still: numbers whose series needs
# that are no motion, and the step's events and pieces are counted.
SHORTEST = 1e-40
# μ_s and a μ(|u̇|) within this share of it are the same, and their rates decide which is larger.
SAME_BOUND = 1e-12
# An exponential that starts above this share of the rest of μ is seen where a series is judged.
_SEEN = 1e-10
# A share of μ that changes no velocity by more than a rounding.
_UNFELT = 1e-17


def complete_friction(p: Parameters) -> None:
    """Replace coefficients that stand for other ones: a negative μ_0 is μ_d, a negative μ_s μ_0."""
    if p.friction_coefficient_slow < 0.0:
        p.friction_coefficient_slow = p.friction_coefficient
    if p.friction_coefficient_static < 0.0:
        p.friction_coefficient_static = p.friction_coefficient_slow
    p.constant_friction = p.friction_coefficient
    if p.viscous_friction > 0.0 or p.friction_coefficient_slow != p.friction_coefficient:
        p.constant_friction = -1.0
    p.holding_varies = 0.0
    if p.tangential_law == PENALISED_FRICTION and (
        p.viscous_friction > 0.0 or p.friction_coefficient > p.friction_coefficient_static
    ):
        p.holding_varies = 1.0


def friction_rule(p: Parameters) -> tuple[int, float, float]:
    """Number of the rule that the declared values break, 0 for none, and two values to show."""
    return coefficient_rule(
        p.friction_coefficient,
        p.friction_coefficient_slow,
        p.friction_decay_velocity,
        p.friction_coefficient_static,
    )


def coefficient_rule(
    fast: float, slow: float, decay: float, static: float
) -> tuple[int, float, float]:
    """As `friction_rule`, of the declared μ_d, μ_0, v_s [m/s] and μ_s."""
    if 0.0 < decay < SHORTEST_DECAY:
        return DECAY_TOO_SHORT, decay, SHORTEST_DECAY
    if slow < 0.0:
        if 0.0 <= static < fast:
            return STATIC_BELOW_DYNAMIC, static, fast
        return 0, 0.0, 0.0
    if decay == 0.0:
        return SLOW_WITHOUT_DECAY, slow, 0.0
    if 0.0 <= static < slow:
        return STATIC_BELOW_SLOW, static, slow
    return 0, 0.0, 0.0


def sliding_friction(p: Parameters, velocity: float) -> float:
    """Coefficient μ in slip where the mass moves along the support with u̇ = `velocity` [m/s]."""
    if p.constant_friction >= 0.0:
        return p.constant_friction
    return friction_at(
        p.friction_coefficient,
        p.friction_coefficient_slow,
        p.friction_decay_velocity,
        p.viscous_friction,
        abs(velocity),
    )


def friction_at(fast: float, slow: float, decay: float, viscous: float, speed: float) -> float:
    """μ_d + (μ_0 − μ_d) e^(−v/v_s) + η v at a speed v ≥ 0 [m/s]; without exponential if v_s = 0."""
    friction = slow + viscous * speed
    if decay > 0.0:
        # Exactly μ_0 at rest.
        friction -= (slow - fast) * (1.0 - exp(-speed / decay))
    return friction


def linear_friction(p: Parameters) -> tuple[float, float]:
    """μ_0 and η [s/m] where μ(v) = μ_0 + η v; η = −1 where it is not of this form."""
    slow = p.friction_coefficient_slow
    if slow == p.friction_coefficient:
        return slow, p.viscous_friction
    return slow, -1.0


def friction_terms(p: Parameters, facing: float) -> tuple[float, float, float]:
    """η, μ_0 − μ_d and −1/v_s of μ_d + (μ_0 − μ_d) e^(−v/v_s) + η v where v = `facing`·u̇, in u̇."""
    drop = p.friction_coefficient_slow - p.friction_coefficient
    exponent = 0.0
    if drop != 0.0:
        exponent = -facing / p.friction_decay_velocity
    return p.viscous_friction * facing, drop, exponent


def friction_slope(p: Parameters, velocity: float) -> float:
    """dμ/d|u̇| [s/m] at u̇ = `velocity` [m/s]; negative where friction weakens with speed."""
    return slope_at(
        p.friction_coefficient,
        p.friction_coefficient_slow,
        p.friction_decay_velocity,
        p.viscous_friction,
        abs(velocity),
    )


def slope_at(fast: float, slow: float, decay: float, viscous: float, speed: float) -> float:
    """dμ/dv [s/m] at a speed v ≥ 0 [m/s], see `friction_at`."""
    slope = viscous
    if decay > 0.0:
        slope -= (slow - fast) / decay * exp(-speed / decay)
    return slope


def holding_bound(p: Parameters, normal_force: float) -> float:
    """Friction force [N] that stick bears at any velocity, μ_s F_N."""
    return p.friction_coefficient_static * normal_force


def holds(p: Parameters, velocity: float, friction: float, normal_force: float) -> bool:
    """Whether stick bears the friction force [N] where the mass has u̇ = `velocity` [m/s]."""
    coefficient = p.friction_coefficient_static
    if p.holding_varies != 0.0:
        coefficient = max(coefficient, sliding_friction(p, velocity))
    return abs(friction) <= coefficient * normal_force


def holds_by_speed(p: Parameters, velocity: float, acceleration: float) -> bool:
    """Whether in stick μ(|u̇|), not μ_s, bounds the friction force from here on.

    `velocity` is u̇ [m/s]; of ü only the sign counts, where both coefficients are the same.
    """
    if p.holding_varies == 0.0:
        return False
    static = p.friction_coefficient_static
    excess = sliding_friction(p, velocity) - static
    if abs(excess) > SAME_BOUND * static:
        return excess > 0.0
    speeding = acceleration if velocity > 0.0 else -acceleration
    if velocity == 0.0:
        speeding = abs(acceleration)
    return friction_slope(p, velocity) * speeding > 0.0


def keeps_force(p: Parameters, velocity: float) -> bool:
    """Whether F_T does not jump where stick becomes slip, or slip stick, at u̇ = `velocity`."""
    return sliding_friction(p, velocity) >= p.friction_coefficient_static


def fill_holding_bound(p: Parameters, s: State, length: float, work: Work) -> float:
    """Write the series of the largest friction force in stick, max(μ_s, μ(|u̇|)) F_N.

    The motion and F_N lie in the work rows. Returns 0.0, or how long [s] the piece should be for
    the series to end.
    """
    counts = work.counts
    force = work.force
    bound = work.bound
    force_count = int(counts.force)
    counts.bound_by_speed = 0.0
    velocities = work.velocity
    if p.holding_varies == 0.0 or not holds_by_speed(p, s.velocity, velocities[1]):
        static = p.friction_coefficient_static
        for j in range(force_count):
            bound[j] = static * force[j]
        counts.bound = counts.force
        return 0.0
    facing = heading(velocities, int(counts.motion))
    coefficients = work.drive
    exponentials = work.guard
    motion_count = int(counts.motion)
    for j in range(motion_count, SERIES_LENGTH):
        velocities[j] = 0.0
    largest = 0.0
    for j in range(SERIES_LENGTH):
        coefficients[j] = coefficient_term(p, facing, velocities, exponentials, j)
        bound[j] = product_term(coefficients, SERIES_LENGTH, force, force_count, j)
        largest = max(largest, abs(bound[j]))
    counts.bound = float(SERIES_LENGTH)
    counts.bound_by_speed = 1.0
    if not length > SHORTEST:
        return 0.0
    if not ends(bound, SERIES_LENGTH, largest):
        return length * shortening(bound, SERIES_LENGTH, largest)
    viscous, drop, exponent = friction_terms(p, facing)
    if drop != 0.0:
        plain = p.friction_coefficient + viscous * s.velocity
        if overlooks_exponential(plain, drop, exponent, velocities, motion_count):
            return 0.5 * length
    return 0.0


def fill_slip_motion(
    p: Parameters, s: State, forcing_count: int, length: float, work: Work
) -> float:
    """Write u, u̇ and F_T = −s μ F_N of slip over a piece of `length` [s] into the work rows.

        m ü + c u̇ + k u = f_t + F_T

    Returns 0.0, or how long [s] the piece should be for its series to end.
    """
    counts = work.counts
    force = work.force
    force_count = int(counts.force)
    forcing = work.tangential_forcing
    friction = work.friction
    positions = work.displacement
    velocities = work.velocity
    if p.constant_friction >= 0.0:
        drive = work.drive
        drive_count = max(forcing_count, force_count)
        for j in range(forcing_count):
            drive[j] = forcing[j]
        for j in range(forcing_count, drive_count):
            drive[j] = 0.0
        signed = -s.sliding * p.constant_friction
        for j in range(force_count):
            friction[j] = signed * force[j]
            drive[j] += friction[j]
        counts.friction = counts.force
        counts.motion = float(
            oscillator_series(
                p.mass,
                p.damping,
                p.stiffness,
                length,
                drive,
                drive_count,
                s.displacement,
                s.velocity,
                positions,
                velocities,
            )
        )
        return 0.0

    penalised = p.tangential_law == PENALISED_FRICTION
    facing = s.sliding
    if penalised:
        facing = -1.0 if s.velocity < 0.0 else 1.0
    count, shorter = varying_slip_series(
        p, s, facing, length, forcing, forcing_count, force, force_count, work
    )
    if penalised and s.velocity == 0.0 and heading(velocities, count) == -facing:
        # At a standstill it sets out the other way.
        count, shorter = varying_slip_series(
            p, s, -facing, length, forcing, forcing_count, force, force_count, work
        )
    counts.motion = float(count)
    counts.friction = count - 1.0
    if shorter > 0.0 and length > SHORTEST:
        return length * shorter
    return 0.0


def heading(velocities: list[float], count: int) -> float:
    """Direction ±1 in which a motion sets out that may start at rest; 0 where it stays at rest."""
    for j in range(count):
        if velocities[j] > 0.0:
            return 1.0
        if velocities[j] < 0.0:
            return -1.0
    return 0.0


def coefficient_term(
    p: Parameters,
    facing: float,
    velocities: list[float],
    exponentials: list[float],
    order: int,
) -> float:
    """Coefficient of the given order of μ(|u̇|) where |u̇| = facing·u̇; keeps that of e^(−|u̇|/v_s)."""
    if p.constant_friction >= 0.0:
        return p.constant_friction if order == 0 else 0.0
    return friction_term(
        p.friction_coefficient,
        p.friction_coefficient_slow,
        p.friction_decay_velocity,
        p.viscous_friction,
        facing,
        velocities,
        exponentials,
        order,
    )


def friction_term(
    fast: float,
    slow: float,
    decay: float,
    viscous: float,
    facing: float,
    velocities: list[float],
    exponentials: list[float],
    order: int,
) -> float:
    """As `coefficient_term`, see `friction_at`."""
    term = viscous * facing * velocities[order]
    if decay > 0.0:
        exponential = exponential_term(velocities, -facing / decay, exponentials, order)
        exponentials[order] = exponential
        term += (slow - fast) * exponential
    if order == 0:
        term += fast
    return term


def overlooks_exponential(
    plain: float, drop: float, exponent: float, velocities: list[float], count: int
) -> bool:
    """Whether a series may have ended before its e^(−|u̇|/v_s) had grown to what counts.

    Far above v_s the exponential starts below the rounding of `plain`, the rest of μ: so do its
    first terms, however large the later ones are. With a = exponent·u̇ its coefficients have

        j |e_j| ≤ Σ_{i≥1} i |a_i| · max(|e_0| … |e_{j−1}|)

    and so have peaked once j exceeds that sum, which also bounds how far it grows.
    """
    if abs(drop) * exp(min(0.0, exponent * velocities[0])) > _SEEN * plain:
        return False
    reach = 0.0
    for j in range(1, count):
        reach += j * abs(velocities[j])
    reach *= abs(exponent)
    if 2.0 * reach <= count:
        return False
    return abs(drop) * exp(min(0.0, exponent * velocities[0] + reach)) > _UNFELT * plain


def varying_slip_series(
    p: Parameters,
    s: State,
    facing: float,
    length: float,
    forcing: list[float],
    forcing_count: int,
    force: list[float],
    force_count: int,
    work: Work,
) -> tuple[int, float]:
    """Series of a slip whose friction depends on its own velocity, |u̇| = facing·u̇.

    Returns the number of coefficients of u and u̇, one more than those of F_T, and 0.0 or to which
    share of its length the piece should be shortened.

    v_{j+1} = τ (f_j − s Σ μ_i F_{j−i} − c v_j − k x_j)/(m (j + 1)),   x_{j+1} = τ v_j/(j + 1)
    (j + 1) e_{j+1} = Σ (−|v|'/v_s)_i e_{j−i}    for e^(−|u̇|/v_s)
    """
    positions = work.displacement
    velocities = work.velocity
    friction = work.friction
    coefficients = work.drive
    exponentials = work.guard
    rates = work.scratch
    sliding = s.sliding
    viscous, drop, exponent = friction_terms(p, facing)
    damping = p.damping
    stiffness = p.stiffness
    is_held = damping != 0.0 or stiffness != 0.0
    factor = length / p.mass
    signed = -sliding * force[0]
    given_count = max(forcing_count, force_count)
    place = s.displacement
    speed = s.velocity
    positions[0] = place
    velocities[0] = speed
    exponential = 0.0
    slope = viscous
    if drop != 0.0:
        exponential = exp(exponent * speed)
        exponentials[0] = exponential
        slope += exponent * drop * exponential
    coefficient = p.friction_coefficient
    plain = coefficient + viscous * speed
    largest = abs(speed)
    largest_friction = 0.0
    before = largest
    friction_before = 0.0
    order = 0
    number = 0.0  # the same
    # As `coefficient_term`, written out: it is most of the cost of a step in slip.
    for j in range(SERIES_LENGTH - 1):
        order = j + 1
        number += 1.0
        coefficient += viscous * speed + drop * exponential
        if force_count == 1:
            term = signed * coefficient
        else:
            coefficients[j] = coefficient
            term = -sliding * product_term(coefficients, order, force, force_count, j)
        coefficient = 0.0
        friction[j] = term
        drive = term
        if is_held:
            drive -= damping * speed + stiffness * place
        if j < forcing_count:
            drive += forcing[j]
        rate = factor * drive
        if j == 0:
            reach = abs(slope * factor * signed) + abs(exponent * rate)
            if reach > LONGEST_REACH and length > SHORTEST:
                return 1, 0.8 * LONGEST_REACH / reach
        # One division, which waits for nothing.
        inverse = 1.0 / number
        place = length * speed * inverse
        speed = rate * inverse
        positions[order] = place
        velocities[order] = speed
        size = abs(speed)
        if size > largest:
            largest = size
        friction_size = abs(term)
        if friction_size > largest_friction:
            largest_friction = friction_size
        if (
            j >= given_count
            and size + SHARE_BEFORE * before <= LAST_TERM * largest
            and friction_size + SHARE_BEFORE * friction_before <= LAST_TERM * largest_friction
        ):
            if drop != 0.0 and overlooks_exponential(plain, drop, exponent, velocities, order + 1):
                return order + 1, 0.5
            return order + 1, 0.0
        before = size
        friction_before = friction_size
        if drop != 0.0:
            rates[j] = exponent * rate
            total = 0.0
            for i in range(order):
                total += rates[i] * exponentials[j - i]
            exponential = total * inverse
            exponentials[order] = exponential
    count = order + 1
    if ends(velocities, count, largest) and ends(friction, order, largest_friction):
        if drop != 0.0 and overlooks_exponential(plain, drop, exponent, velocities, count):
            return count, 0.5
        return count, 0.0
    return count, min(
        shortening(velocities, count, largest), shortening(friction, order, largest_friction)
    )


def dissipated(p: Parameters, wear: float, end: float, work: Work) -> float:
    """What friction takes [J] of a piece in slip up to `end`, whose wear work is `wear` [J]."""
    if p.constant_friction >= 0.0:
        return p.constant_friction * wear
    counts = work.counts
    taken = integrate_product(work.friction, int(counts.friction), work.slip, int(counts.slip), end)
    return max(0.0, -taken * counts.piece_length)


def rub_impact(p: Parameters, speed: float, impulse: float, work: Work) -> tuple[float, float]:
    """Speed [m/s] that an impact leaves of `speed` ≥ 0, and its wear work ∫ |u̇| dP [J].

    `impulse` is the normal impulse P [N.s]. Constant μ: with P_s = min(P, m |u̇⁻|/μ) the wear work
    is P_s (|u̇⁻| + |u̇⁺|)/2. Otherwise it is a slip in the time P under a contact force of 1.
    """
    mass = p.mass
    if p.constant_friction >= 0.0:
        friction = p.constant_friction
        after = max(0.0, speed - friction * impulse / mass)
        sliding_impulse = impulse
        if friction > 0.0:
            sliding_impulse = min(impulse, mass * speed / friction)
        return after, sliding_impulse * 0.5 * (speed + after)
    return _rub_varying_impact(p, speed, impulse, work)


def _rub_varying_impact(
    p: Parameters, speed: float, impulse: float, work: Work
) -> tuple[float, float]:
    velocities = work.velocity
    coefficients = work.drive
    exponentials = work.guard
    scratch = work.scratch
    viscous, drop, exponent = friction_terms(p, 1.0)
    wear = 0.0
    left = impulse
    length = impulse
    while left > 0.0 and speed > 0.0:
        length = min(length, left)
        velocities[0] = speed
        largest = speed
        count = 1
        is_short = False
        for j in range(SERIES_LENGTH - 1):
            coefficients[j] = coefficient_term(p, 1.0, velocities, exponentials, j)
            velocities[j + 1] = -length / p.mass * coefficients[j] / (j + 1)
            largest = max(largest, abs(velocities[j + 1]))
            count = j + 2
            if j > 0 and abs(velocities[j + 1]) + abs(velocities[j]) <= NEGLIGIBLE * largest:
                is_short = True
                break
        if not is_short and length > SHORTEST * impulse and not ends(velocities, count, largest):
            length *= shortening(velocities, count, largest)
            continue
        if drop != 0.0 and length > SHORTEST * impulse:
            plain = p.friction_coefficient + viscous * speed
            if overlooks_exponential(plain, drop, exponent, velocities, count):
                length *= 0.5
                continue
        position = first_exit(velocities, count, scratch)
        end = 1.0
        if position < NEVER:
            end = max(0.0, position)
        way = 0.0
        for j in range(count - 1, -1, -1):
            way = way * end + velocities[j] / (j + 1)
        wear += length * end * way
        if position < NEVER:
            return 0.0, wear
        speed = evaluate(velocities, count, 1.0)
        left -= length
        length *= 1.5
    return max(0.0, speed), wear


def anchor_jump(stretch: float, wanted: float, fall: float, rounding: float) -> float:
    """How far [m] a contact's anchor jumps on after a stretch where wear opens the gap meanwhile.

    F_N falls by K_N β = `fall` of the wear work, so that `stretch` − x = `wanted` e^(−fall x);
    `wanted` is the stretch that the force bears before.
    """
    excess = stretch - wanted
    for _ in range(50):
        left = exp(-fall * excess)
        error = stretch - excess - wanted * left
        excess += error / (1.0 - wanted * left * fall)
        if abs(error) <= rounding:
            break
    return excess


def stretch_per_force(friction_coefficient: float, tangential_stiffness: float) -> float:
    """Largest stretch of a friction spring per normal force [m/N]."""
    return friction_coefficient / tangential_stiffness
