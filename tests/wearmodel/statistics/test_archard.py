"""Worn volume and depth against 30-digit arithmetic and limits."""

from __future__ import annotations

import math

import mpmath
import pytest

from wearmodel.statistics.archard import (
    SECONDS_PER_YEAR,
    EdfMz,
    flat_pad_depth,
    service_wear_work,
    tube_depth,
    worn_volume,
)

# A handful of rounded operations.
ROUNDING = 1e-14


def test_volume_is_proportional_to_wear_work() -> None:
    # 1e-13 m³/J × 5e6 J = 5e-7 m³, over 1e-4 m² 5 mm deep.
    volume = worn_volume(1e-13, 5e6)
    assert volume == pytest.approx(5e-7, rel=ROUNDING)
    assert flat_pad_depth(volume, 1e-4) == pytest.approx(5e-3, rel=ROUNDING)


def test_service_years_scale_the_mean_power() -> None:
    # SDND104's 0.409062451015709 W for 40 years of 365.25 days.
    work = service_wear_work(0.409062451015709, 40.0)
    assert work == pytest.approx(0.409062451015709 * 40 * 365.25 * 86400, rel=ROUNDING)
    assert SECONDS_PER_YEAR == 365.25 * 86400


@pytest.mark.parametrize("wear_power", [0.01, 1.0, 20.0], ids="{}W".format)
@pytest.mark.parametrize("years", [1e-6, 1.0, 40.0], ids="{}years".format)
def test_edf_mz_agrees_with_thirty_digits(wear_power: float, years: float) -> None:
    duration = years * SECONDS_PER_YEAR
    with mpmath.workdps(30):
        power, time, decay = mpmath.mpf(wear_power), mpmath.mpf(duration), mpmath.mpf("2.44e-8")
        rate = mpmath.mpf("1e-13") * power ** mpmath.mpf("1.2")
        share = mpmath.mpf("1.14e-16") / rate
        exact = rate * (share * time + (1 - share) / decay * (1 - mpmath.exp(-decay * time)))
    # The parameters' own rounding to doubles, and that of pow.
    assert EdfMz().worn_volume(wear_power, duration) == pytest.approx(float(exact), rel=ROUNDING)


def test_edf_mz_wears_at_the_final_rate_in_the_end() -> None:
    law = EdfMz()
    early, late = (law.worn_volume(1.0, t) for t in (2e9, 3e9))
    # e^{−n t} is below 1e-21 by then; the difference of two volumes of 4e-6 keeps 1e-15 of them.
    assert (late - early) / 1e9 == pytest.approx(law.final_rate, rel=1e-6)


def test_edf_mz_refuses_powers_whose_initial_rate_is_below_the_final_one() -> None:
    # v0 = S at P = (1.14e-16/1e-13)^(1/1.2) = 3.5e-3 W.
    limit = (1.14e-16 / 1e-13) ** (1 / 1.2)
    assert EdfMz().worn_volume(1.01 * limit, 1.0) > 0.0
    with pytest.raises(ValueError, match=r"wear_power=.* W gives the initial rate .* must be ≥"):
        EdfMz().worn_volume(0.99 * limit, 1.0)


def test_tube_depth_agrees_with_thirty_digits() -> None:
    with mpmath.workdps(30):
        volume, radius, width = mpmath.mpf("3e-8"), mpmath.mpf("0.011"), mpmath.mpf("0.02")
        third = mpmath.mpf(1) / 3
        exact = (1 / (2 * radius)) ** third * (3 * volume / (4 * width)) ** (2 * third) / 2
    assert tube_depth(3e-8, 0.5, 0.011, 0.02) == pytest.approx(float(exact), rel=ROUNDING)


def test_tube_depth_is_that_of_a_shallow_circular_segment() -> None:
    # Where the bar takes no wear, the volume lost is L times a circle's segment of depth h, area
    # (4/3) h √(2 R h) for small h.
    radius, width, depth = 0.011, 0.02, 1e-6
    volume = width * 4.0 / 3.0 * depth * math.sqrt(2.0 * radius * depth)
    assert tube_depth(volume, 1.0, radius, width) == pytest.approx(depth, rel=ROUNDING)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worn_volume(-1e-13, 1.0), r"archard_coefficient=-1e-13 m2/N must be ≥ 0"),
        (lambda: worn_volume(1e-13, math.nan), r"wear_work=nan J must be ≥ 0"),
        (lambda: flat_pad_depth(1.0, 0.0), r"wear_area=0\.0 m2 must be > 0"),
        (lambda: tube_depth(1.0, 1.5, 1.0, 1.0), r"tube_share=1\.5 must be in \[0, 1\]"),
        (lambda: tube_depth(1.0, 0.5, 0.0, 1.0), r"tube_radius=0\.0 m must be > 0"),
        (lambda: service_wear_work(1.0, -1.0), r"service_years=-1\.0 a must be ≥ 0"),
        (lambda: EdfMz(decay_rate=0.0), r"decay_rate=0\.0 1/s must be > 0"),
        (lambda: EdfMz().worn_volume(0.0, 1.0), r"wear_power=0\.0 W must be > 0"),
        (lambda: EdfMz().worn_volume(1.0, -1.0), r"duration=-1\.0 s must be ≥ 0"),
        (lambda: EdfMz().worn_volume(1e-300, 1.0), r"gives the initial rate 0\.0 m3/s, which must"),
        (lambda: EdfMz().worn_volume(1e300, 1.0), r"wear_power=1e\+300 W over .* must be finite"),
        (lambda: EdfMz(coefficient=1e10).worn_volume(1e250, 2.0), r"over duration=2\.0 s wears a"),
    ],
)
def test_arguments_outside_their_range_are_refused(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
