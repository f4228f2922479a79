"""Normal direction: the three laws, their motion and contact force as series, and their guards.

    m ẅ = f_n(t) − c_n ẇ − k_n w + R_n,   gap_lower = initial_gap + w,
    gap_upper = plane_distance − gap_lower  (two planes),   F_N = |R_n|

prescribed  no motion; F_N = max(0, −f_n), flight where it is zero
penalty     F_N = max(0, −K_N gap − C_N d(gap)/dt) where gap ≤ 0
rigid       gap ≥ 0, F_N ≥ 0, F_N·gap = 0; impact with Newton restitution

f_n = −m (g + A_n) − preload − P_n. The normal motion never depends on friction. Not modelled:
both planes touched at once, adhesion.
"""

from __future__ import annotations

from .layout import (
    CLOSING_LOWER,
    CLOSING_UPPER,
    CONTACT,
    CONTACT_DAMPING,
    CONTACT_STIFFNESS,
    COUNT_FORCE,
    COUNT_NORMAL,
    END_OF_PIECE,
    INITIAL_GAP,
    MASS,
    NEVER,
    NO_EVENT,
    NORMAL_DAMPING,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_STIFFNESS,
    NORMAL_VELOCITY,
    OPENING,
    PENALTY,
    PLANE_DISTANCE,
    PRESCRIBED,
    RATE_NORMAL_CONTACT,
    RATE_NORMAL_FREE,
    RELEASE,
    ROW_COUNTS,
    ROW_DRIVE,
    ROW_FORCE,
    ROW_GUARD,
    ROW_NORMAL_DISPLACEMENT,
    ROW_NORMAL_FORCING,
    ROW_NORMAL_VELOCITY,
    ROW_SCRATCH,
    VIOLATED,
    ZEROS_FORCE,
    ZEROS_GAP,
)
from .oscillator import oscillator_series
from .series import first_exit


def gap_to(parameters: list[float], plane: float, normal_displacement: float) -> float:
    """Gap [m] to the lower (plane = +1) or the upper plane (−1); negative inside the plane."""
    gap_lower = parameters[INITIAL_GAP] + normal_displacement
    if plane > 0.0:
        return gap_lower
    return parameters[PLANE_DISTANCE] - gap_lower


def nearest_plane(parameters: list[float], normal_displacement: float) -> float:
    """+1 where the lower plane is the nearer one (or the only one), −1 for the upper plane."""
    if parameters[PLANE_DISTANCE] > 0.0 and gap_to(parameters, -1.0, normal_displacement) < gap_to(
        parameters, 1.0, normal_displacement
    ):
        return -1.0
    return 1.0


def penalty_force(parameters: list[float], gap: float, gap_velocity: float) -> float:
    """−K_N gap − C_N d(gap)/dt [N], not yet clipped at 0."""
    return -parameters[CONTACT_STIFFNESS] * gap - parameters[CONTACT_DAMPING] * gap_velocity


def normal_rate(parameters: list[float], state: list[float]) -> float:
    """Largest eigenvalue modulus [1/s] of the normal motion in the present mode; 0 if at rest."""
    if parameters[NORMAL_LAW] == PRESCRIBED:
        return 0.0
    if state[CONTACT] == 0.0:
        return parameters[RATE_NORMAL_FREE]
    if parameters[NORMAL_LAW] == PENALTY:
        return parameters[RATE_NORMAL_CONTACT]
    return 0.0


def fill_normal_series(
    parameters: list[float],
    state: list[float],
    forcing_count: int,
    length: float,
    work: list[list[float]],
) -> None:
    """Write w, ẇ and F_N of the present mode over a piece of `length` [s] into the work rows."""
    law = parameters[NORMAL_LAW]
    plane = state[CONTACT]
    forcing = work[ROW_NORMAL_FORCING]
    force = work[ROW_FORCE]
    positions = work[ROW_NORMAL_DISPLACEMENT]
    velocities = work[ROW_NORMAL_VELOCITY]
    counts = work[ROW_COUNTS]
    force_count = 0
    counts[COUNT_NORMAL] = 0.0

    if law == PRESCRIBED:
        if plane != 0.0:
            force_count = forcing_count
            for j in range(forcing_count):
                force[j] = -forcing[j]
    elif plane == 0.0:
        count = oscillator_series(
            parameters[MASS],
            parameters[NORMAL_DAMPING],
            parameters[NORMAL_STIFFNESS],
            length,
            forcing,
            forcing_count,
            state[NORMAL_DISPLACEMENT],
            state[NORMAL_VELOCITY],
            positions,
            velocities,
        )
        counts[COUNT_NORMAL] = float(count)
    elif law == PENALTY:
        # R_n = −K_N (w + offset) − C_N ẇ on either plane; F_N = plane·R_n.
        stiffness = parameters[CONTACT_STIFFNESS]
        damping = parameters[CONTACT_DAMPING]
        offset = plane * gap_to(parameters, plane, 0.0)
        drive = work[ROW_DRIVE]
        for j in range(forcing_count):
            drive[j] = forcing[j]
        drive[0] -= stiffness * offset
        force_count = oscillator_series(
            parameters[MASS],
            parameters[NORMAL_DAMPING] + damping,
            parameters[NORMAL_STIFFNESS] + stiffness,
            length,
            drive,
            forcing_count,
            state[NORMAL_DISPLACEMENT],
            state[NORMAL_VELOCITY],
            positions,
            velocities,
        )
        counts[COUNT_NORMAL] = float(force_count)
        for j in range(force_count):
            force[j] = -plane * (stiffness * positions[j] + damping * velocities[j])
        force[0] -= plane * stiffness * offset
    else:
        force_count = forcing_count
        for j in range(forcing_count):
            force[j] = -plane * forcing[j]
        force[0] += plane * parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]

    for j in range(min(int(state[ZEROS_FORCE]), force_count)):
        force[j] = 0.0
    counts[COUNT_FORCE] = float(force_count)


def normal_exit(
    parameters: list[float], state: list[float], forcing_count: int, work: list[list[float]]
) -> tuple[float, int]:
    """Where in [0, 1] the normal mode of the piece ends first, and by which event."""
    law = parameters[NORMAL_LAW]
    plane = state[CONTACT]
    counts = work[ROW_COUNTS]
    guard = work[ROW_GUARD]
    scratch = work[ROW_SCRATCH]
    if plane != 0.0:
        force = work[ROW_FORCE]
        count = int(counts[COUNT_FORCE])
        position = first_exit(force, count, scratch)
        zeros = 0
        while zeros < count and force[zeros] == 0.0:
            zeros += 1
        if zeros == count:
            position = VIOLATED  # no force is no contact
        if position < END_OF_PIECE:
            return position, OPENING
        return NEVER, NO_EVENT

    if law == PRESCRIBED:
        forcing = work[ROW_NORMAL_FORCING]
        for j in range(forcing_count):
            guard[j] = forcing[j]
        for j in range(min(int(state[ZEROS_FORCE]), forcing_count)):
            guard[j] = 0.0
        position = first_exit(guard, forcing_count, scratch)
        if position < END_OF_PIECE:
            return position, CLOSING_LOWER
        return NEVER, NO_EVENT

    positions = work[ROW_NORMAL_DISPLACEMENT]
    count = int(counts[COUNT_NORMAL])
    nearest = nearest_plane(parameters, state[NORMAL_DISPLACEMENT])
    gap = gap_to(parameters, nearest, state[NORMAL_DISPLACEMENT])
    if law == PENALTY and gap < 0.0 and state[ZEROS_GAP] == 0.0:
        return _exit_inside(parameters, state, nearest, count, work)

    earliest = NEVER
    event = NO_EVENT
    for side in range(2):
        facing = 1.0 - 2.0 * side
        if side == 1 and parameters[PLANE_DISTANCE] == 0.0:
            break
        for j in range(count):
            guard[j] = facing * positions[j]
        guard[0] = gap_to(parameters, facing, state[NORMAL_DISPLACEMENT])
        if facing == nearest:
            for j in range(min(int(state[ZEROS_GAP]), count)):
                guard[j] = 0.0
        position = first_exit(guard, count, scratch)
        if position < END_OF_PIECE and position < earliest:
            earliest = position
            event = CLOSING_LOWER + side
    return earliest, event


def _exit_inside(
    parameters: list[float], state: list[float], plane: float, count: int, work: list[list[float]]
) -> tuple[float, int]:
    """Exit of a mass inside the penalised obstacle that its damper keeps from being pushed back.

    It closes again where −K_N gap − C_N d(gap)/dt becomes positive, or is released at gap = 0.
    """
    positions = work[ROW_NORMAL_DISPLACEMENT]
    velocities = work[ROW_NORMAL_VELOCITY]
    guard = work[ROW_GUARD]
    scratch = work[ROW_SCRATCH]
    gap = gap_to(parameters, plane, state[NORMAL_DISPLACEMENT])
    for j in range(count):
        guard[j] = -penalty_force(parameters, plane * positions[j], plane * velocities[j])
    guard[0] = -penalty_force(parameters, gap, plane * velocities[0])
    for j in range(min(int(state[ZEROS_FORCE]), count)):
        guard[j] = 0.0
    closing = first_exit(guard, count, scratch)
    for j in range(count):
        guard[j] = -plane * positions[j]
    guard[0] = -gap
    released = first_exit(guard, count, scratch)
    if closing < END_OF_PIECE and closing <= released:
        if plane > 0.0:
            return closing, CLOSING_LOWER
        return closing, CLOSING_UPPER
    if released < END_OF_PIECE:
        return released, RELEASE
    return NEVER, NO_EVENT
