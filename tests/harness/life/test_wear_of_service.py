"""Wear rates of a service with two contacts and two operating conditions, from chosen powers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.case.case_file import Case
from harness.case.mean_until import ExtendedRun
from harness.fmu.history import RunRecord
from harness.life import load_life, wear_power
from harness.life.known_power import KnownPower
from harness.life.life_file import Life
from harness.life.motion_runs import MotionRuns, Piece, Rates
from harness.life.wear_power import (
    NoJournal,
    NothingKnownError,
    TimeIsUpError,
    WearOfService,
    _side_shares,
)
from harness.life.worn_contact import WornContact
from harness.sweep import Row
from wearmodel.arrays import Floats
from wearmodel.statistics.paired_blocks import half_widths
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .pads import LIFE
from .test_known_power import power_of, rates_of
from .test_lives_of_structures import CONTACT, OMEGA, TWO_BLOCKS, structure_life

COEFFICIENT, AREA = 1e-16, 1e-4
# Fractions of the time of both conditions.
FRACTIONS = LONG, SHORT = 0.75, 0.25
CONDITIONS = "".join(
    f'[[life.service]]\nname = "{name}"\nfraction = {fraction}\n'
    for name, fraction in (("long", LONG), ("short", SHORT))
)


def life_of_blocks(folder: Path) -> Life:
    """Return a service life of light_floor and heavy_floor under the conditions long and short."""
    file = structure_life(folder, LIFE + CONDITIONS)
    contacts = "".join(CONTACT.format(name=name) for name in ("light", "heavy"))
    block = TWO_BLOCKS.format(frequency=50.0, velocity=2.0 / OMEGA, contacts=contacts)
    (folder / "block.toml").write_text(block, encoding="utf-8")
    return load_life(file)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Life:
    return life_of_blocks(tmp_path_factory.mktemp("blocks"))


@pytest.fixture
def service(life: Life) -> WearOfService:
    """Return the wear of this life before the first state."""
    return WearOfService(life, NoJournal())


def scattered(mean: float, *, is_steady: bool = True) -> Rates:
    return rates_of(mean, 0.02 * mean, standard_error=0.01 * mean, is_steady=is_steady)


def test_a_first_rate_with_scatter_needs_a_confirming_run(service: WearOfService) -> None:
    assert service._confirmation(0, [rates_of(1.0), rates_of(2.0)]) is None
    assert service._confirmation(0, [scattered(1.0), scattered(1e-9)]) is True
    unsteady = scattered(1e-9, is_steady=False)
    assert service._confirmation(0, [scattered(1.0), unsteady]) is False
    # Contacts without scatter, or whose rate the longest run did not determine, do not count.
    certain = rates_of(1.0, is_steady=False)
    assert service._confirmation(0, [scattered(1.0), certain]) is True
    service.not_known[1] = None  # type: ignore[assignment]  # only its key is used
    assert service._confirmation(0, [scattered(1.0), unsteady]) is True
    assert service._confirmation(0, [certain, unsteady]) is None


@pytest.mark.parametrize("is_steady", [True, False])
@pytest.mark.parametrize(
    ("before", "present", "is_needed"),
    [
        ((1.0, 1.0), (1.0, 1.0), False),
        # A change by a factor of 2 in either direction is allowed.
        ((2.0, 0.5), (1.0, 1.0), False),
        ((2.01, 1.0), (1.0, 1.0), True),
        ((1.0, 0.49), (1.0, 1.0), True),
        # The power of the other contact is a tenth of the larger one, or less.
        ((1.0, 1.0), (1.0, 0.1), True),
        ((1.0, 1.0), (1.0, 0.099), False),
        ((10.0, 1.0), (1.0, 10.0), True),
        ((8.0, 8.0), (8.0, 8.0), False),
        ((0.02, 0.02), (0.02, 0.02), False),
    ],
)
def test_a_rate_that_changed_by_a_factor_of_two_needs_a_confirming_run(
    service: WearOfService,
    before: tuple[float, float],
    present: tuple[float, float],
    *,
    is_needed: bool,
    is_steady: bool,
) -> None:
    service._confirmed[0] = list(before)
    rates = [scattered(mean, is_steady=is_steady) for mean in present]
    assert service._confirmation(0, rates) is (is_steady if is_needed else None)
    # The other condition has not been confirmed yet.
    assert service._confirmation(1, rates) is is_steady


def unknown(**changed: Any) -> KnownPower:
    return power_of(is_enough=False, why_not="few", time_needed=500.0, **changed)


def test_the_first_power_that_is_not_known_is_stored_for_each_contact(
    service: WearOfService,
) -> None:
    depths, year = [np.array([1e-6, 3e-6]), np.array([2e-6])], SECONDS_PER_YEAR
    service._note([[power_of(), power_of()]] * 2, depths, year)
    assert service.not_known == {}
    service._note([[power_of(), power_of()], [power_of(), unknown()]], depths, 2.0 * year)
    ((number, told),) = service.not_known.items()
    assert number == 1
    assert (told.contact, told.motion) == ("heavy_floor", "short")
    assert (told.depth, told.time) == (2e-6, 2.0 * year)
    assert (told.reason, told.time_needed, told.is_bounded) == ("few", 500.0, True)
    both = [[unknown(), unknown()], [power_of(), power_of()]]
    service._note(both, depths, 3.0 * year)
    assert service.not_known[1] is told
    assert service.not_known[0].motion == "long"
    # The largest depth of its sides.
    assert (service.not_known[0].depth, service.not_known[0].time) == (3e-6, 3.0 * year)


def test_a_service_ends_if_no_rate_of_any_contact_has_a_bound(service: WearOfService) -> None:
    depths = [np.zeros(1)] * 2
    lost = unknown(is_bounded=False)
    service._note([[lost, power_of()]] * 2, depths, 0.0)
    with pytest.raises(NothingKnownError):
        service._note([[power_of(), lost]] * 2, depths, 0.0)


def test_a_service_with_bounds_of_all_rates_continues(service: WearOfService) -> None:
    service._note([[unknown(), unknown(is_bounded=False)]] * 2, [np.zeros(1)] * 2, 0.0)
    assert [told.is_bounded for told in service.not_known.values()] == [True, False]


def test_rates_are_valid_for_the_shortest_confirming_run(service: WearOfService) -> None:
    depths = [np.zeros(1)] * 2
    assert service.valid_for == math.inf
    service._note([[power_of(), power_of()]] * 2, depths, 0.0)
    assert (service.valid_for, service._confirmed) == (math.inf, {})
    long = [power_of(valid_for=7.0, weighed=weighed) for weighed in (8.0, 9.0)]
    service._note([long, [power_of(valid_for=0.5)] * 2], depths, 0.0)
    assert service.valid_for == 0.5
    assert service._confirmed == {0: [8.0, 9.0], 1: [8.0, 8.0]}
    service._note([[power_of(valid_for=3.0, weighed=1.0)] * 2, [power_of()] * 2], depths, 0.0)
    assert service.valid_for == 0.5
    assert service._confirmed == {0: [1.0, 1.0], 1: [8.0, 8.0]}


def test_rates_are_sums_of_powers_by_the_fractions_of_the_conditions(
    service: WearOfService,
) -> None:
    long = power_of(
        power=4.0, power_bar=0.4, weighed=8.0, weighed_fixed=0.8, power_step=0.1,
        weighed_step=0.16, blocks=(0.2, -0.1),
    )  # fmt: skip
    short = power_of(
        power=2.0, power_bar=0.2, weighed=12.0, weighed_fixed=0.4, power_step=0.3,
        weighed_step=0.04, blocks=(0.1, 0.1, 0.3, -0.4),
    )  # fmt: skip
    state = np.array([1e-10, 2e-10, 5.0])
    found = service._rates([[long, power_of(weighed=0.0)], [short, power_of()]], state, 5.0)
    weighed, fixed, step = 9.0, 0.7, 0.13
    rates = COEFFICIENT * np.array([weighed, 2.0])
    assert found.rates == pytest.approx([*rates, 1.0])
    assert found.half_widths == pytest.approx([COEFFICIENT * (fixed + step), 0.0, 0.0])
    assert found.step_half_widths == pytest.approx([COEFFICIENT * step, 0.0, 0.0])
    assert found.carried == pytest.approx([*rates, 1.0])
    assert found.longest == math.inf
    # The errors of all blocks are weighted with the fractions. Certain powers have none.
    sums = [LONG * 0.2 + SHORT * 0.1, -LONG * 0.1 + SHORT * 0.1, SHORT * 0.3, -SHORT * 0.4]
    assert found.blocks is not None
    assert found.blocks[:, 0] == pytest.approx(COEFFICIENT * np.array(sums))
    assert not found.blocks[:, 1:].any()
    first, second = service.powers(state)
    assert first == pytest.approx((3.5, 0.35 + 0.15, 0.15))
    assert second == pytest.approx((4.0, 0.4, 0.0))


def test_the_slope_of_a_law_multiplies_the_errors_of_blocks(tmp_path: Path) -> None:
    text = LIFE.replace('{ kind = "ARCHARD", coefficient = 1e-16 }', '{ kind = "EDF_MZ" }')
    loaded = load_life(structure_life(tmp_path, text))
    blocks = (0.02, -0.01, 0.03, 0.01)
    found = WearOfService(loaded, NoJournal())._rates([[power_of(blocks=blocks)]], np.zeros(2), 1e6)
    scatter = float(half_widths(np.array(blocks)[:, np.newaxis])[0])
    rate = loaded.law.rate
    slope = (rate(8.0 + scatter, 1e6) - rate(8.0, 1e6)) / scatter
    assert found.blocks is not None
    assert found.blocks[:, 0] == pytest.approx(slope * np.array(blocks))
    # Errors of a depth change in proportion to the rate at the time 0.
    assert found.carried is not None
    assert found.carried[0] == pytest.approx(rate(8.0, 0.0))
    assert found.rates[0] == pytest.approx(rate(8.0, 1e6))
    assert found.rates[0] < 0.99 * found.carried[0]


@pytest.mark.parametrize("unit", [1.0, 1e-6], ids=["W", "µW"])
def test_shares_of_sectors_are_weighted_with_the_wear_of_each_condition(
    service: WearOfService, unit: float
) -> None:
    one, other = (tuple(float(n == place) for n in range(24)) for place in (3, 20))
    long = power_of(weighed=1.0 * unit, sectors=one, sector_bars=(0.1,) * 24)
    short = power_of(weighed=9.0 * unit, sectors=other, sector_bars=(0.3,) * 24)
    still = power_of(weighed=0.0, sectors=(0.0,) * 24, sector_bars=(0.0,) * 24)
    shares, none = service._over_service([[long, still], [short, still]])
    # Both conditions have 0.75 and 2.25 of three parts of the wear.
    assert shares[0] == pytest.approx(0.25 * np.array(one) + 0.75 * np.array(other))
    assert shares[1] == pytest.approx([0.25 * 0.1 + 0.75 * 0.3] * 24)
    assert not none.any()


@pytest.mark.parametrize("unit", [1.0, 1e-6], ids=["W", "µW"])
def test_shares_of_sides_are_weighted_with_the_wear_of_each_condition(unit: float) -> None:
    long = power_of(
        weighed=1.0 * unit, sides=(0.5, 0.5), side_errors=((0.1, 0.2), (0.3, 0.4), (0.5, 0.6))
    )
    short = power_of(weighed=9.0 * unit, sides=(0.0, 1.0), side_errors=())
    shares, errors = _side_shares(list(FRACTIONS), [long, short])
    assert shares == pytest.approx([0.125, 0.875])
    assert errors == pytest.approx(0.25 * np.array(long.side_errors))
    still = power_of(weighed=0.0, sides=(0.0, 0.0))
    shares, errors = _side_shares(list(FRACTIONS), [still, still])
    assert not shares.any()
    assert errors.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize(
    ("span", "share", "wanted"),
    [
        # The runs of 32 s become half as long while a quarter of the next run would be enough.
        (32.0, 0.51, 32.0),
        (32.0, 0.26, 32.0),
        (32.0, 0.24, 16.0),
        (32.0, 0.12, 8.0),
        (32.0, 0.03, 2.0),
        # They are not shorter than the first run.
        (32.0, 0.0, 2.0),
        (2.0, 0.0, 2.0),
    ],
)
def test_the_next_run_is_shorter_if_less_than_a_quarter_would_be_enough(
    service: WearOfService, span: float, share: float, wanted: float
) -> None:
    powers = [power_of(span=span, share_needed=part) for part in (share, 0.0)]
    assert service._next(1, powers).experiment.stop_time == wanted
    # A contact whose rate was not determined is not waited for.
    powers[1] = powers[1]._replace(share_needed=1.0)
    assert service._next(1, powers).experiment.stop_time == span
    service.not_known[1] = None  # type: ignore[assignment]  # only its key is used
    assert service._next(1, powers).experiment.stop_time == wanted


def test_the_next_run_lasts_as_long_if_no_rate_was_determined(service: WearOfService) -> None:
    service.not_known = {0: None, 1: None}  # type: ignore[dict-item]  # only its keys are used
    powers = [power_of(span=8.0, share_needed=0.0, weighed=0.0)] * 2
    assert service._next(0, powers).experiment.stop_time == 8.0
    # A condition with little wear had a run of 64 s. A run of 8 s is not less than a quarter of the
    # next run.
    service._precision.take(0, 0, power_of(weighed=8.0), 0.0)
    case = service._cases[0]
    service._cases[0] = replace(case, experiment=replace(case.experiment, stop_time=64.0))
    assert service._next(0, powers).experiment.stop_time == 16.0


def test_a_condition_with_little_wear_keeps_the_length_of_its_run(service: WearOfService) -> None:
    service._precision.take(0, 0, power_of(weighed=8.0), 0.0)
    for weighed, wanted in ((0.8, 8.0), (0.79, 2.0)):
        powers = [power_of(weighed=weighed, span=8.0, share_needed=1.0)] * 2
        assert service._next(0, powers).experiment.stop_time == wanted


@pytest.mark.parametrize(("difference", "agrees"), [(2.9, True), (3.1, False)])
def test_a_run_in_pieces_agrees_within_three_standard_errors(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, difference: float, *, agrees: bool
) -> None:
    # The standard error of a difference of runs with the errors 0.3 and 0.4 is 0.5.
    whole = rates_of(10.0)._replace(blocks=(0.3, 0.0))
    same = rates_of(10.0)._replace(blocks=(0.0, 0.4))
    pieces: list[Piece] = [Piece(0.0, 0.0, 1.0)] * 2
    monkeypatch.setattr(MotionRuns, "pieces", lambda runs, case: pieces)
    case = service._cases[0]
    run = ExtendedRun(case, [whole, whole], is_enough=True, sufficient=case)
    for sign in (-0.5, 0.5):
        other = rates_of(10.0 + sign * difference)._replace(blocks=(0.0, 0.4))
        found = [same, other]
        monkeypatch.setattr(
            WearOfService, "_measured", lambda *given, found=found, **options: found
        )
        assert service._agrees(0, run, [np.zeros(1)] * 2) is agrees
    pieces.clear()
    assert not service._agrees(0, run, [np.zeros(1)] * 2)


Runs = list[tuple[int, float, bool]]
# Depths of both contacts before any wear [m].
UNWORN = [np.zeros(1)] * 2
# Steps of the first run, 200 periods of 20 ms after the transient, and of its confirming run.
FIRST = math.ceil(200 * 0.02 / 0.9 / 0.002)
CONFIRMING = 4 * FIRST


def measured_by(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, rates: Callable[[Case], list[Rates]]
) -> Runs:
    """Replace runs by chosen rates. Return their numbers of steps, steps, and divisions."""
    runs: Runs = []

    def measured(
        index: int, case: Case, depths: list[Floats], *, divides: bool = False
    ) -> list[Rates]:
        experiment = case.experiment
        runs.append((experiment.step_count, experiment.step_size, divides))
        return rates(case)

    monkeypatch.setattr(service, "_measured", measured)
    return runs


def precise(mean: float, *, is_steady: bool = True) -> Rates:
    """Return rates with half of the allowed error, 1 %."""
    return rates_of(mean, 0.005 * mean, standard_error=0.002 * mean, is_steady=is_steady)


def test_a_power_that_a_longer_run_confirms_is_known(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = measured_by(service, monkeypatch, lambda case: [precise(1.0), precise(2.0)])
    known, run = service._of_motion(0, UNWORN, 0.0)
    assert [steps for steps, *_ in runs] == [FIRST, CONFIRMING]
    span = run.sufficient.experiment.span
    assert span == pytest.approx(FIRST * 0.002)
    for power, weighed in zip(known, (1.0, 2.0), strict=True):
        assert (power.weighed, power.span) == (weighed, span)
        assert power.valid_for == pytest.approx(span)
        assert (power.is_enough, power.is_bounded, power.why_not) == (True, True, "")
        assert not power.divides


def test_a_power_that_no_longer_run_confirms_is_not_known(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = [precise(1.0, is_steady=False), precise(2.0)]
    measured_by(service, monkeypatch, lambda case: rates)
    known, run = service._of_motion(0, UNWORN, 0.0)
    assert not run.is_enough
    for power in known:
        assert (power.is_enough, power.is_bounded, power.valid_for) == (False, False, 0.0)
    assert known[0].why_not.startswith("the rates in the quarters of 100 s differ")
    assert known[1].why_not.startswith("no run of 4 times 100 s confirms it")
    # A contact whose rate the longest run of an earlier state did not determine keeps its answer.
    service.not_known[1] = None  # type: ignore[assignment]  # only its key is used
    known, _ = service._of_motion(0, UNWORN, 0.0)
    assert [power.is_enough for power in known] == [False, True]
    assert known[1].is_bounded
    assert known[1].why_not == ""


def test_a_power_that_is_not_accurate_enough_has_the_reason_of_its_run(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = [precise(1.0), rates_of(1.0, 0.1)]
    measured_by(service, monkeypatch, lambda case: rates)
    known, _ = service._of_motion(0, UNWORN, 0.0)
    assert [power.is_enough for power in known] == [True, False]
    assert [power.why_not for power in known] == ["", "1 W ± 10 % in 100 s, more than 1 %"]


@pytest.mark.parametrize("margin", ["", "smallest gap seen 3 µm"])
@pytest.mark.parametrize("events", [0.0, 1.0])
def test_a_contact_without_wear_has_its_margin_in_the_reason(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, events: float, margin: str
) -> None:
    idle = rates_of(0.0, upper=math.inf, events=events, reason="no wear")
    measured_by(service, monkeypatch, lambda case: [idle, idle])
    monkeypatch.setattr(MotionRuns, "margin", lambda *given: margin)
    known, _ = service._of_motion(0, UNWORN, 0.0)
    rest = "; if wear is rarer, set a longer stop_time"
    wanted = "no wear" if events else "; ".join(filter(None, ("no wear", margin))) + rest
    assert [power.why_not for power in known] == [wanted] * 2


@pytest.mark.parametrize("agrees", [True, False])
@pytest.mark.parametrize("is_steady", [True, False])
def test_runs_are_divided_if_pieces_agree_with_a_confirmed_run(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, *, is_steady: bool, agrees: bool
) -> None:
    rates = [precise(1.0, is_steady=is_steady)] * 2
    measured_by(service, monkeypatch, lambda case: rates)
    monkeypatch.setattr(service, "_agrees", lambda *given: agrees)
    known, _ = service._of_motion(0, UNWORN, 0.0)
    assert [power.divides for power in known] == [is_steady and agrees] * 2


@pytest.mark.parametrize("has_pieces", [True, False])
@pytest.mark.parametrize("divides", [True, False])
def test_later_runs_are_divided_as_at_the_first_state(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, *, divides: bool, has_pieces: bool
) -> None:
    pieces = [Piece(0.0, 0.0, 1.0)] * 2 if has_pieces else []
    monkeypatch.setattr(MotionRuns, "pieces", lambda runs, case: pieces)
    runs = measured_by(service, monkeypatch, lambda case: [precise(1.0), precise(2.0)])
    service._first = [[power_of(divides=divides)] * 2, [power_of(divides=not divides)] * 2]
    in_pieces = divides and has_pieces
    # A power that is as before needs no confirming run.
    service._confirmed[0] = [1.0, 2.0]
    service._of_motion(0, UNWORN, 0.0)
    assert runs == [(FIRST, 0.002, in_pieces)]
    # Confirming runs are not divided.
    runs.clear()
    service._confirmed[0] = [3.0, 2.0]
    known, _ = service._of_motion(0, UNWORN, 0.0)
    assert runs == [(FIRST, 0.002, in_pieces), (CONFIRMING, 0.002, False)]
    # The agreement of pieces is checked at the first state only.
    assert not any(power.divides for power in known)


@pytest.mark.parametrize("has_step_error", [True, False])
def test_the_error_of_the_step_comes_from_a_run_at_half_the_step(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, *, has_step_error: bool
) -> None:
    monkeypatch.setattr(MotionRuns, "has_step_error", lambda runs, case: has_step_error)

    def rates(case: Case) -> list[Rates]:
        return [rates_of(1.0 if case.experiment.step_size == 0.002 else 1.25), rates_of(2.0)]

    runs = measured_by(service, monkeypatch, rates)
    known = service._with_step(0, UNWORN, 0.0)
    error = 0.25 if has_step_error else 0.0
    assert [power.weighed_step for power in known] == [error, 0.0]
    assert [run[:2] for run in runs] == [(FIRST, 0.002), (2 * FIRST, 0.001)][: 1 + has_step_error]


@pytest.mark.parametrize("excess", [0, 1])
def test_half_the_step_takes_the_sufficient_run_if_the_last_one_has_too_many_steps(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, excess: int
) -> None:
    monkeypatch.setattr(MotionRuns, "has_step_error", lambda runs, case: True)
    monkeypatch.setattr(wear_power, "MOST_STEPS", 2 * CONFIRMING - excess)
    runs = measured_by(service, monkeypatch, lambda case: [precise(1.0), precise(2.0)])
    service._with_step(0, UNWORN, 0.0)
    last = [(FIRST, 0.002), (2 * FIRST, 0.001)] if excess else [(2 * CONFIRMING, 0.001)]
    assert [run[:2] for run in runs] == [(FIRST, 0.002), (CONFIRMING, 0.002), *last]


def test_later_states_have_the_error_of_the_step_of_the_first_state(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = measured_by(service, monkeypatch, lambda case: [rates_of(1.0), rates_of(2.0)])
    service._first = [[power_of(weighed=8.0, weighed_step=0.8)] * 2] * 2
    known = service._with_step(0, UNWORN, 0.0)
    assert [power.weighed_step for power in known] == pytest.approx([0.1, 0.2])
    assert len(runs) == 1


@pytest.mark.parametrize("divides", [None, False, True])
def test_a_run_is_divided_on_request(
    service: WearOfService, monkeypatch: pytest.MonkeyPatch, divides: bool | None
) -> None:
    whole, pieces = [rates_of(1.0)], [rates_of(2.0)]
    monkeypatch.setattr(MotionRuns, "rates", lambda *given: whole)
    monkeypatch.setattr(MotionRuns, "rates_of_pieces", lambda *given: pieces)
    options = {} if divides is None else {"divides": divides}
    assert service._measured(0, service._cases[0], UNWORN, **options) is (
        pieces if divides else whole
    )


def timed(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let each run take a computing time [s], from 0 s on the clock."""
    now = [0.0]

    def rates(*given: object) -> list[Rates]:
        now[0] += seconds
        return [rates_of(now[0])]

    monkeypatch.setattr(MotionRuns, "rates", rates)
    monkeypatch.setattr(wear_power, "clock", SimpleNamespace(monotonic=lambda: now[0]))


@pytest.mark.parametrize(("end", "is_in_time"), [(6.0, True), (5.9, False)])
def test_a_run_that_would_end_too_late_does_not_start(
    life: Life, monkeypatch: pytest.MonkeyPatch, end: float, *, is_in_time: bool
) -> None:
    timed(monkeypatch, 2.0)
    service = WearOfService(life, NoJournal(), end=end)
    short = service._cases[0]
    longer = replace(short, experiment=replace(short.experiment, stop_time=4.0))
    # The first run ends after 2 s. A run that is twice as long would end after 6 s.
    service._measured(0, short, UNWORN)
    if is_in_time:
        service._measured(0, longer, UNWORN)
        return
    with pytest.raises(TimeIsUpError):
        service._measured(0, longer, UNWORN)
    # The time of the other condition is not known yet.
    service._measured(1, longer, UNWORN)


def test_no_run_starts_after_the_time_limit(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 2.0)
    service = WearOfService(life, NoJournal(), end=-0.1)
    with pytest.raises(TimeIsUpError):
        service._measured(0, service._cases[0], UNWORN)


@pytest.mark.parametrize(("seconds", "is_kept"), [(1.0, False), (1.01, True)])
def test_long_runs_are_kept_in_the_journal(
    life: Life, monkeypatch: pytest.MonkeyPatch, seconds: float, *, is_kept: bool
) -> None:
    timed(monkeypatch, seconds)
    kept: dict[int, Row] = {}
    journal: Any = SimpleNamespace(rows=kept, append=kept.update)

    def two_runs() -> list[Rates]:
        service = WearOfService(life, journal)
        service._run_number = -200_000
        case = life.motions[0].case
        return [*service._measured(0, case, UNWORN), *service._measured(0, case, UNWORN)]

    times = seconds * np.arange(1.0, 5.0)
    assert [rates.weighed.mean for rates in two_runs()] == pytest.approx(times[:2])
    assert list(kept) == [-200_001, -200_002] * is_kept
    # Runs in the journal are not repeated.
    again = times[:2] if is_kept else times[2:]
    assert [rates.power.mean for rates in two_runs()] == pytest.approx(again)


def test_the_share_of_the_friction_limit_leaves_out_forces_of_rounding(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Clearance, normal force and components of the friction force. A millionth is no contact.
    rows = np.array([[0.0, 0.0], [1.0, 1e-6], [0.03, 1.0], [0.04, 0.0], [0.0, 0.0]])
    names = "clearance", "normal_force", *(f"friction_force_{axis}" for axis in "xyz")
    contact = life.contacts[0]
    values = {contact.variable(name): row for name, row in zip(names, rows, strict=True)}
    record = RunRecord(np.arange(2.0), values, 0.0, ())
    monkeypatch.setattr(MotionRuns, "_history", lambda *given: record)
    monkeypatch.setattr(WornContact, "friction_coefficient", lambda *given: 0.5)
    margin = MotionRuns(life).margin(life.case, contact, UNWORN)
    assert margin == "friction reached 10 % of its limit"
