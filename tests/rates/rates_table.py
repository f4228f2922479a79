"""The table of docs/rates.md: how often intervals of rates hold the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.rates.campaign import FIRST_RUN, MOST_DOUBLINGS, RELATIVE_ERROR, Outcome

HEADING = "# Intervals of rates"
COLUMNS = (
    "process",
    "known",
    "of these, hold the truth",
    "median width by the ideal one",
    "time told",
    "of these, within a factor of 3",
    "median samples",
)


def markdown(rows: Sequence[str], draws: int) -> str:
    """Return the page with its table, of the lines that `row` gives."""
    lines = [
        HEADING,
        "",
        f"{draws} records of each process, each of {FIRST_RUN} samples at first and doubled, up to"
        f" {MOST_DOUBLINGS} times, until its mean is known to {100.0 * RELATIVE_ERROR:g} %. Made by"
        " `python -m tests.rates`; [verification](verification.md#lifetimes) says what it means.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
    ]
    return "\n".join([*lines, *rows]) + "\n"


def row(one: Outcome) -> str:
    """Return the line of a process."""
    return f"| {' | '.join(_cells(one))} |"


def _cells(one: Outcome) -> list[str]:
    refused = one.draws - one.known
    # Below a hundredth of the records their share is no number.
    cover = _percent(one.covered, one.known) if one.known >= 0.01 * one.draws else "–"
    width = f"{one.width:.2f}" if one.known and math.isfinite(one.process.deviation) else "–"
    told = _percent(one.told, refused) if refused else "–"
    right = _percent(one.told_right, one.told) if one.told else "–"
    return [
        one.process.name,
        _percent(one.known, one.draws),
        cover,
        width,
        told,
        right,
        f"{one.samples:.2g}",
    ]


def _percent(count: int, of: int) -> str:
    return f"{100.0 * count / of:.1f} %"
