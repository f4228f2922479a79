"""Expectations of quantity "statistic": values, errors and messages of failures."""

import json
from typing import Any

import numpy as np
import pytest

from harness.case.expectations import StatisticExpectation, check_run
from harness.command_line import main
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord

EXPERIMENT = Experiment(stop_time=4.0, step_size=0.5)
# Two knocks while the mass slides at 0.1 m/s. contact_mode: FLIGHT 0, STICK 1, SLIP 2.
RECORD = RunRecord(
    times=np.arange(9) * 0.5,
    values={
        "normal_force": np.array([0.0, 10.0, 10.0, 0.0, 0.0, 0.0, 20.0, 0.0, 0.0]),
        "gap": np.array([1.0, 0.0, -1.0, 1.0, 2.0, 1.0, -2.0, 1.0, 2.0]),
        "gap_velocity": np.array([-1.0, -0.5, 0.5, 1.0, 1.0, -1.0, -0.75, 1.0, 1.0]),
        "slip_velocity": np.full(9, 0.1),
        "contact_mode": np.array([0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]),
    },
    seconds=0.0,
    messages=(),
)


def expected(statistic: str, **keys: Any) -> StatisticExpectation:
    keys = {"reading": "sampled", "value": 0.0, "rtol": 0.0, **keys}
    return StatisticExpectation(
        quantity="statistic", statistic=statistic, source="by hand", reason="halves", **keys
    )


@pytest.mark.parametrize(
    ("statistic", "keys", "want"),
    [
        ("impact.F_MAX", {}, 10.0),
        ("impact.F_MAX", {"row": 2}, 20.0),
        ("impact.F_MAX", {"window": (1.5, 4.0)}, 20.0),
        ("impact.V_IMPACT", {"row": 2}, -0.75),
        ("impact.IMPULSION", {"rest_time": 2.0}, 20.0),
        ("impact.IMPULSION", {"force_threshold": 10.0}, 10.0),
        ("impact.FIN", {"class_count": 5}, 12.0),
        ("usure.FORCE_NORMALE.MAXI", {}, 20.0),
        # The means of samples 0 to 3 and 4 to 7 are 5 N. The mean of all nine samples is 40/9 N.
        ("usure.FORCE_NORMALE.MOYEN_T_TOTAL", {"block_count": 2}, 5.0),
        # contact_mode is the flag of a relation. The gap in the first phase is −1 m.
        (
            "rela.MAXI",
            {"columns": {"relation_active": "contact_mode", "relation_displacement": "gap"}},
            -1.0,
        ),
    ],
)
def test_a_statistic_of_the_run_is_measured(statistic, keys, want):
    (check,) = check_run((expected(statistic, **keys),), RECORD, EXPERIMENT)
    assert (check.problem, check.got) == (None, want)


def test_readings_differ():
    sampled, located = (
        check_run(
            (expected("usure.FORCE_NORMALE.MOYEN_T_TOTAL", reading=reading),), RECORD, EXPERIMENT
        )[0].got
        for reading in ("sampled", "interpolated")
    )
    # 40 N over nine samples. By the trapezoid rule, four half seconds of 10 N in 4 s.
    assert (sampled, located) == pytest.approx((40.0 / 9.0, 5.0), rel=1e-14)


def test_sums_agree_with_the_trapezoid():
    (check,) = check_run((expected("usure.PUIS_USURE"),), RECORD, EXPERIMENT)
    # 1, 1 and 2 W at three samples of half a second, over 4 s. Products of 0.1 have rounding
    # errors.
    assert check.got == pytest.approx(0.5, rel=1e-14)


@pytest.mark.parametrize(
    ("statistic", "keys", "problem"),
    [
        # A force of 0.1 N that does not end is not a complete shock.
        (
            "impact.F_MAX",
            {"columns": {"normal_force": "slip_velocity"}},
            "IMPACT has no F_MAX. Its columns are CALCUL, CHOC, F_MAX_ABS",
        ),
        ("impact.F_MAX", {"row": 3}, "row=3 of IMPACT F_MAX must be in 1 … 2"),
        ("usure.DEPL_X.RMS", {}, "USURE has no DEPL_X.RMS"),
        ("usure.PUIS_USURE", {"columns": {"tangential_velocity_1": "v"}}, "must be in column v"),
        ("rela.MAXI", {}, "relation_active is missing from the record, which has time"),
        ("usure.T_CHOC_MINI", {"force_threshold": 30.0}, "usure.T_CHOC_MINI has no value in this"),
        ("usure.PUIS_USURE", {"block_count": 5}, "block_count=5 must be ≤ half the window's 9"),
    ],
)
def test_what_the_run_lacks_fails_and_says_why(statistic, keys, problem):
    (check,) = check_run((expected(statistic, atol=1e9, **keys),), RECORD, EXPERIMENT)
    assert not check.passed
    assert check.problem is not None
    assert problem in check.problem


def test_the_others_are_checked_all_the_same():
    checks = check_run(
        (expected("impact.F_MAX", row=3), expected("impact.F_MAX", value=10.0)), RECORD, EXPERIMENT
    )
    assert [check.passed for check in checks] == [False, True]


STATISTIC = 'quantity = "statistic"\nstatistic = "impact.F_MAX"\n'
BAD = {
    "unknown statistic": ('"impact.F_MAX"', '"impact.FMAX"', "IMPACT has no FMAX. Its columns are"),
    "unknown table": ('"impact.F_MAX"', '"shock.F_MAX"', "with TABLE in usure, impact, rela"),
    "no column": ('"impact.F_MAX"', '"impact"', "name='impact' must be TABLE.COLUMN"),
    "no statistic": ('statistic = "impact.F_MAX"\n', "", "expect[1].statistic is missing"),
    "row 0": (STATISTIC, STATISTIC + "row = 0\n", "expect[1].row = 0: must be"),
    "row 1.0": (STATISTIC, STATISTIC + "row = 1.5\n", "expect[1].row = 1.5: must be"),
    "variable": (STATISTIC, STATISTIC + 'variable = "total"\n', "expect[1].variable is not"),
    "reading": (STATISTIC, STATISTIC + 'reading = "exact"\n', "expect[1].reading = 'exact': must"),
    "threshold": (STATISTIC, STATISTIC + "force_threshold = -1.0\n", "force_threshold=-1.0 N must"),
    "blocks": (STATISTIC, STATISTIC + "block_count = 0\n", "block_count=0 must be a whole number"),
    "off the grid": (
        STATISTIC,
        STATISTIC + "window = [0.0, 0.9]\n",
        "(impact.F_MAX [0, 0.9] s): window end: 0.9 s must be a communication point",
    ),
    "empty window": (STATISTIC, STATISTIC + "window = [0.5, 0.5]\n", "must be > window start"),
    "unknown quantity": (
        STATISTIC,
        STATISTIC + 'columns = { force = "total" }\n',
        "'force' is not a quantity of a record",
    ),
    "unknown variable": (
        STATISTIC,
        STATISTIC + 'columns = { normal_force = "totl" }\n',
        "expect[1].columns: 'totl' is not a variable of",
    ),
}


@pytest.fixture
def statistic_case(good_case: str) -> str:
    """Return a case file that expects a statistic of the growing total of the toy."""
    text = good_case.replace('quantity = "value"\nvariable = "total"\ntime = 1.0\n', STATISTIC)
    assert text != good_case
    return text


@pytest.mark.parametrize(("old", "new", "message"), BAD.values(), ids=BAD)
def test_a_bad_section_gives_one_clear_line_and_exit_code_2(
    tmp_path, statistic_case, capsys, old, new, message
):
    file = tmp_path / "bad.toml"
    assert old in statistic_case
    file.write_text(statistic_case.replace(old, new, 1), encoding="utf-8")
    assert main(["run", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_failed_statistic_gives_exit_code_1_its_reason_and_null_in_json(
    tmp_path, statistic_case, capsys
):
    columns = 'columns = { normal_force = "total" }\n'
    file, target = tmp_path / "case.toml", tmp_path / "result.json"
    file.write_text(statistic_case.replace(STATISTIC, STATISTIC + columns))
    assert main(["run", str(file), "--json", str(target)]) == 1
    out = capsys.readouterr().out
    assert "impact.F_MAX: got nan, want 6.0" in out
    assert "IMPACT has no F_MAX. Its columns are CALCUL, CHOC" in out
    (check,) = json.loads(target.read_text())["cases"][0]["checks"]
    assert (check["statistic"], check["got"], check["error"]) == ("impact.F_MAX", None, None)
    assert "IMPACT has no F_MAX" in check["problem"]


def test_a_statistic_that_holds_passes(tmp_path, statistic_case):
    file = tmp_path / "case.toml"
    # The total rises to 6 and its contact does not end. Its largest value is the last one.
    section = STATISTIC.replace("F_MAX", "F_MAX_ABS") + 'columns = { normal_force = "total" }\n'
    file.write_text(statistic_case.replace(STATISTIC, section))
    assert main(["run", str(file)]) == 0
