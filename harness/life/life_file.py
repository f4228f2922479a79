"""Read a case with a section [life], and check it before any run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from fmu_src.models import fmu_definition, fmu_names
from harness.case.case_file import Case, load_case, naming, require_no_changes
from harness.case.case_fmu import fmu_of, structure_of_case
from harness.case.mean_until import ACCUMULATED, MOST_DOUBLINGS, require_endless
from harness.case.notes import motion_notes, own_step_model
from harness.errors import CaseError
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.signals import CsvSignal, SignalSection
from harness.fmu.step_check import input_size, largest_input, require_fine_step
from harness.life.draws import Draws, draws_of
from harness.life.sections import (
    Criterion,
    EdfMzLaw,
    KwuEpriLaw,
    Law,
    LifeSection,
    ServiceSection,
    Shape,
    questioned_values,
    shape_of,
)
from harness.life.worn_contact import (
    WornContact,
    notes_on_contacts,
    with_sides,
    worn_parameters,
)
from harness.messages import nearest
from harness.provenance import used
from harness.schema import section
from harness.sweep import Point, model_definition, model_interface
from wearmodel.statistics.worn_sides import TubeBySides
from wearmodel.structure import Structure

# Outputs that a law with weights for sliding and impacts needs.
NORMAL_FORCE, SLIP_VELOCITY = "normal_force", "slip_velocity"


@section
class _ServiceInputs:
    """The inputs of an operating condition, including the inputs of the case."""

    inputs: dict[str, SignalSection]


_life = TypeAdapter(LifeSection)
_inputs = TypeAdapter(_ServiceInputs)


@dataclass(frozen=True)
class Motion:
    """An operating condition."""

    # Name of the section, or of the case.
    name: str
    # Fraction of the service time.
    fraction: float
    # The case with the parameters and inputs of the condition.
    case: Case


@dataclass(frozen=True)
class Life:
    """A checked service life."""

    # The case with the section [life].
    case: Case
    # Service time, years of 365.25 days.
    years: float
    # Wear law, from wear power to volume.
    law: Law
    # Worn shape, from volume to depth.
    shape: Shape
    # A limit. The time to reach it is computed.
    criterion: Criterion | None
    # Allowed error of runs and extrapolation together.
    relative_error: float
    # Operating conditions. Their fractions add up to 1.
    motions: tuple[Motion, ...]
    # Contacts that wear, at least one.
    contacts: tuple[WornContact, ...]
    # The FMU that runs the case. By default the kernel runs it.
    fmu: Path | None
    # Note on gaps that wear does not change. Empty if it changes all gaps.
    note: str
    # This note and implausible values.
    notes: tuple[str, ...]
    # Longest time scale of the service [s], or 0.
    slowest: float
    # Whether the calculation continues after all limits are decided.
    to_the_end: bool
    # Coefficient of each contact [m²/N] in a draw. Empty if there are no draws.
    coefficients: tuple[float, ...] = ()
    draws: Draws | None = None

    def law_of(self, contact: int) -> Law:
        """Return the law of a contact, by number, with its own coefficient if it has one."""
        given = self.coefficients
        return replace(self.law, coefficient=given[contact]) if given else self.law

    @property
    def limit_volume(self) -> float:
        """The criterion as a volume [m³]. Infinite without a criterion."""
        if self.criterion is None:
            return math.inf
        limit = self.criterion.limit
        return self.shape.volume(limit) if self.criterion.variable == "depth" else limit

    @property
    def least_limit_volume(self) -> float:
        """Smallest worn volume [m³] of a contact that may reach the criterion, on one side only."""
        is_depth = self.criterion is not None and self.criterion.variable == "depth"
        return self.limit_volume / (max(self.contacts[0].sides, 1) if is_depth else 1)

    @property
    def journal(self) -> Path:
        """File next to the case that contains wear powers until the result is written."""
        return self.case.file.with_name(f"{self.case.file.name}.journal")


def load_life(path: Path | str, *, years: float | None = None) -> Life:
    """Read and check a case with a section [life].

    - `years`: service time, > 0. It replaces the value in the file.

    Raises CaseError with one line that contains file, key, value and rule. Raises FmuError if the
    FMU cannot be read.
    """
    case = load_case(path)
    require_no_changes(case, "wearfmu life needs a constant mean wear power within a run")
    if case.life is None:
        raise CaseError(
            f"{path}: the file has no section [life] with the law and the shape of the wear: add"
            " this section, see docs/how_to/life.md"
        )
    with naming(f"{path}: life"):
        given = {} if years is None else {"years": years}
        section = _life.validate_python({**case.life, **given})
    with naming(f"{path}: life.shape"):
        shape = shape_of(section.shape)
    questioned = questioned_values(section)
    if section.criterion is not None:
        limit = section.criterion.limit
        with naming(f"{path}: life.criterion.limit"):
            # A limit outside the range of the shape is rejected before any run.
            try:
                shape.volume(limit) if section.criterion.variable == "depth" else shape.depth(limit)
            except ValueError as problem:
                raise ValueError("; ".join([str(problem), *questioned])) from None
    if section.years is None:
        raise CaseError(f"{path}: life.years is missing: give it there, or --years")
    fmu = None if case.heading.fmu in fmu_names() else fmu_of(case, None)
    read = None if fmu is None else read_interface(fmu)
    contacts = _contacts_of(case, section.contact)
    structure = contacts[0].structure
    interface = read or model_interface(case.heading.fmu, structure)
    case = replace(case, experiment=_lasting(case.experiment, section.slowest_time))
    services = section.service or (ServiceSection(name=case.name, fraction=1.0),)
    motions = []
    worn_notes, notes = set(), dict.fromkeys(questioned)
    for number, service in enumerate(services, start=1):
        place = f"{path}: life.service[{number}] ({service.name})" if section.service else str(path)
        motion = _differing(case, service, place)
        require_endless(motion)
        with naming(place):
            _check_names(motion, interface, contacts, section.law)
            notes |= dict.fromkeys(_step_notes(motion, interface, structure))
            try:
                for contact in contacts:
                    contact.require_fitting_shape(section.shape["kind"], motion.parameters)
                worn_notes.update(notes_on_contacts(contacts, motion.parameters))
                notes |= dict.fromkeys(
                    motion_notes(interface, motion.parameters, motion.inputs, structure=structure)
                )
                worn_parameters(contacts, motion.parameters, [0.0] * len(contacts), shape.scars)
            except TypeError as problem:
                raise ValueError(problem) from None
        motions.append(Motion(service.name, service.fraction, motion))
        table = model_definition(case.heading.fmu, structure).slave.table if fmu is None else None
        used(service.name, motion.parameters, table or interface.variables.values())
    if isinstance(shape, TubeBySides):
        with naming(f"{path}: life.shape"):
            contacts = with_sides(contacts, shape, section.law)
    if section.design is None:
        _require_excitation(motions)
    note = "; ".join(sorted(worn_notes))
    life = Life(
        case=case,
        years=section.years,
        law=section.law,
        shape=shape,
        criterion=section.criterion,
        relative_error=section.relative_error,
        motions=tuple(motions),
        contacts=contacts,
        fmu=fmu,
        note=note,
        notes=(*([note] if note else []), *notes),
        slowest=section.slowest_time,
        # The quantiles of draws need the depths at all times.
        to_the_end=section.to_the_end or section.design is not None,
    )
    if section.design is None:
        return life
    with naming(f"{path}: life"):
        return _with_draws(life, section, interface, notes)


def _with_draws(
    life: Life, section: LifeSection, interface: FmuInterface, notes: dict[str, None]
) -> Life:
    """Return the life with its draws, whose names and largest inputs are checked."""
    draws = draws_of(section, life.case, tuple(contact.name for contact in life.contacts))
    first = drawn_life(life, draws, draws.points[0])
    for drawn in first.motions:
        _check_names(drawn.case, interface, life.contacts, section.law)
    # `load_life` has checked the operating conditions of the file.
    drawn_motions = [drawn_life(life, draws, point).motions for point in draws.points]
    largest = largest_input([motion.case.inputs for motions in drawn_motions for motion in motions])
    motions = len(life.motions)
    case = drawn_motions[largest // motions][largest % motions].case
    notes |= dict.fromkeys(_step_notes(case, interface, life.contacts[0].structure))
    return replace(life, draws=draws, notes=(*([life.note] if life.note else []), *notes))


def _require_excitation(motions: Sequence[Motion]) -> None:
    """Raise CaseError if all inputs are always 0. Runs would be long and find no wear rate."""
    case = motions[0].case
    if case.inputs and not any(
        input_size(signal) for motion in motions for signal in motion.case.inputs.values()
    ):
        first, *others = case.inputs
        more = f" and {len(others)} more are" if others else " is"
        raise CaseError(
            f"{case.shown}: inputs.{first}{more} always 0, so nothing excites the motion: set a "
            "value other than 0, or remove [inputs] if the motion does not need an input"
        )


def _lasting(experiment: Experiment, span: float) -> Experiment:
    """Return an experiment of at least `span` [s], or of the longest duration of extended runs."""
    lengths = span / experiment.span
    doublings = min(max(0, math.ceil(math.log2(lengths))) if lengths > 0.0 else 0, MOST_DOUBLINGS)
    return replace(experiment, stop_time=experiment.start_time + 2.0**doublings * experiment.span)


def drawn_life(life: Life, draws: Draws, point: Point) -> Life:
    """Return the service life of one draw, with its parameters, inputs and coefficients.

    Raises ValueError if an input rejects a value.
    """
    law = life.law
    motions = tuple(
        replace(motion, case=draws.case_at(motion.case, point)) for motion in life.motions
    )
    return replace(
        life,
        law=law if isinstance(law, EdfMzLaw) else replace(law, coefficient=law.median),
        motions=motions,
        coefficients=draws.coefficients_at(point, law, len(life.contacts)),
        draws=None,
    )


def _contacts_of(case: Case, name: str | None) -> tuple[WornContact, ...]:
    """Return the contacts that wear."""
    model = case.heading.fmu
    if model != "ModalShock":
        if name is not None and model in fmu_names():
            raise CaseError(f"{case.shown}: life.contact = {name!r}: {model} has one contact only")
        return (WornContact(model, name or ""),)
    with naming(case.shown):
        structure = _structure_of(case)
    names = [contact.name for contact in structure.contacts]
    with naming(f"{case.shown}: life"):
        if not names:
            raise ValueError("the structure has no contact that could wear")
        if name is not None and name not in names:
            remedy = nearest(name, names) or f"; must be one of {', '.join(names)}"
            raise ValueError(f"contact = {name!r} is not a contact of the structure{remedy}")
        with_coefficient = [
            contact.name
            for contact in structure.with_parameters(case.parameters).contacts
            if contact.parameters.archard_coefficient > 0.0
        ]
    chosen = [name] if name is not None else with_coefficient or names
    return tuple(WornContact(model, contact, structure) for contact in chosen)


def _structure_of(case: Case) -> Structure:
    """Return the structure of a case, or the structure included in its model."""
    shipped: Structure = fmu_definition(case.heading.fmu).slave.structure
    return structure_of_case(case) or shipped


def _differing(case: Case, service: ServiceSection, place: str) -> Case:
    """Return the case with the parameters and inputs of an operating condition."""
    declared: dict[str, Any] = dict(case.declared_inputs)
    for name, keys in service.inputs.items():
        if name not in declared and "kind" not in keys:
            raise CaseError(
                f"{place}: inputs.{name} is not an input of the case: a new input needs its kind"
                f"{nearest(name, declared)}"
            )
    changed = {
        name: keys if "kind" in keys or name not in declared else {**asdict(declared[name]), **keys}
        for name, keys in service.inputs.items()
    }
    with naming(place):
        declared |= _inputs.validate_python({"inputs": changed}).inputs
    inputs = dict(case.inputs)
    for name in changed:
        with naming(f"{place}: inputs.{name}"):
            section = declared[name]
            inputs[name] = (
                section.read(case.file.parent) if isinstance(section, CsvSignal) else section
            )
    parameters = {**case.parameters, **service.parameters}
    # Wear changes the gaps between the runs.
    wearing = [name for name in parameters if name.split(".")[-1] == "wear_feedback"]
    if case.heading.fmu == "ModalShock":
        contacts = _structure_of(case).contacts
        wearing += [
            f"{contact.name}.wear_feedback"
            for contact in contacts
            if contact.parameters.wear_feedback
        ]
    parameters |= dict.fromkeys(wearing, False)
    return replace(case, parameters=parameters, inputs=inputs, declared_inputs=declared)


def _check_names(
    case: Case, interface: FmuInterface, contacts: tuple[WornContact, ...], law: Law
) -> None:
    """Raise ValueError unless the model has all variables of the case and the law."""
    needed = [
        contact.variable(name) for contact in contacts for name in (ACCUMULATED, *needed_by(law))
    ]
    interface.require_all(case.parameters, case.inputs, needed)


def _step_notes(
    case: Case, interface: FmuInterface, structure: Structure | None
) -> tuple[str, ...]:
    """Return notes on the step. Raise ValueError if it is too large for an input."""
    reading = input_reading(case.experiment, interface, case.parameters)
    model = None
    if interface.is_model:
        # The results of a service life are wear only.
        model = own_step_model(case.heading.fmu, case.parameters, structure)
        model = replace(model, judges_displacement=False)
    return require_fine_step(case.inputs, case.experiment, reading, model)


def needed_by(law: Law) -> tuple[str, ...]:
    """Return the outputs of a contact that a law needs in addition to the wear work."""
    return (NORMAL_FORCE, SLIP_VELOCITY) if isinstance(law, KwuEpriLaw) else ()
