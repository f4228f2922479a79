"""Outputs that follow from a state and from the forcings at its instant."""

from __future__ import annotations

from .layout import (
    ARCHARD_COEFFICIENT,
    CONTACT,
    DAMPING,
    DISPLACEMENT,
    FRICTION_DYNAMIC,
    FRICTION_WORK,
    IMPULSE,
    MASS,
    NORMAL_DAMPING,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_STIFFNESS,
    NORMAL_VELOCITY,
    PEAK_FORCE,
    PENALISED_FRICTION,
    PENALTY,
    PRESCRIBED,
    SHOCK_COUNT,
    SLIDING,
    SLIDING_DISTANCE,
    SLIP_COUNT,
    STIFFNESS,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_LAW,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
    WEAR_AREA,
    WEAR_WORK,
)
from .normal import gap_to, nearest_plane, penalty_force

# Outputs, in the order in which `measure` writes them.
NORMAL_FORCE = 0
FRICTION_FORCE = 1
SLIP_VELOCITY = 2
RELATIVE_VELOCITY = 3
WEAR_POWER = 4
FRICTION_POWER = 5
TOTAL_WEAR_WORK = 6
TOTAL_FRICTION_WORK = 7
WORN_VOLUME = 8
WEAR_DEPTH = 9
TOTAL_SLIDING_DISTANCE = 10
RELATIVE_DISPLACEMENT = 11
GAP = 12
GAP_VELOCITY = 13
CONTACT_MODE = 14
SHOCKS = 15
SLIPS = 16
PEAK_NORMAL_FORCE = 17
IMPACT_IMPULSE = 18
SUPPORT_FORCE_TANGENTIAL = 19
SUPPORT_FORCE_NORMAL = 20
ABSOLUTE_ACCELERATION = 21
OUTPUT_COUNT = 22

FLIGHT = 0.0
STICK = 1.0
SLIP = 2.0


def contact_force(parameters: list[float], state: list[float], normal_forcing: float) -> float:
    """F_N [N] ≥ 0 in the present mode."""
    plane = state[CONTACT]
    if plane == 0.0:
        return 0.0
    law = parameters[NORMAL_LAW]
    force = -plane * normal_forcing
    if law == PENALTY:
        gap = gap_to(parameters, plane, state[NORMAL_DISPLACEMENT])
        force = penalty_force(parameters, gap, plane * state[NORMAL_VELOCITY])
    elif law != PRESCRIBED:
        force += plane * parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]
    return max(0.0, force)


def friction_force(
    parameters: list[float], state: list[float], normal_force: float, tangential_forcing: float
) -> float:
    """F_T [N] on the mass in the present mode."""
    if state[CONTACT] == 0.0:
        return 0.0
    if state[SLIDING] != 0.0:
        return -state[SLIDING] * parameters[FRICTION_DYNAMIC] * normal_force
    if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
        return (
            -parameters[TANGENTIAL_STIFFNESS] * state[STRETCH]
            - parameters[TANGENTIAL_DAMPING] * state[VELOCITY]
        )
    return parameters[STIFFNESS] * state[DISPLACEMENT] - tangential_forcing


def _stretch_rate(
    parameters: list[float],
    state: list[float],
    force: float,
    normal_forcing: float,
    normal_forcing_rate: float,
) -> float:
    """ė [m/s] in penalised slip; without damper it follows the rate of the contact force."""
    signed_friction = state[SLIDING] * parameters[FRICTION_DYNAMIC]
    stiffness = parameters[TANGENTIAL_STIFFNESS]
    damping = parameters[TANGENTIAL_DAMPING]
    if damping > 0.0:
        return (signed_friction * force - stiffness * state[STRETCH]) / damping
    plane = state[CONTACT]
    rate = -plane * normal_forcing_rate
    if parameters[NORMAL_LAW] == PENALTY:
        gap_acceleration = (
            plane
            * (
                normal_forcing
                - parameters[NORMAL_DAMPING] * state[NORMAL_VELOCITY]
                - parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]
                + plane * force
            )
            / parameters[MASS]
        )
        rate = penalty_force(parameters, plane * state[NORMAL_VELOCITY], gap_acceleration)
    return signed_friction * rate / stiffness


def measure(
    parameters: list[float],
    state: list[float],
    tangential_forcing: float,
    tangential_load: float,
    normal_forcing: float,
    normal_forcing_rate: float,
    outputs: list[float],
) -> None:
    """Write the outputs that belong to a state and to the forcings [N, N/s] at its instant."""
    plane = state[CONTACT]
    sliding = state[SLIDING]
    velocity = state[VELOCITY]
    force = contact_force(parameters, state, normal_forcing)
    friction = friction_force(parameters, state, force, tangential_forcing)
    slip_velocity = 0.0
    mode = FLIGHT
    if plane != 0.0:
        mode = STICK
        if sliding != 0.0:
            mode = SLIP
            slip_velocity = velocity
            if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
                slip_velocity -= _stretch_rate(
                    parameters, state, force, normal_forcing, normal_forcing_rate
                )
    wear_power = force * abs(slip_velocity)
    outputs[NORMAL_FORCE] = force
    outputs[FRICTION_FORCE] = friction
    outputs[SLIP_VELOCITY] = slip_velocity
    outputs[RELATIVE_VELOCITY] = velocity
    outputs[WEAR_POWER] = wear_power
    outputs[FRICTION_POWER] = parameters[FRICTION_DYNAMIC] * wear_power
    outputs[TOTAL_WEAR_WORK] = state[WEAR_WORK]
    outputs[TOTAL_FRICTION_WORK] = state[FRICTION_WORK]
    volume = parameters[ARCHARD_COEFFICIENT] * state[WEAR_WORK]
    outputs[WORN_VOLUME] = volume
    outputs[WEAR_DEPTH] = volume / parameters[WEAR_AREA]
    outputs[TOTAL_SLIDING_DISTANCE] = state[SLIDING_DISTANCE]
    outputs[RELATIVE_DISPLACEMENT] = state[DISPLACEMENT]
    outputs[CONTACT_MODE] = mode
    outputs[SHOCKS] = state[SHOCK_COUNT]
    outputs[SLIPS] = state[SLIP_COUNT]
    outputs[PEAK_NORMAL_FORCE] = state[PEAK_FORCE]
    outputs[IMPACT_IMPULSE] = state[IMPULSE]
    spring = parameters[STIFFNESS] * state[DISPLACEMENT] + parameters[DAMPING] * velocity
    outputs[SUPPORT_FORCE_TANGENTIAL] = spring - friction
    outputs[ABSOLUTE_ACCELERATION] = (tangential_load - spring + friction) / parameters[MASS]
    if parameters[NORMAL_LAW] == PRESCRIBED:
        outputs[GAP] = 0.0
        outputs[GAP_VELOCITY] = 0.0
        outputs[SUPPORT_FORCE_NORMAL] = -force
        return
    nearest = plane
    if plane == 0.0:
        nearest = nearest_plane(parameters, state[NORMAL_DISPLACEMENT])
    outputs[GAP] = gap_to(parameters, nearest, state[NORMAL_DISPLACEMENT])
    outputs[GAP_VELOCITY] = nearest * state[NORMAL_VELOCITY]
    outputs[SUPPORT_FORCE_NORMAL] = (
        parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]
        + parameters[NORMAL_DAMPING] * state[NORMAL_VELOCITY]
        - plane * force
    )
