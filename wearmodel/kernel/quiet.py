"""A whole step at once where nothing can happen in it: the closed form under a proven bound.

Most steps of a run are of this kind. What is taken here is what the pieces of `stepper` would give,
to rounding, at a fraction of the cost.
"""

from __future__ import annotations

from math import cos, exp, sin, sqrt

from .layout import (
    CONTACT,
    DAMPING,
    DISPLACEMENT,
    FRICTION_DYNAMIC,
    FRICTION_STATIC,
    FRICTION_WORK,
    LAST_SLIDING,
    MASS,
    NORMAL_LAW,
    PEAK_FORCE,
    PENALISED_FRICTION,
    PRESCRIBED,
    RATE_FREE,
    RATE_LIMIT,
    SERIES_LENGTH,
    SLIDING,
    SLIDING_DISTANCE,
    STIFFNESS,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_LAW,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
    WEAR_WORK,
)

# A velocity coefficient this small beside the velocity itself is below its rounding.
_NEGLIGIBLE = 1e-18
# Where |Δ| h² is below this, sinh(√Δ h)/√Δ is summed: its closed form would cancel.
_NEARLY_CRITICAL = 0.1


def quiet_step(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    normal_forcing: list[float],
    normal_count: int,
    step_size: float,
) -> bool:
    """Take the whole step at once where a bound excludes every event; False leaves all untouched.

    What overflows is left to `advance`, so that nothing needs to be checked after this.

    The common case: a prescribed constant normal force; rigid stick or slip, or penalised stick.
    Rigid stick needs no series; in rigid slip the series of oscillator_series are summed as they
    come, without being kept.
    """
    sliding = state[SLIDING]
    if (
        parameters[NORMAL_LAW] != PRESCRIBED
        or normal_count != 1
        or state[CONTACT] == 0.0
        or sliding != state[LAST_SLIDING]
    ):
        return False
    force = -normal_forcing[0]
    if force <= 0.0:
        return False
    stiffness = parameters[STIFFNESS]
    if parameters[TANGENTIAL_LAW] == PENALISED_FRICTION:
        if sliding != 0.0 or not _quiet_penalised_stick(
            parameters, state, tangential_forcing, tangential_count, force, step_size
        ):
            return False
    elif sliding == 0.0:
        bound = parameters[FRICTION_STATIC] * force
        bound -= abs(stiffness * state[DISPLACEMENT] - tangential_forcing[0])
        power = step_size
        for j in range(1, tangential_count):
            bound -= abs(tangential_forcing[j]) * power
            power *= step_size
        if bound < 0.0:
            return False
    else:
        velocity = state[VELOCITY]
        bound = sliding * velocity
        if bound <= 0.0 or parameters[RATE_FREE] * step_size > RATE_LIMIT:
            return False
        damping = parameters[DAMPING]
        factor = step_size / parameters[MASS]
        friction = sliding * parameters[FRICTION_DYNAMIC] * force
        power = 1.0
        if stiffness == 0.0 and damping == 0.0:
            gained = factor * (tangential_forcing[0] - friction)
            travelled = step_size * (velocity + 0.5 * gained)
            if sliding * gained < 0.0:
                bound += sliding * gained
            for j in range(1, tangential_count):
                power *= step_size
                speed = factor * tangential_forcing[j] * power / (j + 1)
                gained += speed
                travelled += step_size * speed / (j + 2)
                if sliding * speed < 0.0:
                    bound += sliding * speed
        else:
            gained = 0.0
            travelled = 0.0
            # Coefficients of velocity and displacement, of order j at the start of each turn.
            speed = velocity
            place = state[DISPLACEMENT]
            was_small = False
            for j in range(SERIES_LENGTH):
                drive = -damping * speed - stiffness * place
                if j < tangential_count:
                    drive += tangential_forcing[j] * power
                    power *= step_size
                    if j == 0:
                        drive -= friction
                place = step_size * speed / (j + 1)
                speed = factor * drive / (j + 1)
                gained += speed
                travelled += place
                if sliding * speed < 0.0:
                    bound += sliding * speed
                # Two in a row: without damping every other coefficient may vanish.
                is_small = abs(speed) <= _NEGLIGIBLE * bound
                if is_small and was_small and j >= tangential_count:
                    break
                was_small = is_small
        distance = sliding * travelled
        wear = force * distance
        # The difference is zero unless wear is infinite or not a number.
        if bound <= 0.0 or wear - wear != 0.0:
            return False
        state[VELOCITY] = velocity + gained
        state[DISPLACEMENT] += travelled
        state[WEAR_WORK] += wear
        state[FRICTION_WORK] += parameters[FRICTION_DYNAMIC] * wear
        state[SLIDING_DISTANCE] += distance
    if force > state[PEAK_FORCE]:
        state[PEAK_FORCE] = force
    return True


def _quiet_penalised_stick(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    step_size: float,
) -> bool:
    """Penalised stick over a step: m ẍ + C ẋ + K x = f_t − k u − K_T e about the present position.

    x = x_p + x_h with the polynomial x_p that solves the equation and a decaying x_h, whose energy
    bounds it: |x_h| ≤ A and |ẋ_h| ≤ A √(K/m) with A² = x_h(0)² + m ẋ_h(0)²/K. So the friction force
    stays within its polynomial's bound and A (K_T + C_T √(K/m)).
    """
    mass = parameters[MASS]
    spring = parameters[TANGENTIAL_STIFFNESS]
    damper = parameters[TANGENTIAL_DAMPING]
    stiffness = parameters[STIFFNESS] + spring
    damping = parameters[DAMPING] + damper
    # Coefficients of x_p from the highest order down, summed by Horner's rule as they come.
    coefficient = 0.0
    higher = 0.0
    place = 0.0
    speed = 0.0
    bound = 0.0
    for j in range(tangential_count - 1, -1, -1):
        drive = tangential_forcing[j]
        if j == 0:
            drive -= parameters[STIFFNESS] * state[DISPLACEMENT] + spring * state[STRETCH]
        drive -= (j + 1) * (damping * coefficient + (j + 2) * mass * higher)
        higher = coefficient
        coefficient = drive / stiffness
        speed = speed * step_size + place
        place = place * step_size + coefficient
        friction = spring * coefficient + damper * (j + 1) * higher
        if j == 0:
            friction += spring * state[STRETCH]
        bound = bound * step_size + abs(friction)
    away = -coefficient
    velocity = state[VELOCITY] - higher
    rate = sqrt(stiffness / mass)
    amplitude = sqrt(away * away + velocity * velocity / (rate * rate))
    bound += amplitude * (spring + damper * rate)
    if not bound < parameters[FRICTION_STATIC] * force:
        return False

    half = 0.5 * damping / mass
    excess = half * half - rate * rate
    scaled = excess * step_size * step_size
    if abs(scaled) < _NEARLY_CRITICAL:
        decay = exp(-half * step_size)
        # Σ Δ^i h^(2i)/(2i)! and Σ Δ^i h^(2i)/(2i + 1)!, which end early.
        even = 0.0
        odd = 0.0
        for i in range(6, 0, -1):
            even = (1.0 + even) * scaled / ((2 * i - 1) * (2 * i))
            odd = (1.0 + odd) * scaled / ((2 * i) * (2 * i + 1))
        even = (1.0 + even) * decay
        odd = (1.0 + odd) * decay * step_size
    elif excess < 0.0:
        decay = exp(-half * step_size)
        frequency = sqrt(-excess)
        even = decay * cos(frequency * step_size)
        odd = decay * sin(frequency * step_size) / frequency
    else:
        root = sqrt(excess)
        fast = exp(-(half + root) * step_size)
        slow = exp(-(rate * rate / (half + root)) * step_size)
        even = 0.5 * (slow + fast)
        odd = 0.5 * (slow - fast) / root
    travelled = place + away * (even + half * odd) + velocity * odd
    speed += velocity * (even - half * odd) - rate * rate * away * odd
    # The difference is zero unless the sum is infinite or not a number.
    if travelled + speed - (travelled + speed) != 0.0:
        return False
    state[DISPLACEMENT] += travelled
    state[STRETCH] += travelled
    state[VELOCITY] = speed
    return True
