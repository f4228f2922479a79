"""Runs of an operating condition with worn contacts: rates of wear, and margins before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from harness.axes_across import axes_across
from harness.case.case_file import Case
from harness.case.mean_until import ACCUMULATED
from harness.case.settled_mean import TRANSIENT_SHARE, settled_rate
from harness.errors import RunError
from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import input_reading_of_model
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal
from harness.life.life_file import NORMAL_FORCE, SLIP_VELOCITY, Life, Motion, needed_by
from harness.life.sections import Floats, KwuEpriLaw
from harness.life.worn_contact import WornContact, worn_parameters, worn_structure
from harness.life.worn_sectors import SECTORS
from harness.sweep import Study, continued_run, fmu_runs, model_definition, quantity_of
from wearmodel.batch.run_state import RunState
from wearmodel.batch.structure_runs import wear_work_by_side_at
from wearmodel.statistics.known_rate import KnownRate
from wearmodel.statistics.paired_blocks import BLOCKS, block_errors
from wearmodel.statistics.wear_sectors import sector_wear_shares
from wearmodel.structure import Structure


class Rates(NamedTuple):
    """Rates of a contact: wear work, and wear work weighed by the law [W].

    `blocks` are the errors of the weighed rate by blocks of time, see
    `wearmodel.statistics.paired_blocks`. In a round hole `sectors` are the shares of 24 sectors in
    the weighed work, with the half widths of their intervals. They are zero without wear. In a hole
    with sides `sides` are the shares of the sides, and `side_errors` (blocks, sides) their errors.
    """

    power: KnownRate
    weighed: KnownRate
    sectors: tuple[float, ...] = ()
    sector_bars: tuple[float, ...] = ()
    blocks: tuple[float, ...] = ()
    sides: tuple[float, ...] = ()
    side_errors: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class SideRecord(RunRecord):
    """Histories of a run, with the wear work of sides at the borders of blocks.

    Parameters
    ----------
    marks : array (m,)
        Times of these borders [s].
    side_works : mapping of str to array (m, sides)
        Wear work [J] of the sides of each contact.
    """

    marks: Floats = field(default_factory=lambda: np.zeros(0))
    side_works: Mapping[str, Floats] = field(default_factory=dict)


_PLACE = tuple(f"relative_displacement_{axis}" for axis in "xyz")


class MotionRuns:
    """Runs of the operating conditions of a service life.

    Parameters
    ----------
    life : Life
        The service life. Its FMU is read once.

    Notes
    -----
    A run that is repeated with a longer time continues from its last state.
    """

    def __init__(self, life: Life) -> None:
        self._life = life
        self._fmu = None if life.fmu is None else life.fmu.read_bytes()
        # The last run: its case and variables, its last state, and its histories.
        self._of: tuple[Case, list[str], Structure | None] | None = None
        self._state = RunState()
        self._so_far: SideRecord | None = None

    def worn(self, case: Case, depths: Sequence[Floats]) -> Case:
        """Return a case with its contacts worn to depths [m]."""
        life = self._life
        parameters, _ = worn_parameters(life.contacts, case.parameters, depths, life.shape.scars)
        return replace(case, parameters=parameters)

    def rates(self, motion: Motion, case: Case, depths: Sequence[Floats]) -> list[Rates]:
        """Run a case and return the rates of wear work and of weighed wear work of each contact.

        Parameters
        ----------
        motion : Motion
            The operating condition, shown in messages.
        case : Case
            Case of the operating condition, with the stop time of the run and worn contacts.
        depths : sequence of array
            Depths of the sides of each contact, or of its scars [m].

        Raises
        ------
        RunError
            If the run fails.
        ValueError
            If the law is not valid for the operating condition.
        """
        life = self._life
        wanted = (ACCUMULATED, *needed_by(life.law))
        where = f"{motion.name}, worn {', '.join(f'{depth.max():.4g}' for depth in depths)} m deep"
        names = [contact.variable(name) for contact in life.contacts for name in wanted]
        names += [
            contact.variable(name)
            for contact in life.contacts
            for name in _PLACE
            if contact.hole is not None
        ]
        history = self._history(case, names, where, depths)
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
            shares, bars = _sectors(history, weighed_work, contact)
            blocks = _blocks(history, weighed_work, life.case.experiment)
            sides = _side_shares(history, contact, life.case.experiment)
            rates_of_contacts.append(Rates(power, weighed, shares, bars, blocks, *sides))
        return rates_of_contacts

    def has_step_error(self, case: Case) -> bool:
        """Return whether the time step changes the inputs of a case.

        It does not if the model interpolates linearly between communication points, and if these
        contain all samples of the noise.
        """
        structure = self._life.contacts[0].structure
        if self._fmu is not None:
            return True
        definition = model_definition(case.heading.fmu, structure)
        reading = input_reading_of_model(case.experiment, definition, case.parameters)
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
        """Return the margin of a contact before wear, from a run of the first length, or ''."""
        if contact.model not in ("FrictionalShock", "ModalShock"):
            return ""
        start = self._life.case.experiment
        short = replace(case, experiment=replace(start, step_size=case.experiment.step_size))
        names = ["gap", "normal_force", "friction_force"]
        if contact.structure is not None:
            names[2:] = [f"friction_force_{axis}" for axis in "xyz"]
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

    def _weighed(self, history: RunRecord, wear_work: Floats, contact: WornContact) -> Floats:
        """Return the wear work of a run weighed by the law [J], without the transient."""
        law = self._life.law
        if not isinstance(law, KwuEpriLaw):
            return wear_work
        times = history.times
        start = times[0] + TRANSIENT_SHARE * (times[-1] - times[0])
        # The last sample of the transient: the first step after it needs its start value.
        first = int(np.searchsorted(times, start, side="right")) - 1
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
    ) -> SideRecord:
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
            structure=worn_structure(life.contacts, depths),
            quantities={
                name: quantity_of({"quantity": "max", "variable": name, "window": window})
                for name in names
            },
        )
        if self._fmu is not None:
            ((_, outcome),) = fmu_runs(study, [()])
            if isinstance(outcome, RunRecord):
                return SideRecord(**vars(outcome))
        else:
            outcome = self._continued(study, case, names)
        if isinstance(outcome, str):
            raise RunError(f"{where}: {outcome}")
        return outcome

    def _continued(self, study: Study, case: Case, names: list[str]) -> SideRecord | str:
        """Run a study of a case. Continue its last run if this was shorter.

        Runs with sides stop at the borders of blocks, to read the wear work of the sides.
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
        for steps in self._stops(experiment):
            until = experiment.start_time + steps * experiment.step_size
            part = replace(study, experiment=replace(experiment, stop_time=until))
            outcome = continued_run(part, self._state)
            if isinstance(outcome, str):
                return outcome
            if outcome.times.size > steps:
                parts = []  # the run began at the start
            parts.append(self._with_sides(outcome, part))
        self._so_far = replace(joined_in_time(parts), times=experiment.times())
        return self._so_far

    def _stops(self, experiment: Experiment) -> list[int]:
        """Return the numbers of steps at which a run stops, after those that it has taken."""
        stride, steps = experiment.output_stride, experiment.step_count
        block = steps
        if any(contact.sides for contact in self._life.contacts):
            span = self._life.case.experiment.stop_time - self._life.case.experiment.start_time
            block = round(span / (BLOCKS * experiment.step_size * stride)) or 1
            block *= stride
        return [*(n for n in range(block, steps, block) if n > self._state.steps), steps]

    def _with_sides(self, outcome: RunRecord, study: Study) -> SideRecord:
        """Return histories with the wear work of the sides at their end."""
        works: dict[str, Floats] = {}
        if study.structure is not None and any(contact.sides for contact in self._life.contacts):
            works = wear_work_by_side_at(study.structure, self._state)
        return SideRecord(
            **vars(outcome),
            marks=outcome.times[-1:],
            side_works={name: work[np.newaxis] for name, work in works.items()},
        )


def joined_in_time(parts: Sequence[SideRecord]) -> SideRecord:
    """Return the histories of parts of a run, each of which begins at the end of the last one."""
    first = parts[0]
    return SideRecord(
        times=np.concatenate([first.times, *(part.times[1:] for part in parts[1:])]),
        values={
            name: np.concatenate([values, *(part.values[name][1:] for part in parts[1:])])
            for name, values in first.values.items()
        },
        seconds=0.0,
        messages=(),
        marks=np.concatenate([part.marks for part in parts]),
        side_works={
            name: np.concatenate([part.side_works[name] for part in parts])
            for name in first.side_works
        },
    )


def _is_multiple(interval: float, step: float) -> bool:
    return abs(interval / step - max(1, round(interval / step))) < 1e-9


def _blocks(history: RunRecord, work: Floats, first: Experiment) -> tuple[float, ...]:
    times = history.times
    start = float(times[0] + TRANSIENT_SHARE * (times[-1] - times[0]))
    return tuple(block_errors(times, work, start, first.stop_time - first.start_time).tolist())


def _side_shares(
    history: SideRecord, contact: WornContact, first: Experiment
) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Return the shares of the sides in the settled wear work, and their errors by blocks.

    The sum of the errors of all sides is the relative error of the wear power.
    """
    if not contact.sides:
        return (), ()
    times = np.concatenate((history.times[:1], history.marks))
    works = history.side_works[contact.name]
    works = np.concatenate((np.zeros_like(works[:1]), works)).T
    start = float(times[0] + TRANSIENT_SHARE * (times[-1] - times[0]))
    settled = np.array([row[-1] - np.interp(start, times, row) for row in works])
    total = float(settled.sum())
    if total <= 0.0:
        return tuple(settled.tolist()), ()
    span, rate = first.stop_time - first.start_time, total / (times[-1] - start)
    errors = np.array([block_errors(times, row, start, span) for row in works]).T / rate
    # Few digits, because the journal contains them.
    rows = tuple(tuple(float(f"{error:.4g}") for error in row) for row in errors.tolist())
    return tuple((settled / total).tolist()), rows


def _sectors(
    history: RunRecord, work: Floats, contact: WornContact
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the shares of settled work in each sector of a round hole, and their error bars."""
    hole = contact.hole
    if hole is None:
        return (), ()
    first, last = history.times[0], history.times[-1]
    settled = int(np.searchsorted(history.times, first + TRANSIENT_SHARE * (last - first)))
    right, up = (
        sum(
            component * (history.values[contact.variable(name)][settled:] + offset)
            for component, name, offset in zip(axis.tolist(), _PLACE, hole.offset, strict=True)
        )
        for axis in axes_across(hole)
    )
    shares, bars = sector_wear_shares(right, up, work[settled:], SECTORS)
    return tuple(shares.tolist()), tuple(bars.tolist())
