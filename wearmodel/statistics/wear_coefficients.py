"""Published coefficients of Archard's law, by contact shape and material pair.

Each coefficient is the mean of few tests. Tests of a pair scatter by a factor of several, and water
chemistry, temperature and amplitude have further effects. Use the coefficient as an order of
magnitude, or as the median of a lognormal distribution. Your own measurements are better.

Source: EDF POST_USURE (R7.04.10 and U4.84.03), coefficients of the pairs of steam generators,
control rods and fuel rods.
"""

from __future__ import annotations

from typing import NamedTuple


class WearCoefficient(NamedTuple):
    """Published coefficient: contact, worn material, counterpart, and k [m²/N = 1/Pa]."""

    contact: str
    material: str
    counterpart: str
    coefficient: float


_FLAT_BAR, _HOLE, _TUBES = "tube on flat bar", "tube in hole", "tube on tube"

WEAR_COEFFICIENTS = (
    WearCoefficient(_FLAT_BAR, "Inconel 600", "Inconel 600", 1.2e-13),
    WearCoefficient(_FLAT_BAR, "Inconel 600TT", "Inconel 600TT", 1.4e-15),
    WearCoefficient(_FLAT_BAR, "Inconel 690TT", "Inconel 600CR", 1.2e-15),
    WearCoefficient(_FLAT_BAR, "Inconel 690", "A405", 4.1e-16),
    WearCoefficient(_FLAT_BAR, "Inconel 690", "Z6C13", 7.7e-15),
    WearCoefficient(_HOLE, "Inconel 600", "Inconel 600", 1.6e-13),
    WearCoefficient(_HOLE, "Inconel 690", "Inconel 600", 5.2e-14),
    WearCoefficient(_HOLE, "Inconel 690", "Z10C13", 6e-17),
    WearCoefficient(_TUBES, "Inconel 600", "Inconel 600", 1.8e-13),
    WearCoefficient(_TUBES, "Inconel 690", "Inconel 690", 1e-12),
    WearCoefficient("rod in guide", "A304L", "A304L", 1e-14),
)
