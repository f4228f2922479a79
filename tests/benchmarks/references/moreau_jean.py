"""Moreau–Jean time stepping of the rubbing shoe, as one writes it down from a textbook.

θ-scheme with Coulomb's law on the velocity at the step's end, normal force prescribed:

    m (v₁ − v₀) = −h m A(t₀ + θh) + p,    u₁ = u₀ + h (θ v₁ + (1 − θ) v₀)
    −v₁ ∈ N_[−μ F_N h, μ F_N h](p), solved in closed form by projection: p = proj(−m v_free)

with v_free = v₀ − h A. θ = 1/2 is the order 2 choice between events; the events of a step are not
located, so a reversal costs O(h) and a breakaway or an arrest O(h²).

Source: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988;
M. Jean, The non-smooth contact dynamics method, Comput. Methods Appl. Mech. Eng. 177 (1999).
"""

from __future__ import annotations

import math

MASS = 1.0
NORMAL_FORCE = 10.0
FRICTION_COEFFICIENT = 0.1
ANGULAR_FREQUENCY = 2.0 * math.pi


def moreau_jean(
    amplitude: float, time_step: float, steps: int, first_counted: int, theta: float
) -> tuple[float, float]:
    """Return the wear work [J] of the steps from `first_counted` on, and the last displacement [m].

    The wear work of a step is F_N h (θ |v₁| + (1 − θ) |v₀|).
    """
    velocity = 0.0
    displacement = 0.0
    wear_work = 0.0
    largest_impulse = FRICTION_COEFFICIENT * NORMAL_FORCE * time_step
    for step in range(steps):
        support = amplitude * math.sin(ANGULAR_FREQUENCY * (step + theta) * time_step)
        free_velocity = velocity - time_step * support
        impulse = min(max(-MASS * free_velocity, -largest_impulse), largest_impulse)
        new_velocity = free_velocity + impulse / MASS
        displacement += time_step * (theta * new_velocity + (1.0 - theta) * velocity)
        if step >= first_counted:
            speed = theta * abs(new_velocity) + (1.0 - theta) * abs(velocity)
            wear_work += NORMAL_FORCE * time_step * speed
        velocity = new_velocity
    return wear_work, displacement
