"""The tables of docs/rates.md: coverage of the intervals of rates and the error bars of lives."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.rates.campaign import FIRST_RUN, MOST_DOUBLINGS, RELATIVE_ERROR, Outcome
from tests.rates.cliffs import NARROWEST, WIDEST, CliffOutcome

HEADING = "# Intervals of rates"
COLUMNS = (
    "process",
    "known",
    "of these, coverage",
    "median width / ideal width",
    "necessary time known",
    "of these, within a factor of 3",
    "median samples",
)
CLIFFS_HEADING = "## Discontinuous rates"
CLIFF_COLUMNS = (
    "rate over depth",
    "error of a rate",
    "outside the error bar",
    "largest distance outside",
    "median error bar",
    "median runs",
)


def markdown(
    rows: Sequence[str], draws: int, cliff_rows: Sequence[str], lives: int, computed: str
) -> str:
    """Return the page with its tables, from the rows of `row` and `cliff_row`.

    `computed` states when the figures were computed.
    """
    lines = [
        HEADING,
        "",
        f"{draws} records of each process. Each has {FIRST_RUN} samples at first and is doubled up"
        f" to {MOST_DOUBLINGS} times, until its mean is known to {100.0 * RELATIVE_ERROR:g} %."
        " `python -m tests.rates` computes the tables, and"
        " [verification](verification.md#lifetimes) describes them.",
        "",
        computed,
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
    ]
    cliff_lines = [
        "",
        CLIFFS_HEADING,
        "",
        f"{lives} lives for each row. The rate decreases slowly with the depth. At a random depth"
        " it drops or rises by a factor of 1.25 to 20, or does so between two depths with a"
        f" distance of {NARROWEST:g} to {WIDEST:g} of the total depth. relative_error is 0.05."
        " Percentages are relative to the depth.",
        "",
        f"| {' | '.join(CLIFF_COLUMNS)} |",
        f"|{'---|' * len(CLIFF_COLUMNS)}",
    ]
    return "\n".join([*lines, *rows, *cliff_lines, *cliff_rows]) + "\n"


def cliff_row(outcome: CliffOutcome) -> str:
    """Return the row of a kind of discontinuous rates."""
    cells = [
        outcome.kind,
        f"{100.0 * outcome.error:g} %",
        _percent(outcome.outside + outcome.refused, outcome.lives),
        f"{100.0 * outcome.worst:.1f} %",
        f"{100.0 * outcome.bar:.1f} %",
        f"{outcome.asked:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def row(one: Outcome) -> str:
    """Return the row of a process."""
    return f"| {' | '.join(_cells(one))} |"


def _cells(one: Outcome) -> list[str]:
    refused = one.draws - one.known
    # If less than a hundredth of the records give a rate, their coverage is not shown.
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
