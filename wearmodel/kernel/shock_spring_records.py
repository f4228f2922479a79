"""Records of the shock spring, as `records` has those of the frictional shock."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from .records import record
from .shock_spring_parameters import ShockSpringParameters


@record
class SpringState:
    """State of the shock spring, SI units.

    The anchoring point is where stick began (the driving point itself outside stick): a stretch in
    stick is counted from there, so cutting a leg adds no rounding.
    """

    drive_x: float  # m, the driving point
    drive_y: float
    drive_z: float
    anchoring_y: float  # m
    anchoring_z: float
    stretch_y: float  # m, of the tangential spring when the driving point was anchored
    stretch_z: float
    wear_work: float  # J
    velocity_x: float  # m/s, of the driving point along its last leg
    velocity_y: float
    velocity_z: float
    mode: float  # FLIGHT 0, STICK 1, SLIP 2


# What follows from the declared parameters, see `shock_spring_steps.complete_spring`.
DERIVED = (
    "gap_at_rest",  # m
    "compliance",  # m/N, of the elastic spring in series with the contact
    "driven_normal_stiffness",  # N/m, as the driving point sees it
    "driven_tangential_stiffness",  # N/m
    "bound_per_force",  # m/N, largest stretch per normal force at rest
    "friction_varies",  # with the speed of the path
    "volume_per_work",  # m2/N, worn volume per wear work
)


class SpringParameters:
    """The declared parameters as numbers, and behind them what follows from them."""

    __slots__ = (*(one.name for one in fields(ShockSpringParameters)), *DERIVED)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float: ...

        def __setattr__(self, name: str, value: float) -> None: ...

    def __init__(self, declared: ShockSpringParameters) -> None:
        from .shock_spring_steps import complete_spring  # which needs the records

        for one in fields(declared):
            setattr(self, one.name, float(getattr(declared, one.name)))
        for name in DERIVED:
            setattr(self, name, 0.0)
        complete_spring(self)
