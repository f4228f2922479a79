"""A complete service life. The journal supplies known wear powers. The others are computed."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np

from harness.case.case_file import naming
from harness.life import wear_power
from harness.life.life_file import Life
from harness.life.limit_chances import LimitChances, limit_chances
from harness.life.piece_workers import PieceWorkers
from harness.life.time_left import Forecast, TimeLeft, expected_end
from harness.life.worn_contact import worn_parameters
from harness.life.worn_sectors import SideState, WornSectors, sector_volumes, worn_sectors
from harness.sweep import PROGRAM, Journal
from wearmodel.arrays import Floats
from wearmodel.statistics.cycle_jump import Crossing, LifePoint, WearRates, time_to_reach, wear_life
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR


@dataclass(frozen=True)
class LifeState:
    """Wear of a contact after a service time. `…_bar` is the half width of an error bar."""

    # Service time [s].
    time: float
    # Mean wear power [W]. The error bar includes sampling scatter (95 %) and time step.
    power: float
    power_bar: float
    # Contribution of the time step to `power_bar` [W].
    power_step_bar: float
    # Worn volume [m³].
    volume: float
    volume_bar: float
    # Depth of each scar, or of the deepest side [m].
    depth: float
    depth_bar: float
    # Gap in the first operating condition [m], at the deepest side, if wear changes it.
    gap: float | None
    gap_bar: float | None
    # Parts of `depth_bar` [m]: sampling scatter, extrapolation and time step.
    depth_chance_bar: float
    depth_jump_bar: float
    depth_step_bar: float
    # Ends of the 95 % interval with the scatter of the coefficient [m]. The lower end never
    # decreases with time. The upper end is infinite for a rate without a bound.
    depth_lower: float
    depth_upper: float


@dataclass(frozen=True)
class ContactLife:
    """Service life of one contact."""

    # Name of the contact. Empty if the model has one contact without a name.
    contact: str
    # States from the start to the end of the service.
    states: tuple[LifeState, ...]
    # Time at which the criterion is reached [s], if there is a criterion.
    crossing: Crossing | None
    # A rate that the runs did not determine.
    not_known: wear_power.NotKnown | None
    # Depths [m] at which its rate changes suddenly. The error bar contains the remaining error.
    cliffs: tuple[float, ...]
    # Largest distance between neighbouring computed depths [m]. A narrower minimum or maximum of
    # the rate may have been missed.
    spacing: float
    # Wear by sectors or sides of a round hole for each state. Empty for other obstacles.
    sectors: tuple[WornSectors, ...] = ()
    # Sentence if the wear covers more of the hole than the scars of the shape. Otherwise empty.
    misfit: str = ""
    # Probabilities that it reaches the criterion, and that it is the first.
    chances: LimitChances | None = None
    # Whether the calculation ended before its time limit.
    is_complete: bool = True

    def knows(self, state: LifeState) -> bool:
        """Whether the rates up to a state are known. Its `depth_upper` may not be known yet."""
        return self.not_known is None or not self.not_known.hides(state.time)

    @property
    def is_settled(self) -> bool:
        """Whether the error bars determine if, or when, the criterion is reached."""
        unknown, crossing = self.not_known, self.crossing
        if self.misfit:
            return False
        if not self.is_complete and (crossing is None or math.isinf(crossing.latest)):
            return False
        if unknown is None or crossing is None:
            return unknown is None
        if crossing.latest < unknown.time:
            return True
        answered = math.isinf(crossing.earliest) or math.isfinite(crossing.latest)
        return unknown.is_bounded and answered


@dataclass(frozen=True)
class LifeResult:
    """Result of a service life."""

    life: Life
    # In the order of the structure.
    contacts: tuple[ContactLife, ...]
    # Error of the time step, relative to the wear power of the first state. All error bars include
    # it. Infinite if only the run at half the step has wear.
    step_share: float
    # Number of states. Each has at least one run of every operating condition.
    runs: int
    # Number of states that an earlier process computed.
    resumed: int
    # The rates are valid for processes faster than this time scale [s]. Infinite without noise.
    valid_for: float = math.inf

    @property
    def is_complete(self) -> bool:
        """Whether the calculation ended before its time limit."""
        return all(contact.is_complete for contact in self.contacts)

    @property
    def first(self) -> ContactLife:
        """The contact that reaches the criterion first, or is the deepest at the end."""
        return min(self.contacts, key=self.order)

    @staticmethod
    def order(contact: ContactLife) -> tuple[float, float]:
        """Return a sort key. Contacts are sorted by the time of the criterion, then by depth."""
        time = math.inf if contact.crossing is None else contact.crossing.time
        return time, -contact.states[-1].depth

    @property
    def states(self) -> tuple[LifeState, ...]:
        """States of the first contact."""
        return self.first.states

    @property
    def is_known(self) -> bool:
        """Whether the criterion has an answer. Without a criterion, whether a depth is bounded."""
        if self.valid_for < self.life.slowest:
            return False
        if self.life.criterion is not None:
            return all(contact.is_settled for contact in self.contacts)
        return self.is_complete and any(
            math.isfinite(contact.states[-1].depth_upper) and not contact.misfit
            for contact in self.contacts
        )


def run_life(
    life: Life,
    *,
    journal: Journal | None = None,
    workers: int | None = 1,
    time_limit: float = math.inf,
    progress: Callable[[float], None] | None = None,
    expected: Callable[[Forecast], None] | None = None,
) -> LifeResult:
    """Compute a service life by extrapolation steps and runs between them.

    It is one function because the steps share the workers, the progress and the forecast.

    - `journal`: open journal of wear powers. By default they are not kept.
    - `workers`: number of processes that run pieces of runs, or None for the number of available
      cores if runs are long. Other processes import the calling script, so the default is this
      process. The result does not depend on it.
    - `time_limit`: computing time [s] after which the calculation ends
    - `progress`: called with the completed fraction of the service time
    - `expected`: called with the estimated remaining time after ten states, once its range is
      narrow, and each time the longest estimate changes much

    Raises CaseError if the volume exceeds the shape, or the rates change too much for any step.
    Raises RunError if a run fails. Raises OSError if the journal cannot be written.
    """
    duration = life.years * SECONDS_PER_YEAR
    # Depth depends on coefficient × time, so a larger coefficient is equivalent to a longer time.
    longest = duration * life.law.factor
    points: list[LifePoint] = []

    left = TimeLeft(longest, expected or (lambda forecast: None))

    def advance(point: LifePoint) -> None:
        points.append(point)
        end = expected_end(sides.judged(point), limit, longest) if can_end else longest
        left.reached(point.time, end)
        if progress is not None:
            progress(point.time / longest)

    limit = life.limit_volume if life.criterion is not None else 0.0
    scale = life.least_limit_volume if life.criterion is not None else 0.0
    can_end = not life.to_the_end and life.criterion is not None and life.law.factor == 1.0
    count = len(life.contacts)
    sides = SideState(life)
    kept = journal or wear_power.NoJournal()
    resumed = sum(number >= 0 for number in kept.rows)
    end, is_complete = time.monotonic() + time_limit, True
    pieces = PieceWorkers(life, workers)
    service = wear_power.WearOfService(life, kept, pieces, end)

    def rates(state: Floats) -> WearRates:
        number, began = service.runs_asked, time.monotonic()
        answer = service(state)
        left.ran(number, time.monotonic() - began if number >= resumed else None)
        return answer

    with naming(f"{life.case.shown}: life"), pieces:
        try:
            wear_life(
                rates,
                longest,
                depths=sides.start,
                relative_error=life.relative_error,
                scales=np.where(np.arange(sides.start.size) < count, scale, 0.0),
                judged=count + 1,
                settled=sides.settled,
                progress=advance,
                is_finished=lambda point: can_end and _is_decided(sides.judged(point), limit),
            )
        except wear_power.NothingKnownError:
            pass
        except wear_power.TimeIsUpError:
            is_complete = False
        except ValueError:
            # The largest coefficients wear through the part. The other results are valid.
            if not points or points[-1].time < duration:
                raise
        contacts = tuple(
            replace(_of_contact(life, service, points, index), is_complete=is_complete)
            for index in range(count)
        )
        if life.criterion is not None and points:
            judged = [sides.judged(point) for point in points]
            chances = limit_chances(judged, life.limit_volume, duration, life.law, count)
            both = zip(contacts, chances, strict=True)
            contacts = tuple(replace(contact, chances=of_contact) for contact, of_contact in both)
    return LifeResult(
        life,
        contacts,
        _step_share([contact.states[0] for contact in contacts]),
        service.runs_asked,
        min(resumed, service.runs_asked),
        service.valid_for,
    )


def _is_decided(point: LifePoint, limit: float) -> bool:
    """Whether all contacts have reached the limit, by the lower ends of their error bars."""
    lower = point.depths[:-1] - point.bars[:-1]
    return bool((lower >= limit).all())


def _step_share(first: list[LifeState]) -> float:
    power, step = sum(state.power for state in first), sum(state.power_step_bar for state in first)
    if power > 0.0:
        return step / power
    return math.inf if step > 0.0 else 0.0


def _of_contact(
    life: Life, service: wear_power.WearOfService, points: list[LifePoint], index: int
) -> ContactLife:
    not_known = service.not_known.get(index)
    duration = life.years * SECONDS_PER_YEAR
    sides = SideState(life)
    deepest = sides.never_back(points)
    all_states = [
        _state(life, service, point, of_deepest, index)
        for point, of_deepest in zip(points, deepest, strict=True)
    ]
    if not all_states:
        zeros: dict[str, Any] = {attribute.name: 0.0 for attribute in fields(LifeState)}
        all_states = [LifeState(**{**zeros, "gap": None, "gap_bar": None})]
    states = [state for state in all_states if state.time <= duration]
    if states[-1].time < duration < all_states[-1].time:
        states.append(_between(states[-1], all_states[len(states)], duration))
    if life.law.factor > 1.0:
        states = [_scattered(life.law.factor, state, all_states) for state in states]
    if not_known is not None:
        states = [
            replace(state, depth_upper=math.inf) if not_known.hides(state.time) else state
            for state in states
        ]
    states = never_back(states)
    cliffs = tuple(depth for which, depth in points[-1].cliffs if which == index) if points else ()
    if life.contacts[index].sides:
        sectors = tuple(sides.sectors(points, state.time, index) for state in states if points)
    else:
        sectors = _sectors(life, service, points, index, states)
    return ContactLife(
        life.contacts[index].name,
        tuple(states),
        _crossing(life, [sides.judged(point) for point in points], index),
        not_known,
        tuple(life.shape.depth(volume) for volume in cliffs),
        _spacing(life, [float(point.depths[index]) for point in points]),
        sectors,
        sectors[-1].excess_arc(life.shape, states[-1].depth) if sectors else "",
    )


def _spacing(life: Life, volumes: list[float]) -> float:
    """Return the largest distance between computed depths, with depths halfway between two points.

    Depths increase more slowly for larger volumes, so the first half of each step is the larger.
    """
    depth = life.shape.depth
    halves = (
        depth(0.5 * (volume + following)) - depth(volume) for volume, following in pairwise(volumes)
    )
    return max(halves, default=0.0)


def _sectors(
    life: Life,
    service: wear_power.WearOfService,
    points: list[LifePoint],
    index: int,
    states: list[LifeState],
) -> tuple[WornSectors, ...]:
    if life.contacts[index].hole is None or not points:
        return ()
    volumes, bars = sector_volumes(
        [service.sectors(point.depths)[index] for point in points],
        [float(point.depths[index]) for point in points],
        [point.time for point in points],
        np.array([state.time for state in states]),
    )
    sectors = []
    for state, row, bar in zip(states, volumes, bars, strict=True):
        total = max(float(row.sum()), 1e-300)
        sectors.append(worn_sectors(life.shape, row, bar + row / total * state.volume_bar))
    return tuple(sectors)


def _state(
    life: Life, service: wear_power.WearOfService, point: LifePoint, deepest: LifePoint, index: int
) -> LifeState:
    """Return the state of a contact at a point, with the depths of `SideState.judged`."""
    power = service.powers(point.depths)[index]
    volume, bar = float(deepest.depths[index]), float(deepest.bars[index])
    depth = life.shape.depth(volume)
    # The larger side. The depth is a concave function of the volume.
    depth_bar = max(
        depth - life.shape.depth(max(0.0, volume - bar)), life.shape.depth(volume + bar) - depth
    )
    depths = [life.shape.depth(of) for of in deepest.depths[: len(life.contacts)].tolist()]
    parameters = life.motions[0].case.parameters
    gap = worn_parameters(life.contacts, parameters, depths, life.shape.scars)[1][index]
    parts = [float(part[index]) / bar * depth_bar if bar > 0.0 else 0.0 for part in deepest.parts]
    return LifeState(
        time=point.time,
        power=power.mean,
        power_bar=power.half_width,
        power_step_bar=power.step,
        volume=float(point.depths[index]),
        volume_bar=float(point.bars[index]),
        depth=depth,
        depth_bar=depth_bar,
        gap=gap,
        gap_bar=None if gap is None else life.contacts[index].growth * depth_bar,
        depth_chance_bar=parts[0],
        depth_jump_bar=parts[1],
        depth_step_bar=parts[2],
        depth_lower=max(0.0, depth - depth_bar),
        depth_upper=depth + depth_bar,
    )


def _between(before: LifeState, after: LifeState, time: float) -> LifeState:
    share = (time - before.time) / (after.time - before.time)
    values: dict[str, Any] = {}
    for attribute in fields(LifeState):
        low, high = getattr(before, attribute.name), getattr(after, attribute.name)
        values[attribute.name] = None if low is None else low + share * (high - low)
    return LifeState(**{**values, "time": time})


def _scattered(factor: float, state: LifeState, states: list[LifeState]) -> LifeState:
    """Return a state whose interval contains the scatter of the coefficient.

    The depth for k times the median coefficient after t is the depth for the median after k t. The
    scatter of the coefficient is independent of the sampling scatter, so the squares are added.
    """
    times = [state.time for state in states]
    depths = [state.depth for state in states]
    low = float(np.interp(state.time / factor, times, depths))
    high = float(np.interp(state.time * factor, times, depths))
    if state.time * factor > times[-1] * (1.0 + 1e-9):
        high = math.inf
    return replace(
        state,
        depth_lower=max(0.0, state.depth - math.hypot(state.depth - low, state.depth_bar)),
        depth_upper=state.depth + math.hypot(high - state.depth, state.depth_bar),
    )


def never_back(states: list[LifeState]) -> list[LifeState]:
    """Return states whose lower ends never decrease, because wear never decreases.

    If wear accelerates, its errors grow, and a later error bar may have a smaller lower end.
    """
    lower = np.maximum.accumulate([state.depth_lower for state in states]).tolist()
    return [replace(state, depth_lower=low) for state, low in zip(states, lower, strict=True)]


def _crossing(life: Life, points: list[LifePoint], index: int) -> Crossing | None:
    if life.criterion is None:
        return None
    if not points:
        return Crossing(math.inf, math.inf, math.inf)
    crossing = time_to_reach(points, life.limit_volume, index)
    factor, duration = life.law.factor, life.years * SECONDS_PER_YEAR
    if factor == 1.0:
        return crossing
    # Times are proportional to 1/k, so the squares of the logarithms are added.
    early, late = crossing.earliest / factor, crossing.latest * factor
    central, spread = crossing.time, math.log(factor)
    if math.isfinite(central) and central > 0.0:
        early = central * math.exp(-math.hypot(spread, math.log(central / crossing.earliest)))
        late = central * math.exp(math.hypot(spread, math.log(crossing.latest / central)))
    within = [time if time <= duration else math.inf for time in (central, early, late)]
    return Crossing(*within)


def life_digest(life: Life) -> str:
    """Return a digest of everything that determines the wear powers of a service life."""
    content: dict[str, Any] = {
        **wear_power.described(life),
        "program": PROGRAM,
        "fmu": None if life.fmu is None else hashlib.sha256(life.fmu.read_bytes()).hexdigest(),
    }
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
