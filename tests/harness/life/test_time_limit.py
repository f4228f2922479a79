"""A life that ends at a time limit prints its partial result, and resumes when it runs again."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.command_line import main
from harness.life import answers, load_life, run_life, write_life_json
from harness.life.life_text import contact_rows
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.units import seconds_of_text

from .pads import LIFE, exact_depth, kept_life, life_file

LIMITED = LIFE + 'criterion = { variable = "depth", limit = %s }\n'


@dataclass
class Clock:
    """A clock that advances by a second with each reading."""

    now: float = 0.0

    def monotonic(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    shared = Clock()
    monkeypatch.setattr("harness.life.wear_power.clock", shared)
    monkeypatch.setattr("harness.life.life_run.time", shared)
    return shared


def test_a_life_ends_at_its_time_limit_and_a_later_call_gives_the_uninterrupted_result(
    tmp_path: Path, clock: Clock
) -> None:
    life = load_life(life_file(tmp_path))
    whole = kept_life(life)
    assert whole.is_complete
    assert not life.journal.exists()
    limit, spent = clock.now / 3.0, clock.now
    part = kept_life(life, time_limit=limit)
    # The last state reads the clock four times.
    assert clock.now - spent <= limit + 4.0
    assert not part.is_complete
    assert not part.is_known
    (contact,) = part.contacts
    last = contact.states[-1]
    years = last.time / SECONDS_PER_YEAR
    assert 0.0 < years < 40.0
    assert abs(last.depth - exact_depth(years)) <= last.depth_bar
    assert f"{years:.3g} of 40 years" in "\n".join(answers(part))
    # The journal contains the states of the first call.
    assert life.journal.exists()
    rest = kept_life(life)
    assert rest.is_complete
    assert rest.resumed == part.runs - 1
    assert not life.journal.exists()
    texts = []
    for result in (whole, rest):
        write_life_json(result, tmp_path / "life.json")
        texts.append((tmp_path / "life.json").read_bytes())
    assert texts[0].partition(b'"provenance"')[0] == texts[1].partition(b'"provenance"')[0]


def test_a_limit_that_is_reached_before_the_time_is_up_is_answered(
    tmp_path: Path, clock: Clock
) -> None:
    # 1 µm is worn in the first years, and 95 µm after 40 years.
    text = LIMITED.replace("years = 40.0", "to_the_end = true\nyears = 40.0")
    life = load_life(life_file(tmp_path, text % "1e-6"))
    kept_life(life)
    part = kept_life(life, time_limit=clock.now / 2.0)
    assert not part.is_complete
    assert part.is_known
    assert part.first.crossing is not None
    assert math.isfinite(part.first.crossing.latest)


def test_a_limit_that_is_not_reached_before_the_time_is_up_is_not_known(
    tmp_path: Path, clock: Clock
) -> None:
    life = load_life(life_file(tmp_path, LIMITED % "99e-6"))
    assert kept_life(life).is_known
    part = kept_life(life, time_limit=clock.now / 2.0)
    assert not part.is_known
    years = f"{part.states[-1].time / SECONDS_PER_YEAR:.3g}"
    head = f"after {years} of 40 years: not known whether depth 99 µm is reached in 40 years"
    assert answers(part)[0] == head
    # The table shows the depth at this time instead of the end of the service.
    assert contact_rows(part)[0][0] == f"depth [µm]\nafter {years} of 40 years"
    assert contact_rows(run_life(life))[0][0] == "depth\n[µm]"


def test_a_run_that_would_end_too_late_is_not_started(tmp_path: Path) -> None:
    life = load_life(life_file(tmp_path))
    part = kept_life(life, time_limit=1e-9)
    assert part.runs == 1
    # A depth of 0 is not printed as a result.
    (line,) = answers(part)
    assert line.startswith("not known: the time limit ended the calculation before")
    assert not part.is_known
    assert [state.time for state in part.states] == [0.0]
    assert len(life.journal.read_text().splitlines()) == 1


def test_the_command_ends_at_its_time_limit_with_the_exit_code_of_an_unknown_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path)
    output = tmp_path / "life.json"
    assert main(["life", str(file), "--time-limit", "1e-6s", "--json", str(output)]) == 3
    assert "not known: the time limit ended the calculation before" in capsys.readouterr().out
    assert json.loads(output.read_text(encoding="utf-8"))["complete"] is False
    assert main(["life", str(file), "--json", str(output)]) == 0
    assert json.loads(output.read_text(encoding="utf-8"))["complete"] is True


@pytest.mark.parametrize("wrong", ["10", "10 m", "0s", "-1h", "min", "inf s"])
def test_a_time_limit_needs_a_positive_number_and_a_unit_of_time(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["life", str(life_file(tmp_path)), f"--time-limit={wrong}"])
    assert f"{wrong!r} must be" in capsys.readouterr().err


def test_times_are_read_with_and_without_a_space() -> None:
    assert seconds_of_text("10min") == seconds_of_text("10 min") == 600.0
    assert seconds_of_text("1.5h") == 5400.0
    assert seconds_of_text("2e1 s") == 20.0
    assert seconds_of_text("250 ms") == 0.25
