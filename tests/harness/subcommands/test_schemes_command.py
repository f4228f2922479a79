"""`wearfmu schemes` prints recorded and computed powers and judges each by its goal."""

from __future__ import annotations

from dataclasses import replace

import pytest

import wearmodel.reference.schemes
from harness.command_line import main
from wearmodel.reference.schemes import recorded_runs


def stick_run() -> wearmodel.reference.schemes.RecordedRun:
    """EULER at 0.99 m/s2, which never slips."""
    return next(run for run in recorded_runs() if run.scheme == "EULER" and run.amplitude == 0.99)


@pytest.mark.parametrize(("recorded", "code"), [(0.0, 0), (1e-3, 1)], ids=["as-recorded", "other"])
def test_the_exit_code_says_whether_each_scheme_reached_its_goal(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    recorded: float,
    code: int,
) -> None:
    run = replace(stick_run(), recorded=recorded)
    monkeypatch.setattr(wearmodel.reference.schemes, "recorded_runs", lambda: [run])
    assert main(["schemes"]) == code
    printed = capsys.readouterr().out
    assert ("ok" if code == 0 else "FAILED") in printed
    assert "not reproducible" in printed
    assert max(map(len, printed.splitlines())) <= 80
