"""What happens at an event: the transition table of the contact.

| event             | where                                   | then                            |
|-------------------|-----------------------------------------|---------------------------------|
| CLOSING prescribed| F_N leaves 0                            | contact                         |
| CLOSING penalty   | gap reaches 0, or F_N leaves 0 inside   | contact, one shock              |
| CLOSING rigid     | gap reaches 0                           | impact, one shock, flight or rest |
| OPENING           | F_N reaches 0                           | flight, the stretch is forgotten |
| RELEASE           | gap reaches 0 from inside with F_N = 0  | flight, outside                 |
| CONE_PLUS, _MINUS | ±F_T reaches μ_s F_N                    | slip against the friction force |
| ARREST            | slip velocity reaches 0                 | stick; the cone decides at once |

A contact that closes slips on where u̇ ≠ 0 (rigid friction) and sticks with e = 0 (penalised).
Reversal is arrest and breakaway at one instant. Each entry also says how many leading coefficients
of which guard vanish by construction, so that no rounding is taken for a new event.

Impact, P = m (1 + e)|v_n|:  |u̇⁺| = max(0, |u̇⁻| − μ_d P/m),  P_s = min(P, m|u̇⁻|/μ_d),
wear work P_s (|u̇⁻| + |u̇⁺|)/2,  friction work ½ m (u̇⁻² − u̇⁺²).

Rest: bouncing ends where all that remains of it, 2 e v/(a (1 − e)) under the pressing acceleration
a, takes less than REST_TIME, and where the rebound's height e² v²/(2 a) is below REST_SPEED² of the
v_max²/(2 a) that the fastest impact since the last rest fell from under that acceleration. The
impulses of the bounces left out, m (1 + e) e v/(1 − e), are added up; what they rub, the contact
does in their stead.
"""

from __future__ import annotations

from .layout import (
    ARREST,
    CLOSING_LOWER,
    CLOSING_UPPER,
    CONE_MINUS,
    CONE_PLUS,
    CONTACT,
    CONTACT_DAMPING,
    DAMPING_WORK,
    FASTEST_IMPACT,
    FRICTION_DYNAMIC,
    FRICTION_STATIC,
    FRICTION_WORK,
    IMPULSE,
    INITIAL_GAP,
    MASS,
    NORMAL_DAMPING,
    NORMAL_DISPLACEMENT,
    NORMAL_LAW,
    NORMAL_STIFFNESS,
    NORMAL_VELOCITY,
    OPENING,
    PEAK_FORCE,
    PENALISED_FRICTION,
    PENALTY,
    PLANE_DISTANCE,
    PRESCRIBED,
    RELEASE,
    REST_SPEED,
    REST_TIME,
    RESTITUTION,
    RIGID_CONTACT,
    SHOCK_COUNT,
    SLIDING,
    SLIDING_DISTANCE,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_LAW,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
    WEAR_WORK,
    ZEROS_CONE_MINUS,
    ZEROS_CONE_PLUS,
    ZEROS_FORCE,
    ZEROS_GAP,
    ZEROS_SLIP,
)
from .normal import gap_to


def apply_event(
    parameters: list[float],
    state: list[float],
    event: int,
    zeros: int,
    normal_forcing: float,
) -> None:
    """Carry `state` through `event` at this instant.

    `zeros` is the number of leading coefficients of the guard that are zero here: 1 at a root, more
    where the guard touches its bound, 0 where it was already beyond it when the piece began (the
    input jumped, or the mode was only tried). `normal_forcing` is f_n [N] at this instant.
    """
    if event == CLOSING_LOWER or event == CLOSING_UPPER:
        plane = 1.0 if event == CLOSING_LOWER else -1.0
        _close(parameters, state, plane, zeros, normal_forcing)
    elif event == OPENING:
        _open(parameters, state, zeros)
    elif event == RELEASE:
        state[ZEROS_GAP] = 1.0
    elif event == CONE_PLUS:
        _break_away(parameters, state, -1.0, zeros)
    elif event == CONE_MINUS:
        _break_away(parameters, state, 1.0, zeros)
    elif event == ARREST:
        _arrest(parameters, state, zeros)


def _close(
    parameters: list[float], state: list[float], plane: float, zeros: int, normal_forcing: float
) -> None:
    law = parameters[NORMAL_LAW]
    if law == PRESCRIBED:
        state[CONTACT] = 1.0
        state[ZEROS_FORCE] = float(zeros)
        start_friction(parameters, state)
        return
    state[SHOCK_COUNT] += 1.0
    if law == PENALTY:
        state[CONTACT] = plane
        # A mass that its damper had let go inside the obstacle is leaving it; one that arrives may
        # lie inside by rounding.
        leaving = plane * state[NORMAL_VELOCITY] > 0.0
        inside = gap_to(parameters, plane, state[NORMAL_DISPLACEMENT]) < 0.0
        if leaving and inside and parameters[CONTACT_DAMPING] > 0.0:
            state[ZEROS_FORCE] = 1.0
        else:
            _place_on_plane(parameters, state, plane)
            state[ZEROS_FORCE] = 0.0 if parameters[CONTACT_DAMPING] > 0.0 else 1.0
        start_friction(parameters, state)
        return
    _place_on_plane(parameters, state, plane)
    _impact(parameters, state, plane, normal_forcing)


def _place_on_plane(parameters: list[float], state: list[float], plane: float) -> None:
    """Put the gap to `plane` to exactly zero."""
    state[NORMAL_DISPLACEMENT] = -parameters[INITIAL_GAP]
    if plane < 0.0:
        state[NORMAL_DISPLACEMENT] += parameters[PLANE_DISTANCE]


def _impact(
    parameters: list[float], state: list[float], plane: float, normal_forcing: float
) -> None:
    """Newton's restitution with a tangential impulse bounded by Coulomb's cone."""
    mass = parameters[MASS]
    restitution = parameters[RESTITUTION]
    friction = parameters[FRICTION_DYNAMIC]
    approach = abs(state[NORMAL_VELOCITY])
    impulse = mass * (1.0 + restitution) * approach
    state[IMPULSE] += impulse

    before = abs(state[VELOCITY])
    after = max(0.0, before - friction * impulse / mass)
    sliding_impulse = impulse
    if friction > 0.0:
        sliding_impulse = min(impulse, mass * before / friction)
    state[WEAR_WORK] += sliding_impulse * 0.5 * (before + after)
    state[FRICTION_WORK] += 0.5 * mass * (before - after) * (before + after)
    state[VELOCITY] = -after if state[VELOCITY] < 0.0 else after

    rebound = restitution * approach
    state[NORMAL_VELOCITY] = plane * rebound
    # Acceleration with which the mass is driven back to the plane.
    pressing = (
        -plane
        * (
            normal_forcing
            - parameters[NORMAL_DAMPING] * state[NORMAL_VELOCITY]
            - parameters[NORMAL_STIFFNESS] * state[NORMAL_DISPLACEMENT]
        )
        / mass
    )
    fastest = max(state[FASTEST_IMPACT], approach)
    is_over = rebound == 0.0
    if rebound <= REST_SPEED * fastest and 2.0 * rebound < REST_TIME * pressing * (
        1.0 - restitution
    ):
        # The impulses of all bounces that remain: m (1 + e)(e v + e² v + …).
        state[IMPULSE] += impulse * restitution / (1.0 - restitution)
        is_over = True
    if is_over:
        state[FASTEST_IMPACT] = 0.0
        state[NORMAL_VELOCITY] = 0.0
        state[CONTACT] = plane
        start_friction(parameters, state)
    else:
        state[FASTEST_IMPACT] = fastest
        state[ZEROS_GAP] = 1.0


def _open(parameters: list[float], state: list[float], zeros: int) -> None:
    plane = state[CONTACT]
    state[CONTACT] = 0.0
    state[SLIDING] = 0.0
    # What is left in the stretch is forgotten.
    state[DAMPING_WORK] += 0.5 * parameters[TANGENTIAL_STIFFNESS] * state[STRETCH] * state[STRETCH]
    state[STRETCH] = 0.0
    state[ZEROS_SLIP] = 0.0
    state[ZEROS_CONE_PLUS] = 0.0
    state[ZEROS_CONE_MINUS] = 0.0
    state[ZEROS_FORCE] = 0.0
    law = parameters[NORMAL_LAW]
    if law == RIGID_CONTACT:
        # Gap and gap velocity are zero; so is the acceleration where the force fell to zero.
        state[ZEROS_GAP] = 2.0 + zeros
    elif law == PENALTY and parameters[CONTACT_DAMPING] == 0.0:
        state[ZEROS_GAP] = float(zeros)  # the force is proportional to the gap
        if zeros > 0:
            _place_on_plane(parameters, state, plane)
    else:
        state[ZEROS_FORCE] = float(zeros)


def start_friction(parameters: list[float], state: list[float]) -> None:
    """Mode of friction in a contact that has just closed; the cone may overrule it at once."""
    state[SLIDING] = 0.0
    state[STRETCH] = 0.0
    if parameters[TANGENTIAL_LAW] != PENALISED_FRICTION:
        if state[VELOCITY] > 0.0:
            state[SLIDING] = 1.0
        elif state[VELOCITY] < 0.0:
            state[SLIDING] = -1.0


def _break_away(
    parameters: list[float],
    state: list[float],
    direction: float,
    zeros: int,
) -> None:
    state[SLIDING] = direction
    state[ZEROS_CONE_PLUS] = 0.0
    state[ZEROS_CONE_MINUS] = 0.0
    # Where the friction force does not jump, the slip's acceleration (rigid), velocity (penalised,
    # C_T > 0) or anchor's way (C_T = 0) starts as the guard does.
    inherited = zeros if parameters[FRICTION_STATIC] == parameters[FRICTION_DYNAMIC] else 0
    if parameters[TANGENTIAL_LAW] != PENALISED_FRICTION:
        state[ZEROS_SLIP] = 1.0 + inherited
    elif parameters[TANGENTIAL_DAMPING] > 0.0:
        state[ZEROS_SLIP] = float(inherited)
    else:
        state[ZEROS_SLIP] = max(0.0, inherited - 1.0)


def drag_anchor(parameters: list[float], state: list[float], normal_force: float) -> bool:
    """Penalised slip without damper: pull the anchor to where K_T |e| = μ_d F_N, and book it.

    False where the stretch is too small for slip: the anchor cannot be pushed, the contact sticks.
    """
    sliding = state[SLIDING]
    stiffness = parameters[TANGENTIAL_STIFFNESS]
    stretch = sliding * state[STRETCH]
    wanted = parameters[FRICTION_DYNAMIC] * normal_force / stiffness
    excess = stretch - wanted
    # A stretch has been added up piece by piece, some thousand roundings; a force that has fallen
    # from its peak carries the peak's, some dozens.
    rounding = 1e-12 * max(abs(stretch), wanted)
    rounding += 1e-14 * parameters[FRICTION_DYNAMIC] * state[PEAK_FORCE] / stiffness
    # A force that follows from the penalised gap cannot jump up: what is missing is rounding.
    if excess < -rounding and parameters[NORMAL_LAW] != PENALTY:
        return False
    if excess > rounding:
        state[WEAR_WORK] += normal_force * excess
        state[SLIDING_DISTANCE] += excess
        state[FRICTION_WORK] += 0.5 * stiffness * excess * (stretch + wanted)
    state[STRETCH] = sliding * wanted
    return True


def _arrest(parameters: list[float], state: list[float], zeros: int) -> None:
    sliding = state[SLIDING]
    state[SLIDING] = 0.0
    state[ZEROS_SLIP] = 0.0
    if parameters[TANGENTIAL_LAW] != PENALISED_FRICTION:
        state[VELOCITY] = 0.0
        return
    if zeros == 0 or parameters[FRICTION_STATIC] != parameters[FRICTION_DYNAMIC]:
        return
    # The force still lies on the cone; without damper it also leaves it tangentially.
    cone_zeros = float(zeros) if parameters[TANGENTIAL_DAMPING] > 0.0 else zeros + 1.0
    if sliding > 0.0:
        state[ZEROS_CONE_MINUS] = cone_zeros
    else:
        state[ZEROS_CONE_PLUS] = cone_zeros
