"""Required precision of the wear power of a contact, and whether a run reaches it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from harness.case.mean_until import CONFIRMING_LENGTHS
from harness.life.life_file import Life
from harness.life.motion_runs import Rates
from wearmodel.statistics.known_rate import KnownRate, bounded_by_events
from wearmodel.statistics.paired_blocks import half_widths, standard_errors
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

# If the power of a condition or contact is below this share of the largest power, the allowed error
# is relative to this share.
SMALL_SHARE = 0.1
# A power is accurate enough if its error would need this multiple of its duration to cause the
# allowed error of the depth, because the errors of successive powers that decrease add up.
_LASTING = 3.0
# Share of the service assumed to remain at its end.
_LEAST_LEFT = 0.05
# Largest interval, relative to the allowed error, if it is unreliable. If a rate changes slowly by
# a factor, the error of nine of ten records that are far too short is less than four times the
# interval, and of nearly all other records too.
_DOUBTFUL_SHARE = 0.25


class KnownPower(NamedTuple):
    """Wear power of a contact under an operating condition, from the longest run."""

    # Mean wear power and the half width of its interval [W].
    power: float
    power_bar: float
    # The same, weighted by the law [W].
    weighed: float
    weighed_bar: float
    # Largest contribution of an event to the weighted work [J].
    largest_event: float
    # Duration of a sufficient run [s].
    span: float
    # Whether the power is known precisely enough, and whether it has a bound.
    is_enough: bool = True
    is_bounded: bool = True
    # Duration of a run [s] after which it is known, if it can be determined.
    time_needed: float | None = None
    # Share of the duration that would have been sufficient.
    share_needed: float = 1.0
    # Errors of both powers from the time step [W].
    power_step: float = 0.0
    weighed_step: float = 0.0
    # Part of `weighed_bar` [W], such as bounds, that does not decrease with the scatter of blocks.
    weighed_fixed: float = 0.0
    # The power is valid for processes faster than this time scale [s]. 0 without a confirming run.
    valid_for: float = 0.0
    # Whether a run in pieces agrees with the confirming run.
    divides: bool = False
    # Reason why the power is not known precisely enough. Empty if it is.
    why_not: str = ""
    # Shares of the wear in each sector of a round hole, and the half widths of their intervals.
    sectors: Sequence[float] = ()
    sector_bars: Sequence[float] = ()
    # Errors of the weighted power by blocks of time, with heavy tails [W]. Empty without scatter.
    blocks: Sequence[float] = ()
    # Shares of the sides in the wear of a hole with sides, and their errors by blocks and sides,
    # which are empty without scatter.
    sides: Sequence[float] = ()
    side_errors: Sequence[Sequence[float]] = ()

    def with_step_of(self, first: KnownPower) -> KnownPower:
        """Return the power with the same relative error of the time step as a first power."""
        return self._replace(
            power_step=_in_proportion(first.power_step, first.power, self.power),
            weighed_step=_in_proportion(first.weighed_step, first.weighed, self.weighed),
        )

    def with_half_the_step(self, rates: Rates, at_half: Rates) -> KnownPower:
        """Return the power with the error of the time step, from the rates at both steps.

        Both runs have the same noise. The error is the part of their difference that exceeds twice
        the standard error of this difference, computed from pairs of blocks.
        """
        difference = abs(at_half.weighed.mean - rates.weighed.mean)
        chance = 0.0
        if rates.weighed.standard_error > 0.0:
            pairs = np.subtract(at_half.blocks, rates.blocks)
            chance = 2.0 * float(standard_errors(pairs))
        share = max(0.0, 1.0 - chance / difference) if difference > 0.0 else 0.0
        return self._replace(
            power_step=share * abs(at_half.power.mean - rates.power.mean),
            weighed_step=share * difference,
        )


def _in_proportion(step: float, power: float, present: float) -> float:
    """Return the error of the step at a present power, which is constant without a first power."""
    return step * (present / power if power > 0.0 else 1.0)


@dataclass(frozen=True)
class JudgedRate:
    """A weighted rate, with a bound if it has few events."""

    # Rate with its interval, or with a bound if it has few events.
    rate: KnownRate
    # Whether it is known precisely enough.
    is_enough: bool
    # Whether it has an interval or a bound.
    is_bounded: bool
    # Required duration of a run [s], if it can be determined.
    time_needed: float | None
    # Share of the run that would have been enough. Greater than 1 if the run is too short.
    share_needed: float
    # Whether scatter determines this share. Bounds and transients may decrease faster.
    has_scatter: bool

    @property
    def lengths_needed(self) -> float:
        """Required duration divided by the duration of the run. Infinite if not known."""
        is_told = self.has_scatter or self.share_needed <= 1.0
        return self.share_needed if is_told else math.inf

    @property
    def is_idle(self) -> bool:
        """Whether the run has no event, and no known event gives a bound."""
        return self.rate.events == 0.0 and math.isinf(self.rate.upper)


class Precision:
    """Required precision of all powers of a service life, relative to the powers known so far.

    - `life`: service life with relative error, law, criterion and operating conditions
    """

    def __init__(self, life: Life) -> None:
        self._life = life
        # Powers by condition and contact [W]: the largest of all states, and of the last state.
        self._largest = np.zeros((len(life.motions), len(life.contacts)))
        self._latest = np.zeros_like(self._largest)
        # Volumes [m³] of earlier states and the powers there [W], by condition and contact.
        self._known: dict[tuple[int, int], list[tuple[float, float]]] = {}
        self._largest_event = 0.0

    @property
    def allowed(self) -> float:
        """Allowed relative half width. Half of the relative error is reserved for extrapolation."""
        return 0.5 * self._life.relative_error / self._life.law.exponent

    def take(self, motion: int, contact: int, known: KnownPower, volume: float) -> None:
        """Store a power of a contact with a worn volume [m³], for comparison with later powers."""
        largest = self._largest
        largest[motion, contact] = max(largest[motion, contact], known.weighed)
        self._known.setdefault((motion, contact), []).append((volume, known.weighed))
        self._latest[motion, contact] = known.weighed
        self._largest_event = max(self._largest_event, known.largest_event)

    def matters(self, motion: int, known: list[KnownPower]) -> bool:
        """Return whether a condition still has at least a tenth of its largest wear power."""
        largest = max(power.weighed for power in known)
        return bool(largest >= SMALL_SHARE * self._largest[motion].max())

    def judged(
        self, motion: int, rates: list[Rates], volumes: list[float], time: float
    ) -> list[JudgedRate]:
        """Compare the weighted rates of all contacts with the required precision.

        `volumes` [m³] are the worn volumes of the contacts after a service `time` [s].
        """
        event = max(self._largest_event, *(contact.weighed.largest_event for contact in rates))
        least = self._least(motion, rates, volumes, time)
        return [
            _judged(contact.weighed, self.allowed, power, event)
            for contact, power in zip(rates, least, strict=True)
        ]

    def _least(
        self, motion: int, rates: list[Rates], volumes: list[float], time: float
    ) -> list[float]:
        """Return for each contact the smallest power [W] to which its error is relative.

        It is the largest of three powers: a tenth of the largest present power, the power that
        would cause the present wear (the final wear is not less) or reach the criterion in the
        service time, and the power that would do so in three times the duration of the present
        power.
        """
        life = self._life
        latest = self._latest.copy()
        latest[motion] = [contact.weighed.mean for contact in rates]
        shares = [other.fraction / life.motions[motion].fraction for other in life.motions]
        most = max(share * float(row.max()) for share, row in zip(shares, latest, strict=True))
        worn = max(volumes)
        volume = worn if life.criterion is None else max(worn, life.least_limit_volume)
        service = life.years * SECONDS_PER_YEAR
        small = SMALL_SHARE * most
        left = max(service - time, _LEAST_LEFT * service)
        least = []
        for contact, power in enumerate(latest[motion].tolist()):
            lasting = self._lasting((motion, contact), volumes[contact], power, left)
            slow = life.law_of(contact).power(volume / min(service, _LASTING * lasting))
            least.append(max(small, slow))
        return least

    def _lasting(self, place: tuple[int, int], volume: float, power: float, left: float) -> float:
        """Return the duration [s] of a power [W] in the remaining time if it decreases as before.

        If it has dropped by half before, it is assumed to decrease by a factor e in each volume w.
        Then v = w ln(1 + V̇ t/w) is worn in a time t. The rate V̇ would wear this volume in v/V̇.
        """
        higher = [(v, p) for v, p in self._known.get(place, ()) if v < volume and p > 2.0 * power]
        law = self._life.law_of(place[1])
        rate = law.rate(power, 0.0) if higher and power > 0.0 else 0.0
        if rate == 0.0:
            return left
        before, then = max(higher)
        falls_in = (volume - before) / math.log(then / power)
        return falls_in / rate * math.log1p(rate * left / falls_in)


def _judged(rate: KnownRate, allowed: float, least: float, event: float) -> JudgedRate:
    bounded = bounded_by_events(rate, event)
    is_bound = bounded is not rate
    if is_bound or not rate.reason:
        width = allowed * max(0.0 if rate.reason else rate.mean, least)
    else:
        width = _DOUBTFUL_SHARE * allowed * least
    has_interval = not is_bound and not rate.reason
    share = 0.0
    if bounded.half_width > 0.0:
        share = bounded.half_width / width if width > 0.0 else math.inf
    if has_interval:
        share *= share  # scatter decreases with the root of the time, a bound with the time
    return JudgedRate(
        bounded,
        bounded.half_width <= width,
        math.isfinite(bounded.upper) and (is_bound or not rate.reason),
        bounded.time_needed(allowed * max(bounded.mean, least)),
        share,
        # A drift is not random, so that it does not decrease with the root of the time.
        has_interval and rate.standard_error > 0.0,
    )


def known_power(
    rates: Rates, judged: JudgedRate, span: float, *, is_enough: bool, confirmed_by: float = 0.0
) -> KnownPower:
    """Return the power of a contact, for which a run of `span` [s] is sufficient.

    `confirmed_by` is the duration of a longer run that confirmed it [s], or 0.
    """
    weighed, power = judged.rate, rates.power
    bar = weighed.half_width if math.isfinite(weighed.upper) else 0.0
    share = bar / weighed.mean if weighed.mean > 0.0 else 0.0
    power_bar = power.half_width if math.isfinite(power.half_width) else 0.0
    if weighed.mean > 0.0:
        power_bar = max(power_bar, share * power.mean)
    blocks = np.array(rates.blocks if judged.has_scatter else ())
    scatter = float(half_widths(blocks[:, np.newaxis])[0])
    # A heavy tail widens the interval in proportion to the scatter, also in sums over states.
    widening = 1.0 + weighed.tail / scatter if scatter > 0.0 else 1.0
    fixed = weighed.tail if judged.has_scatter else bar
    return KnownPower(
        power.mean,
        power_bar,
        weighed.mean,
        bar,
        weighed.largest_event,
        span,
        is_enough,
        judged.is_bounded,
        judged.time_needed,
        min(judged.share_needed * max(1.0, confirmed_by / span), 1.0),
        weighed_fixed=0.0 if scatter > 0.0 else fixed,
        valid_for=confirmed_by / CONFIRMING_LENGTHS,
        sectors=rates.sectors,
        sector_bars=rates.sector_bars,
        blocks=(widening * blocks).tolist(),
        sides=rates.sides,
        side_errors=(widening * np.array(rates.side_errors)).tolist() if blocks.size else (),
    )


def why_not(rate: KnownRate, allowed: float) -> str:
    """Return the reason why a rate is not known precisely enough."""
    return rate.reason or (
        f"{rate.mean:.4g} W ± {100.0 * rate.relative_half_width:.2g} % in"
        f" {rate.duration:.4g} s, more than {100.0 * allowed:.3g} %"
    )
