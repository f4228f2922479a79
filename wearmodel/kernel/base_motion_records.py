"""Records of the base motion, as `records` has those of the frictional shock."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from ..quantities import declared_numbers
from .base_motion_parameters import BaseMotionParameters
from .records import record


@record
class MotionState:
    """The present instant, and what the message of a refused one shows."""

    time: float  # s
    acceleration: float  # m/s2
    asked: float  # s, the instant that was asked for last
    first: float  # s, of the points
    last: float  # s


class MotionParameters:
    """The declared parameters as numbers; texts are 0."""

    __slots__ = tuple(one.name for one in fields(BaseMotionParameters))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float: ...

        def __setattr__(self, name: str, value: float) -> None: ...

    def __init__(self, declared: BaseMotionParameters) -> None:
        for name, value in declared_numbers(BaseMotionParameters, declared):
            setattr(self, name, value)
