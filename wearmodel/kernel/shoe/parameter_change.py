"""A change of parameters during a run: an event at the present instant, between two steps.

Positions, velocities, the friction spring's anchor and all sums do not change. Forces change
at once, and so can the mode of the contact:

gap, contact stiffness and damping  the contact closes if it is now pressed (a shock), and opens
                                    without force
friction, stiffness, damping        stick outside the cone becomes slip. An anchor without damper
                                    moves to the cone at once, with its wear as at a breakaway. Slip
                                    whose anchor would move back becomes stick

The energy of the springs at the same positions changes by

    ½ Δk u² + ½ Δk_n w² + ½ ΔK_T e² + ½ Δ(K_N d²),   d penetration of the obstacle,

which is the work of the change. A rigid plane cannot move into the mass, because this would need an
infinite velocity.
"""

from __future__ import annotations

from ..contact.friction import holds, sliding_friction
from ..contact.wear import anchor_runs_away
from ..limits import (
    CHANGE_OVERFLOWS,
    CHANGE_RUNS_AWAY,
    DAMPER_REMOVED,
    OK,
    PENALISED_FRICTION,
    PENALTY,
    PLANE_INTO_MASS,
    PRESCRIBED,
    RIGID_CONTACT,
)
from .measures import contact_force, holding_friction
from .normal import gap_to, nearest_plane
from .parameters import Parameters
from .start_mode import plane_in_contact
from .state_objects import Present, State, state_sum
from .tangential import may_slip
from .transitions import arrest, break_away, drag_anchor, open_contact, start_friction

# A gap is 0 if it is below this share of the lengths whose difference it is.
_SAME_PLACE = 4e-16


def change_parameters(
    old_p: Parameters, p: Parameters, s: State, now: Present
) -> tuple[int, float, float]:
    """Change the parameters from `old_p` to `p`, both completed, at this instant.

    Returns OK, or a code and two numbers for its message. The state is then incomplete.
    """
    normal_changes = (
        p.normal_stiffness != old_p.normal_stiffness
        or p.normal_damping != old_p.normal_damping
        or p.initial_gap != old_p.initial_gap
        or p.plane_distance != old_p.plane_distance
        or p.contact_stiffness != old_p.contact_stiffness
        or p.contact_damping != old_p.contact_damping
    ) and p.normal_law != PRESCRIBED
    if normal_changes and p.normal_law == RIGID_CONTACT:
        place = s.normal_displacement
        nearest = nearest_plane(p, s, place)
        gap = gap_to(p, s, nearest, place)
        if gap < -_rounding(p, place):
            return PLANE_INTO_MASS, gap, p.initial_gap
    if (
        s.sliding != 0.0
        and p.constant_friction < 0.0
        and p.slip_follows_forcing != 0.0
        and old_p.slip_follows_forcing == 0.0
    ):
        return DAMPER_REMOVED, old_p.tangential_damping, 0.0
    s.parameter_change_work += _energy_change(old_p, p, s)
    if normal_changes:
        _settle_normal(old_p, p, s, now.normal_forcing)
    if s.contact != 0.0:
        s.zeros_slip = 0.0
        s.zeros_cone_plus = 0.0
        s.zeros_cone_minus = 0.0
        force = contact_force(p, s, now.normal_forcing)
        s.peak_force = max(s.peak_force, force)
        if (
            p.opening_per_work != 0.0
            and p.slip_follows_forcing != 0.0
            and anchor_runs_away(
                p,
                sliding_friction(p, s.velocity),
                p.contact_stiffness,
                force,
                p.tangential_stiffness,
            )
        ):
            return CHANGE_RUNS_AWAY, 0.0, 0.0
        _settle_friction(p, s, force, now.tangential_forcing)
    # The difference is zero unless the sum, and so one of the numbers, is not finite.
    total = state_sum(s)
    if total - total != 0.0:
        return CHANGE_OVERFLOWS, 0.0, 0.0
    return OK, 0.0, 0.0


def _rounding(p: Parameters, place: float) -> float:
    return _SAME_PLACE * (abs(p.initial_gap) + abs(place) + p.plane_distance)


def _energy_change(old_p: Parameters, p: Parameters, s: State) -> float:
    """Increase [J] of the springs' energy due to the new values at unchanged positions."""
    twice = (p.stiffness - old_p.stiffness) * s.displacement * s.displacement
    twice += (p.tangential_stiffness - old_p.tangential_stiffness) * s.stretch * s.stretch
    if p.normal_law != PRESCRIBED:
        place = s.normal_displacement
        twice += (p.normal_stiffness - old_p.normal_stiffness) * place * place
    if p.normal_law == PENALTY:
        depth_before = _depth(old_p, s)
        depth = _depth(p, s)
        twice += (p.contact_stiffness - old_p.contact_stiffness) * depth * depth
        further = (depth - depth_before) * (depth + depth_before)
        twice += old_p.contact_stiffness * further
    return 0.5 * twice


def _depth(p: Parameters, s: State) -> float:
    """Depth [m] of the mass in the penalised obstacle, in contact or leaving it, otherwise 0."""
    place = s.normal_displacement
    return max(0.0, -gap_to(p, s, nearest_plane(p, s, place), place))


def _settle_normal(old_p: Parameters, p: Parameters, s: State, normal_forcing: float) -> None:
    """Close or open the contact if the new values require it."""
    place = s.normal_displacement
    before = s.contact
    facing = before if before != 0.0 else nearest_plane(p, s, place)
    gap = gap_to(p, s, facing, place)
    is_same_gap = gap == gap_to(old_p, s, facing, place)
    if p.normal_law == RIGID_CONTACT and before != 0.0 and abs(gap) <= _rounding(p, place):
        if before * (normal_forcing - p.normal_stiffness * place) > 0.0:
            open_contact(p, s, 0)
        return
    # The springs and dampers parallel to the contact do not change its force.
    presses_anew = (
        not is_same_gap
        or p.contact_stiffness != old_p.contact_stiffness
        or p.contact_damping != old_p.contact_damping
    )
    # If the mass touches or leaves the plane at this instant, gap and gap velocity remain 0 by
    # construction, but the acceleration may have changed.
    s.zeros_gap = min(s.zeros_gap, 2.0)
    touches = is_same_gap and (s.zeros_gap > 0.0 or (gap == 0.0 and before != 0.0))
    if touches or not presses_anew:
        return
    s.zeros_force = 0.0
    s.zeros_gap = 0.0
    plane = plane_in_contact(p, s, normal_forcing)
    if plane == before:
        return
    if before != 0.0:
        zeros_force = s.zeros_force
        open_contact(p, s, 0)
        s.zeros_gap = 0.0
        s.zeros_force = zeros_force
    if plane != 0.0:
        s.contact = plane
        s.shock_count += 1.0
        start_friction(p, s)


def _settle_friction(p: Parameters, s: State, force: float, tangential_forcing: float) -> None:
    """Start slip outside the cone, and stick if the anchor of a slip would move backwards."""
    penalised = p.tangential_law == PENALISED_FRICTION
    sliding = s.sliding
    if sliding != 0.0:
        if not penalised:
            # If the slip starts at this instant, its acceleration has changed.
            if s.velocity == 0.0:
                s.zeros_slip = 1.0
            return
        surplus = sliding * p.tangential_stiffness * s.stretch
        surplus -= sliding_friction(p, s.velocity) * force
        # The anchor's velocity, times C_T. Without damper the anchor can be pulled, but not pushed.
        if sliding * p.tangential_damping * s.velocity + surplus < 0.0:
            arrest(p, s, 0)
        elif p.tangential_damping == 0.0:
            drag_anchor(p, s, force)
    if s.sliding == 0.0:
        friction = holding_friction(p, s, force, tangential_forcing)
        direction = -1.0 if friction > 0.0 else 1.0
        if may_slip(p, s, direction) and not holds(p, s.velocity, friction, force):
            break_away(p, s, direction, 0)
            if penalised and p.tangential_damping == 0.0:
                drag_anchor(p, s, force)
