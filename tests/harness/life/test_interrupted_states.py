"""An interrupted state of a service life repeats only its interrupted run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.life import load_life
from harness.life.life_file import Life
from harness.life.motion_runs import MotionRuns, Rates
from harness.life.wear_power import WearOfService
from harness.sweep import Journal, open_journal

from .pads import kept_life, life_file
from .test_run_pieces import rubbing


class InterruptionError(Exception):
    """Simulates the end of the process."""


@pytest.fixture
def all_runs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.life.wear_power._WORTH_KEEPING", -1.0)


def begun(monkeypatch: pytest.MonkeyPatch, most: float) -> list[str]:
    """Record the started runs, and interrupt the next run after `most` of them."""
    names: list[str] = []
    for name in ("rates", "rates_of_pieces"):
        original = getattr(MotionRuns, name)

        def run(*given: object, original: object = original, name: str = name) -> list[Rates]:
            if len(names) == most:
                raise InterruptionError
            names.append(name)
            return original(*given)  # type: ignore[operator, no-any-return]

        monkeypatch.setattr(MotionRuns, name, run)
    return names


def new_state(life: Life, journal: Journal) -> str | None:
    WearOfService(life, journal)(np.zeros(2))
    return journal.rows[0].failure


@pytest.mark.usefixtures("all_runs_are_kept")
def test_a_state_that_was_interrupted_repeats_only_its_last_run_and_keeps_every_bit(
    tmp_path: Path,
) -> None:
    life = load_life(rubbing(tmp_path))
    with pytest.MonkeyPatch.context() as patch, open_journal(life.journal, "a") as journal:
        whole = begun(patch, np.inf)
        expected = new_state(life, journal)
    # The first runs, the run that confirms them, the run in pieces, and the run with half the
    # step.
    assert len(whole) >= 4
    assert whole.count("rates_of_pieces") == 1
    life.journal.unlink()
    seen: list[str] = []
    for _ in whole[1:]:
        with pytest.MonkeyPatch.context() as patch, open_journal(life.journal, "a") as journal:
            one = begun(patch, 1)
            with pytest.raises(InterruptionError):
                new_state(life, journal)
        seen += one
    with pytest.MonkeyPatch.context() as patch, open_journal(life.journal, "a") as journal:
        last = begun(patch, np.inf)
        assert new_state(life, journal) == expected
    assert [*seen, *last] == whole
    with pytest.MonkeyPatch.context() as patch, open_journal(life.journal, "a") as journal:
        begun(patch, 0)
        assert new_state(life, journal) == expected


@pytest.mark.usefixtures("all_runs_are_kept")
def test_runs_of_an_interrupted_state_are_not_counted_as_states(tmp_path: Path) -> None:
    life = load_life(life_file(tmp_path))
    with pytest.MonkeyPatch.context() as patch:
        begun(patch, 5)
        with pytest.raises(InterruptionError):
            kept_life(life)
    result = kept_life(life)
    assert 0 < result.resumed < 5
