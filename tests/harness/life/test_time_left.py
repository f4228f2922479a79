"""How long a life still takes is told from its first runs, and again where that changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.life import load_life, run_life
from harness.life.time_left import TimeLeft

from .pads import life_file


def told(jumps: list[tuple[int, float]], *, states: int = 2) -> list[tuple[float, int]]:
    """What is said of a life of 120 s whose states take 1 s each, after jumps (states, end [s])."""
    said: list[tuple[float, int]] = []
    left = TimeLeft(120.0, lambda seconds, runs: said.append((seconds, runs)))
    # The first state runs at half the step, too.
    left.ran(0, 4.0)
    left.reached(0.0)
    number = 1
    for asked, end in jumps:
        for _ in range(asked):
            left.ran(number, 1.0)
            number += 1
        left.reached(end - 1e-3)
        left.reached(end)
    return said


def test_the_second_state_tells_the_time_of_the_fewest_that_are_needed() -> None:
    # Twenty jumps of four states and the start; two are done.
    assert told([(1, 1.0)])[0] == (79.0, 79)


def test_jumps_as_long_as_expected_leave_it_at_that() -> None:
    assert told([(4, 6.0 * number) for number in range(1, 21)]) == [(79.0, 79)]


def test_shorter_jumps_are_told_as_they_go_on() -> None:
    said = told([(8, 2.0 * number) for number in range(1, 20)])
    # Four states for each second of service, of which at most 116 are left then.
    assert [runs for _, runs in said] == sorted(runs for _, runs in said)
    assert 2 <= len(said) <= 4
    assert 4.0 * 116.0 / 2.0 <= said[-1][0] <= 4.0 * 116.0


def test_a_moment_of_tiny_jumps_is_not_taken_for_the_rest() -> None:
    # A rate that changes suddenly after a sixtieth of the service: forty states for nearly nothing.
    said = told([(4, 2.0), *[(4, 2.0 + 1e-3 * number) for number in range(1, 10)]])
    assert said[-1][1] <= 10 * 40


def test_longer_runs_are_told() -> None:
    said: list[tuple[float, int]] = []
    left = TimeLeft(120.0, lambda seconds, runs: said.append((seconds, runs)))
    left.ran(0, 4.0)
    left.reached(0.0)
    for number in range(1, 5):
        left.ran(number, 1.0)
    left.reached(6.0)
    for number in range(5, 9):
        left.ran(number, 4.0)
    left.reached(12.0)
    # Four states for each six seconds of service; the last eight took 2.5 s each.
    assert said == [(79.0, 79), (pytest.approx(2.5 * 72.0), 72)]


def test_states_of_an_earlier_process_count_but_take_no_time() -> None:
    said: list[tuple[float, int]] = []
    left = TimeLeft(120.0, lambda seconds, runs: said.append((seconds, runs)))
    left.ran(0, None)
    left.reached(0.0)
    for number in range(1, 31):
        left.ran(number, None)
        if number % 5 == 0:
            left.reached(2.0 * number)
    assert said == []
    left.ran(31, 2.0)
    # Five states for ten seconds of service, of which 60 are left.
    assert said == [(pytest.approx(2.0 * 30.0, rel=0.05), pytest.approx(30, abs=1))]


def test_a_life_tells_its_time_as_it_begins(tmp_path: Path) -> None:
    said: list[int] = []
    result = run_life(load_life(life_file(tmp_path)), expected=lambda _, runs: said.append(runs))
    assert said[0] == 79
    assert result.runs >= 81
