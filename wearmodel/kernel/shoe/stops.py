"""Stops along the slide, stop_lower ≤ u ≤ stop_upper, rigid or penalised.

    d = ±(u − stop)   penetration of the upper (+) or the lower stop (−)

rigid      d ≤ 0, impact u̇⁺ = −e u̇⁻. The normal contact has no impulse, so friction has none
           either. Slip reverses. At rest, friction takes up to μ_s F_N of the push P towards
           the stop, and the stop takes the remainder
penalised  the force max(0, K_S d + C_S ḋ) away from the stop

Rest at a rigid stop: (P + μ F_N)/m delays the rebound, and (P − μ F_N)/m brings it back. Each
bounce is q = e √((P − μ F_N)/(P + μ F_N)) times as fast as the bounce before. Bouncing ends as in
`impact`, if the remaining bounces together take less than REST_TIME, or if a bounce loses less
height than rounding. The impulses, slips and wear of the remaining bounces are included: the sums
of q^i and q^(2i).
"""

from __future__ import annotations

from math import sqrt

from ..contact.friction import sliding_friction
from ..limits import (
    END_OF_PIECE,
    LEAVE_LOWER,
    LEAVE_UPPER,
    LENGTH_ROUNDING,
    NEVER,
    NO_EVENT,
    NO_STOP,
    PENALISED_FRICTION,
    REST_SPEED,
    REST_TIME,
    STOP_LOWER,
    STOP_UPPER,
)
from ..series.polynomials import evaluate_increment, integrate_square
from ..series.roots import TOUCH, clear_zeros, first_exit, touch_lift
from .measures import contact_force, stop_force
from .parameters import Parameters
from .state_objects import State, Work
from .tangential import add_pull

# Relative rounding of the displacement. It can return the height that a bounce has lost, so that
# bouncing would not end.
_ROUNDING = 4e-16


def penetration(p: Parameters, s: State, side: float) -> float:
    """Distance [m] of the mass beyond the upper (`side` +1) or the lower stop (−1)."""
    return s.displacement - p.stop_upper if side > 0.0 else p.stop_lower - s.displacement


def start_at_stop(p: Parameters, s: State) -> None:
    """Set the stop at which a run starts: at rest at a rigid or pressed on a penalised stop."""
    for side in (-1.0, 1.0):
        depth = penetration(p, s, side)
        s.stop = side
        if p.stop_stiffness > 0.0:
            if depth > 0.0 and stop_force(p, s, 0.0) != 0.0:
                return
        elif depth == 0.0 and s.velocity == 0.0:
            return
    s.stop = 0.0


def strikes_at_start(p: Parameters, s: State) -> bool:
    """Whether the mass touches a rigid stop and moves towards it."""
    if p.has_stops == 0.0 or p.stop_stiffness > 0.0:
        return False
    upper = s.displacement == p.stop_upper and s.velocity > 0.0
    return upper or (s.displacement == p.stop_lower and s.velocity < 0.0)


def stop_exit(p: Parameters, s: State, forcing_count: int, work: Work) -> tuple[float, int]:
    """Position in [0, 1] where the mass first reaches or leaves a stop, and the event."""
    counts = work.counts
    guard = work.guard
    side = s.stop
    if side == 0.0:
        return _reach(p, s, work)
    count = max(1, int(counts.motion))
    if p.stop_stiffness > 0.0:
        _fill_push(p, s, side, 1.0, work)
    elif p.stop_holds != 0.0 and s.contact != 0.0:
        return NEVER, NO_EVENT  # rigid stick, see `tangential_exit`
    else:
        forcing = work.tangential_forcing
        friction = work.friction
        friction_count = int(counts.friction) if s.contact != 0.0 else 0
        count = max(forcing_count, friction_count)
        for j in range(count):
            guard[j] = side * forcing[j] if j < forcing_count else 0.0
        for j in range(friction_count):
            guard[j] += side * friction[j]
        guard[0] -= side * p.stiffness * s.displacement
        if p.curvature != 0.0 and s.contact != 0.0:
            add_pull(guard, count, -side * p.curvature * s.displacement, work)
            count = max(count, int(counts.force))
    position = first_exit(guard, count, work.scratch)
    rounding = p.stop_stiffness * LENGTH_ROUNDING * abs(s.displacement)
    if position >= END_OF_PIECE:
        return NEVER, NO_EVENT
    if touch_lift(guard, count, work.scratch, rounding, TOUCH) == 0.0:
        return position, LEAVE_UPPER if side > 0.0 else LEAVE_LOWER
    return NEVER, NO_EVENT


def _reach(p: Parameters, s: State, work: Work) -> tuple[float, int]:
    """Like `stop_exit`, without stop force. A released mass may be inside the stop."""
    counts = work.counts
    guard = work.guard
    scratch = work.scratch
    positions = work.displacement
    velocities = work.velocity
    count = max(1, int(counts.motion))
    earliest = NEVER
    event = NO_EVENT
    for side in (-1.0, 1.0):
        if abs(p.stop_upper if side > 0.0 else p.stop_lower) >= NO_STOP:
            continue
        depth = penetration(p, s, side)
        found = STOP_UPPER if side > 0.0 else STOP_LOWER
        is_inside = depth > 0.0 and p.stop_stiffness > 0.0
        outward = side if is_inside else -side
        for j in range(1, int(counts.motion)):
            guard[j] = outward * positions[j]
        guard[0] = depth if is_inside else -depth
        if depth == 0.0:
            zeros = s.zeros_stop
            if p.tangential_law != PENALISED_FRICTION:
                zeros = max(zeros, s.zeros_slip + 1.0)
            # The distance is the integral of u̇, whose first coefficients may have been cleared.
            while zeros < count and (zeros == 0.0 or velocities[int(zeros) - 1] == 0.0):
                zeros += 1.0
            clear_zeros(guard, count, zeros)
        position = first_exit(guard, count, scratch)
        if is_inside:
            _fill_push(p, s, side, -1.0, work)
            pushed = first_exit(guard, count, scratch)
            if pushed <= position:
                position = pushed
            else:
                found = LEAVE_UPPER if side > 0.0 else LEAVE_LOWER
        if position < END_OF_PIECE and position < earliest:
            earliest = position
            event = found
    return earliest, event


def _fill_push(p: Parameters, s: State, side: float, sign: float, work: Work) -> None:
    """Write `sign` · (K_S d + C_S ḋ) into the guard."""
    counts = work.counts
    guard = work.guard
    positions = work.displacement
    velocities = work.velocity
    stiffness = sign * side * p.stop_stiffness
    damping = sign * side * p.stop_damping
    count = int(counts.motion)
    for j in range(1, count):
        guard[j] = stiffness * positions[j] + damping * velocities[j]
    guard[0] = sign * p.stop_stiffness * penetration(p, s, side) + damping * s.velocity
    clear_zeros(guard, max(1, count), s.zeros_stop)


def stop_heat(p: Parameters, s: State, end: float, length: float, work: Work) -> float:
    """Energy [J] dissipated by a stop's damper up to `end` of the piece, in contact or relaxing."""
    counts = work.counts
    count = int(counts.motion)
    if p.stop_damping == 0.0 or count == 0:
        return 0.0
    if s.stop != 0.0:
        return p.stop_damping * length * integrate_square(work.velocity, count, end)
    way = evaluate_increment(work.displacement, count, end)
    heat = 0.0
    for side in (-1.0, 1.0):
        depth = max(0.0, penetration(p, s, side))
        left = max(0.0, depth + side * way)
        if depth > 0.0:
            heat = max(0.0, 0.5 * p.stop_stiffness * (depth - left) * (depth + left))
    return heat


def pass_stop(
    p: Parameters, s: State, event: int, zeros: int, normal_forcing: float, work: Work
) -> None:
    """Apply an event of a stop to `s`, like `transitions.apply_event`."""
    side = 1.0 if event == STOP_UPPER or event == LEAVE_UPPER else -1.0
    depth = penetration(p, s, side)
    approach = side * s.velocity
    is_rigid = p.stop_stiffness == 0.0
    is_damped = p.stop_damping > 0.0
    place = p.stop_upper if side > 0.0 else p.stop_lower
    s.zeros_stop = 0.0
    if event == LEAVE_LOWER or event == LEAVE_UPPER:
        is_slack = s.stop == 0.0
        s.stop = 0.0
        s.zeros_stop = float(zeros)
        if is_rigid:
            # Distance and u̇ are zero, and so is ü if the push fell to zero.
            s.zeros_stop += 2.0
        elif is_slack or not is_damped:
            s.displacement = place
        return
    if is_rigid:
        s.displacement = place
        # A mass that is beyond the stop by rounding may be leaving it.
        if approach > 0.0 or (approach == 0.0 and s.sliding != -side):
            s.stop_count += 1.0
            _strike(p, s, side, approach, normal_forcing, work)
        return
    s.stop = side
    s.stop_count += 1.0
    if approach > 0.0 or depth <= 0.0 or not is_damped:
        s.displacement = place
    else:
        s.zeros_stop = float(zeros)


def _strike(
    p: Parameters, s: State, side: float, approach: float, normal_forcing: float, work: Work
) -> None:
    """Apply an impact at a rigid stop: rebound, reversal of slip, and rest."""
    counts = work.counts
    mass = p.mass
    restitution = p.stop_restitution
    rebound = restitution * approach
    fastest = max(s.fastest_stop, approach)
    s.stop_impulse += mass * (1.0 + restitution) * approach
    s.stop_work += 0.5 * mass * (approach - rebound) * (approach + rebound)
    slides = s.contact != 0.0 and p.tangential_law != PENALISED_FRICTION
    is_over = rebound == 0.0
    if slides and p.held_direction == -side:
        # Unlimited friction prevents the rebound.
        s.friction_work += 0.5 * mass * rebound * rebound
        is_over = True
    elif rebound <= REST_SPEED * fastest:
        push = side * (counts.event_tangential - p.stiffness * s.displacement)
        hold = 0.0
        force = 0.0
        if s.contact != 0.0:
            force = contact_force(p, s, normal_forcing)
            push -= side * p.curvature * force * s.displacement
            hold = sliding_friction(p, 0.0) * force
            if not slides:
                against = s.sliding * hold
                if s.sliding == 0.0:
                    against = p.tangential_stiffness * s.stretch
                push -= side * against
                hold = 0.0
        back = push - hold
        if back > 0.0:
            slowing = sqrt(back / (push + hold))
            ratio = restitution * slowing
            remaining = mass * rebound * (slowing + 1.0) / (slowing * (push + hold))
            loss = 0.5 * mass * rebound * rebound * (1.0 - ratio * ratio) / (push + hold)
            is_rounding = 0.0 < loss < _ROUNDING * abs(s.displacement)
            if is_rounding or remaining < REST_TIME * (1.0 - ratio):
                s.stop_impulse += mass * (1.0 + restitution) * rebound * slowing / (1.0 - ratio)
                s.stop_work += 0.5 * mass * rebound * rebound
                is_over = True
                if hold > 0.0:
                    way = mass * rebound * rebound / ((push + hold) * (1.0 - ratio * ratio))
                    s.stop_work -= hold * way
                    s.friction_work += hold * way
                    s.sliding_distance += way
                    s.wear_work += force * way
                    if s.contact < 0.0:
                        s.wear_work_upper += force * way
    s.velocity = 0.0 if is_over else -side * rebound
    s.stop = side if is_over else 0.0
    s.fastest_stop = 0.0 if is_over else fastest
    if slides:
        s.sliding = 0.0 if is_over else -side
