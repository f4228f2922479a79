"""Outputs that follow from a state and from the forcings at its instant."""

from __future__ import annotations

from .layout import (
    ARCHARD_COEFFICIENT,
    CONTACT,
    DAMPING,
    DAMPING_WORK,
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

FLIGHT = 0.0
STICK = 1.0
SLIP = 2.0


def contact_force(parameters: list[float], state: list[float], normal_forcing: float) -> float:
    """F_N [N] ≥ 0 in contact."""
    plane = state[CONTACT]
    law = parameters[NORMAL_LAW]
    force = -plane * normal_forcing
    if law == PENALTY:
        gap = gap_to(parameters, plane, state[NORMAL_DISPLACEMENT])
        force = penalty_force(parameters, gap, plane * state[NORMAL_VELOCITY])
    elif law != PRESCRIBED:
        force += plane * parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]
    return force if force > 0.0 else 0.0


def holding_friction(
    parameters: list[float], state: list[float], tangential_forcing: float
) -> float:
    """F_T [N] on the mass in stick."""
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
) -> tuple[
    float, float, float, float, float, float, float, float, float, float, float,
    float, float, float, float, float, float, float, float, float, float, float,
    float,
]:  # fmt: skip
    """Outputs that belong to a state and to the forcings [N, N/s] at its instant.

    In the order of `wearmodel.models.frictional_shock.OUTPUT_NAMES`.
    """
    plane = state[CONTACT]
    velocity = state[VELOCITY]
    force = 0.0
    friction = 0.0
    slip_velocity = 0.0
    wear_power = 0.0
    mode = FLIGHT
    if plane != 0.0:
        force = contact_force(parameters, state, normal_forcing)
        sliding = state[SLIDING]
        if sliding == 0.0:
            mode = STICK
            friction = holding_friction(parameters, state, tangential_forcing)
        else:
            mode = SLIP
            friction = -sliding * parameters[FRICTION_DYNAMIC] * force
            slip_velocity = velocity
            if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
                slip_velocity -= _stretch_rate(
                    parameters, state, force, normal_forcing, normal_forcing_rate
                )
            wear_power = force * abs(slip_velocity)
    wear_work = state[WEAR_WORK]
    volume = parameters[ARCHARD_COEFFICIENT] * wear_work
    displacement = state[DISPLACEMENT]
    spring = parameters[STIFFNESS] * displacement + parameters[DAMPING] * velocity

    gap = 0.0
    gap_velocity = 0.0
    support_force_normal = -plane * force
    if parameters[NORMAL_LAW] != PRESCRIBED:
        place = state[NORMAL_DISPLACEMENT]
        nearest = plane
        if plane == 0.0:
            nearest = nearest_plane(parameters, place)
        gap = gap_to(parameters, nearest, place)
        gap_velocity = nearest * state[NORMAL_VELOCITY]
        support_force_normal += (
            parameters[NORMAL_STIFFNESS] * place
            + parameters[NORMAL_DAMPING] * state[NORMAL_VELOCITY]
        )
    return (
        force,
        friction,
        slip_velocity,
        velocity,
        wear_power,
        parameters[FRICTION_DYNAMIC] * wear_power,
        wear_work,
        state[FRICTION_WORK],
        volume,
        volume / parameters[WEAR_AREA],
        state[SLIDING_DISTANCE],
        displacement,
        gap,
        gap_velocity,
        mode,
        state[SHOCK_COUNT],
        state[SLIP_COUNT],
        state[PEAK_FORCE],
        state[IMPULSE],
        spring - friction,
        support_force_normal,
        (tangential_load - spring + friction) / parameters[MASS],
        state[DAMPING_WORK],
    )
