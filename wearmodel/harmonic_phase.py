"""Phases ωt of a harmonic motion reduced to quarter turns, and products with their rounding error.

Plain functions of floats, interpreted or compiled. They do what rational arithmetic does in
`closed_forms.rubbing_shoe_sequence`, for phases up to LARGEST_QUARTERS quarter turns.
"""

from __future__ import annotations

import math

LARGEST_QUARTERS = 2**20
"""Number of quarter turns up to which phases are reduced to rounding."""

# π/2 in three parts: the first two have 32 significant bits, so that their products with a number
# of quarter turns up to LARGEST_QUARTERS are exact.
_QUARTER_HIGH = float.fromhex("0x1.921fb544p+0")
_QUARTER_MIDDLE = float.fromhex("0x1.0b4611a6p-34")
_QUARTER_LOW = float.fromhex("0x1.3198a2e037073p-69")
# 2²⁷ + 1 splits a double into two halves of 26 bits.
_SPLITTER = 134217729.0


def exact_product(first: float, second: float) -> tuple[float, float]:
    """Product, rounded, and its rounding error (Dekker, Numer. Math. 18 (1971))."""
    product = first * second
    scaled = _SPLITTER * first
    first_high = scaled - (scaled - first)
    first_low = first - first_high
    scaled = _SPLITTER * second
    second_high = scaled - (scaled - second)
    second_low = second - second_high
    error = first_high * second_high - product
    error += first_high * second_low + first_low * second_high
    return product, error + first_low * second_low


def quarter_phase(angular_frequency: float, time: float) -> tuple[float, float]:
    """Whole n and r [rad] of ωt = n π/2 + r with |r| ≤ π/4, for n ≤ LARGEST_QUARTERS."""
    phase, error = exact_product(angular_frequency, time)
    quarters = math.floor(phase / _QUARTER_HIGH + 0.5)
    rest = (phase - quarters * _QUARTER_HIGH) - quarters * _QUARTER_MIDDLE
    return float(quarters), rest + (error - quarters * _QUARTER_LOW)
