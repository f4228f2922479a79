"""Normal direction: the three laws, their motion and contact force as series, and their guards.

    m ẅ = f_n(t) − c_n ẇ − k_n w + R_n,   gap_lower = initial_gap + w,
    gap_upper = plane_distance − gap_lower  (two planes),   F_N = |R_n|

prescribed  no motion, F_N = max(0, −f_n), flight where it is zero
penalty     F_N = max(0, −K_N gap − C_N d(gap)/dt) where gap ≤ 0
rigid       gap ≥ 0, F_N ≥ 0, F_N·gap = 0, impact with Newton restitution

f_n = −m (g + A_n) − preload − P_n. The normal motion never depends on friction. Not modelled:
both planes touched at once, adhesion.
"""

from __future__ import annotations

from ..limits import (
    CLOSING_LOWER,
    CLOSING_UPPER,
    END_OF_PIECE,
    LENGTH_ROUNDING,
    NEVER,
    NO_EVENT,
    OPENING,
    PENALTY,
    PRESCRIBED,
    RELEASE,
    VIOLATED,
)
from ..series.oscillator import oscillator_series
from ..series.polynomials import size_over
from ..series.roots import TOUCH, UNDECIDED, clear_zeros, first_exit, touch_lift
from .parameters import Parameters
from .state_objects import State, Work


def gap_to(p: Parameters, s: State, plane: float, normal_displacement: float) -> float:
    """Gap [m] to the lower (plane = +1) or the upper plane (−1), negative inside the plane."""
    gap_lower = p.initial_gap + normal_displacement
    gap = gap_lower if plane > 0.0 else p.plane_distance - gap_lower
    if p.opening_per_work != 0.0:
        gap += opening_of(p, s, plane)
    return gap


def opening_of(p: Parameters, s: State, plane: float) -> float:
    """Opening [m] of the gap to the lower (plane = +1) or the upper plane (−1) by wear."""
    if plane > 0.0:
        return p.opening_per_work * (s.wear_work - s.wear_work_upper)
    return p.opening_per_work * s.wear_work_upper


def nearest_plane(p: Parameters, s: State, normal_displacement: float) -> float:
    """+1 if the lower plane is nearer or the only plane, −1 if the upper plane is nearer."""
    if p.plane_distance > 0.0 and gap_to(p, s, -1.0, normal_displacement) < gap_to(
        p, s, 1.0, normal_displacement
    ):
        return -1.0
    return 1.0


def penalty_force(p: Parameters, gap: float, gap_velocity: float) -> float:
    """−K_N gap − C_N d(gap)/dt [N], not yet clipped at 0."""
    return -p.contact_stiffness * gap - p.contact_damping * gap_velocity


def normal_rate(p: Parameters, s: State) -> float:
    """Largest eigenvalue modulus [1/s] of the normal motion in the present mode, 0 at rest."""
    if p.normal_law == PRESCRIBED:
        return 0.0
    if s.contact == 0.0:
        return p.rate_normal_free
    if p.normal_law == PENALTY:
        return p.rate_normal_contact
    return 0.0


def fill_normal_series(
    p: Parameters, s: State, forcing_count: int, length: float, work: Work
) -> None:
    """Write w, ẇ and F_N of the present mode over a piece of `length` [s] into the work rows.

    See `_force_exit` for a force that only touches 0.
    """
    law = p.normal_law
    plane = s.contact
    forcing = work.normal_forcing
    force = work.force
    positions = work.normal_displacement
    velocities = work.normal_velocity
    counts = work.counts
    force_count = 0
    counts.normal = 0.0

    if law == PRESCRIBED:
        if plane != 0.0:
            force_count = forcing_count
            for j in range(forcing_count):
                force[j] = -forcing[j]
    elif plane == 0.0:
        positions[0] = s.normal_displacement
        velocities[0] = s.normal_velocity
        count = oscillator_series(
            p.mass,
            p.normal_damping,
            p.normal_stiffness,
            length,
            forcing,
            forcing_count,
            positions,
            velocities,
        )
        counts.normal = float(count)
    elif law == PENALTY:
        # R_n = −K_N (w + offset) − C_N ẇ on either plane, and F_N = plane·R_n.
        stiffness = p.contact_stiffness
        damping = p.contact_damping
        offset = plane * gap_to(p, s, plane, 0.0)
        drive = work.drive
        for j in range(forcing_count):
            drive[j] = forcing[j]
        drive[0] -= stiffness * offset
        positions[0] = s.normal_displacement
        velocities[0] = s.normal_velocity
        force_count = oscillator_series(
            p.mass,
            p.normal_damping + damping,
            p.normal_stiffness + stiffness,
            length,
            drive,
            forcing_count,
            positions,
            velocities,
        )
        counts.normal = float(force_count)
        for j in range(force_count):
            force[j] = -plane * (stiffness * positions[j] + damping * velocities[j])
        force[0] -= plane * stiffness * offset
    else:
        force_count = forcing_count
        for j in range(forcing_count):
            force[j] = -plane * forcing[j]
        force[0] += plane * p.normal_stiffness * s.normal_displacement

    clear_zeros(force, force_count, s.zeros_force)
    counts.force = float(force_count)
    if plane != 0.0:
        counts.force_exit = _force_exit(p, s, forcing_count, work)


def _force_exit(p: Parameters, s: State, forcing_count: int, work: Work) -> float:
    """First exit of F_N, which is raised by its rounding if it only touches 0.

    A negative force would leave no cone for friction.
    """
    counts = work.counts
    force = work.force
    count = int(counts.force)
    position = first_exit(force, count, work.scratch)
    if position == NEVER:
        return position
    rounding = TOUCH * size_over(work.normal_forcing, forcing_count, 1.0)
    if p.normal_law == PENALTY:
        lengths = abs(s.normal_displacement) + abs(p.initial_gap) + p.plane_distance
        rounding += LENGTH_ROUNDING * p.contact_stiffness * lengths
    lift = touch_lift(force, count, work.scratch, rounding, TOUCH)
    force[0] += lift
    return position if lift == 0.0 else NEVER


def normal_exit(p: Parameters, s: State, forcing_count: int, work: Work) -> tuple[float, int]:
    """Position in [0, 1] where the normal mode of the piece ends, and the event that ends it."""
    law = p.normal_law
    plane = s.contact
    counts = work.counts
    guard = work.guard
    scratch = work.scratch
    if plane != 0.0:
        force = work.force
        count = int(counts.force)
        position = counts.force_exit
        if position == UNDECIDED:
            position = _force_exit(p, s, forcing_count, work)
        zeros = 0
        while zeros < count and force[zeros] == 0.0:
            zeros += 1
        if zeros == count:
            position = VIOLATED  # no force means no contact
        if position < END_OF_PIECE:
            return position, OPENING
        return NEVER, NO_EVENT

    if law == PRESCRIBED:
        forcing = work.normal_forcing
        for j in range(forcing_count):
            guard[j] = forcing[j]
        clear_zeros(guard, forcing_count, s.zeros_force)
        position = first_exit(guard, forcing_count, scratch)
        if position < END_OF_PIECE:
            return position, CLOSING_LOWER
        return NEVER, NO_EVENT

    positions = work.normal_displacement
    count = int(counts.normal)
    nearest = nearest_plane(p, s, s.normal_displacement)
    gap = gap_to(p, s, nearest, s.normal_displacement)
    if law == PENALTY and gap < 0.0 and s.zeros_gap == 0.0:
        return _exit_inside(p, s, nearest, count, work)

    earliest = NEVER
    event = NO_EVENT
    for side in range(2):
        facing = 1.0 - 2.0 * side
        if side == 1 and p.plane_distance == 0.0:
            break
        for j in range(count):
            guard[j] = facing * positions[j]
        guard[0] = gap_to(p, s, facing, s.normal_displacement)
        if facing == nearest:
            clear_zeros(guard, count, s.zeros_gap)
        position = first_exit(guard, count, scratch)
        if position < END_OF_PIECE and position < earliest:
            earliest = position
            event = CLOSING_LOWER + side
    return earliest, event


def _exit_inside(
    p: Parameters, s: State, plane: float, count: int, work: Work
) -> tuple[float, int]:
    """Exit of a mass inside the penalised obstacle that the damper has freed of the force.

    The contact closes again if −K_N gap − C_N d(gap)/dt > 0. Otherwise the mass leaves at gap = 0.
    """
    positions = work.normal_displacement
    velocities = work.normal_velocity
    guard = work.guard
    gap = gap_to(p, s, plane, s.normal_displacement)
    for j in range(count):
        guard[j] = -penalty_force(p, plane * positions[j], plane * velocities[j])
    guard[0] = -penalty_force(p, gap, plane * velocities[0])
    clear_zeros(guard, count, s.zeros_force)
    closing = first_exit(guard, count, work.scratch)
    for j in range(count):
        guard[j] = -plane * positions[j]
    guard[0] = -gap
    released = first_exit(guard, count, work.scratch)
    if closing < END_OF_PIECE and closing <= released:
        if plane > 0.0:
            return closing, CLOSING_LOWER
        return closing, CLOSING_UPPER
    if released < END_OF_PIECE:
        return released, RELEASE
    return NEVER, NO_EVENT
