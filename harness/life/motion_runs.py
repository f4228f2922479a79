"""Runs of an operating condition with worn contacts: wear rates, and margins before wear.

A run can be divided into numbered pieces, which can be computed at the same time. Each piece is an
independent realisation. It restarts before its own part, and this start is discarded. The start
lasts a tenth of the first run, as in the first run. Piece k has the noise of an undivided run at
the same time. Therefore the record of all pieces has the blocks of an undivided run, and the number
of processes does not change it.

A piece lasts at least half as long as the first run, or as long as the first run if the service has
a slowest process. A run has at most eight pieces, so that the effect of their starts decreases with
its length.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from harness.axes_across import axes_across
from harness.case.case_file import Case
from harness.case.mean_until import ACCUMULATED
from harness.case.settled_mean import TRANSIENT_SHARE, settled_rate
from harness.errors import RunError
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import input_reading
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal
from harness.life.life_file import NORMAL_FORCE, SLIP_VELOCITY, Life, Motion, needed_by
from harness.life.sections import KwuEpriLaw
from harness.life.worn_contact import WornContact, worn_parameters, worn_structure
from harness.life.worn_sectors import SECTORS
from harness.sweep import Study, continued_run, fmu_runs, model_interface
from wearmodel.arrays import Floats
from wearmodel.batch.run_state import RunState
from wearmodel.models.modal_quantities import by_side
from wearmodel.statistics.known_rate import KnownRate
from wearmodel.statistics.paired_blocks import BLOCKS, block_errors
from wearmodel.statistics.wear_sectors import sector_wear_shares
from wearmodel.structure import Structure

_MOST_PIECES = 8
# Name of the times [s] at which the wear work of sides is stored, instead of at each sample.
MARKS = "marks"
# Number of pieces in the duration of the first run.
_PIECES_OF_THE_FIRST = 2
# Number of steps after which a long run stops to free its memory.
_STEPS_AT_ONCE = 1 << 20
# Number of samples without wear that a long record keeps. `known_rate` uses fewer blocks.
_PAUSE_SAMPLES = 1 << 18


class Piece(NamedTuple):
    """A piece of a run: its start, and the start and end of the part that is kept [s]."""

    start: float
    settled: float
    stop: float


def pieces_of_run(experiment: Experiment, first: Experiment, *, has_slowest: bool) -> list[Piece]:
    """Return the pieces of a run, or an empty list if it must not be divided.

    - `experiment`: experiment of the run
    - `first`: experiment of the first run, which has the same step
    - `has_slowest`: whether a piece must last as long as the first run
    """
    stride = experiment.output_stride
    samples, of_first = experiment.step_count // stride, first.step_count // stride
    most = (1 if has_slowest else _PIECES_OF_THE_FIRST) * samples // of_first
    count = min(_MOST_PIECES, most)
    if count < 2:
        return []
    lead = math.ceil(TRANSIENT_SHARE * of_first)
    borders = [samples * number // count for number in range(count + 1)]
    return [
        Piece(
            *(
                experiment.start_time + stride * sample * experiment.step_size
                for sample in (max(0, low - lead), low, high)
            )
        )
        for low, high in pairwise(borders)
    ]


def kept(record: RunRecord, settled: float, step_size: float) -> RunRecord:
    """Return the part of a record from its last sample at or before a time [s]."""
    marks = record.values.get(MARKS, record.times)
    first = {
        marks.size: int(np.searchsorted(marks, settled - 0.5 * step_size)),
        record.times.size: int(np.searchsorted(record.times, settled + 0.5 * step_size)) - 1,
    }
    return RunRecord(
        times=record.times[first[record.times.size] :],
        values={name: values[first[len(values)] :] for name, values in record.values.items()},
        seconds=record.seconds,
        messages=record.messages,
    )


def joined(records: Sequence[RunRecord]) -> RunRecord:
    """Return one record of consecutive pieces, each of which begins at the end of the last one.

    Accumulated quantities continue. Other values at a border are from the earlier piece.
    """
    values = {}
    for name in records[0].values:
        parts = [records[0].values[name]]
        for record in records[1:]:
            values_of_part = record.values[name]
            if name.endswith(ACCUMULATED):
                values_of_part = values_of_part + (parts[-1][-1] - values_of_part[0])
            parts.append(values_of_part[1:])
        values[name] = np.concatenate(parts)
    times = [records[0].times, *(record.times[1:] for record in records[1:])]
    return RunRecord(times=np.concatenate(times), values=values, seconds=0.0, messages=())


def _without_pauses(record: RunRecord, stride: int) -> RunRecord:
    """Return a record of wear work with only every `stride`-th sample of times without wear.

    This does not change the wear rates. A record with other quantities is returned unchanged.
    """
    if stride < 2 or not all(name.endswith(ACCUMULATED) for name in record.values):
        return record
    wears = np.any([np.diff(work) != 0.0 for work in record.values.values()], axis=0)
    is_kept = np.append(wears, True) | np.insert(wears, 0, True)
    is_kept[::stride] = True
    values = {name: work[is_kept] for name, work in record.values.items()}
    return replace(record, times=record.times[is_kept], values=values)


class Rates(NamedTuple):
    """Rates of a contact: wear work, and wear work weighted by the law [W].

    `blocks` are the errors of the weighted rate by blocks of time, see
    `wearmodel.statistics.paired_blocks`. In a round hole `sectors` are the shares of 24 sectors in
    the weighted work, with the half widths of their intervals. They are zero without wear. In a
    hole with sides, `sides` are their shares and `side_errors` (blocks, sides) the errors.
    """

    power: KnownRate
    weighed: KnownRate
    sectors: tuple[float, ...] = ()
    sector_bars: tuple[float, ...] = ()
    blocks: tuple[float, ...] = ()
    sides: tuple[float, ...] = ()
    side_errors: tuple[tuple[float, ...], ...] = ()


_PLACE = tuple(f"relative_displacement_{axis}" for axis in "xyz")


class MotionRuns:
    """Runs of the operating conditions of a service life. The FMU is read only once.

    If a run is repeated with a longer duration, it continues from its last state.
    """

    def __init__(self, life: Life) -> None:
        self._life = life
        self._fmu = None if life.fmu is None else life.fmu.read_bytes()
        # The last run: its case, variables and structure, its last state, and its record.
        self._of: tuple[Case, list[str], Structure | None] | None = None
        self._state = RunState()
        self._so_far: RunRecord | None = None

    def worn(self, case: Case, depths: Sequence[Floats]) -> Case:
        """Return a case with its contacts worn to depths [m]."""
        life = self._life
        parameters, _ = worn_parameters(life.contacts, case.parameters, depths, life.shape.scars)
        return replace(case, parameters=parameters)

    def rates(self, motion: Motion, case: Case, depths: Sequence[Floats]) -> list[Rates]:
        """Run a case and return the rates of wear work and weighted wear work of each contact.

        - `motion`: the operating condition, shown in messages
        - `case`: case of the operating condition, with the stop time of the run and worn contacts
        - `depths`: depths of the sides of each contact, or of its scars [m]

        Raises RunError if the run fails. Raises ValueError if the law is not valid for the
        operating condition.
        """
        return self._rates(motion, case, depths, self.record(motion, case, depths), TRANSIENT_SHARE)

    def pieces(self, case: Case) -> list[Piece]:
        """Return the pieces of a run, or an empty list if it cannot be divided."""
        if not any(isinstance(signal, NoiseSignal) for signal in case.inputs.values()):
            return []
        first = self._life.case.experiment
        return pieces_of_run(case.experiment, first, has_slowest=self._life.slowest > 0.0)

    def rates_of_pieces(
        self,
        motion: Motion,
        case: Case,
        depths: Sequence[Floats],
        run: Callable[[int, Sequence[Piece], Sequence[Floats]], list[RunRecord]],
    ) -> list[Rates]:
        """Return the rates of a run in pieces, in the form of `rates`.

        `run` returns the records of the pieces of a condition, by its number, at depths [m].
        """
        number = [other.name for other in self._life.motions].index(motion.name)
        record = joined(run(number, self.pieces(case), depths))
        share = TRANSIENT_SHARE * self._life.case.experiment.span / case.experiment.span
        return self._rates(motion, case, depths, record, share)

    def record(self, motion: Motion, case: Case, depths: Sequence[Floats]) -> RunRecord:
        """Run a case and return its record for `rates`."""
        life = self._life
        wanted = (ACCUMULATED, *needed_by(life.law))
        names = [
            contact.variable(name)
            for contact in life.contacts
            for name in (*wanted, *(_PLACE if contact.hole is not None else ()))
        ]
        return self._history(case, names, _where(motion, depths), depths)

    def _rates(
        self,
        motion: Motion,
        case: Case,
        depths: Sequence[Floats],
        history: RunRecord,
        transient_share: float,
    ) -> list[Rates]:
        """Return the rates of a record without its transient."""
        life, where = self._life, _where(motion, depths)
        begin, end = float(history.times[0]), float(history.times[-1])
        start = begin + transient_share * (end - begin)
        rates_of_contacts = []
        for contact in life.contacts:
            wear_work = history.values[contact.variable(ACCUMULATED)]
            try:
                weighed_work = self._weighed(history, wear_work, contact, start)
            except ValueError as problem:
                raise ValueError(f"{where}, run for {end - begin:g} s: {problem}") from None
            power = settled_rate(history.times, wear_work, case.inputs, start=start)
            weighed = power
            if weighed_work is not wear_work:
                weighed = settled_rate(history.times, weighed_work, case.inputs, start=start)
            shares, bars = _sectors(history, weighed_work, contact, start)
            blocks = block_errors(history.times, weighed_work, start, life.case.experiment.span)
            sides = _side_shares(history, contact, life.case.experiment.span, start)
            rates_of_contacts.append(
                Rates(power, weighed, shares, bars, tuple(blocks.tolist()), *sides)
            )
        return rates_of_contacts

    def has_step_error(self, case: Case) -> bool:
        """Return whether the time step changes the inputs of a case.

        It does not if the model interpolates linearly between communication points, and if these
        points include all samples of the noise.
        """
        structure = self._life.contacts[0].structure
        if self._fmu is not None:
            return True
        interface = model_interface(case.heading.fmu, structure)
        reading = input_reading(case.experiment, interface, case.parameters)
        return reading.end != "end" or not all(
            isinstance(signal, ConstantSignal)
            or (
                isinstance(signal, NoiseSignal)
                and case.experiment.start_time == 0.0
                and _is_multiple(signal.sample_interval, case.experiment.step_size)
            )
            for signal in case.inputs.values()
        )

    def margin(self, case: Case, contact: WornContact, depths: Sequence[Floats]) -> str:
        """Return the margin before wear, from a run as long as the first run, or ""."""
        if contact.model not in ("FrictionalShock", "ModalShock"):
            return ""
        start = self._life.case.experiment
        short = replace(case, experiment=replace(start, step_size=case.experiment.step_size))
        names = ["gap", "normal_force", "friction_force"]
        if contact.structure is not None:
            names = ["clearance", "normal_force", *(f"friction_force_{axis}" for axis in "xyz")]
        history = self._history(short, [contact.variable(name) for name in names], "margin", depths)
        values = [history.values[contact.variable(name)] for name in names]
        gap, normal = values[0], np.abs(values[1])
        if not normal.any():
            return f"smallest gap seen {1e6 * float(gap.min()):.4g} µm"
        friction = np.sqrt(np.sum(np.square(values[2:]), axis=0))
        coefficient = contact.friction_coefficient(case.parameters)
        touched = normal > 1e-6 * float(normal.max())
        if coefficient <= 0.0:
            return ""
        used = float(np.max(friction[touched] / (coefficient * normal[touched])))
        return f"friction reached {100.0 * used:.3g} % of its limit"

    def _weighed(
        self, history: RunRecord, wear_work: Floats, contact: WornContact, start: float
    ) -> Floats:
        """Return the wear work of a run weighted by the law [J], without the transient."""
        law = self._life.law
        if not isinstance(law, KwuEpriLaw):
            return wear_work
        # The last sample of the transient, because the first step after it needs its start value.
        first = int(np.searchsorted(history.times, start, side="right")) - 1
        if wear_work[-1] == wear_work[first]:
            return np.zeros_like(wear_work)
        force, speed = (
            np.abs(history.values[contact.variable(name)])[first + 1 :]
            for name in (NORMAL_FORCE, SLIP_VELOCITY)
        )
        weighed = law.weighed_work(force, speed, wear_work[first:])
        return np.concatenate((np.zeros(first), weighed))

    def _history(
        self, case: Case, names: list[str], where: str, depths: Sequence[Floats]
    ) -> RunRecord:
        life = self._life
        study = Study(
            model=case.heading.fmu if life.fmu is None else life.fmu.name,
            experiment=case.experiment,
            parameters=case.parameters,
            inputs=case.declared_inputs,
            recorded=tuple(names),
            fmu=self._fmu,
            structure=worn_structure(life.contacts, depths),
        )
        if self._fmu is not None:
            ((_, outcome),) = fmu_runs(study, [()])
        else:
            outcome = self._continued(study, case, names)
        if isinstance(outcome, str):
            raise RunError(f"{where}: {outcome}")
        return outcome

    def _continued(self, study: Study, case: Case, names: list[str]) -> RunRecord | str:
        """Run a study of a case. Continue its last run if that was shorter.

        Runs with sides stop at the borders of blocks to read the wear work of the sides. Other long
        runs stop to free memory.
        """
        experiment = case.experiment
        stop_time = experiment.start_time + experiment.output_stride * experiment.step_size
        of = (
            replace(case, experiment=replace(experiment, stop_time=stop_time)),
            names,
            study.structure,
        )
        if of != self._of or self._state.steps >= experiment.step_count:
            self._of, self._state, self._so_far = of, RunState(), None
        parts = [] if self._so_far is None else [self._so_far]
        stride = experiment.step_count // _PAUSE_SAMPLES
        for steps in self._stops(experiment):
            until = experiment.start_time + steps * experiment.step_size
            part = replace(study, experiment=replace(experiment, stop_time=until))
            before = self._side_works()
            outcome = continued_run(part, self._state)
            if isinstance(outcome, str):
                return outcome
            outcome = _without_pauses(outcome, stride)
            for name, works in self._side_works().items():
                outcome.values[name] = np.array([before.get(name, np.zeros_like(works)), works])
                outcome.values[MARKS] = outcome.times[[0, -1]]
            parts.append(outcome)
        self._so_far = joined(parts)
        return self._so_far

    def _stops(self, experiment: Experiment) -> list[int]:
        """Return the remaining step numbers at which a run stops."""
        stride, steps = experiment.output_stride, experiment.step_count
        samples = _STEPS_AT_ONCE / stride
        if self._life.contacts[0].sides:
            samples = self._life.case.experiment.span / (BLOCKS * experiment.step_size * stride)
        block = stride * max(1, round(samples))
        return [*(n for n in range(block, steps, block) if n > self._state.steps), steps]

    def _side_works(self) -> dict[str, Floats]:
        """Return the wear work of the sides of each contact at the present state [J], by name."""
        works = by_side(self._state.final, ACCUMULATED)
        return {
            _by_side(contact): np.array(works[contact.name])
            for contact in self._life.contacts
            if contact.sides and contact.name in works
        }


def _by_side(contact: WornContact) -> str:
    return contact.variable(f"by_side.{ACCUMULATED}")


def _is_multiple(interval: float, step: float) -> bool:
    return abs(interval / step - max(1, round(interval / step))) < 1e-9


def _where(motion: Motion, depths: Sequence[Floats]) -> str:
    return f"{motion.name}, worn {', '.join(f'{np.max(depth):.4g}' for depth in depths)} m deep"


def _side_shares(
    history: RunRecord, contact: WornContact, first: float, start: float
) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Return the shares of the sides in the wear work after the transient, and their errors.

    `first` is the duration of the first run [s], see `block_errors`. The errors are by blocks. The
    sum of the errors of all sides is the relative error of the wear power.
    """
    if not contact.sides:
        return (), ()
    times, works = history.values[MARKS], history.values[_by_side(contact)].T
    settled = np.array([row[-1] - np.interp(start, times, row) for row in works])
    total = float(settled.sum())
    if total <= 0.0:
        return tuple(settled.tolist()), ()
    rate = total / (times[-1] - start)
    errors = np.array([block_errors(times, row, start, first) for row in works]).T / rate
    # Few digits, because the errors are written to the journal.
    rows = tuple(tuple(float(f"{error:.4g}") for error in row) for row in errors.tolist())
    return tuple((settled / total).tolist()), rows


def _sectors(
    history: RunRecord, work: Floats, contact: WornContact, start: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the shares of wear work after the transient by sectors, and their error bars."""
    hole = contact.hole
    if hole is None:
        return (), ()
    settled = int(np.searchsorted(history.times, start))
    right, up = (
        sum(
            component * (history.values[contact.variable(name)][settled:] + offset)
            for component, name, offset in zip(axis.tolist(), _PLACE, hole.offset, strict=True)
        )
        for axis in axes_across(hole)
    )
    shares, bars = sector_wear_shares(right, up, work[settled:], SECTORS)
    return tuple(shares.tolist()), tuple(bars.tolist())
