"""State objects of structures on their modes: each field once with its unit and meaning.

The rows of modes have the length of their number (`ModeRow`). Each contact has its own state
objects, in the order of the file.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..contact.parameters import ContactLaw
from ..contact.state_objects import ContactState, ContactTerms, ContactWork
from ..events import Watch
from ..inputs.state_objects import Errors, Samples
from ..state_objects import ModeRow, Rows, bundle, spreading, state_object


@state_object
class Modes:
    """Modes of a structure."""

    inverse_mass: ModeRow  # 1/kg
    damping: ModeRow  # N.s/m
    stiffness: ModeRow  # N/m
    root_mass: ModeRow  # kg^½: makes velocities comparable by their energy


@state_object
class Motion:
    """Modal coordinates and velocities."""

    displacement: ModeRow
    velocity: ModeRow


@state_object
class ModalCounts:
    """Numbers of coefficients, and where the piece ended."""

    motion: float  # coefficients of displacements and velocities
    inputs: float  # of the inputs over the step
    piece_length: float  # s, unit of time in the rows
    piece_end: float  # where in [0, 1] the piece ended
    same: float  # events closer than this in the piece are simultaneous
    instant: float  # share of the piece that is not resolved at its start
    event: float  # the first one, while `ContactWork.exit` has the exit of each contact
    events: float  # in this step
    pieces: float
    watched_from: float  # s since the step began, where the pieces last watched began
    late_input: float  # number, from 1, of an input that has just become late; 0: none


@state_object
class StructurePresent:
    """Where a structure's run stands."""

    time: float  # s
    sample_count: float
    steps: float  # taken since the start, up to MEMORY_STEPS
    parameter_change_work: float  # J, added to the contacts' springs by changes of parameters


@state_object
class StructureParameters:
    """The parameters of a structure without its contacts."""

    input_extrapolation_order: float
    input_timing: float


@state_object
class ContactOutputs:
    """Outputs of one contact, by the names and in the order of `models.modal_quantities`."""

    normal_force: float  # N
    friction_force_x: float  # N, on the structure
    friction_force_y: float
    friction_force_z: float
    clearance: float  # m
    slip_velocity: float  # m/s
    contact_mode: float
    wear_power: float  # W
    wear_work: float  # J
    worn_volume: float  # m3
    wear_depth: float  # m
    sliding_distance: float  # m
    shock_count: float
    peak_normal_force: float  # N
    relative_displacement_x: float  # m
    relative_displacement_y: float
    relative_displacement_z: float
    wear_depth_lower: float  # m
    wear_depth_upper: float
    friction_power: float  # W
    friction_work: float  # J
    slip_count: float
    contact_damping_work: float  # J
    pendulum_work: float  # J


@state_object
class TotalOutputs:
    """Outputs of the whole structure, as `ContactOutputs` those of a contact."""

    wear_work: float  # J
    wear_power: float  # W
    kinetic_energy: float  # J
    elastic_energy: float  # J
    parameter_change_work: float  # J
    input_prediction_error: float


put_contact_outputs = spreading(ContactOutputs)
put_total_outputs = spreading(TotalOutputs)


@bundle
@dataclass
class Body:
    """A structure. Only the contacts' laws can change during a run."""

    modes: Modes
    shapes: Rows  # of each contact's point along the three axes of its frame, a row of modes each
    drives: Rows  # modal forces of each input at 1, the last one of gravity
    coupling: Rows  # 1/kg, norms of φ_a M⁻¹ φ_bᵀ between contacts
    frames: Rows  # the three unit vectors of each contact's frame
    observed: Rows  # shapes along x, y and z of each observed point
    laws: list[ContactLaw]


@bundle
@dataclass
class StructureState:
    """State of a structure during a run."""

    motion: Motion
    contacts: list[ContactState]
    side_works: Rows  # J, wear work of each contact's sides, but of those that its point faces
    samples: Samples
    predictions: list[Errors]
    now: StructurePresent
    present: Rows  # the inputs at this instant, one number a row


@bundle
@dataclass
class StructureWork:
    """Work space of a step."""

    inputs: Rows  # coefficients of each input's polynomial in the time since the step's start
    piece_inputs: Rows  # the same in the piece's own time
    displacements: Rows  # modal coefficients of the motion, a row for each order
    velocities: Rows
    works: list[ContactWork]
    terms: list[list[ContactTerms]]  # of each contact, a state object for each order
    forces: list[float]  # N, one a mode
    lanes: list[float]  # of a sum
    counts: ModalCounts
    # Where the step is watched: the motion at an instant, the contacts before and after its events.
    watching: Watch
    motion_at_event: Motion
    contacts_before: list[ContactState]
    contacts_after: list[ContactState]
    contact_outputs: ContactOutputs
    total_outputs: TotalOutputs


@bundle
@dataclass
class EquilibriumWork:
    """Work space of the search for an equilibrium. Rows are empty without it."""

    search: Rows  # three rows, one number a mode
    matrix: Rows  # square
    damped: Rows
