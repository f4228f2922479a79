"""Extrapolation over service time, compared with closed forms, and the coverage of error bars."""

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.rates.cliffs import KINDS, CliffRate, cliff_outcome
from wearmodel.statistics.cycle_jump import (
    AskedRates,
    HalfJump,
    Jump,
    LifePoint,
    WearRates,
    time_to_reach,
    wear_life,
)

YEARS = 40.0 * 31_557_600.0  # s
# At this constant rate, the depth is 100 µm after 40 years.
RATE = 1e-4 / YEARS
SCALE = 1e-4  # m

Law = Callable[[float], float]

# ḣ/RATE as a function of x = h/SCALE, and x after the fraction τ of the service time.
_CLOSED_FORMS: dict[str, tuple[Law, Law]] = {
    "constant": (lambda x: 1.0, lambda t: t),
    "spring-loaded": (lambda x: 1.0 - x, lambda t: 1.0 - math.exp(-t)),
    "accelerating": (lambda x: 1.0 + x, lambda t: math.exp(t) - 1.0),
    "soft-spring": (lambda x: 1.0 - 3.0 * x, lambda t: (1.0 - math.exp(-3.0 * t)) / 3.0),
    "inverse": (lambda x: 1.0 / (1.0 + x), lambda t: math.sqrt(1.0 + 2.0 * t) - 1.0),
    "inverse-square": (lambda x: (1.0 + x) ** -2, lambda t: (1.0 + 3.0 * t) ** (1.0 / 3.0) - 1.0),
    "square": (lambda x: (1.0 - x) ** 2, lambda t: t / (1.0 + t)),
    "logistic": (lambda x: (0.1 + x) * (1.0 - x), lambda t: _logistic(t)),
    "running-in": (lambda x: math.exp(-2.0 * x), lambda t: 0.5 * math.log1p(2.0 * t)),
    "exponential": (lambda x: math.exp(0.5 * x), lambda t: -2.0 * math.log1p(-0.5 * t)),
}


def _logistic(share: float) -> float:
    # x' = (a + x)(1 − x), a = 0.1, from 0: (a + x)/(1 − x) = a e^{(1+a)τ}.
    odds = 0.1 * math.exp(1.1 * share)
    return (odds - 0.1) / (1.0 + odds)


def _rates(law: Law, error: float = 0.0) -> Callable[[np.ndarray], WearRates]:
    """Return rates with a common relative error, equal to the half width of their intervals."""

    def wear_rates(depths: np.ndarray) -> WearRates:
        rates = np.array([RATE * law(depth / SCALE) for depth in depths])
        return WearRates(rates * (1.0 + error), np.abs(rates) * abs(error))

    return wear_rates


@pytest.mark.parametrize("allowed", [0.1, 0.01, 0.001])
@pytest.mark.parametrize(("law", "exact"), _CLOSED_FORMS.values(), ids=_CLOSED_FORMS)
def test_the_bar_holds_the_closed_form_and_what_is_allowed(law, exact, allowed):
    points = wear_life(_rates(law), YEARS, relative_error=allowed)
    for point in points[1:]:
        want = SCALE * exact(point.time / YEARS)
        # Rounding is below 1e-15 of the depth.
        assert abs(point.depths[0] - want) <= point.bars[0] + 1e-15 * SCALE
    last = points[-1]
    assert last.time == YEARS
    # Half of the allowed error is reserved for the steps. It grows if wear accelerates.
    assert last.bars[0] <= 0.5 * allowed * last.depths[0] * max(1.0, law(last.depths[0] / SCALE))


def test_a_rate_that_falls_steeply_at_first_is_followed():
    # Resembles the scar of a tube, whose depth grows with a root of the volume: ẋ = 1 − √x/2.
    last = wear_life(_rates(lambda x: 1.0 - 0.5 * math.sqrt(x)), YEARS, relative_error=0.01)[-1]
    # With y = √x: τ = ∫ 2y dy/(1 − y/2) = −4y − 8 ln(1 − y/2) = 1.
    root = brentq(lambda y: -4.0 * y - 8.0 * math.log1p(-0.5 * y) - 1.0, 0.1, 1.5, xtol=1e-15)
    assert abs(last.depths[0] - SCALE * root**2) <= last.bars[0]
    assert last.bars[0] <= 0.01 * last.depths[0]


def test_a_contact_that_is_soon_unloaded_still_wears_until_then():
    # In the first step, the midpoints of the step and of its halves have zero rates.
    points = wear_life(_rates(lambda x: max(0.0, 1.0 - 50.0 * x)), YEARS)
    want = SCALE * -math.expm1(-50.0) / 50.0
    assert abs(points[-1].depths[0] - want) <= points[-1].bars[0]
    assert points[-1].bars[0] <= 0.05 * want


@pytest.mark.parametrize("error", [0.05, -0.05])
@pytest.mark.parametrize(("law", "exact"), _CLOSED_FORMS.values(), ids=_CLOSED_FORMS)
def test_the_bar_holds_the_closed_form_whatever_the_runs_err(law, exact, error):
    last = wear_life(_rates(law, error), YEARS, relative_error=0.1)[-1]
    want = SCALE * exact(1.0)
    # Errors are propagated to second order. The neglected square of a 5 % error is 0.25 % of the
    # error bar.
    assert abs(last.depths[0] - want) <= last.bars[0] * (1.0 + 0.05**2)
    # The error bar is at most twice the error if the rate does not increase.
    assert last.bars[0] <= 0.2 * last.depths[0]


def test_an_error_allowed_halved_costs_about_in_proportion():
    asked = 0

    def counted(depths: np.ndarray) -> WearRates:
        nonlocal asked
        asked += 1
        return _rates(_CLOSED_FORMS["soft-spring"][0])(depths)

    costs = []
    for allowed in (4e-4, 1e-4, 2.5e-5):
        asked = 0
        wear_life(counted, YEARS, relative_error=allowed)
        costs.append(asked)
    # The midpoint rule has second order: twice the steps give a quarter of the error.
    assert costs[1] / costs[0] == pytest.approx(2.0, rel=0.25)
    assert costs[2] / costs[1] == pytest.approx(2.0, rel=0.25)


@pytest.mark.parametrize("law", _CLOSED_FORMS, ids=_CLOSED_FORMS)
def test_chance_that_is_not_smooth_in_the_depth_costs_no_endless_jumps(law):
    # Noise with stick and slip: runs at neighbouring depths have errors of ±1 %.
    random = np.random.default_rng(3)
    function, exact = _CLOSED_FORMS[law]
    asked = 0

    def wear_rates(depths: np.ndarray) -> WearRates:
        nonlocal asked
        asked += 1
        rates = np.array([RATE * function(depth / SCALE) for depth in depths])
        return WearRates(rates * (1.0 + random.uniform(-0.01, 0.01)), 0.012 * np.abs(rates))

    last = wear_life(wear_rates, YEARS, relative_error=0.05)[-1]
    assert asked < 150
    assert abs(last.depths[0] - SCALE * exact(1.0)) <= last.bars[0] <= 0.05 * last.depths[0]


def test_two_depths_wear_each_at_its_own_rate():
    def wear_rates(depths: np.ndarray) -> WearRates:
        rates = RATE * np.array([1.0 - depths[0] / SCALE, 0.5])
        return WearRates(rates, np.zeros(2))

    last = wear_life(wear_rates, YEARS, depths=(0.0, 1e-5), relative_error=1e-3)[-1]
    assert last.depths[0] == pytest.approx(SCALE * (1.0 - math.exp(-1.0)), rel=1e-3)
    assert last.depths[1] == pytest.approx(1e-5 + 0.5 * SCALE, rel=1e-12)
    assert last.bars[1] <= 1e-18


def test_a_limit_is_reached_at_its_time_with_a_bar():
    points = wear_life(_rates(lambda x: 1.0, 0.05), YEARS)
    crossing = time_to_reach(points, 0.5 * SCALE)
    assert crossing.time == pytest.approx(0.5 / 1.05 * YEARS, rel=1e-9)
    # An error of ±5 % of the rate.
    assert crossing.earliest < 0.5 / 1.05 * YEARS < 0.5 * YEARS <= crossing.latest * (1 + 1e-9)
    never = time_to_reach(points, 2.0 * SCALE)
    assert (never.time, never.earliest, never.latest) == (math.inf, math.inf, math.inf)
    assert time_to_reach(points, 0.0).time == 0.0


def test_every_point_is_reported_as_soon_as_it_is_known():
    seen: list[LifePoint] = []
    points = wear_life(_rates(_CLOSED_FORMS["square"][0]), YEARS, progress=seen.append)
    assert seen == points
    assert all(a.time < b.time for a, b in itertools.pairwise(points))


def test_no_wear_stays_no_wear():
    last = wear_life(_rates(lambda x: 0.0), YEARS)[-1]
    assert (last.depths[0], last.bars[0]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"duration": 0.0}, r"duration=0\.0 s must be > 0"),
        ({"relative_error": 0.0}, r"relative_error=0\.0 must be > 0"),
        ({"depths": (math.nan,)}, r"depths=\(nan,\) m must be a row of finite"),
        ({"wear_rates": _rates(lambda x: math.nan)}, r"rates=\[nan\] .* must be finite"),
    ],
)
def test_arguments_outside_their_range_are_refused(arguments, message):
    given = {"wear_rates": _rates(lambda x: 1.0), "duration": 1.0, **arguments}
    with pytest.raises(ValueError, match=message):
        wear_life(**given)  # type: ignore[arg-type]


def test_rates_that_jump_about_are_refused_rather_than_followed_for_ever():
    random = np.random.default_rng(1)

    def wear_rates(depths: np.ndarray) -> WearRates:
        return WearRates(RATE * random.uniform(0.0, 2.0, 1), np.zeros(1))

    with pytest.raises(ValueError, match=r"rates change so much .* allow a larger relative_error"):
        wear_life(wear_rates, YEARS, relative_error=1e-4)


@pytest.mark.parametrize(("rate", "duration"), [(1e300, 1.0), (1.0, 1e300), (-1e200, 1e150)])
def test_what_would_overflow_is_refused_before_the_first_jump(rate, duration):
    with pytest.raises(ValueError, match=r"over duration=.* s must stay below 1e\+100"):
        wear_life(
            lambda depths: WearRates(np.full_like(depths, rate), np.zeros_like(depths)), duration
        )


@pytest.mark.long
@pytest.mark.parametrize("error", [0.0, 0.02])
@pytest.mark.parametrize("kind", KINDS)
def test_the_bar_holds_lives_over_cliffs_dips_and_peaks(kind, error):
    # `python -m tests.rates` runs hundreds of service lives. Here, too, at most 5 % may be outside.
    outcome = cliff_outcome(kind, 40, error=error)
    assert outcome.outside <= 2
    assert outcome.refused == 0
    # Two discontinuities may use the allowed error of 5 %, which grows if the rate increases.
    assert outcome.bar <= 0.05


@pytest.mark.parametrize("factor", [0.1, 10.0])
@pytest.mark.parametrize("share", np.arange(8) / 8.0)
def test_a_feature_wider_than_the_spacing_is_held_wherever_it_begins(factor, share):
    steady = CliffRate(0.0, math.inf, math.inf, 1.0)
    spacing = wear_life(_of_depth(steady), 1.0)[-1].spacing[0]
    assert spacing == pytest.approx(1.0 / 80.0)
    width = 1.01 * spacing
    rate = CliffRate(0.0, 0.4 + share * spacing, 0.4 + share * spacing + width, factor)
    last = wear_life(_of_depth(rate), 1.0)[-1]
    assert abs(last.depths[0] - rate.depth(1.0)) <= last.bars[0] <= 0.05 * last.depths[0]
    # Discontinuities are located within the shortest step across them, 1/100 of the time.
    assert any(abs(depth - rate.begin) <= 0.01 for _, depth in last.cliffs)


def test_a_smooth_rate_has_no_cliffs_though_runs_err_by_chance():
    random = np.random.default_rng(5)

    def wear_rates(depths: np.ndarray) -> WearRates:
        rates = RATE * (1.0 - 0.8 * depths / SCALE)
        return WearRates(rates * (1.0 + random.uniform(-0.01, 0.01)), 0.012 * rates)

    assert wear_life(wear_rates, YEARS)[-1].cliffs == ()


def test_a_bar_made_in_a_dip_grows_when_the_rate_does_and_no_other_does():
    # All rates have an error of 2 %. At the end, the error of the depth is 2 % of the time,
    # multiplied by the final rate of 1.
    rate = CliffRate(0.0, 0.3, 0.35, 0.1)

    def wear_rates(depths: np.ndarray) -> WearRates:
        rates = np.array([rate(depth) for depth in depths])
        return WearRates(rates, 0.02 * rates)

    last = wear_life(wear_rates, 1.0, relative_error=0.01)[-1]
    assert 0.02 <= last.parts[0, 0] <= 0.021


def _of_depth(rate: CliffRate) -> Callable[[np.ndarray], WearRates]:
    return lambda depths: WearRates(np.array([rate(x) for x in depths]), np.zeros_like(depths))


def test_a_jump_that_looks_too_far_ahead_is_given_up_at_its_first_quarter():
    asked: list[float] = []

    def rates(depths: np.ndarray) -> WearRates:
        asked.append(float(depths[0]))
        return WearRates(1e-12 * np.exp(-depths / 2e-6), np.zeros(1))

    wear_life(rates, 1e9, relative_error=0.1)
    # Wear is almost zero after a quarter of 5e7 s. The next evaluation must be the quarter of a
    # shorter step, and not the end of the first step.
    assert asked[1] == pytest.approx(1.25e-5)
    assert asked[2] == pytest.approx(0.25e-5)


def test_the_first_jump_looks_no_farther_than_a_part_of_the_limit():
    asked: list[float] = []

    def rates(depths: np.ndarray) -> WearRates:
        asked.append(float(depths[0]))
        return WearRates(np.array([1e-12]), np.zeros(1))

    wear_life(rates, 1e9, relative_error=0.1, scales=1e-5)
    # A quarter of a tenth of the limit. Later steps are longer.
    assert asked[1] == pytest.approx(0.25e-6)
    assert asked[-1] == pytest.approx(1e-3)


def test_a_life_ends_at_the_point_where_it_is_finished():
    points = wear_life(
        _rates(lambda x: 1.0), YEARS, is_finished=lambda point: point.depths[0] > 0.5 * SCALE
    )
    # A step covers at most 1/20 of the service time.
    assert 0.5 * YEARS < points[-1].time <= 0.55 * YEARS * (1.0 + 1e-9)


def test_a_skipped_rate_may_be_valid_for_a_quarter_of_the_step():
    rates = {1.5: 3.0, 2.5: 2.0, 2.75: 1.0, 0.0: 9.0, 4.0: 9.0}
    one = WearRates(np.ones(2), np.zeros(2))
    asked = AskedRates(lambda depths: WearRates(np.full(2, rates[depths[0]]), np.zeros(2)), 1, abs)
    path = np.arange(5.0)[:, np.newaxis] * np.ones(2)
    halves = (HalfJump(2.0, path[begin : begin + 3], one, one, one) for begin in (0, 2))
    jump = Jump(*halves)
    assert asked.skipped(jump).tolist() == [0.0, 0.0]
    for depth in rates:
        asked(np.full(2, depth))
    # The largest difference, 3 − 1. Rates at the ends of the step, and of other depths than the
    # judged one, do not count.
    assert asked.skipped(jump).tolist() == [0.5, 0.0]
    asked.forget_before(np.array([1.5, 1.5]))
    assert asked.skipped(jump).tolist() == [0.25, 0.0]
