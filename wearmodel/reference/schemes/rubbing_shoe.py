"""The rubbing shoe of SDND104 (V5.01.104), section 1, as the classical schemes integrate it.

    m ẍ = F_T(x, v) − k x − m A(t),   A(t) = a₀ sin 2πt

x is the displacement relative to the support. The constant normal force m g comes from a contact
spring of 20 N/m with a constant penetration of 0.5 m. The weak spring k belongs to the
finite-element model only. The recorded runs read the sine from a table of 240 000 intervals of
5e-5 s.

Friction sticks on a spring K_T and damper C_T about an anchor, or opposes the *velocity* (there is
no radial return). The law remembers: every evaluation may change its state, the stages of a
Runge-Kutta step included, and only a rejected step restores the old state. The FMU uses another
law.

Source: code_aster documentation of the transient operator on a modal basis, law DIS_CHOC, as
exercised by SDND104.
"""

from __future__ import annotations

import math
from array import array

from ...quantities import require_finite
from ...statistics import ShockRecord, StatisticsSettings, shock_statistics
from .march import MACHINE_EPSILON, Memory, Problem, SchemeRecord

MASS = 1.0  #: m [kg].
GRAVITY = 10.0  #: g [m/s2].
FRICTION_COEFFICIENT = 0.1  #: μ, static and dynamic.
NORMAL_FORCE = 20.0 * 0.5  #: F_N [N].
SLIP_FORCE = FRICTION_COEFFICIENT * NORMAL_FORCE  #: μ F_N [N].
STIFFNESS = 3e-5  #: k [N/m].
#: K_T [N/m]. The document prints 9e5, but the recorded errors match 9e6.
TANGENTIAL_STIFFNESS = 9e6
#: C_T [N.s/m], critical. The document does not mention it.
TANGENTIAL_DAMPING = 2.0 * math.sqrt(MASS * (STIFFNESS + TANGENTIAL_STIFFNESS))
ANGULAR_FREQUENCY = 2.0 * math.pi  #: ω of the support [rad/s]: a period of 1 s.

# Window of the mean wear power, and end of the runs [s].
WINDOW_START = 4.0
WINDOW_END = 12.0

#: Speed above which a slipping contact continues to slip [m/s], as in the operator.
SLIP_VELOCITY_THRESHOLD = 1e-6

_TABLE_INTERVAL = 5e-5
_TABLE_INTERVALS = 240_000


def rubbing_shoe(amplitude: float, *, tabulated: bool = False) -> Problem:
    """Return the shoe under a₀ = `amplitude` [m/s2], exact or from the table of the recorded runs.

    ValueError if the amplitude is not finite.
    """
    require_finite("amplitude", amplitude, "m/s2")
    table = array("d")
    if tabulated:
        instants = (place * _TABLE_INTERVAL for place in range(_TABLE_INTERVALS + 1))
        table.extend(amplitude * math.sin(ANGULAR_FREQUENCY * instant) for instant in instants)

    def response(time: float, x: float, v: float, memory: Memory) -> tuple[float, Memory]:
        force, memory = friction(x, v, memory)
        if table:
            # Rounding may move the last instant just past the table's end.
            place = min(int(time / _TABLE_INTERVAL), _TABLE_INTERVALS - 1)
            fraction = (time - place * _TABLE_INTERVAL) / _TABLE_INTERVAL
            acceleration = table[place] + (table[place + 1] - table[place]) * fraction
        else:
            acceleration = amplitude * math.sin(ANGULAR_FREQUENCY * time)
        return (force - STIFFNESS * x) / MASS - acceleration, memory

    return Problem(response)


def friction(x: float, v: float, memory: Memory) -> tuple[float, Memory]:
    """Return the friction force F_T on the mass [N] at x [m] and v [m/s], and the new memory.

    The memory contains s, whether the last evaluation found stick, f*, the friction force where
    stick began or the last slip force [N], x*, the displacement there [m], and v*, the velocity of
    the last evaluation [m/s].

    1. If v v* ≥ 0, s = 0 and |v| > 1e-6 m/s, slip: F_T = −μ F_N v/|v|, f* = F_T, x* = x.
    2. Otherwise try stick: F_T = f* − K_T (x − x*) − C_T v, s = 1. If |F_T| > μ F_N, slip: s = 0,
       F_T = −μ F_N v/|v| (0 if |v| is below machine epsilon), f* = F_T, x* = x.
    3. v* = v.
    """
    is_sticking, anchor_force, anchor, previous = memory
    if is_sticking or v * previous < 0.0 or abs(v) <= SLIP_VELOCITY_THRESHOLD:
        force = anchor_force - TANGENTIAL_STIFFNESS * (x - anchor) - TANGENTIAL_DAMPING * v
        if abs(force) <= SLIP_FORCE:
            return force, (True, anchor_force, anchor, v)
    force = -math.copysign(SLIP_FORCE, v) if abs(v) > MACHINE_EPSILON else 0.0
    return force, (False, force, x, v)


def mean_wear_power(
    record: SchemeRecord, *, start: float = WINDOW_START, end: float = WINDOW_END, blocks: int = 1
) -> float:
    """Return PUIS_USURE, the mean of F_N |v| over the intervals that start in slip [W].

    The window from `start` to `end` [s] is cut to the record and split into `blocks` of equal
    sample count. The intervals between blocks are not integrated: the recorded values show that
    with 8 blocks of 10 000 samples 7 intervals are lost. An empty window raises ValueError.
    """
    samples = ShockRecord(
        time=record.time,
        normal_force=record.time * 0.0 + NORMAL_FORCE,
        tangential_velocity_1=record.velocity,
        stick=record.sticking,
    )
    settings = StatisticsSettings(
        window_start=start, window_end=end, block_count=blocks, reading="sampled"
    )
    usure = shock_statistics(samples, settings, impact=False).usure
    assert usure is not None  # enabled by default
    return usure.wear_power
