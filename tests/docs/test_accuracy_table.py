"""The accuracy table contains the errors of a new run of all shipped cases."""

import re

import pytest

from harness.case.shipped import shipped_cases

from .documents import ROOT

TEXT = (ROOT / "docs" / "verification.md").read_text(encoding="utf-8")
SECTION = TEXT.split("\n## Accuracy\n")[1].split("\n## ")[0]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in SECTION.splitlines()
    if line.startswith("| `")
]
ROUNDING = 1e-12


def named(cell: str) -> list[str]:
    """Return the names that are written as code in a cell."""
    return re.findall(r"`([\w.]+)`", cell)


@pytest.mark.parametrize(
    ("cases", "quantity", "shown"),
    [(row[0], row[1], row[3]) for row in ROWS],
    ids=lambda cell: cell,
)
@pytest.mark.long
def test_an_error_of_the_table_is_that_of_the_run(shipped_results, cases, quantity, shown):
    variables = named(quantity)
    checks = [
        check
        for case in named(cases)
        for check in shipped_results[case]["checks"]
        if check["want"]
        if not variables or (check.get("variable") or check["statistic"]) in variables
    ]
    found = {check.get("variable") or check["statistic"] for check in checks}
    assert found.issuperset(variables), f"no check of {set(variables) - found}"
    error = max(check["error"] / abs(check["want"]) for check in checks)
    if shown == "< 1e-12":
        assert error < ROUNDING
    else:
        assert re.fullmatch(r"[1-9]e-\d+", shown), "one digit, or < 1e-12"
        assert 0.5 * error <= float(shown) <= 2.0 * error, f"the error is {error:.1e}"


def test_exactly_the_errors_above_1e_9_have_a_cause():
    large = {tuple(row[:2]) for row in ROWS if row[3] != "< 1e-12" and float(row[3]) > 1e-9}
    assert len(large) > 10
    assert {tuple(row[:2]) for row in ROWS if row[4]} == large


def test_every_shipped_case_with_an_error_is_in_the_table():
    in_table = {name for row in ROWS for name in named(row[0])}
    assert set(shipped_cases()) - in_table == {"sdnd104_a0p99", "sdnd104_penalised_a0p99"}
