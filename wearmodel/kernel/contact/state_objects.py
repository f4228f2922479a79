"""State objects of one contact: its state, and the power series of its forces over a piece.

For the frame of a contact see `obstacle`.
"""

from __future__ import annotations

from ..limits import MODAL_ROW_LENGTH, NO_SUCH_MODE, NO_SUCH_ZEROS, OK
from ..series.roots import impossible_count
from ..state_objects import ModalRow, copying, state_object


@state_object
class ContactState:
    """State of one contact. Tangential components: along the tangents, in a hole (t, axis)."""

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
    # Numbers of leading coefficients of a guard that vanish by construction at this instant.
    zeros_gap: float
    zeros_force: float
    zeros_slip: float
    zeros_cone: float
    zeros_speed: float  # 1 at rest, 1 + the index of a knot of the friction table at its speed
    wear_work_upper: float  # J, the part of the wear work at the upper one of two planes
    # In a polygon: the side or corner that the point faces from inside the obstacle, see `polygon`,
    # 0 otherwise. Total wear work of this side, and at a corner of the next side.
    faced: float
    side_work: float  # J
    next_work: float  # J
    last_sliding: float  # 1 if the last interval of non-zero duration was slip
    last_1: float  # direction of slip at its end
    last_2: float
    slip_count: float
    friction_work: float  # J
    damping_work: float  # J, of dampers and released springs, with `slack_energy` in advance
    pendulum_work: float  # J, against the restoring force of a curved surface


copy_contact = copying(ContactState)


def broken_contact(s: ContactState, sides: float) -> tuple[int, float, float]:
    """Check a saved state of finite numbers, at a polygon of `sides`.

    Returns OK, or NO_SUCH_MODE or NO_SUCH_ZEROS with the invalid number and 0.
    """
    if s.closed != 0.0 and abs(s.closed) != 1.0:
        return NO_SUCH_MODE, s.closed, 0.0
    if s.sliding != 0.0 and s.sliding != 1.0:
        return NO_SUCH_MODE, s.sliding, 0.0
    if not 0.0 <= s.faced <= 2.0 * sides or s.faced != int(s.faced):
        return NO_SUCH_MODE, s.faced, 0.0
    zeros = impossible_count(s.zeros_gap, s.zeros_force, s.zeros_slip, s.zeros_cone, s.zeros_speed)
    return NO_SUCH_ZEROS if zeros != 0.0 else OK, zeros, 0.0


# Entries of the row `exit`: the first end of the mode in [0, 1] (NEVER, or VIOLATED if it is
# invalid at 0), its event, and the number of leading coefficients of its guard that vanish there.
EXIT_POSITION = 0
EXIT_EVENT = 1
EXIT_ZEROS = 2
EXIT_SIDE = 3  # of a polygon, where a contact closes
FOLLOWS = MODAL_ROW_LENGTH - 1  # entry of the row `trial`: 1 in a slip that follows its velocity
NUMBER = MODAL_ROW_LENGTH - 1  # entry of rows of a slip: count without zeros at the end


@state_object
class ContactTerms:
    """Coefficients of one order of a contact's series, in the order of their products.

    A product of series is a sum over the orders. The products of a contact are the lanes of one
    loop over the orders. Compilers load neighbouring fields into vector registers, four or two at a
    time, so factors of several products are stored several times. The sums over the orders between
    the first and the last do not need the coefficient itself, and are stored with it.
    """

    # Factors of the normal of a circle: velocity, velocity turned by 90°, forces, distance.
    velocity_1: float
    velocity_2: float
    turned_1: float  # velocity_2
    turned_2: float  # −velocity_1
    force_1: float  # F_N
    force_2: float
    friction_1: float  # the first component of F_T
    friction_2: float
    radius_1: float
    radius_2: float
    normal_1: float
    normal_2: float
    normal_3: float  # normal_1
    normal_4: float  # normal_2
    velocity_normal_1: float
    velocity_normal_2: float
    turned_normal_1: float
    turned_normal_2: float
    force_normal_1: float
    force_normal_2: float
    friction_normal_1: float
    friction_normal_2: float
    radius_normal_1: float
    radius_normal_2: float
    # Factors of the direction of a slip with a damper: rate and magnitude of K_T e + C_T v, and the
    # pressing force.
    pull_1: float
    pull_2: float
    trial_1: float
    trial_2: float
    pressing_1: float
    pressing_2: float
    direction_1: float
    direction_2: float
    direction_3: float  # direction_1
    direction_4: float  # direction_2
    pull_direction_1: float
    pull_direction_2: float
    trial_direction_1: float
    trial_direction_2: float
    pressing_direction_1: float
    pressing_direction_2: float


@state_object
class ContactWork:
    """Power series of one contact over a piece, in the piece's own time from 0 to 1."""

    # Position in the obstacle and velocity, in the contact's frame.
    position_1: ModalRow
    position_2: ModalRow
    position_3: ModalRow
    velocity_1: ModalRow
    velocity_2: ModalRow
    velocity_3: ModalRow
    # In a hole: distance from its axis, from a corner, or along the normal of a side. The direction
    # and the rate of this distance.
    radius: ModalRow
    radial_1: ModalRow
    radial_2: ModalRow
    radial_velocity: ModalRow
    # Along the two directions in which friction acts.
    sliding_1: ModalRow  # velocity of the point
    sliding_2: ModalRow
    stretch_1: ModalRow
    stretch_2: ModalRow
    # K_T e + C_T v, the force if the anchor did not move. In a slip that follows its velocity it is
    # v − ė, the anchor's velocity, see `forces`.
    trial_1: ModalRow
    trial_2: ModalRow
    trial: ModalRow  # its magnitude
    direction_1: ModalRow  # of slip
    direction_2: ModalRow
    along: ModalRow  # velocity along the direction
    force: ModalRow  # F_N
    friction_1: ModalRow  # on the structure
    friction_2: ModalRow
    slip: ModalRow  # sliding rate of the anchor, ≥ 0
    # If friction depends on the speed: velocity without its leading zeros, its magnitude and its
    # direction, the speed, its exponential, μ, and μ F_N.
    course_1: ModalRow
    course_2: ModalRow
    course: ModalRow
    heading_1: ModalRow
    heading_2: ModalRow
    speed: ModalRow
    exponential: ModalRow
    coefficient: ModalRow
    bound: ModalRow
    opening: ModalRow  # m, opening of the gap by wear since the start of the piece
    guard: ModalRow
    scratch: ModalRow
    spare: ModalRow
    exit: ModalRow
    # In a polygon: the outward normals of its sides, their distances from the centre less law.gap
    # [m], and the side or corner that the point faces, see `polygon`.
    side_1: ModalRow
    side_2: ModalRow
    side_beyond: ModalRow
    facing: ModalRow
