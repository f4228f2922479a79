"""Probabilities that contacts reach a limit, and that a contact is the first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.life.sections import Law
from wearmodel.arrays import Floats
from wearmodel.statistics.cycle_jump import LifePoint
from wearmodel.statistics.known_rate import NORMAL

_DRAWS = 4000


@dataclass(frozen=True)
class LimitChances:
    """Probabilities of a contact within the service time."""

    # Probability that the contact reaches the limit.
    reached: float
    # Probability that the contact reaches the limit before all other contacts.
    first: float


def limit_chances(
    points: Sequence[LifePoint], limit: float, duration: float, law: Law, count: int
) -> list[LimitChances]:
    """Return the probabilities of each contact.

    The error of each contact is a normal deviate times its error bar, independent of the others. A
    coefficient with scatter is lognormal.

    - `points`: from `wear_life`
    - `limit`: volume [m³]
    - `duration`: service time [s]
    - `law`: wear law, with the scatter of its coefficient
    """
    random = np.random.default_rng(1)
    deviates = random.standard_normal((count, _DRAWS)) / NORMAL
    spread = math.log(law.factor) / NORMAL
    drawn = random.standard_normal((count if law.has_draw_per_contact else 1, _DRAWS))
    times = np.array(
        [_times_to_reach(points, limit, index, deviates[index]) for index in range(count)]
    )
    # A coefficient k times the median reaches each depth k times earlier.
    times /= np.exp(spread * drawn)
    reached = times <= duration
    is_first = reached & (times == times.min(axis=0))
    return [
        LimitChances(float(reached[index].mean()), float(is_first[index].mean()))
        for index in range(count)
    ]


def _times_to_reach(
    points: Sequence[LifePoint], limit: float, index: int, deviates: Floats
) -> Floats:
    """Return the time at which depths with a relative error reach a limit, for each deviate."""
    times = np.array([point.time for point in points])
    depths = np.array([point.depths[index] for point in points])
    bars = np.array([point.bars[index] for point in points])
    paths = np.maximum.accumulate(depths + deviates[:, np.newaxis] * bars, axis=1)
    later = np.minimum((paths < limit).sum(axis=1), times.size - 1)
    earlier, rows = np.maximum(later - 1, 0), np.arange(later.size)
    before, after = paths[rows, earlier], paths[rows, later]
    # Times after the last point are extrapolated with the rate of the last interval.
    rates = np.divide(
        after - before, times[later] - times[earlier], out=np.zeros_like(after), where=later > 0
    )
    missing = limit - after
    without_rate = np.where(missing > 0.0, math.inf, 0.0)
    reached: Floats = times[later] + np.divide(missing, rates, out=without_rate, where=rates > 0.0)
    return reached
