"""Records of the shock spring, as `shoe.records` has those of the frictional shock."""

from __future__ import annotations

from dataclasses import dataclass

from ..contact.parameters import ContactLaw
from ..contact.records import ContactState, ContactTerms, ContactWork
from ..events import Watch
from ..records import Row, bundle, copying, record


@record
class SpringState:
    """State of the shock spring, SI units.

    The anchoring point is where stick began (the driving point itself outside stick): a stretch in
    stick is counted from there, so cutting a leg adds no rounding.
    """

    drive_x: float  # m, the driving point
    drive_y: float
    drive_z: float
    anchoring_y: float  # m
    anchoring_z: float
    stretch_y: float  # m, of the tangential spring when the driving point was anchored
    stretch_z: float
    wear_work: float  # J
    velocity_x: float  # m/s, of the driving point along its last leg, where anything asks for it
    velocity_y: float
    velocity_z: float
    slip_velocity: float  # m/s, rate of the anchor at the end of the last leg
    opening: float  # m, by how much wear has opened the gap, of two planes the lower one's
    opening_upper: float  # m
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


@record
class Leg:
    """A straight leg of the driving point: what holds along it, and what becomes of the contact.

    Rates are per leg, s from 0 to 1.
    """

    end_x: float  # m, the driving point at its end
    end_y: float
    end_z: float
    path_x: float  # m, way of the driving point
    path_y: float
    path_z: float
    normal_stiffness: float  # N/m, as the driving point sees it
    tangential_stiffness: float  # N/m
    friction: float  # coefficient
    stretch_per_force: float  # m/N, largest stretch per normal force at rest
    normal_damper: float  # N/m, damper's constant per duration of the leg
    tangential_damper: float  # N/m
    opening_per_work: float  # 1/N, opening of the gap per wear work
    runaway_per_force: float  # 1/N, slip speeds itself up where this times the force is 1
    # What `slip.follow_contact` answers.
    slipped: float  # 1 where the contact has slipped, 0 otherwise
    sliding: float  # 1 where it slips at the end
    wear: float  # J, wear work
    opening_place: float  # where in [0, 1] the contact opens; NEVER where it does not
    anchoring_place: float  # where the driving point was anchored last, if it has slipped
    anchored_y: float  # m, stretch there
    anchored_z: float
    slip_rate: float  # m, rate of the anchor at the end
    is_watched: float  # 1 where the modes along it are noted, see `course`
    # Of a leg that is watched: m, and m/N of the normal force, by which the cone is not known.
    cone_rounding: float
    cone_rounding_per_force: float


@record
class Course:
    """Modes along a step, and where in it the present leg lies."""

    mode: float  # that was noted last
    mode_before: float  # before the instant at hand
    offset: float  # s since the step's start, where the leg begins
    span: float  # s, how long it takes
    duration: float  # s, of the step
    left: float  # s since the step's start, the instant that was left last


@record
class SpringWork:
    """Scratch: power series of slip over one piece of a leg, in the piece's own s from 0 to 1."""

    force: Row  # N
    excess: Row  # N, by how much the force that drags the anchor exceeds the friction
    cosine: Row  # of the angle from the path to the direction of slip
    sine: Row
    slip: Row  # m, rate of the anchor per leg
    wear: Row  # J
    bound: Row  # N, length of the force that drags the anchor
    scratch: Row
    results: Row  # force, excess, cosine and sine at the piece's end
    course: Course
    watching: Watch
    # Of a step that is watched: its start, and what is behind the event that is pending.
    at_start: SpringState
    after: SpringState
    contact_prior: ContactState  # right before it
    contact_after: ContactState


@bundle
@dataclass
class SpringMemory:
    """Work space of a step."""

    leg: Leg
    work: SpringWork
    law: ContactLaw  # of a contact that is led by the contact's own series, see `path`
    series: ContactWork
    terms: list[ContactTerms]  # a record for each order
    before: SpringState  # what a step that fails puts back
    contact_before: ContactState


copy_spring = copying(SpringState)
