"""Required precision of a wear power, compared with sums by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.life import load_life
from harness.life.known_power import KnownPower, Precision, known_power, why_not
from harness.life.life_file import Life
from harness.life.motion_runs import Rates
from wearmodel.statistics.known_rate import KnownRate
from wearmodel.statistics.paired_blocks import half_widths
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .pads import LIFE, life_file

INF = math.inf


def rate_of(mean: float, half: float, **changed: Any) -> KnownRate:
    """Return a rate with a symmetric interval, from a run of 100 s with many events."""
    made = KnownRate(mean, mean - half, mean + half, 0.95, 100.0, INF, 0.0)
    return replace(made, **changed)


def rates_of(mean: float, half: float = 0.0, **changed: Any) -> Rates:
    rate = rate_of(mean, half, **changed)
    return Rates(rate, rate)


def power_of(**changed: Any) -> KnownPower:
    return KnownPower(4.0, 0.4, 8.0, 0.8, 0.0, 100.0)._replace(**changed)


def test_the_error_of_the_step_is_in_proportion_to_the_power() -> None:
    first = power_of(power_step=0.1, weighed_step=0.3)
    present = power_of(power=2.0, weighed=16.0).with_step_of(first)
    assert (present.power_step, present.weighed_step) == pytest.approx((0.05, 0.6))
    # Without an initial power the error is constant.
    unworn = power_of(power=0.0, weighed=0.0, power_step=0.1, weighed_step=0.3)
    assert power_of().with_step_of(unworn)[10:12] == pytest.approx((0.1, 0.3))


def test_the_error_of_the_step_is_the_part_of_a_difference_beyond_chance() -> None:
    known = power_of()
    certain = known.with_half_the_step(rates_of(10.0), rates_of(11.0))
    assert (certain.power_step, certain.weighed_step) == (1.0, 1.0)
    none = known.with_half_the_step(rates_of(10.0), rates_of(10.0))
    assert (none.power_step, none.weighed_step) == (0.0, 0.0)
    # Blocks that differ by 0.1 and 0.2 have a standard error of √0.05.
    scatter = rates_of(10.0, standard_error=1.0)
    whole, half = scatter._replace(blocks=(1.0, 2.0)), rates_of(11.0)._replace(blocks=(1.1, 2.2))
    part = 1.0 - 2.0 * math.sqrt(0.05)
    found = known.with_half_the_step(whole, half)
    assert (found.power_step, found.weighed_step) == pytest.approx((part, part))
    other = half._replace(blocks=(2.0, 2.0))
    assert known.with_half_the_step(whole, other).weighed_step == 0.0


def service(folder: Path, more: str = "", years: float = 40.0) -> Life:
    """Return a service life with a relative error of 2 %, k = 1e-16 m²/N and 1 cm²."""
    return load_life(life_file(folder, LIFE.replace("40.0", repr(years)) + more))


@pytest.mark.parametrize("half", [0.005, 0.0099, 0.0101, 0.02])
def test_a_power_is_known_to_half_of_the_allowed_error(half: float, tmp_path: Path) -> None:
    precision = Precision(service(tmp_path))
    assert precision.allowed == 0.01
    rates = rates_of(1.0, half, standard_error=half / 2.0)
    (judged,) = precision.judged(0, [rates], [0.0], 0.0)
    assert judged.is_enough is (half < 0.01)
    assert judged.is_bounded
    # Scatter decreases with the square root of the time.
    assert judged.has_scatter
    assert judged.share_needed == judged.lengths_needed == pytest.approx((half / 0.01) ** 2)
    # A drift does not decrease, so the necessary time is not known.
    drift = replace(rates.weighed, standard_error=0.0)
    (judged,) = precision.judged(0, [Rates(drift, drift)], [0.0], 0.0)
    assert judged.lengths_needed == (INF if half > 0.01 else pytest.approx((half / 0.01) ** 2))
    assert not judged.is_idle


def test_a_power_without_an_interval_is_judged_by_a_quarter_of_the_smallest_power(
    tmp_path: Path,
) -> None:
    precision = Precision(service(tmp_path))
    precision.take(0, 0, power_of(weighed=5.0), 0.0)
    # The smallest power wears 2e-11 m³ in the service time.
    volume = 2e-11
    least = volume / (1e-16 * 40.0 * SECONDS_PER_YEAR)
    for half, is_enough in ((0.24, True), (0.26, False)):
        doubtful = rates_of(0.0, half * 0.01 * least, reason="few events", events=30.0)
        (judged,) = precision.judged(0, [doubtful], [volume], 0.0)
        assert judged.is_enough is is_enough
        assert not judged.is_bounded
        assert judged.share_needed == pytest.approx(4.0 * half)
        assert not judged.has_scatter


def test_no_wear_at_all_is_idle(tmp_path: Path) -> None:
    precision = Precision(service(tmp_path))
    never = rates_of(0.0, upper=INF, events=0.0, reason="no event")
    (judged,) = precision.judged(0, [never], [0.0], 0.0)
    assert judged.is_idle
    assert not judged.is_enough
    assert judged.share_needed == INF
    certain = replace(never.weighed, upper=0.0, lower=0.0, reason="")
    (judged,) = precision.judged(0, [Rates(certain, certain)], [0.0], 0.0)
    assert judged.is_enough
    assert not judged.is_idle


def test_a_motion_matters_from_a_tenth_of_its_largest_power_on(tmp_path: Path) -> None:
    precision = Precision(service(tmp_path))
    precision.take(0, 0, power_of(weighed=5.0), 0.0)
    precision.take(0, 0, power_of(weighed=2.0), 1e-12)
    assert precision.matters(0, [power_of(weighed=0.5)])
    assert not precision.matters(0, [power_of(weighed=0.49)])


@pytest.mark.parametrize("criterion", [None, 3e-12], ids=["no limit", "limit"])
def test_a_small_power_is_judged_by_the_wear_it_would_need(
    criterion: float | None, tmp_path: Path
) -> None:
    more = f'criterion = {{ variable = "volume", limit = {criterion} }}\n' if criterion else ""
    precision = Precision(service(tmp_path, more))
    needed = 1e-16 * 40.0 * SECONDS_PER_YEAR
    for volume in (1e-12, 5e-12):
        least = max(volume, criterion or 0.0) / needed
        for factor in (0.99, 1.01):
            # The power is far below its error. The volume or the limit determines the accuracy.
            tiny = rates_of(1e-9 * least, factor * 0.01 * least, standard_error=1e-3 * least)
            (judged,) = precision.judged(0, [tiny], [volume], 0.0)
            assert judged.is_enough is (factor < 1.0)


def test_a_power_that_falls_lasts_for_a_while_only(tmp_path: Path) -> None:
    life = service(tmp_path)
    precision, duration = Precision(life), 40.0 * SECONDS_PER_YEAR
    precision.take(0, 0, power_of(weighed=8.0), 0.0)
    volume, power, coefficient = 1e-10, 1.0, 1e-16
    # The power decreases by a factor e per volume w. In the remaining time, it wears the volume
    # v = w ln(1 + V̇ t/w).
    falls = volume / math.log(8.0)
    rate = coefficient * power
    lasts = falls / rate * math.log1p(rate * duration / falls)
    least = volume / coefficient / min(duration, 3.0 * lasts)
    assert 3.0 * lasts < duration
    for factor, is_enough in ((0.99, True), (1.01, False)):
        rates = rates_of(power, factor * 0.01 * max(power, least), standard_error=1.0)
        (judged,) = precision.judged(0, [rates], [volume], 0.0)
        assert judged.is_enough is is_enough


@pytest.mark.parametrize(
    ("volume", "power", "falls"),
    [
        # The earlier powers are 1 mW without wear and 0.8 mW with 1e-10 m³.
        (2e-10, 4.01e-4, True),
        (2e-10, 3.99e-4, True),
        (2e-10, 5.01e-4, False),
        (2e-10, 0.0, False),
        # A power at the same volume is no earlier one.
        (1e-10, 3.99e-4, True),
        (0.0, 1e-5, False),
    ],
)
def test_a_power_falls_if_it_was_more_than_twice_as_large(
    volume: float, power: float, tmp_path: Path, *, falls: bool
) -> None:
    life = service(tmp_path)
    precision, left = Precision(life), 10.0 * SECONDS_PER_YEAR
    precision.take(0, 0, power_of(weighed=1e-3), 0.0)
    precision.take(0, 0, power_of(weighed=8e-4), 1e-10)
    found = precision._lasting((0, 0), volume, power, left)
    if not falls:
        assert found == left
        return
    # The latest power that was more than twice as large.
    before, then = (1e-10, 8e-4) if volume > 1e-10 and power < 4e-4 else (0.0, 1e-3)
    falls_in = (volume - before) / math.log(then / power)
    rate = life.law.rate(power, 0.0)
    assert found == pytest.approx(falls_in / rate * math.log1p(rate * left / falls_in))
    assert found < left
    # Other contacts and conditions have their own powers.
    assert precision._lasting((1, 0), volume, power, left) == left


def test_a_power_without_a_bound_has_no_error_bar(tmp_path: Path) -> None:
    precision = Precision(service(tmp_path))
    open_ended = rate_of(2.0, 0.2, upper=INF)
    rates = Rates(open_ended, rate_of(10.0, 0.5))
    (judged,) = precision.judged(0, [rates], [0.0], 0.0)
    known = known_power(rates, judged, 100.0, is_enough=False)
    # The relative error of the weighted power, 5 %.
    assert (known.power_bar, known.weighed_bar) == pytest.approx((0.1, 0.5))
    both = Rates(open_ended, replace(open_ended, reason="few events"))
    (judged,) = precision.judged(0, [both], [0.0], 0.0)
    known = known_power(both, judged, 100.0, is_enough=False)
    assert (known.power_bar, known.weighed_bar, known.weighed_fixed) == (0.0, 0.0, 0.0)
    assert not known.is_bounded


@pytest.mark.parametrize("confirmed_by", [0.0, 400.0])
def test_the_power_of_a_run_has_the_relative_error_of_the_weighed_power(
    confirmed_by: float, tmp_path: Path
) -> None:
    precision = Precision(service(tmp_path))
    weighed = rate_of(10.0, 0.05, standard_error=0.02, tail=0.01, largest_event=0.5)
    rates = Rates(
        rate_of(2.0, 0.004), weighed, blocks=(0.1, 0.2), sides=(0.5, 0.5),
        side_errors=((0.1, 0.2),), sectors=(1.0,), sector_bars=(0.1,),
    )  # fmt: skip
    (judged,) = precision.judged(0, [rates], [0.0], 0.0)
    known = known_power(rates, judged, 100.0, is_enough=True, confirmed_by=confirmed_by)
    assert (known.power, known.power_bar) == pytest.approx((2.0, 0.01))
    assert (known.weighed, known.weighed_fixed) == (10.0, 0.0)
    assert known.weighed_bar == pytest.approx(0.05)
    assert known.largest_event == 0.5
    # (0.05/0.1)², for a run that is four times as long.
    assert known.share_needed == pytest.approx(1.0 if confirmed_by else 0.25)
    assert known.valid_for * 4.0 == pytest.approx(confirmed_by)
    # The heavy tail widens the scatter between blocks in proportion.
    scatter, widened = (
        float(half_widths(np.array(blocks)[:, np.newaxis])[0])
        for blocks in ((0.1, 0.2), known.blocks)
    )
    assert widened == pytest.approx(scatter + 0.01, rel=1e-12)
    assert known.blocks[1] == pytest.approx(2.0 * known.blocks[0], rel=1e-12)
    assert list(known.side_errors[0]) == pytest.approx(list(known.blocks), rel=1e-12)
    # Sides may have errors of opposite signs, so that the errors of the power are 0.
    opposite = rates._replace(blocks=(0.0, 0.0), side_errors=((0.1, -0.1), (-0.2, 0.2)))
    (judged,) = precision.judged(0, [opposite], [0.0], 0.0)
    known = known_power(opposite, judged, 100.0, is_enough=True, confirmed_by=confirmed_by)
    assert known.side_errors == [[0.1, -0.1], [-0.2, 0.2]]
    assert known.weighed_fixed == pytest.approx(0.01)
    certain = Rates(rate_of(2.0, 0.1), rate_of(10.0, 0.05), blocks=(0.1,), side_errors=((0.1,),))
    (judged,) = precision.judged(0, [certain], [0.0], 0.0)
    known = known_power(certain, judged, 100.0, is_enough=True)
    assert known.power_bar == pytest.approx(0.1)
    assert known.weighed_fixed == pytest.approx(0.05)
    assert not known.blocks
    assert known.side_errors == ()


def test_powers_of_conditions_are_compared_by_their_share_of_the_time(tmp_path: Path) -> None:
    conditions = "".join(
        f'[[life.service]]\nname = "{name}"\nfraction = {fraction}\n'
        for name, fraction in (("long", 0.9), ("short", 0.1))
    )
    precision = Precision(service(tmp_path, conditions))
    precision.take(0, 0, power_of(weighed=1.0), 0.0)
    # 1 W for nine times as long is worth 9 W, and a tenth of it must be known to 1 %.
    for half, is_enough in ((0.0089, True), (0.0091, False)):
        (judged,) = precision.judged(1, [rates_of(1e-3, half, standard_error=half)], [0.0], 0.0)
        assert judged.is_enough is is_enough


def test_a_power_that_is_not_known_has_a_reason() -> None:
    assert why_not(rate_of(2.0, 0.1, reason="few events"), 0.01) == "few events"
    assert why_not(rate_of(2.0, 0.1), 0.01) == "2 W ± 5 % in 100 s, more than 1 %"


def test_allowed_errors_are_those_of_the_volume(tmp_path: Path) -> None:
    """V ~ Pⁿ, so an error of the power causes n times this error of the volume."""
    law = '{ kind = "EDF_MZ" }'
    text = LIFE.replace('{ kind = "ARCHARD", coefficient = 1e-16 }', law)
    life = load_life(life_file(tmp_path, text))
    assert Precision(life).allowed == pytest.approx(0.01 / life.law.exponent)
    growth = math.log(life.law.rate(2.0, 0.0) / life.law.rate(1.0, 0.0)) / math.log(2.0)
    assert life.law.exponent == pytest.approx(growth, rel=1e-9)
    assert np.isfinite(growth)
