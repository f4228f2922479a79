"""State of a structure's contact after a piece and after an event.

| event         | when                                      | then                              |
|---------------|-------------------------------------------|-----------------------------------|
| CLOSING       | gap reaches 0                             | closed, e = 0, stick, one shock   |
| CLOSING_INSIDE| F_N leaves 0 inside                       | the same                          |
| OPENING       | F_N falls below 1e-13 of its peak         | open, the stretch is set to 0     |
| RELEASE       | gap reaches 0 from inside with F_N = 0    | open, outside                     |
| CONE_PLUS     | |F_T| reaches μ_s F_N                     | slip along −F_T                   |
| ARREST        | λ reaches 0                               | stick, or slip if beyond the cone |
| TURN          | v_t reaches 0 in slip, or the larger of   | same mode, with the other form of |
|               | μ_s and μ(|v_t|) changes in stick, or     | μ                                 |
|               | |v_t| reaches a knot of the table         |                                   |
| NEXT_FACED …  | in a polygon the point passes a border    | see `polygon.follow_event`        |

At breakaway without a damper, the anchor is displaced at once by (μ_s − μ) F_N/K_T, and the wear of
this displacement is added. TURN occurs only if friction depends on the speed. A contact without
friction does not wear.
"""

from __future__ import annotations

from ..limits import (
    ARREST,
    CLOSING_INSIDE,
    CLOSING_LOWER,
    CONE_PLUS,
    ON_CONE,
    OPENING,
    RELEASE,
    TURN,
)
from ..series.arithmetic import direction_of, magnitude, product_term
from ..series.polynomials import (
    GAUSS_OFFSETS,
    GAUSS_WEIGHTS,
    evaluate,
    evaluate_two,
    integrate,
    integrate_smooth_product,
    integrate_square,
)
from ..series.roots import largest_value
from .friction import (
    SAME_BOUND,
    has_friction,
    holding_coefficient,
    jump_to_cone,
    nearest_knot,
    sliding_friction,
    turning_velocity,
)
from .obstacle import facing_side, is_hole
from .parameters import ContactLaw
from .polygon import share_of_next
from .state_objects import ContactState, ContactWork
from .wear import anchor_runs_away

# A slip does not end if its stretch is inside the cone by this share, the error of its series.
_ON_SLIDING_CONE = 1e-10


def move_contact(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    length: float,
    count: int,
    end: float,
    adds_up: bool,
) -> None:
    """Advance the contact's state to `end` of the piece, and add wear and peak force.

    `adds_up`: also add slip distance and dissipated energies, which a shock spring does not output.
    """
    if s.closed != 0.0:
        force = work.force
        if has_friction(law):
            stretch_1, stretch_2 = evaluate_two(work.stretch_1, work.stretch_2, count, end)
            s.stretch_1 = stretch_1
            s.stretch_2 = stretch_2
            if s.sliding != 0.0:
                turned = s.last_1 * work.direction_1[0] + s.last_2 * work.direction_2[0] < 0.0
                if s.last_sliding == 0.0 or turned:
                    s.slip_count += 1.0
                direction_1, direction_2 = evaluate_two(
                    work.direction_1, work.direction_2, count, end
                )
                size = magnitude(direction_1, direction_2)
                if size > 0.0:
                    s.direction_1 = direction_1 / size
                    s.direction_2 = direction_2 / size
                s.last_1 = s.direction_1
                s.last_2 = s.direction_2
                slip = work.slip
                wear = integrate_smooth_product(force, slip, count, end)
                if adds_up:
                    rubbed = law.friction_coefficient * wear
                    if law.constant_friction < 0.0:
                        rubbed = integrate_smooth_product(work.bound, slip, count, end)
                    s.friction_work += max(0.0, rubbed * length)
                    s.sliding_distance += max(0.0, integrate(slip, count, end) * length)
                _wear(s, max(0.0, wear * length), _next_wear(s, work, length, count, end))
        if adds_up:
            s.damping_work += _damper_heat(law, s, work, length, count, end)
        if law.curvature != 0.0:
            pulled = _pulled(force, work.position_2, work.velocity_2, work.spare, count, end)
            pulled += _pulled(force, work.position_3, work.velocity_3, work.spare, count, end)
            s.pendulum_work += law.curvature * length * pulled
        highest = 0.0
        for j in range(count):
            if force[j] > 0.0:
                highest += force[j]
        if highest > s.contact_peak:
            peak = largest_value(force, count, end, work.guard, work.scratch)
            s.contact_peak = max(s.contact_peak, peak)
            s.peak_force = max(s.peak_force, peak)
    forget_zeros(s)


def _pulled(
    force: list[float],
    place: list[float],
    rate: list[float],
    pull: list[float],
    count: int,
    end: float,
) -> float:
    """∫ F_N u u̇ dy up to `end`."""
    for j in range(count):
        pull[j] = product_term(force, j + 1, place, j + 1, j)
    return integrate_smooth_product(pull, rate, count, end)


def _damper_heat(
    law: ContactLaw, s: ContactState, work: ContactWork, length: float, count: int, end: float
) -> float:
    """∫ C_N ẇ² dt + ∫ C_T |ė|² dt [J] of a closed contact up to `end` of the piece."""
    heat = 0.0
    if law.contact_damping > 0.0:
        if is_hole(law):
            squares = integrate_square(work.radial_velocity, count, end)
        else:
            squares = integrate_square(work.velocity_1, count, end)
        heat = law.contact_damping * length * squares
    damping = law.tangential_damping
    if damping > 0.0 and has_friction(law):
        if s.sliding == 0.0:
            squares = integrate_square(work.sliding_1, count, end)
            squares += integrate_square(work.sliding_2, count, end)
            return heat + damping * length * squares
        squares = _integrate_rate(work.stretch_1, work.spare, count, end)
        squares += _integrate_rate(work.stretch_2, work.spare, count, end)
        heat += damping / length * squares
    return heat


def _integrate_rate(series: list[float], rates: list[float], count: int, end: float) -> float:
    """∫ (dx/dy)² dy of a series up to `end`."""
    for j in range(1, count):
        rates[j - 1] = j * series[j]
    return integrate_square(rates, count - 1, end)


def forget_zeros(s: ContactState) -> None:
    """Reset the known zeros of the guards, after some time in the present mode."""
    s.last_sliding = s.sliding
    s.zeros_gap = 0.0
    s.zeros_force = 0.0
    s.zeros_slip = 0.0
    s.zeros_cone = 0.0
    s.zeros_speed = 0.0


def _wear(s: ContactState, work: float, next_work: float) -> None:
    """Add wear work [J]. The part `next_work` belongs to the next side of a polygon."""
    s.wear_work += work
    if s.closed < 0.0:
        s.wear_work_upper += work
    if s.faced != 0.0:
        bounded = min(max(next_work, 0.0), work)
        s.next_work += bounded
        s.side_work += work - bounded


def _next_wear(s: ContactState, work: ContactWork, length: float, count: int, end: float) -> float:
    """Wear work [J] of the next side in a slip at a corner, up to `end` of the piece.

    The share of the side is a quotient, whose series can converge over a part of the piece only.
    """
    if s.faced == 0.0 or int(s.faced) % 2 == 1:
        return 0.0
    total = 0.0
    for k in range(12):
        aside = GAUSS_OFFSETS[k // 2] if k % 2 == 0 else -GAUSS_OFFSETS[k // 2]
        place = end * (0.5 + aside)
        force, slip = evaluate_two(work.force, work.slip, count, place)
        outward_1, outward_2 = evaluate_two(work.radial_1, work.radial_2, count, place)
        total += GAUSS_WEIGHTS[k // 2] * force * slip * share_of_next(work, outward_1, outward_2)
    return total * end * length


def apply_contact_event(
    law: ContactLaw,
    s: ContactState,
    work: ContactWork,
    count: int,
    end: float,
    event: int,
    zeros: int,
) -> None:
    """Apply an event at `end` of the piece to the contact, see the table of this module."""
    if event == CLOSING_LOWER or event == CLOSING_LOWER + 1:
        close_contact(s, 1.0 if event == CLOSING_LOWER else -1.0)
        if law.contact_damping == 0.0:
            s.zeros_force = max(1.0, float(zeros))
    elif event == CLOSING_INSIDE:
        close_contact(s, facing_side(law, s, work))
        s.zeros_force = float(zeros)
    elif event == OPENING:
        open_contact(law, s, zeros)
    elif event == RELEASE:
        s.zeros_gap = 1.0
        s.zeros_force = 0.0
    elif event == CONE_PLUS:
        _break_away(law, s, work, count, end, zeros)
    elif event == ARREST:
        s.sliding = 0.0
        s.zeros_slip = 0.0
        s.zeros_cone = 0.0
        if zeros > 0 and _friction_now(law, work, count, end) >= law.friction_coefficient_static:
            # The force is on the cone. Without a damper it also leaves the cone tangentially.
            s.zeros_cone = float(zeros) if law.tangential_damping > 0.0 else zeros + 1.0
    elif event == TURN:
        speed = evaluate(work.speed, count, max(0.0, end)) if law.knots > 0.0 else 0.0
        turned = turning_velocity(law, speed)
        # In stick, the speed is a rounded root only at a knot of a table.
        if s.sliding != 0.0 or abs(turned - speed) < SAME_BOUND * turned:
            s.zeros_speed = 1.0 + nearest_knot(law, speed)


def _friction_now(law: ContactLaw, work: ContactWork, count: int, end: float) -> float:
    """Coefficient of friction in slip at `end` of the piece."""
    if law.constant_friction >= 0.0:
        return law.friction_coefficient
    sliding_1, sliding_2 = evaluate_two(work.sliding_1, work.sliding_2, count, max(0.0, end))
    return sliding_friction(law, magnitude(sliding_1, sliding_2))


def close_contact(s: ContactState, side: float) -> None:
    """Close the contact on a side, with its anchor at the point, and count one shock."""
    s.closed = side
    s.sliding = 0.0
    s.stretch_1 = 0.0
    s.stretch_2 = 0.0
    s.contact_peak = 0.0
    s.zeros_force = 0.0
    s.zeros_gap = 0.0
    s.shock_count += 1.0


def open_contact(law: ContactLaw, s: ContactState, zeros: int) -> None:
    """Open the contact. `zeros` is as in `apply_contact_event`."""
    stretch = magnitude(s.stretch_1, s.stretch_2)
    if s.sliding != 0.0 and law.tangential_damping == 0.0:
        # The remaining force moves the anchor until it vanishes.
        s.sliding_distance += stretch
    s.damping_work += 0.5 * law.tangential_stiffness * stretch * stretch
    s.closed = 0.0
    s.sliding = 0.0
    s.stretch_1 = 0.0
    s.stretch_2 = 0.0
    s.zeros_slip = 0.0
    s.zeros_cone = 0.0
    s.zeros_force = 0.0
    if law.contact_damping == 0.0:
        s.zeros_gap = float(zeros)  # the force is proportional to the gap
    else:
        s.zeros_force = float(zeros)


def settle_on_cone(
    law: ContactLaw, s: ContactState, work: ContactWork, force: float, speed: float
) -> bool:
    """Without damper: move the stretch of a closed contact to its cone, which may have changed.

    `force` is F_N [N] > 0, and `speed` is the speed of the point along the obstacle [m/s]. If the
    stretch is beyond the cone, the anchor moves at once until it is on the cone, with its distance
    and wear work. If the stretch of a slip is inside the cone, the slip ends. Returns False if the
    wear of the displacement would accelerate itself.
    """
    stretch = magnitude(s.stretch_1, s.stretch_2)
    friction = sliding_friction(law, speed)
    radius = friction * force / law.tangential_stiffness
    if s.sliding != 0.0 and (speed == 0.0 or stretch < (1.0 - _ON_SLIDING_CONE) * radius):
        s.sliding = 0.0
    holding = holding_coefficient(law, speed) * force / law.tangential_stiffness
    if s.sliding != 0.0:
        holding = radius
    if stretch <= (1.0 + ON_CONE) * holding:
        return True
    if anchor_runs_away(law, friction, law.stiffness, force, law.tangential_stiffness):
        return False
    way, wear = jump_to_cone(stretch, radius, force, law.stiffness * law.opening_per_work)
    share = (stretch - way) / stretch
    s.sliding = 1.0
    s.direction_1 = s.stretch_1 / stretch
    s.direction_2 = s.stretch_2 / stretch
    s.stretch_1 *= share
    s.stretch_2 *= share
    _wear(s, wear, wear * share_of_next(work, work.radial_1[0], work.radial_2[0]))
    s.friction_work += 0.5 * law.tangential_stiffness * way * (2.0 * stretch - way)
    s.sliding_distance += way
    return True


def _break_away(
    law: ContactLaw, s: ContactState, work: ContactWork, count: int, end: float, zeros: int
) -> None:
    s.sliding = 1.0
    s.zeros_cone = 0.0
    stretch = magnitude(s.stretch_1, s.stretch_2)
    if stretch > 0.0:
        s.direction_1 = s.stretch_1 / stretch
        s.direction_2 = s.stretch_2 / stretch
    else:
        # At the tip of the cone, slip starts along the path.
        first, second = evaluate_two(work.sliding_1, work.sliding_2, count, max(0.0, end))
        _, s.direction_1, s.direction_2 = direction_of(first, second)
    # If the friction force is continuous, slip starts with the zeros of the guard.
    friction = _friction_now(law, work, count, end)
    inherited = zeros if friction >= law.friction_coefficient_static else 0
    if law.tangential_damping > 0.0:
        s.zeros_slip = float(inherited)
        return
    s.zeros_slip = max(0.0, inherited - 1.0)
    if law.friction_coefficient_static > friction:
        force = max(0.0, evaluate(work.force, count, end))
        fall = law.stiffness * law.opening_per_work
        held = law.friction_coefficient_static * force / law.tangential_stiffness
        excess, wear = jump_to_cone(held, friction * force / law.tangential_stiffness, force, fall)
        # The slip may end at this instant, and then the contact sticks on the lower cone.
        share = max(0.0, 1.0 - excess / stretch) if stretch > 0.0 else 0.0
        s.stretch_1 *= share
        s.stretch_2 *= share
        outward_1, outward_2 = evaluate_two(work.radial_1, work.radial_2, count, max(0.0, end))
        _wear(s, wear, wear * share_of_next(work, outward_1, outward_2))
        s.friction_work += 0.5 * law.tangential_stiffness * excess * (2.0 * stretch - excess)
        s.sliding_distance += excess
