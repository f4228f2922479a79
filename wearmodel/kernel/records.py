"""The kernel's records: parameters, state and work rows, each field once with its unit and meaning.

Interpreted, a record is an object with slots. For numba and Pythran the kernel's source is lowered
(`wearmodel.batch.lowering`): a record becomes a row of float64, and a field its index in it, in the
order of declaration here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Callable, List, TypeVar  # noqa: UP035, Python 3.9

from ..quantities import declared_numbers
from .limits import ROW_LENGTH, SAMPLE_LENGTH
from .modal_limits import MODAL_ROW_LENGTH
from .parameters import FrictionalShockParameters

_Record = TypeVar("_Record")
# Fields that are rows; lowered, all rows of a record have one length.
Row = List[float]  # noqa: UP006, this stands outside annotations
Sample = List[float]  # noqa: UP006


def record(declaration: type[_Record]) -> type[_Record]:
    """A class with a slot for each annotated name; numbers start at 0.0."""
    kinds = declaration.__annotations__
    starts: dict[str, Callable[[], Any]] = {
        "float": float,
        "Row": lambda: [0.0] * ROW_LENGTH,
        "Sample": lambda: [0.0] * SAMPLE_LENGTH,
        "ModalRow": lambda: [0.0] * MODAL_ROW_LENGTH,
        "ModeRow": list,
        "Counts": lambda: Counts(),
        "State": lambda: State(),
        "Errors": lambda: Errors(),
    }

    def __init__(self: Any) -> None:  # noqa: N807
        for name, kind in kinds.items():
            setattr(self, name, starts[kind]())

    body = {
        "__slots__": tuple(kinds),
        "__annotations__": kinds,
        "__init__": __init__,
        "__doc__": declaration.__doc__,
    }
    return type(declaration.__name__, (), body)


@record
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
    wear_work_upper: float  # J, the part of it that the upper plane bears
    friction_work: float  # J, energy dissipated by friction
    sliding_distance: float  # m
    shock_count: float
    slip_count: float
    peak_force: float  # N
    impulse: float  # N.s, sum of the impacts' normal impulses
    last_sliding: float  # direction of slip over the last span of time that was not empty
    # How many leading coefficients of a guard vanish by construction at this very instant. They are
    # known right after an event and mean nothing once time has advanced.
    zeros_gap: float
    zeros_force: float
    zeros_slip: float
    zeros_cone_plus: float
    zeros_cone_minus: float
    fastest_impact: float  # m/s, largest approach speed of impacts since the last rest, rigid law
    damping_work: float  # J, what the contact's dampers took and what opening left in a stretch


@record
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
    bound_by_speed: float  # 1 where it is μ(|u̇|) F_N, 0 where it is μ_s F_N
    piece_length: float  # s, the time that 1 stands for in the rows
    piece_end: float  # where in [0, 1] the piece ended
    cone_zeros: float  # leading zeros of the cone's guard where it was left
    event_zeros: float  # leading zeros of the guard whose exit ended the piece
    event_forcing: float  # N, f_n at the piece's end
    event: float  # that ended the piece
    events: float  # in this step
    pieces: float
    # Of the forcings' and the inputs' polynomials over the step.
    step_tangential: float
    step_normal: float
    base_acceleration: float
    base_acceleration_normal: float
    tangential_load: float
    normal_load: float


@record
class Work:
    """Scratch of a step: power series over one piece, in the piece's own time from 0 to 1."""

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
    opening: Row  # m, by how much wear opens the gap, since the piece's start
    drive: Row  # right-hand side of an oscillator
    guard: Row
    scratch: Row
    # Over the whole step, in the time since its start: the inputs that are not in f_t and f_n at
    # once, and f_t and f_n.
    base_acceleration: Row
    base_acceleration_normal: Row
    tangential_load: Row
    normal_load: Row
    step_tangential: Row
    step_normal: Row
    counts: Counts
    before: State  # at the step's start, should it fail


@record
class Present:
    """What outputs at the present instant need beside the state, and what the samples are."""

    time: float  # s
    tangential_forcing: float  # N, f_t; in slip only where C_T = 0 and μ is not constant
    tangential_load: float  # N
    normal_forcing: float  # N, f_n
    normal_forcing_rate: float  # N/s
    sample_count: float
    even_step_size: float  # s, the time between all samples; 0: not known to be the same
    # For how many samples all inputs but base_acceleration have been what they are, or more than
    # `steady_after`.
    steady_others: float
    steps: float  # taken since the start, up to MEMORY_STEPS


@record
class Samples:
    """Past inputs that the extrapolation uses, newest first."""

    first: Sample
    second: Sample
    third: Sample
    fourth: Sample
    fifth: Sample
    dropped: Sample


@record
class Errors:
    """By how much predictions of an input have missed it; means run over MEMORY_STEPS steps."""

    # Newton's divided differences of order 1, 2 and 3 from the newest sample back.
    slope: float
    bend: float
    twist: float
    # Means of the squared errors that the orders would have made; automatic order only.
    square_0: float
    square_2: float
    square_3: float
    missed: float  # mean of the squared errors of the order in use
    received: float  # mean of the input's squares
    order: float  # chosen last; automatic order only
    known: float  # of how many steps the errors are known, up to MEMORY_STEPS; automatic order only
    steady: float  # for how many samples the input has been what it is, up to `steady_after`
    late: float  # count of steps in which it was predicted badly, up to LATE_LIMIT


@record
class Predictions:
    """Errors of past predictions of each input."""

    base_acceleration: Errors
    base_acceleration_normal: Errors
    tangential_load: Errors
    normal_load: Errors


# What follows from the declared parameters, see `setup.complete_parameters`.
DERIVED = (
    "plane_distance",  # m, sum of both gaps; 0 where there is one plane only
    "rate_free",  # tangential, flight and rigid slip
    "rate_stick",  # tangential, penalised stick
    "rate_normal_free",
    "rate_normal_contact",
    "is_automatic",  # 1 where the order of extrapolation is chosen at every step
    "longest_order",  # of extrapolation
    "samples_kept",  # how many a later step may use, beside its own
    "steady_after",  # so many equal samples make an input constant
    "constant_friction",  # coefficient in slip; −1 where it depends on the velocity
    "holding_varies",  # 1 where the velocity can raise what stick bears, 0 otherwise
    "volume_per_work",  # m2/N, worn volume in service per wear work
    "opening_per_work",  # 1/N, opening of the gap per wear work; 0 where wear does not act back
    "weight",  # N, the part of f_n that no input changes, −m g − preload
)


class Parameters:
    """The declared parameters as numbers, and behind them what follows from them.

    A negative friction_coefficient_static or tangential_damping is replaced by the value that it
    stands for (`setup.complete_parameters`).
    """

    __slots__ = (*(one.name for one in fields(FrictionalShockParameters)), *DERIVED)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float: ...

        def __setattr__(self, name: str, value: float) -> None: ...

    def __init__(self, declared: FrictionalShockParameters) -> None:
        from .setup import complete_parameters  # which needs the records

        for name, value in declared_numbers(FrictionalShockParameters, declared):
            setattr(self, name, value)
        for name in DERIVED:
            setattr(self, name, 0.0)
        complete_parameters(self)


def values_of(record: Any) -> list[Any]:
    """The fields of a record in the order of their declaration."""
    return [getattr(record, name) for name in record.__slots__]


def record_of(kind: type[_Record], values: Sequence[Any]) -> _Record:
    """A record with these values; ValueError where there are more or fewer than fields."""
    record = kind()
    names = record.__slots__  # type: ignore[attr-defined]
    if len(values) != len(names):
        raise ValueError(f"{kind.__name__} has {len(names)} fields, not {len(values)}")
    for name, value in zip(names, values):
        setattr(record, name, value)
    return record


def _generated(head: str, lines: list[str]) -> Any:
    """A function of written-out lines, four times as fast as a loop over the fields' names."""
    scope: dict[str, Any] = {}
    exec("\n    ".join([f"def generated{head}:", *lines]), scope)
    return scope["generated"]


# The lowered kernel has loops in the place of these.
copy_state: Callable[[State, State], None] = _generated(
    "(source, target)", [f"target.{name} = source.{name}" for name in State.__annotations__]
)
copy_samples: Callable[[Samples, Samples], None] = _generated(
    "(source, target)", [f"target.{name} = source.{name}[:]" for name in Samples.__annotations__]
)
clear_state: Callable[[State], None] = _generated(
    "(s)", [f"s.{name} = 0.0" for name in State.__annotations__]
)
clear_errors: Callable[[Errors], None] = _generated(
    "(errors)", [f"errors.{name} = 0.0" for name in Errors.__annotations__]
)
copy_errors: Callable[[Errors, Errors], None] = _generated(
    "(source, target)", [f"target.{name} = source.{name}" for name in Errors.__annotations__]
)
# Finite only where all the state's numbers are.
state_sum: Callable[[State], float] = _generated(
    "(s)", [f"return {' + '.join(f's.{name}' for name in State.__annotations__)}"]
)
