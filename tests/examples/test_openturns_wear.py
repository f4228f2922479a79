"""The probability from OpenTURNS with the FMU agrees with the closed form."""

import math
import re
from statistics import NormalDist

import pytest
from scipy.integrate import quad

from fmu_src.archive.builder import build_fmu
from wearmodel.reference.closed_forms import RubbingShoe
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .test_examples import printed

# As in the example: both lognormal factors multiply the depth.
SCATTER = math.hypot(math.log(2.5), math.log(1.1))
SHAKING = NormalDist(15.0, 1.0)
LIMIT = 2.0  # mm


def median_depth(amplitude: float) -> float:
    """Return the depth [mm] after ten years at median coefficient and mass, in closed form."""
    power = RubbingShoe(1.0, 10.0, 0.1, amplitude, 2.0 * math.pi).mean_wear_power(4.0, 6.0)
    return 1e3 * 1e-15 * power * 10.0 * SECONDS_PER_YEAR / 1e-2


@pytest.mark.hosts
def test_form_finds_the_probability_of_the_closed_form(tmp_path):
    fmu = build_fmu("FrictionalShock", tmp_path)
    text = printed("openturns_wear.py", str(fmu), "--samples", "40", folder=tmp_path)
    (median,) = re.findall(r"after 10 years ([0-9.]+) mm", text)
    # Error of the input extrapolation over 2 ms, and four decimals.
    assert float(median) == pytest.approx(median_depth(15.0), abs=1e-4)
    want, _ = quad(
        lambda a: NormalDist().cdf(math.log(median_depth(a) / LIMIT) / SCATTER) * SHAKING.pdf(a),
        9.0, 21.0,
    )  # fmt: skip
    (form,) = re.findall(r"probability ([0-9.]+) by FORM", text)
    # FORM replaces the limit by a plane in the normal space, and stops within 1e-3 of its point.
    assert float(form) == pytest.approx(want, rel=0.01)
    (mean, half) = re.findall(r"Monte Carlo ([0-9.]+) ± ([0-9.]+), 40 runs", text)[0]
    # The seed is fixed. For 40 runs with two or three failures, twice the half width is allowed.
    assert abs(float(mean) - want) <= 2.0 * float(half)
