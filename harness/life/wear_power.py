"""The wear power of a worn contact, by runs of all motions that share the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.case.case_file import Case
from harness.case.mean_until import ACCUMULATED, extended_mean
from harness.case.settled_mean import TRANSIENT_SHARE, common_period, settled_mean
from harness.errors import RunError
from harness.fmu.history import RunRecord
from harness.life.life_file import NORMAL_FORCE, SLIP_VELOCITY, Life, Motion, needed_by
from harness.life.sections import Floats, KwuEpriLaw
from harness.sweep import Journal, Row, Study, fmu_runs, kernel_runs, quantity_of
from wearmodel.statistics.cycle_jump import WearRates
from wearmodel.statistics.error_bars import MeanRate

# A motion that hardly wears any more need not be known as well as one that does: its error is held
# against this share of the largest power it had.
_SMALL_SHARE = 0.1


class Power(NamedTuple):
    """A mean wear power [W], half the width of its interval, and what half the step changes [W].

    The interval is that of chance and step together.
    """

    mean: float
    half_width: float
    step: float


class _Known(NamedTuple):
    """What is known of a motion.

    Its mean wear power, that power as the law weighs it, each with half the width of its interval
    [W], and the duration of the run that it took [s]; and by how much half the step changes both
    powers [W].
    """

    power: float
    power_bar: float
    weighed: float
    weighed_bar: float
    span: float
    power_step: float = 0.0
    weighed_step: float = 0.0


class WearOfService:
    """Rates of wear for `wear_life`, of the state (volume [m³], service time [s]).

    The time is part of the state because a law may run in. All runs of a motion start from the same
    seed, and none is shorter than the one before: so the rates are as smooth in the volume as the
    motion is, and their errors are alike.

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
        self._largest = [0.0] * len(life.motions)
        self._powers: dict[float, Power] = {}
        self._first: list[_Known] = []

    @property
    def runs_asked(self) -> int:
        """How many states have been asked for."""
        return self._asked

    def power(self, volume: float) -> Power:
        """Return the mean wear power at a volume that has been asked for."""
        return self._powers[volume]

    def __call__(self, state: NDArray[np.float64]) -> WearRates:
        """Return the rates (volume [m³/s], time [1]) at a state.

        Raises
        ------
        CaseError
            If a mean is not known well enough after the longest run.
        RunError
            If a run fails.
        ValueError
            If the shape does not hold the volume, or the law does not hold for the power.
        """
        volume, time = float(state[0]), float(state[1])
        depth = self._life.shape.depth(volume)
        number = self._asked
        self._asked += 1
        row = self._journal.rows.get(number)
        if row is None:
            found = [self._with_step(index, depth) for index in range(len(self._life.motions))]
            row = Row(tuple(part for known in found for part in known))
            self._journal.append({number: row})
        size = len(_Known._fields)
        known = [_Known(*_numbers(row)[i : i + size]) for i in range(0, len(row.values), size)]
        self._first = self._first or known
        for index, one in enumerate(known):
            self._cases[index] = _lasting(self._cases[index], one.span)
            self._largest[index] = max(self._largest[index], one.weighed)

        def over_service(name: str) -> float:
            values = [float(getattr(one, name)) for one in known]
            motions = zip(self._life.motions, values, strict=True)
            return sum(motion.fraction * value for motion, value in motions)

        step = over_service("power_step")
        self._powers[volume] = Power(over_service("power"), over_service("power_bar") + step, step)
        weighed = over_service("weighed")
        law = self._life.law
        rate = law.rate(weighed, time)
        bar = over_service("weighed_bar") + over_service("weighed_step")
        upper = law.rate(weighed + bar, time)
        return WearRates(np.array([rate, 1.0]), np.array([upper - rate, 0.0]))

    def _with_step(self, index: int, depth: float) -> _Known:
        """Return what is known of a motion at a depth, with what half the step changes."""
        known, case = self._of_motion(index, depth)
        if self._first:
            first = self._first[index]
            return known._replace(
                power_step=_in_proportion(first.power_step, first.power, known.power),
                weighed_step=_in_proportion(first.weighed_step, first.weighed, known.weighed),
            )
        finer = replace(case, experiment=case.experiment.with_half_the_step())
        power, weighed = self._means(self._life.motions[index], finer, depth)
        return known._replace(
            power_step=abs(power.mean - known.power), weighed_step=abs(weighed.mean - known.weighed)
        )

    def _of_motion(self, index: int, depth: float) -> tuple[_Known, Case]:
        """Run a motion until its weighed power is known to half of the error allowed.

        Returns what is known, and the case as it was run last.
        """
        life = self._life
        motion, case = life.motions[index], self._cases[index]
        worn = life.contact.worn(case.parameters, depth, life.shape.scars)
        changed = case if worn is None else replace(case, parameters=worn.parameters)
        allowed = 0.5 * life.relative_error / life.law.exponent
        least = _SMALL_SHARE * self._largest[index]
        powers: list[MeanRate] = []

        def measure(longer: Case) -> MeanRate:
            power, weighed = self._means(motion, longer, depth)
            powers.append(power)
            return weighed

        def is_enough(mean: MeanRate) -> bool:
            return mean.half_width <= allowed * max(mean.mean, least)

        found = extended_mean(changed, measure, is_enough)
        assert found is not None  # a run that fails raises
        last, weighed = found
        power, experiment = powers[-1], last.experiment
        span = experiment.stop_time - experiment.start_time
        return _Known(power.mean, power.half_width, weighed.mean, weighed.half_width, span), last

    def _means(self, motion: Motion, case: Case, depth: float) -> tuple[MeanRate, MeanRate]:
        """Run a case; return the means of its wear power and of that as the law weighs it."""
        history = self._run(motion, case, depth)
        period = common_period(case.inputs)
        wear_work = history.values[self._life.contact.variable(ACCUMULATED)]
        try:
            weighed_work = self._weighed(history, wear_work)
        except ValueError as problem:
            span = history.times[-1] - history.times[0]
            raise ValueError(
                f"{motion.name}, worn {depth:.4g} m deep, run for {span:g} s: {problem}"
            ) from None
        return (
            settled_mean(history.times, wear_work, period=period),
            settled_mean(history.times, weighed_work, period=period),
        )

    def _weighed(self, history: RunRecord, wear_work: Floats) -> Floats:
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
        contact = self._life.contact
        force, speed = (
            np.abs(history.values[contact.variable(name)])[first + 1 :]
            for name in (NORMAL_FORCE, SLIP_VELOCITY)
        )
        weighed = law.weighed_work(force, speed, wear_work[first:])
        return np.concatenate((np.zeros(first), weighed))

    def _run(self, motion: Motion, case: Case, depth: float) -> RunRecord:
        life = self._life
        names = [life.contact.variable(name) for name in (ACCUMULATED, *needed_by(life.law))]
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
            structure=life.contact.structure,
            quantities={
                name: quantity_of({"quantity": "max", "variable": name, "window": window})
                for name in names
            },
        )
        runs = kernel_runs if self._fmu is None else fmu_runs
        ((_, outcome),) = runs(study, [()])
        if isinstance(outcome, str):
            raise RunError(f"{motion.name}, worn {depth:.4g} m deep: {outcome}")
        return outcome


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
        "contact": repr(life.contact),
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
