"""A change of parameters of the shock spring between two legs, as in `shoe.parameter_change`.

The driving point and the anchor do not move. With given loads K' includes the elastic spring in
series. The change of the energy at the driving point,

    ½ K_N' d² + ½ K_T' |e|²,

is the work of the change. A contact that closes starts with e = 0, and a contact that opens has no
stretch. Without a tangential damper an anchor outside the new cone moves to it at once, with its
wear. The dampers' forces belong to the last leg. A plain spring has no velocity, and sticks until
the next leg.
"""

from __future__ import annotations

from ..contact.obstacle import gap_now
from ..contact.parameter_change import contact_energy, settle_contact
from ..contact.polygon import face, settle_facing, turn_to
from ..contact.state_objects import ContactState
from ..limits import CHANGE_OVERFLOWS, CHANGE_RUNS_AWAY, FLIGHT, OK, STICK
from ..series.arithmetic import magnitude
from .parameters import LARGEST, SpringParameters
from .path import place_as_led, set_law, tell_contact
from .state_objects import SpringMemory, SpringState
from .steps import upper_side


def change_spring_parameters(
    old_p: SpringParameters,
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    memory: SpringMemory,
) -> tuple[int, float, float]:
    """Change the parameters from `old_p` to `p`, both completed, between two legs.

    Returns OK, or a code and two numbers for its message. The states are then incomplete.
    """
    if old_p.is_plain != 0.0 and p.is_plain != 0.0:
        _change_plain(old_p, p, s)
    else:
        if old_p.is_plain != 0.0:
            _take_contact(old_p, s, contact)
        if not _change_contact(old_p, p, s, contact, memory):
            return CHANGE_RUNS_AWAY, 0.0, 0.0
    if p.is_plain != 0.0:
        s.velocity_x = 0.0
        s.velocity_y = 0.0
        s.velocity_z = 0.0
        s.slip_velocity = 0.0
        if s.mode != FLIGHT:
            s.mode = STICK
    size = abs(s.parameter_change_work) + s.wear_work * (1.0 + p.opening_per_work)
    # This form also rejects NaN.
    if not size + s.slip_velocity <= LARGEST:
        return CHANGE_OVERFLOWS, 0.0, 0.0
    return OK, 0.0, 0.0


def _take_contact(p: SpringParameters, s: SpringState, contact: ContactState) -> None:
    """Write the contact's state from the state of a plain spring."""
    contact.closed = upper_side(p, s) if s.mode != FLIGHT else 0.0
    contact.sliding = 0.0
    contact.stretch_1 = s.stretch_y + (s.drive_y - s.anchoring_y)
    contact.stretch_2 = s.stretch_z + (s.drive_z - s.anchoring_z)
    contact.wear_work = s.wear_work
    contact.wear_work_upper = s.wear_work_upper
    contact.contact_peak = 0.0
    contact.zeros_gap = 0.0
    contact.zeros_force = 0.0


def _change_contact(
    old_p: SpringParameters,
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    memory: SpringMemory,
) -> bool:
    """Change the law of a contact of `path`. False if wear would accelerate the anchor's slip."""
    law = memory.law
    series = memory.series
    presses_anew = (
        p.gap_at_rest != old_p.gap_at_rest
        or p.driven_normal_stiffness != old_p.driven_normal_stiffness
        or p.contact_damping != old_p.contact_damping
    )
    set_law(old_p, law, series)
    place_as_led(law, s, contact, series)
    held = contact_energy(law, contact, series)
    if presses_anew:
        turn_to(law, contact, 0, memory.sides.works)
    set_law(p, law, series)
    face(law, contact, series)
    s.parameter_change_work += contact_energy(law, contact, series) - held
    if presses_anew:
        is_inside = gap_now(law, contact, series) < 0.0
        settle_facing(law, contact, series, is_inside, memory.sides.works)
    settled = settle_contact(law, contact, series, presses_anew)
    tell_contact(law, s, contact, series)
    return settled


def _change_plain(old_p: SpringParameters, p: SpringParameters, s: SpringState) -> None:
    side = upper_side(p, s)
    depth = -(side * s.drive_x + p.gap_at_rest)
    old_depth = -(side * s.drive_x + old_p.gap_at_rest)
    stretch_y = s.stretch_y + (s.drive_y - s.anchoring_y)
    stretch_z = s.stretch_z + (s.drive_z - s.anchoring_z)
    stretch = magnitude(stretch_y, stretch_z)
    pressed_before = max(0.0, old_depth)
    pressed = max(0.0, depth)
    twice = (p.driven_tangential_stiffness - old_p.driven_tangential_stiffness) * stretch * stretch
    twice += (p.driven_normal_stiffness - old_p.driven_normal_stiffness) * pressed * pressed
    further = (pressed - pressed_before) * (pressed + pressed_before)
    twice += old_p.driven_normal_stiffness * further
    s.parameter_change_work += 0.5 * twice
    force = p.driven_normal_stiffness * pressed
    bound = p.bound_per_force * force
    if s.mode == FLIGHT or not force > 0.0:
        s.anchoring_y = s.drive_y
        s.anchoring_z = s.drive_z
        s.stretch_y = 0.0
        s.stretch_z = 0.0
    elif stretch > bound:
        # The anchor moves to the narrower cone at once.
        way = stretch - bound
        share = (stretch - way) / stretch
        s.stretch_y = stretch_y * share
        s.stretch_z = stretch_z * share
        s.anchoring_y = s.drive_y
        s.anchoring_z = s.drive_z
        wear_work = s.wear_work
        s.wear_work += force * way
        if side < 0.0:
            s.wear_work_upper += s.wear_work - wear_work
    s.mode = STICK if force > 0.0 else FLIGHT
