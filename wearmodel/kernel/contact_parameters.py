"""Parameters of one contact of a structure: values, units, ranges, and the rules between them."""

from __future__ import annotations

from dataclasses import dataclass

from ..quantities import check_quantities, quantity
from .friction import (
    DECAY_TOO_SHORT,
    SLOW_WITHOUT_DECAY,
    STATIC_BELOW_DYNAMIC,
    STATIC_BELOW_SLOW,
)
from .modal_limits import LEAST_DAMPING
from .modal_setup import (
    GAP_OF_CIRCLE,
    NO_FLEXIBILITY,
    NO_FRICTION_SPRING,
    NO_RULE,
    NO_STIFFNESS,
    STICK_WITHOUT_SLIP,
    VARYING_WITHOUT_SLIP,
    WEAK_DAMPER,
    broken_contact_rule,
    series_stiffness,
)
from .parameters import RULES as FRICTIONAL_SHOCK_RULES

# Texts of the rules between values; {0} and {1} are the values that broke one.
RULES = {
    NO_STIFFNESS: "contact_stiffness=0 N/m must be > 0, or negative for a rigid obstacle",
    NO_FLEXIBILITY: (
        "contact_stiffness={0!r} N/m, negative or not given, says that the obstacle is rigid; "
        "then residual_flexibility=0.0 m/N must be > 0"
    ),
    **{
        rule: FRICTIONAL_SHOCK_RULES[rule]
        for rule in (DECAY_TOO_SHORT, STATIC_BELOW_DYNAMIC, STATIC_BELOW_SLOW, SLOW_WITHOUT_DECAY)
    },
    VARYING_WITHOUT_SLIP: (
        "friction_coefficient=0.0 must be > 0 where friction_coefficient_slow={0!r} or "
        "viscous_friction={1!r} s/m is"
    ),
    STICK_WITHOUT_SLIP: (
        "friction_coefficient=0.0 must be > 0 where friction_coefficient_static={0!r} is"
    ),
    NO_FRICTION_SPRING: (
        "tangential_stiffness=0.0 N/m must be > 0 where there is friction (μ={0!r})"
    ),
    GAP_OF_CIRCLE: "gap={0!r} m must be > 0 in a circle",
    WEAK_DAMPER: (
        "tangential_damping={0!r} N.s/m must be 0, its limit, or at least {1!r} N.s/m, "
        f"{LEAST_DAMPING:g} of the critical damping"
    ),
}


@dataclass(frozen=True)
class ContactParameters:
    """Gap, stiffnesses, friction and wear of one contact; an FMU has them as `NAME.gap` …

    Raises
    ------
    ValueError, TypeError
        A value is out of range or contradicts another; the message names quantity, value, unit
        and the rule broken.
    """

    gap: float = quantity(
        0.0,
        unit="m",
        description="Gap at rest: to the plane, to each of two planes, radial in a circle; "
        "negative at planes: pressed at rest",
        nominal=1e-4,
    )
    contact_stiffness: float = quantity(
        -1.0,
        unit="N/m",
        description="K_N; negative: the obstacle is rigid and residual_flexibility > 0",
        nominal=1e6,
    )
    contact_damping: float = quantity(
        0.0, unit="N.s/m", minimum=0.0, description="C_N, parallel to the contact's stiffness"
    )
    residual_flexibility: float = quantity(
        0.0,
        unit="m/N",
        minimum=0.0,
        description="Flexibility of the modes left out, along the normal; in series with K_N",
        nominal=1e-7,
    )
    tangential_stiffness: float = quantity(
        0.0,
        unit="N/m",
        minimum=0.0,
        description="K_T of the friction spring; > 0 where there is friction",
        nominal=1e6,
    )
    tangential_damping: float = quantity(
        -1.0,
        unit="N.s/m",
        description="C_T of the friction spring; negative: critical for the contact's mass",
    )
    friction_coefficient: float = quantity(
        0.0, minimum=0.0, description="Coulomb's coefficient in slip", nominal=0.1
    )
    friction_coefficient_static: float = quantity(
        -1.0,
        description="Coulomb's coefficient in stick; negative: friction_coefficient_slow, or "
        "friction_coefficient where that is negative too",
    )
    archard_coefficient: float = quantity(
        1e-13,
        unit="m2/N",
        minimum=0.0,
        description="Worn volume for each unit of wear work",
        nominal=1e-13,
    )
    wear_area: float = quantity(
        1e-4,
        unit="m2",
        above=0.0,
        description="Area that the worn volume is spread over",
        nominal=1e-4,
    )
    friction_coefficient_slow: float = quantity(
        -1.0,
        description="Coefficient μ_0 to which that in slip tends at low speed, with "
        "friction_decay_velocity; negative: friction_coefficient",
    )
    friction_decay_velocity: float = quantity(
        0.0,
        unit="m/s",
        minimum=0.0,
        nominal=0.1,
        description="Speed v_s of the point along the obstacle over which the coefficient in slip "
        "goes over from μ_0 to friction_coefficient; 0: it does not depend on it",
    )
    viscous_friction: float = quantity(
        0.0,
        unit="s/m",
        minimum=0.0,
        description="Part of the coefficient in slip that grows with the point's speed, η in η v",
    )
    wear_feedback: bool = quantity(
        False,
        description="Wear opens the gap by its depth while it goes on: of two planes that of each "
        "by its own, in a circle the radius evenly",
    )
    wear_time_scale: float = quantity(
        1.0,
        minimum=0.0,
        description="Seconds of service that one second of the run stands for, in worn_volume and "
        "wear_depth and in what wear_feedback opens",
    )

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = broken_contact_rule(self)  # type: ignore[arg-type]  # the same fields
        if rule != NO_RULE:
            raise ValueError(RULES[rule].format(first, second))

    @property
    def normal_stiffness(self) -> float:
        """K_eff = 1/(1/K_N + f) [N/m], the obstacle and the modes left out in series."""
        return series_stiffness(self)  # type: ignore[arg-type]  # the same fields
