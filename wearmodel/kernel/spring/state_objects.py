"""State objects of the shock spring, as `shoe.state_objects` has those of the frictional shock."""

from __future__ import annotations

from dataclasses import dataclass

from ..contact.parameters import ContactLaw
from ..contact.state_objects import ContactState, ContactTerms, ContactWork
from ..events import Watch
from ..state_objects import ModalRow, bundle, copying, state_object


@state_object
class SpringState:
    """State of the shock spring, SI units.

    The anchoring point is where stick began (the driving point itself outside stick): a stretch in
    stick is counted from there, so cutting a leg adds no rounding. Where the spring is led by
    series its contact has a state of its own, which this one repeats.
    """

    drive_x: float  # m, the driving point
    drive_y: float
    drive_z: float
    anchoring_y: float  # m
    anchoring_z: float
    stretch_y: float  # m, of the tangential spring when the driving point was anchored
    stretch_z: float
    wear_work: float  # J
    velocity_x: float  # m/s, of the driving point along its last leg; 0 in the closed form
    velocity_y: float
    velocity_z: float
    slip_velocity: float  # m/s, rate of the anchor at the end of the last leg
    wear_work_upper: float  # J, the part of the wear work that the upper one of two planes bears
    mode: float  # FLIGHT 0, STICK 1, SLIP 2
    parameter_change_work: float  # J, what changes of parameters put into the springs


# A sample of the drive: its instant [s], the loads [N], the imposed displacements [m].
LOAD_X = 1
LOAD_Y = 2
LOAD_Z = 3
IMPOSED_X = 4
IMPOSED_Y = 5
IMPOSED_Z = 6


@state_object
class Leg:
    """A straight leg of the driving point."""

    end_x: float  # m, the driving point at its end
    end_y: float
    end_z: float
    path_x: float  # m, way of the driving point
    path_y: float
    path_z: float
    ahead_y: float  # direction of the first tangent that a contact led by series has along it
    ahead_z: float
    is_watched: float  # 1 where the modes along it are noted, see `course`


@state_object
class Course:
    """Modes along a step, and where in it the present leg lies."""

    mode: float  # that was noted last
    mode_before: float  # before the instant at hand
    offset: float  # s since the step's start, where the leg begins
    span: float  # s, how long it takes
    duration: float  # s, of the step
    left: float  # s since the step's start, the instant that was left last


@state_object
class SpringWork:
    """What is kept of a step that is watched."""

    course: Course
    watching: Watch
    at_start: SpringState
    after: SpringState  # behind the event that is pending
    contact_prior: ContactState  # right before it
    contact_after: ContactState


@state_object
class SideWorks:
    """Wear work of the sides of a polygon, of which a spring outputs the sum only."""

    works: ModalRow  # J


@bundle
@dataclass
class SpringMemory:
    """Work space of a step."""

    leg: Leg
    work: SpringWork
    law: ContactLaw  # of a contact that is led by the contact's own series, see `path`
    series: ContactWork
    terms: list[ContactTerms]  # a state object for each order
    before: SpringState  # what a step that fails puts back
    contact_before: ContactState
    sides: SideWorks


copy_spring = copying(SpringState)
