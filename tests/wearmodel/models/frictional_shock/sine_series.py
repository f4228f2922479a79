"""Taylor polynomials of a sine, as inputs that are exact to rounding over a step."""

from __future__ import annotations

import math


def sine_series(
    amplitude: float, angular_frequency: float, time: float, step_size: float
) -> list[float]:
    """Return the coefficients of amplitude·sin(ω(time + t)) in t, to 1e-20 for ω h ≤ 1."""
    phase = angular_frequency * time
    values = (math.sin(phase), math.cos(phase), -math.sin(phase), -math.cos(phase))
    coefficients = []
    factor, reach = amplitude, 1.0
    order = 0
    while reach > 1e-20 and order < 21:
        coefficients.append(factor * values[order % 4])
        order += 1
        factor *= angular_frequency / order
        reach *= angular_frequency * step_size / order
    return coefficients
