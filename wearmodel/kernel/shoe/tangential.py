"""Tangential direction: rigid and penalised friction as series, and their guards.

    m ü = f_t(t) − c u̇ − k u + F_T,   f_t = −m A_t + P_t

rigid      stick: u̇ = 0, F_T = k u − f_t, |F_T| ≤ μ_s F_N
           slip in direction s: F_T = −s μ F_N
penalised  an anchor a on the support, stretch e = u − a, F_T = −K_T e − C_T ė
           stick: ȧ = 0, |F_T| ≤ μ_s F_N
           slip in direction s: F_T = −s μ F_N, s ȧ ≥ 0
           ė = (−K_T e + s μ F_N)/C_T   (C_T = 0: e = s μ F_N/K_T)

`contact.friction` defines μ and the limit in stick. The slip velocity is u̇ (rigid) or ȧ
(penalised). Not modelled: a second tangential direction.
"""

from __future__ import annotations

from ..contact.friction import holding_bound, holds_by_speed, sliding_friction
from ..limits import (
    ARREST,
    CONE_PLUS,
    END_OF_PIECE,
    NEGLIGIBLE,
    NEVER,
    NO_EVENT,
    ON_CONE,
    PENALISED_FRICTION,
    PENALTY,
    SERIES_LENGTH,
    TURN,
)
from ..series.oscillator import oscillator_rate, oscillator_series
from ..series.polynomials import NO_START, clear_rounding, evaluate, evaluate_slope, size_over
from ..series.roots import clear_zeros, first_exit
from .parameters import Parameters
from .pendulum import shorter_swing, swing_series
from .state_objects import Counts, State, Work
from .varying_slip import fill_holding_bound, fill_slip_motion, heading, knot_ahead
from .wearing_slip import fill_wearing_slip

# Leading coefficients of the cone's guard below this share of the friction force are rounding. The
# force has two dozen terms, each rounded by some four units in the last place.
_ROUNDING = 2e-14
# The same for the single-product terms whose difference is the friction force in stick.
_PRODUCT_ROUNDING = 2e-15
# A stretch this close to the stretch imposed by the contact force does not depend on its start.
_RELAXED = 1e-15
# Length of a piece with a series of the relaxing stretch, as a share of the limit C_T/K_T.
_RELAXING = 0.9
# The stretch follows a force with an infinite series if C_T/K_T is below this share of the piece.
# The highest derivatives of the force are then negligible.
_SLOW_FORCE = 0.5 / SERIES_LENGTH
# If friction vanishes, the stretch does, too. Below this length its initial value has decayed.
_NO_LENGTH = 1e-15  # m


def may_slip(p: Parameters, s: State, direction: float) -> bool:
    """Whether slip can start in a direction. Unlimited friction or a rigid stop prevents it."""
    return direction != p.held_direction and direction != s.stop * p.stop_holds


def take_oscillator(p: Parameters, counts: Counts) -> None:
    """Set mass, spring and damper of the tangential motion to the values of the parameters."""
    counts.mass = p.mass
    counts.stiffness = p.stiffness
    counts.damping = p.damping


def tangential_rate(p: Parameters, s: State, counts: Counts) -> float:
    """Largest eigenvalue modulus [1/s] of the mass's tangential motion in the present mode.

    The counts receive its mass, spring and damper.
    """
    take_oscillator(p, counts)
    if s.stop != 0.0:
        if p.stop_stiffness == 0.0:
            counts.mass = 0.0
            return 0.0
        counts.stiffness += p.stop_stiffness
        counts.damping += p.stop_damping
        if s.contact == 0.0 or s.sliding != 0.0:
            return oscillator_rate(p.mass, counts.damping, counts.stiffness)
        if p.tangential_law == PENALISED_FRICTION:
            stiffness = counts.stiffness + p.tangential_stiffness
            return oscillator_rate(p.mass, counts.damping + p.tangential_damping, stiffness)
        return 0.0
    if s.contact == 0.0 or s.sliding != 0.0:
        return p.rate_free
    if p.tangential_law == PENALISED_FRICTION:
        return p.rate_stick
    return 0.0


def fill_tangential_series(
    p: Parameters, s: State, forcing_count: int, normal_count: int, length: float, work: Work
) -> float:
    """Write u, u̇ and friction of the present mode over a piece of `length` [s] into the work rows.

    If wear opens the gap in slip, the normal series are written again. Returns 0.0, the length [s]
    of a piece over which all series converge, or `wearing_slip.RUNAWAY`.
    """
    counts = work.counts
    sliding = s.sliding
    counts.motion = 0.0
    counts.friction = 0.0
    counts.slip = 0.0
    counts.stretch = 0.0
    counts.opening = 0.0
    penalised = p.tangential_law == PENALISED_FRICTION
    if p.curvature != 0.0 and (penalised or sliding != 0.0):
        spring = p.tangential_stiffness if penalised and sliding == 0.0 else 0.0
        damper = p.tangential_damping if penalised and sliding == 0.0 else 0.0
        shorter = shorter_swing(p, counts.damping + damper, counts.stiffness + spring, length, work)
        if shorter > 0.0:
            return shorter
    if s.contact == 0.0:
        work.displacement[0] = s.displacement
        work.velocity[0] = s.velocity
        counts.motion = float(
            oscillator_series(
                counts.mass,
                counts.damping,
                counts.stiffness,
                length,
                work.tangential_forcing,
                forcing_count,
                work.displacement,
                work.velocity,
            )
        )
        return 0.0
    if sliding != 0.0:
        if p.opening_per_work != 0.0:
            damping = p.tangential_damping
            if penalised and damping > 0.0 and length * p.tangential_stiffness > damping:
                return _RELAXING * damping / p.tangential_stiffness
            return fill_wearing_slip(p, s, forcing_count, normal_count, length, work)
        shorter = fill_slip_motion(p, s, forcing_count, length, work)
        if shorter > 0.0:
            return shorter
        if penalised:
            return _fill_anchor_slip(p, s, length, work)
        slip = work.slip
        velocities = work.velocity
        count = int(counts.motion)
        for j in range(count):
            slip[j] = velocities[j]
        clear_zeros(slip, count, s.zeros_slip)
        counts.slip = float(count)
        return 0.0
    if penalised:
        _fill_penalised_stick(p, s, forcing_count, length, work)
        return fill_holding_bound(p, s, length, work)
    friction = work.friction
    forcing = work.tangential_forcing
    for j in range(forcing_count):
        friction[j] = -forcing[j]
    friction[0] = counts.stiffness * s.displacement - forcing[0]
    counts.friction = float(forcing_count)
    if p.curvature != 0.0:
        add_pull(friction, forcing_count, p.curvature * s.displacement, work)
        counts.friction = max(counts.friction, counts.force)
    return fill_holding_bound(p, s, length, work)


def add_pull(target: list[float], count: int, factor: float, work: Work) -> None:
    """Add `factor` · F_N to a series of `count` coefficients."""
    counts = work.counts
    force = work.force
    force_count = int(counts.force)
    for j in range(count, force_count):
        target[j] = 0.0
    for j in range(force_count):
        target[j] += factor * force[j]


def _fill_penalised_stick(
    p: Parameters, s: State, forcing_count: int, length: float, work: Work
) -> None:
    """m ü + (c + C_T) u̇ + (k + K_T) u = f_t + K_T a with the anchor a at rest."""
    counts = work.counts
    stiffness = p.tangential_stiffness
    damping = p.tangential_damping
    forcing = work.tangential_forcing
    positions = work.displacement
    velocities = work.velocity
    # The motion is relative to the present position, so that a large displacement times K_T is not
    # added to the small forces that determine the mode.
    drive = work.drive
    for j in range(forcing_count):
        drive[j] = forcing[j]
    drive[0] -= counts.stiffness * s.displacement + stiffness * s.stretch
    positions[0] = 0.0
    velocities[0] = s.velocity
    if p.curvature != 0.0:
        add_pull(drive, forcing_count, -p.curvature * s.displacement, work)
        drive_count = max(forcing_count, int(counts.force))
        whole_damping = counts.damping + damping
        whole_stiffness = counts.stiffness + stiffness
        count = swing_series(p, whole_damping, whole_stiffness, length, drive_count, work)
    else:
        count = oscillator_series(
            counts.mass,
            counts.damping + damping,
            counts.stiffness + stiffness,
            length,
            drive,
            forcing_count,
            positions,
            velocities,
        )
    clear_rounding(velocities, count)
    friction = work.friction
    for j in range(count):
        friction[j] = -stiffness * positions[j] - damping * velocities[j]
    friction[0] -= stiffness * s.stretch
    positions[0] = s.displacement
    counts.motion = float(count)
    counts.friction = float(count)


def _fill_anchor_slip(p: Parameters, s: State, length: float, work: Work) -> float:
    """Stretch and anchor velocity in penalised slip, driven by the friction force alone.

    When the initial stretch has decayed (at once if C_T = 0) the stretch follows the force:
    e = Σ (−C_T/K_T)^i d^i/dt^i (s μ F_N/K_T), a finite sum for a polynomial force. Returns 0.0, or
    the length [s] of a shorter piece if the stretch relaxes too fast for its series.
    """
    counts = work.counts
    friction = work.friction
    friction_count = int(counts.friction)
    stretches = work.stretch
    velocities = work.velocity
    slip = work.slip
    stiffness = p.tangential_stiffness
    damping = p.tangential_damping
    delay = damping / (stiffness * length)
    zeros = s.zeros_slip
    count = 0
    if delay < 1.0:
        if p.constant_friction < 0.0 and delay > _SLOW_FORCE:
            return _RELAXING * damping / stiffness
        following = 0.0
        for j in range(friction_count - 1, -1, -1):
            following = -friction[j] / stiffness - (j + 1) * delay * following
            stretches[j] = following
        if damping > 0.0:
            away = abs(s.stretch - following)
            if zeros > 0.0:
                # At the breakaway K_T e + C_T u̇ = s μ F_N, and the stretch that follows the force
                # satisfies K_T e + C_T ė = s μ F_N. Their difference C_T (u̇ − ė)/K_T is more
                # accurate than the stretch, which is a sum over many pieces.
                rate = stretches[1] / length if friction_count > 1 else 0.0
                away = damping * abs(s.velocity - rate) / stiffness
            swallowed = _forgotten(p, s, abs(following), work.force[0])
            if zeros > 0.0:
                # The stretch itself has some thousand roundings.
                swallowed *= 1e3
            if away > swallowed:
                return _RELAXING * damping / stiffness
            # The transient of the anchor's velocity has decayed, too. The slip starts as without
            # damper, with one zero fewer.
            zeros -= 1.0
        count = friction_count
    else:
        count = relaxing_series(p, s.stretch, length, friction_count, work)
    motion_count = int(counts.motion)
    slip_count = max(motion_count, count)
    for j in range(slip_count):
        slip[j] = 0.0
    for j in range(motion_count):
        slip[j] = velocities[j]
    for j in range(1, count):
        slip[j - 1] -= j * stretches[j] / length
    clear_zeros(slip, slip_count, zeros)
    counts.stretch = float(count)
    counts.slip = float(slip_count)
    return 0.0


def relaxing_series(
    p: Parameters, stretch: float, length: float, friction_count: int, work: Work
) -> int:
    """Write e of C_T ė = −F_T − K_T e over a piece of `length` [s] ≤ C_T/K_T. Return the count.

    The friction force is in the work rows, and `stretch` [m] is the present e.
    """
    friction = work.friction
    stretches = work.stretch
    stiffness = p.tangential_stiffness
    damping = p.tangential_damping
    stretches[0] = stretch
    largest = abs(stretch)
    count = 1
    for j in range(SERIES_LENGTH - 1):
        drive = -stiffness * stretches[j]
        if j < friction_count:
            drive -= friction[j]
        coefficient = length * drive / (damping * (j + 1))
        stretches[j + 1] = coefficient
        count = j + 2
        largest = max(largest, abs(coefficient))
        if j >= friction_count and abs(coefficient) <= NEGLIGIBLE * largest:
            break
    return count


def _forgotten(p: Parameters, s: State, stretch: float, force: float) -> float:
    """Stretch [m] below the rounding of `stretch` and of the stretch due to `force` [N]."""
    stiffness = p.tangential_stiffness
    known = _NO_LENGTH + stretch + holding_bound(p, abs(force)) / stiffness
    if p.normal_law == PENALTY:
        # The contact force comes from a gap that is rounded like the displacement.
        depth = abs(s.normal_displacement) + abs(p.initial_gap)
        if s.contact < 0.0:
            depth += p.plane_distance
        imposed = sliding_friction(p, s.velocity) * p.contact_stiffness * depth
        known += imposed / stiffness
    return _RELAXED * known


def tangential_exit(p: Parameters, s: State, work: Work) -> tuple[float, int]:
    """Position in [0, 1] where the tangential mode of the piece ends, and the event."""
    if s.contact == 0.0:
        return NEVER, NO_EVENT
    if s.sliding != 0.0:
        return _slip_exit(p, s, work)
    counts = work.counts
    guard = work.guard
    scratch = work.scratch
    bound = work.bound
    friction = work.friction
    bound_count = int(counts.bound)
    friction_count = int(counts.friction)
    count = max(bound_count, friction_count)
    # The friction force may be a small difference of large terms, and has their rounding.
    if p.tangential_law == PENALISED_FRICTION:
        rounding = p.tangential_stiffness * abs(s.stretch)
        rounding += p.tangential_damping * abs(s.velocity)
    else:
        rounding = (counts.stiffness + p.curvature * work.force[0]) * abs(s.displacement)
    rounding *= _PRODUCT_ROUNDING
    if p.tangential_law == PENALISED_FRICTION and p.tangential_damping > 0.0:
        # A damper force that would decay in slip at once does not end stick.
        swallowed = _forgotten(p, s, abs(s.stretch), work.force[0])
        rounding += p.tangential_stiffness * swallowed
    # Without a damper the mass returns to the end of its last slip again and again. If the force
    # exceeds the cone by less than ON_CONE of it, it only touches the cone.
    swings_on = p.tangential_law == PENALISED_FRICTION and p.tangential_damping == 0.0
    earliest = NEVER
    lasting = NEVER
    event = NO_EVENT
    for side in range(2):
        facing = 1.0 - 2.0 * side
        # Slip would start against the friction force.
        if not may_slip(p, s, -facing):
            continue
        for j in range(bound_count):
            guard[j] = bound[j]
        for j in range(bound_count, count):
            guard[j] = 0.0
        for j in range(friction_count):
            guard[j] -= facing * friction[j]
        if side == 0:
            clear_zeros(guard, count, s.zeros_cone_plus)
        else:
            clear_zeros(guard, count, s.zeros_cone_minus)
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
            beyond = position
            if swings_on:
                guard[0] += ON_CONE * bound[0]
                beyond = first_exit(guard, count, scratch)
                if beyond == NEVER:
                    continue
            lasting = beyond
            earliest = position
            event = CONE_PLUS + side
            counts.cone_zeros = 1.0 if position > 0.0 else float(zeros)
    if p.holding_varies != 0.0:
        return _turn_in_stick(p, s, earliest, lasting, event, work)
    return earliest, event


def _slip_exit(p: Parameters, s: State, work: Work) -> tuple[float, int]:
    """Like `tangential_exit`, in slip."""
    counts = work.counts
    guard = work.guard
    slip = work.slip
    count = int(counts.slip)
    for j in range(count):
        guard[j] = s.sliding * slip[j]
    clear_rounding(guard, count)
    # A slip velocity that is negative by rounding is 0. Otherwise slip would start repeatedly.
    largest = size_over(slip, count, 1.0)
    if p.tangential_law == PENALISED_FRICTION and -NO_START * largest <= guard[0] < 0.0:
        guard[0] = 0.0
    position = first_exit(guard, count, work.scratch)
    event = ARREST
    if p.constant_friction < 0.0 and p.tangential_law == PENALISED_FRICTION:
        turn = _turn_in_slip(work)
        if turn < position:
            position = turn
            event = TURN
    if p.knots > 0.0:
        knot = knot_ahead(p, int(counts.motion), work)
        if knot < position:
            position = knot
            event = TURN
    if position < END_OF_PIECE:
        return position, event
    return NEVER, NO_EVENT


def _turn_in_slip(work: Work) -> float:
    """Position in [0, 1] where u̇ changes its sign."""
    counts = work.counts
    velocities = work.velocity
    guard = work.guard
    count = int(counts.motion)
    facing = heading(velocities, count)
    for j in range(count):
        guard[j] = facing * velocities[j]
    return first_exit(guard, count, work.scratch)


def _turn_in_stick(
    p: Parameters, s: State, position: float, lasting: float, event: int, work: Work
) -> tuple[float, int]:
    """Like `tangential_exit` if the cone is max(μ_s, μ(|u̇|)) F_N, given the exit from it.

    The larger coefficient at the start defines the cone of the piece. The piece ends where the
    other coefficient becomes larger, unless the cone has been left for good before, at `lasting`.
    """
    counts = work.counts
    if counts.bound_by_speed < 0.0:
        return position, event
    if counts.bound_by_speed == 0.0:
        if event != NO_EVENT:
            motion_count = int(counts.motion)
            place = max(0.0, position)
            velocity = evaluate(work.velocity, motion_count, place)
            acceleration = evaluate_slope(work.velocity, motion_count, place)
            if holds_by_speed(p, velocity, acceleration):
                event = TURN
        return position, event
    # `work.drive` has no factor F_N, because a difference of products would add rounding.
    turn = first_exit(work.drive, int(counts.bound), work.scratch)
    if p.knots > 0.0:
        # A table whose slope vanishes at rest only touches μ_s there.
        turn = min(turn, knot_ahead(p, int(counts.motion), work), _turn_in_slip(work))
    if turn < END_OF_PIECE and turn < lasting:
        return max(0.0, turn), TURN
    return position, event
