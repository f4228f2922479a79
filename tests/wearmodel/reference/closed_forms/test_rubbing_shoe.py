"""Wear work and regimes of the rubbing shoe."""

from __future__ import annotations

import itertools
import math
from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from wearmodel.reference.closed_forms import ETA_STAR, Regime, RubbingShoe
from wearmodel.reference.closed_forms.slips import (
    cosine_remainder,
    quarter_phase,
    sine_remainder,
)

SHOES = {
    "a15": RubbingShoe(amplitude=15.0),
    "a1p5": RubbingShoe(amplitude=1.5),
    "a1p01": RubbingShoe(amplitude=1.01),
    "eta_1_minus_1e-6": RubbingShoe(amplitude=1.0 / (1.0 - 1e-6)),
    "eta_1_minus_1e-12": RubbingShoe(amplitude=1.0 / (1.0 - 1e-12)),
    "eta_star_plus_1e-9": RubbingShoe(amplitude=1.0 / (ETA_STAR * (1.0 + 1e-9))),
    "eta_star": RubbingShoe(friction_coefficient=ETA_STAR, amplitude=10.0),
    "eta_star_minus_1e-9": RubbingShoe(amplitude=1.0 / (ETA_STAR * (1.0 - 1e-9))),
    "eta_1e-2": RubbingShoe(amplitude=100.0),
    "eta_1e-4": RubbingShoe(amplitude=1e4),
}
slipping = pytest.mark.parametrize("shoe", SHOES.values(), ids=SHOES.keys())

# Whole periods, a partial slip at one end, the first slip from its start, and windows inside an arc
# of some of the shoes.
WINDOWS = [(4.0, 12.0), (4.0, 11.99), (0.0, 3.3), (0.2503, 0.2509), (0.7, 1.4), (2.19, 2.34)]


# The values have 15 digits. 3e-15 is the rounding of the last digit.
@pytest.mark.parametrize(
    ("amplitude", "stop", "power"),
    [
        pytest.param(15.0, 12.0, 15.2670995893716, id="a15_whole_periods"),
        pytest.param(1.5, 12.0, 0.409062451015709, id="a1p5_whole_periods"),
        pytest.param(1.01, 12.0, 2.26164121279787e-4, id="a1p01_whole_periods"),
        pytest.param(15.0, 11.99, 15.2575217939436, id="a15_cut_arc"),
        pytest.param(1.5, 11.99, 0.409103132863511, id="a1p5_cut_arc"),
        pytest.param(1.01, 11.99, 2.26447180255106e-4, id="a1p01_cut_arc"),
    ],
)
def test_mean_wear_power_of_sdnd104(amplitude: float, stop: float, power: float) -> None:
    # The values were computed independently at 30 digits from exact decimal inputs. At 1.01, the
    # binary values of 0.1 and 1.01 change 1 − η by 1e-14, and the power is proportional to
    # (1 − η)².
    assert RubbingShoe(amplitude=amplitude).mean_wear_power(4.0, stop) == pytest.approx(
        power, rel=3e-14, abs=0
    )


# SDND104 (V5.01.104), section 2.1, "Benchmark results": printed digits of the table. The value over
# [4, 11.99] s is the "reference" in the text of section 2. The tolerance is half of the last digit.
@pytest.mark.parametrize(
    ("amplitude", "window", "printed", "half_digit"),
    [
        pytest.param(15.0, (4.0, 12.0), 15.26709959, 5e-9, id="table_a15"),
        pytest.param(1.5, (4.0, 12.0), 0.40906245, 5e-9, id="table_a1p5"),
        pytest.param(1.01, (4.0, 12.0), 2.261641e-4, 5e-11, id="table_a1p01"),
        pytest.param(15.0, (4.0, 11.99), 15.257521794, 5e-10, id="text_a15"),
    ],
)
def test_the_table_of_sdnd104_holds_over_4_to_12_s(
    amplitude: float, window: tuple[float, float], printed: float, half_digit: float
) -> None:
    assert abs(RubbingShoe(amplitude=amplitude).mean_wear_power(*window) - printed) <= half_digit


def test_asymptotic_power_and_reversal_phase_of_slip_slip() -> None:
    shoe = RubbingShoe(amplitude=15.0)
    # 15 and 7 digits, computed independently. The tolerance is the rounding of the last digit.
    assert shoe.steady_wear_power == pytest.approx(15.1146144886113, rel=3e-15, abs=0)
    assert abs(shoe.steady_reversal_time - 0.2333027) <= 5e-8


@slipping
@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_wear_work_is_exact(
    shoe: RubbingShoe, window: tuple[float, float], reference_shoe: type
) -> None:
    want = reference_shoe(shoe, window[1]).wear_work(*window)
    # The required accuracy is 1e-12. If the window contains only the end of a slip, the slip speed
    # there is a difference: 1e-14 of the wear work of the half period covers some tens of
    # roundings.
    tolerance = 1e-12 * float(want) + 1e-14 * shoe.half_period_wear_work
    assert abs(float(shoe.wear_work(*window) - want)) <= tolerance


positive = st.floats(-2.0, 2.0).map(lambda exponent: 10.0**exponent)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(
    mass=positive,
    gravity=positive,
    friction_coefficient=st.floats(0.01, 1.0),
    eta=st.one_of(st.floats(1e-3, 1.2), st.floats(0.53, 0.545), st.floats(0.999, 1.0)),
    angular_frequency=positive,
    start=st.floats(0.0, 5.0),
    length=st.floats(1e-3, 5.0),
)
def test_wear_work_is_exact_for_any_parameters_and_window(
    mass: float,
    gravity: float,
    friction_coefficient: float,
    eta: float,
    angular_frequency: float,
    start: float,
    length: float,
    reference_shoe: type,
) -> None:
    amplitude = friction_coefficient * gravity / eta
    shoe = RubbingShoe(mass, gravity, friction_coefficient, amplitude, angular_frequency)
    period = 2.0 * math.pi / angular_frequency
    window = start * period, (start + length) * period
    # At η = 1 within rounding, the library sticks. The slip of the reference is below 1e-30.
    want = reference_shoe(shoe, window[1]).wear_work(*window) if shoe.eta < 1.0 else mpf(0)
    # As in test_wear_work_is_exact.
    tolerance = 1e-12 * float(want) + 1e-14 * shoe.half_period_wear_work
    assert abs(float(shoe.wear_work(*window) - want)) <= tolerance


@slipping
def test_wear_work_stays_exact_after_many_periods(shoe: RubbingShoe, reference_shoe: type) -> None:
    # At a15, the reversals are then 1e-9 from their limit, an intermediate case.
    window = 77.3, 79.9
    want = reference_shoe(shoe, window[1]).wear_work(*window)
    # As in test_wear_work_is_exact.
    tolerance = 1e-12 * float(want) + 1e-14 * shoe.half_period_wear_work
    assert abs(float(shoe.wear_work(*window) - want)) <= tolerance


def test_wear_work_is_exact_over_a_tenth_of_a_microsecond(reference_shoe: type) -> None:
    shoe = SHOES["a15"]
    window = 5.3, 5.3 + 1e-7
    want = reference_shoe(shoe, 6.0).wear_work(*window)
    # The required accuracy of 1e-12 applies to the work itself, because the window is inside one
    # slip.
    assert shoe.wear_work(*window) == pytest.approx(float(want), rel=1e-12, abs=0)


@pytest.mark.parametrize("name", ["a1p5", "a1p01", "eta_1_minus_1e-6"])
def test_stick_slip_repeats_exactly_after_a_million_periods(
    name: str, reference_shoe: type
) -> None:
    shoe = SHOES[name]
    start, stop = 1e6 + 0.26, 1e6 + 2.8
    with mp.workdps(50):
        # The period of the binary ω is not exactly 1 s. The difference matters after a million
        # periods.
        shift = 1_000_000 * 2 * mp.pi / mpf(shoe.angular_frequency)
        want = reference_shoe(shoe, 3.0).wear_work(mpf(start) - shift, mpf(stop) - shift)
    # The required accuracy is 1e-12. The window contains whole slips.
    assert shoe.wear_work(start, stop) == pytest.approx(float(want), rel=1e-12, abs=0)


# The shoes of η = 1e-2 and 1e-4 are omitted. They take 1e3 and 1e5 periods to settle.
@pytest.mark.parametrize("name", [name for name, shoe in SHOES.items() if shoe.eta > 0.05])
def test_a_settled_period_holds_twice_the_work_of_a_half_period(name: str) -> None:
    # SDND104, section 2, uses the name "one asymptotic period" for the work of a half period.
    shoe = SHOES[name]
    period = 2.0 * math.pi / shoe.angular_frequency
    # After 500 periods, the deviation has decreased by 0.87^1000 at a15. Rounding of start and stop
    # moves the ends of the window by 1e-13 s.
    start, stop = 500 * period, 501 * period
    work = shoe.wear_work(start, stop)
    assert work == pytest.approx(2.0 * shoe.half_period_wear_work, rel=1e-12, abs=0)
    power = shoe.mean_wear_power(start, stop)
    assert power == pytest.approx(shoe.steady_wear_power, rel=1e-12, abs=0)


@pytest.mark.parametrize("name", ["a15", "eta_star", "eta_1e-2", "eta_1e-4"])
def test_steady_power_of_slip_slip_is_the_documents_formula(name: str) -> None:
    shoe = SHOES[name]
    with mp.workdps(50):
        mass, gravity, mu, amplitude, frequency = map(mpf, astuple(shoe))
        root = mp.sqrt(4 - (mp.pi * mu * gravity / amplitude) ** 2)
        want = mass * gravity * amplitude * root / (mp.pi * frequency)
    # A few roundings.
    assert shoe.steady_wear_power == pytest.approx(float(want), rel=2e-15, abs=0)


@pytest.mark.parametrize(
    ("eta", "regime"),
    [
        (1e-3, Regime.SLIP_SLIP),
        (ETA_STAR * (1.0 - 1e-9), Regime.SLIP_SLIP),
        (ETA_STAR, Regime.SLIP_SLIP),
        (ETA_STAR * (1.0 + 1e-9), Regime.STICK_SLIP),
        (1.0 - 1e-12, Regime.STICK_SLIP),
        (1.0, Regime.STICK),
        (1.1, Regime.STICK),
    ],
)
def test_regime_follows_from_eta(eta: float, regime: Regime) -> None:
    shoe = RubbingShoe(2.0, 1.0, eta, 1.0, 3.0)
    assert shoe.eta == eta
    assert shoe.regime is regime


def test_power_passes_eta_star_without_a_jump() -> None:
    # The program in the EDF document returns 0 exactly at η*. The slope of the power in η is of
    # order 1.
    powers = [
        RubbingShoe(friction_coefficient=mu, amplitude=10.0).mean_wear_power(4.0, 12.0)
        for mu in (ETA_STAR * (1.0 - 1e-9), ETA_STAR, ETA_STAR * (1.0 + 1e-9))
    ]
    assert powers[1] > 1.0
    assert powers == pytest.approx([powers[1]] * 3, rel=1e-8, abs=0)


@pytest.mark.parametrize("amplitude", [0.99, 1.0, 0.01])
def test_no_wear_at_all_in_stick(amplitude: float) -> None:
    shoe = RubbingShoe(amplitude=amplitude)
    assert shoe.wear_work(4.0, 12.0) == 0.0
    assert shoe.friction_work(0.0, 1e5) == 0.0
    assert shoe.steady_wear_power == 0.0
    assert shoe.first_onset == math.inf


def test_no_wear_before_the_first_onset_and_between_slips() -> None:
    shoe = RubbingShoe(amplitude=1.5)
    assert shoe.wear_work(0.0, shoe.first_onset * (1.0 - 1e-15)) == 0.0
    assert shoe.wear_work(0.53, 0.61) == 0.0  # the first slip stops at 0.52889 s


@slipping
def test_first_onset_is_where_stick_needs_the_whole_friction(shoe: RubbingShoe) -> None:
    with mp.workdps(50):
        eta = mpf(shoe.friction_coefficient) * mpf(shoe.gravity) / mpf(shoe.amplitude)
        want = mp.asin(eta) / mpf(shoe.angular_frequency)
    # A few roundings.
    assert shoe.first_onset == pytest.approx(float(want), rel=1e-15, abs=0)


@slipping
def test_wear_work_adds_up_over_windows(shoe: RubbingShoe) -> None:
    cuts = [0.0, 0.1, 0.2504, 0.3, 0.9, 1.6, 4.0]
    parts = [shoe.wear_work(*pair) for pair in itertools.pairwise(cuts)]
    # A few roundings of the sum.
    assert math.fsum(parts) == pytest.approx(shoe.wear_work(0.0, 4.0), rel=1e-14, abs=0)


def test_friction_work_is_wear_work_times_the_coefficient() -> None:
    shoe = RubbingShoe(amplitude=1.5)
    # Wear power is F_N |v| and friction power is μ F_N |v|. They differ by one rounding.
    assert shoe.friction_work(1.0, 2.7) == pytest.approx(0.1 * shoe.wear_work(1.0, 2.7), rel=1e-15)
    ratio = shoe.friction_work(1.0, 2.7) / 1.7 / shoe.mean_wear_power(1.0, 2.7)
    assert ratio == pytest.approx(0.1, rel=1e-15)


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 0.5, 1.999, 2.001, 3.0, 6.3])
def test_remainders_are_accurate_relative_to_themselves(angle: float) -> None:
    with mp.workdps(80):  # at 1e-9, the plain difference loses 38 digits
        x = mpf(angle)
        sine, cosine = x - mp.sin(x), x * x / 2 - 1 + mp.cos(x)
    # The series, and above 2 the difference, amplify rounding by at most a factor of five.
    assert sine_remainder(angle) == pytest.approx(float(sine), rel=1e-15, abs=0)
    assert cosine_remainder(angle) == pytest.approx(float(cosine), rel=1e-15, abs=0)


@pytest.mark.parametrize("time", [0.3, 12.0, 1e3, 2.6e5])
@pytest.mark.parametrize("frequency", [0.1, 2.0 * math.pi, 6.3])
def test_phases_are_reduced_to_rounding(frequency: float, time: float) -> None:
    quarters, rest = quarter_phase(frequency, time)
    with mp.workdps(40):
        want = mpf(frequency) * mpf(time) - quarters * mp.pi / 2
        assert abs(float(rest - want)) <= 1.2e-16  # one unit in the last place of π/4
    assert abs(rest) <= 0.25 * math.pi * (1.0 + 1e-9)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"mass": 0.0}, "mass=0.0 kg must be > 0 and finite"),
        ({"gravity": -10.0}, "gravity=-10.0 m/s2 must be > 0 and finite"),
        ({"friction_coefficient": -0.1}, "friction_coefficient=-0.1 must be > 0 and finite"),
        ({"amplitude": math.nan}, "amplitude=nan m/s2 must be > 0 and finite"),
        ({"angular_frequency": math.inf}, "angular_frequency=inf rad/s must be > 0 and finite"),
    ],
)
def test_bad_parameters_are_refused(changed: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        RubbingShoe(**changed)


@pytest.mark.parametrize("window", [(-1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (0.0, math.inf)])
def test_bad_windows_are_refused(window: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"^window=\[.*\] s must be finite with 0 ≤ start < stop$"):
        RubbingShoe(amplitude=1.5).wear_work(*window)


def test_reversal_phase_is_refused_outside_slip_slip() -> None:
    with pytest.raises(ValueError, match=r"^eta=0\.6666666666666667 must be ≤ 0\.537"):
        _ = RubbingShoe(amplitude=1.5).steady_reversal_time
