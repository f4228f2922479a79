"""Set-up of the kernel's buffers, and the mode in which a run starts."""

from __future__ import annotations

from .layout import (
    CONTACT,
    CONTACT_DAMPING,
    CONTACT_STIFFNESS,
    DAMPING,
    FRICTION_STATIC,
    INITIAL_GAP,
    LAST_SLIDING,
    MASS,
    NORMAL_DAMPING,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_STIFFNESS,
    NORMAL_VELOCITY,
    PEAK_FORCE,
    PENALTY,
    PLANE_DISTANCE,
    PRESCRIBED,
    RATE_FREE,
    RATE_NORMAL_CONTACT,
    RATE_NORMAL_FREE,
    RATE_STICK,
    ROW_COUNT,
    ROW_LENGTH,
    SLIDING,
    STATE_COUNT,
    STIFFNESS,
    TANGENTIAL_DAMPING,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
    ZEROS_FORCE,
)
from .measures import contact_force, holding_friction
from .normal import gap_to, nearest_plane, penalty_force
from .oscillator import oscillator_rate
from .transitions import start_friction


def new_state() -> list[float]:
    """A state at rest at the origin; `start` sets its mode."""
    return [0.0] * STATE_COUNT


def new_work() -> list[list[float]]:
    """Scratch rows for `advance`; one set serves any number of steps."""
    return [[0.0] * ROW_LENGTH for _ in range(ROW_COUNT)]


def complete_parameters(parameters: list[float]) -> None:
    """Fill in the derived entries: the rates of the linear motions."""
    mass = parameters[MASS]
    parameters[RATE_FREE] = oscillator_rate(mass, parameters[DAMPING], parameters[STIFFNESS])
    parameters[RATE_STICK] = oscillator_rate(
        mass,
        parameters[DAMPING] + parameters[TANGENTIAL_DAMPING],
        parameters[STIFFNESS] + parameters[TANGENTIAL_STIFFNESS],
    )
    parameters[RATE_NORMAL_FREE] = oscillator_rate(
        mass, parameters[NORMAL_DAMPING], parameters[NORMAL_STIFFNESS]
    )
    parameters[RATE_NORMAL_CONTACT] = oscillator_rate(
        mass,
        parameters[NORMAL_DAMPING] + parameters[CONTACT_DAMPING],
        parameters[NORMAL_STIFFNESS] + parameters[CONTACT_STIFFNESS],
    )


def start(
    parameters: list[float], state: list[float], tangential_forcing: float, normal_forcing: float
) -> None:
    """Set the mode in which a run starts, from its positions, velocities and forcings [N]."""
    law = parameters[NORMAL_LAW]
    plane = nearest_plane(parameters, state[NORMAL_DISPLACEMENT])
    gap = gap_to(parameters, plane, state[NORMAL_DISPLACEMENT])
    gap_velocity = plane * state[NORMAL_VELOCITY]
    pull = normal_forcing - parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]
    rests = gap <= 0.0 and gap_velocity == 0.0 and plane * pull < 0.0
    state[CONTACT] = 0.0
    if law == PRESCRIBED:
        if normal_forcing < 0.0:
            state[CONTACT] = 1.0
    elif law == PENALTY:
        if gap < 0.0:
            if penalty_force(parameters, gap, gap_velocity) > 0.0:
                state[CONTACT] = plane
        elif rests:
            # It touches the plane without force yet; the force grows with the gap's acceleration,
            # or only with the gap where there is no damper.
            state[CONTACT] = plane
            state[ZEROS_FORCE] = 1.0 if parameters[CONTACT_DAMPING] > 0.0 else 2.0
    elif rests:
        state[CONTACT] = plane
    if state[CONTACT] != 0.0:
        start_friction(parameters, state)
        force = contact_force(parameters, state, normal_forcing)
        if state[SLIDING] == 0.0:
            friction = holding_friction(parameters, state, tangential_forcing)
            if abs(friction) > parameters[FRICTION_STATIC] * force:
                state[SLIDING] = -1.0 if friction > 0.0 else 1.0
            elif force == 0.0 and state[VELOCITY] != 0.0:
                # Nothing holds the anchor of a moving mass.
                state[SLIDING] = 1.0 if state[VELOCITY] > 0.0 else -1.0
        state[PEAK_FORCE] = force
    state[LAST_SLIDING] = state[SLIDING]


def equilibrium(parameters: list[float], normal_forcing: float) -> tuple[bool, float]:
    """Static normal displacement [m] under a constant forcing f_n [N], penalised contact.

    k_n w = f_n + R_n on the lower plane, on the upper plane, or between them. False where there is
    none: nothing holds a mass that is pulled off its only plane.
    """
    spring = parameters[NORMAL_STIFFNESS]
    contact = parameters[CONTACT_STIFFNESS]
    lower_at = -parameters[INITIAL_GAP]
    if normal_forcing - spring * lower_at <= 0.0:
        return True, (normal_forcing + contact * lower_at) / (spring + contact)
    if parameters[PLANE_DISTANCE] > 0.0:
        upper_at = lower_at + parameters[PLANE_DISTANCE]
        if normal_forcing - spring * upper_at >= 0.0:
            return True, (normal_forcing + contact * upper_at) / (spring + contact)
    if spring > 0.0:
        return True, normal_forcing / spring
    return False, 0.0
