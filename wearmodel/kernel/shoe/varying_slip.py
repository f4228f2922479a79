"""Slip of the mass as a series with any friction law, and the cone of stick.

    m ü + c u̇ + k u = f_t + F_T,   F_T = −s μ(|u̇|) F_N

`contact.friction` defines the law. The recurrence of its exponential decay is written out here,
because it is most of the cost of a step in slip.
"""

from __future__ import annotations

from ..contact.friction import (
    LONGEST_REACH,
    SAME_BOUND,
    SHORTEST,
    coefficient_term,
    decaying_term,
    friction_terms,
    holds_by_either,
    holds_by_speed,
    is_cubic,
    knot_exit,
    overlooks_decay,
)
from ..limits import PENALISED_FRICTION, PENALTY, SERIES_LENGTH
from ..series.arithmetic import LAST_TERM, SHARE_BEFORE, ends, product_term, shortening
from ..series.oscillator import oscillator_series
from ..series.polynomials import clear_rounding, integrate_product, integrate_square, size_over
from .parameters import Parameters
from .state_objects import State, Work


def fill_holding_bound(p: Parameters, s: State, length: float, work: Work) -> float:
    """Write the series of the largest friction force in stick, max(μ_s, μ(|u̇|)) F_N.

    The motion and F_N are in the work rows. If the bound is μ(|u̇|) F_N, `work.drive` receives the
    series of μ(|u̇|) − μ_s. Returns 0.0, or the length [s] of a piece over which it converges.
    """
    counts = work.counts
    force = work.force
    bound = work.bound
    force_count = int(counts.force)
    counts.bound_by_speed = 0.0
    velocities = work.velocity
    motion_count = int(counts.motion)
    if p.holding_varies != 0.0 and holds_by_either(p, size_over(velocities, motion_count, 1.0)):
        counts.bound_by_speed = -1.0
    # From rest the speed increases, even if the acceleration is still 0.
    acceleration = velocities[1] if s.velocity != 0.0 else heading(velocities, motion_count)
    if counts.bound_by_speed < 0.0 or not holds_by_speed(p, s.velocity, acceleration):
        static = p.friction_coefficient_static
        for j in range(force_count):
            bound[j] = static * force[j]
        counts.bound = counts.force
        return 0.0
    facing = heading(velocities, motion_count)
    coefficients = work.drive
    exponentials = work.guard
    for j in range(motion_count, SERIES_LENGTH):
        velocities[j] = 0.0
    largest = 0.0
    for j in range(SERIES_LENGTH):
        coefficients[j] = coefficient_term(p, facing, velocities, exponentials, j)
        bound[j] = product_term(coefficients, SERIES_LENGTH, force, force_count, j)
        largest = max(largest, abs(bound[j]))
    excess = coefficients[0] - p.friction_coefficient_static
    coefficients[0] = excess if abs(excess) > SAME_BOUND * p.friction_coefficient_static else 0.0
    counts.bound = float(SERIES_LENGTH)
    counts.bound_by_speed = 1.0
    if not length > SHORTEST:
        return 0.0
    if not ends(bound, SERIES_LENGTH, largest):
        return length * shortening(bound, SERIES_LENGTH, largest)
    plain = p.friction_coefficient + p.viscous_friction * facing * s.velocity
    if overlooks_decay(p, facing, plain, velocities, motion_count):
        return 0.5 * length
    return 0.0


def fill_slip_motion(
    p: Parameters, s: State, forcing_count: int, length: float, work: Work
) -> float:
    """Write u, u̇ and F_T = −s μ F_N of slip over a piece of `length` [s] into the work rows.

        m ü + c u̇ + k u = f_t + F_T

    Returns 0.0, or the length [s] of a piece over which its series converge.
    """
    counts = work.counts
    force = work.force
    force_count = int(counts.force)
    forcing = work.tangential_forcing
    friction = work.friction
    velocities = work.velocity
    if p.constant_friction >= 0.0 and p.curvature == 0.0:
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
        work.displacement[0] = s.displacement
        velocities[0] = s.velocity
        counts.motion = float(
            oscillator_series(
                counts.mass,
                counts.damping,
                counts.stiffness,
                length,
                drive,
                drive_count,
                work.displacement,
                velocities,
            )
        )
        return 0.0

    penalised = p.tangential_law == PENALISED_FRICTION
    facing = s.sliding
    if penalised:
        facing = -1.0 if s.velocity < 0.0 else 1.0
    count, shorter = varying_slip_series(p, s, facing, length, forcing_count, force_count, work)
    clear_rounding(velocities, count)
    if penalised and s.velocity == 0.0 and heading(velocities, count) == -facing:
        # From rest the mass moves in the other direction.
        count, shorter = varying_slip_series(
            p, s, -facing, length, forcing_count, force_count, work
        )
        clear_rounding(velocities, count)
    counts.motion = float(count)
    counts.friction = count - 1.0
    if shorter > 0.0 and length > SHORTEST:
        return length * shorter
    return 0.0


def heading(velocities: list[float], count: int) -> float:
    """Direction ±1 at the start of a motion, also from rest. 0 if it stays at rest."""
    for j in range(count):
        if velocities[j] > 0.0:
            return 1.0
        if velocities[j] < 0.0:
            return -1.0
    return 0.0


def knot_ahead(p: Parameters, count: int, work: Work) -> float:
    """Position in [0, 1] where the speed |u̇| reaches a knot of the friction table."""
    facing = heading(work.velocity, count)
    return knot_exit(p, facing, work.velocity, count, work.guard, work.scratch)


def varying_slip_series(
    p: Parameters,
    s: State,
    facing: float,
    length: float,
    forcing_count: int,
    force_count: int,
    work: Work,
) -> tuple[int, float]:
    """Series of a slip whose friction depends on its own velocity, |u̇| = facing·u̇.

    Returns the number of coefficients of u and u̇, one more than of F_T, and the share to which the
    piece should be shortened, or 0.0.

    v_{j+1} = τ (f_j − s Σ μ_i F_{j−i} − c v_j − k x_j)/(m (j + 1)),   x_{j+1} = τ v_j/(j + 1)
    (j + 1) e_{j+1} = Σ (−|v|'/v_s)_i e_{j−i}    for e = e^(−|u̇|/v_s)

    It is one function because each order of u̇, F_T and e needs the lower orders of the others.
    """
    forcing = work.tangential_forcing
    force = work.force
    positions = work.displacement
    velocities = work.velocity
    friction = work.friction
    coefficients = work.drive
    exponentials = work.guard
    rates = work.scratch
    sliding = s.sliding
    speed = s.velocity
    viscous, drop, decaying, slope, exponent = friction_terms(p, facing, speed)
    counts = work.counts
    mass = counts.mass
    damping = counts.damping
    stiffness = counts.stiffness
    curvature = p.curvature
    if force_count == 1:
        stiffness += curvature * force[0]
    is_held = damping != 0.0 or stiffness != 0.0
    factor = length / mass if mass > 0.0 else 0.0
    signed = -sliding * force[0]
    cubic = is_cubic(p)
    # The cubic can begin with the order 6, see `is_cubic`.
    given_count = max(forcing_count, force_count) * (6 if cubic else 1)
    place = s.displacement
    positions[0] = place
    velocities[0] = speed
    exponentials[0] = decaying
    coefficient = p.friction_coefficient
    plain = coefficient + viscous * speed
    largest = abs(speed)
    largest_friction = 0.0
    before = largest
    friction_before = 0.0
    order = 0
    number = 0.0  # order as a float
    for j in range(SERIES_LENGTH - 1):
        order = j + 1
        number += 1.0
        coefficient += viscous * speed + drop * decaying
        if force_count == 1:
            term = signed * coefficient
            drive = term
        else:
            coefficients[j] = coefficient
            term = -sliding * product_term(coefficients, order, force, force_count, j)
            drive = term
            if curvature != 0.0:
                drive -= curvature * product_term(positions, order, force, force_count, j)
        coefficient = 0.0
        friction[j] = term
        if is_held:
            drive -= damping * speed + stiffness * place
        if j < forcing_count:
            drive += forcing[j]
        rate = factor * drive
        if j == 0:
            reach = abs(slope * factor * signed) + abs(exponent * rate)
            if reach > LONGEST_REACH and length > SHORTEST:
                return 1, 0.8 * LONGEST_REACH / reach
        # The only division, independent of the other terms.
        inverse = 1.0 / number
        place = length * speed * inverse
        speed = rate * inverse
        positions[order] = place
        velocities[order] = speed
        size = abs(speed)
        if size > largest:
            largest = size
        friction_size = abs(term)
        if cubic and j > 1:
            friction_size += abs(friction[j - 1]) + abs(friction[j - 2])
        if friction_size > largest_friction:
            largest_friction = friction_size
        if (
            j >= given_count
            and size + SHARE_BEFORE * before <= LAST_TERM * largest
            and friction_size + SHARE_BEFORE * friction_before <= LAST_TERM * largest_friction
        ):
            if drop != 0.0 and overlooks_decay(p, facing, plain, velocities, order + 1):
                return order + 1, 0.5
            return order + 1, 0.0
        before = size
        friction_before = friction_size
        if exponent != 0.0:
            rates[j] = exponent * rate
            total = 0.0
            for i in range(order):
                total += rates[i] * exponentials[j - i]
            decaying = total * inverse
            exponentials[order] = decaying
        elif drop != 0.0:
            decaying = decaying_term(p, facing, velocities, exponentials, order)
    count = order + 1
    shown = not cubic or ends(friction, order - 1, largest_friction)
    if shown and ends(velocities, count, largest) and ends(friction, order, largest_friction):
        if drop != 0.0 and overlooks_decay(p, facing, plain, velocities, count):
            return count, 0.5
        return count, 0.0
    return count, min(
        shortening(velocities, count, largest), shortening(friction, order, largest_friction)
    )


def dissipated(p: Parameters, wear: float, end: float, work: Work) -> float:
    """Energy [J] dissipated by friction up to `end` of a piece in slip with the work `wear` [J]."""
    if p.constant_friction >= 0.0:
        return p.constant_friction * wear
    counts = work.counts
    taken = integrate_product(work.friction, int(counts.friction), work.slip, int(counts.slip), end)
    return max(0.0, -taken * counts.piece_length)


def damper_heat(p: Parameters, sliding: float, end: float, length: float, work: Work) -> float:
    """∫ C_N ẇ² dt + ∫ C_T ė² dt [J] of a piece in contact, with ė = u̇ in stick."""
    counts = work.counts
    heat = 0.0
    damping = p.contact_damping
    if p.normal_law == PENALTY and damping > 0.0:
        count = int(counts.normal)
        heat += damping * length * integrate_square(work.normal_velocity, count, end)
    damping = p.tangential_damping
    if p.tangential_law == PENALISED_FRICTION and damping > 0.0:
        if sliding == 0.0:
            count = int(counts.motion)
            heat += damping * length * integrate_square(work.velocity, count, end)
        else:
            stretches = work.stretch
            rates = work.scratch
            count = int(counts.stretch)
            for j in range(1, count):
                rates[j - 1] = j * stretches[j]
            heat += damping / length * integrate_square(rates, count - 1, end)
    return heat
