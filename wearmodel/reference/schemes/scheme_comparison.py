"""Recorded and computed wear power of the classical schemes of SDND104.

The table compares the schemes of this package with another program. Their errors follow from
`wearmodel.reference.closed_forms`.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

from .reference_models import sdnd104_excitation, sdnd104_shoe
from .runs import adapt, devoge, euler, runge_kutta
from .scheme_record import SchemeRecord, mean_wear_power
from .tableau import BOGACKI_SHAMPINE_32, DORMAND_PRINCE_54

# The recorded runs' window [s] of the mean, that of SDND104, and the blocks it was taken over.
WINDOW_START = 4.0
WINDOW_END = 12.0
BLOCKS = 8

SCHEMES: dict[str, Callable[..., SchemeRecord]] = {
    "EULER": euler,
    "ADAPT 1": partial(adapt, order=1),
    "ADAPT 2": partial(adapt, order=2),
    "DEVOGE": devoge,
    "RUNGE_KUTTA 3(2)": partial(runge_kutta, tableau=BOGACKI_SHAMPINE_32),
    "RUNGE_KUTTA 5(4)": partial(runge_kutta, tableau=DORMAND_PRINCE_54),
}


@dataclass(frozen=True)
class RecordedRun:
    """A recorded run: mass, scheme, and mean wear power."""

    scheme: str
    """A name of `SCHEMES`."""
    amplitude: float
    """a₀ [m/s2]."""
    tabulated: bool
    """Excitation from the table, otherwise the exact sine."""
    options: dict[str, Any]
    """Keywords of the scheme."""
    recorded: float
    """[W]."""
    document_2003: float | None
    """Printed in 2003, not reproducible [W]."""
    goal: float
    """Largest relative difference allowed."""


@dataclass(frozen=True)
class SchemeRow:
    """One line of the scheme table."""

    run: RecordedRun
    """The recorded run."""
    computed: float
    """Ours [W]."""

    @property
    def relative_difference(self) -> float:
        """(computed − recorded)/recorded, 0 if both are 0, infinite if one is 0."""
        if self.run.recorded == 0.0:
            return 0.0 if self.computed == 0.0 else math.inf
        return (self.computed - self.run.recorded) / self.run.recorded

    @property
    def reached(self) -> bool:
        """True where the difference is within the goal."""
        return abs(self.relative_difference) <= self.run.goal


def recorded_runs() -> list[RecordedRun]:
    """Return the recorded runs, in the order of the data file."""
    return [
        RecordedRun(**{"tabulated": True, "document_2003": None, **run})
        for run in _recorded_values()["run"]
    ]


def reason_2003() -> str:
    """Return why the numbers printed in 2003 cannot be reproduced."""
    return str(_recorded_values()["reason_2003"])


def repeat(run: RecordedRun) -> SchemeRow:
    """Integrate the run over [0, 12] s and return its line of the table."""
    record = SCHEMES[run.scheme](
        sdnd104_shoe(),
        sdnd104_excitation(run.amplitude, tabulated=run.tabulated),
        duration=WINDOW_END,
        **run.options,
    )
    return SchemeRow(
        run, mean_wear_power(record, start=WINDOW_START, end=WINDOW_END, blocks=BLOCKS)
    )


def scheme_table() -> list[SchemeRow]:
    """Return every recorded run repeated, which takes some 20 s."""
    return [repeat(run) for run in recorded_runs()]


def render(rows: Iterable[SchemeRow]) -> list[tuple[str, ...]]:
    """Return the table as text with a heading and powers in W.

    The numbers of 2003 have their own column, marked as not reproducible, see `reason_2003`.
    """
    heading = (
        "a0 [m/s2]",
        "scheme",
        "options",
        "recorded",
        "computed",
        "difference",
        "goal",
        "",
        "2003 (not reproducible)",
    )
    return [heading, *(_rendered(row) for row in rows)]


def _rendered(row: SchemeRow) -> tuple[str, ...]:
    run = row.run
    options = ", ".join(f"{name}={value:g}" for name, value in run.options.items())
    return (
        f"{run.amplitude:g}",
        run.scheme,
        options if run.tabulated else f"{options}, exact sine",
        f"{run.recorded:.12g}",
        f"{row.computed:.12g}",
        f"{row.relative_difference:.1e}",
        f"{run.goal:.0e}" if run.goal else "exact",
        "ok" if row.reached else "FAILED",
        "" if run.document_2003 is None else f"{run.document_2003:g}",
    )


def _recorded_values() -> dict[str, Any]:
    return tomllib.loads(
        files(__package__).joinpath("recorded_values.toml").read_text(encoding="utf-8")
    )
