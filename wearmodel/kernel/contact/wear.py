"""Archard's wear: worn volume per wear work, and opening of the gap by worn depth.

    V = s k W,   h = V/A        W wear work, k archard_coefficient, s wear_time_scale, A wear_area

Source: Archard, Contact and rubbing of flat surfaces, J. Appl. Phys. 24 (1953).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...quantities import quantity
from ..state_objects import copying, state_object
from .friction import Friction, FrictionTable


@dataclass(frozen=True)
class WearParameters:
    """The declared parameters. A model's own list sets their order with `as_included`."""

    archard_coefficient: float = quantity(
        1e-13,
        unit="m2/N",
        minimum=0.0,
        nominal=1e-13,
        description="Archard's coefficient: worn volume per wear work",
        aliases=("k_A", "k_w"),
    )
    wear_area: float = quantity(
        1e-4,
        unit="m2",
        above=0.0,
        nominal=1e-4,
        description="Worn area, in wear_depth = worn_volume / wear_area",
    )
    wear_feedback: bool = quantity(
        False,
        description="Wear at a plane opens the gap of this plane by wear_depth during the run",
    )
    wear_time_scale: float = quantity(
        1.0,
        minimum=0.0,
        description="Seconds of service per simulated second. It scales worn_volume, wear_depth "
        "and the gap opened by wear_feedback",
    )


@state_object
class Rubbing(Friction):
    """Friction and wear of a contact as numbers. The parameters of a model begin with them."""

    archard_coefficient: float  # m2/N
    wear_area: float  # m2
    wear_feedback: float  # 1 if wear opens the gap, 0 otherwise
    wear_time_scale: float
    volume_per_work: float  # m2/N, worn volume in service per wear work
    opening_per_work: float  # 1/N, opening of the gap per wear work, 0 without wear feedback

    if TYPE_CHECKING:
        # The state object of a model has all fields that the model declares.
        def __getattr__(self, name: str) -> float: ...

        def __setattr__(self, name: str, value: float) -> None: ...


copy_law = copying(Rubbing, FrictionTable)  # without a friction table


def anchor_runs_away(
    p: Rubbing,
    coefficient: float,
    stiffness: float,
    normal_force: float,
    tangential_stiffness: float,
) -> bool:
    """Whether μ K_N β F_N ≥ K_T: without a damper, the anchor's slip then accelerates itself."""
    opening = coefficient * stiffness * p.opening_per_work * normal_force
    return opening >= tangential_stiffness


def complete_wear(p: Rubbing) -> None:
    """Compute the fields that follow from the declared parameters."""
    p.volume_per_work = p.wear_time_scale * p.archard_coefficient
    p.opening_per_work = 0.0
    if p.wear_feedback != 0.0:
        p.opening_per_work = p.volume_per_work / p.wear_area
