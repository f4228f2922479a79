"""The native FMU under random calls and ten million steps, in a process that must not crash."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fmu_src.models import native_fmu_names

from ..campaigns.torture_requests import described, figures, judge_endurance, torture

HOST = Path(__file__).with_name("native_torture_host.py")

each_model = pytest.mark.parametrize("name", native_fmu_names())


@pytest.fixture
def fmu(native_fmus: Callable[[str], Path], tmp_path: Path, name: str) -> dict[str, Any]:
    """Return the description of the FMU for the host."""
    return described(native_fmus(name), tmp_path)


@each_model
def test_a_thousand_random_sequences_break_no_rule(fmu, tmp_path):
    counts = torture(HOST, [fmu], [1], tmp_path, 0, 1000)["counts"]
    assert counts["sequences"] == 1000
    # All intended kinds of call occur.
    events = ["steps taken", "steps discarded, illegal", "steps past the stop time", "illegal sets"]
    if fmu["takes_derivatives"]:
        events.append("input derivatives")
    for event in events:
        assert counts[event] > 100
    assert counts["answers fmi2Discard to a step"] == 0
    for event in ("broken states", "spoilt states refused", "spoilt states taken"):
        assert counts[event] > 20
    if any(causality == "input" for _, _, causality, _ in fmu["variables"]):
        assert counts["directional derivatives given"] > 20
    assert counts["runs repeated cleanly"] > 100


@pytest.mark.campaign
@each_model
def test_a_hundred_thousand_random_sequences_break_no_rule_and_leak_nothing(fmu, tmp_path, capsys):
    answer = torture(HOST, [fmu], [1], tmp_path, 1000, 101_000)
    counts, memory = answer["counts"], answer["memory_kib"]
    with capsys.disabled():
        print(f"\n{figures(counts)}\nmemory, MB: {memory[0] / 1024:.1f} → {memory[-1] / 1024:.1f}")
    assert counts["sequences"] == 100_000
    # An instance takes 15 kB, and 5000 are created and freed. A leak of one byte per call is
    # detected.
    assert memory[-1] - memory[1] < 2000


@pytest.mark.campaign
def test_ten_million_steps_leave_memory_and_time_as_they_were(native_fmu, tmp_path, capsys):
    marks = judge_endurance(HOST, described(native_fmu, tmp_path), 10_000_000)
    with capsys.disabled():
        print("", *marks, sep="\n")
