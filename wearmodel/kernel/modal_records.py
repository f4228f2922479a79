"""Records of structures on their modes: each field once with its unit and meaning.

A structure has as many modes and contacts as it has. Numbers of modes are rows as long as there are
modes (`ModeRow`); of each contact there are records of its own, in the order of the file.

The frame of a contact has three axes. Planes: the normal towards the free side (of two planes
towards the upper one) and two tangents. Circle: two axes across the hole's axis, and that axis.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, List  # noqa: UP035, Python 3.9

from .contact_parameters import ContactParameters
from .records import record

ModeRow = List[float]  # noqa: UP006
ModalRow = List[float]  # noqa: UP006
Rows = List[List[float]]  # noqa: UP006


@record
class Modes:
    """What a structure's modes are."""

    inverse_mass: ModeRow  # 1/kg
    damping: ModeRow  # N.s/m
    stiffness: ModeRow  # N/m
    root_mass: ModeRow  # kg^½: makes velocities comparable by their energy


@record
class Motion:
    """Modal coordinates and velocities."""

    displacement: ModeRow
    velocity: ModeRow


# What a contact has beside its declared parameters: what its structure gives it, and what follows
# from both, see `modal_setup`.
DERIVED = (
    "obstacle",
    # Position in the obstacle at rest, in the contact's frame.
    "offset_1",  # m
    "offset_2",  # m
    "offset_3",  # m
    "mobility",  # 1/kg, largest of the point in the directions of friction
    "stiffness",  # N/m, obstacle and modes left out in series
    "friction_varies",  # 1 where the coefficient in slip depends on the speed
    "holding_varies",  # 1 where speed can raise what stick bears
    "volume_per_work",  # m2/N, worn volume in service per wear work
    "opening_per_work",  # 1/N, opening of the gap per wear work; 0 where wear does not act back
)


class ContactLaw:
    """The declared parameters of one contact as numbers, and behind them what follows from them.

    A negative friction_coefficient_static or tangential_damping is replaced by the value that it
    stands for.
    """

    __slots__ = (*(one.name for one in fields(ContactParameters)), *DERIVED)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float: ...

        def __setattr__(self, name: str, value: float) -> None: ...

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0.0)


@record
class ContactState:
    """State of one contact. Tangential components: along the tangents; in a circle (t, axis)."""

    closed: float  # 0 open, +1 closed, −1 closed at the upper plane
    sliding: float  # in contact: 0 stick, 1 slip
    stretch_1: float  # m, of the friction spring
    stretch_2: float  # m
    direction_1: float  # of slip without a damper
    direction_2: float
    wear_work: float  # J
    sliding_distance: float  # m
    shock_count: float
    peak_force: float  # N
    contact_peak: float  # N, since the contact closed
    # Leading coefficients of a guard that vanish by construction at this very instant.
    zeros_gap: float
    zeros_force: float
    zeros_slip: float
    zeros_cone: float
    zeros_speed: float
    wear_work_upper: float  # J, the part of the wear work that the upper one of two planes bears


@record
class ContactWork:
    """Power series of one contact over a piece, in the piece's own time from 0 to 1."""

    # Position in the obstacle and velocity, in the contact's frame.
    position_1: ModalRow
    position_2: ModalRow
    position_3: ModalRow
    velocity_1: ModalRow
    velocity_2: ModalRow
    velocity_3: ModalRow
    # In a circle: distance from the axis, its direction, its rate, and a scratch of them.
    radius: ModalRow
    radial_1: ModalRow
    radial_2: ModalRow
    radial_slope: ModalRow
    radial_velocity: ModalRow
    # Along the two directions in which friction acts.
    sliding_1: ModalRow  # velocity of the point
    sliding_2: ModalRow
    stretch_1: ModalRow
    stretch_2: ModalRow
    trial_1: ModalRow  # K_T e + C_T v, the force if the anchor stood still
    trial_2: ModalRow
    trial: ModalRow  # its magnitude
    trial_slope: ModalRow
    direction_1: ModalRow  # of slip
    direction_2: ModalRow
    along: ModalRow  # velocity along the direction
    force: ModalRow  # F_N
    friction_1: ModalRow  # on the structure
    friction_2: ModalRow
    slip: ModalRow  # sliding rate of the anchor, ≥ 0
    # Where friction depends on the speed: velocity without its leading zeros and its direction, its
    # magnitude, μ of it, and μ F_N.
    course_1: ModalRow
    course_2: ModalRow
    course: ModalRow
    course_slope: ModalRow
    heading_1: ModalRow
    heading_2: ModalRow
    speed: ModalRow
    exponential: ModalRow
    coefficient: ModalRow
    bound: ModalRow
    opening: ModalRow  # m, by how much wear opens the gap, since the piece's start
    guard: ModalRow
    scratch: ModalRow
    spare: ModalRow
    exit: ModalRow  # where the mode ends first, by which event, its guard's zeros there


@record
class ModalCounts:
    """Numbers of coefficients, and where the piece ended."""

    motion: float  # coefficients of displacements and velocities
    inputs: float  # of the inputs over the step
    piece_length: float  # s, the time that 1 stands for
    piece_end: float  # where in [0, 1] the piece ended
    same: float  # events that lie no further apart in the piece are one
    instant: float  # share of the piece that is not resolved at its start
    event: float  # the first one; `ContactWork.exit` has those of each contact
    events: float  # in this step
    pieces: float
    watched_from: float  # s since the step began, where the pieces last watched began
    late_input: float  # number, from 1, of an input that has just become late; 0: none


@record
class StructurePresent:
    """Where a structure's run stands."""

    time: float  # s
    sample_count: float
    steps: float  # taken since the start, up to MEMORY_STEPS
