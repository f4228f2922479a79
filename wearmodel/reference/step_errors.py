"""Error of wear by a communication step that is coarse for its input.

A rubbing shoe knows its shaking at communication points only; between them it takes the straight
line or the extrapolation of past values. The motion is exact for what it takes, so that the whole
error is that of the input.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..batch.record_runs import run_records
from ..kernel.shoe.parameters import FrictionalShockParameters
from .closed_forms import RubbingShoe

Floats: TypeAlias = NDArray[np.float64]
Between: TypeAlias = Literal["linear", -1, 0, 1, 2, 3]
"""What is taken between communication points: a line, or an extrapolation order (−1: automatic)."""

# Periods left out, until the motion has settled, and of all.
_SETTLED, _PERIODS = 5, 25


def wear_errors_of_sine(
    steps: float, between: Between, *, amplitude: float = 1.5, phases: int = 8
) -> Floats:
    """Return relative errors of the mean wear power of a rubbing shoe under a sine.

    Parameters
    ----------
    steps : float
        Communication steps a period, > 2; need not be whole.
    between : Between
        What is taken between the points.
    amplitude : float
        Of the shaking, by μ g, > 1.
    phases : int
        Of the points in the period; evenly spread over a step.

    Returns
    -------
    array (phases,)
        Measured by exact wear power of the closed form over the same span, less 1.
    """
    omega = 2.0 * math.pi
    shoe = RubbingShoe(1.0, 10.0, 0.1, amplitude, omega)
    step = 1.0 / steps
    times = np.arange(math.ceil(_PERIODS * steps) + 1) * step
    first = math.ceil(_SETTLED * steps)
    offsets = np.arange(phases) / phases * step
    shaking = amplitude * np.sin(omega * (times + offsets[:, None]))
    work = _wear_work(shaking, step, between)
    power = (work[:, -1] - work[:, first]) / (times[-1] - times[first])
    exact = [shoe.mean_wear_power(times[first] + offset, times[-1] + offset) for offset in offsets]
    return np.asarray(power / exact - 1.0, dtype=np.float64)


def wear_errors_of_records(records: ArrayLike, step_size: float, between: Between) -> Floats:
    """Return relative errors of the wear work under records that are linear between their samples.

    Parameters
    ----------
    records : array (n, samples)
        Shakings by μ g, one sample for each communication point.
    step_size : float
        Communication step [s].
    between : Between
        What is taken between the points in place of the lines.

    Returns
    -------
    array (n,)
        Wear work by that under the lines, less 1.
    """
    shaking = np.asarray(records, dtype=np.float64)
    taken, exact = (_wear_work(shaking, step_size, course)[:, -1] for course in (between, "linear"))
    return np.asarray(taken / exact - 1.0, dtype=np.float64)


def _wear_work(shaking: Floats, step_size: float, between: Between) -> Floats:
    """Wear work [J] at the samples of each shaking [m/s2] of a shoe with μ g = 1 m/s2."""
    order = -1 if between == "linear" else between
    runs = run_records(
        FrictionalShockParameters(
            mass=1.0, gravity=10.0, friction_coefficient=0.1, input_extrapolation_order=order
        ),
        step_size,
        base_acceleration=shaking,
        between_samples="linear" if between == "linear" else "extrapolated",
        histories=("wear_work",),
    )
    return np.asarray(runs.histories["wear_work"], dtype=np.float64)
