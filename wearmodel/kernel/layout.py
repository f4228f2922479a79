"""Named places in the kernel's flat buffers, mode numbers, result codes and numerical bounds.

Everything the kernel knows lies in flat buffers of floats, so that the same source runs
interpreted, under numba and translated ahead of time. SI units throughout.
"""

from __future__ import annotations

# Laws, as stored in the parameter buffer (the FMU's enumerations have the same numbers).
PRESCRIBED = 0.0
PENALTY = 1.0
RIGID_CONTACT = 2.0
RIGID_FRICTION = 0.0
PENALISED_FRICTION = 1.0

# Parameter buffer.
MASS = 0  # kg
STIFFNESS = 1  # N/m, tangential spring to the support
DAMPING = 2  # N.s/m
NORMAL_STIFFNESS = 3  # N/m, normal spring to the support
NORMAL_DAMPING = 4  # N.s/m
INITIAL_GAP = 5  # m, gap to the lower plane at w = 0
PLANE_DISTANCE = 6  # m, sum of both gaps; 0 where there is one plane only
FRICTION_STATIC = 7
FRICTION_DYNAMIC = 8
NORMAL_LAW = 9
TANGENTIAL_LAW = 10
CONTACT_STIFFNESS = 11  # N/m
CONTACT_DAMPING = 12  # N.s/m
TANGENTIAL_STIFFNESS = 13  # N/m
TANGENTIAL_DAMPING = 14  # N.s/m
RESTITUTION = 15
# Derived by setup.complete_parameters: largest eigenvalue modulus [1/s] of each linear motion.
RATE_FREE = 16  # tangential, flight and rigid slip
RATE_STICK = 17  # tangential, penalised stick
RATE_NORMAL_FREE = 18
RATE_NORMAL_CONTACT = 19
ARCHARD_COEFFICIENT = 20  # m2/N
WEAR_AREA = 21  # m2
PARAMETER_COUNT = 22

# State buffer.
DISPLACEMENT = 0  # m, u, mass minus support
VELOCITY = 1  # m/s
NORMAL_DISPLACEMENT = 2  # m, w, positive away from the lower plane
NORMAL_VELOCITY = 3  # m/s
STRETCH = 4  # m, e = u − anchor, penalised friction only
CONTACT = 5  # 0 flight, +1 on the lower plane, −1 on the upper plane
SLIDING = 6  # in contact: 0 stick, ±1 slip in that direction
WEAR_WORK = 7  # J, ∫ F_N |slip velocity| dt, impacts included
FRICTION_WORK = 8  # J, energy dissipated by friction
SLIDING_DISTANCE = 9  # m
SHOCK_COUNT = 10
SLIP_COUNT = 11
PEAK_FORCE = 12  # N
IMPULSE = 13  # N.s, sum of the impacts' normal impulses
LAST_SLIDING = 14  # direction of slip over the last stretch of time that was not empty
# How many leading coefficients of a guard vanish by construction at this very instant. They are
# known right after an event and mean nothing once time has advanced.
ZEROS_GAP = 15
ZEROS_FORCE = 16
ZEROS_SLIP = 17
ZEROS_CONE_PLUS = 18
ZEROS_CONE_MINUS = 19
FASTEST_IMPACT = 20  # m/s, largest approach speed of the impacts since the last rest, rigid law
DAMPING_WORK = 21  # J, what the contact's dampers took and what was left in a stretch at opening
STATE_COUNT = 22

# Rows of the work buffer: power series over one piece, in the piece's own time from 0 to 1.
ROW_TANGENTIAL_FORCING = 0
ROW_NORMAL_FORCING = 1
ROW_DISPLACEMENT = 2
ROW_VELOCITY = 3
ROW_NORMAL_DISPLACEMENT = 4
ROW_NORMAL_VELOCITY = 5
ROW_FORCE = 6  # F_N
ROW_FRICTION = 7  # F_T on the mass, in stick
ROW_STRETCH = 8
ROW_SLIP = 9  # slip velocity
ROW_DRIVE = 10  # right-hand side of an oscillator
ROW_GUARD = 11
ROW_SCRATCH = 12
ROW_COUNTS = 13  # numbers of coefficients, see below
ROW_COUNT = 14
ROW_LENGTH = 56  # more than the SERIES_LENGTH + 2 of a free motion under a contact force

# Entries of ROW_COUNTS.
COUNT_MOTION = 0  # coefficients of displacement and velocity
COUNT_NORMAL = 1
COUNT_FORCE = 2
COUNT_FRICTION = 3
COUNT_STRETCH = 4
COUNT_SLIP = 5
PIECE_LENGTH = 6  # s, the time that 1 stands for in the rows
PIECE_END = 7  # where in [0, 1] the piece ended
COUNT_CONE_ZEROS = 8  # leading zeros of the cone's guard where it was left
EVENT_ZEROS = 9  # leading zeros of the guard whose exit ended the piece
EVENT_FORCING = 10  # N, f_n at the piece's end

# Longest input polynomial over one step (number of coefficients).
FORCING_LENGTH = 21
# Longest series of a motion; λτ ≤ 1 needs about 20.
SERIES_LENGTH = 34

# Events that end a piece.
NO_EVENT = 0
CLOSING_LOWER = 1
CLOSING_UPPER = 2
OPENING = 3
RELEASE = 4  # a mass that the contact's damper let go inside the obstacle leaves it
CONE_PLUS = 5  # friction force on the mass reaches +μ_s F_N
CONE_MINUS = 6
ARREST = 7

# Result codes.
OK = 0
TOO_MANY_EVENTS = 1
TOO_MANY_PIECES = 2
OVERFLOW = 3  # found by the callers: the state after the step is not finite

# What first_exit answers when a guard holds over the whole piece, and when it is violated at the
# start (an exit at 0 exactly starts on the bound).
NEVER = 2.0
VIOLATED = -1.0

MAXIMUM_EVENTS = 10_000  # in one communication step
MAXIMUM_PIECES = 200_000  # some seconds where the kernel runs interpreted
# Bouncing that would end within this time is replaced by rest, unless a rebound would still reach
# more than REST_SPEED² of the height of bounces before: in a short fall that time is long.
REST_TIME = 1e-9  # s
REST_SPEED = 1e-6  # of the fastest impact since the last rest
# An event this close to the end of a piece belongs to the next one: there it is judged from values
# that are not themselves the rounding of a root.
END_OF_PIECE = 1.0 - 1e-13
# Largest λτ of a piece.
RATE_LIMIT = 1.0
# A series' coefficient this small beside the largest one is below the rounding of the sum.
NEGLIGIBLE = 1e-18
