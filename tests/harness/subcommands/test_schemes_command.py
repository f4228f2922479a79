"""`wearfmu schemes` prints recorded and computed wear powers and compares them with limits."""

from dataclasses import replace
from functools import partial

import pytest

from harness.command_line import main
from wearmodel.reference import schemes
from wearmodel.reference.schemes import recorded_runs


def stick_run() -> schemes.RecordedRun:
    """Return the run of EULER at 0.99 m/s2, which never slips."""
    return next(run for run in recorded_runs() if run.scheme == "EULER" and run.amplitude == 0.99)


@pytest.mark.parametrize(("recorded", "code"), [(0.0, 0), (1e-3, 1)], ids=["as-recorded", "other"])
def test_the_exit_code_says_whether_each_scheme_reached_its_goal(
    monkeypatch, capsys, recorded, code
):
    run = replace(stick_run(), recorded=recorded, document_2003=15.2668)
    monkeypatch.setattr(schemes, "recorded_runs", lambda: [run])
    assert main(["schemes"]) == code
    printed = capsys.readouterr().out
    assert ("ok" if code == 0 else "FAILED") in printed
    assert "15.2668" in printed
    assert "not reproducible" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_the_largest_difference_from_the_exact_value_is_printed_beside_that_of_2003(
    monkeypatch, capsys
):
    runs = [run for run in recorded_runs() if (run.scheme, run.amplitude) == ("EULER", 1.01)]
    monkeypatch.setattr(schemes, "recorded_runs", lambda: runs)
    assert main(["schemes"]) == 0
    # 2.26326449112e-4 W, compared with 2.26164121279787e-4 W for rigid friction.
    assert "a0 = 1.01: 0.072 % (2003: 0.072 %)" in capsys.readouterr().out


@pytest.mark.long
def test_an_amplitude_of_one_s_own_is_compared_with_the_exact_value(monkeypatch, capsys):
    # One step size for each scheme. The usual four take a quarter of a minute.
    coarse = partial(schemes.scheme_errors, step_sizes=(2e-4,))
    monkeypatch.setattr(schemes, "scheme_errors", coarse)
    assert main(["schemes", "--amplitude", "1.5", "3"]) == 0
    printed = capsys.readouterr().out
    # The value for 1.5 m/s2, as in the case sdnd104_a1p5.
    assert "exact value of rigid friction: 0.409062451016 W" in printed
    assert printed.count("RUNGE_KUTTA 5(4)") == 2
    assert max(map(len, printed.splitlines())) <= 80


def test_an_amplitude_that_is_not_positive_ends_the_command(capsys):
    assert main(["schemes", "--amplitude", "-1"]) == 2
    assert "amplitude=-1.0 m/s2 must be > 0" in capsys.readouterr().err
