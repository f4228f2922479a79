"""Text and values of service lives with chosen results."""

from __future__ import annotations

import io
import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from harness.life import LifeResult, answers, load_life
from harness.life.drawn_lives import INSTANTS, _values, depth_names, instants, result_names
from harness.life.life_file import Life
from harness.life.life_run import (
    ContactLife,
    LifeState,
    _between,
    _crossing,
    _is_decided,
    _scattered,
    _step_share,
)
from harness.life.life_text import _numbers, _plain, contact_rows, print_life, state_rows
from harness.life.limit_chances import LimitChances
from harness.life.sections import ArchardLaw, Scatter
from harness.life.wear_power import NotKnown
from harness.life.worn_sectors import WornSectors
from wearmodel.statistics.cycle_jump import Crossing, LifePoint
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.statistics.worn_sides import TubeBySides

from .pads import LIFE, life_file

INF = math.inf
NEVER = Crossing(INF, INF, INF)


def life_of(folder: Path, more: str = "") -> Life:
    """Return a service life of 40 years with a depth limit of 50 µm."""
    criterion = 'criterion = { variable = "depth", limit = 5e-5 }\n'
    return load_life(life_file(folder, LIFE + criterion + more))


def state(year: float, depth_um: float, bar_um: float = 2.0, **changed: Any) -> LifeState:
    """Return a state with a wear power of 1 mW and 1 mm³ per 10 µm."""
    values: dict[str, Any] = {field.name: 0.0 for field in fields(LifeState)}
    values |= {
        "time": year * SECONDS_PER_YEAR,
        "power": 1e-3,
        "power_bar": 2.5e-5,
        "volume": 1e-10 * depth_um,
        "volume_bar": 1e-10 * bar_um,
        "depth": 1e-6 * depth_um,
        "depth_bar": 1e-6 * bar_um,
        "gap": 1e-6 * depth_um,
        "gap_bar": 1e-6 * bar_um,
        "depth_chance_bar": 1.5e-6,
        "depth_jump_bar": 0.5e-6,
        "depth_lower": 1e-6 * (depth_um - bar_um),
        "depth_upper": 1e-6 * (depth_um + bar_um),
    }
    return LifeState(**{**values, **changed})


def years(time: float, earliest: float, latest: float) -> Crossing:
    return Crossing(*(year * SECONDS_PER_YEAR for year in (time, earliest, latest)))


def contact_of(name: str = "", **changed: Any) -> ContactLife:
    """Return a contact that is 20 µm deep after 20 years and 40 µm after 40 years."""
    states = (state(0.0, 0.0, 0.0), state(20.0, 20.0, 1.0), state(40.0, 40.0))
    chances = LimitChances(0.25, 0.125)
    made = ContactLife(name, states, years(INF, INF, INF), None, (), 4e-6, chances=chances)
    return replace(made, **changed)


def unknown(**changed: Any) -> NotKnown:
    made = NotKnown("", "flow", 3e-5, 30.0 * SECONDS_PER_YEAR, "few shocks", 1234.5, False)
    return replace(made, **changed)


def result_of(life: Life, *contacts: ContactLife, **changed: Any) -> LifeResult:
    return replace(LifeResult(life, contacts, 0.0123, 17, 0), **changed)


LAST = [
    "wear rates were computed at 17 values of the depth, at most 4 µm apart",
    "the error bars are 95 % intervals. They cover sampling, extrapolation and time step (step"
    " error 1.2 % of the initial wear power). They do not cover the scatter of the wear"
    " coefficient",
]
DEEP = (
    "40.0 ± 2.0 µm deep after 40 years (error bar in µm: sampling 1.5, extrapolation 0.5, step 0)"
)
LIMIT = "depth 50 µm"


@pytest.mark.parametrize(
    ("crossing", "answer", "cell"),
    [
        (NEVER, f"{LIMIT} is not reached in 40 years", "> 40"),
        (
            years(INF, 35.0, INF),
            f"{LIMIT} is not reached in 40 years (95 % interval: 35 to more than 40 years,"
            " probability of reaching it 25 %)",
            "> 40 (35 …)",
        ),
        (
            years(38.0, 36.0, INF),
            f"{LIMIT} is reached after 38 years (95 % interval: 36 to more than 40 years)",
            "38 (36 to …)",
        ),
        (
            years(31.25, 30.0, 33.0),
            f"{LIMIT} is reached after 31.2 years (95 % interval: 30 to 33 years)",
            "31.2 (30 to 33)",
        ),
    ],
    ids=["never", "perhaps", "perhaps not", "reached"],
)
def test_the_answer_to_a_limit(crossing: Crossing, answer: str, cell: str, tmp_path: Path) -> None:
    result = result_of(life_of(tmp_path), contact_of(crossing=crossing))
    assert answers(result) == [answer, DEEP, *LAST]
    heads, rows = contact_rows(result)
    assert heads == ["depth\n[µm]", "limit after\n[years]", "reached\n[%]"]
    assert rows == [["40.0 ± 2.0", cell, "25"]]
    assert result.is_known
    volume = replace(result.life, criterion=replace(result.life.criterion, variable="volume"))
    answer = answers(replace(result, life=volume))[0]
    assert answer.startswith("volume 50000 mm³ is ")


def test_the_lines_of_an_answer_are_not_divided(tmp_path: Path) -> None:
    result = result_of(life_of(tmp_path), contact_of(crossing=years(25.0, 24.0, 26.0)))
    text = io.StringIO()
    print_life(result, Console(file=text, width=40), verbose=False)
    assert text.getvalue().splitlines()[0] == answers(result)[0]
    assert len(answers(result)[0]) > 40


def test_the_answer_without_a_limit(tmp_path: Path) -> None:
    life = load_life(life_file(tmp_path))
    result = result_of(life, contact_of(crossing=None, spacing=0.0), runs=1, step_share=INF)
    head, deep, rates, last = answers(result)
    assert (head, deep) == ("40.0 ± 2.0 µm deep after 40 years", DEEP)
    assert rates == "wear rates were computed at 1 value of the depth"
    assert "(only the runs at half the step have wear at the first depth)" in last
    assert contact_rows(result) == (["depth\n[µm]"], [["40.0 ± 2.0"]])
    assert result.is_known
    states = (*result.first.states[:-1], state(40.0, 40.0, depth_upper=INF))
    lost = replace(result, contacts=(replace(result.first, states=states, not_known=unknown()),))
    assert answers(lost)[:3] == [
        "depth after 40 years is not known",
        "rate at 30 µm not known, flow: few shocks. A run of about 1000 s is necessary",
        "depth after 40 years not known",
    ]
    assert contact_rows(lost)[1] == [["not known"]]
    assert not lost.is_known


@pytest.mark.parametrize(
    ("changed", "is_known"),
    [
        ({}, True),
        ({"misfit": "too wide"}, False),
        ({"states": (state(40.0, 40.0, depth_upper=INF),)}, False),
        ({"is_complete": False}, False),
    ],
)
def test_a_life_without_a_limit_is_known_if_a_depth_is_bounded(
    changed: dict[str, Any], tmp_path: Path, *, is_known: bool
) -> None:
    result = result_of(load_life(life_file(tmp_path)), contact_of(crossing=None, **changed))
    assert result.is_known is is_known


def test_of_two_contacts_the_first_to_reach_the_limit_is_on_top(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    slow = contact_of("slow", crossing=years(35.0, 34.0, 36.0))
    fast = contact_of("fast", crossing=years(25.0, 24.0, 26.0))
    result = result_of(life, slow, fast, resumed=3, valid_for=12.5)
    lines = answers(result)
    assert lines[0] == (
        f"{LIMIT} is reached first by fast after 25 years (95 % interval: 24 to 26 years)"
    )
    assert lines[1:3] == [f"fast: {DEEP}", f"slow: {DEEP}"]
    assert lines[3].startswith("changes of the excitation slower than 12.5 s ")
    assert "at 17 values of the depth (3 of them before), at most" in lines[4]
    heads, rows = contact_rows(result)
    assert heads == [
        "contact", "depth\n[µm]", "limit after\n[years]", "reached\n[%]", "first\n[%]",
    ]  # fmt: skip
    assert rows == [
        ["fast", "40.0 ± 2.0", "25 (24 to 26)", "25", "12"],
        ["slow", "40.0 ± 2.0", "35 (34 to 36)", "25", "12"],
    ]
    # If no contact reaches the limit, the deepest contact is first.
    deeper = contact_of("deeper", states=(state(0.0, 0.0, 0.0), state(40.0, 41.0)))
    assert result_of(life, contact_of("other"), deeper).first is deeper
    without = load_life(life_file(tmp_path))
    both = result_of(without, *(replace(c, crossing=None) for c in (contact_of("other"), deeper)))
    assert answers(both)[0] == "deeper is the deepest contact: 41.0 ± 2.0 µm deep after 40 years"


def test_a_rate_that_is_not_known_is_explained(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    result = result_of(life, contact_of(not_known=unknown(is_bounded=False)))
    lines = answers(result)
    assert lines[0] == f"not known whether {LIMIT} is reached in 40 years"
    assert lines[1] == (
        "rate at 30 µm not known, flow: few shocks. A run of about 1000 s is necessary"
    )
    assert contact_rows(result)[1] == [["not known", "not known", "–"]]
    assert not result.is_known
    bounded = result_of(life, contact_of(not_known=unknown(is_bounded=True, time_needed=None)))
    assert answers(bounded)[0] == f"{LIMIT} is not reached in 40 years"
    assert answers(bounded)[1] == (
        "rate at 30 µm not known, flow: few shocks. The necessary run time cannot be determined."
        " The error bar contains a bound"
    )
    # The other contact reaches the limit.
    sure = contact_of("sure", crossing=years(25.0, 24.0, 26.0))
    open_ended = contact_of("open", not_known=unknown(is_bounded=False))
    both = result_of(life, sure, open_ended)
    assert answers(both)[0].endswith("26 years). Whether open reaches it is not known")


@pytest.mark.parametrize(
    ("crossing", "not_known", "is_settled"),
    [
        (NEVER, None, True),
        (NEVER, unknown(is_bounded=False), False),
        (NEVER, unknown(is_bounded=True), True),
        # The rate is unknown after 30 years. The latest time is before or after this.
        (years(25.0, 20.0, 29.9), unknown(is_bounded=False), True),
        (years(25.0, 20.0, 30.1), unknown(is_bounded=False), False),
        (years(25.0, 20.0, 30.1), unknown(is_bounded=True), True),
        # With a bound of the rate, it can still be unknown whether the limit is reached.
        (years(35.0, 20.0, INF), unknown(is_bounded=True), False),
        (years(INF, 20.0, INF), unknown(is_bounded=True), False),
        (None, None, True),
        (None, unknown(is_bounded=True), False),
    ],
)
def test_a_limit_is_settled_if_the_error_bars_answer_it(
    crossing: Crossing | None, not_known: NotKnown | None, *, is_settled: bool
) -> None:
    contact = contact_of(crossing=crossing, not_known=not_known)
    assert contact.is_settled is is_settled
    assert not replace(contact, misfit="too wide").is_settled


@pytest.mark.parametrize(
    ("crossing", "is_settled"),
    [(None, False), (NEVER, False), (years(30.0, 29.0, INF), False), (years(3.0, 2.0, 4.0), True)],
)
def test_a_calculation_that_ended_early_settles_a_limit_that_was_reached(
    crossing: Crossing | None, tmp_path: Path, *, is_settled: bool
) -> None:
    contact = contact_of(crossing=crossing, is_complete=False)
    assert contact.is_settled is is_settled
    result = result_of(life_of(tmp_path), contact)
    assert not result.is_complete
    assert result.is_known is is_settled


def test_an_early_end_is_reported_with_the_time_it_reached(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    states = contact_of().states[:2]
    ended = result_of(life, contact_of(states=states, is_complete=False))
    lines = answers(ended)
    assert lines[0] == (f"after 20 of 40 years: not known whether {LIMIT} is reached in 40 years")
    assert lines[1].startswith("the time limit ended the calculation after 20 of 40 years: depths")
    assert contact_rows(ended)[0][0] == "depth [µm]\nafter 20 of 40 years"
    decided = result_of(life, contact_of(states=states, crossing=years(15.0, 14.0, 16.0)))
    assert answers(decided)[1] == (
        "all limits are decided, so the calculation ended after 20 of 40 years. For later years set"
        " to_the_end = true in [life]"
    )
    begun = result_of(life, contact_of(states=states[:1], is_complete=False))
    (line,) = answers(begun)
    assert line.startswith("not known: the time limit ended the calculation before the first")


def test_an_answer_is_not_known_for_slower_processes_than_the_runs_contain(tmp_path: Path) -> None:
    life = replace(life_of(tmp_path), slowest=8.0)
    assert result_of(life, contact_of(), valid_for=8.0).is_known
    short = result_of(life, contact_of(), valid_for=7.9)
    assert not short.is_known
    assert answers(short)[0].startswith("not known for processes as slow as 8 s: ")


def test_warnings_of_cliffs_and_of_an_earlier_error_bar(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    last = state(40.0, 3.0, 4.0, depth_lower=1.25e-6)
    contact = contact_of(cliffs=(1.5e-5, 2.5e-5, 1.5e-5, 3e-5), states=(state(0.0, 0.0), last))
    lines = answers(result_of(life, contact))
    assert lines[1:3] == [
        "the wear rate changes suddenly where the depth is 15, 25 and 30 µm. The error bar covers"
        " this change",
        "at least 1.25 µm, from an earlier error bar",
    ]
    sure = replace(contact, cliffs=(), states=(state(0.0, 0.0), state(40.0, 4.0, 4.0)))
    assert not any("earlier" in line for line in answers(result_of(life, sure)))


def test_a_sector_and_a_side_are_reported_with_their_direction_and_depth(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    volumes = np.zeros(24)
    volumes[[2, 7]] = 1e-10, 3e-10
    sectors = WornSectors(tuple(volumes), (0.0,) * 24, 5e-6, 4.5e-5, 1.5e-6)
    text = "deepest sector -75° to -60°: 75 % of the wear"
    contact = contact_of(sectors=(sectors,))
    assert answers(result_of(life, contact))[2] == (
        f"{text}, 45.0 ± 1.5 µm deep (5 µm if the wear were uniform around the hole)"
    )
    assert contact_rows(result_of(life, contact))[1][0][1] == "-75° to -60°"
    for missing in ("even_depth", "deepest_depth"):
        unshaped = replace(contact, sectors=(replace(sectors, **{missing: None}),))
        assert answers(result_of(life, unshaped))[2] == text
    followed = replace(sectors, first_angle=-7.5, is_followed=True)
    side = result_of(life, replace(contact, sectors=(followed,)))
    assert answers(side)[2] == (
        "deepest side at 105° with 75 % of the wear, mean depth of all sides 5 µm"
    )
    # Numbers are rounded to three digits.
    for even, text in ((1.2349995e-6, "1.23 µm"), (1.2350005e-6, "1.24 µm")):
        rounded = replace(contact, sectors=(replace(followed, even_depth=even),))
        assert answers(result_of(life, rounded))[2].endswith(f"mean depth of all sides {text}")
    unworn = replace(sectors, volumes=(0.0,) * 24)
    clean = result_of(life, replace(contact, sectors=(unworn,)))
    assert len(answers(clean)) == 4
    assert contact_rows(clean)[1][0][1] == "–"


def test_the_sector_of_the_last_state_is_reported(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    volumes = np.zeros((2, 24))
    volumes[1, 2] = 1e-10
    unworn, worn = (WornSectors(tuple(row), (0.0,) * 24, None, None, None) for row in volumes)
    text = "deepest sector -150° to -135°: 100 % of the wear"
    wears, ends = (
        result_of(life, contact_of(sectors=sectors)) for sectors in ((unworn, worn), (worn, unworn))
    )
    assert text in answers(wears)
    assert text not in answers(ends)
    assert [contact_rows(result)[1][0][1] for result in (wears, ends)] == ["-150° to -135°", "–"]


@pytest.mark.parametrize(
    ("depth", "deepest", "is_noted"),
    [(40.0, 50.1, True), (50.0, 50.1, True), (50.1, 60.0, False), (40.0, 50.0, False)],
)
def test_a_limit_between_the_uniform_and_the_deepest_depth_may_be_reached_locally(
    depth: float, deepest: float, tmp_path: Path, *, is_noted: bool
) -> None:
    deep, before = (
        WornSectors((1e-10,) * 24, (0.0,) * 24, 4e-5, 1e-6 * of, 1.5e-6) for of in (deepest, 0.0)
    )
    states = (state(0.0, 0.0, 0.0), state(40.0, depth))
    contact = contact_of(states=states, sectors=(before, deep))
    life = life_of(tmp_path)
    notes = [line for line in answers(result_of(life, contact)) if "locally" in line]
    wanted = (
        f"depth 50 µm may be reached locally: the deepest sector is {deepest:.1f} ± 1.5 µm deep,"
        f" but the table contains the depth for uniform wear, {depth:.1f} ± 2.0 µm"
    )
    assert notes == [wanted] * is_noted
    # The note needs a limit of the depth and a known depth.
    volume = replace(life, criterion=replace(life.criterion, variable="volume"))
    wide = replace(contact, misfit="too wide")
    for other in (result_of(volume, contact), result_of(life, wide)):
        assert not any("locally" in line for line in answers(other))


@pytest.mark.parametrize(
    ("coefficient", "supports"),
    [
        (0.0, "The supports do not wear (support_coefficient = 0)"),
        (2e-15, "Wear coefficient of the supports: 2e-15 m²/N"),
    ],
)
def test_depths_of_sides_are_those_of_the_deepest_side(
    coefficient: float, supports: str, tmp_path: Path
) -> None:
    shape = TubeBySides(0.011, 0.02, sides=16, support_coefficient=coefficient)
    result = result_of(replace(life_of(tmp_path), shape=shape), contact_of(cliffs=(1.5e-5,)))
    lines = answers(result)
    assert lines[1].startswith("the wear rate changes suddenly where the mean depth is 15 µm.")
    assert lines[3] == (
        f"each depth is the depth of the deepest of 16 sides of the tube. {supports}"
    )
    assert lines[4].startswith("wear rates were computed at 17 values of the mean depth, at most")


def test_the_scatter_of_a_coefficient_is_part_of_the_answer(tmp_path: Path) -> None:
    law = ArchardLaw(kind="ARCHARD", coefficient=Scatter(median=1e-16, factor=2.5))
    last = state(40.0, 40.0, depth_lower=1.61e-5, depth_upper=9.87e-5)
    contact = contact_of(states=(state(0.0, 0.0), last))
    lines = answers(result_of(replace(life_of(tmp_path), law=law), contact))
    assert lines[1] == (
        f"{DEEP}. 95 % interval with the scatter of the coefficient: 16.1 to 98.7 µm"
    )
    assert lines[-1].endswith(
        "Intervals, years and probabilities also cover the scatter of the coefficient, a factor of"
        " 2.5"
    )


def test_depths_are_known_before_their_scatter_is(tmp_path: Path) -> None:
    """A time limit can end the calculation after the service, before 2.5 times the service."""
    law = ArchardLaw(kind="ARCHARD", coefficient=Scatter(median=1e-16, factor=2.5))
    life = replace(life_of(tmp_path), law=law)
    last = state(40.0, 40.0, depth_upper=INF)
    contact = contact_of(states=(state(0.0, 0.0), last), crossing=NEVER, is_complete=False)
    result = result_of(life, contact)
    assert not result.is_known
    lines = answers(result)
    assert lines[0] == f"not known whether {LIMIT} is reached in 40 years"
    assert lines[1].startswith("the time limit ended the calculation within 100 years, 2.5 times")
    assert lines[2].startswith(DEEP)
    assert lines[2].endswith("µm or more (the end is not known yet)")
    assert contact_rows(result)[0][0] == "depth\n[µm]"
    whole = result_of(life, replace(contact, is_complete=True))
    (deep,) = [line for line in answers(whole) if line.startswith(DEEP)]
    assert deep.endswith("µm or more (the largest coefficients wear through the part)")
    assert contact_rows(result)[1][0][0] == state_rows(contact)[1][-1][3] != "not known"
    assert (
        contact_rows(result_of(life, replace(contact, not_known=unknown())))[1][0][0] == "not known"
    )


def test_the_table_of_states_has_a_gap_if_wear_changes_it() -> None:
    fixed = {"gap": None, "gap_bar": None}
    states = (state(0.0, 0.0, 0.0, **fixed), state(20.0, 20.0, 1.0, **fixed))
    heads, rows = state_rows(contact_of(states=states))
    assert heads == ["time\n[years]", "power\n[mW]", "volume\n[mm³]", "depth\n[µm]"]
    assert rows[1] == ["20", "1.000 ± 0.025", "2.00 ± 0.10", "20.0 ± 1.0"]
    worn = contact_of(states=(state(5.0, 1.0, gap=1e-5, gap_bar=3e-7),))
    heads, rows = state_rows(worn)
    assert heads[-1] == "gap\n[µm]"
    assert rows == [["5", "1.000 ± 0.025", "0.10 ± 0.20", "1.0 ± 2.0", "10.00 ± 0.30"]]


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0, 3, "0"),
        (INF, 3, "inf"),
        (1234.5, 1, "1000"),
        (1234.5, 3, "1230"),
        (0.012345, 3, "0.0123"),
        (9.996, 3, "10"),
        (-2.5, 1, "-2"),
        (40.0, 3, "40"),
        (100.0, 4, "100"),
    ],
)
def test_a_number_is_shown_with_its_digits_and_without_an_exponent(
    value: float, digits: int, text: str
) -> None:
    assert _plain(value, digits) == text


@pytest.mark.parametrize(("count", "shown"), [(1, 1), (12, 12), (13, 12), (200, 12)])
def test_states_are_printed_evenly_over_the_time(count: int, shown: int) -> None:
    states = tuple(state(40.0 * number / max(count - 1, 1), 1.0) for number in range(count))
    numbers = list(_numbers(states, verbose=False))
    assert numbers[0] == 0
    assert numbers[-1] == count - 1
    assert len(numbers) == shown
    steps = np.diff([states[number].time for number in numbers])
    # The tolerance is the distance between states.
    distance = 40.0 * SECONDS_PER_YEAR / max(count - 1, 1)
    assert steps.max(initial=0.0) <= steps.min(initial=INF) + 1.01 * distance
    assert list(_numbers(states, verbose=True)) == list(range(count))


def test_a_state_between_two_states_is_on_the_line_between_them() -> None:
    before = state(10.0, 10.0, 1.0, gap=None)
    after = state(30.0, 50.0, 3.0, power=3e-3, gap=None)
    between = _between(before, after, 15.0 * SECONDS_PER_YEAR)
    assert between.time == 15.0 * SECONDS_PER_YEAR
    assert between.depth == pytest.approx(2e-5)
    assert between.depth_bar == pytest.approx(1.5e-6)
    assert between.power == pytest.approx(1.5e-3)
    assert between.gap is None
    assert between.gap_bar == pytest.approx(1.5e-6)


def test_a_coefficient_that_scatters_adds_the_depths_at_proportional_times() -> None:
    # The depth grows by 1 µm a year until 40 years.
    states = [state(float(year), float(year), 3.0) for year in range(0, 41, 5)]
    found = _scattered(2.0, states[4], states)
    assert found.depth_lower == pytest.approx(2e-5 - math.hypot(1e-5, 3e-6))
    assert found.depth_upper == pytest.approx(2e-5 + math.hypot(2e-5, 3e-6))
    # The depth after the last state is not known.
    assert _scattered(2.0, states[5], states).depth_upper == INF
    assert _scattered(2.0, state(1.0, 1.0, 3.0), states).depth_lower == 0.0


def points_at(rate: float, bar: float) -> list[LifePoint]:
    """Return points of a volume that grows uniformly for 40 years, with relative error bars."""
    nothing = np.zeros(2)
    rows = []
    for year in np.linspace(0.0, 40.0, 81):
        time = year * SECONDS_PER_YEAR
        depths = np.array([rate * year, time])
        bars = np.array([bar * rate * year, 0.0])
        rows.append(LifePoint(time, depths, bars, nothing, np.zeros((3, 2)), (), nothing))
    return rows


def test_a_crossing_has_the_scatter_of_the_coefficient(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    limit = life.limit_volume
    points = points_at(limit / 20.0, 0.1)
    plain = _crossing(life, points, 0)
    assert plain is not None
    want = np.array([20.0, 20.0 / 1.1, 20.0 / 0.9])
    found = np.array([plain.time, plain.earliest, plain.latest]) / SECONDS_PER_YEAR
    assert found == pytest.approx(want, rel=1e-9)
    law = ArchardLaw(kind="ARCHARD", coefficient=Scatter(median=1e-16, factor=1.5))
    scattered = _crossing(replace(life, law=law), points, 0)
    assert scattered is not None
    early, late = (math.hypot(math.log(1.5), math.log(bar)) for bar in (1.1, 0.9))
    assert scattered.earliest == pytest.approx(plain.time * math.exp(-early))
    assert scattered.latest == pytest.approx(plain.time * math.exp(late))
    # The same if the limit is reached within a second.
    soon = _crossing(replace(life, law=law), points_at(2.0 * limit * SECONDS_PER_YEAR, 0.1), 0)
    assert soon is not None
    assert soon.time == pytest.approx(0.5)
    assert (soon.earliest, soon.latest) == pytest.approx(
        (0.5 * math.exp(-early), 0.5 * math.exp(late))
    )
    # Times after the end of the service do not count as reached.
    later = _crossing(replace(life, law=law, years=30.0), points, 0)
    assert later is not None
    assert (later.time, later.latest) == (plain.time, INF)
    reached = [replace(point, depths=point.depths + 2.0 * limit) for point in points]
    assert _crossing(replace(life, law=law), reached, 0) == Crossing(0.0, 0.0, 0.0)
    assert _crossing(replace(life, criterion=None), points, 0) is None
    assert _crossing(life, [], 0) == NEVER


def test_contacts_have_reached_a_limit_if_all_lower_ends_have() -> None:
    def point(depths: list[float], bars: list[float]) -> LifePoint:
        rows = np.array([[*depths, 5.0], [*bars, 0.0]])
        return LifePoint(5.0, *rows, rows[0], np.zeros((3, 3)), (), rows[0])

    assert _is_decided(point([2.0, 1.25], [0.5, 0.25]), 1.0)
    assert not _is_decided(point([2.0, 1.25], [0.5, 0.26]), 1.0)


def test_the_error_of_the_step_is_relative_to_the_first_power() -> None:
    steps = [state(0.0, 0.0, power_step_bar=2e-5), state(0.0, 0.0, power_step_bar=4e-5)]
    assert _step_share(steps) == pytest.approx(0.03)
    assert _step_share([replace(steps[0], power=0.0)]) == INF
    assert _step_share([replace(steps[0], power=0.0, power_step_bar=0.0)]) == 0.0


def test_results_of_a_draw_are_depths_by_year_and_the_time_to_the_limit(tmp_path: Path) -> None:
    life = life_of(tmp_path)
    assert instants(life) == [5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0]
    assert result_names(life) == (
        *(f"depth_after_{year}_years" for year in range(5, 41, 5)),
        "depth_bar", "reached", "years_to_limit",
    )  # fmt: skip
    assert depth_names(life, "a")[0] == "a.depth_after_5_years"
    contact = contact_of(crossing=years(31.0, 30.0, 32.0))
    result = result_of(life, contact)
    depths = [1e-6 * year for year in instants(life)]
    assert _values(result, contact) == pytest.approx([*depths, 2e-6, 1.0, 31.0])
    never = contact_of()
    assert _values(result, never)[-2:] == [0.0, None]
    # Uncertain results are unknown, and so are depths after the last state with a bound.
    lost = (*contact.states[:2], state(40.0, 40.0, depth_upper=INF))
    doubtful = contact_of(states=lost, not_known=unknown())
    found = _values(result, doubtful)
    assert found[:4] == pytest.approx(depths[:4])
    assert found[4:] == [None] * (INSTANTS - 4 + 3)
    assert _values(result, replace(contact, misfit="too wide"))[: INSTANTS + 1] == [None] * 9
    # The error bar is the one at the end, if the depth is known there.
    wide = replace(contact, states=(*contact.states[:2], state(40.0, 40.0, 3.5)))
    assert _values(result, wide)[INSTANTS] == pytest.approx(3.5e-6)
    late = (*contact.states[:2], state(35.0, 35.0), state(40.0, 40.0, depth_upper=INF))
    found = _values(result, contact_of(states=late, not_known=unknown()))
    assert found[INSTANTS - 2] == pytest.approx(3.5e-5)
    assert found[INSTANTS - 1 : INSTANTS + 1] == [None, None]
