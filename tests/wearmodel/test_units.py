"""Spellings of units in headers, compared with the definitions of the SI, the yard and the gal."""

import pytest

from wearmodel.units import ACCELERATION, FORCE, TIME, VELOCITY, unit_in_name, unit_of_text

# The international foot is 0.3048 m and an inch a twelfth of it (1959), a gal 1 cm/s2, and the
# standard gravity 9.80665 m/s2 (third CGPM, 1901).
GRAVITY = 9.80665
SPELLINGS = {
    ("m/s2", 1.0, ACCELERATION): [
        "m/s2", "m/s^2", "m/s**2", "m/s²", "m/s/s", "m/sec2", "m/sec/sec", "m.s-2", "m·s-2",
        "m·s⁻²", "m s-2", "m s^-2", "m s^{-2}", "m*s^(-2)", "m/(s^2)", "ms-2", "M/S2", "mps2",
        "m_s2", "m per s2", "s-2 m",
    ],
    ("g", GRAVITY, ACCELERATION): ["g", "G", "g's", "g’s", "gs", "gn"],
    ("mg", 1e-3 * GRAVITY, ACCELERATION): ["mg", "milli-g"],
    ("gal", 1e-2, ACCELERATION): ["gal", "Gal", "GALS"],
    ("cm/s2", 1e-2, ACCELERATION): ["cm/s2", "cm/s/s", "cm s-2", "cm/sec²"],
    ("in/s2", 0.3048 / 12.0, ACCELERATION): ["in/s2", "inch/s^2", "inches/sec/sec"],
    ("ft/s2", 0.3048, ACCELERATION): ["ft/s2", "ft/s/s", "feet/sec2"],
    ("ms", 1e-3, TIME): ["ms", "msec", "milliseconds", "MS"],
    ("us", 1e-6, TIME): ["us", "µs", "μs"],
    ("m/s", 1.0, VELOCITY): ["m/s", "m.s-1", "m s-1", "m·s⁻¹"],
    ("kN", 1e3, FORCE): ["kN", "KN"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "factor", "dimension", "text"),
    [(*unit, text) for unit, texts in SPELLINGS.items() for text in texts],
)
def test_a_unit_is_known_in_all_its_spellings(name, factor, dimension, text):
    unit = unit_of_text(text)
    assert unit is not None
    assert (unit.name, unit.dimension) == (name, dimension)
    # One rounding in a product or quotient of two factors.
    assert unit.factor == pytest.approx(factor, rel=3e-16)


@pytest.mark.parametrize(
    "text", ["", "-", "1", "furlong", "m/fortnight2", "m/(s s)", "Mn", "g/10", "m/s2 rms", "m//s"]
)
def test_what_is_no_known_unit_is_none(text):
    assert unit_of_text(text) is None


@pytest.mark.parametrize("name", ["acc", "a", "acc_x", "min", "channel 7", "in", "acc []"])
def test_a_name_without_unit_of_acceleration_carries_none(name):
    assert unit_in_name(name, ACCELERATION) is None


@pytest.mark.parametrize("name", ["acc [g] (m/s2)", "acc [x]", "acc (m/s)", "acc m/furlong/s"])
def test_a_unit_in_a_name_that_cannot_be_taken_is_refused(name):
    with pytest.raises(ValueError, match=r"two units, g and m/s2|is not a known unit of accelera"):
        unit_in_name(name, ACCELERATION)
