"""Numerical limits of the kernel for structures described by their modes."""

from __future__ import annotations

# Largest λτ of a piece: 4^40/40! is 1e-24, with MODAL_SERIES_LENGTH = 40. Longer pieces need more
# coefficients, so the cost of a run hardly changes from 3 to 6. If the highest modes hardly move,
# few coefficients are enough. Then the next piece is longer by the factor MODAL_LONGER, up to twice
# the limit. Above MODAL_MANY_COEFFICIENTS it is shorter again by this factor.
MODAL_RATE_LIMIT = 4.0
MODAL_FEW_COEFFICIENTS = 26.0
MODAL_MANY_COEFFICIENTS = 31.0
MODAL_LONGER = 1.5
# Largest number of pieces in a communication step. Each event ends a piece.
MODAL_MAXIMUM_PIECES = 20_000
# If so many pieces do not cover their share of a step, it fails at once, because a master would
# otherwise wait too long. A contact that opens in slip without a damper takes some hundred pieces,
# or a thousand if the point slides fast and leaves slowly. Interpreted, a piece takes 0.2 ms, or
# with 30 modes 2 ms (4 contacts) to 5 ms (16 contacts).
MODAL_PIECES_WATCHED = 2000
