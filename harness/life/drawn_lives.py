"""Service lives of all draws of uncertain quantities, computed on all cores, with a journal."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness import sweep
from harness.errors import CaseError, RunError
from harness.life.draws import Draws
from harness.life.life_file import Life, drawn_life
from harness.life.life_run import ContactLife, LifeResult, life_digest, run_life
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

# Number of evenly spaced service times at which depths are given.
INSTANTS = 8


class LivesOfDraws(sweep.PointWork):
    """The service life of a draw: depths, error bar at the end, and time to reach the criterion."""

    def __init__(self, life: Life) -> None:
        assert life.draws is not None
        self._life = life
        self._draws = life.draws
        self.quantities = result_names(life)
        self.runs_fmu = life.fmu is not None

    def row(self, point: sweep.Point) -> sweep.Row:
        """Compute a service life. Values that the runs do not determine are None."""
        try:
            life = drawn_life(self._life, self._draws, point)
            result = run_life(life)
        except (CaseError, RunError, ValueError) as problem:
            return sweep.failed_row(self, str(problem))
        values = [value for contact in result.contacts for value in _values(result, contact)]
        reasons = [
            contact.misfit or (contact.not_known.reason if contact.not_known else "")
            for contact in result.contacts
            if not contact.is_settled
        ]
        return sweep.Row(tuple(values), f"{NOT_KNOWN}: {reasons[0]}" if reasons else None)


# First words of the reason if the runs of a draw do not determine its results.
NOT_KNOWN = "not known"


# Results of a contact: error bar of the depth at the end [m], 1 or 0 for whether it reaches the
# criterion, and the time to reach it [years].
BAR, REACHED, YEARS = "depth_bar", "reached", "years_to_limit"


def result_name(contact: str, result: str) -> str:
    """Return the name of a result of a contact, which may have no name."""
    return f"{contact}.{result}" if contact else result


def depth_names(life: Life, contact: str) -> list[str]:
    """Return the names of a contact's depths [m], in the order of `instants`."""
    return [result_name(contact, f"depth_after_{year:g}_years") for year in instants(life)]


def instants(life: Life) -> list[float]:
    """Return the service times [years] at which depths are given."""
    return [life.years * number / INSTANTS for number in range(1, INSTANTS + 1)]


def result_names(life: Life) -> tuple[str, ...]:
    """Return the names of the results of each draw."""
    others = (BAR,) if life.criterion is None else (BAR, REACHED, YEARS)
    return tuple(
        name
        for contact in (contact.name for contact in life.contacts)
        for name in (*depth_names(life, contact), *(result_name(contact, of) for of in others))
    )


def _values(result: LifeResult, contact: ContactLife) -> list[float | None]:
    states = contact.states
    times = [state.time for state in states]
    values: list[float | None] = []
    for year in instants(result.life):
        after = next(
            (state for state in states if state.time >= year * SECONDS_PER_YEAR - 1.0), None
        )
        is_known = after is not None and math.isfinite(after.depth_upper) and not contact.misfit
        depth = np.interp(year * SECONDS_PER_YEAR, times, [state.depth for state in states])
        values.append(float(depth) if is_known else None)
    values.append(states[-1].depth_bar if values[-1] is not None else None)
    if contact.crossing is None:
        return values
    reached = math.isfinite(contact.crossing.time)
    if not contact.is_settled:
        return [*values, None, None]
    return [*values, float(reached), contact.crossing.time / SECONDS_PER_YEAR if reached else None]


@dataclass(frozen=True)
class DrawnLives(Draws):
    """Draws and their results, in the same form as the study of a sweep."""

    # Service life with draws.
    life: Life
    # Results of each draw, by number.
    rows: Mapping[int, sweep.Row]
    # Number of draws that were not in the journal.
    computed: int

    @property
    def title(self) -> str:
        """Title of the case."""
        return self.life.case.heading.title

    @property
    def summary(self) -> str:
        """Number of draws, service time and case, in one line."""
        return (
            f"{len(self.points)} draws of a service life of {self.life.years:g} years,"
            f" {self.life.case.file.name}"
        )

    @property
    def results(self) -> tuple[str, ...]:
        """Names of the results."""
        return result_names(self.life)

    @property
    def units(self) -> Mapping[str, str]:
        """Units of the results."""
        return {name: unit for name in self.results if (unit := _unit(name))}

    @property
    def noted(self) -> list[str]:
        """One line for each note."""
        return [f"note: {note}" for note in self.life.notes]

    @property
    def columns(self) -> list[str]:
        """Column names of the table of all draws."""
        return ["draw", *self.varied, *self.results, "failure"]

    @property
    def failures(self) -> dict[int, str]:
        """Reasons of failed draws, by number."""
        return self._reasons(is_known=True)

    @property
    def not_known(self) -> dict[int, str]:
        """Reasons of draws whose results are not known, by number."""
        return self._reasons(is_known=False)

    def _reasons(self, *, is_known: bool) -> dict[int, str]:
        return {
            number: row.failure
            for number, row in sorted(self.rows.items())
            if row.failure is not None and row.failure.startswith(NOT_KNOWN) != is_known
        }

    def column(self, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return a result of all draws, NaN for missing values."""
        place = self.results.index(name)
        values = [self.rows[number].values[place] for number in range(len(self.points))]
        return np.array(values, dtype=np.float64)


def _unit(name: str) -> str:
    if name.endswith(YEARS):
        return "years"
    return "" if name.endswith(REACHED) else "m"


def run_draws(
    life: Life,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    csv: Path | None = None,
    progress: Callable[[int], None],
) -> DrawnLives:
    """Compute the service lives of all draws that are not in the journal, and keep the journal.

    - `workers`, `scheduler`, `progress`: see `harness.sweep.run_sweep`
    - `csv`: file for a line of each draw

    Raises CaseError if the journal is from other work, is damaged or in use. Raises OSError if a
    file cannot be written, or there are no workers.
    """
    assert life.draws is not None
    if csv is not None:
        sweep.require_format(csv)
    work = LivesOfDraws(life)
    content = json.dumps(
        [life_digest(life), work.quantities, life.draws.points, life.draws.targets]
    )
    digest = hashlib.sha256(content.encode()).hexdigest()
    with sweep.open_journal(life.journal, digest, work="life") as journal:
        computed = sweep.compute_rows(
            journal,
            work,
            life.draws.points,
            workers=workers,
            scheduler=scheduler,
            report=progress,
        )
        lives = DrawnLives(**vars(life.draws), life=life, rows=journal.rows, computed=computed)
        if csv is not None:
            sweep.write_results(csv, lives.columns, life.draws.points, journal.rows)
    return lives
