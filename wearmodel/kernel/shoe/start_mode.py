"""Position of the mass and mode of the contact at the start of a run."""

from __future__ import annotations

from ..contact.friction import holds
from ..limits import PENALTY, PRESCRIBED
from .measures import contact_force, holding_friction
from .normal import gap_to, nearest_plane, penalty_force
from .parameters import Parameters
from .state_objects import State
from .stops import start_at_stop
from .tangential import may_slip
from .transitions import start_friction


def set_mode(p: Parameters, s: State, tangential_forcing: float, normal_forcing: float) -> None:
    """Set the mode in which a run starts, from its positions, velocities and forcings [N]."""
    if p.has_stops != 0.0:
        start_at_stop(p, s)
    s.contact = plane_in_contact(p, s, normal_forcing)
    if s.contact != 0.0:
        start_friction(p, s)
        force = contact_force(p, s, normal_forcing)
        if s.sliding == 0.0:
            friction = holding_friction(p, s, force, tangential_forcing)
            direction = -1.0 if friction > 0.0 else 1.0
            if may_slip(p, s, direction) and not holds(p, s.velocity, friction, force):
                s.sliding = direction
            elif force == 0.0 and s.velocity != 0.0:
                # Without a contact force, the anchor of a moving mass slips.
                s.sliding = 1.0 if s.velocity > 0.0 else -1.0
        s.peak_force = force
    s.last_sliding = s.sliding


def plane_in_contact(p: Parameters, s: State, normal_forcing: float) -> float:
    """Plane pressed by the mass according to position, velocity and forcing [N], 0 in flight.

    If the mass touches a penalised plane without force, this is stored in the state.
    """
    if p.normal_law == PRESCRIBED:
        return 1.0 if normal_forcing < 0.0 else 0.0
    plane = nearest_plane(p, s, s.normal_displacement)
    gap = gap_to(p, s, plane, s.normal_displacement)
    gap_velocity = plane * s.normal_velocity
    if p.normal_law == PENALTY and gap < 0.0:
        return plane if penalty_force(p, gap, gap_velocity) > 0.0 else 0.0
    pull = normal_forcing - p.normal_stiffness * s.normal_displacement
    if not (gap <= 0.0 and gap_velocity == 0.0 and plane * pull < 0.0):
        return 0.0
    if p.normal_law == PENALTY:
        # The force grows with the gap's acceleration, or only with the gap if there is no damper.
        s.zeros_force = 1.0 if p.contact_damping > 0.0 else 2.0
    return plane


def equilibrium(p: Parameters, normal_forcing: float) -> tuple[bool, float]:
    """Static normal displacement [m] under a constant forcing f_n [N], penalised contact.

    k_n w = f_n + R_n on the lower plane, on the upper plane, or between them. False if it does not
    exist because the mass is pulled off its only plane.
    """
    spring = p.normal_stiffness
    contact = p.contact_stiffness
    lower_at = -p.initial_gap
    if normal_forcing - spring * lower_at <= 0.0:
        return True, (normal_forcing + contact * lower_at) / (spring + contact)
    if p.plane_distance > 0.0:
        upper_at = lower_at + p.plane_distance
        if normal_forcing - spring * upper_at >= 0.0:
            return True, (normal_forcing + contact * upper_at) / (spring + contact)
    if spring > 0.0:
        return True, normal_forcing / spring
    return False, 0.0


def place(p: Parameters, s: State, normal_forcing: float) -> bool:
    """Set the initial positions and velocities. False if an equilibrium does not exist.

    `set_mode` then sets the mode.
    """
    s.displacement = p.initial_displacement
    s.velocity = p.initial_velocity
    s.normal_displacement = p.initial_normal_displacement
    s.normal_velocity = p.initial_normal_velocity
    if p.start_in_equilibrium != 0.0:
        held, position = equilibrium(p, normal_forcing)
        if not held:
            return False
        s.normal_displacement = position
    return True
