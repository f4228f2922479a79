"""Numbers of laws, events and result codes, and the numerical bounds of the kernel."""

from __future__ import annotations

# Laws, as stored in the parameters' state objects. The public enumerations use the same numbers.
PRESCRIBED = 0.0
PENALTY = 1.0
RIGID_CONTACT = 2.0
RIGID_FRICTION = 0.0
PENALISED_FRICTION = 1.0
# Modes, as returned by contact_mode.
FLIGHT = 0.0
STICK = 1.0
SLIP = 2.0

# Rows of work.
ROW_LENGTH = 56  # more than the SERIES_LENGTH + 2 of a free motion under a contact force
# Maximum number of coefficients of a structure's motion. Rows are long enough for the product of
# two such series and for the sides of a polygon.
MODAL_SERIES_LENGTH = 40
MODAL_ROW_LENGTH = 96
MOST_SIDES = MODAL_ROW_LENGTH  # of a polygon
# The last coefficients of a truncated series are below this share, 2⁻⁵¹, of the largest one. In a
# linear motion each further coefficient is at most λτ/j, a sixth, of its predecessor, so that their
# sum is below 2⁻⁵³, its rounding. In others it is at most half: a sum of one or two roundings.
MODAL_TAIL = 4.44e-16
# A series that overflows is computed again over a piece shorter by this factor.
MODAL_RETREAT = 0.0625
# Share of a linear piece that is not resolved at its start, see `contact.guards`.
MODAL_INSTANT = 1e-9
# Columns of a sample: its instant [s], and the inputs in their order.
TIME = 0
BASE_ACCELERATION = 1  # m/s2
BASE_ACCELERATION_NORMAL = 2  # m/s2
TANGENTIAL_LOAD = 3  # N
NORMAL_LOAD = 4  # N
SAMPLE_LENGTH = 5

LONGEST_ORDER = 3  # of extrapolation
LONGEST_DERIVATIVE = 15  # highest order of the derivatives of an input
MEMORY_STEPS = 64.0  # over which errors of predictions are averaged
JUDGED_FROM = 8.0  # steps before predictions are assessed
# Mean square of an input, as a share of the mean square of its errors, below which no ratio is
# formed because the input has just become 0.
FAINT = 1e-24
LATE_LIMIT = (
    192.0  # count of an input's late steps that causes a warning, see `inputs.extrapolation`
)
INPUT_AT_START = 0.0  # input_timing
INPUT_AT_END = 1.0
BOTH_WAYS = 0.0  # sliding_direction
POSITIVE_ONLY = 1.0
NEGATIVE_ONLY = 2.0

# m, a stop at this distance or beyond does not exist. FMI 2.0 excludes infinite start values.
NO_STOP = 1e30

# A stretch that differs from the cone's radius by at most this share of the radius is on the cone.
ON_CONE = 1e-12

# Longest input polynomial over one step (number of coefficients).
FORCING_LENGTH = 21
# Longest series of a motion. λτ ≤ 1 needs about 20.
SERIES_LENGTH = 34

# Events that end a piece.
NO_EVENT = 0
CLOSING_LOWER = 1
CLOSING_UPPER = 2
OPENING = 3
RELEASE = 4  # a mass that the contact's damper has released inside the obstacle leaves it
CONE_PLUS = 5  # friction force on the mass reaches +μ_s F_N
CONE_MINUS = 6
ARREST = 7
TURN = 8  # friction that depends on the speed takes another form
WEAR_RUNAWAY = 9  # no event, the step fails
CLOSING_INSIDE = 10  # a point that the contact's damper has released inside is pressed again
NEXT_FACED = 11  # in a polygon the point faces the next side or corner
PREVIOUS_FACED = 12
STOP_LOWER = 13  # the mass reaches a stop along the slide
STOP_UPPER = 14
LEAVE_LOWER = 15
LEAVE_UPPER = 16

# A difference of lengths is rounding if it is below this share of the lengths.
LENGTH_ROUNDING = 1e-14

NO_RULE = 0  # the parameters do not break a rule

# Result codes.
OK = 0
TOO_MANY_EVENTS = 1
TOO_MANY_PIECES = 2
OVERFLOW = 3  # of the forcings, or of the state after the step
NO_EQUILIBRIUM = 4  # the run cannot start in equilibrium
SAMPLES_OF_OTHERS = 5  # saved samples are invalid or belong to other parameters
SAMPLES_NOT_PAST = 6
WEAR_TOO_FAST = 7  # wear opens the gap faster than the friction spring can follow
NO_SUCH_MODE = 8  # a contact in a saved state has an invalid mode
NO_SUCH_ZEROS = 9  # a saved state has an invalid number of leading zeros of a guard
# Result codes of a change of parameters during a run.
PLANE_INTO_MASS = 1  # a rigid plane would have to move into the mass
DAMPER_REMOVED = 2  # tangential_damping set to 0 in slip with speed-dependent friction
CHANGE_OVERFLOWS = 3
CHANGE_RUNS_AWAY = 4  # the anchor's sudden displacement would increase itself by wear

# Results of first_exit: a guard is positive over the whole piece, or is violated at the start (an
# exit at 0 exactly starts on the bound).
NEVER = 2.0
VIOLATED = -1.0

MAXIMUM_EVENTS = 10_000  # in one communication step
MAXIMUM_PIECES = 200_000  # some seconds if the kernel is interpreted
# Bouncing that would end within this time is replaced by rest, unless a rebound would still reach
# more than REST_SPEED² of the height of earlier bounces. In a short fall REST_TIME is long.
REST_TIME = 1e-9  # s
REST_SPEED = 1e-6  # share of the fastest impact since the last rest
# An event at this position of a piece or later belongs to the next piece, where its guard does not
# have the rounding of a root.
END_OF_PIECE = 1.0 - 1e-13
# Largest λτ of a piece.
RATE_LIMIT = 1.0
# A coefficient below this share of the largest one is below the rounding of the series' sum.
NEGLIGIBLE = 1e-18
