"""The page of the coverage of fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.fits.cover import Cover

HEADING = "## Parameters that a measurement leaves open"


def row(rig: str, noise: str, outcome: Cover) -> str:
    """Return a line of the table of coverage."""
    known = max(outcome.draws - outcome.unknown, 1)
    covered = ", ".join(f"{100.0 * by / known:.1f} %" for by in outcome.covered)
    widths = ", ".join(f"{by:.2f}" for by in outcome.width)
    alarms = 100.0 * outcome.alarms / outcome.draws
    return f"| {rig} | {noise} | {covered} | {widths} | {alarms:.1f} % | {outcome.unknown} |"


def markdown(
    rows: Sequence[str], draws: int, named: Mapping[str, bool], noticed: int, wrong: int
) -> str:
    """Return the page."""
    lines = [
        "# Intervals of fits",
        "",
        f"{draws} draws of noise for each row, on the computed displacement or gap of a case with "
        "known parameters. White and coloured noise have 1 % of its standard deviation. "
        "`python -m tests.fits` computes the tables, and [from a test rig to a prediction]"
        "(how_to/fit.md#method) describes the method.",
        "",
        "| parameters | noise | coverage of the 95 % intervals | width over the width with known "
        "noise | false alarms | not known |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        "In a further test, friction at rest was 1.5 times the friction in fast slip, and a "
        "constant coefficient was fitted. The check of the model gave a warning in "
        f"{noticed} of {wrong} draws.",
        "",
        HEADING,
        "",
        "| measurement | all parameters named |",
        "|---|---|",
        *(f"| {name} | {'yes' if is_named else 'no'} |" for name, is_named in named.items()),
    ]
    return "\n".join(lines) + "\n"
