"""The wear power of a worn contact, by runs of all motions that share the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.case.case_file import Case
from harness.case.mean_until import ACCUMULATED, extended_mean
from harness.errors import RunError
from harness.fmu.history import RunRecord
from harness.life.life_file import Life, Motion
from harness.life.worn_gap import with_worn_gap
from harness.sweep import Journal, Row, Study, fmu_runs, kernel_runs, quantity_of
from wearmodel.statistics.error_bars import MeanRate
from wearmodel.statistics.lifetime import WearRates

# A motion that hardly wears any more need not be known as well as one that does: its error is held
# against this share of the largest power it had.
_SMALL_SHARE = 0.1


class Power(NamedTuple):
    """A mean wear power [W], and half the width of its interval [W]."""

    mean: float
    half_width: float


class _Known(NamedTuple):
    """Mean wear power of a motion, and the duration of the run that it took [s]."""

    mean: float
    half_width: float
    span: float


class WearOfService:
    """Rates of wear for `wear_life`, of the state (volume [m³], service time [s]).

    The time is part of the state because a law may run in. All runs of a motion start from the same
    seed, and none is shorter than the one before: so the rates are as smooth in the volume as the
    motion is, and their errors are alike.

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
            found = [self._of_motion(index, depth) for index in range(len(self._life.motions))]
            row = Row(tuple(part for known in found for part in known))
            self._journal.append({number: row})
        known = [_Known(*_numbers(row)[i : i + 3]) for i in range(0, len(row.values), 3)]
        for index, one in enumerate(known):
            self._cases[index] = _lasting(self._cases[index], one.span)
            self._largest[index] = max(self._largest[index], one.mean)
        fractions = [motion.fraction for motion in self._life.motions]
        power = Power(
            sum(share * one.mean for share, one in zip(fractions, known, strict=True)),
            sum(share * one.half_width for share, one in zip(fractions, known, strict=True)),
        )
        self._powers[volume] = power
        law = self._life.law
        rate = law.rate(power.mean, time)
        upper = law.rate(power.mean + power.half_width, time)
        return WearRates(np.array([rate, 1.0]), np.array([upper - rate, 0.0]))

    def _of_motion(self, index: int, depth: float) -> _Known:
        """Run a motion until its power is known to half of the error allowed."""
        motion, case = self._life.motions[index], self._cases[index]
        worn = with_worn_gap(case.heading.fmu, case.parameters, depth, self._life.shape.scars)
        changed = case if worn is None else replace(case, parameters=worn.parameters)
        allowed = 0.5 * self._life.relative_error / self._life.law.exponent
        least = _SMALL_SHARE * self._largest[index]

        def is_enough(mean: MeanRate) -> bool:
            return mean.half_width <= allowed * max(mean.mean, least)

        found = extended_mean(changed, lambda longer: self._run(motion, longer, depth), is_enough)
        assert found is not None  # a run that fails raises
        last, mean = found
        experiment = last.experiment
        span = experiment.stop_time - experiment.start_time
        return _Known(mean.mean, mean.half_width, span)

    def _run(self, motion: Motion, case: Case, depth: float) -> RunRecord:
        experiment = case.experiment
        window = [experiment.start_time, experiment.stop_time]
        study = Study(
            model=case.heading.fmu if self._life.fmu is None else self._life.fmu.name,
            engine="kernel" if self._fmu is None else "fmu",
            fmu=self._fmu,
            experiment=experiment,
            parameters=case.parameters,
            inputs=case.declared_inputs,
            tables={},
            targets=(),
            structure=self._life.structure,
            quantities={
                ACCUMULATED: quantity_of(
                    {"quantity": "mean_rate", "variable": ACCUMULATED, "window": window}
                )
            },
        )
        runs = kernel_runs if self._fmu is None else fmu_runs
        ((_, outcome),) = runs(study, [()])
        if isinstance(outcome, str):
            raise RunError(f"{motion.name}, worn {depth:.4g} m deep: {outcome}")
        return outcome


def _numbers(row: Row) -> list[float]:
    return [float(value) for value in row.values if value is not None]


def _lasting(case: Case, span: float) -> Case:
    stop = case.experiment.start_time + span
    return replace(case, experiment=replace(case.experiment, stop_time=stop))


def gap_of(case: Case, depth: float, scars: int) -> float | None:
    """Return the gap [m] of a worn case; None where wear does not act back."""
    worn = with_worn_gap(case.heading.fmu, case.parameters, depth, scars)
    return None if worn is None else worn.gap


def described(life: Life) -> Mapping[str, object]:
    """Return all that the wear powers depend on beside the programs, as plain values."""
    return {
        "years": life.years,
        "law": repr(life.law),
        "shape": repr(life.shape),
        "relative_error": life.relative_error,
        "model": life.case.heading.fmu,
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
