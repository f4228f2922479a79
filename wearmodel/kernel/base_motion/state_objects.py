"""State objects of the base motion, as `shoe.state_objects` has those of the frictional shock."""

from __future__ import annotations

from ..state_objects import state_object


@state_object
class MotionState:
    """The present instant, and what the message of a refused one shows."""

    time: float  # s
    acceleration: float  # m/s2
    asked: float  # s, the instant that was asked for last
    first: float  # s, of the points
    last: float  # s
