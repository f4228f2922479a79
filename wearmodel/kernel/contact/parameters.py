"""Parameters of one contact of a structure: values, units, ranges, and the rules between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import sqrt

from ...quantities import (
    Choice,
    as_included,
    check_quantities,
    including,
    quantities_by_name,
    quantity,
    with_tables,
)
from ..limits import NO_RULE
from ..state_objects import slots_behind
from . import friction
from .friction import (
    FrictionParameters,
    complete_friction,
    friction_rule,
    knot_coefficient,
    knot_count,
)
from .wear import Rubbing, WearParameters, complete_wear

# Numbers of the rules between the declared values, in addition to the rules of `friction`.
NO_STIFFNESS = 11
NO_FLEXIBILITY = 12
STICK_WITHOUT_SLIP = 13
VARYING_WITHOUT_SLIP = 14
NO_FRICTION_SPRING = 15
# A tangential damping below this share of the critical damping is rejected: slip relaxes at the
# rate K_T/C_T, and needs pieces of that duration.
LEAST_DAMPING = 1e-5
# Largest rate C·b [1/s] of a damper C on a point of mobility b. A piece is four times as long as
# the decay time, and a step of 1 ms has 5000 pieces.
FASTEST_DAMPER = 2e7
# A damper below this share of the critical damping is not faster than its spring.
ALLOWED_DAMPING = 10.0
# Texts of the rules between values. {0} and {1} are the invalid values.
RULES = {
    NO_STIFFNESS: "contact_stiffness=0 N/m must be > 0, or negative for a rigid obstacle",
    NO_FLEXIBILITY: (
        "contact_stiffness={0!r} N/m must be > 0, or residual_flexibility=0.0 m/N must be > 0: "
        "without contact_stiffness the obstacle is rigid"
    ),
    **friction.RULES,
    VARYING_WITHOUT_SLIP: (
        "friction_coefficient=0.0 must be > 0 if friction_coefficient_slow={0!r} or "
        "viscous_friction={1!r} s/m is > 0"
    ),
    STICK_WITHOUT_SLIP: (
        "friction_coefficient=0.0 must be > 0 if friction_coefficient_static={0!r} is > 0"
    ),
    NO_FRICTION_SPRING: (
        "tangential_stiffness=0.0 N/m must be > 0 if the contact has friction (μ={0!r}): "
        "a value near contact_stiffness is usual"
    ),
}


class ContactObstacle(Choice):
    """Shape of the obstacle of a contact."""

    plane = 0, "A plane whose normal points to the free side"
    two_planes = 1, "Two parallel planes, one on either side"
    circle = 2, "A round hole about an axis, with the point inside"
    polygon = 3, "A hole about an axis with a convex polygon as its profile"

    @property
    def is_curved(self) -> bool:
        """Whether the normal turns about an axis as the point moves."""
        return self in (ContactObstacle.circle, ContactObstacle.polygon)

    @property
    def side_count(self) -> int:
        """Number of sides of the point with an obstacle."""
        return 2 if self is ContactObstacle.two_planes else 1

    @property
    def direction_key(self) -> str:
        """Key of the contact's direction in a structure file."""
        return "axis" if self.is_curved else "normal"

    def narrowing(self, place: Sequence[float]) -> float:
        """Reduction [m] of a point's gap from its value in the middle, at most this in a polygon.

        `place` [m] is the point's position along the normal, or across the axis.
        """
        if self.is_curved:
            return sqrt(sum(along * along for along in place))
        return abs(place[0]) if self.side_count == 2 else -place[0]

    def approach(self, start: Sequence[float], moved: Sequence[float]) -> float:
        """Approach [m] of a point to the obstacle as it moves from `start` by `moved`.

        Both are as for `narrowing`. Between two planes, `start` is not used.
        """
        if not self.is_curved:
            return self.narrowing(moved)
        end = [first + second for first, second in zip(start, moved)]
        return self.narrowing(end) - self.narrowing(start)


@dataclass(frozen=True)
class ContactSprings:
    """Stiffnesses and dampings of a penalised contact with penalised friction."""

    contact_stiffness: float = quantity(
        20.0,
        unit="N/m",
        above=0.0,
        nominal=1e6,
        description="Stiffness K_N of the penalised contact. wearmodel.stiffness_for_duration "
        "computes it from the duration of a shock",
        symbol="K_N",
        aliases=("RIGI_NOR",),
        tunable=True,
    )
    contact_damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        description="Damping C_N of the penalised contact. wearmodel.damping_for_restitution "
        "computes it from a restitution",
        symbol="C_N",
        aliases=("AMOR_NOR",),
        tunable=True,
    )
    tangential_stiffness: float = quantity(
        9e6,
        unit="N/m",
        above=0.0,
        nominal=1e7,
        description="Stiffness K_T of the penalised friction",
        symbol="K_T",
        aliases=("RIGI_TAN",),
        tunable=True,
    )
    tangential_damping: float = quantity(
        -1.0,
        unit="N.s/m",
        nominal=1e4,
        description="Damping C_T of the penalised friction",
        negative="critical, 2√(m (k + K_T))",
        symbol="C_T",
        aliases=("AMOR_TAN",),
        tunable=True,
    )


@quantities_by_name
@dataclass(frozen=True)
@including(FrictionParameters, WearParameters)
class ContactParameters:
    """Gap, stiffnesses, friction and wear of one contact. Their names in an FMU are `NAME.gap` …

    Raises
    ------
    ValueError, TypeError
        If a value is out of range or contradicts another one. The message contains the
        quantity, its value, its unit and the rule.
    """

    gap: float = quantity(
        0.0,
        unit="m",
        description="Gap at rest of a point without offset: to the plane, to each of two planes, "
        "radial about an axis. Negative at planes: compressed at rest",
        nominal=1e-4,
        tunable=True,
    )
    contact_stiffness: float = quantity(
        -1.0,
        unit="N/m",
        description="K_N, see wearmodel.stiffness_for_duration. Negative: rigid obstacle, with "
        "residual_flexibility > 0",
        nominal=1e6,
        tunable=True,
    )
    contact_damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        description="C_N, parallel to the stiffness of the contact, see "
        "wearmodel.damping_for_restitution",
        tunable=True,
    )
    residual_flexibility: float = quantity(
        0.0,
        unit="m/N",
        minimum=0.0,
        description="Flexibility of the omitted modes along the normal, in series with K_N",
        nominal=1e-7,
    )
    tangential_stiffness: float = quantity(
        0.0,
        unit="N/m",
        minimum=0.0,
        description="K_T of the friction spring, > 0 if the contact has friction",
        nominal=1e6,
        tunable=True,
    )
    tangential_damping: float = quantity(
        -1.0,
        unit="N.s/m",
        description="C_T of the friction spring. Negative: critical for the contact's mass",
        tunable=True,
    )
    friction_coefficient: float = as_included(default=0.0)
    friction_coefficient_static: float = as_included()
    archard_coefficient: float = as_included()
    wear_area: float = as_included()
    friction_coefficient_slow: float = as_included()
    friction_decay_velocity: float = as_included()
    viscous_friction: float = as_included()
    wear_feedback: bool = as_included(
        description="Wear opens the gap by the worn depth during the run: separately at each of "
        "two planes, evenly around an axis",
    )
    wear_time_scale: float = as_included()
    pendulum_radius: float = quantity(
        0.0,
        unit="m",
        minimum=0.0,
        nominal=1.0,
        description="Radius R of a curved sliding surface at a plane: a pendulum bearing with the "
        "restoring force F_N u/R. 0: flat",
    )

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = broken_contact_rule(self)  # type: ignore[arg-type]  # the same fields
        if rule != NO_RULE:
            raise ValueError(RULES[rule].format(first, second))

    @property
    def normal_stiffness(self) -> float:
        """K_eff = 1/(1/K_N + f) [N/m], the obstacle and the omitted modes in series."""
        return series_stiffness(self)  # type: ignore[arg-type]  # the same fields

    @property
    def coefficients(self) -> tuple[float, ...]:
        """All declared coefficients of friction, including the coefficients of a table."""
        knots = [row[1] for row in with_tables(self).get("friction_table", ())]
        declared = (
            self.friction_coefficient,
            self.friction_coefficient_static,
            self.friction_coefficient_slow,
        )
        return tuple(value for value in (*declared, *knots) if value >= 0.0)


# Fields of a contact in addition to its declared parameters: values from its structure, and values
# computed from both, see `complete_contact`.
DERIVED = (
    "obstacle",
    # Position in the obstacle at rest, in the contact's frame.
    "offset_1",  # m
    "offset_2",  # m
    "offset_3",  # m
    "axes",  # of the frame along which the point moves: 3, or 2 without the last axis
    "mobility",  # 1/kg, largest of the point in the directions of friction
    "normal_mobility",  # 1/kg, largest along the normal
    "stiffness",  # N/m, obstacle and omitted modes in series
    "sides",  # of a polygon
    "least_gap",  # m, gap at which a side of a polygon vanishes
    "curvature",  # 1/m, of the sliding surface, 0 if it is flat
)


class ContactLaw(Rubbing):
    """The declared parameters of one contact as numbers, followed by the fields of `DERIVED`.

    A negative friction_coefficient_static or tangential_damping is replaced by the value that it
    represents.
    """

    __slots__ = slots_behind(
        Rubbing, (declared.name for declared in fields(ContactParameters)), DERIVED
    )

    def __init__(self) -> None:
        super().__init__()
        for name in self.__slots__:
            setattr(self, name, 0.0)


def broken_contact_rule(law: ContactLaw) -> tuple[int, float, float]:
    """Number of the first rule that a contact's declared values break, and two values to show."""
    fast = law.friction_coefficient
    slow = law.friction_coefficient_slow
    static = law.friction_coefficient_static
    if law.contact_stiffness == 0.0:
        return NO_STIFFNESS, 0.0, 0.0
    if law.contact_stiffness < 0.0 and law.residual_flexibility == 0.0:
        return NO_FLEXIBILITY, law.contact_stiffness, 0.0
    rule, first, second = friction_rule(law, 0.0)
    if rule != NO_RULE:
        return rule, first, second
    for index in range(knot_count(law)):
        fast = max(fast, knot_coefficient(law, index))
    if fast == 0.0 and static > 0.0:
        return STICK_WITHOUT_SLIP, static, 0.0
    if fast == 0.0 and (slow > 0.0 or law.viscous_friction > 0.0):
        return VARYING_WITHOUT_SLIP, slow, law.viscous_friction
    if fast > 0.0 and law.tangential_stiffness == 0.0:
        return NO_FRICTION_SPRING, max(fast, static), 0.0
    return NO_RULE, 0.0, 0.0


def complete_contact(law: ContactLaw) -> None:
    """Replace negative coefficients, and compute the fields that follow from the declared ones.

    A negative μ_0 is replaced by μ_d, a negative μ_s by μ_0, and a negative C_T by the critical
    damping of the contact's mass.
    """
    law.stiffness = series_stiffness(law)
    law.curvature = 1.0 / law.pendulum_radius if law.pendulum_radius > 0.0 else 0.0
    complete_friction(law, True)
    complete_wear(law)
    if law.tangential_damping < 0.0:
        law.tangential_damping = 0.0
        if law.mobility > 0.0:
            law.tangential_damping = critical_damping(law.tangential_stiffness, law.mobility)


def largest_damping(stiffness: float, mobility: float) -> float:
    """Largest damping [N.s/m] parallel to a spring [N/m] on a point of mobility b > 0 [1/kg]."""
    return max(FASTEST_DAMPER / mobility, ALLOWED_DAMPING * critical_damping(stiffness, mobility))


def critical_damping(stiffness: float, mobility: float) -> float:
    """2√(k/b) [N.s/m] of a spring k [N/m] on a point of mobility b > 0 [1/kg]."""
    return 2.0 * sqrt(stiffness / mobility)


def series_stiffness(law: ContactLaw) -> float:
    """K_eff = 1/(1/K_N + f) [N/m], the obstacle and the omitted modes in series."""
    if law.contact_stiffness < 0.0:
        return 1.0 / law.residual_flexibility
    return law.contact_stiffness / (1.0 + law.contact_stiffness * law.residual_flexibility)
