"""Tangential direction: rigid and penalised Coulomb friction as series, and their guards.

    m ü = f_t(t) − c u̇ − k u + F_T,   f_t = −m A_t + P_t

rigid      stick: u̇ = 0, F_T = k u − f_t, |F_T| ≤ μ_s F_N; slip in direction s: F_T = −s μ_d F_N
penalised  an anchor a on the support, stretch e = u − a, F_T = −K_T e − C_T ė
           stick: ȧ = 0, |F_T| ≤ μ_s F_N;  slip in direction s: F_T = −s μ_d F_N, s ȧ ≥ 0
           ė = (−K_T e + s μ_d F_N)/C_T   (C_T = 0: e = s μ_d F_N/K_T)

The slip velocity is u̇ (rigid) or ȧ (penalised). Not modelled: a second tangential direction.
"""

from __future__ import annotations

from .layout import (
    ARREST,
    CONE_PLUS,
    CONTACT,
    CONTACT_STIFFNESS,
    COUNT_CONE_ZEROS,
    COUNT_FORCE,
    COUNT_FRICTION,
    COUNT_MOTION,
    COUNT_SLIP,
    COUNT_STRETCH,
    DAMPING,
    DISPLACEMENT,
    END_OF_PIECE,
    FRICTION_DYNAMIC,
    FRICTION_STATIC,
    INITIAL_GAP,
    MASS,
    NEGLIGIBLE,
    NEVER,
    NO_EVENT,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    PENALISED_FRICTION,
    PENALTY,
    PLANE_DISTANCE,
    RATE_FREE,
    RATE_STICK,
    ROW_COUNTS,
    ROW_DISPLACEMENT,
    ROW_DRIVE,
    ROW_FORCE,
    ROW_FRICTION,
    ROW_GUARD,
    ROW_SCRATCH,
    ROW_SLIP,
    ROW_STRETCH,
    ROW_TANGENTIAL_FORCING,
    ROW_VELOCITY,
    SERIES_LENGTH,
    SLIDING,
    STIFFNESS,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_LAW,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
    ZEROS_CONE_MINUS,
    ZEROS_CONE_PLUS,
    ZEROS_SLIP,
)
from .oscillator import oscillator_series
from .series import first_exit

# Leading coefficients of the cone's guard below this share of the friction force are rounding: of
# the two dozen terms that make it up, some four units in the last place each.
_ROUNDING = 2e-14
# The same for the terms of one product each that a friction force in stick is the difference of.
_PRODUCT_ROUNDING = 2e-15
# Stretch this close to the one that the contact force imposes has forgotten where it began.
_RELAXED = 1e-15
# Where friction vanishes so does the stretch, and nothing else tells when it is forgotten.
_NO_LENGTH = 1e-15  # m


def tangential_rate(parameters: list[float], state: list[float]) -> float:
    """Largest eigenvalue modulus [1/s] of the mass's tangential motion in the present mode."""
    if state[CONTACT] == 0.0 or state[SLIDING] != 0.0:
        return parameters[RATE_FREE]
    if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
        return parameters[RATE_STICK]
    return 0.0


def fill_tangential_series(
    parameters: list[float],
    state: list[float],
    forcing_count: int,
    length: float,
    work: list[list[float]],
) -> bool:
    """Write u, u̇ and friction of the present mode over a piece of `length` [s] into the work rows.

    False: the stretch of a penalised slip relaxes faster than its series bears; the piece must be
    no longer than C_T/K_T.
    """
    counts = work[ROW_COUNTS]
    sliding = state[SLIDING]
    counts[COUNT_MOTION] = 0.0
    counts[COUNT_FRICTION] = 0.0
    counts[COUNT_SLIP] = 0.0
    counts[COUNT_STRETCH] = 0.0
    penalised = parameters[TANGENTIAL_LAW] == PENALISED_FRICTION
    if state[CONTACT] == 0.0:
        _fill_free_motion(parameters, state, 0.0, forcing_count, length, work)
        return True
    if sliding != 0.0:
        _fill_free_motion(
            parameters, state, sliding * parameters[FRICTION_DYNAMIC], forcing_count, length, work
        )
        if penalised:
            return _fill_anchor_slip(parameters, state, length, work)
        slip = work[ROW_SLIP]
        velocities = work[ROW_VELOCITY]
        count = int(counts[COUNT_MOTION])
        for j in range(count):
            slip[j] = velocities[j]
        _clear_known_zeros(slip, count, state[ZEROS_SLIP])
        counts[COUNT_SLIP] = float(count)
        return True
    if penalised:
        _fill_penalised_stick(parameters, state, forcing_count, length, work)
        return True
    friction = work[ROW_FRICTION]
    forcing = work[ROW_TANGENTIAL_FORCING]
    for j in range(forcing_count):
        friction[j] = -forcing[j]
    friction[0] = parameters[STIFFNESS] * state[DISPLACEMENT] - forcing[0]
    counts[COUNT_FRICTION] = float(forcing_count)
    return True


def _clear_known_zeros(series: list[float], count: int, zeros: float) -> None:
    for j in range(min(int(zeros), count)):
        series[j] = 0.0


def _fill_free_motion(
    parameters: list[float],
    state: list[float],
    signed_friction: float,
    forcing_count: int,
    length: float,
    work: list[list[float]],
) -> None:
    """m ü + c u̇ + k u = f_t − (s μ_d) F_N, in flight (signed_friction = 0) and in slip."""
    counts = work[ROW_COUNTS]
    # A row that has a name keeps it: to Pythran, giving the name to another row copies that row.
    drive_row = ROW_TANGENTIAL_FORCING
    drive_count = forcing_count
    if signed_friction != 0.0:
        force = work[ROW_FORCE]
        force_count = int(counts[COUNT_FORCE])
        forcing = work[ROW_TANGENTIAL_FORCING]
        drive = work[ROW_DRIVE]
        drive_row = ROW_DRIVE
        drive_count = max(forcing_count, force_count)
        for j in range(drive_count):
            drive[j] = 0.0
        for j in range(forcing_count):
            drive[j] = forcing[j]
        for j in range(force_count):
            drive[j] -= signed_friction * force[j]
    counts[COUNT_MOTION] = float(
        oscillator_series(
            parameters[MASS],
            parameters[DAMPING],
            parameters[STIFFNESS],
            length,
            work[drive_row],
            drive_count,
            state[DISPLACEMENT],
            state[VELOCITY],
            work[ROW_DISPLACEMENT],
            work[ROW_VELOCITY],
        )
    )


def _fill_penalised_stick(
    parameters: list[float],
    state: list[float],
    forcing_count: int,
    length: float,
    work: list[list[float]],
) -> None:
    """m ü + (c + C_T) u̇ + (k + K_T) u = f_t + K_T a with the anchor a at rest."""
    counts = work[ROW_COUNTS]
    stiffness = parameters[TANGENTIAL_STIFFNESS]
    damping = parameters[TANGENTIAL_DAMPING]
    forcing = work[ROW_TANGENTIAL_FORCING]
    positions = work[ROW_DISPLACEMENT]
    velocities = work[ROW_VELOCITY]
    # The motion is written about the present position, so that K_T times a large displacement
    # never stands beside the small forces that decide.
    drive = work[ROW_DRIVE]
    for j in range(forcing_count):
        drive[j] = forcing[j]
    drive[0] -= parameters[STIFFNESS] * state[DISPLACEMENT] + stiffness * state[STRETCH]
    count = oscillator_series(
        parameters[MASS],
        parameters[DAMPING] + damping,
        parameters[STIFFNESS] + stiffness,
        length,
        drive,
        forcing_count,
        0.0,
        state[VELOCITY],
        positions,
        velocities,
    )
    friction = work[ROW_FRICTION]
    for j in range(count):
        friction[j] = -stiffness * positions[j] - damping * velocities[j]
    friction[0] -= stiffness * state[STRETCH]
    positions[0] = state[DISPLACEMENT]
    counts[COUNT_MOTION] = float(count)
    counts[COUNT_FRICTION] = float(count)


def _fill_anchor_slip(
    parameters: list[float], state: list[float], length: float, work: list[list[float]]
) -> bool:
    """Stretch and anchor velocity in penalised slip, driven by F_N alone.

    Once the start is forgotten (at once where C_T = 0) the stretch follows the force:
    e = Σ (−C_T/K_T)^i d^i/dt^i (s μ_d F_N/K_T), a finite sum for a polynomial force.
    """
    counts = work[ROW_COUNTS]
    force = work[ROW_FORCE]
    force_count = int(counts[COUNT_FORCE])
    stretches = work[ROW_STRETCH]
    velocities = work[ROW_VELOCITY]
    slip = work[ROW_SLIP]
    stiffness = parameters[TANGENTIAL_STIFFNESS]
    damping = parameters[TANGENTIAL_DAMPING]
    signed_friction = state[SLIDING] * parameters[FRICTION_DYNAMIC]
    delay = damping / (stiffness * length)
    zeros = state[ZEROS_SLIP]
    count = 0
    if delay < 1.0:
        following = 0.0
        for j in range(force_count - 1, -1, -1):
            following = signed_friction * force[j] / stiffness - (j + 1) * delay * following
            stretches[j] = following
        if damping > 0.0:
            away = abs(state[STRETCH] - following)
            if zeros > 0.0:
                # It breaks away from the cone, K_T e + C_T u̇ = s μ_d F_N, while the stretch that
                # follows keeps K_T e + C_T ė = s μ_d F_N: a difference of C_T (u̇ − ė)/K_T, known
                # better than from a stretch that has been added up.
                rate = stretches[1] / length if force_count > 1 else 0.0
                away = damping * abs(state[VELOCITY] - rate) / stiffness
            swallowed = _forgotten(parameters, state, abs(following), force[0])
            if zeros > 0.0:
                # The stretch itself has some thousand roundings.
                swallowed *= 1e3
            if away > swallowed:
                return False
            # The anchor's way from rest to the velocity it follows with is forgotten, too: it
            # starts as without damper, with one zero fewer.
            zeros -= 1.0
        count = force_count
    else:
        # C_T ė = s μ_d F_N − K_T e
        stretches[0] = state[STRETCH]
        largest = abs(state[STRETCH])
        for j in range(SERIES_LENGTH - 1):
            drive = -stiffness * stretches[j]
            if j < force_count:
                drive += signed_friction * force[j]
            coefficient = length * drive / (damping * (j + 1))
            stretches[j + 1] = coefficient
            count = j + 2
            largest = max(largest, abs(coefficient))
            if j >= force_count and abs(coefficient) <= NEGLIGIBLE * largest:
                break
    motion_count = int(counts[COUNT_MOTION])
    slip_count = max(motion_count, count)
    for j in range(slip_count):
        slip[j] = 0.0
    for j in range(motion_count):
        slip[j] = velocities[j]
    for j in range(1, count):
        slip[j - 1] -= j * stretches[j] / length
    _clear_known_zeros(slip, slip_count, zeros)
    counts[COUNT_STRETCH] = float(count)
    counts[COUNT_SLIP] = float(slip_count)
    return True


def _forgotten(parameters: list[float], state: list[float], stretch: float, force: float) -> float:
    """Stretch [m] that rounding swallows beside `stretch` and the one that `force` [N] imposes."""
    stiffness = parameters[TANGENTIAL_STIFFNESS]
    known = _NO_LENGTH + stretch + parameters[FRICTION_STATIC] * abs(force) / stiffness
    if parameters[NORMAL_LAW] == PENALTY:
        # The contact force comes from a gap that is rounded like the displacement.
        depth = abs(state[NORMAL_DISPLACEMENT]) + abs(parameters[INITIAL_GAP])
        if state[CONTACT] < 0.0:
            depth += parameters[PLANE_DISTANCE]
        imposed = parameters[FRICTION_DYNAMIC] * parameters[CONTACT_STIFFNESS] * depth
        known += imposed / stiffness
    return _RELAXED * known


def tangential_exit(
    parameters: list[float], state: list[float], work: list[list[float]]
) -> tuple[float, int]:
    """Where in [0, 1] the tangential mode of the piece ends first, and by which event."""
    if state[CONTACT] == 0.0:
        return NEVER, NO_EVENT
    counts = work[ROW_COUNTS]
    guard = work[ROW_GUARD]
    scratch = work[ROW_SCRATCH]
    sliding = state[SLIDING]
    if sliding != 0.0:
        slip = work[ROW_SLIP]
        count = int(counts[COUNT_SLIP])
        for j in range(count):
            guard[j] = sliding * slip[j]
        position = first_exit(guard, count, scratch)
        if position < END_OF_PIECE:
            return position, ARREST
        return NEVER, NO_EVENT

    force = work[ROW_FORCE]
    friction = work[ROW_FRICTION]
    force_count = int(counts[COUNT_FORCE])
    friction_count = int(counts[COUNT_FRICTION])
    count = max(force_count, friction_count)
    static = parameters[FRICTION_STATIC]
    # The friction force may be a small difference of large terms, whose rounding it carries.
    if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
        rounding = parameters[TANGENTIAL_STIFFNESS] * abs(state[STRETCH])
        rounding += parameters[TANGENTIAL_DAMPING] * abs(state[VELOCITY])
    else:
        rounding = parameters[STIFFNESS] * abs(state[DISPLACEMENT])
    rounding *= _PRODUCT_ROUNDING
    if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION and parameters[TANGENTIAL_DAMPING] > 0.0:
        # A damper's force that slip would forget at once breaks nothing away.
        swallowed = _forgotten(parameters, state, abs(state[STRETCH]), force[0])
        rounding += parameters[TANGENTIAL_STIFFNESS] * swallowed
    earliest = NEVER
    event = NO_EVENT
    for side in range(2):
        facing = 1.0 - 2.0 * side
        for j in range(count):
            guard[j] = 0.0
        for j in range(force_count):
            guard[j] = static * force[j]
        for j in range(friction_count):
            guard[j] -= facing * friction[j]
        if side == 0:
            _clear_known_zeros(guard, count, state[ZEROS_CONE_PLUS])
        else:
            _clear_known_zeros(guard, count, state[ZEROS_CONE_MINUS])
        zeros = 0
        if abs(guard[0]) <= rounding:
            guard[0] = 0.0
        while zeros < count and abs(guard[zeros]) <= _ROUNDING * abs(
            friction[zeros] if zeros < friction_count else 0.0
        ):
            guard[zeros] = 0.0
            zeros += 1
        position = first_exit(guard, count, scratch)
        if position < END_OF_PIECE and position < earliest:
            earliest = position
            event = CONE_PLUS + side
            counts[COUNT_CONE_ZEROS] = 1.0 if position > 0.0 else float(zeros)
    return earliest, event
