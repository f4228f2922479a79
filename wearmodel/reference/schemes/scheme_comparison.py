"""Recorded and computed wear power of the classical schemes of SDND104.

The table compares the schemes of this package with another program. Their errors follow from
`wearmodel.reference.closed_forms`.

The convergence shows how EULER tends to the documents' discrete law as its step shrinks. This limit
was computed with closed-form arcs of the velocity-direction law (SDND104's shoe, exact sine, one
undivided window [4, 12] s). Over 8 blocks there would be no such limit: each step leaves out seven
intervals of its own.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

import numpy as np

from .runs import SchemeRecord, adapt, devoge, euler, mean_wear_power, runge_kutta
from .shock_oscillator import sdnd104_excitation, sdnd104_shoe
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

    scheme: str  #: A name of `SCHEMES`.
    amplitude: float  #: a₀ [m/s2].
    tabulated: bool  #: Excitation from the table, otherwise the exact sine.
    options: dict[str, Any]  #: Keywords of the scheme.
    recorded: float  #: [W].
    document_2003: float | None  #: Printed in 2003, not reproducible [W].
    goal: float  #: Largest relative difference allowed.


@dataclass(frozen=True)
class SchemeRow:
    """One line of the scheme table."""

    run: RecordedRun  #: The recorded run.
    computed: float  #: Ours [W].

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


def differences_2003() -> dict[float, float]:
    """Return the column "% difference max" of the table of 2003 by amplitude [%]."""
    return {float(name): of for name, of in _recorded_values()["difference_max_2003"].items()}


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


def _recorded_values() -> dict[str, Any]:
    return tomllib.loads(
        files(__package__).joinpath("recorded_values.toml").read_text(encoding="utf-8")
    )


DISCRETE_LAW_LIMITS = {
    15.0: 15.2668854630661,
    1.5: 0.409069226297031,
    1.01: 2.26301288708911e-4,
}
"""Mean wear power [W] by amplitude [m/s2] as dt → 0: closed-form arcs in 34-digit arithmetic.

Below 1 m/s2 the shoe sticks: the power is 0 at every step, and no error relative to it is known."""


@dataclass(frozen=True)
class Convergence:
    """Mean wear power against the time step, arrays of shape (steps,)."""

    step_sizes: tuple[float, ...]  #: Falling [s].
    wear_powers: tuple[float, ...]  #: [W].
    reference: float  #: The limit computed otherwise [W].

    @property
    def relative_errors(self) -> tuple[float, ...]:
        """Each power's difference from the reference, relative to it."""
        return tuple(power / self.reference - 1.0 for power in self.wear_powers)

    @property
    def order(self) -> float:
        """Slope of log |error| against log dt, by least squares."""
        errors = np.log(np.abs(self.relative_errors))
        return float(np.polyfit(np.log(self.step_sizes), errors, 1)[0])


def euler_convergence(amplitude: float, step_sizes: Sequence[float]) -> Convergence:
    """Integrate SDND104's shoe by EULER with each step and return the powers over [4, 12] s.

    The amplitude [m/s2] is one of `DISCRETE_LAW_LIMITS`. There are at least two decreasing step
    sizes, each a whole fraction of 12 s. Other values raise ValueError.
    """
    if amplitude not in DISCRETE_LAW_LIMITS:
        raise ValueError(f"amplitude={amplitude} m/s2 must be one of {sorted(DISCRETE_LAW_LIMITS)}")
    steps = tuple(step_sizes)
    if len(steps) < 2 or any(not math.isfinite(step) for step in steps):
        raise ValueError(f"step_sizes={steps} s must contain at least two finite steps")
    excitation = sdnd104_excitation(amplitude, tabulated=False)
    powers = tuple(
        mean_wear_power(
            euler(sdnd104_shoe(), excitation, duration=12.0, step_size=step), start=4.0, end=12.0
        )
        for step in steps
    )
    return Convergence(steps, powers, DISCRETE_LAW_LIMITS[amplitude])
