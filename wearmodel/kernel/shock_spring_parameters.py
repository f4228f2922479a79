"""Parameters of the shock spring: values, units, ranges, and the rules between them.

Defaults are those of SSND116 (EDF, code_aster) on one node.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..quantities import Choice, check_quantities, quantity
from .shock_spring_steps import (
    NO_ELASTIC_SPRING,
    NO_RULE,
    SECOND_NODE_OF_ONE,
    broken_spring_rule,
)

# Texts of the rules between values; {0} and {1} are the values that broke one.
RULES = {
    NO_ELASTIC_SPRING: (
        "elastic_stiffness={0!r} N/m must be > 0 with drive load: "
        "without the elastic spring there is no equilibrium in slip or in flight"
    ),
    SECOND_NODE_OF_ONE: (
        "dist_2={0!r} m must be 0 with one node (length=0 m): it belongs to the second node"
    ),
}


class Drive(Choice):
    """What is given: the loads, or the displacements."""

    load = 0, "The loads are given; an elastic spring is needed"
    displacement = 1, "The displacements are given"


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

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = broken_spring_rule(self)  # type: ignore[arg-type]  # the same fields
        if rule != NO_RULE:
            raise ValueError(RULES[rule].format(first, second))

    @property
    def gap_at_rest(self) -> float:
        """Gap of the unloaded spring [m]; negative: pressed together at rest, a preload.

        Two nodes: length − dist_1 − dist_2. One node: dist_1.
        """
        from .shock_spring_records import SpringParameters  # which is made of these

        return SpringParameters(self).gap_at_rest
