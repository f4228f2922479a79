"""The page of the intervals of rates is the one that `python -m tests.rates` would write."""

from __future__ import annotations

import re

from tests.rates.campaign import outcome
from tests.rates.processes import PROCESSES
from tests.rates.rates_table import markdown, row

from .documents import ROOT

PAGE = ROOT / "docs" / "rates.md"


def test_the_page_has_the_form_and_the_processes_of_the_campaign() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    draws = int(lines[2].split()[0])
    table = [line for line in lines if line.startswith("| ")][1:]
    assert lines == markdown(table, draws).splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in table] == [
        process.name for process in PROCESSES
    ]


def test_the_page_shows_what_was_asked_for() -> None:
    """By what stands there: no digit of it need be that of this machine."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        process = next((one for one in PROCESSES if one.name == cells[0]), None)
        if process is None:
            continue
        known, cover, width, told, right = (
            float(number[0]) if (number := re.findall(r"[0-9.]+", cell)) else None
            for cell in cells[1:6]
        )
        assert known is not None
        if process.name.startswith("long memory"):
            assert known < 10.0  # refused nearly always, and the page on verification says so
            continue
        assert cover is None or cover >= 92.0
        # No time is enough for a law without a variance: one may be told in few records at most.
        assert right is None or right >= 90.0 or (told is not None and told < 5.0)
        if process.asked:
            assert known >= 98.0
            assert width is not None
            assert width <= 1.5
        if process.name.startswith("lognormal"):
            assert known >= 90.0


def test_a_row_tells_shares_and_no_number_where_there_is_none() -> None:
    cells = row(outcome(PROCESSES[0], 2)).split(" | ")
    assert cells[0] == "| white"
    assert cells[1] == "100.0 %"
    assert cells[4:6] == ["–", "–"]
