"""Penalised stick over a whole step under a constant contact force, under a proven bound."""

from __future__ import annotations

from math import cos, exp, sin, sqrt

from .free_motion import free_motion
from .layout import (
    DAMPING,
    DISPLACEMENT,
    FRICTION_STATIC,
    MASS,
    RATE_LIMIT,
    RATE_STICK,
    STIFFNESS,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_STIFFNESS,
    VELOCITY,
)

# Where |Δ| h² is below this, sinh(√Δ h)/√Δ is summed: its closed form would cancel.
_NEARLY_CRITICAL = 0.1


def quiet_penalised_stick(
    parameters: list[float],
    state: list[float],
    tangential_forcing: list[float],
    tangential_count: int,
    force: float,
    step_size: float,
) -> bool:
    """Penalised stick over a step: m ẍ + C ẋ + K x = f_t − k u − K_T e about the present position.

    `force` is the constant contact force [N]. False leaves the state untouched.

    x = x_p + x_h with the polynomial x_p that solves the equation and a decaying x_h, whose energy
    bounds it: |x_h| ≤ A and |ẋ_h| ≤ A √(K/m) with A² = x_h(0)² + m ẋ_h(0)²/K. So the friction force
    stays within its polynomial's bound and A (K_T + C_T √(K/m)).

    Where λh ≤ 1 the motion is summed as a series: in x_p + x_h numbers of the size of f/K would
    cancel to a motion of f h²/m. Beyond, they do so under heavy damping only: the rounding of f/K
    is then that of some C/(K h) motions.
    """
    mass = parameters[MASS]
    spring = parameters[TANGENTIAL_STIFFNESS]
    damper = parameters[TANGENTIAL_DAMPING]
    stiffness = parameters[STIFFNESS] + spring
    damping = parameters[DAMPING] + damper
    held = parameters[STIFFNESS] * state[DISPLACEMENT] + spring * state[STRETCH]
    # Coefficients of x_p from the highest order down, summed by Horner's rule as they come.
    coefficient = 0.0
    higher = 0.0
    place = 0.0
    speed = 0.0
    bound = 0.0
    for j in range(tangential_count - 1, -1, -1):
        drive = tangential_forcing[j]
        if j == 0:
            drive -= held
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

    if parameters[RATE_STICK] * step_size <= RATE_LIMIT:
        motion = free_motion(
            mass,
            damping,
            stiffness,
            tangential_forcing,
            tangential_count,
            held,
            0.0,
            state[VELOCITY],
            step_size,
        )
        travelled = motion[0]
        speed = state[VELOCITY] + motion[1]
    else:
        half = 0.5 * damping / mass
        even, odd = _decaying(half, rate, step_size)
        travelled = place + away * (even + half * odd) + velocity * odd
        speed += velocity * (even - half * odd) - rate * rate * away * odd
    displacement = state[DISPLACEMENT] + travelled
    stretch = state[STRETCH] + travelled
    total = displacement + stretch + speed
    # The difference is zero unless one of them is infinite or not a number.
    if total - total != 0.0:
        return False
    state[DISPLACEMENT] = displacement
    state[STRETCH] = stretch
    state[VELOCITY] = speed
    return True


def _decaying(half: float, rate: float, step_size: float) -> tuple[float, float]:
    """e^(−δh) cosh(√Δ h) and e^(−δh) sinh(√Δ h)/√Δ with δ = `half`, Δ = δ² − `rate`²."""
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
    return even, odd
