"""Law of friction: coefficients in slip and stick, loss of speed at an impact, and wear work.

    μ(v)    = μ_d + (μ_0 − μ_d) e^(−v/v_s) + η v       v = |u̇|, the mass's speed along the support
    slip    F_T = −s μ(|u̇|) F_N         s the direction of slip, F_T the force on the mass
    stick   |F_T| ≤ max(μ_s, μ(|u̇|)) F_N,   μ_s ≥ μ_0
    impact  m d|u̇|/dP = −μ(|u̇|) until |u̇| = 0, over the normal impulse P = m (1 + e)|v_n|

A table of measured coefficients can replace this μ(v). Its knots (v_k, μ_k) are joined by lines or
by Fritsch and Carlson's monotone cubics, and μ is constant beyond the last knot. Within a piece of
the table μ is a polynomial of the speed. A slip's series ends where the speed passes a knot.

Without the last two terms of μ(v) this is Coulomb's law, μ = μ_d. In stick the mass moves only if
friction is penalised. The limit in stick includes μ(|u̇|) because stick and slip would alternate
without end if it were below the friction force of slip. Wear work is ∫ F_N |slip velocity| dt, and
friction work is ∫ |F_T| |slip velocity| dt. The law does not depend on how F_T acts on the mass
(directly, or through a spring and a damper), or on the number of directions (1 or 2). Every contact
of the kernel stores its coefficients in a `Friction` state object. No other module contains the
dependence of μ on the speed. The exponential term is the product of μ_0 − μ_d and a function of the
speed that is 1 at rest. The series of a slip requests the coefficients of that function in
ascending order. If the function is an exponential of the speed itself, `friction_terms` returns its
exponent, and the series is written out, because it is most of the cost of a step.

Sources: Bowden and Leben (exponential law). Constantinou, Mokha and Reinhorn, Teflon bearings in
base isolation II, J. Struct. Eng. 116 (1990), for μ_0 < μ_d. Fritsch and Carlson, Monotone
piecewise cubic interpolation, SIAM J. Numer. Anal. 17 (1980), with slopes at the knots by Fritsch
and Butland, SIAM J. Sci. Stat. Comput. 5 (1984), as in scipy's PchipInterpolator. The impact is
the limit of a stiff contact: Keller, Impact with friction, J. Appl. Mech. 53 (1986).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1

from ...quantities import Choice, numbered, quantity
from ..limits import NEGLIGIBLE, NEVER, SERIES_LENGTH
from ..series.arithmetic import ends, exponential_term, product_term, shortening
from ..series.polynomials import evaluate
from ..series.roots import first_exit
from ..state_objects import copying, reading, state_object, with_columns

# Numbers of the rules between the parameters of friction. A model's table lists them together with
# its own rules, so all numbers must differ.
STATIC_BELOW_DYNAMIC = 1
STATIC_BELOW_SLOW = 9
SLOW_WITHOUT_DECAY = 10
DECAY_TOO_SHORT = 18
TABLE_WITH_FAST = 21
TABLE_WITH_SLOW = 22
TABLE_WITH_VISCOUS = 23
TABLE_STARTS_LATE = 24
KNOTS_TOO_CLOSE = 25
KNOT_BEHIND_END = 26
UNKNOWN_TABLE_RULE = 27
# Shortest v_s [m/s]. Below it, a slip that reverses needs more pieces than a step can have.
SHORTEST_DECAY = 1e-9
MOST_KNOTS = 32  # of a friction table


class FrictionTableRule(Choice):
    """Interpolation between the knots of a friction table."""

    linear = 0, "Straight lines"
    pchip = 1, "Monotone cubics without overshoot"


# Texts of the rules. {0} and {1} are the invalid values.
RULES = {
    STATIC_BELOW_DYNAMIC: (
        "friction_coefficient_static={0!r} must be ≥ friction_coefficient={1!r}, or negative to "
        "use the same value"
    ),
    STATIC_BELOW_SLOW: (
        "friction_coefficient_static={0!r} must be ≥ friction_coefficient_slow={1!r}, or negative "
        "to use the same value"
    ),
    SLOW_WITHOUT_DECAY: (
        "friction_coefficient_slow={0!r} needs friction_decay_velocity > 0 m/s, the speed of its "
        "decay to friction_coefficient. A negative friction_coefficient_slow disables the decay"
    ),
    DECAY_TOO_SHORT: (
        "friction_decay_velocity={0!r} m/s must be 0 or ≥ {1!r} m/s: with a smaller value, a slip "
        "that reverses needs too many power series in each step"
    ),
    TABLE_WITH_FAST: (
        "friction_coefficient={0!r} must keep its default if there is a friction_table, which "
        "replaces it"
    ),
    TABLE_WITH_SLOW: (
        "friction_coefficient_slow={0!r} must be negative and friction_decay_velocity={1!r} m/s "
        "must be 0 if there is a friction_table, which replaces them"
    ),
    TABLE_WITH_VISCOUS: (
        "viscous_friction={0!r} s/m must be 0 if there is a friction_table, which replaces it"
    ),
    TABLE_STARTS_LATE: "friction_table_speed[1]={0!r} m/s must be 0, the speed of the first knot",
    KNOTS_TOO_CLOSE: (
        "friction_table_speed={1!r} m/s must exceed the speed of the knot before it={0!r} m/s by "
        f"{SHORTEST_DECAY!r} m/s or more"
    ),
    KNOT_BEHIND_END: (
        "friction_table_speed={0!r} m/s with friction_table_coefficient={1!r} is behind the end of "
        "the table, its first negative coefficient: give this knot and those before it a "
        "coefficient ≥ 0, or, if it is not used, the speed 0 and a negative coefficient"
    ),
    UNKNOWN_TABLE_RULE: f"friction_table_rule={{0!r}} {FrictionTableRule.rule()}",
}

# If the exponent or the decay of the velocity changes by more than this over a piece, the series of
# the piece is not short.
LONGEST_REACH = 1.0
# Shortest piece [s, or N.s at an impact] that can still be shortened. Series that need a shorter
# piece do not describe a motion. The number of events and pieces of a step is limited.
SHORTEST = 1e-40
# If μ_s and μ(|u̇|) differ by less than this share of μ_s, their rates determine the larger one.
SAME_BOUND = 1e-12
# The test of a series includes an exponential that starts above this share of the rest of μ.
_SEEN = 1e-10
# A share of μ whose effect on a velocity is below rounding.
_UNFELT = 1e-17
_LINEAR = float(FrictionTableRule.linear)
_PCHIP = float(FrictionTableRule.pchip)
# Indices in the row of coefficients of (v − v_0)², after the last coefficient. They store the
# polynomial of the table at v_0: slope, 1/2 of the second and 1/6 of the third derivative.
_SLOPE = 50
_CURVE = 51
_TWIST = 52
_IS_OPEN = 53  # 1 while all coefficients of the speed after the first one are 0


@dataclass(frozen=True)
@numbered(MOST_KNOTS, "friction_table", "friction_table_speed", "friction_table_coefficient")
class FrictionParameters:
    """The declared parameters.

    A model's own list sets their order with `as_included`. Further parameters follow at its end.
    """

    friction_coefficient: float = quantity(
        0.1,
        minimum=0.0,
        description="Coefficient of friction in (fast) slip, μ_d",
        symbol="μ_d",
        aliases=("μ", "μ_k", "f", "COULOMB"),
        tunable=True,
    )
    friction_coefficient_static: float = quantity(
        -1.0,
        description="Coefficient of friction in stick, μ_s, at least the coefficient of slow slip",
        negative="equal to the coefficient of slow slip",
        symbol="μ_s",
        tunable=True,
    )
    friction_coefficient_slow: float = quantity(
        -1.0,
        description="Coefficient of friction in slow slip, μ_0. Needs friction_decay_velocity > 0",
        negative="equal to friction_coefficient",
        symbol="μ_0",
        tunable=True,
    )
    friction_decay_velocity: float = quantity(
        0.0,
        unit="m/s",
        minimum=0.0,
        nominal=0.1,
        description="Speed v_s over which the coefficient in slip decays from μ_0 to μ_d: μ_d + "
        "(μ_0 − μ_d) exp(−v/v_s). 0: the coefficient does not decay",
        symbol="v_s",
        tunable=True,
    )
    viscous_friction: float = quantity(
        0.0,
        unit="s/m",
        minimum=0.0,
        description="Increase of the coefficient in slip with speed: η in η v",
        symbol="η",
        tunable=True,
    )
    friction_table_rule: FrictionTableRule = quantity(
        FrictionTableRule.linear,
        description="Interpolation between the knots of the friction table",
        tunable=True,
    )
    friction_table_speed: float = quantity(
        0.0,
        unit="m/s",
        minimum=0.0,
        nominal=0.1,
        description="Speed of a knot, 0 at the first one, then ascending",
        tunable=True,
    )
    friction_table_coefficient: float = quantity(
        -1.0,
        description="Coefficient of friction at this speed, instead of the law of μ_d, μ_0, v_s "
        "and η",
        negative="no knot, the table has ended",
        tunable=True,
    )


@state_object
@with_columns(MOST_KNOTS, "friction_table_coefficient", "friction_table_speed")
class FrictionTable:
    """The knots as numbers. The other coefficients and the speeds [m/s] follow the first one."""

    friction_table_rule: float
    friction_table_coefficient_1: float


knot_speed = reading(FrictionTable, "friction_table_speed_1")
knot_coefficient = reading(FrictionTable, "friction_table_coefficient_1")
copy_table = copying(FrictionTable)


@state_object
class Friction(FrictionTable):
    """The parameters as numbers. The parameters of a model's contact begin with them.

    `complete_friction` replaces negative values by the values that they represent.
    """

    friction_coefficient: float  # μ_d
    friction_coefficient_static: float  # μ_s
    friction_coefficient_slow: float  # μ_0
    friction_decay_velocity: float  # m/s, v_s
    viscous_friction: float  # s/m, η
    constant_friction: float  # coefficient in slip, or −1 if it depends on the velocity
    holding_varies: float  # 1 if the velocity can raise the limit in stick, 0 otherwise
    unfelt_speed: float  # m/s, up to this speed μ equals its value at rest, to rounding
    knots: float  # number of knots, 0 without a table or if all coefficients are equal


def depends_on_speed(p: Friction) -> bool:
    """Whether μ depends on the speed, by the declared or by the completed values."""
    for index in range(1, knot_count(p)):
        if knot_coefficient(p, index) != knot_coefficient(p, 0):
            return True
    slow = p.friction_coefficient_slow
    return p.viscous_friction > 0.0 or (slow >= 0.0 and slow != p.friction_coefficient)


def knot_count(p: FrictionTable) -> int:
    """Number of knots of the table, by its declared numbers."""
    count = 0
    while count < MOST_KNOTS and knot_coefficient(p, count) >= 0.0:
        count += 1
    return count


def complete_friction(p: Friction, is_penalised: bool) -> None:
    """Replace negative coefficients: μ_0 by μ_d, and μ_s by μ_0.

    `is_penalised`: friction acts through a spring, so that the mass has a velocity in stick. A
    table replaces the whole μ(v): μ_d and μ_0 become 0, and μ_s is at least μ(0).
    """
    p.knots = 0.0
    largest = knot_coefficient(p, 0)
    if largest >= 0.0:
        p.friction_coefficient = largest
        p.friction_coefficient_slow = largest
        p.friction_coefficient_static = max(largest, p.friction_coefficient_static)
        if depends_on_speed(p):
            p.knots = float(knot_count(p))
            p.friction_coefficient = 0.0
            p.friction_coefficient_slow = 0.0
    if p.friction_coefficient_slow < 0.0:
        p.friction_coefficient_slow = p.friction_coefficient
    if p.friction_coefficient_static < 0.0:
        p.friction_coefficient_static = p.friction_coefficient_slow
    p.constant_friction = p.friction_coefficient
    p.unfelt_speed = 0.0
    slope = 0.0
    # The scale of μ is the first coefficient above 0. A far knot can have a much larger one.
    scale = largest
    if p.knots > 0.0:
        for index in range(int(p.knots) - 1):
            coefficient = knot_coefficient(p, index + 1)
            largest = max(largest, coefficient)
            scale = coefficient if scale == 0.0 else scale
            # A cubic is at most three times as steep as the line between its knots.
            slope = max(slope, 3.0 * abs(_secant(p, index)))
    elif depends_on_speed(p):
        slope = p.viscous_friction
        drop = abs(p.friction_coefficient_slow - p.friction_coefficient)
        if drop > 0.0:
            slope += drop / p.friction_decay_velocity
        largest = max(p.friction_coefficient, p.friction_coefficient_slow)
        scale = largest
    if slope > 0.0:
        p.constant_friction = -1.0
        p.unfelt_speed = _UNFELT * scale / slope
    p.holding_varies = 0.0
    if is_penalised and (
        p.viscous_friction > 0.0
        or max(largest, p.friction_coefficient) > p.friction_coefficient_static
    ):
        p.holding_varies = 1.0


def has_friction(p: Friction) -> bool:
    """Whether a contact has friction, in stick or in slip.

    With μ_d = 0 and η > 0 the law is μ = η v, which is not 0. `parameters.broken_contact_rule`
    rejects this law at a structure's contact, and the shock spring gives its contact a μ_s.
    """
    return p.friction_coefficient > 0.0 or p.friction_coefficient_static > 0.0 or p.knots > 0.0


def decay_rule(p: Friction, default: float) -> tuple[int, float, float]:
    """As `friction_rule`, for the law in slip only."""
    count = knot_count(p)
    for index in range(count, MOST_KNOTS):
        if knot_coefficient(p, index) >= 0.0 or knot_speed(p, index) != 0.0:
            return KNOT_BEHIND_END, knot_speed(p, index), knot_coefficient(p, index)
    kind = p.friction_table_rule
    if not (kind == _LINEAR or kind == _PCHIP):
        return UNKNOWN_TABLE_RULE, float(kind), 0.0
    decay = p.friction_decay_velocity
    if count == 0:
        if 0.0 < decay < SHORTEST_DECAY:
            return DECAY_TOO_SHORT, decay, SHORTEST_DECAY
        if p.friction_coefficient_slow >= 0.0 and decay == 0.0:
            return SLOW_WITHOUT_DECAY, p.friction_coefficient_slow, 0.0
        return 0, 0.0, 0.0
    if p.friction_coefficient != default:
        return TABLE_WITH_FAST, p.friction_coefficient, 0.0
    if p.friction_coefficient_slow >= 0.0 or decay > 0.0:
        return TABLE_WITH_SLOW, p.friction_coefficient_slow, decay
    if p.viscous_friction > 0.0:
        return TABLE_WITH_VISCOUS, p.viscous_friction, 0.0
    if knot_speed(p, 0) != 0.0:
        return TABLE_STARTS_LATE, knot_speed(p, 0), 0.0
    for index in range(1, count):
        before = knot_speed(p, index - 1)
        if not knot_speed(p, index) - before >= SHORTEST_DECAY * (1.0 - SAME_BOUND):
            return KNOTS_TOO_CLOSE, before, knot_speed(p, index)
    return 0, 0.0, 0.0


def friction_rule(p: Friction, default: float) -> tuple[int, float, float]:
    """Number of the rule that the declared values break, 0 if valid, and two values to show.

    `default` is the model's own value of μ_d.
    """
    rule, first, second = decay_rule(p, default)
    if rule != 0 or knot_count(p) > 0:
        return rule, first, second
    static = p.friction_coefficient_static
    if p.friction_coefficient_slow < 0.0:
        if 0.0 <= static < p.friction_coefficient:
            return STATIC_BELOW_DYNAMIC, static, p.friction_coefficient
    elif 0.0 <= static < p.friction_coefficient_slow:
        return STATIC_BELOW_SLOW, static, p.friction_coefficient_slow
    return 0, 0.0, 0.0


def sliding_friction(p: Friction, velocity: float) -> float:
    """Coefficient μ in slip for a `velocity` [m/s] of the point along the obstacle."""
    if p.constant_friction >= 0.0:
        return p.constant_friction
    speed = abs(velocity)
    if p.knots > 0.0:
        value, _, _, _ = _piece_at(p, _piece_of(p, speed), speed)
        return value
    slow = p.friction_coefficient_slow
    friction = slow + p.viscous_friction * speed
    if p.friction_decay_velocity > 0.0:
        # In this form the result is exactly μ_0 at rest.
        decayed = 1.0 - exp(-speed / p.friction_decay_velocity)
        friction -= (slow - p.friction_coefficient) * decayed
    return friction


def linear_friction(p: Friction) -> tuple[float, float]:
    """μ_0 and η [s/m] if μ(v) = μ_0 + η v. Otherwise η = −1."""
    slow = p.friction_coefficient_slow
    if slow == p.friction_coefficient and p.knots == 0.0:
        return slow, p.viscous_friction
    return slow, -1.0


def friction_terms(
    p: Friction, facing: float, velocity: float
) -> tuple[float, float, float, float, float]:
    """First terms of a slip's series: the terms of μ at u̇ = `velocity`, v = `facing`·u̇.

    Returns `facing`·η [s/m], μ_0 − μ_d, the value e of the decaying function, dμ/du̇ [s/m],
    and an exponent [s/m]. If e = exp(exponent · u̇), the exponent is −`facing`/v_s. With a table the
    exponent is 0, e is the whole μ, and `decaying_term` computes the coefficients.
    """
    if p.knots > 0.0:
        speed = facing * velocity
        value, slope, _, _ = _piece_at(p, _piece_of(p, speed), speed)
        return 0.0, 1.0, value, facing * slope, 0.0
    drop = p.friction_coefficient_slow - p.friction_coefficient
    viscous = p.viscous_friction * facing
    if drop == 0.0:
        return viscous, 0.0, 0.0, viscous, 0.0
    exponent = -facing / p.friction_decay_velocity
    decaying = exp(exponent * velocity)
    return viscous, drop, decaying, viscous + exponent * drop * decaying, exponent


def decaying_term(
    p: Friction, facing: float, velocities: list[float], exponentials: list[float], order: int
) -> float:
    """Coefficient of the given order of e^(−v/v_s), v = facing·u̇, stored for later orders.

    With a table it is the coefficient of μ, of order 1 or more.
    """
    if p.knots > 0.0:
        return _table_term(p, facing, velocities, exponentials, order)
    term = exponential_term(velocities, -facing / p.friction_decay_velocity, exponentials, order)
    exponentials[order] = term
    return term


def _secant(p: FrictionTable, index: int) -> float:
    """Slope [s/m] of the line between the knots `index` and `index` + 1."""
    rise = knot_coefficient(p, index + 1) - knot_coefficient(p, index)
    return rise / (knot_speed(p, index + 1) - knot_speed(p, index))


def _knot_slope(p: Friction, index: int) -> float:
    """Slope [s/m] of the monotone cubics at a knot, for three knots or more."""
    last = int(p.knots) - 1
    if 0 < index < last:
        before = _secant(p, index - 1)
        behind = _secant(p, index)
        if before * behind <= 0.0:
            return 0.0
        width = knot_speed(p, index) - knot_speed(p, index - 1)
        next_width = knot_speed(p, index + 1) - knot_speed(p, index)
        first = 2.0 * next_width + width
        second = next_width + 2.0 * width
        return (first + second) / (first / before + second / behind)
    # The slope at an end belongs to the parabola through three knots, limited by the last secant.
    end = 0
    inner = 1
    if index > 0:
        end = last - 1
        inner = last - 2
    secant = _secant(p, end)
    width = knot_speed(p, end + 1) - knot_speed(p, end)
    next_width = knot_speed(p, inner + 1) - knot_speed(p, inner)
    slope = ((2.0 * width + next_width) * secant - width * _secant(p, inner)) / (width + next_width)
    if slope * secant <= 0.0:
        return 0.0
    if secant * _secant(p, inner) < 0.0 and abs(slope) > 3.0 * abs(secant):
        return 3.0 * secant
    return slope


def _piece_of(p: Friction, speed: float) -> int:
    """Index of the last knot whose speed is at most `speed` ≥ 0 [m/s]."""
    index = 0
    last = int(p.knots) - 1
    while index < last and knot_speed(p, index + 1) <= speed:
        index += 1
    return index


def _piece_at(p: Friction, index: int, speed: float) -> tuple[float, float, float, float]:
    """μ, dμ/dv, 1/2 of the second and 1/6 of the third derivative at `speed`, after `index`."""
    value = knot_coefficient(p, index)
    if index + 1.0 >= p.knots:
        return value, 0.0, 0.0, 0.0
    secant = _secant(p, index)
    along = speed - knot_speed(p, index)
    if p.friction_table_rule == _LINEAR or p.knots < 3.0:
        return value + secant * along, secant, 0.0, 0.0
    width = knot_speed(p, index + 1) - knot_speed(p, index)
    slope = _knot_slope(p, index)
    end = _knot_slope(p, index + 1)
    curve = (3.0 * secant - 2.0 * slope - end) / width
    twist = (slope + end - 2.0 * secant) / (width * width)
    value += along * (slope + along * (curve + along * twist))
    slope += along * (2.0 * curve + along * 3.0 * twist)
    return value, slope, curve + 3.0 * twist * along, twist


def _piece_ahead(p: Friction, facing: float, velocities: list[float], count: int) -> int:
    """Index of the knot before the piece of the table that the speed v = facing·u̇ is entering."""
    speed = facing * velocities[0]
    index = _piece_of(p, speed)
    if index > 0 and speed == knot_speed(p, index):
        for j in range(1, count):
            if velocities[j] != 0.0:
                return index - 1 if facing * velocities[j] < 0.0 else index
    return index


def _table_term(
    p: Friction, facing: float, velocities: list[float], squares: list[float], order: int
) -> float:
    """Coefficient of the given order of a table's μ(v), v = facing·u̇.

    μ = μ(v_0) + a d + b d² + c d³ with d = v − v_0. The coefficients of d² are stored.
    """
    if order == 0:
        return sliding_friction(p, facing * velocities[0])
    if order == 1 or squares[_IS_OPEN] != 0.0:
        squares[0] = 0.0
        squares[_IS_OPEN] = 0.0 if velocities[order] != 0.0 else 1.0
        index = _piece_ahead(p, facing, velocities, order + 1)
        _, slope, curve, twist = _piece_at(p, index, facing * velocities[0])
        squares[_SLOPE] = facing * slope
        squares[_CURVE] = curve
        squares[_TWIST] = facing * twist
    term = squares[_SLOPE] * velocities[order]
    if p.friction_table_rule == _LINEAR:
        return term
    square = product_term(velocities, order, velocities, order, order)
    squares[order] = square
    cube = product_term(velocities, order, squares, order, order)
    return term + squares[_CURVE] * square + squares[_TWIST] * cube


def is_cubic(p: Friction) -> bool:
    """Whether μ is a cubic of the speed v between knots.

    At a knot v_0 it can be μ_0 + d (v − v_0)³. Then two of three coefficients in series of v and μ
    vanish, and the cubic begins at order 6 if v − v_0 begins at order 2.
    """
    return p.knots > 2.0 and p.friction_table_rule != _LINEAR


def knot_exit(
    p: Friction,
    facing: float,
    velocities: list[float],
    count: int,
    guard: list[float],
    scratch: list[float],
) -> float:
    """Time in [0, 1] when the speed v = facing·u̇ of a series leaves its piece of the table."""
    index = _piece_ahead(p, facing, velocities, count)
    earliest = NEVER
    for side in range(2):
        knot = index + side
        if 0 < knot < p.knots:
            outward = facing * (2.0 * side - 1.0)
            for j in range(count):
                guard[j] = -outward * velocities[j]
            guard[0] += (2.0 * side - 1.0) * knot_speed(p, knot)
            earliest = min(earliest, first_exit(guard, count, scratch))
    return earliest


def nearest_knot(p: Friction, speed: float) -> int:
    """Index of the knot that is nearest to a speed [m/s], 0 at rest and without a table."""
    if p.knots == 0.0:
        return 0
    index = _piece_of(p, speed)
    if index + 1.0 < p.knots:
        middle = 0.5 * (knot_speed(p, index) + knot_speed(p, index + 1))
        if speed > middle:
            return index + 1
    return index


def turning_velocity(p: Friction, velocity: float) -> float:
    """Velocity [m/s] nearest to `velocity` at which the law takes another form."""
    speed = 0.0
    if p.knots > 0.0:
        knot = nearest_knot(p, abs(velocity))
        speed = knot_speed(p, knot)
    return -speed if velocity < 0.0 else speed


def friction_slope(p: Friction, velocity: float, speeding: float) -> float:
    """dμ/d|u̇| [s/m] at u̇ = `velocity` [m/s], negative if friction weakens with speed.

    `speeding` is the rate of the speed. At a knot of a table, its sign selects the side.
    """
    if p.knots > 0.0:
        speed = abs(velocity)
        index = _piece_of(p, speed)
        if index > 0 and speeding < 0.0 and speed == knot_speed(p, index):
            index -= 1
        _, slope, _, _ = _piece_at(p, index, speed)
        return slope
    slope = p.viscous_friction
    decay = p.friction_decay_velocity
    if decay > 0.0:
        drop = p.friction_coefficient_slow - p.friction_coefficient
        slope -= drop / decay * exp(-abs(velocity) / decay)
    return slope


def coefficient_term(
    p: Friction, facing: float, velocities: list[float], exponentials: list[float], order: int
) -> float:
    """Coefficient of the given order of μ(v), v = facing·u̇. See `decaying_term`."""
    if p.constant_friction >= 0.0:
        return p.constant_friction if order == 0 else 0.0
    if p.knots > 0.0:
        return _table_term(p, facing, velocities, exponentials, order)
    term = p.viscous_friction * facing * velocities[order]
    if p.friction_decay_velocity > 0.0:
        decaying = decaying_term(p, facing, velocities, exponentials, order)
        term += (p.friction_coefficient_slow - p.friction_coefficient) * decaying
    if order == 0:
        term += p.friction_coefficient
    return term


def holding_bound(p: Friction, normal_force: float) -> float:
    """Friction force [N] up to which stick is possible at any velocity, μ_s F_N."""
    return p.friction_coefficient_static * normal_force


def holding_coefficient(p: Friction, velocity: float) -> float:
    """Coefficient of the limit in stick, if the point moves with `velocity` [m/s]."""
    if p.holding_varies == 0.0:
        return p.friction_coefficient_static
    return max(p.friction_coefficient_static, sliding_friction(p, velocity))


def take_speed(p: Friction, speed: float) -> None:
    """Replace penalised friction by its value at a constant speed [m/s] ≥ 0, and complete it."""
    holding = holding_coefficient(p, speed)
    sliding = sliding_friction(p, speed)
    p.friction_coefficient = sliding
    p.friction_coefficient_slow = sliding
    p.friction_coefficient_static = holding
    p.viscous_friction = 0.0
    p.friction_table_coefficient_1 = -1.0
    complete_friction(p, True)


def holds(p: Friction, velocity: float, friction: float, normal_force: float) -> bool:
    """Whether the friction force [N] is within the limit of stick at u̇ = `velocity` [m/s]."""
    return abs(friction) <= holding_coefficient(p, velocity) * normal_force


def holds_by_speed(p: Friction, velocity: float, acceleration: float) -> bool:
    """Whether in stick μ(|u̇|), not μ_s, bounds the friction force from this instant on.

    `velocity` is u̇ [m/s]. If both coefficients are equal, the sign of `acceleration` ü decides.
    """
    if p.holding_varies == 0.0:
        return False
    static = p.friction_coefficient_static
    excess = sliding_friction(p, velocity) - static
    if abs(excess) > SAME_BOUND * static:
        return excess > 0.0
    speeding = acceleration if velocity > 0.0 else -acceleration
    if velocity == 0.0:
        speeding = abs(acceleration)
    return friction_slope(p, velocity, speeding) * speeding > 0.0


def holds_by_either(p: Friction, fastest: float) -> bool:
    """Whether μ_s and μ(|u̇|) are equal, to rounding, for all speeds up to `fastest` [m/s]."""
    if p.knots > 0.0 and not fastest < knot_speed(p, 1):
        return False
    static = p.friction_coefficient_static
    excess = max(abs(sliding_friction(p, 0.0) - static), abs(sliding_friction(p, fastest) - static))
    return excess <= SAME_BOUND * static


def keeps_force(p: Friction, velocity: float) -> bool:
    """Whether F_T is continuous at a change between stick and slip at u̇ = `velocity`."""
    return sliding_friction(p, velocity) >= p.friction_coefficient_static


def overlooks_decay(
    p: Friction, facing: float, plain: float, velocities: list[float], count: int
) -> bool:
    """Whether a series possibly ended before its e^(−v/v_s), v = facing·u̇, became significant.

    Far above v_s, the exponential and its first terms are below the rounding of `plain`, the rest
    of μ. Later terms can still be large. With a = exponent·u̇ the coefficients satisfy

        j |e_j| ≤ Σ_{i≥1} i |a_i| · max(|e_0| … |e_{j−1}|)

    Therefore they decrease as soon as j exceeds that sum, which also limits their growth.
    """
    drop = p.friction_coefficient_slow - p.friction_coefficient
    if drop == 0.0:
        return False
    exponent = -facing / p.friction_decay_velocity
    if abs(drop) * exp(min(0.0, exponent * velocities[0])) > _SEEN * plain:
        return False
    reach = 0.0
    for j in range(1, count):
        reach += j * abs(velocities[j])
    reach *= abs(exponent)
    if 2.0 * reach <= count:
        return False
    return abs(drop) * exp(min(0.0, exponent * velocities[0] + reach)) > _UNFELT * plain


def rub_impact(
    p: Friction,
    mass: float,
    speed: float,
    impulse: float,
    velocities: list[float],
    coefficients: list[float],
    exponentials: list[float],
    scratch: list[float],
) -> tuple[float, float]:
    """Speed [m/s] after an impact at `speed` ≥ 0, and the wear work ∫ |u̇| dP [J] of the impact.

    `impulse` is the normal impulse P [N.s]. If μ is constant, the wear work is
    P_s (|u̇⁻| + |u̇⁺|)/2 with P_s = min(P, m |u̇⁻|/μ). Otherwise the impact is computed as a slip
    of duration P under a contact force of 1.
    """
    if p.constant_friction >= 0.0:
        friction = p.constant_friction
        after = max(0.0, speed - friction * impulse / mass)
        sliding_impulse = impulse
        if friction > 0.0:
            sliding_impulse = min(impulse, mass * speed / friction)
        return after, sliding_impulse * 0.5 * (speed + after)
    wear = 0.0
    left = impulse
    length = impulse
    while left > 0.0 and speed > 0.0:
        length = min(length, left)
        velocities[0] = speed
        largest = speed
        count = 1
        is_short = False
        for j in range(SERIES_LENGTH - 1):
            coefficients[j] = coefficient_term(p, 1.0, velocities, exponentials, j)
            velocities[j + 1] = -length / mass * coefficients[j] / (j + 1)
            largest = max(largest, abs(velocities[j + 1]))
            count = j + 2
            last = abs(velocities[j + 1]) + abs(velocities[j])
            if is_cubic(p):
                last += abs(velocities[max(1, j - 1)])
            if j > 0 and last <= NEGLIGIBLE * largest:
                is_short = True
                break
        tested = count - 1 if is_cubic(p) else count
        if not is_short and length > SHORTEST * impulse and not ends(velocities, tested, largest):
            length *= shortening(velocities, count, largest)
            continue
        plain = p.friction_coefficient + p.viscous_friction * speed
        if length > SHORTEST * impulse and overlooks_decay(p, 1.0, plain, velocities, count):
            length *= 0.5
            continue
        position = first_exit(velocities, count, scratch)
        knot = NEVER
        if p.knots > 0.0:
            knot = knot_exit(p, 1.0, velocities, count, coefficients, scratch)
        end = max(0.0, min(position, knot, 1.0))
        way = 0.0
        for j in range(count - 1, -1, -1):
            way = way * end + velocities[j] / (j + 1)
        wear += length * end * way
        if position < NEVER and position <= knot:
            return 0.0, wear
        speed = evaluate(velocities, count, end)
        if knot < NEVER:
            speed = turning_velocity(p, speed)
        left -= length * end
        length *= 1.5
    return max(0.0, speed), wear


def jump_to_cone(
    stretch: float, radius: float, normal_force: float, fall: float
) -> tuple[float, float]:
    """Sudden displacement x [m] of an anchor from `stretch` to the cone, and its wear work [J].

    `radius` is the stretch on the cone under `normal_force` before the displacement. With wear
    feedback, F_N decreases with the wear work at the rate K_N β = `fall` [1/m]. Therefore x is the
    root of `stretch` − x = `radius` e^(−fall x).
    """
    way = stretch - radius
    if fall == 0.0 or way == 0.0:
        return way, normal_force * way
    if radius * fall * exp(-fall * way) >= 1.0:
        # The force falls faster than the stretch there. Their difference is concave, so Newton's
        # method converges to its only root above 0 from beyond it.
        way = stretch
    for _ in range(50):
        left = exp(-fall * way)
        error = stretch - way - radius * left
        way += error / (1.0 - radius * left * fall)
        if abs(error) <= 1e-16 * stretch:
            break
    # ∫ F_N without cancellation.
    return way, normal_force * -expm1(-fall * way) / fall
