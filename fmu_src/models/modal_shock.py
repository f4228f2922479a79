"""ModalShock.fmu: a structure described by its modes, from which the variables follow.

The example structure is a clamped tube in two loose supports.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from wearmodel.kernel.contact.parameters import ContactLaw, ContactParameters
from wearmodel.kernel.limits import FORCING_LENGTH, MODAL_SERIES_LENGTH
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters, InputTiming
from wearmodel.kernel.state_objects import field_names
from wearmodel.models.contact_changes import CHANGE_RULES, STATE_RULES
from wearmodel.models.frictional_shock import late_inputs, step_failures
from wearmodel.models.modal_quantities import (
    CONTACT_OUTPUTS,
    POINT_OUTPUTS,
    SIDE_OUTPUTS,
    TOTAL_OUTPUTS,
    structure_inputs,
    structure_outputs,
)
from wearmodel.models.modal_shock import FAILURE_REASONS, START_FAILURES
from wearmodel.models.modal_shock import ModalShock as ModalShockModel
from wearmodel.models.structure_buffers import (
    StructureBuffers,
    lane_count,
    side_count,
    structure_rules,
)
from wearmodel.quantities import Output, check_quantities
from wearmodel.structure.description import AXES, Structure
from wearmodel.structure.document import document_of, structure_of

from ..bundled.definition import (
    NO_DERIVATIVES_AT_END,
    Experiment,
    FmuDefinition,
    InputDerivatives,
    NativeForm,
    OutputArray,
    Page,
    Terminal,
    TextArray,
)
from ..bundled.slave import SafeSlave
from ..bundled.variables import variables_of

STRUCTURE_FILE = "structure.json"

_INPUT_PARAMETERS = ("input_extrapolation_order", "input_timing")
# Friction tables come from the structure file.
_CONTACT_QUANTITIES = [
    declared for declared in fields(ContactParameters) if "friction_table" not in declared.name
]
# A structure with more modes × contacts than this is slow if it is interpreted.
LARGE_STRUCTURE = 30


def declared_class(own: Mapping[str, tuple[Any, Any, str]], structure: Structure) -> Any:
    """Return a dataclass with parameters by name, and the parameters of each contact.

    `own` contains a declared quantity, a default and an owner for each name. The names of the
    fields are not identifiers, so the class does not have a constructor.
    """
    of_contacts = {
        f"{contact.name}.{quantity.name}": (
            quantity,
            getattr(contact.parameters, quantity.name),
            contact.name,
        )
        for contact in structure.contacts
        for quantity in _CONTACT_QUANTITIES
    }
    body: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    for name, (quantity, default, owner) in {**own, **of_contacts}.items():
        body[name] = _declared(quantity, default, owner)
        kinds[name] = type(quantity.default)
    made = type("ModalShockParameters", (), {**body, "__annotations__": kinds})
    return dataclass(init=False, repr=False, eq=False)(made)


def _declared(declared: Any, default: Any, owner: str = "") -> Any:
    """Return a field with the same declaration, another default, and the owner in its text."""
    metadata = dict(declared.metadata)
    if owner:
        # A symbol represents one variable, but each contact has this one.
        metadata.update(
            description=f"{owner}: {metadata['description']}", symbol="", aliases=(), negative=""
        )
    return field(default=default, metadata=metadata)


def check_ranges(declared: Any, parameters: Mapping[str, Any]) -> None:
    """Check the range of each value. Messages contain its name in the FMU."""
    owner = object.__new__(declared)
    for name, value in parameters.items():
        object.__setattr__(owner, name, value)
    check_quantities(owner)


class ModalShock(SafeSlave):
    """A structure described by its modes, with friction and shocks in several contacts."""

    title = (
        "Frictional shocks with wear of a structure described by its modes: tubes in loose "
        "supports, rods in guides, racks. Outputs are forces, slip and wear of each contact"
    )
    structure: Structure
    declared: Any
    resource = STRUCTURE_FILE
    from_document = staticmethod(structure_of)
    to_document = staticmethod(document_of)

    @classmethod
    def take_structure(cls, structure: Structure) -> None:
        """Set the structure of the slave and its variables."""
        declared = {quantity.name: quantity for quantity in fields(FrictionalShockParameters)}
        own = {name: (declared[name], declared[name].default, "") for name in _INPUT_PARAMETERS}
        cls.structure = structure
        cls.declared = declared_class(own, structure)
        cls.table = variables_of(
            structure_inputs(structure), structure_outputs(structure), cls.declared
        )

    @classmethod
    def load_resources(cls, folder: str) -> None:
        """Read the structure in the FMU's resources."""
        text = Path(folder, cls.resource).read_text(encoding="utf-8")
        cls.take_structure(cls.from_document(json.loads(text)))

    @classmethod
    def of_structure(cls, definition: FmuDefinition, structure: Structure) -> FmuDefinition:
        """Return the definition of the FMU of a user's structure, without the native form."""
        slave = type(cls.__name__, (cls,), {"__module__": cls.__module__})
        slave.take_structure(structure)  # type: ignore[attr-defined]
        document = json.dumps(cls.to_document(structure), ensure_ascii=False)
        return replace(
            definition,
            slave=slave,
            parameters=slave.declared,  # type: ignore[attr-defined]
            resources={cls.resource: document},
        )

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> Any:
        """Return the model at its start."""
        check_ranges(self.declared, parameters)
        structure = self.structure.with_parameters(parameters)
        options: dict[str, Any] = {
            name: parameters[name] for name in _INPUT_PARAMETERS if name in parameters
        }
        for declared_input, value in zip(structure_inputs(structure), inputs):
            options[declared_input.name] = value
        return ModalShockModel(structure, start_time=start_time, **options)

    def advance(
        self, model: Any, time: float, step_size: float, inputs: Sequence[float]
    ) -> str | None:
        """Take one step. The model uses the master's time, so that rounding does not accumulate."""
        warning: str | None = model.step_values(step_size, inputs)
        model.time = time + step_size
        return warning


def _tube() -> Structure:
    """A tube of 22.2 mm × 1.27 mm and 1.2 m in water, clamped at one end, in two loose supports.

    Its six lowest modes are from `wearmodel.structure.timoshenko_beam` with 24 elements,
    E = 2·10¹¹ Pa, ρ = 7800 kg/m³ and 0.35 kg/m of water.
    """
    frequencies = (11.7598, 73.4823, 204.8)
    shapes = {"middle": (0.619682, -1.30117, 0.0302146), "end": (1.82402, 1.82091, 1.816)}
    flexibilities = {"middle": 3.36641e-07, "end": 9.28311e-07}
    participation = (0.858368, -0.47605, 0.279201)

    def along(values: Sequence[float], axis: str) -> list[float]:
        """Return values of the modes, which are alternately along y and z."""
        return [
            number for value in values for number in ((value, 0.0) if axis == "y" else (0.0, value))
        ]

    return structure_of(
        {
            "structure": {
                "title": "A clamped tube in two loose supports",
                "source": "Timoshenko's beam, see wearmodel.structure.beam",
            },
            "modes": {
                "frequency": [number for value in frequencies for number in (value, value)],
                "damping_ratio": 0.01,
            },
            "base": {
                "participation_y": along(participation, "y"),
                "participation_z": along(participation, "z"),
            },
            "point": [
                {"name": name, "shape_y": along(shape, "y"), "shape_z": along(shape, "z")}
                for name, shape in shapes.items()
            ],
            "load": [{"name": "flow", "shape": along(shapes["end"], "y")}],
            "contact": [
                {
                    "name": f"support_{number}",
                    "point": name,
                    "obstacle": "circle",
                    "axis": [1.0, 0.0, 0.0],
                    "gap": 2e-4,
                    "offset": [0.0, 0.0, 5e-5],
                    "contact_stiffness": 1e6,
                    "residual_flexibility": flexibilities[name],
                    "tangential_stiffness": 1e5,
                    "friction_coefficient": 0.2,
                }
                for number, name in enumerate(shapes, start=1)
            ],
            "observe": [{"point": "end"}],
        }
    )


ModalShock.take_structure(_tube())


# Sizes of arguments that depend on the structure.
_SIZES = {
    "modes": ("modes",),
    "initial": ("modes",),
    "shapes": ("3 contacts", "modes"),
    "drives": ("inputs + 1", "modes"),
    "coupling": ("contacts", "contacts"),
    "frames": ("3 contacts", "3"),
    "observed": ("3 points", "modes"),
    "laws": ("contacts",),
    "old_laws": ("contacts",),
    "motion": ("modes",),
    "contacts": ("contacts",),
    "side_works": ("contacts", "sides"),
    "samples": ("inputs + 1",),
    "predictions": ("inputs",),
    "present": ("inputs", "1"),
    "inputs": ("inputs", str(FORCING_LENGTH)),
    "piece_inputs": ("inputs", str(FORCING_LENGTH)),
    "displacements": (str(MODAL_SERIES_LENGTH), "modes"),
    "velocities": (str(MODAL_SERIES_LENGTH), "modes"),
    "works": ("contacts",),
    "terms": ("contacts", str(MODAL_SERIES_LENGTH)),
    "motion_at_event": ("modes",),
    "contacts_before": ("contacts",),
    "contacts_after": ("contacts",),
    "forces": ("modes",),
    "lanes": ("4",),
    "search": ("3", "balanced"),
    "matrix": ("balanced", "balanced"),
    "damped": ("balanced", "balanced"),
    "outputs": (
        f"{len(CONTACT_OUTPUTS)} contacts + {len(POINT_OUTPUTS)} points + {len(SIDE_OUTPUTS)} faces"
        f" + {len(TOTAL_OUTPUTS)}",
    ),
}


def native_form(structure: Structure) -> NativeForm:
    """Native form of a structure. All share the kernel, and the tables depend on the structure."""
    return NativeForm(
        start="structure.steps.start_structure",
        step="structure.steps.step_structure",
        step_to_event="structure.steps.step_structure_to_event",
        pass_event="structure.steps.pass_structure_event",
        settle="structure.stepper.settle_structure",
        take_event_inputs="structure.event_inputs.take_structure_event_inputs",
        outputs="structure.measures.fill_outputs",
        complete="structure.setup.complete_structure",
        failures={
            **START_FAILURES,
            **late_inputs(structure_inputs(structure)),
            **step_failures(FAILURE_REASONS),
        },
        broken_rule="structure.setup.broken_structure_rule",
        rules=structure_rules(structure),
        broken_state="structure.steps.broken_structure_state",
        state_rules=STATE_RULES,
        change_parameters="structure.parameter_change.change_structure_parameters",
        change_rules=CHANGE_RULES,
        input_derivatives=InputDerivatives(
            step="structure.steps.step_structure_along",
            refused_where=("input_timing", InputTiming.end),
            reason=NO_DERIVATIVES_AT_END,
        ),
        accumulated=(
            "wear_work",
            "sliding_distance",
            "friction_work",
            "damping_work",
            "parameter_change_work",
        ),
        acting_back="wear_feedback",
        discrete=("order",),
        rows=lambda: StructureBuffers(structure).kernel_rows(),
        dimensions={
            "modes": lane_count(structure.modes.count),
            "contacts": len(structure.contacts),
            "points": len(structure.observed),
            "sides": side_count(structure),
            "faces": sum(len(contact.gaps) for contact in structure.contacts),
            "balanced": lane_count(structure.modes.count) if structure.initial.equilibrium else 0,
        },
        sizes=_SIZES,
        # The search for an equilibrium uses all modes.
        optional_dimension=("balanced", "modes"),
        saved=("motion", "contacts", "side_works", "samples", "predictions", "now", "present"),
        places=_law_places(structure),
        arrays=_contact_arrays(structure),
        names=_contact_names(structure),
        terminals=_terminals(structure),
        has_lanes=True,
    )


def _law_places(structure: Structure) -> dict[str, tuple[str, int]]:
    """Indices of the contacts' declared parameters in the laws."""
    names = field_names(ContactLaw)
    return {
        f"{contact.name}.{quantity.name}": (
            "laws",
            number * len(names) + names.index(quantity.name),
        )
        for number, contact in enumerate(structure.contacts)
        for quantity in _CONTACT_QUANTITIES
    }


def _contact_arrays(structure: Structure) -> tuple[OutputArray, ...]:
    """Arrays of the outputs of contacts, with a row per contact. Outputs along axes are joined."""
    contacts = [contact.name for contact in structure.contacts]
    quantities: dict[str, list[Output]] = {}
    for output in CONTACT_OUTPUTS if contacts else ():
        stem, _, axis = output.name.rpartition("_")
        quantities.setdefault(stem if axis in AXES else output.name, []).append(output)
    return tuple(
        OutputArray(
            name if name.startswith("contact_") else f"contact_{name}",
            "For each contact, in the order of contact_names: "
            + (parts[0].description if len(parts) == 1 else f"{name} along x, y, z"),
            tuple(f"{contact}.{part.name}" for contact in contacts for part in parts),
            (len(contacts),) if len(parts) == 1 else (len(contacts), len(parts)),
        )
        for name, parts in quantities.items()
    )


def _contact_names(structure: Structure) -> tuple[TextArray, ...]:
    names = tuple(contact.name for contact in structure.contacts)
    text = "Names of the contacts, in the order of the rows of the arrays"
    return (TextArray("contact_names", text, names),) if names else ()


def _terminals(structure: Structure) -> tuple[Terminal, ...]:
    """Terminals of the loads and of the observed points."""
    loads = [f"load.{load.name}" for load in structure.loads]
    return (
        *(Terminal(load, "load", load, {"force": load}) for load in loads),
        *(
            Terminal(
                point,
                "point",
                f"Motion of the point {point}",
                {output.name: f"{point}.{output.name}" for output in POINT_OUTPUTS},
            )
            for point in structure.observed
        ),
    )


def with_structure(definition: FmuDefinition, structure: Structure) -> FmuDefinition:
    """Return the definition of the FMU of a user's structure."""
    return replace(ModalShock.of_structure(definition, structure), native=native_form(structure))


FMU = FmuDefinition(
    slave=ModalShock,
    parameters=ModalShock.declared,
    page=Page(
        models=(
            "models.modal_shock",
            "structure.description",
            "kernel.contact.forces",
            "kernel.contact.transitions",
            "kernel.structure.motion",
            "kernel.inputs.extrapolation",
        ),
        rules=(
            "The variables depend on the structure, which is in the archive. Parameters can be set "
            "for each contact.",
            "Inputs have the same meaning as in FrictionalShock: with input_timing start, the "
            "input set before a step is the value at its start, extrapolated by "
            "input_extrapolation_order. With input_timing end it is the value at its end.",
        ),
        limits=(
            "Penalised contacts only, without gyroscopic and non-proportional damping.",
            "Wear opens a gap only with wear_feedback, and evenly: in a circle the radius grows. "
            "The sides of a polygon do not move.",
            "A step of the Python FMU takes milliseconds: use the native FMU for structures with "
            f"more than {LARGE_STRUCTURE} modes × contacts.",
            "A contact without friction does not wear.",
            "With friction but without tangential damping, a step is divided into many parts when "
            "the direction of slip turns.",
            "Motion with shocks is sensitive to small differences: after about ten shocks only "
            "statistics of long runs are comparable.",
        ),
        references=(
            "Archard, Contact and rubbing of flat surfaces, J. Appl. Phys. 24 (1953)",
            "Friedman and Kosmatka, An improved two-node Timoshenko beam finite element, "
            "Computers & Structures 47 (1993)",
        ),
    ),
    native=native_form(ModalShock.structure),
    experiment=Experiment(
        description="A clamped tube in two loose supports, with transverse base motion and flow",
        stop_time=0.1,
        step_size=1e-3,
        output_stride=1,
        inputs={
            "base_acceleration_y": lambda time: 30.0 * math.sin(2.0 * math.pi * 12.0 * time),
            "base_acceleration_z": lambda time: 20.0 * math.sin(2.0 * math.pi * 17.0 * time),
            "load.flow": lambda time: 2.0,
        },
        outputs=(
            "support_1.normal_force",
            "support_1.wear_work",
            "support_2.normal_force",
            "support_2.wear_work",
            "support_2.contact_mode",
            "end.displacement_y",
            "end.displacement_z",
        ),
        note="Set the stimulus of each instant before the step that starts there.",
    ),
)
