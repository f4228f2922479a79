"""The wear powers of worn contacts, by runs of all motions that share the service."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.case.case_file import Case
from harness.case.mean_until import ACCUMULATED, extended_run
from harness.case.settled_mean import TRANSIENT_SHARE, settled_rate
from harness.errors import RunError
from harness.fmu.history import RunRecord
from harness.life.life_file import NORMAL_FORCE, SLIP_VELOCITY, Life, Motion, needed_by
from harness.life.sections import Floats, KwuEpriLaw
from harness.life.worn_contact import WornContact, worn_parameters
from harness.sweep import Journal, Row, Study, fmu_runs, kernel_runs, quantity_of
from wearmodel.statistics.cycle_jump import WearRates
from wearmodel.statistics.known_rate import KnownRate, bounded_by_events
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

# A motion that hardly wears any more need not be known as well as one that does: its error is held
# against this share of the largest power it had.
_SMALL_SHARE = 0.1
# Of that, what a rate may come to whose interval cannot be believed.
_DOUBTFUL_SHARE = 0.1


class Power(NamedTuple):
    """A mean wear power [W], half the width of its interval, and what half the step changes [W].

    The interval is that of chance and step together.
    """

    mean: float
    half_width: float
    step: float


@dataclass(frozen=True)
class NotKnown:
    """A rate of wear that the longest run does not tell.

    Parameters
    ----------
    contact : str
        Whose; empty where the model has one contact without a name.
    motion : str
        Under which of the motions.
    depth : float
        How deep the contact was worn [m].
    time : float
        After which service time [s].
    reason : str
        Why it is not known.
    time_needed : float or None
        How long a run must last to tell it [s]; None: cannot be told.
    is_bounded : bool
        Whether the intervals hold a bound for it all the same.
    """

    contact: str
    motion: str
    depth: float
    time: float
    reason: str
    time_needed: float | None
    is_bounded: bool


class _Known(NamedTuple):
    """What is known of a contact under a motion.

    Its mean wear power, that power as the law weighs it, each with half the width of its interval
    [W], the most that one event added to the latter [J], the duration of the run that it took [s],
    whether that was enough, a bound at least, and the time that is needed [s], negative where it
    cannot be told; and by how much half the step changes both powers [W].
    """

    power: float
    power_bar: float
    weighed: float
    weighed_bar: float
    largest_event: float
    span: float
    is_enough: float = 1.0
    is_bounded: float = 1.0
    time_needed: float = -1.0
    power_step: float = 0.0
    weighed_step: float = 0.0


class _Rates(NamedTuple):
    """Rates of a contact: of its wear work, and of that as the law weighs it [W]."""

    power: KnownRate
    weighed: KnownRate


class WearOfService:
    """Rates of wear for `wear_life`, of the state (a volume [m³] a contact, service time [s]).

    The time is part of the state because a law may run in. All runs of a motion start from the same
    seed, and none is shorter than one before that showed wear that matters: so the rates are as
    smooth in the volumes as the motion is, and their errors are alike.

    A run is extended until each contact's weighed power is known to half of the error allowed: by
    itself, by a tenth of the most that any contact wears in all the service, or by what would reach
    the criterion at its end, whichever is most. Few events, or none, count by the most that they
    may wear if none is larger than those seen elsewhere. A contact that the longest run does not
    tell enough of is not waited for again.

    At the first state each motion runs once more at half the step. What that changes is taken as
    the error of the step, at other states as the same share of the power; the intervals hold it.

    Parameters
    ----------
    life : Life
        What is asked.
    journal : Journal
        Answers of an earlier process, by their number: the questions come in the same order.
    """

    def __init__(self, life: Life, journal: Journal) -> None:
        self._life = life
        self._journal = journal
        self._fmu = None if life.fmu is None else life.fmu.read_bytes()
        self._asked = 0
        self._cases = [motion.case for motion in life.motions]
        count = len(life.contacts)
        # By motion and contact.
        self._largest = np.zeros((len(life.motions), count))
        self._largest_event = 0.0
        self._powers: dict[tuple[float, ...], list[Power]] = {}
        self._first: list[list[_Known]] = []
        self._not_known: dict[int, NotKnown] = {}

    @property
    def runs_asked(self) -> int:
        """How many states have been asked for."""
        return self._asked

    @property
    def not_known(self) -> dict[int, NotKnown]:
        """By number of the contact: what the longest runs did not tell."""
        return self._not_known

    def powers(self, volumes: NDArray[np.float64]) -> list[Power]:
        """Return the mean wear power of each contact at volumes that have been asked for."""
        return self._powers[tuple(volumes.tolist())]

    def __call__(self, state: NDArray[np.float64]) -> WearRates:
        """Return the rates (volumes [m³/s], time [1]) at a state.

        Raises
        ------
        NothingKnownError
            If no contact's rate is known, nor bounded.
        RunError
            If a run fails.
        ValueError
            If the shape does not hold the volume, or the law does not hold for the power.
        """
        life = self._life
        volumes, time = state[:-1], float(state[-1])
        depths = [life.shape.depth(volume) for volume in volumes.tolist()]
        number = self._asked
        self._asked += 1
        row = self._journal.rows.get(number)
        if row is None:
            answers = [self._with_step(index, depths) for index in range(len(life.motions))]
            numbers = tuple(
                part for of_motion, _ in answers for known_rate in of_motion for part in known_rate
            )
            row = Row(numbers, json.dumps([why for _, why in answers]))
            self._journal.append({number: row})
        known = self._read(row)
        self._first = self._first or known
        self._note(known, json.loads(row.failure or "[]"), depths, time)
        for index, of_motion in enumerate(known):
            if (
                max(known_rate.weighed for known_rate in of_motion)
                >= _SMALL_SHARE * self._largest[index].max()
            ):
                self._cases[index] = _lasting(self._cases[index], of_motion[0].span)
        return self._rates(known, tuple(volumes.tolist()), time)

    def _read(self, row: Row) -> list[list[_Known]]:
        size, count = len(_Known._fields), len(self._life.contacts)
        numbers = _numbers(row)
        known = [_Known(*numbers[i : i + size]) for i in range(0, len(numbers), size)]
        return [known[i : i + count] for i in range(0, len(known), count)]

    def _note(
        self, known: list[list[_Known]], reasons: list[list[str]], depths: list[float], time: float
    ) -> None:
        """Keep what later states are held against, and what is not known."""
        life = self._life
        for index, of_motion in enumerate(known):
            for contact, known_rate in enumerate(of_motion):
                self._largest[index, contact] = max(
                    self._largest[index, contact], known_rate.weighed
                )
                self._largest_event = max(self._largest_event, known_rate.largest_event)
                if known_rate.is_enough or contact in self._not_known:
                    continue
                self._not_known[contact] = NotKnown(
                    life.contacts[contact].name,
                    life.motions[index].name,
                    depths[contact],
                    time,
                    reasons[index][contact],
                    known_rate.time_needed if known_rate.time_needed >= 0.0 else None,
                    bool(known_rate.is_bounded),
                )
        open_ended = [
            known_rate for known_rate in self._not_known.values() if not known_rate.is_bounded
        ]
        if len(open_ended) == len(life.contacts):
            raise NothingKnownError

    def _rates(
        self, known: list[list[_Known]], volumes: tuple[float, ...], time: float
    ) -> WearRates:
        law, fractions = self._life.law, [motion.fraction for motion in self._life.motions]
        powers, rates, bars, steps = [], [], [], []
        for contact in range(len(volumes)):
            of_contact = [of_motion[contact] for of_motion in known]

            def over_service(name: str, of_contact: list[_Known] = of_contact) -> float:
                values = [float(getattr(known_rate, name)) for known_rate in of_contact]
                return sum(f * value for f, value in zip(fractions, values, strict=True))

            step = over_service("power_step")
            powers.append(Power(over_service("power"), over_service("power_bar") + step, step))
            weighed = over_service("weighed")
            rate = law.rate(weighed, time)
            chance = weighed + over_service("weighed_bar")
            upper = law.rate(chance + over_service("weighed_step"), time)
            rates.append(rate)
            bars.append(upper - rate)
            steps.append(upper - law.rate(chance, time))
        self._powers[volumes] = powers
        return WearRates(np.array([*rates, 1.0]), np.array([*bars, 0.0]), np.array([*steps, 0.0]))

    def _with_step(self, index: int, depths: list[float]) -> tuple[list[_Known], list[str]]:
        """Return what is known of a motion at depths, with what half the step changes, and why."""
        known, why, case = self._of_motion(index, depths)
        if self._first:
            return [
                known_rate._replace(
                    power_step=_in_proportion(first.power_step, first.power, known_rate.power),
                    weighed_step=_in_proportion(
                        first.weighed_step, first.weighed, known_rate.weighed
                    ),
                )
                for known_rate, first in zip(known, self._first[index], strict=True)
            ], why
        finer = replace(case, experiment=case.experiment.with_half_the_step())
        rates = self._means(self._life.motions[index], finer, depths)
        return [
            known_rate._replace(
                power_step=abs(rate.power.mean - known_rate.power),
                weighed_step=abs(rate.weighed.mean - known_rate.weighed),
            )
            for known_rate, rate in zip(known, rates, strict=True)
        ], why

    def _of_motion(self, index: int, depths: list[float]) -> tuple[list[_Known], list[str], Case]:
        """Run a motion until the contacts' weighed powers are known to half of the error allowed.

        Returns what is known, why not where it is not, and the case as it was run last.
        """
        life = self._life
        motion, case = life.motions[index], self._cases[index]
        parameters, _ = worn_parameters(life.contacts, case.parameters, depths, life.shape.scars)
        changed = replace(case, parameters=parameters)
        allowed = 0.5 * life.relative_error / life.law.exponent

        def judged(rates: list[_Rates]) -> list[tuple[KnownRate, bool]]:
            least, event = self._least(index, rates)
            return [
                _judged(contact_rates.weighed, allowed, least, event) for contact_rates in rates
            ]

        def is_enough(rates: list[_Rates]) -> bool:
            return all(
                enough or contact in self._not_known
                for contact, (_, enough) in enumerate(judged(rates))
            )

        def measure(longer: Case) -> list[_Rates]:
            return self._means(motion, longer, depths)

        run = extended_run(changed, measure, is_enough)
        assert run is not None  # a run that fails raises
        experiment = run.case.experiment
        span = experiment.stop_time - experiment.start_time
        known, why = [], []
        for contact, (rates, (weighed, enough)) in enumerate(
            zip(run.found, judged(run.found), strict=True)
        ):
            is_bound = weighed is not rates.weighed
            bounded = math.isfinite(weighed.upper) and (is_bound or not weighed.reason)
            bar = weighed.half_width if math.isfinite(weighed.upper) else 0.0
            share = bar / weighed.mean if weighed.mean > 0.0 else 0.0
            power = rates.power
            power_bar = power.half_width if math.isfinite(power.half_width) else 0.0
            if weighed.mean > 0.0:
                power_bar = max(power_bar, share * power.mean)
            enough = enough or contact in self._not_known
            least, _ = self._least(index, run.found)
            needed = weighed.time_needed(allowed * max(weighed.mean, least))
            known.append(
                _Known(
                    power.mean,
                    power_bar,
                    weighed.mean,
                    bar,
                    weighed.largest_event,
                    span,
                    float(enough),
                    float(bounded),
                    -1.0 if needed is None else needed,
                )
            )
            why.append("" if enough else self._why_not(weighed, allowed, run.case, contact))
        return known, why, run.case

    def _least(self, index: int, rates: list[_Rates]) -> tuple[float, float]:
        """Return a power [W] that need not be known by itself, and the largest event known [J]."""
        life = self._life
        largest = self._largest.copy()
        largest[index] = np.maximum(
            largest[index], [contact_rates.weighed.mean for contact_rates in rates]
        )
        shares = [motion.fraction / life.motions[index].fraction for motion in life.motions]
        most = max(share * float(row.max()) for share, row in zip(shares, largest, strict=True))
        least = _SMALL_SHARE * most
        if life.criterion is not None:
            volume = life.limit_volume
            least = max(least, life.law.power(volume / (life.years * SECONDS_PER_YEAR)))
        event = max(
            self._largest_event, *(contact_rates.weighed.largest_event for contact_rates in rates)
        )
        return least, event

    def _why_not(self, rate: KnownRate, allowed: float, case: Case, contact: int) -> str:
        if rate.events == 0.0:
            margin = self._margin(case, contact)
            return f"{rate.reason}{f'; {margin}' if margin else ''}"
        return rate.reason or (
            f"{rate.mean:.4g} W ± {100.0 * rate.relative_half_width:.2g} % in"
            f" {rate.duration:.4g} s, more than {100.0 * allowed:.3g} %"
        )

    def _margin(self, case: Case, contact: int) -> str:
        """Tell how near a contact came to wear, by a run of the first length."""
        life = self._life
        worn = life.contacts[contact]
        if worn.model not in ("FrictionalShock", "ModalShock"):
            return ""
        start = life.case.experiment
        short = replace(case, experiment=replace(start, step_size=case.experiment.step_size))
        names = ["gap", "normal_force", "friction_force"]
        if worn.structure is not None:
            names[2:] = [f"friction_force_{axis}" for axis in "xyz"]
        history = self._history(short, [worn.variable(name) for name in names], "margin")
        values = [history.values[worn.variable(name)] for name in names]
        gap, normal = values[0], np.abs(values[1])
        if not normal.any():
            return f"smallest gap seen {1e6 * float(gap.min()):.4g} µm"
        friction = np.sqrt(np.sum(np.square(values[2:]), axis=0))
        coefficient = worn.friction_coefficient(case.parameters)
        touched = normal > 1e-6 * float(normal.max())
        if coefficient <= 0.0:
            return ""
        used = float(np.max(friction[touched] / (coefficient * normal[touched])))
        return f"friction reached {100.0 * used:.3g} % of its limit"

    def _means(self, motion: Motion, case: Case, depths: list[float]) -> list[_Rates]:
        """Run a case; return each contact's rates of wear work and of what the law weighs."""
        life = self._life
        wanted = (ACCUMULATED, *needed_by(life.law))
        where = f"{motion.name}, worn {_depths_text(depths)} m deep"
        names = [contact.variable(name) for contact in life.contacts for name in wanted]
        history = self._history(case, names, where)
        rates_of_contacts = []
        for contact in life.contacts:
            wear_work = history.values[contact.variable(ACCUMULATED)]
            try:
                weighed_work = self._weighed(history, wear_work, contact)
            except ValueError as problem:
                span = history.times[-1] - history.times[0]
                raise ValueError(f"{where}, run for {span:g} s: {problem}") from None
            power = settled_rate(history.times, wear_work, case.inputs)
            weighed = power
            if weighed_work is not wear_work:
                weighed = settled_rate(history.times, weighed_work, case.inputs)
            rates_of_contacts.append(_Rates(power, weighed))
        return rates_of_contacts

    def _weighed(self, history: RunRecord, wear_work: Floats, contact: WornContact) -> Floats:
        """Return the wear work of a run as the law weighs it [J]; the transient adds nothing."""
        law = self._life.law
        if not isinstance(law, KwuEpriLaw):
            return wear_work
        times = history.times
        start = times[0] + TRANSIENT_SHARE * (times[-1] - times[0])
        # The last sample before what counts, so that the first step that counts has its start.
        first = int(np.searchsorted(times, start, side="right")) - 1
        if wear_work[-1] == wear_work[first]:
            return np.zeros_like(wear_work)
        force, speed = (
            np.abs(history.values[contact.variable(name)])[first + 1 :]
            for name in (NORMAL_FORCE, SLIP_VELOCITY)
        )
        weighed = law.weighed_work(force, speed, wear_work[first:])
        return np.concatenate((np.zeros(first), weighed))

    def _history(self, case: Case, names: list[str], where: str) -> RunRecord:
        life = self._life
        experiment = case.experiment
        window = [experiment.start_time, experiment.stop_time]
        study = Study(
            model=case.heading.fmu if life.fmu is None else life.fmu.name,
            engine="kernel" if self._fmu is None else "fmu",
            fmu=self._fmu,
            experiment=experiment,
            parameters=case.parameters,
            inputs=case.declared_inputs,
            tables={},
            targets=(),
            structure=life.contacts[0].structure,
            quantities={
                name: quantity_of({"quantity": "max", "variable": name, "window": window})
                for name in names
            },
        )
        runs = kernel_runs if self._fmu is None else fmu_runs
        ((_, outcome),) = runs(study, [()])
        if isinstance(outcome, str):
            raise RunError(f"{where}: {outcome}")
        return outcome


class NothingKnownError(Exception):
    """No contact's rate is known, nor bounded: there is no life to follow."""


def _judged(rate: KnownRate, allowed: float, least: float, event: float) -> tuple[KnownRate, bool]:
    """Return a rate, bounded where it has few events, and whether it is known well enough."""
    bounded = bounded_by_events(rate, event)
    if bounded is not rate or not rate.reason:
        enough = bounded.half_width <= allowed * max(0.0 if rate.reason else rate.mean, least)
        return bounded, enough
    return rate, rate.half_width <= _DOUBTFUL_SHARE * allowed * least


def _depths_text(depths: list[float]) -> str:
    return ", ".join(f"{depth:.4g}" for depth in depths)


def _in_proportion(step: float, power: float, present: float) -> float:
    """Return the error of the step at a present power; as it was where there was no power."""
    return step * (present / power if power > 0.0 else 1.0)


def _numbers(row: Row) -> list[float]:
    return [float(value) for value in row.values if value is not None]


def _lasting(case: Case, span: float) -> Case:
    stop = case.experiment.start_time + span
    return replace(case, experiment=replace(case.experiment, stop_time=stop))


def described(life: Life) -> Mapping[str, object]:
    """Return all that the wear powers depend on beside the programs, as plain values."""
    return {
        "years": life.years,
        "law": repr(life.law),
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
