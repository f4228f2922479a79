"""Numerical bounds of the kernel of structures on their modes."""

from __future__ import annotations

# Largest λτ of a piece: 4^40/40! is 1e-24, 40 being MODAL_SERIES_LENGTH. Longer pieces need more
# coefficients: from 3 to 6 the cost of a run hardly changes, but where the highest modes hardly
# move. There few coefficients are enough: below so many the next piece is longer by this factor, up
# to twice the limit, and above so many shorter again.
MODAL_RATE_LIMIT = 4.0
MODAL_FEW_COEFFICIENTS = 26.0
MODAL_MANY_COEFFICIENTS = 31.0
MODAL_LONGER = 1.5
# In one communication step. Each event ends a piece.
MODAL_MAXIMUM_PIECES = 20_000
# So many pieces must cover their share of a step, otherwise it fails at once, because a host should
# not wait for an endless step. A contact that opens in slip without a damper takes some hundred
# pieces, or a thousand if the point slides fast and leaves slowly. Interpreted, a piece takes 0.2
# ms, and 2 to 5 ms with 30 modes and 4 contacts, or with 16.
MODAL_PIECES_WATCHED = 2000
