"""Numerical bounds of the kernel of structures on their modes."""

from __future__ import annotations

# Most coefficients of a motion's series, and of a product of two.
MODAL_SERIES_LENGTH = 40
MODAL_ROW_LENGTH = 80
# Largest λτ of a piece: 4^40/40! is 1e-24.
MODAL_RATE_LIMIT = 4.0
# The last coefficients of a series that is cut off stay below this share of its largest.
MODAL_TAIL = 1e-18
# A series that overflows is tried again over a piece shorter by this factor.
MODAL_RETREAT = 0.0625
# In one communication step. Each event ends a piece.
MODAL_MAXIMUM_PIECES = 20_000
# So many pieces must bring a step forward by their share of it, or it is given up at once: no host
# should wait for what does not end. Interpreted, a piece takes 0.2 ms, and 2 to 5 ms with 30 modes
# and 4 contacts, or with 16.
MODAL_PIECES_WATCHED = 500
# A tangential damping below this share of the critical one is refused: slip relaxes at K_T/C_T, and
# takes pieces as short as that.
LEAST_DAMPING = 1e-5
# Share of a linear piece that is not resolved at its start, see `modal_guards`.
MODAL_INSTANT = 1e-9
# A contact opens where its force falls below this share of the largest since it closed: in slip
# without a damper the direction of friction turns the faster the smaller the force is.
OPENING_SHARE = 1e-13

# Obstacles, as in the parameters.
PLANE = 0.0
TWO_PLANES = 1.0
CIRCLE = 2.0

# Event: a point that the contact's damper let go inside the obstacle is pressed again.
CLOSING_INSIDE = 10

# A structure's parameters in one row: where each stands. Each contact has so many, see
# `contact_parameters`.
EXTRAPOLATION_ORDER = 0
INPUT_TIMING = 1
FIRST_CONTACT = 2
CONTACT_PARAMETERS = 15
