"""From declared parameter values to the kernel's parameters and to the state of the start.

A row of declared values holds the fields of `parameters.FrictionalShockParameters` in
their order, enumerations and truth values as numbers, each checked for itself. Here are the rules
between them and what follows from them, so that every form of the model has one source for both.
"""

from __future__ import annotations

from math import sqrt

from .layout import (
    ARCHARD_COEFFICIENT,
    CONTACT_DAMPING,
    CONTACT_STIFFNESS,
    DAMPING,
    DISPLACEMENT,
    FRICTION_DYNAMIC,
    FRICTION_STATIC,
    INITIAL_GAP,
    MASS,
    NORMAL_DAMPING,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_STIFFNESS,
    NORMAL_VELOCITY,
    PENALTY,
    PLANE_DISTANCE,
    PRESCRIBED,
    RESTITUTION,
    RIGID_CONTACT,
    STIFFNESS,
    TANGENTIAL_DAMPING,
    TANGENTIAL_LAW,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
    WEAR_AREA,
)
from .setup import complete_parameters, equilibrium

# Places in a row of declared values.
DECLARED_MASS = 0
DECLARED_GRAVITY = 1
DECLARED_FRICTION = 2
DECLARED_STATIC_FRICTION = 3
DECLARED_STIFFNESS = 4
DECLARED_DAMPING = 5
DECLARED_NORMAL_STIFFNESS = 6
DECLARED_NORMAL_DAMPING = 7
DECLARED_PRELOAD = 8
DECLARED_GAP = 9
DECLARED_NORMAL_LAW = 10
DECLARED_TANGENTIAL_LAW = 11
DECLARED_OBSTACLE = 12
DECLARED_HALF_SPACING = 13
DECLARED_CONTACT_STIFFNESS = 14
DECLARED_CONTACT_DAMPING = 15
DECLARED_TANGENTIAL_STIFFNESS = 16
DECLARED_TANGENTIAL_DAMPING = 17
DECLARED_RESTITUTION = 18
DECLARED_ARCHARD_COEFFICIENT = 19
DECLARED_WEAR_AREA = 20
DECLARED_DISPLACEMENT = 21
DECLARED_VELOCITY = 22
DECLARED_NORMAL_DISPLACEMENT = 23
DECLARED_NORMAL_VELOCITY = 24
DECLARED_EQUILIBRIUM = 25
DECLARED_ORDER = 26
DECLARED_COUNT = 27

# Rules between values; the texts are in `wearmodel.kernel.parameters.RULES`.
NO_RULE = 0
STATIC_BELOW_DYNAMIC = 1
GAP_WHERE_PRESCRIBED = 2
GAP_BELOW_ZERO = 3
GAP_TOO_WIDE = 4
START_BELOW_ZERO = 5
START_TOO_WIDE = 6
EQUILIBRIUM_WITHOUT_PENALTY = 7
EQUILIBRIUM_WITH_A_START = 8


def broken_rule(declared: list[float]) -> tuple[int, float, float]:
    """Number of the first rule that the values break and the two values its text shows."""
    static = declared[DECLARED_STATIC_FRICTION]
    dynamic = declared[DECLARED_FRICTION]
    law = declared[DECLARED_NORMAL_LAW]
    gap = declared[DECLARED_GAP]
    position = declared[DECLARED_NORMAL_DISPLACEMENT]
    velocity = declared[DECLARED_NORMAL_VELOCITY]
    if 0.0 <= static < dynamic:
        return STATIC_BELOW_DYNAMIC, static, dynamic
    if law == PRESCRIBED and gap != 0.0:
        return GAP_WHERE_PRESCRIBED, gap, 0.0
    if law == RIGID_CONTACT:
        widest = 2.0 * declared[DECLARED_HALF_SPACING]
        start = gap + position
        if gap < 0.0:
            return GAP_BELOW_ZERO, gap, 0.0
        if declared[DECLARED_OBSTACLE] != 0.0 and gap > widest:
            return GAP_TOO_WIDE, gap, widest
        if start < 0.0:
            return START_BELOW_ZERO, start, 0.0
        if declared[DECLARED_OBSTACLE] != 0.0 and start > widest:
            return START_TOO_WIDE, start, widest
    if declared[DECLARED_EQUILIBRIUM] != 0.0:
        if law != PENALTY:
            return EQUILIBRIUM_WITHOUT_PENALTY, 0.0, 0.0
        if position != 0.0 or velocity != 0.0:
            return EQUILIBRIUM_WITH_A_START, position, velocity
    return NO_RULE, 0.0, 0.0


def fill_parameters(declared: list[float], parameters: list[float]) -> None:
    """Write the kernel's parameters.

    A negative μ_s is μ_d, a negative C_T the critical damping 2√(m (k + K_T)).
    """
    mass = declared[DECLARED_MASS]
    stiffness = declared[DECLARED_STIFFNESS]
    tangential_stiffness = declared[DECLARED_TANGENTIAL_STIFFNESS]
    parameters[MASS] = mass
    parameters[STIFFNESS] = stiffness
    parameters[DAMPING] = declared[DECLARED_DAMPING]
    parameters[NORMAL_STIFFNESS] = declared[DECLARED_NORMAL_STIFFNESS]
    parameters[NORMAL_DAMPING] = declared[DECLARED_NORMAL_DAMPING]
    parameters[INITIAL_GAP] = declared[DECLARED_GAP]
    parameters[PLANE_DISTANCE] = 0.0
    if declared[DECLARED_OBSTACLE] != 0.0:
        parameters[PLANE_DISTANCE] = 2.0 * declared[DECLARED_HALF_SPACING]
    parameters[FRICTION_STATIC] = declared[DECLARED_STATIC_FRICTION]
    if declared[DECLARED_STATIC_FRICTION] < 0.0:
        parameters[FRICTION_STATIC] = declared[DECLARED_FRICTION]
    parameters[FRICTION_DYNAMIC] = declared[DECLARED_FRICTION]
    parameters[NORMAL_LAW] = declared[DECLARED_NORMAL_LAW]
    parameters[TANGENTIAL_LAW] = declared[DECLARED_TANGENTIAL_LAW]
    parameters[CONTACT_STIFFNESS] = declared[DECLARED_CONTACT_STIFFNESS]
    parameters[CONTACT_DAMPING] = declared[DECLARED_CONTACT_DAMPING]
    parameters[TANGENTIAL_STIFFNESS] = tangential_stiffness
    parameters[TANGENTIAL_DAMPING] = declared[DECLARED_TANGENTIAL_DAMPING]
    if declared[DECLARED_TANGENTIAL_DAMPING] < 0.0:
        parameters[TANGENTIAL_DAMPING] = 2.0 * sqrt(mass * (stiffness + tangential_stiffness))
    parameters[RESTITUTION] = declared[DECLARED_RESTITUTION]
    parameters[ARCHARD_COEFFICIENT] = declared[DECLARED_ARCHARD_COEFFICIENT]
    parameters[WEAR_AREA] = declared[DECLARED_WEAR_AREA]
    complete_parameters(parameters)


def weight(declared: list[float]) -> float:
    """The part of f_n [N] that no input changes: −m g − preload."""
    return -declared[DECLARED_MASS] * declared[DECLARED_GRAVITY] - declared[DECLARED_PRELOAD]


def forcings(
    mass: float,
    constant: float,
    base_acceleration: float,
    base_acceleration_normal: float,
    tangential_load: float,
    normal_load: float,
) -> tuple[float, float]:
    """f_t = P_t − m A_t and f_n = constant − m A_n − P_n [N].

    `constant` is `weight`, or 0 where the inputs are coefficients of t, t², …
    """
    tangential = tangential_load - mass * base_acceleration
    normal = constant - mass * base_acceleration_normal - normal_load
    return tangential, normal


def place(
    declared: list[float], parameters: list[float], state: list[float], normal_forcing: float
) -> bool:
    """Put positions and velocities of the start into the state; False: no equilibrium to start in.

    `setup.start` then sets the mode.
    """
    state[DISPLACEMENT] = declared[DECLARED_DISPLACEMENT]
    state[VELOCITY] = declared[DECLARED_VELOCITY]
    state[NORMAL_DISPLACEMENT] = declared[DECLARED_NORMAL_DISPLACEMENT]
    state[NORMAL_VELOCITY] = declared[DECLARED_NORMAL_VELOCITY]
    if declared[DECLARED_EQUILIBRIUM] != 0.0:
        held, position = equilibrium(parameters, normal_forcing)
        if not held:
            return False
        state[NORMAL_DISPLACEMENT] = position
    return True
