"""Parameters of the shock spring: values, units, ranges, and the rules between them.

Defaults are those of SSND116 (EDF, code_aster) on one node.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from ..quantities import Choice, check_quantities, declared_in, quantities_by_name, quantity
from .friction import DECAY_TOO_SHORT, SLOW_WITHOUT_DECAY
from .parameters import RULES as FRICTIONAL_SHOCK_RULES
from .parameters import FrictionalShockParameters
from .shock_spring_steps import (
    DAMPERS_OF_LOADS,
    NO_ELASTIC_SPRING,
    NO_RULE,
    SECOND_NODE_OF_ONE,
    SPEED_OF_LOADS,
    broken_spring_rule,
    friction_varies,
    spring_friction,
)

# Texts of the rules between values; {0} and {1} are the values that broke one.
RULES = {
    NO_ELASTIC_SPRING: (
        "elastic_stiffness={0!r} N/m must be > 0 with drive load: "
        "without the elastic spring there is no equilibrium in slip or in flight"
    ),
    SPEED_OF_LOADS: (
        "friction_coefficient_slow={0!r} and viscous_friction={1!r} s/m need drive displacement: "
        "under given loads a quasi-static path has no speed"
    ),
    DAMPERS_OF_LOADS: (
        "contact_damping={0!r} N.s/m and tangential_damping={1!r} N.s/m need drive displacement: "
        "under given loads the contact has no constant velocity over a step"
    ),
    DECAY_TOO_SHORT: FRICTIONAL_SHOCK_RULES[DECAY_TOO_SHORT],
    SLOW_WITHOUT_DECAY: FRICTIONAL_SHOCK_RULES[SLOW_WITHOUT_DECAY],
    SECOND_NODE_OF_ONE: (
        "dist_2={0!r} m must be 0 with one node (length=0 m): it belongs to the second node"
    ),
}


class Drive(Choice):
    """What is given: the loads, or the displacements."""

    load = 0, "The loads are given; an elastic spring is needed"
    displacement = 1, "The displacements are given"


@quantities_by_name
@dataclass(frozen=True)
class ShockSpringParameters:
    """What the spring is made of; the defaults are those of SSND116 on one node.

    Raises
    ------
    ValueError, TypeError
        A value is out of range or contradicts another; the message names quantity, value, unit
        and the rule broken.
    """

    drive: Drive = quantity(
        Drive.load,
        description="Drive: the loads are given, or the displacements are",
    )
    elastic_stiffness: float = quantity(
        1.0,
        unit="N/m",
        minimum=0.0,
        description="Parallel elastic spring in x, y and z; > 0 with load drive, without effect "
        "with displacement drive",
        symbol="k",
    )
    contact_stiffness: float = quantity(
        1.0,
        unit="N/m",
        above=0.0,
        description="Stiffness of the contact along x",
        symbol="K_N",
        aliases=("RIGI_NOR",),
    )
    tangential_stiffness: float = quantity(
        0.5,
        unit="N/m",
        above=0.0,
        description="Stiffness of the contact across x before slip",
        symbol="K_T",
        aliases=("RIGI_TAN",),
    )
    friction_coefficient: float = quantity(
        0.5,
        minimum=0.0,
        description="Coulomb's coefficient; 0 slides freely",
        symbol="μ",
        aliases=("μ_d", "COULOMB"),
    )
    dist_1: float = quantity(
        0.5,
        unit="m",
        description="Matter about the first node along x; with one node the gap at rest",
    )
    dist_2: float = quantity(
        0.0, unit="m", description="Matter about the second node along x; 0 with one node"
    )
    length: float = quantity(
        0.0,
        unit="m",
        minimum=0.0,
        description="Distance of the two nodes along x; 0: one node",
        symbol="L",
    )
    friction_coefficient_slow: float = quantity(
        -1.0,
        description="Coefficient of friction μ_0 to which that in slip tends at low speed, with "
        "friction_decay_velocity and displacement drive",
        negative="the same as friction_coefficient",
        symbol="μ_0",
    )
    friction_decay_velocity: float = quantity(
        0.0,
        unit="m/s",
        minimum=0.0,
        nominal=0.1,
        description="Speed v_s over which the coefficient goes over from μ_0 to "
        "friction_coefficient; 0: it does not depend on it",
        symbol="v_s",
    )
    viscous_friction: float = quantity(
        0.0,
        unit="s/m",
        minimum=0.0,
        description="Part of the coefficient that grows with speed, η in η v; displacement drive",
        symbol="η",
    )
    archard_coefficient: float = declared_in(FrictionalShockParameters, "archard_coefficient")
    wear_area: float = declared_in(FrictionalShockParameters, "wear_area")
    contact_damping: float = declared_in(
        FrictionalShockParameters,
        "contact_damping",
        description="Damping C_N of the contact along x, which never pulls; displacement drive",
    )
    tangential_damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        nominal=1e4,
        description="Damping C_T beside tangential_stiffness; displacement drive",
        symbol="C_T",
        aliases=("AMOR_TAN",),
    )
    wear_feedback: bool = declared_in(
        FrictionalShockParameters,
        "wear_feedback",
        description="Wear opens the gap by wear_depth while it goes on",
    )
    wear_time_scale: float = declared_in(FrictionalShockParameters, "wear_time_scale")

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = broken_spring_rule(self)  # type: ignore[arg-type]  # the same fields
        if rule != NO_RULE:
            raise ValueError(RULES[rule].format(first, second))

    def in_force(self) -> ShockSpringParameters:
        """The same with, in place of a negative coefficient, what it stands for."""
        if self.friction_coefficient_slow >= 0.0:
            return self
        same = copy(self)
        # Not by construction, which takes a declared coefficient to need a decay velocity.
        object.__setattr__(same, "friction_coefficient_slow", self.friction_coefficient)
        return same

    @property
    def friction_varies(self) -> bool:
        """Whether the coefficient of friction depends on the speed of the path."""
        return friction_varies(self)  # type: ignore[arg-type]  # the same fields

    def friction_at(self, speed: float) -> float:
        """Coefficient of friction at a speed [m/s] ≥ 0 of the tangential path."""
        from .shock_spring_records import SpringParameters  # which is made of these

        return spring_friction(SpringParameters(self), speed)

    @property
    def gap_at_rest(self) -> float:
        """Gap of the unloaded spring [m]; negative: pressed together at rest, a preload.

        Two nodes: length − dist_1 − dist_2. One node: dist_1.
        """
        from .shock_spring_records import SpringParameters  # which is made of these

        return SpringParameters(self).gap_at_rest
