"""State objects of structures that are described by their modes.

A `ModeRow` has a number for each mode. Each contact has its own state objects, in the order of the
structure file.
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
    piece_end: float  # end of the piece, in [0, 1]
    same: float  # events closer than this in the piece are simultaneous
    instant: float  # share of the piece that is not resolved at its start
    event: float  # first event of the piece. `ContactWork.exit` has the events of each contact
    events: float  # in this step
    pieces: float
    watched_from: float  # s since the step began, at which the pieces counted now began
    late_input: float  # number, from 1, of an input that has just become late, otherwise 0


@state_object
class StructurePresent:
    """Present time and counts of a structure's run."""

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
    """Outputs of the whole structure, by name and order as in `models.modal_quantities`."""

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
    drives: Rows  # modal forces of each input with the value 1, the last row of gravity
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
    side_works: Rows  # J, wear work of each contact's sides, except the sides that its point faces
    samples: Samples
    predictions: list[Errors]
    now: StructurePresent
    present: Rows  # inputs at this instant, one number in each row


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
    forces: list[float]  # N, one for each mode
    lanes: list[float]  # of a sum over modes
    counts: ModalCounts
    # In a watched step: the motion at an instant, and the contacts before and after its events.
    watching: Watch
    motion_at_event: Motion
    contacts_before: list[ContactState]
    contacts_after: list[ContactState]
    contact_outputs: ContactOutputs
    total_outputs: TotalOutputs


@bundle
@dataclass
class EquilibriumWork:
    """Work space of the search for an equilibrium. Without a search the rows are empty."""

    search: Rows  # three rows with a number for each mode
    matrix: Rows  # square
    damped: Rows
