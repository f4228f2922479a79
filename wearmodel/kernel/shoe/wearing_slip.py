"""Slip in which wear opens the gap: coupled series of both directions and the wear depth.

    gap  = distance to the plane + h,   ḣ = β F_N |slip velocity|
    β    = wear_time_scale · archard_coefficient / wear_area
    F_N  = −K_N gap − C_N ẇ             the damper acts on the mass's own velocity
    m ẅ = f_n − c_n ẇ − k_n w ± F_N,   m ü = f_t − c u̇ − k u + F_T,   F_T = −s μ(|u̇|) F_N

The contact is penalised, with both laws of friction. In flight and stick the depth is constant and
the modes are linear, see `normal` and `tangential`. Source: Archard, J. Appl. Phys. 24 (1953).
"""

from __future__ import annotations

from math import sqrt

from ..contact.friction import (
    LONGEST_REACH,
    SHORTEST,
    decaying_term,
    friction_terms,
    is_cubic,
    overlooks_decay,
    sliding_friction,
)
from ..contact.wear import anchor_runs_away
from ..limits import PENALISED_FRICTION, SERIES_LENGTH
from ..series.arithmetic import LAST_TERM, SHARE_BEFORE, ends, product_term, shortening
from ..series.roots import UNDECIDED
from .normal import gap_to
from .parameters import Parameters
from .state_objects import State, Work

# Result of `fill_wearing_slip` if wear opens the gap faster than the friction spring, which has no
# damper, can follow.
RUNAWAY = -1.0


def fill_wearing_slip(
    p: Parameters, s: State, tangential_count: int, normal_count: int, length: float, work: Work
) -> float:
    """Write all series of a slip over a piece of `length` [s] into the work rows.

    Returns 0.0, the length [s] of a piece over which its series converge, or RUNAWAY. It is one
    function because each order of each series needs the lower orders of all others.
    """
    penalised = p.tangential_law == PENALISED_FRICTION
    stiffness = p.tangential_stiffness
    damping = p.tangential_damping
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
    exponent_rates = work.scratch
    contact_stiffness = p.contact_stiffness
    contact_damping = p.contact_damping
    tangential_mass = counts.mass
    tangential_damping = counts.damping
    tangential_stiffness = counts.stiffness
    normal_damping = p.normal_damping
    normal_stiffness = p.normal_stiffness
    curvature = p.curvature
    is_held = tangential_damping != 0.0 or tangential_stiffness != 0.0
    is_hung = normal_damping != 0.0 or normal_stiffness != 0.0
    zeros_slip = s.zeros_slip
    zeros_force = s.zeros_force
    factor = length / p.mass
    tangential_factor = length / tangential_mass if tangential_mass > 0.0 else 0.0
    worn = length * p.opening_per_work * sliding
    height = s.normal_displacement
    rate = s.normal_velocity
    place = s.displacement
    speed = s.velocity
    positions[0] = height
    rates[0] = rate
    displacements[0] = place
    velocities[0] = speed
    stretches[0] = s.stretch
    opening[0] = 0.0
    push = -contact_stiffness * gap_to(p, s, plane, height) - contact_damping * plane * rate
    if zeros_force > 0.0:
        push = 0.0
    force[0] = push
    constant = p.constant_friction
    coefficients[0] = constant
    facing = sliding
    viscous = 0.0
    drop = 0.0
    decaying = 0.0
    slope = 0.0
    exponent = 0.0
    if constant < 0.0:
        if penalised:
            facing = -1.0 if speed < 0.0 else 1.0
            if speed == 0.0:
                # At rest the sum of forces determines the direction, with μ_0 in both directions.
                drive = tangential_forcing[0] - tangential_stiffness * place
                drive -= p.curvature * push * place
                drive -= sliding * sliding_friction(p, 0.0) * push
                facing = -1.0 if drive < 0.0 else 1.0
        viscous, drop, decaying, slope, exponent = friction_terms(p, facing, speed)
        exponentials[0] = decaying
        coefficients[0] = sliding_friction(p, speed)
    can_run_away = penalised and damping == 0.0
    if can_run_away and anchor_runs_away(p, coefficients[0], contact_stiffness, push, stiffness):
        return RUNAWAY
    signed = -sliding * constant
    # Factor that converts a normal velocity to a force.
    impedance = sqrt(p.mass * contact_stiffness)
    # Series with a cubic have gaps, see `is_cubic`. They are computed to their full length.
    given_count = SERIES_LENGTH if is_cubic(p) else max(tangential_count, normal_count)
    force_before = abs(push) + impedance * abs(rate)
    velocity_before = abs(speed)
    slip_before = 0.0
    # With constant μ, the check of the contact force also covers the friction force.
    friction_size = 0.0
    friction_before = 0.0
    largest_friction = 0.0
    largest_force = force_before
    largest_velocity = velocity_before
    largest_slip = 0.0
    is_last = False
    order = 0
    number = 0.0  # order as a float
    for j in range(SERIES_LENGTH - 1):
        order = j + 1
        number += 1.0
        # The only division, independent of the other terms.
        inverse = 1.0 / number
        if constant >= 0.0:
            term = signed * push
        else:
            term = -sliding * product_term(coefficients, order, force, order, j)
        friction[j] = term
        drive = term
        if curvature != 0.0:
            drive -= curvature * product_term(force, order, displacements, order, j)
        if is_held:
            drive -= tangential_damping * speed + tangential_stiffness * place
        if j < tangential_count:
            drive += tangential_forcing[j]
        normal_drive = plane * push
        if is_hung:
            normal_drive -= normal_damping * rate + normal_stiffness * height
        if j < normal_count:
            normal_drive += normal_forcing[j]
        sliding_speed = speed
        place = length * speed * inverse
        speed = tangential_factor * drive * inverse
        height = length * rate * inverse
        rate = factor * normal_drive * inverse
        displacements[order] = place
        velocities[order] = speed
        positions[order] = height
        rates[order] = rate
        if constant < 0.0:
            if j == 0:
                reach = abs(slope * tangential_factor * force[0])
                reach += abs(exponent * tangential_factor * drive)
                if reach > LONGEST_REACH and length > SHORTEST:
                    return length * 0.8 * LONGEST_REACH / reach
            friction_size = abs(term)
            largest_friction = max(largest_friction, friction_size)
            coefficient = viscous * speed
            if exponent != 0.0:
                exponent_rates[j] = exponent * tangential_factor * drive
                total = product_term(exponent_rates, order, exponentials, order, j)
                decaying = total * inverse
                exponentials[order] = decaying
                coefficient += drop * decaying
            elif drop != 0.0:
                decaying = decaying_term(p, facing, velocities, exponentials, order)
                coefficient += drop * decaying
            coefficients[order] = coefficient
        # The next coefficient of F_N without the depth's contribution.
        push = -plane * (contact_stiffness * height + contact_damping * rate)
        # The depth's next coefficient is `worn`/order · (`earlier` + F_0 · slip coefficient).
        earlier = 0.0
        for i in range(1, order):
            earlier += force[i] * slip[j - i]
        if penalised:
            if damping > 0.0:
                stretch = length * (-term - stiffness * stretches[j]) / (damping * number)
                stretches[order] = stretch
                sliding_speed -= number * stretch / length
            else:
                # e = s μ F_N/K_T depends on the depth's next coefficient, which depends on u̇ − ė.
                stretches[j] = -term / stiffness
                slope = number * sliding / (length * stiffness)
                bound = constant * push
                if constant < 0.0:
                    force[order] = push
                    bound = product_term(coefficients, order + 1, force, order + 1, order)
                sliding_speed -= slope * bound
                gain = coefficients[0] * contact_stiffness * slope
                deeper = worn * inverse * (earlier + force[0] * sliding_speed)
                deeper /= 1.0 - worn * inverse * force[0] * gain
                sliding_speed += gain * deeper
        if j < zeros_slip:
            sliding_speed = 0.0
        slip[j] = sliding_speed
        deeper = worn * inverse * (earlier + force[0] * sliding_speed)
        opening[order] = deeper
        push -= contact_stiffness * deeper
        if order < zeros_force:
            push = 0.0
        force[order] = push
        force_size = abs(push) + impedance * abs(rate)
        velocity_size = abs(speed)
        slip_size = 0.0
        largest_force = max(largest_force, force_size)
        largest_velocity = max(largest_velocity, velocity_size)
        if penalised:
            slip_size = abs(sliding_speed)
            largest_slip = max(largest_slip, slip_size)
        if (
            j >= given_count
            and force_size + SHARE_BEFORE * force_before <= LAST_TERM * largest_force
            and velocity_size + SHARE_BEFORE * velocity_before <= LAST_TERM * largest_velocity
            and friction_size + SHARE_BEFORE * friction_before <= LAST_TERM * largest_friction
            and slip_size + SHARE_BEFORE * slip_before <= LAST_TERM * largest_slip
        ):
            is_last = True
            break
        force_before = force_size
        velocity_before = velocity_size
        friction_before = friction_size
        slip_before = slip_size
    count = order + 1
    counts.normal = float(count)
    counts.motion = float(count)
    counts.force = float(count)
    counts.force_exit = UNDECIDED  # wear has changed the force
    counts.opening = float(count)
    # One coefficient fewer, because they determine the rates of the others.
    counts.friction = count - 1.0
    counts.slip = count - 1.0
    counts.stretch = 0.0
    if penalised:
        counts.stretch = count - 1.0 if damping == 0.0 else float(count)
    if not length > SHORTEST:
        return 0.0
    if drop != 0.0:
        plain = coefficients[0] - drop * exponentials[0]
        if overlooks_decay(p, facing, plain, velocities, count):
            return 0.5 * length
    if is_last or (
        ends(force, count, largest_force)
        and ends(velocities, count, largest_velocity)
        and (not is_cubic(p) or ends(velocities, count - 1, largest_velocity))
        and ends(rates, count, largest_force / impedance)
        and (not penalised or ends(slip, count - 1, largest_slip))
    ):
        return 0.0
    share = min(
        shortening(force, count, largest_force), shortening(velocities, count, largest_velocity)
    )
    share = min(share, shortening(rates, count, largest_force / impedance))
    if penalised:
        share = min(share, shortening(slip, count - 1, largest_slip))
    return length * share
