"""The page on intervals of rates has the form that `python -m tests.rates` writes."""

import re

import pytest

from tests.rates import slow
from tests.rates.campaign import outcome
from tests.rates.cliffs import ERRORS, KINDS, cliff_outcome
from tests.rates.processes import NOT_SEEN, PROCESSES
from tests.rates.rates_table import CLIFFS_HEADING, cliff_row, markdown, row

from .documents import ROOT

PAGE = ROOT / "docs" / "rates.md"
LINES = PAGE.read_text(encoding="utf-8").splitlines()
BORDER = LINES.index(CLIFFS_HEADING)
# Largest share of records with a necessary time, if fewer than 90 % of the necessary times are
# within a factor of 3. The default is 1 %. docs/verification.md lists the exception.
SHORT_TIMES = {"on and off, lengths Pareto 1.5": 1.5}  # % of the records
# Rows of each table, without the heading.
ROWS = [line for line in LINES[:BORDER] if line.startswith("| ")][1:]
CLIFF_ROWS = [line for line in LINES[BORDER:] if line.startswith("| ")][1:]


def _numbers(line: str) -> list[float | None]:
    """Return the numbers in the cells after the name of a row, None for a cell without a number."""
    cells = line.strip("| ").split(" | ")[1:]
    return [
        float(number[0]) if (number := re.findall(r"[0-9.]+", cell)) else None for cell in cells
    ]


def test_the_page_has_the_form_and_the_rows_of_the_campaign():
    draws, lives = int(LINES[2].split()[0]), int(LINES[BORDER + 2].split()[0])
    computed = LINES[4]
    assert re.match(r"Computed on \d{4}-\d\d-\d\d\.", computed)
    assert markdown(ROWS, draws, CLIFF_ROWS, lives, computed).splitlines() == LINES
    assert [line.split(" | ")[0].removeprefix("| ") for line in ROWS] == [
        process.name for process in PROCESSES
    ]
    assert [tuple(line.strip("| ").split(" | ")[:2]) for line in CLIFF_ROWS] == [
        (kind, f"{100.0 * error:g} %") for error in ERRORS for kind in KINDS
    ]


@pytest.mark.parametrize(
    ("process", "line"),
    list(zip(PROCESSES, ROWS, strict=True)),
    ids=[process.name for process in PROCESSES],
)
def test_a_row_shows_what_was_asked_for(process, line):
    """Check the kept numbers, which may come from another machine."""
    known, cover, width, told, right, _ = _numbers(line)
    assert known is not None
    if process.name == NOT_SEEN:
        # No record contains the rare shocks of this process. See docs/verification.md.
        assert cover is not None
        assert cover < 50.0
        return
    # If at most 3 % of the records give a rate, their coverage is not tested.
    assert cover is None or cover >= 92.0 or known <= 3.0
    if right is not None and right < 90.0:
        # No time is sufficient if the variance is infinite. Few of these records give a time.
        assert told is not None
        assert (100.0 - known) * told / 100.0 <= SHORT_TIMES.get(process.name, 1.0)
    if process.asked:
        assert known >= 98.0
        assert width is not None
        assert width <= 1.5
    if process.name.startswith("lognormal"):
        assert known >= 90.0


@pytest.mark.parametrize("line", CLIFF_ROWS)
def test_at_most_five_of_a_hundred_lives_lie_outside_their_bar(line):
    _, outside, _, bar, _ = _numbers(line)
    assert outside is not None
    assert outside <= 5.0
    # Half of the accepted error is for the extrapolation, half for the runs.
    assert bar is not None
    assert bar <= 5.0


def test_a_row_tells_shares_and_no_number_where_there_is_none():
    cells = row(outcome(PROCESSES[0], 2)).split(" | ")
    assert cells[0] == "| white"
    assert cells[1] == "100.0 %"
    assert cells[4:6] == ["–", "–"]
    assert cliff_row(cliff_outcome("falling", 2)).split(" | ")[:3] == ["| falling", "0 %", "0.0 %"]


@pytest.mark.parametrize("process", slow.PROCESSES)
def test_a_process_of_the_table_of_slow_processes_can_be_drawn_again(process):
    page = (ROOT / "docs" / "verification.md").read_text(encoding="utf-8")
    kept = [line for line in page.splitlines() if line.startswith(f"| {process} | ")]
    assert len(kept) == 1
    _, _, _, _, wrong, length = _numbers(kept[0])
    assert wrong is not None
    assert wrong <= 8.0
    drawn = slow.outcome(1, process)
    assert drawn.split(" | ")[:2] == kept[0].split(" | ")[:2]
    assert _numbers(drawn)[-1] in (None, length)
