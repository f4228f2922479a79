"""Checks of numbers that are not declared: accepted values and messages."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from wearmodel.quantities import require_finite, require_not_negative, require_positive

Check = Callable[[str, float, str], None]
SMALLEST = 5e-324


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (require_finite, -1e308),
        (require_not_negative, 0.0),
        (require_not_negative, -0.0),
        (require_positive, SMALLEST),
        (require_positive, 1e308),
    ],
)
def test_the_ends_of_the_range_pass(check, value):
    check("width", value, "m")


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (require_finite, math.inf, "width=inf m must be finite"),
        (require_not_negative, -SMALLEST, "width=-5e-324 m must be ≥ 0 and finite"),
        (require_not_negative, math.nan, "width=nan m must be ≥ 0 and finite"),
        (require_positive, 0.0, "width=0.0 m must be > 0 and finite"),
        (require_positive, math.nan, "width=nan m must be > 0 and finite"),
        (require_positive, math.inf, "width=inf m must be > 0 and finite"),
        (require_positive, np.float64(-2.0), "width=-2.0 m must be > 0 and finite"),
    ],
)
def test_refusals_name_quantity_value_unit_and_rule(check, value, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011, the whole message is compared
        check("width", value, "m")
    assert str(caught.value) == message


def test_a_pure_number_shows_no_unit():
    with pytest.raises(ValueError, match=r"^exponent=-1\.0 must be > 0 and finite$"):
        require_positive("exponent", -1.0)
