"""Wear powers of worn contacts, from runs of all operating conditions of the service."""

from __future__ import annotations

import json
import logging
import math
import time as clock
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from harness.case.case_file import Case
from harness.case.mean_until import ExtendedRun, extended_run, unconfirmed
from harness.fmu.experiment import MOST_STEPS
from harness.life.known_power import SMALL_SHARE, KnownPower, Precision, known_power, why_not
from harness.life.life_file import Life
from harness.life.motion_runs import MotionRuns, Rates
from harness.life.piece_workers import PieceWorkers
from harness.life.worn_sectors import SideState
from harness.sweep import Journal, Row
from wearmodel.arrays import Floats
from wearmodel.statistics.cycle_jump import WearRates
from wearmodel.statistics.known_rate import KnownRate
from wearmodel.statistics.paired_blocks import added, half_widths, standard_errors

_LOG = logging.getLogger(__name__)
# If this share of a run would have been enough, the next run is half as long, or shorter.
_MUCH_TOO_LONG = 0.25
# A run without wear events is not extended after this number of steps, to limit time and memory.
_MOST_IDLE_STEPS = 2_000_000
# Largest difference between a run in pieces and an undivided run, in standard errors.
_AGREES_WITHIN = 3.0
# Computing time [s] above which the journal keeps a run, in case its state is interrupted.
_WORTH_KEEPING = 1.0
# Runs of state n have journal numbers below −(n + 1) times this number.
_NUMBERS_OF_RUNS = 100_000


class Power(NamedTuple):
    """Mean wear power, half width of its interval, and contribution of the time step [W]."""

    mean: float
    half_width: float
    step: float


@dataclass(frozen=True)
class NotKnown:
    """A wear rate that the longest run does not determine."""

    # Name of the contact. Empty if the model has one contact without a name.
    contact: str
    # Name of the operating condition.
    motion: str
    # Wear depth of the contact [m].
    depth: float
    # Service time [s].
    time: float
    reason: str
    # Required duration of a run [s], if it can be determined.
    time_needed: float | None
    # Whether the intervals contain a bound of the rate.
    is_bounded: bool

    def hides(self, time: float) -> bool:
        """Whether no depth is known at a service time [s]."""
        return not self.is_bounded and time >= self.time


class NoJournal:
    """A journal that does not keep wear powers."""

    rows: Mapping[int, Row] = MappingProxyType({})

    def append(self, rows: Mapping[int, Row]) -> None:
        """Discard rows."""


class WearOfService:
    """Wear rates for `wear_life` at a state, see `SideState`.

    The time is part of the state because a law may have running-in. All runs of an operating
    condition start from the same seed, and their lengths change rarely. Therefore the rates are
    smooth functions of the volumes. If a quarter of a run would have been enough, the next runs are
    shorter.

    After the first state, runs are divided into pieces, see `motion_runs.pieces_of_run`, if a run
    in pieces agreed with the confirming run at the first state. Confirming runs are not divided.

    A run is extended until the weighted power of each contact is known to half of the allowed
    error. The error is relative to the largest of three powers: the power itself, a tenth of the
    largest power of all contacts, and the power that would cause the present wear or reach the
    criterion in the service time or in three times the remaining duration of the power. If a run
    has few events, the largest known event gives a bound. If the longest run did not determine the
    rate of a contact, later runs are not extended for it.

    At the first state, each operating condition also runs at half the time step, if the step
    changes its inputs. The part of the difference that exceeds sampling scatter is the error of the
    step. The relative error is the same at other states. The intervals include it.

    - `journal`: wear powers that an earlier process computed, by number of the state. The order of
      the states is always the same. Negative numbers are long runs of an interrupted state.
    - `workers`: computes pieces of runs. By default this process computes them.
    - `end`: latest end of a run [s], on the monotonic clock
    """

    def __init__(
        self,
        life: Life,
        journal: Journal | NoJournal,
        workers: PieceWorkers | None = None,
        end: float = math.inf,
    ) -> None:
        self._life = life
        self._journal = journal
        self._state = SideState(life)
        self._workers = workers or PieceWorkers(life)
        self._end = end
        self._runs = MotionRuns(life)
        # Computing time [s] of a time step, by operating condition and whether the run is divided.
        self._step_seconds: dict[tuple[int, bool], float] = {}
        self._precision = Precision(life)
        # Number of computed states, and journal number of the last run of the present state.
        self.runs_asked = 0
        self._run_number = 0
        self._cases = [motion.case for motion in life.motions]
        self._powers: dict[tuple[float, ...], list[Power]] = {}
        self._sectors: dict[tuple[float, ...], list[Floats]] = {}
        self._first: list[list[KnownPower]] = []
        # Rates that the longest runs did not determine, by number of the contact.
        self.not_known: dict[int, NotKnown] = {}
        # By operating condition: weighted powers [W] of the contacts in the last confirming run.
        self._confirmed: dict[int, list[float]] = {}
        # The rates are valid for processes faster than this time scale [s].
        self.valid_for = math.inf

    def powers(self, state: Floats) -> list[Power]:
        """Return the mean wear power of each contact at a computed state."""
        return self._powers[tuple(state.tolist())]

    def sectors(self, state: Floats) -> list[Floats]:
        """Return the shares of wear by sectors of each contact at a computed state.

        The two rows are the shares and the half widths of their intervals. They are empty without a
        round hole, and zero without wear.
        """
        return self._sectors[tuple(state.tolist())]

    def __call__(self, state: Floats) -> WearRates:
        """Return the rates (volumes [m³/s], time [1], volumes of sides [m³/s]) at a state.

        Raises NothingKnownError if no contact has a known or bounded rate. Raises RunError if a run
        fails. Raises TimeIsUpError if a run would probably end too late. Raises ValueError if the
        volume exceeds the shape, or the law is not valid for the power.
        """
        life = self._life
        depths, time = self._state.depths(state), float(state[len(life.contacts)])
        number = self.runs_asked
        self.runs_asked += 1
        self._run_number = -_NUMBERS_OF_RUNS * self.runs_asked
        row = self._journal.rows.get(number)
        if row is None:
            answers = [self._with_step(index, depths, time) for index in range(len(life.motions))]
            row = Row((), json.dumps(answers))
            self._journal.append({number: row})
        known = self._read(row)
        self._first = self._first or known
        self._sectors[tuple(state.tolist())] = self._over_service(known)
        self._note(known, depths, time)
        for index, of_motion in enumerate(known):
            self._cases[index] = self._next(index, of_motion)
        return self._rates(known, state, time)

    @staticmethod
    def _read(row: Row) -> list[list[KnownPower]]:
        answers = json.loads(row.failure or "")
        return [[KnownPower(*powers) for powers in of_motion] for of_motion in answers]

    def _next(self, index: int, of_motion: list[KnownPower]) -> Case:
        """Return the case of an operating condition with the duration of its next run."""
        first = self._life.motions[index].case.experiment
        experiment = self._cases[index].experiment
        span = of_motion[0].span
        if self._precision.matters(index, of_motion):
            experiment = replace(experiment, stop_time=first.start_time + span)
        # Runs are not extended for contacts whose rate the longest run did not determine.
        waited_for = [
            power.share_needed
            for contact, power in enumerate(of_motion)
            if contact not in self.not_known
        ]
        needed = span * max(waited_for, default=1.0)
        while True:
            steps, rest = divmod(experiment.step_count, 2 * experiment.output_stride)
            steps *= experiment.output_stride
            half = steps * experiment.step_size
            if needed > 2.0 * _MUCH_TOO_LONG * half or steps < first.step_count or rest:
                return replace(self._cases[index], experiment=experiment)
            experiment = replace(experiment, stop_time=first.start_time + half)

    def _over_service(self, known: list[list[KnownPower]]) -> list[Floats]:
        """Return the shares of wear by sectors of each contact in the whole service.

        The two rows are the shares and the half widths of their intervals.
        """
        shares = []
        for contact in range(len(self._life.contacts)):
            worn = sum(
                motion.fraction
                * of_motion[contact].weighed
                * np.array([of_motion[contact].sectors, of_motion[contact].sector_bars])
                for motion, of_motion in zip(self._life.motions, known, strict=True)
            )
            total = np.sum(np.asarray(worn)[0])
            shares.append(np.asarray(worn / total if total > 0.0 else worn))
        return shares

    def _note(self, known: list[list[KnownPower]], depths: list[Floats], time: float) -> None:
        """Store the reference for later states, and the unknown powers."""
        life = self._life
        for index, of_motion in enumerate(known):
            if of_motion[0].valid_for > 0.0:
                self._confirmed[index] = [power.weighed for power in of_motion]
                self.valid_for = min(self.valid_for, of_motion[0].valid_for)
            for contact, known_rate in enumerate(of_motion):
                volume = life.shape.volume(float(depths[contact].mean()))
                self._precision.take(index, contact, known_rate, volume)
                if known_rate.is_enough or contact in self.not_known:
                    continue
                self.not_known[contact] = NotKnown(
                    life.contacts[contact].name,
                    life.motions[index].name,
                    float(depths[contact].max()),
                    time,
                    known_rate.why_not,
                    known_rate.time_needed,
                    known_rate.is_bounded,
                )
        open_ended = [not unknown.is_bounded for unknown in self.not_known.values()]
        if sum(open_ended) == len(life.contacts):
            raise NothingKnownError

    def _rates(self, known: list[list[KnownPower]], state: Floats, time: float) -> WearRates:
        fractions = [motion.fraction for motion in self._life.motions]
        powers, rates, bars, steps, carried = [], [], [], [], []
        blocks, side_rates, side_errors = [], [], []
        for contact in range(len(self._life.contacts)):
            of_contact = [of_motion[contact] for of_motion in known]
            law = self._life.law_of(contact)

            def over_service(name: str, of_contact: list[KnownPower] = of_contact) -> float:
                values = [float(getattr(known_rate, name)) for known_rate in of_contact]
                return sum(f * value for f, value in zip(fractions, values, strict=True))

            step = over_service("power_step")
            powers.append(Power(over_service("power"), over_service("power_bar") + step, step))
            weighed = over_service("weighed")
            rate = law.rate(weighed, time)
            fixed = weighed + over_service("weighed_fixed")
            upper = law.rate(fixed + over_service("weighed_step"), time)
            rates.append(rate)
            bars.append(upper - rate)
            steps.append(upper - law.rate(fixed, time))
            # Errors of a depth change in proportion to the rate without running-in.
            carried.append(law.rate(weighed, 0.0))
            errors = added(
                [np.zeros(1)]
                + [
                    fraction * np.array(of_motion.blocks)
                    for fraction, of_motion in zip(fractions, of_contact, strict=True)
                ]
            )
            scatter = float(half_widths(errors[:, np.newaxis])[0])
            slope = (law.rate(weighed + scatter, time) - rate) / scatter if scatter > 0.0 else 0.0
            blocks.append((slope * errors)[:, np.newaxis])
            shares, share_errors = _side_shares(fractions, of_contact)
            side_rates.append(rate * shares)
            side_errors.append(rate * share_errors)
        self._powers[tuple(state.tolist())] = powers
        columns = [*blocks, np.zeros((1, 1)), *side_errors]
        count = max(len(errors) for errors in columns)
        rows = [np.pad(errors, ((0, count - len(errors)), (0, 0))) for errors in columns]
        sides = np.concatenate(side_rates)
        nothing = np.zeros(1 + sides.size)
        return WearRates(
            np.concatenate((rates, [1.0], sides)),
            np.concatenate((bars, nothing)),
            np.concatenate((steps, nothing)),
            np.hstack(rows),
            # The error of a side changes in proportion to the rate of its contact.
            np.concatenate((carried, [1.0], np.repeat(carried, sides.size // len(carried)))),
            self._state.longest(state, np.array(side_rates)),
        )

    def _with_step(self, index: int, depths: list[Floats], time: float) -> list[KnownPower]:
        """Return the powers of a condition at depths, with the error of the time step."""
        parameters = self._cases[index].parameters
        if self._first and all(contact.notes(parameters) for contact in self._life.contacts):
            return self._first[index]  # wear does not change a gap
        known, run = self._of_motion(index, depths, time)
        if self._first:
            firsts = zip(known, self._first[index], strict=True)
            return [known_rate.with_step_of(first) for known_rate, first in firsts]
        if not self._runs.has_step_error(run.case):
            return known
        case, rates_at_step = run.case, run.found
        if 2 * case.experiment.step_count > MOST_STEPS:
            case = run.sufficient
            rates_at_step = self._measured(index, case, depths)
        finer = replace(case, experiment=case.experiment.with_half_the_step())
        at_half = self._measured(index, finer, depths)
        both = zip(known, rates_at_step, at_half, strict=True)
        return [power.with_half_the_step(rates, half) for power, rates, half in both]

    def _measured(
        self, index: int, case: Case, depths: list[Floats], *, divides: bool = False
    ) -> list[Rates]:
        """Run a case of an operating condition, undivided or in pieces, if enough time remains."""
        runs, motion = self._runs, self._life.motions[index]
        self._run_number -= 1
        row = self._journal.rows.get(self._run_number)
        if row is not None:
            known = json.loads(row.failure or "")
            return [Rates(KnownRate(*p), KnownRate(*w), *others) for p, w, *others in known]
        began, steps = clock.monotonic(), case.experiment.step_count
        if began + steps * self._step_seconds.get((index, divides), 0.0) > self._end:
            raise TimeIsUpError
        if divides:
            rates = runs.rates_of_pieces(motion, case, depths, self._workers.records)
        else:
            rates = runs.rates(motion, case, depths)
        seconds = clock.monotonic() - began
        self._step_seconds[index, divides] = seconds / steps
        if seconds > _WORTH_KEEPING:
            content = [(astuple(power), astuple(weighed), *of) for power, weighed, *of in rates]
            self._journal.append({self._run_number: Row((), json.dumps(content))})
        return rates

    def _agrees(self, index: int, run: ExtendedRun[list[Rates]], depths: list[Floats]) -> bool:
        """Whether a run in pieces agrees with the undivided confirming run, within scatter.

        They disagree if the wear depends on a process that restarts in each piece.
        """
        if not self._runs.pieces(run.sufficient):
            return False
        in_pieces = self._measured(index, run.sufficient, depths, divides=True)
        for divided, whole in zip(in_pieces, run.found, strict=True):
            blocks = added([np.array(divided.blocks), -np.array(whole.blocks)])
            chance = float(standard_errors(blocks))
            if abs(divided.weighed.mean - whole.weighed.mean) > _AGREES_WITHIN * chance:
                return False
        return True

    def _confirmation(self, index: int, rates: list[Rates]) -> bool | None:
        """Return whether rates are steady, or None if they do not need a confirming run.

        A confirming run is needed at the first state, and if a rate has changed by a factor of 2.
        """
        before = self._confirmed.get(index)
        scattered = [
            contact
            for contact, of_contact in enumerate(rates)
            if of_contact.weighed.standard_error > 0.0 and contact not in self.not_known
        ]
        if before is not None:
            largest = max(of_contact.weighed.mean for of_contact in rates)
            scattered = [
                contact
                for contact in scattered
                if rates[contact].weighed.mean >= SMALL_SHARE * largest
                and not 0.5 <= before[contact] / rates[contact].weighed.mean <= 2.0
            ]
        if not scattered:
            return None
        return all(rates[contact].weighed.is_steady for contact in scattered)

    def _of_motion(
        self, index: int, depths: list[Floats], time: float
    ) -> tuple[list[KnownPower], ExtendedRun[list[Rates]]]:
        """Run a condition until the weighted powers are known to half of the allowed error.

        Returns the powers and the last run.
        """
        runs, precision = self._runs, self._precision
        volumes = [self._life.shape.volume(float(depth.mean())) for depth in depths]
        is_whole = not self._first or not self._first[index][0].divides

        def lengths_needed(rates: list[Rates]) -> float:
            waited_for = [
                judged
                for contact, judged in enumerate(precision.judged(index, rates, volumes, time))
                if contact not in self.not_known
            ]
            steps = rates[0].power.duration / worn.experiment.step_size
            if steps >= _MOST_IDLE_STEPS and all(judged.is_idle for judged in waited_for):
                return 1.0
            return max((judged.lengths_needed for judged in waited_for), default=1.0)

        def measure(longer: Case) -> list[Rates]:
            divides = not is_whole and bool(runs.pieces(longer))
            found = self._measured(index, longer, depths, divides=divides)
            if longer == worn and not self._first and not any(of.power.mean for of in found):
                remedy = "check friction, gaps and loads. Longer runs follow"
                _LOG.warning(
                    "note: no wear in a run of %g s: %s", longer.experiment.stop_time, remedy
                )
            return found

        def confirmation(rates: list[Rates]) -> bool | None:
            nonlocal is_whole
            confirmed = self._confirmation(index, rates)
            is_whole = is_whole or confirmed is not None
            return confirmed

        worn = runs.worn(self._cases[index], depths)
        run = extended_run(worn, measure, lengths_needed, confirmation)
        assert run is not None  # a failed run raises RunError
        span, longer = run.sufficient.experiment.span, run.case.experiment.span
        confirmed_by = longer if run.is_enough and longer > span else 0.0
        is_unconfirmed = not run.is_enough and lengths_needed(run.found) <= 1.0
        # Checked only at the first state. Later states use the result.
        divides = not self._first and confirmed_by > 0.0 and self._agrees(index, run, depths)
        known = []
        for contact, (rates, judged) in enumerate(
            zip(run.found, precision.judged(index, run.found, volumes, time), strict=True)
        ):
            enough = judged.is_enough or contact in self.not_known
            reason = "" if enough else why_not(judged.rate, precision.allowed)
            if enough and is_unconfirmed and contact not in self.not_known:
                enough, reason = False, unconfirmed(rates.weighed)
                judged = replace(judged, is_bounded=False)
            if not enough and judged.rate.events == 0.0:
                margin = runs.margin(run.case, self._life.contacts[contact], depths)
                reason += f"; {margin}" if margin else ""
                reason += "; if wear is rarer, set a longer stop_time" if judged.is_idle else ""
            power = known_power(rates, judged, span, is_enough=enough, confirmed_by=confirmed_by)
            known.append(power._replace(divides=divides, why_not=reason))
        return known, run


class NothingKnownError(Exception):
    """No contact has a known or bounded rate."""


class TimeIsUpError(Exception):
    """The computing time is not sufficient for the next run."""


def _side_shares(fractions: list[float], of_contact: list[KnownPower]) -> tuple[Floats, Floats]:
    """Return the shares of the sides in the wear of all conditions, and their errors."""
    weights = [f * known.weighed for f, known in zip(fractions, of_contact, strict=True)]
    total = max(math.fsum(weights), 1e-300)
    shares = sum(
        weight / total * np.array(known.sides)
        for weight, known in zip(weights, of_contact, strict=True)
    )
    nothing = np.zeros((1, len(of_contact[0].sides)))
    errors = added(
        weight / total * np.array(known.side_errors) if known.side_errors else nothing
        for weight, known in zip(weights, of_contact, strict=True)
    )
    return np.asarray(shares), errors


def described(life: Life) -> Mapping[str, object]:
    """Return everything that determines the wear powers, except the programs, as plain values."""
    return {
        "years": life.years,
        "law": repr(life.law),
        "coefficients": life.coefficients,
        "shape": repr(life.shape),
        "relative_error": life.relative_error,
        "model": life.case.heading.fmu,
        "contacts": repr(life.contacts),
        "criterion": repr(life.criterion),
        "motions": [
            [
                motion.name,
                motion.fraction,
                repr(motion.case.experiment),
                dict(motion.case.parameters),
                repr(dict(motion.case.declared_inputs)),
            ]
            for motion in life.motions
        ],
    }
