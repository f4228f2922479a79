"""FMUs under random calls and under ten million steps, in a process that must not crash."""

from pathlib import Path
from typing import Any

import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.models import fmu_names

from .torture_requests import described, figures, judge_endurance, torture

HOST = Path(__file__).with_name("torture_host.py")
WEIGHTS = {"FrictionalShock": 6, "DisChoc": 3, "ModalShock": 1, "BaseMotion": 1}


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return the descriptions of the FMUs for the host."""
    folders = {name: tmp_path_factory.mktemp(name) for name in fmu_names()}
    return [described(build_fmu(name, folder), folder) for name, folder in folders.items()]


def torture_all(fmus: list[dict[str, Any]], folder: Path, first: int, last: int) -> dict[str, Any]:
    return torture(HOST, fmus, [WEIGHTS[one["name"]] for one in fmus], folder, first, last)


@pytest.mark.long
def test_hundreds_of_random_sequences_break_no_rule(fmus, tmp_path):
    counts = torture_all(fmus, tmp_path, 0, 800)["counts"]
    assert counts["sequences"] == 800
    # The sequences must reach the cases of interest.
    for event in (
        "steps taken",
        "steps discarded, illegal",
        "steps past the stop time",
        "broken states",
        "illegal sets",
    ):
        assert counts[event] > 100
    assert counts["answers fmi2Discard to a step"] == 0
    assert counts["runs repeated cleanly"] > 40


@pytest.mark.campaign
def test_a_hundred_thousand_random_sequences_break_no_rule(fmus, tmp_path, capsys):
    answer = torture_all(fmus, tmp_path, 1000, 101_000)
    counts, memory = answer["counts"], answer["memory_kib"]
    with capsys.disabled():
        print(f"\n{figures(counts)}\nmemory, MB: {memory[0] / 1024:.0f} → {memory[-1] / 1024:.0f}")
    assert counts["sequences"] == 100_000
    # pythonfmu's library keeps the text of each message and some data of each instance, 0.2 to 1 kB
    # each. The slave's own state would add kilobytes per call.
    spent = 1024 * (memory[-1] - memory[1])
    assert spent < 1000 * (counts["messages"] + counts["instances"])


@pytest.mark.campaign
def test_ten_million_steps_leave_memory_and_time_as_they_were(fmus, capsys):
    (shoe,) = (one for one in fmus if one["name"] == "FrictionalShock")
    marks = judge_endurance(HOST, shoe, 10_000_000)
    with capsys.disabled():
        print("", *marks, sep="\n")
