"""Runs that are doubled until their rate is known to 5 %, and the results of many draws."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.rates.processes import Process
from wearmodel.statistics.known_rate import KnownRate, known_rate

# As many samples as in a case of 20 s at 2 ms, and the largest number of doublings.
FIRST_RUN = 10_000
MOST_DOUBLINGS = 10
RELATIVE_ERROR = 0.05
_NORMAL = 1.959963984540054


@dataclass(frozen=True)
class Outcome:
    """Results of the draws of a process.

    Parameters
    ----------
    process : Process
        The process.
    draws : int
        Number of draws.
    known : int
        Number of draws whose rate was known in the end.
    covered : int
        Number of known rates whose interval contains the truth.
    width : float
        Median half width, relative to the ideal interval of the same run. Infinite without an ideal
        interval.
    told : int
        Number of draws without a known rate that give the necessary time.
    told_right : int
        Number of these times that are within a factor of 3.
    samples : float
        Median final length of the runs.
    """

    process: Process
    draws: int
    known: int
    covered: int
    width: float
    told: int
    told_right: int
    samples: float


def judged(
    process: Process,
    random: np.random.Generator,
    *,
    doublings: int = MOST_DOUBLINGS,
    relative_error: float = RELATIVE_ERROR,
) -> tuple[bool, KnownRate]:
    """Double a record until its rate is known. Return whether it is known, and the rate."""
    pieces = process.pieces(random)
    next(pieces)
    instants, totals = np.zeros(1), np.zeros(1)
    count = FIRST_RUN
    for _ in range(doublings + 1):
        times, added = pieces.send(count)  # type: ignore[attr-defined]
        instants = np.concatenate((instants, instants[-1] + times))
        totals = np.concatenate((totals, totals[-1] + np.cumsum(added)))
        rate = known_rate(instants, totals)
        if not rate.reason and rate.relative_half_width <= relative_error:
            return True, rate
        count = round(instants[-1])
    return False, rate


def outcome(
    process: Process,
    draws: int,
    *,
    seed: int = 1,
    doublings: int = MOST_DOUBLINGS,
    relative_error: float = RELATIVE_ERROR,
) -> Outcome:
    """Draw records of a process and evaluate them."""
    known = covered = told = right = 0
    widths, lengths = [], []
    for random in np.random.default_rng(seed).spawn(draws):
        is_known, rate = judged(process, random, doublings=doublings, relative_error=relative_error)
        lengths.append(rate.duration)
        if is_known:
            known += 1
            covered += rate.lower <= 1.0 <= rate.upper
            ideal = _NORMAL * process.deviation / math.sqrt(rate.duration)
            widths.append(rate.half_width / ideal)
            continue
        needed = rate.time_needed(relative_error * abs(rate.mean))
        if needed is not None:
            told += 1
            true = (_NORMAL * process.deviation / relative_error) ** 2
            right += true / 3.0 <= needed <= 3.0 * true
    width = float(np.median(widths)) if widths else math.inf
    return Outcome(process, draws, known, covered, width, told, right, float(np.median(lengths)))
