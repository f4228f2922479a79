"""Linear oscillator driven by a power series: its motion as a power series.

    m ẍ + c ẋ + k x = φ(t),   t = τ s,   s ∈ [0, 1]

The coefficients follow by recurrence from x(0) and ẋ(0). The neglected tail is below
rounding. Without spring and damper the series is finite.
"""

from __future__ import annotations

from math import sqrt

from ..limits import NEGLIGIBLE, SERIES_LENGTH


def oscillator_rate(mass: float, damping: float, stiffness: float) -> float:
    """Largest modulus [1/s] of the eigenvalues of m ẍ + c ẋ + k x = 0."""
    discriminant = damping * damping - 4.0 * mass * stiffness
    if discriminant > 0.0:
        return (damping + sqrt(discriminant)) / (2.0 * mass)
    return sqrt(stiffness / mass)


def oscillator_series(
    mass: float,
    damping: float,
    stiffness: float,
    length: float,
    drive: list[float],
    drive_count: int,
    positions: list[float],
    velocities: list[float],
) -> int:
    """Continue the series of x and ẋ from their first coefficients, and return their number.

    The piece has the `length` [s]. A mass of 0 is not accelerated.

    v_{j+1} = τ (φ_j − c v_j − k x_j)/(m (j + 1)),   x_{j+1} = τ v_j/(j + 1)
    """
    factor = length / mass if mass > 0.0 else 0.0
    if stiffness == 0.0 and damping == 0.0:
        for j in range(drive_count):
            velocities[j + 1] = factor * drive[j] / (j + 1)
            positions[j + 1] = length * velocities[j] / (j + 1)
        velocities[drive_count + 1] = 0.0
        positions[drive_count + 1] = length * velocities[drive_count] / (drive_count + 1)
        return drive_count + 2

    largest = abs(velocities[0])
    previous = largest
    count = 1
    for j in range(SERIES_LENGTH - 1):
        force = -damping * velocities[j] - stiffness * positions[j]
        if j < drive_count:
            force += drive[j]
        coefficient = factor * force / (j + 1)
        velocities[j + 1] = coefficient
        positions[j + 1] = length * velocities[j] / (j + 1)
        count = j + 2
        size = abs(coefficient)
        if size > largest:
            largest = size
        if j >= drive_count and size <= NEGLIGIBLE * largest and previous <= NEGLIGIBLE * largest:
            break
        previous = size
    return count
