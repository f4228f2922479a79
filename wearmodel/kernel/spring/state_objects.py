"""State objects of the shock spring."""

from __future__ import annotations

from dataclasses import dataclass

from ..contact.parameters import ContactLaw
from ..contact.state_objects import ContactState, ContactTerms, ContactWork
from ..events import Watch
from ..state_objects import ModalRow, bundle, copying, state_object


@state_object
class SpringState:
    """State of the shock spring, SI units.

    The anchoring point is the position at which stick began, and outside stick the driving point. A
    stretch in stick is counted from there, so that the division of a leg adds no rounding. A
    contact that is computed by series has a state of its own, which this state repeats.
    """

    drive_x: float  # m, the driving point
    drive_y: float
    drive_z: float
    anchoring_y: float  # m
    anchoring_z: float
    stretch_y: float  # m, of the tangential spring when the driving point was anchored
    stretch_z: float
    wear_work: float  # J
    velocity_x: float  # m/s, of the driving point along its last leg, 0 in the closed form
    velocity_y: float
    velocity_z: float
    slip_velocity: float  # m/s, rate of the anchor at the end of the last leg
    wear_work_upper: float  # J, the part of the wear work on the upper one of two planes
    mode: float  # FLIGHT 0, STICK 1, SLIP 2
    parameter_change_work: float  # J, added to the springs by changes of parameters
    # If the spring is computed by series: F_N [N], the outputs `force_x` …, the gap [m] in a hole.
    normal_force: float
    force_x: float
    force_y: float
    force_z: float
    gap: float


# A sample of the drive: its instant [s], the loads [N], the imposed displacements [m].
LOAD_X = 1
IMPOSED_X = 4


@state_object
class Leg:
    """A straight leg of the driving point."""

    end_x: float  # m, the driving point at its end
    end_y: float
    end_z: float
    path_x: float  # m, displacement of the driving point
    path_y: float
    path_z: float
    ahead_y: float  # direction of the first tangent of a contact that is computed by series
    ahead_z: float
    is_watched: float  # 1 if its modes are recorded, see `course`


@state_object
class Course:
    """Modes along a step, and the time of the present leg in it."""

    mode: float  # the last mode that was recorded
    mode_before: float  # before the present instant
    offset: float  # s since the step's start, at which the leg begins
    span: float  # s, duration of the leg
    duration: float  # s, of the step
    left: float  # s since the step's start, of the last instant that was left


@state_object
class SpringWork:
    """Copies of states in a watched step."""

    course: Course
    watching: Watch
    at_start: SpringState
    after: SpringState  # after the pending event
    contact_prior: ContactState  # right before the pending event
    contact_after: ContactState


@state_object
class SideWorks:
    """Wear work of the sides of a polygon. A spring outputs only their sum."""

    works: ModalRow  # J


@bundle
@dataclass
class SpringMemory:
    """Work space of a step."""

    leg: Leg
    work: SpringWork
    law: ContactLaw  # of a contact that is computed by series, see `path`
    series: ContactWork
    terms: list[ContactTerms]  # a state object for each order
    contact_before: ContactState  # before looking beyond the end of a watched step
    sides: SideWorks


@state_object
class EnergyAccount:
    """Energy of a contact with images of bodies."""

    exchanged: float  # J, work −Σ F̄·Δx of the bodies on the contact since its last flight
    available: float  # J, the same at the start of the image's step, with a predicted step
    dissipated: float  # J, by the contact in this time
    balance: float  # J, available less dissipated
    # Used by `bodies` only.
    heat: float  # J, dissipated since the start
    is_out: float  # 1 if the contact is open in this step, for bodies and images


@state_object
class ImageState:
    """The image of a body's mass, see `image`: steps and estimated mass."""

    step_size: float  # s, of the last step
    step_before: float  # s
    steps: float  # received positions, up to 3. With an unknown mass, 1 after a flight
    contact_steps: float  # steps since the touch
    force_change: float  # Σ ΔF·Δa
    acceleration_change: float  # Σ Δa²
    told_mass: float  # 1 after the warning about the mass
    told_step: float
    has_velocity: float  # used by `bodies` only: 1 after a velocity has been received
    # For an unknown mass, see `watch_body`: sums over second differences of the displacement per
    # step (turn) and changes of the force in the present contact.
    watched: float  # steps in contact since the start
    turns: float  # m2, Σ turn²
    serial_fit: float  # N.m, Σ turn·change
    serial_forces: float  # N2, Σ change²
    parallel_fit: float  # the same with the force that a parallel master applies
    parallel_forces: float
    work: float  # J, of the force that a serial master applies
    parallel_work: float
    stable_step: float  # s, largest stable step of this master


@state_object
class ImageAxis:
    """The image of a body's mass along one axis."""

    received: float  # m, position of the body
    moved: float  # m, displacement of the body in the last step
    rate: float  # m/s, mean velocity of the body in the last step
    velocity: float  # m/s, at the start of the image's step
    acceleration: float  # m/s2, by other forces
    lasting_acceleration: float  # m/s2, of the last flight, updated slowly in contact
    expected_acceleration: float  # m/s2, of the image: the mean of both
    place: float  # m, of the body at the start of the image's step
    offset: float  # m, of the image from the body
    mean_force: float  # N, on the body, in the image's step
    applied: float  # N, mean force in the body's last step
    before: float  # N, mean force in the step before it
    seen_force: float  # N, mean of these two steps
    seen_acceleration: float  # m/s2


@bundle
@dataclass
class BodyImage:
    """Image of a body's mass."""

    body: ImageState
    account: EnergyAccount
    axes: list[ImageAxis]


copy_spring = copying(SpringState)
