"""The remaining time is estimated at the tenth state, and again if it becomes longer."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from harness.life import load_life, run_life
from harness.life.time_left import Forecast, TimeLeft, expected_end
from harness.subcommands.life import _say_expected
from wearmodel.statistics.cycle_jump import LifePoint
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .pads import life_file


def told(
    jumps: list[tuple[int, float]], *, seconds: float = 1.0, end: float = 120.0
) -> list[Forecast]:
    """Return the estimates for a life of 120 s after extrapolation steps (states, end [s])."""
    said: list[Forecast] = []
    left = TimeLeft(120.0, said.append)
    # The first state also runs with half the step.
    left.ran(0, 4.0)
    left.reached(0.0, end)
    number, before = 1, 0.0
    for asked, reached in jumps:
        for _ in range(asked):
            left.ran(number, seconds)
            number += 1
        left.reached(0.5 * (before + reached), end)
        left.reached(reached, end)
        before = reached
    return said


def test_the_tenth_state_tells_the_time_of_the_rest() -> None:
    # Twenty steps of four states and the start, of which ten are done. Later states take 0.8 of
    # the time.
    (said,) = told([(4, 6.0), (4, 12.0), (4, 18.0)])
    assert said.states == (71, 71)
    assert said.seconds == pytest.approx((0.8 * 71.0, 0.8 * 71.0))
    assert said.share == pytest.approx(0.1)
    assert told([(4, 6.0), (4, 12.0)]) == []


def test_jumps_as_long_as_expected_leave_it_at_that() -> None:
    assert len(told([(4, 6.0 * number) for number in range(1, 21)])) == 1


def test_short_jumps_of_the_start_may_double_or_stay() -> None:
    # After 0.75 s: 87 to 1271 states, a range that is too wide to be reported.
    start = [(4, 0.375), (4, 0.75), (4, 1.5)]
    assert told(start) == []
    (said,) = told([*start, (4, 3.0), (1, 6.0)])
    # After 3 s: a step of 3 s, and 19 of 6 s. One state of these is done.
    fewest = 4 * (1 + 19) - 1
    # Or all steps have the length of the last one, 1.5 s.
    most = 4 * 78 - 1
    assert said.states == (fewest, most)
    assert said.seconds == pytest.approx((0.8 * fewest, 0.8 * most))


def test_the_length_of_the_first_step_counts_from_its_end_on() -> None:
    # Before it, the longest step is assumed: 20 steps, of which nine states are done.
    (said,) = told([(9, 3.0)])
    assert said.states == (80 - 9, 80 - 9)
    # After 3 s: a step of 3 s, and then 19.5 steps of 6 s or 39 of 3 s. Five states are done.
    (said,) = told([(4, 3.0), (5, 9.0)])
    assert said.states == (4 * 39 // 2 - 5, 4 * 39 - 5)


def test_jumps_that_never_grow_are_inside_the_range_from_the_tenth_state_on() -> None:
    """The sides of a hole limit the extrapolation step, even if the rates are smooth."""
    said = told([(4, 2.0 * number) for number in range(1, 61)])
    assert said[0].states == (79, 4 * 58 - 1)
    assert len(said) == 1


def test_a_life_with_a_limit_that_comes_soon_ends_there() -> None:
    (said,) = told([(4, 6.0), (4, 12.0), (4, 18.0)], end=27.0)
    # Two and a half steps from 12 s. One state of these is done.
    assert said.states == (9, 9)


def test_longer_runs_are_told() -> None:
    said: list[Forecast] = []
    left = TimeLeft(120.0, said.append)
    left.ran(0, 4.0)
    left.reached(0.0, 120.0)
    for number in range(1, 41):
        left.ran(number, 1.0 if number < 20 else 9.0)
        if number % 4 == 0:
            left.reached(1.5 * number - 3.0, 120.0)
            left.reached(1.5 * number, 120.0)
    assert 2 <= len(said) <= 1 + math.log(572.0 / 70.0) / math.log(1.5)
    # The estimate is repeated if the whole time is 1.5 times the reported one. The mean includes
    # 19 states of 1 s and the later states of 9 s.
    longer = np.arange(1, 21)
    spent = 4.0 + 19.0 + 9.0 * longer
    means = (19.0 + 9.0 * longer) / (19.0 + longer)
    whole = spent + 0.8 * means * (80 - (19 + longer))
    first = int(np.argmax(whole > 1.5 * (said[0].seconds[1] + 13.0)))
    assert said[1].seconds[1] == pytest.approx(whole[first] - spent[first])


def test_states_of_an_earlier_process_count_but_take_no_time() -> None:
    said: list[Forecast] = []
    left = TimeLeft(120.0, said.append)
    left.ran(0, None)
    left.reached(0.0, 120.0)
    for number in range(1, 41):
        left.ran(number, None)
        if number % 4 == 0:
            left.reached(1.5 * number - 3.0, 120.0)
            left.reached(1.5 * number, 120.0)
    assert said == []
    left.ran(41, 2.0)
    # Ten more steps, of which one state is done.
    assert said[0].states == (39, 39)
    assert said[0].seconds[0] == pytest.approx(0.8 * 2.0 * 39.0)


@pytest.mark.parametrize(("seconds", "is_told"), [(3.5, False), (4.5, True)])
def test_states_of_an_earlier_process_do_not_delay_the_next_estimate(
    seconds: float, *, is_told: bool
) -> None:
    said: list[Forecast] = []
    left = TimeLeft(120.0, said.append)
    for number in range(41):
        left.ran(number, None)
        if number % 4 == 0:
            left.reached(1.5 * number - 3.0, 120.0)
            left.reached(1.5 * number, 120.0)
    left.ran(41, 2.0)
    left.ran(42, seconds)
    first = 2.0 + 0.8 * 2.0 * 39.0
    second = 2.0 + seconds + 0.8 * 0.5 * (2.0 + seconds) * 38.0
    assert (second > 1.5 * first) is is_told
    assert len(said) == 1 + is_told


@pytest.mark.parametrize(
    ("before", "is_told"), [(56.0, False), (126.0, False), (55.99, True), (126.01, True)]
)
def test_an_estimate_is_told_again_if_it_changed_by_more_than_a_factor(
    before: float, *, is_told: bool
) -> None:
    said: list[Forecast] = []
    left = TimeLeft(120.0, said.append)
    left.ran(0, 1.75)
    left.reached(0.0, 120.0)
    for number in range(1, 9):
        left.ran(number, 1.25)
    # Ten states take 13 s, and 71 more states 0.8 · 1.25 s each. The total is 84 s.
    left._said = before
    left.ran(9, 1.25)
    assert len(said) == is_told


@pytest.mark.parametrize(("longest", "is_told"), [(4.0, True), (4.01, False)])
def test_an_estimate_with_a_range_of_more_than_a_factor_of_four_is_not_told(
    monkeypatch: pytest.MonkeyPatch, longest: float, *, is_told: bool
) -> None:
    said: list[Forecast] = []
    estimate = Forecast((1.0, longest), (1, 4), 0.1)
    monkeypatch.setattr(TimeLeft, "left", estimate)
    left = TimeLeft(120.0, said.append)
    for number in range(10):
        left.ran(number, 1.0)
    assert said == [estimate] * is_told


def point(depths: list[float], bars: list[float], rates: list[float]) -> LifePoint:
    """Return a point after 100 s, with the time as the last depth."""
    rows = (np.array([*row, last]) for row, last in ((depths, 100.0), (bars, 0.0), (rates, 1.0)))
    known = list(rows)
    zeros = np.zeros((3, len(depths) + 1))
    return LifePoint(100.0, *known, zeros, (), zeros[0])  # type: ignore[arg-type]


def test_the_end_of_a_life_is_where_the_lower_end_of_the_last_contact_reaches_the_limit() -> None:
    # With an error of 10 %, the depth must be 1.1 at the end. The remaining depths are 0.6 and
    # 0.2.
    near = point([0.5, 0.9], [0.05, 0.09], [0.01, 0.002])
    assert expected_end(near, 1.0, 1000.0) == pytest.approx(100.0 + 0.2 / 0.002, rel=0.02)
    assert expected_end(near, 1.0, 150.0) == 150.0
    # If the limit is too far away, a rate is not extrapolated.
    assert expected_end(point([0.3, 0.9], [0.0, 0.0], [0.01, 0.01]), 1.0, 1000.0) == 1000.0
    assert expected_end(point([2.0, 2.0], [0.1, 0.1], [0.01, 0.01]), 1.0, 1000.0) == 100.0
    # A contact without further wear has reached the limit if its lower end is equal to the limit.
    assert expected_end(point([1.25], [0.25], [0.0]), 1.0, 1000.0) == 100.0
    assert expected_end(point([1.25], [0.5], [0.0]), 1.0, 1000.0) == 1000.0


def test_from_two_fifths_of_the_limit_on_the_rate_is_extrapolated() -> None:
    for depth, end in ((0.4, 160.0), (0.399, 1000.0)):
        assert expected_end(point([depth], [0.0], [0.01]), 1.0, 1000.0) == pytest.approx(end)


def test_a_life_tells_its_time_at_its_tenth_state(tmp_path: Path) -> None:
    said: list[Forecast] = []
    result = run_life(load_life(life_file(tmp_path)), expected=said.append)
    assert said[0].states == (71, 71)
    assert said[0].share == pytest.approx(0.1, abs=0.01)
    assert result.runs == 81
    assert math.isclose(result.states[-1].time, 40.0 * SECONDS_PER_YEAR)


def test_the_command_prints_a_range_of_the_time_and_of_the_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _say_expected(Forecast((150.0, 360.0), (79, 185), 0.0318), 2)
    _say_expected(Forecast((30.0, 30.0), (71, 71), 0.1), 1)
    _say_expected(Forecast((3.0, 19.0), (10, 71), 0.1), 1)
    assert capsys.readouterr().err.splitlines() == [
        "wearfmu: 3 % of the service time computed, about 2 to 6 minutes left, 158 to 370 runs",
        "wearfmu: 10 % of the service time computed, about 30 seconds left, 71 runs",
    ]
