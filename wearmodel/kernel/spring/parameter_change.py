"""A change of parameters of the shock spring between two legs; see `shoe.parameter_change`.

The driving point and the anchor stay. Seen from the driving point the springs hold

    ½ K_N' d² + ½ K_T' |e|²,   K' with the elastic spring in series, where loads are given,

so that the change of it at the same point is the work of whoever made the change. A contact that
is closed by it starts with e = 0; one that is opened forgets its stretch. Without tangential damper
an anchor beyond the new cone jumps to it and is booked, as where the cone narrows from one leg to
the next. The dampers' forces are those of the leg just gone. At planes the contact then sticks,
with no slip velocity, unless a tangential damper carries it on, until the next leg leads it.
"""

from __future__ import annotations

from ..contact.friction import sliding_friction
from ..contact.obstacle import CIRCLE, TWO_PLANES
from ..contact.parameter_change import contact_energy, settle_contact
from ..contact.records import ContactState
from ..limits import CHANGE_OVERFLOWS, CHANGE_RUNS_AWAY, FLIGHT, OK, SLIP, STICK
from ..series.arithmetic import magnitude
from .law import shrink_to_cone
from .parameters import LARGEST, SpringParameters, bound_per_force
from .path import place_as_led, set_law, tell_contact
from .records import SpringMemory, SpringState
from .steps import middle_of_gap, mirror


def change_spring_parameters(
    old_p: SpringParameters,
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    memory: SpringMemory,
) -> tuple[int, float, float]:
    """Carry the spring from the parameters `old_p` to `p`, both completed, between two legs.

    OK, or why it cannot be, and two numbers for its message; the states are then left half-way.
    """
    settled = True
    if p.obstacle == CIRCLE:
        settled = _change_in_circle(old_p, p, s, contact, memory)
    elif p.obstacle == TWO_PLANES and s.drive_x > middle_of_gap(s):
        wear_work = s.wear_work
        mirror(s)
        settled = _change_at_plane(old_p, p, s, memory)
        mirror(s)
        s.wear_work_upper += s.wear_work - wear_work
    else:
        settled = _change_at_plane(old_p, p, s, memory)
    if not settled:
        return CHANGE_RUNS_AWAY, 0.0, 0.0
    if p.is_plain != 0.0:
        # Nothing asks for it, and nothing keeps it up to date.
        s.velocity_x = 0.0
        s.velocity_y = 0.0
        s.velocity_z = 0.0
    size = abs(s.parameter_change_work) + s.wear_work + s.opening + s.slip_velocity
    # Written so that a value that is not a number fails as well.
    if not size <= LARGEST:
        return CHANGE_OVERFLOWS, 0.0, 0.0
    return OK, 0.0, 0.0


def _change_in_circle(
    old_p: SpringParameters,
    p: SpringParameters,
    s: SpringState,
    contact: ContactState,
    memory: SpringMemory,
) -> bool:
    law = memory.law
    series = memory.series
    place_as_led(s, series)
    set_law(old_p, law)
    held = contact_energy(law, contact, series)
    set_law(p, law)
    s.parameter_change_work += contact_energy(law, contact, series) - held
    presses_anew = (
        p.gap_at_rest != old_p.gap_at_rest
        or p.driven_normal_stiffness != old_p.driven_normal_stiffness
        or p.contact_damping != old_p.contact_damping
    )
    settled = settle_contact(law, contact, series, presses_anew)
    tell_contact(law, s, contact, series)
    return settled


def _change_at_plane(
    old_p: SpringParameters, p: SpringParameters, s: SpringState, memory: SpringMemory
) -> bool:
    depth = -(s.drive_x + (p.gap_at_rest + s.opening))
    old_depth = -(s.drive_x + (old_p.gap_at_rest + s.opening))
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
    s.slip_velocity = 0.0
    force = p.driven_normal_stiffness * depth - p.contact_damping * s.velocity_x
    presses = depth > 0.0 and force > 0.0
    if s.mode == FLIGHT or not presses:
        s.anchoring_y = s.drive_y
        s.anchoring_z = s.drive_z
        s.stretch_y = 0.0
        s.stretch_z = 0.0
        stretch_y = 0.0
        stretch_z = 0.0
    s.mode = STICK if presses else FLIGHT
    if not presses:
        return True
    friction = sliding_friction(p, magnitude(s.velocity_y, s.velocity_z))
    if p.tangential_damping > 0.0:
        dragged_y = p.driven_tangential_stiffness * stretch_y + p.tangential_damping * s.velocity_y
        dragged_z = p.driven_tangential_stiffness * stretch_z + p.tangential_damping * s.velocity_z
        excess = magnitude(dragged_y, dragged_z) - friction * force
        if excess > 0.0:
            s.mode = SLIP
            s.slip_velocity = excess / p.tangential_damping
        return True
    leg = memory.leg
    leg.path_x = s.velocity_x
    leg.normal_damper = p.contact_damping
    leg.normal_stiffness = p.driven_normal_stiffness
    leg.stretch_per_force = bound_per_force(p, friction)
    leg.opening_per_work = p.opening_per_work
    leg.runaway_per_force = leg.stretch_per_force * leg.normal_stiffness * leg.opening_per_work
    return shrink_to_cone(s, leg, p.gap_at_rest) == OK
