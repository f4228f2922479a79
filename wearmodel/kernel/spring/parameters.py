"""Parameters of the shock spring: values, units, ranges, and the rules between them.

The defaults come from SSND116 (EDF, code_aster) on one node.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, fields

from ...quantities import (
    Choice,
    as_included,
    check_quantities,
    declared_numbers,
    including,
    quantities_by_name,
    quantity,
)
from ..contact.friction import RULES as FRICTION_RULES
from ..contact.friction import (
    FrictionParameters,
    complete_friction,
    decay_rule,
    depends_on_speed,
)
from ..contact.obstacle import (
    CIRCLE,
    PLANE,
    TWO_PLANES,
    UNKNOWN_OBSTACLE,
    WEAR_IN_POLYGON,
    is_obstacle,
)
from ..contact.obstacle import RULES as OBSTACLE_RULES
from ..contact.parameters import ContactObstacle, ContactSprings
from ..contact.polygon import POLYGON
from ..contact.wear import Rubbing, WearParameters, complete_wear
from ..limits import MOST_SIDES, NO_RULE
from ..state_objects import slots_behind

# Largest length [m], rate [m/s] and force [N]. Fourth powers of lengths must not overflow.
LARGEST = 1e60
_FRICTION = 0.5  # default of friction_coefficient
# Coefficient in stick of a spring without friction. It wears, unlike a contact of coefficient 0.
_SMOOTH = 1e-300
# Numbers of the rules between parameters. `RULES` contains the texts.
NO_ELASTIC_SPRING = 31
SECOND_NODE_OF_ONE = 32
SPEED_OF_LOADS = 33
DAMPERS_OF_LOADS = 34
CIRCLE_OF_LOADS = 35
NO_ROOM = 36
SMOOTH_CIRCLE = 37
UNKNOWN_DRIVE = 38
MASS_OF_LOADS = 39
UNKNOWN_LAG = 40


class Drive(Choice):
    """Given inputs: loads or displacements."""

    load = 0, "The loads are given. An elastic spring is needed"
    displacement = 1, "The displacements are given"


class Lag(Choice):
    """When a master applies the mean force to the body."""

    serial = 0, "Over the step that begins at the received position"
    parallel = 1, "Over the step after it, because body and contact are computed in parallel"


LOAD = float(Drive.load)
DISPLACEMENT = float(Drive.displacement)

# Texts of the rules between values. {0} and {1} are the invalid values.
RULES = {
    NO_ELASTIC_SPRING: (
        "elastic_stiffness={0!r} N/m must be > 0 with drive load: "
        "without the elastic spring there is no equilibrium in slip or in flight"
    ),
    SPEED_OF_LOADS: (
        "friction_table, friction_coefficient_slow={0!r} and viscous_friction={1!r} s/m need drive "
        "displacement: "
        "under given loads a quasi-static path has no speed"
    ),
    DAMPERS_OF_LOADS: (
        "contact_damping={0!r} N.s/m and tangential_damping={1!r} N.s/m need drive displacement: "
        "under given loads the contact has no constant velocity over a step"
    ),
    CIRCLE_OF_LOADS: (
        "obstacle=circle or polygon needs drive displacement: under given loads the normal would "
        "turn with the force"
    ),
    MASS_OF_LOADS: (
        "effective_mass={0!r} kg needs drive displacement: the position of the body is the input"
    ),
    UNKNOWN_LAG: f"lag={{0!r}} {Lag.rule()}",
    WEAR_IN_POLYGON: OBSTACLE_RULES[WEAR_IN_POLYGON],
    NO_ROOM: (
        "the gap at rest, {0!r} m by length, dist_1 and dist_2, must be ≥ 0 between two planes "
        "and > 0 in a hole"
    ),
    SMOOTH_CIRCLE: "friction_coefficient={0!r} must be > 0 in a hole",
    **FRICTION_RULES,
    SECOND_NODE_OF_ONE: (
        "dist_2={0!r} m must be 0 with one node (length=0 m): it belongs to the second node"
    ),
    UNKNOWN_DRIVE: f"drive={{0!r}} {Drive.rule()}",
    UNKNOWN_OBSTACLE: OBSTACLE_RULES[UNKNOWN_OBSTACLE],
}


@quantities_by_name
@dataclass(frozen=True)
@including(
    FrictionParameters, WearParameters, ContactSprings, without=("friction_coefficient_static",)
)
class ShockSpringParameters:
    """Parameters of `ShockSpring`, checked at construction.

    Raises
    ------
    ValueError, TypeError
        A value is out of range or contradicts another value.
    """

    drive: Drive = quantity(Drive.load, description="Drive: given loads or given displacements")
    elastic_stiffness: float = quantity(
        1.0,
        unit="N/m",
        minimum=0.0,
        description="Parallel elastic spring in x, y and z: > 0 with load drive, without effect "
        "with displacement drive",
        symbol="k",
    )
    contact_stiffness: float = as_included(
        default=1.0,
        nominal=None,
        description="Stiffness of the contact along x, see wearmodel.stiffness_for_duration",
    )
    tangential_stiffness: float = as_included(
        default=0.5, nominal=None, description="Tangential stiffness of the contact before slip"
    )
    friction_coefficient: float = as_included(
        default=_FRICTION, description="Coulomb's coefficient. The point slides freely at 0"
    )
    dist_1: float = quantity(
        0.5,
        unit="m",
        description="Extent of the part at the first node along x. With one node, the gap at rest",
        tunable=True,
    )
    dist_2: float = quantity(
        0.0,
        unit="m",
        description="Extent of the part at the second node along x. Must be 0 with one node",
        tunable=True,
    )
    length: float = quantity(
        0.0,
        unit="m",
        minimum=0.0,
        description="Distance of the two nodes along x, or 0 with one node",
        symbol="L",
        tunable=True,
    )
    friction_coefficient_slow: float = as_included(note="Only with displacement drive")
    friction_decay_velocity: float = as_included()
    viscous_friction: float = as_included(note="Only with displacement drive")
    archard_coefficient: float = as_included()
    wear_area: float = as_included()
    contact_damping: float = as_included(
        description="Damping C_N of the contact along x, which never pulls, see "
        "wearmodel.damping_for_restitution. Displacement drive only"
    )
    tangential_damping: float = as_included(
        default=0.0,
        minimum=0.0,
        negative="",
        description="Damping C_T parallel to tangential_stiffness. Displacement drive only",
    )
    wear_feedback: bool = as_included(description="Wear opens the gap by wear_depth during the run")
    wear_time_scale: float = as_included()
    obstacle: ContactObstacle = quantity(
        ContactObstacle.plane,
        description="Obstacle of the point: a plane normal to x, two planes with the same gap, or "
        "a hole about z that is round or a polygon. Holes need displacement drive",
    )
    sides: int = quantity(
        24,
        minimum=3,
        maximum=MOST_SIDES,
        description="Sides of the regular polygon. The first one is at positive x",
    )

    effective_mass: float = quantity(
        0.0,
        unit="kg",
        minimum=0.0,
        nominal=1.0,
        description="Mass of the body as seen from the contact, m₁ m₂/(m₁ + m₂) for two bodies. "
        "With it the inputs are positions at the start of a step, and mean_force_x, _y, _z the "
        "forces to apply. 0: the displacements are imposed. Displacement drive only",
    )
    lag: Lag = quantity(
        Lag.serial, description="Step in which the master applies the mean force to the body"
    )

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = broken_spring_rule(self)  # type: ignore[arg-type]  # the same fields
        if rule != NO_RULE:
            raise ValueError(RULES[rule].format(first, second))

    def in_force(self) -> ShockSpringParameters:
        """The same parameters without a negative coefficient."""
        if self.friction_coefficient_slow >= 0.0:
            return self
        same = copy(self)
        # The constructor would require a decay velocity for a declared coefficient.
        object.__setattr__(same, "friction_coefficient_slow", self.friction_coefficient)
        return same

    @property
    def friction_varies(self) -> bool:
        """Whether the coefficient of friction depends on the speed of the path."""
        return depends_on_speed(self)  # type: ignore[arg-type]  # the same fields

    @property
    def gap_at_rest(self) -> float:
        """Gap of the unloaded spring [m], negative if it is preloaded.

        Two nodes: length − dist_1 − dist_2. One node: dist_1. Between two planes it is the gap to
        each of them. In a hole it is measured from the axis.
        """
        return SpringParameters(self).gap_at_rest


# Values derived from the declared parameters, see `complete_spring`.
DERIVED = (
    "gap_at_rest",  # m
    "compliance",  # m/N, of the elastic spring in series with the contact
    "driven_normal_stiffness",  # N/m, at the driving point
    "driven_tangential_stiffness",  # N/m
    "bound_per_force",  # m/N, largest stretch per normal force at rest
    "is_plain",  # 1 at planes, if a closed form exists and the body's mass is unknown
)


class SpringParameters(Rubbing):
    """The declared parameters as numbers, followed by derived quantities."""

    __slots__ = slots_behind(
        Rubbing, (declared.name for declared in fields(ShockSpringParameters)), DERIVED
    )

    def __init__(self, declared: ShockSpringParameters) -> None:
        super().__init__()
        for name, value in declared_numbers(ShockSpringParameters, declared):
            setattr(self, name, value)
        for name in DERIVED:
            setattr(self, name, 0.0)
        complete_spring(self)


def broken_spring_rule(p: SpringParameters) -> tuple[int, float, float]:
    """Number of the first rule that the values break, and two values to show."""
    if not (p.drive == LOAD or p.drive == DISPLACEMENT):
        return UNKNOWN_DRIVE, float(p.drive), 0.0
    if not is_obstacle(p.obstacle):
        return UNKNOWN_OBSTACLE, float(p.obstacle), 0.0
    if not (p.lag == 0.0 or p.lag == 1.0):
        return UNKNOWN_LAG, float(p.lag), 0.0
    rule, first, second = decay_rule(p, _FRICTION)
    if rule != NO_RULE:
        return rule, first, second
    if p.drive == LOAD and depends_on_speed(p):
        return SPEED_OF_LOADS, p.friction_coefficient_slow, p.viscous_friction
    if p.drive == LOAD and p.elastic_stiffness == 0.0:
        return NO_ELASTIC_SPRING, p.elastic_stiffness, 0.0
    if p.drive == LOAD and (p.contact_damping > 0.0 or p.tangential_damping > 0.0):
        return DAMPERS_OF_LOADS, p.contact_damping, p.tangential_damping
    if p.drive == LOAD and p.effective_mass > 0.0:
        return MASS_OF_LOADS, p.effective_mass, 0.0
    if p.length == 0.0 and p.dist_2 != 0.0:
        return SECOND_NODE_OF_ONE, p.dist_2, p.length
    gap = rest_gap(p)
    is_hole = p.obstacle == CIRCLE or p.obstacle == POLYGON
    if p.obstacle != PLANE and (gap < 0.0 or (is_hole and gap == 0.0)):
        return NO_ROOM, gap, 0.0
    if is_hole and p.drive == LOAD:
        return CIRCLE_OF_LOADS, p.obstacle, 0.0
    if is_hole and p.friction_coefficient == 0.0:
        return SMOOTH_CIRCLE, 0.0, 0.0
    if p.obstacle == POLYGON and p.wear_feedback != 0.0:
        return WEAR_IN_POLYGON, 0.0, 0.0
    return NO_RULE, 0.0, 0.0


def rest_gap(p: SpringParameters) -> float:
    """Gap of the unloaded spring [m], from the declared lengths."""
    return p.length - p.dist_1 - p.dist_2 if p.length > 0.0 else p.dist_1


def complete_spring(p: SpringParameters) -> None:
    """Compute the derived quantities."""
    p.gap_at_rest = rest_gap(p)
    p.compliance = 0.0
    p.driven_normal_stiffness = p.contact_stiffness
    p.driven_tangential_stiffness = p.tangential_stiffness
    if p.drive == LOAD:
        elastic = p.elastic_stiffness
        p.compliance = 1.0 / elastic
        p.driven_normal_stiffness *= elastic / (elastic + p.contact_stiffness)
        p.driven_tangential_stiffness *= elastic / (elastic + p.tangential_stiffness)
    complete_wear(p)
    p.friction_coefficient_static = -1.0
    complete_friction(p, True)
    p.friction_coefficient_static = max(_SMOOTH, p.friction_coefficient_static)
    # A stiffness that underflows to 0 has no computable force.
    p.bound_per_force = LARGEST * LARGEST
    if p.driven_tangential_stiffness > 0.0:
        p.bound_per_force = p.friction_coefficient / p.driven_tangential_stiffness
    p.is_plain = 0.0
    is_plane = p.obstacle == PLANE or p.obstacle == TWO_PLANES
    is_damped = p.contact_damping > 0.0 or p.tangential_damping > 0.0
    varies = p.constant_friction < 0.0 or p.opening_per_work > 0.0
    if is_plane and not is_damped and not varies and p.effective_mass == 0.0:
        p.is_plain = 1.0
