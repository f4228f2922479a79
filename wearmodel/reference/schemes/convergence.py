"""How EULER tends to the documents' discrete law as its step shrinks.

The limit was computed with closed-form arcs of the velocity-direction law (SDND104's shoe, exact
sine, one undivided window [4, 12] s). Over 8 blocks there would be no such limit: each step leaves
out seven intervals of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .reference_models import sdnd104_excitation, sdnd104_shoe
from .runs import euler
from .scheme_record import mean_wear_power

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

    step_sizes: tuple[float, ...]
    """Falling [s]."""
    wear_powers: tuple[float, ...]
    """[W]."""
    reference: float
    """The limit computed otherwise [W]."""

    @property
    def relative_errors(self) -> tuple[float, ...]:
        """Each power's difference from the reference, relative to it."""
        return tuple(power / self.reference - 1.0 for power in self.wear_powers)

    @property
    def order(self) -> float:
        """Slope of log |error| against log dt, by least squares."""
        errors = np.log(np.abs(self.relative_errors))
        return float(np.polyfit(np.log(self.step_sizes), errors, 1)[0])

    @property
    def limit(self) -> float:
        """Value at dt = 0 of the straight line through the powers, without the reference [W]."""
        return float(np.polyfit(self.step_sizes, self.wear_powers, 1)[1])


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
