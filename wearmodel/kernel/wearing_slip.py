"""Slip whose wear opens the gap while it lasts: both directions and the depth as one series.

    gap  = distance to the plane + h,   ḣ = β F_N |slip velocity|
    β    = wear_time_scale · archard_coefficient / wear_area
    F_N  = −K_N gap − C_N ẇ             the damper acts on the mass's own velocity
    m ẅ = f_n − c_n ẇ − k_n w ± F_N,   m ü = f_t − c u̇ − k u + F_T,   F_T = −s μ(|u̇|) F_N

Penalised contact, both laws of friction. In flight and stick the depth stands still and the modes
are linear: see `normal` and `tangential`. Source: Archard, J. Appl. Phys. 24 (1953).
"""

from __future__ import annotations

from .friction import SHORTEST, coefficient_term, sliding_friction
from .limits import NEGLIGIBLE, PENALISED_FRICTION, SERIES_LENGTH
from .normal import gap_to
from .records import Parameters, State, Work
from .series_arithmetic import ends, product_term, shortening

# What `fill_wearing_slip` answers where wear opens the gap faster than the friction spring, which
# has no damper, can follow.
RUNAWAY = -1.0
# Pieces safely within C_T/K_T, up to which the relaxing stretch has a series.
_RELAXING = 0.9


def wear_runs_away(p: Parameters, coefficient: float, normal_force: float) -> bool:
    """Whether μ K_N β F_N ≥ K_T: without damper the anchor's slip then speeds itself up."""
    opening = coefficient * p.contact_stiffness * p.opening_per_work * normal_force
    return opening >= p.tangential_stiffness


def fill_wearing_slip(
    p: Parameters,
    s: State,
    tangential_count: int,
    normal_count: int,
    length: float,
    work: Work,
) -> float:
    """Write all series of a slip over a piece of `length` [s] into the work rows.

    Returns 0.0, how long [s] the piece should be for its series to end, or RUNAWAY.
    """
    penalised = p.tangential_law == PENALISED_FRICTION
    stiffness = p.tangential_stiffness
    damping = p.tangential_damping
    if penalised and damping > 0.0 and length * stiffness > damping:
        return _RELAXING * damping / stiffness
    plane = s.contact
    sliding = s.sliding
    counts = work.counts
    tangential_forcing = work.tangential_forcing
    normal_forcing = work.normal_forcing
    positions = work.normal_displacement
    rates = work.normal_velocity
    force = work.force
    displacements = work.displacement
    velocities = work.velocity
    friction = work.friction
    stretches = work.stretch
    slip = work.slip
    opening = work.opening
    coefficients = work.drive
    exponentials = work.guard
    contact_stiffness = p.contact_stiffness
    contact_damping = p.contact_damping
    factor = length / p.mass
    worn = length * p.opening_per_work * sliding
    positions[0] = s.normal_displacement
    rates[0] = s.normal_velocity
    displacements[0] = s.displacement
    velocities[0] = s.velocity
    stretches[0] = s.stretch
    opening[0] = 0.0
    force[0] = -contact_stiffness * gap_to(p, s, plane, s.normal_displacement)
    force[0] -= contact_damping * plane * s.normal_velocity
    if s.zeros_force > 0.0:
        force[0] = 0.0
    facing = sliding
    if penalised:
        facing = -1.0 if s.velocity < 0.0 else 1.0
        if s.velocity == 0.0:
            # At a standstill it sets out as it is driven; μ_0 holds it either way.
            drive = tangential_forcing[0] - p.stiffness * s.displacement
            drive -= sliding * sliding_friction(p, 0.0) * force[0]
            facing = -1.0 if drive < 0.0 else 1.0
    coefficients[0] = coefficient_term(p, facing, velocities, exponentials, 0)
    if penalised and damping == 0.0 and wear_runs_away(p, coefficients[0], force[0]):
        return RUNAWAY
    given_count = max(tangential_count, normal_count)
    largest_force = 0.0
    largest_velocity = 0.0
    largest_slip = 0.0
    largest_rate = 0.0
    was_small = False
    count = 1
    for j in range(SERIES_LENGTH - 1):
        order = j + 1
        term = -sliding * product_term(coefficients, order, force, order, j)
        friction[j] = term
        drive = term - p.damping * velocities[j] - p.stiffness * displacements[j]
        if j < tangential_count:
            drive += tangential_forcing[j]
        velocities[order] = factor * drive / order
        displacements[order] = length * velocities[j] / order
        drive = plane * force[j] - p.normal_damping * rates[j] - p.normal_stiffness * positions[j]
        if j < normal_count:
            drive += normal_forcing[j]
        rates[order] = factor * drive / order
        positions[order] = length * rates[j] / order
        coefficients[order] = coefficient_term(p, facing, velocities, exponentials, order)
        # What the next coefficient of F_N is without the depth's.
        bare = -plane * (contact_stiffness * positions[order] + contact_damping * rates[order])
        # The depth's next coefficient is `worn`/order times this, and F_N's first times the slip's.
        earlier = product_term(force, order, slip, j, j)
        if not penalised:
            slip[j] = velocities[j]
        elif damping > 0.0:
            stretches[order] = length * (-term - stiffness * stretches[j]) / (damping * order)
            slip[j] = velocities[j] - order * stretches[order] / length
        else:
            # e = s μ F_N/K_T contains the depth of the next order, and the slip −ė of this one.
            stretches[j] = -term / stiffness
            force[order] = bare
            slope = order * sliding / (length * stiffness)
            bound = product_term(coefficients, order + 1, force, order + 1, order)
            slip[j] = velocities[j] - slope * bound
            gain = coefficients[0] * contact_stiffness * slope
            deeper = worn / order * (earlier + force[0] * slip[j])
            deeper /= 1.0 - worn / order * force[0] * gain
            slip[j] += gain * deeper
        if j < s.zeros_slip:
            slip[j] = 0.0
        opening[order] = worn / order * (earlier + force[0] * slip[j])
        force[order] = bare - contact_stiffness * opening[order]
        if order < s.zeros_force:
            force[order] = 0.0
        count = order + 1
        largest_force = max(largest_force, abs(force[j]))
        largest_velocity = max(largest_velocity, abs(velocities[j]))
        largest_rate = max(largest_rate, abs(rates[j]))
        largest_slip = max(largest_slip, abs(slip[j]))
        is_small = (
            j >= given_count
            and abs(force[order]) <= NEGLIGIBLE * largest_force
            and abs(velocities[order]) <= NEGLIGIBLE * largest_velocity
            and abs(rates[order]) <= NEGLIGIBLE * largest_rate
            and abs(slip[j]) <= NEGLIGIBLE * largest_slip
        )
        if is_small and was_small:
            break
        was_small = is_small
    counts.normal = float(count)
    counts.motion = float(count)
    counts.force = float(count)
    counts.opening = float(count)
    # Of order one less: they belong to the rates of the others.
    counts.friction = count - 1.0
    counts.slip = count - 1.0
    counts.stretch = 0.0
    if penalised:
        counts.stretch = count - 1.0 if damping == 0.0 else float(count)
    if count < SERIES_LENGTH or not length > SHORTEST:
        return 0.0
    if (
        ends(force, count, largest_force)
        and ends(velocities, count, largest_velocity)
        and ends(rates, count, largest_rate)
        and ends(slip, count - 1, largest_slip)
    ):
        return 0.0
    share = min(
        shortening(force, count, largest_force), shortening(velocities, count, largest_velocity)
    )
    share = min(share, shortening(rates, count, largest_rate))
    return length * min(share, shortening(slip, count - 1, largest_slip))
