"""State objects of the frictional shock: fields with their units and meanings."""

from __future__ import annotations

from dataclasses import dataclass

from ..events import Watch
from ..inputs.state_objects import Errors, Samples
from ..state_objects import Row, adding, bundle, clearing, copying, state_object


@state_object
class State:
    """State of the frictional shock, SI units."""

    displacement: float  # m, u, mass minus support
    velocity: float  # m/s
    normal_displacement: float  # m, w, positive away from the lower plane
    normal_velocity: float  # m/s
    stretch: float  # m, e = u − anchor, penalised friction only
    contact: float  # 0 flight, +1 on the lower plane, −1 on the upper plane
    sliding: float  # in contact: 0 stick, ±1 slip in that direction
    wear_work: float  # J, ∫ F_N |slip velocity| dt, impacts included
    wear_work_upper: float  # J, part of wear_work on the upper plane
    friction_work: float  # J, energy dissipated by friction
    sliding_distance: float  # m
    shock_count: float
    slip_count: float
    peak_force: float  # N
    impulse: float  # N.s, sum of the impacts' normal impulses
    last_sliding: float  # direction of slip over the last time interval of positive length
    # Number of leading coefficients of a guard that vanish by construction at this instant. Set by
    # an event, and reset to 0 when time advances.
    zeros_gap: float
    zeros_force: float
    zeros_slip: float
    zeros_cone_plus: float
    zeros_cone_minus: float
    fastest_impact: float  # m/s, largest approach speed of impacts since the last rest, rigid law
    damping_work: float  # J, dissipated by the contact's dampers and by opening with a stretch
    parameter_change_work: float  # J, added to the springs by changes of parameters
    stop: float  # ±1 at rest at a rigid or pressed on a penalised stop, +1 upper, −1 lower, or 0
    zeros_stop: float
    fastest_stop: float  # m/s, as `fastest_impact`, at the stops
    stop_count: float
    stop_impulse: float  # N.s
    stop_work: float  # J, dissipated by the stops
    pendulum_work: float  # J, against the restoring force of a curved surface


@state_object
class Counts:
    """Numbers of coefficients in the work rows, and where the piece ended."""

    motion: float  # coefficients of displacement and velocity
    normal: float
    force: float
    friction: float
    stretch: float
    slip: float
    bound: float
    opening: float
    bound_by_speed: float  # bound in stick, 1: μ(|u̇|) F_N, 0: μ_s F_N, −1: both are equal
    piece_length: float  # s, unit of time in the rows
    piece_end: float  # where in [0, 1] the piece ended
    force_exit: float  # where in [0, 1] F_N ends the contact, or UNDECIDED
    cone_zeros: float  # leading zeros of the cone's guard where it was left
    event_zeros: float  # leading zeros of the guard whose exit ended the piece
    event_forcing: float  # N, f_n at the piece's end
    event_tangential: float  # N, f_t there
    # Tangential motion in this piece, with a penalised stop. Mass 0 if the mass cannot move.
    mass: float  # kg
    stiffness: float  # N/m
    damping: float  # N.s/m
    event: float  # event that ended the piece
    events: float  # number of events in this step
    pieces: float
    # Numbers of coefficients of the polynomials of forcings and inputs over the step.
    step_tangential: float
    step_normal: float
    base_acceleration: float
    base_acceleration_normal: float
    tangential_load: float
    normal_load: float


@state_object
class Spacing:
    """Samples from which the inputs of a step are extrapolated."""

    count: float  # number of usable samples, or EVEN if all steps have been equally long
    order: float  # largest order of extrapolation for their spacing
    is_uneven: float  # 1 if their spacing may have reduced count or order
    step_size: float  # s


@state_object
class Work:
    """Work space of a step: power series over one piece, in the piece's own time from 0 to 1."""

    tangential_forcing: Row
    normal_forcing: Row
    displacement: Row
    velocity: Row
    normal_displacement: Row
    normal_velocity: Row
    force: Row  # F_N
    friction: Row  # F_T on the mass in contact
    stretch: Row
    slip: Row  # slip velocity
    bound: Row  # largest friction force in stick
    opening: Row  # m, opening of the gap by wear since the piece's start
    drive: Row  # right-hand side of an oscillator
    guard: Row
    scratch: Row
    # Polynomials of the time since the step's start: inputs that are not added to f_t and f_n
    # immediately, and f_t and f_n.
    base_acceleration: Row
    base_acceleration_normal: Row
    tangential_load: Row
    normal_load: Row
    step_tangential: Row
    step_normal: Row
    counts: Counts
    spacing: Spacing
    before: State  # at the step's start, restored if the step fails
    # In a watched step, the states right before and right after the events of an instant.
    watching: Watch
    before_event: State
    after_event: State


@state_object
class Present:
    """Data of the present instant for outputs and samples, in addition to the state."""

    time: float  # s
    tangential_forcing: float  # N, f_t, in slip only if p.slip_follows_forcing
    tangential_load: float  # N
    normal_forcing: float  # N, f_n
    normal_forcing_rate: float  # N/s
    sample_count: float
    even_step_size: float  # s, time between successive samples, 0 if it is not known to be constant
    # Number of samples since any input except base_acceleration last changed, at most
    # `steady_after`.
    steady_others: float
    steps: float  # number of steps since the start, at most MEMORY_STEPS


@state_object
class Predictions:
    """Errors of past predictions of each input."""

    base_acceleration: Errors
    base_acceleration_normal: Errors
    tangential_load: Errors
    normal_load: Errors


@bundle
@dataclass
class InputMemory:
    """Memory of the inputs from step to step."""

    samples: Samples
    backup: Samples  # work space: state restored if a step fails
    predictions: Predictions
    tried: Predictions  # work space: `predictions` after the step


copy_state = copying(State)
copy_present = copying(Present)
clear_state = clearing(State)
state_sum = adding(State)
