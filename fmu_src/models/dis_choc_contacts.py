"""DisChoc with a file of contacts between bodies: the variables follow from the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from wearmodel.kernel.spring.parameters import ShockSpringParameters
from wearmodel.models.contact_element import (
    BODY_OUTPUTS,
    FAILURE_REASONS,
    POINT_INPUTS,
    POINT_OUTPUTS,
    SAVED_OF_BODIES,
    SAVED_OF_STRUCTURE,
    WARNINGS,
    ContactElement,
    contact_inputs,
    contact_outputs,
)
from wearmodel.models.frictional_shock import step_failures
from wearmodel.models.modal_quantities import CONTACT_OUTPUTS, SIDE_OUTPUTS
from wearmodel.quantities import quantity
from wearmodel.structure.description import AXES, Structure
from wearmodel.structure.document import contacts_of, document_of_contacts

from ..bundled.definition import FmuDefinition, NativeForm, Page, Terminal
from ..bundled.variables import variables_of
from .modal_shock import ModalShock, check_ranges, declared_class
from .modal_shock import native_form as structure_form

# A body on the ground.
_FLOOR = {"name": "floor", "point": "foot", "obstacle": "plane", "normal": [0.0, 0.0, 1.0]}
EXAMPLE = contacts_of(
    {
        "point": [{"name": "foot", "effective_mass": 1.0}],
        "contact": [{**_FLOOR, "contact_stiffness": 1e6}],
    }
)
_LAG = next(item for item in fields(ShockSpringParameters) if item.name == "lag")
_EFFECTIVE_MASS = quantity(
    1.0,
    unit="kg",
    above=0.0,
    nominal=1.0,
    description="Mass of the body as seen from its contacts",
)


class DisChocContacts(ModalShock):
    """Contacts between bodies that other FMUs move."""

    title = (
        "Contacts with friction, shocks and wear between bodies of other FMUs: the inputs are "
        "displacements at the start of a step, the outputs mean forces to apply during the step"
    )
    resource = "contacts.json"
    from_document = staticmethod(contacts_of)
    to_document = staticmethod(document_of_contacts)

    @classmethod
    def take_structure(cls, structure: Structure) -> None:
        """Set the contacts of the slave and its variables."""
        own = {"lag": (_LAG, _LAG.default, "")}
        masses = structure.modes.generalised_mass[:: len(AXES)]
        for body, mass in zip(structure.body_names, masses):
            own[f"{body}.effective_mass"] = (_EFFECTIVE_MASS, mass, body)
        cls.structure = structure
        cls.declared = declared_class(own, structure)
        cls.table = variables_of(
            contact_inputs(structure), contact_outputs(structure), cls.declared
        )

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> ContactElement:
        """Return the model at its start."""
        check_ranges(self.declared, parameters)
        structure = self.structure.with_parameters(parameters)
        names = (declared.name for declared in contact_inputs(structure))
        given = dict(zip(names, inputs))
        return ContactElement(structure, lag=parameters["lag"], start_time=start_time, **given)


_PAGE = Page(
    models=(
        "models.contact_element",
        "structure.description",
        "kernel.contact.forces",
        "kernel.contact.transitions",
        "kernel.spring.image",
        "kernel.bodies.steps",
    ),
    rules=(
        "The variables depend on the file of contacts, which is in the archive. Parameters can be "
        "set for each contact.",
        "The inputs are displacements of the points at the start of a step, and the master applies "
        "mean_force_x, _y, _z of each point to its body during the whole step: the same step with "
        "lag serial, the following step with lag parallel.",
    ),
    limits=(
        "A body moves without rotation: its points have equal displacements.",
        "A restitution is accurate if the body holds the force over the step, from 2 steps per "
        "π √(m/K) on with the right mass and from 10 with 0.75 to 1.33 times the mass. A step "
        "never returns early.",
        "Wear opens a gap only with wear_feedback, and evenly: in a circle the radius grows. "
        "The sides of a polygon do not move.",
    ),
    references=("Archard, Contact and rubbing of flat surfaces, J. Appl. Phys. 24 (1953)",),
)


def native_form(structure: Structure) -> NativeForm:
    """Native form of contacts. All share the kernel, and the tables depend on the contacts."""
    form = structure_form(structure)
    places = {
        f"{body}.effective_mass": ("masses", number)
        for number, body in enumerate(structure.body_names)
    }
    dimensions = dict(form.dimensions, points=len(structure.points))
    del dimensions["balanced"]
    # The inputs of a structure, the accelerations of a support, are not used.
    count, unused = str(len(AXES) + 1), str(len(AXES))
    return replace(
        form,
        start="bodies.steps.start_bodies",
        step="bodies.steps.step_bodies",
        step_to_event=None,
        pass_event=None,
        settle=None,
        take_event_inputs=None,
        outputs="bodies.measures.fill_bodies_outputs",
        failures={**WARNINGS, **step_failures(FAILURE_REASONS)},
        broken_rule="bodies.setup.broken_bodies_rule",
        input_derivatives=None,
        discrete=(),
        rows=lambda: ContactElement(structure).kernel_rows(),
        dimensions={**dimensions, "bodies": len(structure.body_names)},
        sizes={
            **form.sizes,
            "drives": (count, "modes"),
            "samples": (count,),
            "predictions": (unused,),
            "present": (unused, "1"),
            "inputs": (unused, form.sizes["inputs"][1]),
            "piece_inputs": (unused, form.sizes["piece_inputs"][1]),
            "observed": ("0", "modes"),
            "masses": ("bodies",),
            "point_bodies": ("points",),
            "contact_points": ("contacts", "2"),
            "contact_bodies": ("contacts", "2"),
            "images": ("bodies",),
            "axes": ("3 bodies",),
            "accounts": ("contacts",),
            "mean_forces": ("contacts", "3"),
            "applied_forces": ("contacts", "3"),
            "outputs": (
                f"{len(CONTACT_OUTPUTS)} contacts + {len(POINT_OUTPUTS) * len(AXES)} points"
                f" + {len(BODY_OUTPUTS)} bodies + {len(SIDE_OUTPUTS)} faces + 3",
            ),
        },
        optional_dimension=(),
        saved=SAVED_OF_STRUCTURE + SAVED_OF_BODIES,
        places={**form.places, **places},
        terminals=tuple(_terminal(point.name) for point in structure.points),
    )


def _terminal(point: str) -> Terminal:
    """Return a point with displacement and velocity as inputs, and forces as outputs."""
    members = [f"{name}_{axis}" for name, *_ in (*POINT_INPUTS, *POINT_OUTPUTS) for axis in AXES]
    text = f"The point {point}: displacement in, mean force out"
    return Terminal(point, "point", text, {name: f"{point}.{name}" for name in members})


def with_contacts(definition: FmuDefinition, structure: Structure) -> FmuDefinition:
    """Return the definition of the FMU of a user's contacts."""
    return replace(
        DisChocContacts.of_structure(definition, structure),
        page=_PAGE,
        input_timing="start",
        native=native_form(structure),
    )
