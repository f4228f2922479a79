"""Parameters of the frictional shock: values, units, ranges, and the rules between them.

Defaults are those of SDND104 (EDF V5.01.104), so that a model fed with a sine gives its reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..quantities import Choice, check_quantities, quantities_by_name, quantity
from . import friction, rules

if TYPE_CHECKING:
    from .records import Parameters

# Texts of the rules between values; {0} and {1} are the values that broke one.
RULES = {
    friction.STATIC_BELOW_DYNAMIC: (
        "friction_coefficient_static={0!r} must be ≥ friction_coefficient={1!r}, or negative for "
        "the same"
    ),
    friction.STATIC_BELOW_SLOW: (
        "friction_coefficient_static={0!r} must be ≥ friction_coefficient_slow={1!r}, or negative "
        "for the same"
    ),
    friction.SLOW_WITHOUT_DECAY: (
        "friction_coefficient_slow={0!r} needs friction_decay_velocity > 0 m/s, the speed over "
        "which it goes over into friction_coefficient; or it must be negative for the same"
    ),
    friction.DECAY_TOO_SHORT: (
        "friction_decay_velocity={0!r} m/s must be 0 or ≥ {1!r} m/s: below it no step could follow "
        "the coefficient of a slip that turns"
    ),
    rules.GAP_WHERE_PRESCRIBED: ("initial_gap={0!r} m must be 0 where normal_law is prescribed"),
    rules.GAP_BELOW_ZERO: "initial_gap={0!r} m must be ≥ 0 where normal_law is rigid",
    rules.GAP_TOO_WIDE: (
        "initial_gap={0!r} m must be ≤ 2·plane_half_spacing={1!r} m between two rigid planes"
    ),
    rules.START_BELOW_ZERO: (
        "initial_gap + initial_normal_displacement={0!r} m must be ≥ 0 where normal_law is rigid"
    ),
    rules.START_TOO_WIDE: (
        "initial_gap + initial_normal_displacement={0!r} m must be ≤ "
        "2·plane_half_spacing={1!r} m between two rigid planes"
    ),
    rules.FEEDBACK_WITHOUT_PENALTY: (
        "wear_feedback=True needs normal_law penalty: a prescribed force knows no gap, and what a "
        "rigid contact wears opens nothing that stays pressed"
    ),
    rules.EQUILIBRIUM_WITHOUT_PENALTY: "start_in_equilibrium=True needs normal_law penalty",
    rules.EQUILIBRIUM_WITH_A_START: (
        "start_in_equilibrium=True sets the normal start itself: "
        "initial_normal_displacement={0!r} m and initial_normal_velocity={1!r} m/s must be 0"
    ),
}


class NormalLaw(Choice):
    """How the mass meets the support in the normal direction."""

    prescribed = 0, "The normal force follows from gravity, preload and loads"
    penalty = 1, "A spring and a damper that never pull"
    rigid = 2, "Impacts with restitution, no penetration"


class TangentialLaw(Choice):
    """How friction holds the mass in stick."""

    rigid = 0, "Coulomb friction that holds without yielding"
    penalty = 1, "A spring and a damper in series with a Coulomb slider"


class Obstacle(Choice):
    """What the mass can meet in the normal direction."""

    one_plane = 0, "The lower plane"
    two_planes = 1, "A lower and an upper plane"


class InputTiming(Choice):
    """At which instant of a step the input set before it has its value."""

    start = 0, "At its start; over the step it is extrapolated"
    end = 1, "At its end, reached on a straight line from the value before"


class ContactMode(Choice):
    """What the contact does."""

    FLIGHT = 0, "No contact: the normal force is 0"
    STICK = 1, "Contact that does not slide"
    SLIP = 2, "Contact that slides"


@quantities_by_name
@dataclass(frozen=True)
class FrictionalShockParameters:
    """Parameters of `FrictionalShock`, checked at construction.

    Raises
    ------
    ValueError, TypeError
        A value is out of range or contradicts another; the message names quantity, value, unit
        and the rule broken.
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
    friction_coefficient: float = quantity(
        0.1,
        minimum=0.0,
        description="Coefficient of friction in (fast) slip, μ_d",
        symbol="μ_d",
        aliases=("μ", "μ_k", "f", "COULOMB"),
    )
    friction_coefficient_static: float = quantity(
        -1.0,
        description="Coefficient of friction in stick, μ_s, not below that of slow slip",
        negative="the same as that of slow slip",
        symbol="μ_s",
    )
    stiffness: float = quantity(
        0.0,
        unit="N/m",
        minimum=0.0,
        description="Tangential spring between mass and support",
        symbol="k",
    )
    damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        description="Tangential damper between mass and support",
        symbol="c",
    )
    normal_stiffness: float = quantity(
        0.0,
        unit="N/m",
        minimum=0.0,
        description="Normal spring between mass and support",
        symbol="k_n",
    )
    normal_damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        description="Normal damper between mass and support",
        symbol="c_n",
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
        description="Gap to the lower plane at zero normal displacement; negative with the penalty "
        "law only",
        aliases=("gap", "JEU"),
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
    )
    contact_stiffness: float = quantity(
        20.0,
        unit="N/m",
        above=0.0,
        nominal=1e6,
        description="Stiffness K_N of the penalised contact",
        symbol="K_N",
        aliases=("RIGI_NOR",),
    )
    contact_damping: float = quantity(
        0.0,
        unit="N.s/m",
        minimum=0.0,
        description="Damping C_N of the penalised contact",
        symbol="C_N",
        aliases=("AMOR_NOR",),
    )
    tangential_stiffness: float = quantity(
        9e6,
        unit="N/m",
        above=0.0,
        nominal=1e7,
        description="Stiffness K_T of the penalised friction",
        symbol="K_T",
        aliases=("RIGI_TAN",),
    )
    tangential_damping: float = quantity(
        -1.0,
        unit="N.s/m",
        nominal=1e4,
        description="Damping C_T of the penalised friction",
        negative="critical, 2√(m (k + K_T))",
        symbol="C_T",
        aliases=("AMOR_TAN",),
    )
    restitution: float = quantity(
        0.0,
        minimum=0.0,
        maximum=1.0,
        description="Newton's restitution of the rigid contact",
        symbol="e",
    )
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
        description="Area over which the worn volume is spread",
    )
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
        description="Order of the inputs' extrapolation over a step; automatic: for each input by "
        "the errors of past predictions",
        codes={-1: "automatic", 0: "hold", 1: "linear", 2: "quadratic", 3: "cubic"},
    )
    input_timing: InputTiming = quantity(
        InputTiming.start,
        description="Instant of a step at which the input set before it has its value: start, then "
        "it is extrapolated, or end, then it is joined to the one before by a straight line",
    )
    friction_coefficient_slow: float = quantity(
        -1.0,
        description="Coefficient of friction μ_0 to which that in slip tends at low speed, with "
        "friction_decay_velocity",
        negative="the same as friction_coefficient, μ_d",
        symbol="μ_0",
    )
    friction_decay_velocity: float = quantity(
        0.0,
        unit="m/s",
        minimum=0.0,
        nominal=0.1,
        description="Speed v_s over which the coefficient in slip goes over from μ_0 to μ_d, "
        "μ_d + (μ_0 − μ_d) exp(−v/v_s); 0: it does not depend on it",
        symbol="v_s",
    )
    viscous_friction: float = quantity(
        0.0,
        unit="s/m",
        minimum=0.0,
        description="Part of the coefficient in slip that grows with the mass's speed, η in η v",
        symbol="η",
    )
    wear_feedback: bool = quantity(
        False,
        description="Wear opens the gap of the plane that it happens at, by wear_depth, while it "
        "goes on; normal_law penalty only",
    )
    wear_time_scale: float = quantity(
        1.0,
        minimum=0.0,
        description="Seconds of service that one second of the run stands for, in worn_volume and "
        "wear_depth and in what wear_feedback opens",
    )

    def __post_init__(self) -> None:
        check_quantities(self)
        rule, first, second = rules.broken_rule(self)  # type: ignore[arg-type]  # it has the same fields
        if rule != rules.NO_RULE:
            raise ValueError(RULES[rule].format(first, second))

    @property
    def static_coefficient(self) -> float:
        """μ_s in force: that of slow slip where ``friction_coefficient_static`` is negative."""
        return self.in_force().friction_coefficient_static

    @property
    def effective_tangential_damping(self) -> float:
        """C_T in force [N.s/m]: the critical value 2√(m (k + K_T)) where it is negative."""
        return self.in_force().tangential_damping

    def in_force(self) -> Parameters:
        """All parameters as the kernel has them: in place of a negative one what it stands for."""
        from .records import Parameters  # which is made of these

        return Parameters(self)
