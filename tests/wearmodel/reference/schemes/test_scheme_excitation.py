"""The base acceleration, exact and from a table."""

import math

import pytest

from wearmodel.reference.schemes import rubbing_shoe
from wearmodel.reference.schemes.march import NO_MEMORY


def acceleration(time: float, *, tabulated: bool) -> float:
    """Return A(t) of 15 m/s2: −ẍ of a mass at x = 0 with an unloaded friction spring."""
    return -rubbing_shoe(15.0, tabulated=tabulated).response(time, 0.0, 0.0, NO_MEMORY)[0]


def test_sine_is_exact():
    assert acceleration(0.3, tabulated=False) == 15.0 * math.sin(2.0 * math.pi * 0.3)


def test_the_table_has_straight_lines_between_its_samples():
    place = 1234
    ends = [15.0 * math.sin(2.0 * math.pi * (i * 5e-5)) for i in (place, place + 1)]
    # At the middle of a table interval: rounding of numbers below 15 and of the fraction.
    middle = acceleration((place + 0.5) * 5e-5, tabulated=True)
    assert middle == pytest.approx(sum(ends) / 2.0, abs=1e-13)
    # Interpolation lowers the maximum by at most max|A''| interval²/8, which is nearly reached.
    crest = acceleration(0.25 + 2.5e-5, tabulated=True)
    bound = 15.0 * (2.0 * math.pi * 5e-5) ** 2 / 8.0
    exact = acceleration(0.25 + 2.5e-5, tabulated=False)
    assert 0.9 * bound < exact - crest <= bound


def test_the_table_reaches_the_end_of_the_run():
    end = acceleration(12.0, tabulated=True)
    assert end == pytest.approx(0.0, abs=1e-12)  # 15 sin(24π) with rounding


def test_the_amplitude_must_be_finite():
    with pytest.raises(ValueError, match=r"amplitude=nan m/s2 must be finite"):
        rubbing_shoe(math.nan)
