"""Transition table of the contact: events, their conditions, and the modes after them.

| event             | condition                               | new mode                        |
|-------------------|-----------------------------------------|---------------------------------|
| CLOSING prescribed| F_N leaves 0                            | contact                         |
| CLOSING penalty   | gap reaches 0, or F_N leaves 0 inside   | contact, one shock              |
| CLOSING rigid     | gap reaches 0                           | impact, one shock, flight or rest |
| OPENING           | F_N reaches 0                           | flight, the stretch is lost     |
| RELEASE           | gap reaches 0 from inside with F_N = 0  | flight, outside                 |
| CONE_PLUS, _MINUS | ±F_T reaches μ_s F_N                    | slip against the friction force |
| ARREST            | slip velocity reaches 0                 | stick, then check of the cone   |
| TURN              | u̇ reaches 0 in penalised slip, or the   | friction takes another form     |
|                   | larger of μ_s, μ(|u̇|) changes in stick, |                                 |
|                   | or |u̇| reaches a knot of the table       |                                 |
| STOP, LEAVE       | a stop is reached or left               | see `stops`                     |

A contact that closes slips if u̇ ≠ 0 (rigid friction), and sticks with e = 0 (penalised). If sliding
is one way only, a mass that moves the other way is stopped, and cannot slip in that direction.
A reversal is an arrest and a breakaway at one instant. Each entry also sets the number of leading
coefficients of a guard that vanish by construction, so that rounding is not a new event.
"""

from __future__ import annotations

from ..contact.friction import (
    SAME_BOUND,
    has_friction,
    jump_to_cone,
    keeps_force,
    sliding_friction,
    turning_velocity,
)
from ..limits import (
    ARREST,
    CLOSING_LOWER,
    CLOSING_UPPER,
    CONE_MINUS,
    CONE_PLUS,
    OPENING,
    PENALISED_FRICTION,
    PENALTY,
    PRESCRIBED,
    RELEASE,
    RIGID_CONTACT,
    STOP_LOWER,
    TURN,
)
from ..series.polynomials import size_over
from .impact import strike
from .normal import gap_to, opening_of
from .parameters import Parameters
from .state_objects import State, Work
from .stops import pass_stop


def apply_event(
    p: Parameters, s: State, event: int, zeros: int, normal_forcing: float, work: Work
) -> None:
    """Apply `event` to `s` at this instant.

    `zeros` is the number of leading coefficients of the guard that are zero here: 1 at a root, more
    if the guard touches its bound, and 0 if the bound was already exceeded at the start of the
    piece (discontinuous input, or trial of a mode). `normal_forcing` is f_n [N] at this instant.
    The work rows are work space.
    """
    if event == CLOSING_LOWER or event == CLOSING_UPPER:
        plane = 1.0 if event == CLOSING_LOWER else -1.0
        _close(p, s, plane, zeros, normal_forcing, work)
    elif event == OPENING:
        open_contact(p, s, zeros)
    elif event == RELEASE:
        s.zeros_gap = 1.0
    elif event == CONE_PLUS:
        break_away(p, s, -1.0, zeros)
    elif event == CONE_MINUS:
        break_away(p, s, 1.0, zeros)
    elif event == ARREST:
        arrest(p, s, zeros)
    elif event == TURN:
        # In stick the velocity is a rounded root only at a knot of a table, or where it changes its
        # sign at once.
        turned = turning_velocity(p, s.velocity)
        counts = work.counts
        scale = max(abs(turned), size_over(work.velocity, int(counts.motion), 1.0))
        if s.sliding != 0.0 or abs(turned - s.velocity) < SAME_BOUND * scale:
            s.velocity = turned
    elif event >= STOP_LOWER:
        pass_stop(p, s, event, zeros, normal_forcing, work)


def _close(
    p: Parameters, s: State, plane: float, zeros: int, normal_forcing: float, work: Work
) -> None:
    law = p.normal_law
    if law == PRESCRIBED:
        s.contact = 1.0
        s.zeros_force = float(zeros)
        start_friction(p, s)
        return
    s.shock_count += 1.0
    if law == PENALTY:
        s.contact = plane
        # A mass that the damper has released inside the obstacle is leaving it. An approaching mass
        # may be inside by rounding.
        leaving = plane * s.normal_velocity > 0.0
        inside = gap_to(p, s, plane, s.normal_displacement) < 0.0
        if leaving and inside and p.contact_damping > 0.0:
            s.zeros_force = 1.0
        else:
            _place_on_plane(p, s, plane)
            s.zeros_force = 0.0 if p.contact_damping > 0.0 else 1.0
        start_friction(p, s)
        return
    _place_on_plane(p, s, plane)
    if strike(p, s, plane, normal_forcing, work):
        s.contact = plane
        start_friction(p, s)
    else:
        s.zeros_gap = 1.0


def _place_on_plane(p: Parameters, s: State, plane: float) -> None:
    """Set the gap to `plane` to exactly zero."""
    s.normal_displacement = -p.initial_gap
    if plane < 0.0:
        s.normal_displacement += p.plane_distance
    if p.opening_per_work != 0.0:
        s.normal_displacement -= plane * opening_of(p, s, plane)


def open_contact(p: Parameters, s: State, zeros: int) -> None:
    """Open the contact, with `zeros` as in `apply_event`."""
    plane = s.contact
    s.contact = 0.0
    s.sliding = 0.0
    # The energy of the remaining stretch is lost.
    s.damping_work += 0.5 * p.tangential_stiffness * s.stretch * s.stretch
    s.stretch = 0.0
    s.zeros_slip = 0.0
    s.zeros_cone_plus = 0.0
    s.zeros_cone_minus = 0.0
    s.zeros_force = 0.0
    law = p.normal_law
    if law == RIGID_CONTACT:
        # Gap and gap velocity are zero, and so is the acceleration if the force fell to zero.
        s.zeros_gap = 2.0 + zeros
    elif law == PENALTY and p.contact_damping == 0.0:
        s.zeros_gap = float(zeros)  # the force is proportional to the gap
        if zeros > 0:
            _place_on_plane(p, s, plane)
    else:
        s.zeros_force = float(zeros)


def start_friction(p: Parameters, s: State) -> None:
    """Set the mode of friction in a contact that has just closed, before the check of the cone."""
    s.sliding = 0.0
    s.stretch = 0.0
    if p.tangential_law != PENALISED_FRICTION:
        if s.velocity > 0.0:
            s.sliding = 1.0
        elif s.velocity < 0.0:
            s.sliding = -1.0
        if s.sliding != 0.0 and s.sliding == p.held_direction:
            # Unlimited friction stops the mass at once.
            s.friction_work += 0.5 * p.mass * s.velocity * s.velocity
            s.velocity = 0.0
            s.sliding = 0.0


def break_away(p: Parameters, s: State, direction: float, zeros: int) -> None:
    """Start slip in a direction, with `zeros` as in `apply_event`."""
    s.sliding = direction
    s.zeros_cone_plus = 0.0
    s.zeros_cone_minus = 0.0
    # If the friction force is continuous, the slip's acceleration (rigid), velocity (penalised, C_T
    # > 0) or anchor motion (C_T = 0) has the leading zeros of the guard.
    inherited = zeros if keeps_force(p, s.velocity) else 0
    if p.tangential_law != PENALISED_FRICTION:
        s.zeros_slip = 1.0 + inherited
        s.stop *= 1.0 - p.stop_holds
    elif p.tangential_damping > 0.0:
        s.zeros_slip = float(inherited)
    else:
        s.zeros_slip = max(0.0, inherited - 1.0)


def drag_anchor(p: Parameters, s: State, normal_force: float) -> bool:
    """Penalised slip without damper: move the anchor to K_T |e| = μ F_N, and add its work.

    False if the stretch is too small. The anchor cannot be pushed, so the contact sticks.
    """
    sliding = s.sliding
    stiffness = p.tangential_stiffness
    stretch = sliding * s.stretch
    friction = sliding_friction(p, s.velocity)
    wanted = friction * normal_force / stiffness
    excess = stretch - wanted
    # A stretch is summed over pieces with some thousand roundings. A force that has fallen from its
    # peak has some dozen roundings of the peak.
    rounding = 1e-12 * max(abs(stretch), wanted)
    rounding += 1e-14 * friction * s.peak_force / stiffness
    # A force from the penalised gap does not rise suddenly, so that a deficit is rounding.
    if excess < -rounding and p.normal_law != PENALTY:
        return False
    if excess > rounding:
        # With wear feedback the anchor's motion opens the gap. F_N falls by K_N β of the wear work.
        fall = p.contact_stiffness * p.opening_per_work
        excess, wear = jump_to_cone(stretch, wanted, normal_force, fall)
        if fall != 0.0:
            wanted = stretch - excess
        s.wear_work += wear
        if s.contact < 0.0:
            s.wear_work_upper += wear
        s.sliding_distance += excess
        s.friction_work += 0.5 * stiffness * excess * (stretch + wanted)
    s.stretch = sliding * wanted
    return True


def arrest(p: Parameters, s: State, zeros: int) -> None:
    """End slip, with `zeros` as in `apply_event`."""
    sliding = s.sliding
    begun_with = s.zeros_slip
    s.sliding = 0.0
    s.zeros_slip = 0.0
    if p.tangential_law != PENALISED_FRICTION:
        s.velocity = 0.0
        return
    if p.constant_friction == 0.0 and not has_friction(p):
        # Stick is impossible. The spring's force is 0, and its rounding would set the direction.
        s.sliding = -sliding
        s.zeros_slip = float(zeros)
        return
    known = float(zeros)
    if begun_with > 0.0:
        # The slip ends at its start, so that its first coefficient was rounding.
        known = max(known, begun_with + 1.0)
    if known == 0.0 or not keeps_force(p, s.velocity):
        return
    # The force is still on the cone. Without damper it also leaves the cone tangentially.
    cone_zeros = known if p.tangential_damping > 0.0 else known + 1.0
    if sliding > 0.0:
        s.zeros_cone_minus = cone_zeros
    else:
        s.zeros_cone_plus = cone_zeros
