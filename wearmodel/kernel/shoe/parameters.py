"""Parameters of the frictional shock: values, units, ranges, and the rules between them.

The defaults come from SDND104 (EDF V5.01.104). With a sine a model gives its reference values.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import sqrt

from ...quantities import (
    Choice,
    as_included,
    check_quantities,
    declared_numbers,
    including,
    quantities_by_name,
    quantity,
)
from .. import limits
from ..contact import friction
from ..contact.friction import (
    FrictionParameters,
    complete_friction,
    depends_on_speed,
    friction_rule,
)
from ..contact.parameters import ContactSprings
from ..contact.wear import Rubbing, WearParameters, complete_wear
from ..limits import (
    BOTH_WAYS,
    INPUT_AT_END,
    INPUT_AT_START,
    LONGEST_ORDER,
    MEMORY_STEPS,
    NEGATIVE_ONLY,
    NO_RULE,
    NO_STOP,
    PENALISED_FRICTION,
    PENALTY,
    POSITIVE_ONLY,
    PRESCRIBED,
    RIGID_CONTACT,
    RIGID_FRICTION,
)
from ..series.oscillator import oscillator_rate
from ..state_objects import slots_behind

# Numbers of the rules between values, in addition to the rules of `contact.friction`.
GAP_WHERE_PRESCRIBED = 2
GAP_BELOW_ZERO = 3
GAP_TOO_WIDE = 4
START_BELOW_ZERO = 5
START_TOO_WIDE = 6
EQUILIBRIUM_WITHOUT_PENALTY = 7
EQUILIBRIUM_WITH_A_START = 8
FEEDBACK_WITHOUT_PENALTY = 11
ONE_WAY_SPRING = 12
ONE_WAY_LANDING = 13
UNKNOWN_NORMAL_LAW = 14
UNKNOWN_TANGENTIAL_LAW = 15
UNKNOWN_OBSTACLE = 16
UNKNOWN_DIRECTION = 17
UNKNOWN_TIMING = 19
STOPS_CROSSED = 30
BOUNCING_SPRING = 31
DAMPER_WITHOUT_SPRING = 32
START_BEYOND_STOP = 33
ONE_WAY_PENDULUM = 34
STRUCK_PENDULUM = 35


_FRICTION = 0.1  # default of friction_coefficient


class NormalLaw(Choice):
    """Law of the contact between mass and support in the normal direction."""

    prescribed = PRESCRIBED, "The normal force follows from gravity, preload and loads"
    penalty = PENALTY, "A spring and a damper that never pull"
    rigid = RIGID_CONTACT, "Impacts with restitution, no penetration"


class TangentialLaw(Choice):
    """Friction law in stick."""

    rigid = RIGID_FRICTION, "Coulomb friction without elastic displacement in stick"
    penalty = PENALISED_FRICTION, "A spring and a damper in series with a Coulomb slider"


class Obstacle(Choice):
    """Obstacle in the normal direction."""

    one_plane = 0, "The lower plane"
    two_planes = 1, "A lower and an upper plane"


ONE_PLANE = float(Obstacle.one_plane)
TWO_PLANES = float(Obstacle.two_planes)


class SlidingDirection(Choice):
    """Directions in which the mass may slide on the support."""

    both = 0, "Both, with the same friction"
    positive = (
        POSITIVE_ONLY,
        "Positive only: friction balances any force in the other direction",
    )
    negative = (
        NEGATIVE_ONLY,
        "Negative only: friction balances any force in the other direction",
    )


class InputTiming(Choice):
    """Time within a step at which an input has the value that is set before the step."""

    start = 0, "At the start of the step. The input is extrapolated over the step"
    end = (
        INPUT_AT_END,
        "At the end of the step. The input is linear from the previous value on",
    )


# Texts of the rules between values. {0} and {1} are the invalid values.
RULES = {
    **friction.RULES,
    GAP_WHERE_PRESCRIBED: "initial_gap={0!r} m must be 0 if normal_law is prescribed",
    GAP_BELOW_ZERO: "initial_gap={0!r} m must be ≥ 0 if normal_law is rigid",
    GAP_TOO_WIDE: (
        "initial_gap={0!r} m must be ≤ 2·plane_half_spacing={1!r} m between two rigid planes"
    ),
    START_BELOW_ZERO: (
        "initial_gap + initial_normal_displacement={0!r} m must be ≥ 0 if normal_law is rigid"
    ),
    START_TOO_WIDE: (
        "initial_gap + initial_normal_displacement={0!r} m must be ≤ "
        "2·plane_half_spacing={1!r} m between two rigid planes"
    ),
    FEEDBACK_WITHOUT_PENALTY: (
        "wear_feedback=True needs normal_law penalty: a prescribed force does not depend on the "
        "gap, and a pressed rigid contact stays closed"
    ),
    ONE_WAY_SPRING: (
        "sliding_direction one way needs tangential_law rigid: a friction spring "
        "allows motion in both directions"
    ),
    ONE_WAY_LANDING: (
        "sliding_direction one way needs normal_law prescribed or rigid: a penalised contact "
        "has no force when it closes and cannot stop a mass that moves in the other direction"
    ),
    EQUILIBRIUM_WITHOUT_PENALTY: "start_in_equilibrium=True needs normal_law penalty",
    EQUILIBRIUM_WITH_A_START: (
        "start_in_equilibrium=True determines the normal start: "
        "initial_normal_displacement={0!r} m and initial_normal_velocity={1!r} m/s must be 0"
    ),
    STOPS_CROSSED: "stop_lower={0!r} m must be < stop_upper={1!r} m",
    BOUNCING_SPRING: (
        "stop_restitution={0!r} must be 0 if stop_stiffness={1!r} N/m is > 0: a penalised stop "
        "loses energy by stop_damping"
    ),
    DAMPER_WITHOUT_SPRING: (
        "stop_damping={0!r} N.s/m must be 0 if stop_stiffness is 0: a rigid stop loses energy by "
        "stop_restitution"
    ),
    START_BEYOND_STOP: (
        "initial_displacement={0!r} m must be between stop_lower and stop_upper if stop_stiffness "
        "is 0"
    ),
    ONE_WAY_PENDULUM: (
        "pendulum_radius={0!r} m needs sliding_direction both: a pendulum swings back. Use 0"
    ),
    STRUCK_PENDULUM: (
        "pendulum_radius={0!r} m with normal_law rigid needs a constant friction coefficient: the "
        "friction in an impact on the curved surface is not computed with another law. Use "
        "normal_law penalty, or friction_coefficient alone"
    ),
    UNKNOWN_NORMAL_LAW: f"normal_law={{0!r}} {NormalLaw.rule()}",
    UNKNOWN_TANGENTIAL_LAW: f"tangential_law={{0!r}} {TangentialLaw.rule()}",
    UNKNOWN_OBSTACLE: f"obstacle={{0!r}} {Obstacle.rule()}",
    UNKNOWN_DIRECTION: f"sliding_direction={{0!r}} {SlidingDirection.rule()}",
    UNKNOWN_TIMING: f"input_timing={{0!r}} {InputTiming.rule()}",
}


class ContactMode(Choice):
    """Mode of the contact."""

    FLIGHT = limits.FLIGHT, "No contact: the normal force is 0"
    STICK = limits.STICK, "Contact that does not slide"
    SLIP = limits.SLIP, "Contact that slides"


@quantities_by_name
@dataclass(frozen=True)
@including(FrictionParameters, WearParameters, ContactSprings)
class FrictionalShockParameters:
    """Parameters of `FrictionalShock`, checked at construction.

    Raises
    ------
    ValueError, TypeError
        A value is out of range or contradicts another value.
    """

    mass: float = quantity(
        1.0, unit="kg", above=0.0, description="Mass of the sliding body", symbol="m"
    )
    gravity: float = quantity(
        10.0,
        unit="m/s2",
        nominal=10.0,
        description="Gravity, positive when it presses the mass on the support",
        symbol="g",
    )
    friction_coefficient: float = as_included(default=_FRICTION)
    friction_coefficient_static: float = as_included()
    stiffness: float = quantity(
        0.0,
        unit="N/m",
        minimum=0.0,
        description="Tangential spring between mass and support",
        symbol="k",
        tunable=True,
    )
    damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        description="Tangential damper between mass and support",
        symbol="c",
        tunable=True,
    )
    normal_stiffness: float = quantity(
        0.0,
        unit="N/m",
        minimum=0.0,
        description="Normal spring between mass and support",
        symbol="k_n",
        tunable=True,
    )
    normal_damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        description="Normal damper between mass and support",
        symbol="c_n",
        tunable=True,
    )
    preload: float = quantity(
        0.0,
        unit="N",
        nominal=10.0,
        description="Constant force that presses the mass on the lower plane",
    )
    initial_gap: float = quantity(
        0.0,
        unit="m",
        description="Gap to the lower plane at zero normal displacement. Negative with the penalty "
        "law only",
        aliases=("gap", "JEU"),
        tunable=True,
    )
    normal_law: NormalLaw = quantity(
        NormalLaw.prescribed,
        description="Normal law: prescribed force, penalised contact, or rigid contact",
    )
    tangential_law: TangentialLaw = quantity(
        TangentialLaw.rigid, description="Friction law: rigid or penalised Coulomb friction"
    )
    obstacle: Obstacle = quantity(
        Obstacle.one_plane, description="Obstacle: the lower plane, or a lower and an upper plane"
    )
    plane_half_spacing: float = quantity(
        0.5,
        unit="m",
        above=0.0,
        description="Half the sum of the gaps to the lower and the upper plane",
        tunable=True,
    )
    contact_stiffness: float = as_included()
    contact_damping: float = as_included()
    tangential_stiffness: float = as_included()
    tangential_damping: float = as_included()
    restitution: float = quantity(
        0.0,
        minimum=0.0,
        maximum=1.0,
        description="Newton's restitution of the rigid contact",
        symbol="ε",
        aliases=("e",),
    )
    archard_coefficient: float = as_included()
    wear_area: float = as_included()
    initial_displacement: float = quantity(
        0.0,
        unit="m",
        description="Tangential displacement, mass minus support, at the start",
        symbol="u_0",
    )
    initial_velocity: float = quantity(
        0.0,
        unit="m/s",
        description="Tangential velocity, mass minus support, at the start",
        symbol="v_0",
    )
    initial_normal_displacement: float = quantity(
        0.0,
        unit="m",
        description="Normal displacement at the start, positive away from the plane",
        symbol="w_0",
    )
    initial_normal_velocity: float = quantity(
        0.0, unit="m/s", description="Normal velocity at the start, positive away from the plane"
    )
    start_in_equilibrium: bool = quantity(
        False, description="Start at the static equilibrium of the penalised contact"
    )
    input_extrapolation_order: int = quantity(
        -1,
        minimum=-1,
        maximum=3,
        description="Order of extrapolation of the inputs over a step. Automatic: chosen for each "
        "input by past prediction errors",
        codes={-1: "automatic", 0: "hold", 1: "linear", 2: "quadratic", 3: "cubic"},
    )
    input_timing: InputTiming = quantity(
        InputTiming.start,
        description="Time at which a value set before a step applies: at its start, extrapolated "
        "over the step, or at its end, linearly interpolated from the previous value",
    )
    friction_coefficient_slow: float = as_included()
    friction_decay_velocity: float = as_included()
    viscous_friction: float = as_included()
    wear_feedback: bool = as_included(note="Only with normal_law penalty")
    wear_time_scale: float = as_included()

    sliding_direction: SlidingDirection = quantity(
        SlidingDirection.both,
        description="Directions in which the mass can slide: both, or only one, like a block "
        "downslope. One direction needs the rigid friction law and the prescribed or rigid normal "
        "law",
    )

    stop_lower: float = quantity(
        -NO_STOP,
        unit="m",
        description="Displacement u of the lower stop along the slide. -1e30: no stop",
    )
    stop_upper: float = quantity(
        NO_STOP,
        unit="m",
        description="Displacement u of the upper stop along the slide. 1e30: no stop",
    )
    stop_restitution: float = quantity(
        0.0, minimum=0.0, maximum=1.0, description="Newton's restitution of rigid stops"
    )
    stop_stiffness: float = quantity(
        0.0,
        unit="N/m",
        minimum=0.0,
        nominal=1e6,
        description="Stiffness of penalised stops. 0: rigid stops",
        symbol="K_S",
    )
    stop_damping: float = quantity(
        0.0, unit="N.s/m", minimum=0.0, description="Damping of penalised stops", symbol="C_S"
    )
    pendulum_radius: float = quantity(
        0.0,
        unit="m",
        minimum=0.0,
        nominal=1.0,
        description="Radius R of a curved sliding surface: a pendulum bearing with the restoring "
        "force F_N u/R. 0: flat",
        symbol="R",
    )

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = broken_rule(self)  # type: ignore[arg-type]  # it has the same fields
        if rule != NO_RULE:
            raise ValueError(RULES[rule].format(first, second))

    @property
    def static_coefficient(self) -> float:
        """μ_s, or the coefficient of slow slip if ``friction_coefficient_static`` is negative."""
        return self.in_force().friction_coefficient_static

    def in_force(self) -> Parameters:
        """All parameters as the kernel uses them, without negative default values."""
        return Parameters(self)


# Values derived from the declared parameters, see `complete_parameters`.
DERIVED = (
    "plane_distance",  # m, sum of both gaps, 0 with one plane only
    "rate_free",  # tangential, flight and rigid slip
    "rate_stick",  # tangential, penalised stick
    "rate_normal_free",
    "rate_normal_contact",
    "is_automatic",  # 1 if the order of extrapolation is chosen at every step
    "longest_order",  # of extrapolation
    "samples_kept",  # number of samples that a later step may use in addition to its own
    "steady_after",  # number of equal samples after which an input is constant
    "held_direction",  # ±1, direction of slip in which friction is unlimited, or 0
    "weight",  # N, constant part of f_n, −m g − preload
    "has_stops",  # 1 if there is a stop
    "curvature",  # 1/m, of the sliding surface, 0 if it is flat
    "has_pieces",  # 1 with stops or a pendulum, which `quiet` does not compute
    "stop_holds",  # 1 if a mass at rest at a stop is in rigid stick, 0 otherwise
    "slip_follows_forcing",  # 1 if the stretch in slip can depend on the mass's acceleration
)


class Parameters(Rubbing):
    """The declared parameters as numbers, followed by derived quantities.

    `complete_parameters` replaces a negative friction_coefficient_static or tangential_damping.
    """

    __slots__ = slots_behind(
        Rubbing, (declared.name for declared in fields(FrictionalShockParameters)), DERIVED
    )

    def __init__(self, declared: FrictionalShockParameters) -> None:
        super().__init__()
        for name, value in declared_numbers(FrictionalShockParameters, declared):
            setattr(self, name, value)
        for name in DERIVED:
            setattr(self, name, 0.0)
        complete_parameters(self)


def complete_parameters(p: Parameters) -> None:
    """Replace negative default values, and fill in the derived quantities.

    A negative coefficient of friction means another coefficient, and a negative C_T the critical
    damping 2√(m (k + K_T)).
    """
    mass = p.mass
    p.plane_distance = 0.0
    if p.obstacle != 0.0:
        p.plane_distance = 2.0 * p.plane_half_spacing
    complete_friction(p, p.tangential_law == PENALISED_FRICTION)
    if p.tangential_damping < 0.0:
        p.tangential_damping = 2.0 * sqrt(mass * (p.stiffness + p.tangential_stiffness))
    p.is_automatic = 0.0
    p.longest_order = p.input_extrapolation_order
    if p.input_timing == INPUT_AT_END:
        p.longest_order = 0.0
    elif p.input_extrapolation_order < 0.0:
        p.is_automatic = 1.0
        p.longest_order = LONGEST_ORDER
    p.samples_kept = p.longest_order + 1.0 if p.input_timing != INPUT_AT_END else 0.0
    # An input is constant only after its earlier prediction errors have decayed.
    p.steady_after = p.longest_order + MEMORY_STEPS
    if p.input_timing == INPUT_AT_END:
        p.steady_after = 1.0
    complete_wear(p)
    p.held_direction = 0.0
    if p.sliding_direction == POSITIVE_ONLY:
        p.held_direction = -1.0
    elif p.sliding_direction == NEGATIVE_ONLY:
        p.held_direction = 1.0
    p.has_stops = 0.0
    if p.stop_lower > -NO_STOP or p.stop_upper < NO_STOP:
        p.has_stops = 1.0
    p.curvature = 1.0 / p.pendulum_radius if p.pendulum_radius > 0.0 else 0.0
    p.has_pieces = 1.0 if p.has_stops != 0.0 or p.curvature != 0.0 else 0.0
    p.stop_holds = 0.0
    if p.tangential_law != PENALISED_FRICTION and p.stop_stiffness == 0.0:
        p.stop_holds = 1.0
    p.weight = -mass * p.gravity - p.preload
    p.slip_follows_forcing = 0.0
    if p.tangential_law == PENALISED_FRICTION and p.tangential_damping == 0.0:
        p.slip_follows_forcing = 1.0
    p.rate_free = oscillator_rate(mass, p.damping, p.stiffness)
    p.rate_stick = oscillator_rate(
        mass, p.damping + p.tangential_damping, p.stiffness + p.tangential_stiffness
    )
    p.rate_normal_free = oscillator_rate(mass, p.normal_damping, p.normal_stiffness)
    p.rate_normal_contact = oscillator_rate(
        mass, p.normal_damping + p.contact_damping, p.normal_stiffness + p.contact_stiffness
    )


def broken_rule(p: Parameters) -> tuple[int, float, float]:
    """Number of the first rule that the values break, and two values for its message.

    Only declared values are used.
    """
    rule, first, second = broken_standing_rule(p)
    if rule != NO_RULE:
        return rule, first, second
    if p.normal_law == RIGID_CONTACT:
        widest = 2.0 * p.plane_half_spacing
        start = p.initial_gap + p.initial_normal_displacement
        if start < 0.0:
            return START_BELOW_ZERO, start, 0.0
        if p.obstacle != 0.0 and start > widest:
            return START_TOO_WIDE, start, widest
    if p.stop_stiffness == 0.0:
        start = p.initial_displacement
        if start < p.stop_lower or start > p.stop_upper:
            return START_BEYOND_STOP, start, 0.0
    if p.start_in_equilibrium != 0.0:
        if p.normal_law != PENALTY:
            return EQUILIBRIUM_WITHOUT_PENALTY, 0.0, 0.0
        if p.initial_normal_displacement != 0.0 or p.initial_normal_velocity != 0.0:
            return (
                EQUILIBRIUM_WITH_A_START,
                p.initial_normal_displacement,
                p.initial_normal_velocity,
            )
    return NO_RULE, 0.0, 0.0


def broken_standing_rule(p: Parameters) -> tuple[int, float, float]:
    """Like `broken_rule`, for the rules that apply after the start of a run, too."""
    rule, number = unknown_kind(p)
    if rule != NO_RULE:
        return rule, number, 0.0
    rule, first, second = friction_rule(p, _FRICTION)
    if rule != NO_RULE:
        return rule, first, second
    if p.wear_feedback != 0.0 and p.normal_law != PENALTY:
        return FEEDBACK_WITHOUT_PENALTY, 0.0, 0.0
    if p.sliding_direction != 0.0:
        if p.tangential_law == PENALISED_FRICTION:
            return ONE_WAY_SPRING, 0.0, 0.0
        if p.normal_law == PENALTY:
            return ONE_WAY_LANDING, 0.0, 0.0
    if p.stop_lower >= p.stop_upper:
        return STOPS_CROSSED, p.stop_lower, p.stop_upper
    if p.stop_restitution > 0.0 and p.stop_stiffness > 0.0:
        return BOUNCING_SPRING, p.stop_restitution, p.stop_stiffness
    if p.stop_damping > 0.0 and p.stop_stiffness == 0.0:
        return DAMPER_WITHOUT_SPRING, p.stop_damping, 0.0
    if p.pendulum_radius > 0.0:
        if p.sliding_direction != 0.0:
            return ONE_WAY_PENDULUM, p.pendulum_radius, 0.0
        if p.normal_law == RIGID_CONTACT and depends_on_speed(p):
            return STRUCK_PENDULUM, p.pendulum_radius, 0.0
    gap = p.initial_gap
    if p.normal_law == PRESCRIBED and gap != 0.0:
        return GAP_WHERE_PRESCRIBED, gap, 0.0
    if p.normal_law == RIGID_CONTACT:
        widest = 2.0 * p.plane_half_spacing
        if gap < 0.0:
            return GAP_BELOW_ZERO, gap, 0.0
        if p.obstacle != 0.0 and gap > widest:
            return GAP_TOO_WIDE, gap, widest
    return NO_RULE, 0.0, 0.0


def unknown_kind(p: Parameters) -> tuple[int, float]:
    """Number of the rule that an unknown kind breaks, and the value of this kind."""
    law = float(p.normal_law)
    if not (law == PRESCRIBED or law == PENALTY or law == RIGID_CONTACT):
        return UNKNOWN_NORMAL_LAW, law
    law = float(p.tangential_law)
    if not (law == RIGID_FRICTION or law == PENALISED_FRICTION):
        return UNKNOWN_TANGENTIAL_LAW, law
    obstacle = float(p.obstacle)
    if not (obstacle == ONE_PLANE or obstacle == TWO_PLANES):
        return UNKNOWN_OBSTACLE, obstacle
    direction = float(p.sliding_direction)
    if not (direction == BOTH_WAYS or direction == POSITIVE_ONLY or direction == NEGATIVE_ONLY):
        return UNKNOWN_DIRECTION, direction
    timing = float(p.input_timing)
    if not (timing == INPUT_AT_START or timing == INPUT_AT_END):
        return UNKNOWN_TIMING, timing
    return NO_RULE, 0.0
