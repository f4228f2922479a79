"""A contact that wears: names of its variables, worn shapes that fit it, and the gap after wear.

A scar on the moving part increases the gap on its side by its depth. Between two planes, a shape
with two scars increases both gaps, and a shape with one scar increases the lower gap. A circle
grows uniformly, or is replaced by a polygon with a gap for each side. Wear does not change the gap
with the rigid or the prescribed normal law, and in FMUs from other vendors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from harness.life.sections import SIDES, EdfMzLaw, Law
from harness.schema import ParameterValue
from wearmodel import FrictionalShockParameters
from wearmodel.kernel.shoe.parameters import NormalLaw, Obstacle
from wearmodel.models.shock_spring import ShockSpringParameters
from wearmodel.statistics.worn_sides import TubeBySides
from wearmodel.structure import Contact, ContactObstacle, Structure

# Worn shapes that fit an obstacle, with the reason.
_FLAT_SHAPES = ("a plane or a bar wears a flat scar", ("FLAT", "BALL", "TUBE_BAV", "TUBE_TUBE"))
_HOLE_SHAPES = (
    "a scar in a hole follows the hole",
    ("FLAT", "TUBE_ALESAGE", "GRAPPE_ALESAGE", "TUBE_3_ENCO", "TUBE_4_ENCO"),
)
FITTING_SHAPES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "plane": _FLAT_SHAPES,
    "two_planes": _FLAT_SHAPES,
    "circle": (_HOLE_SHAPES[0], (*_HOLE_SHAPES[1], SIDES)),
    "polygon": (f"{SIDES} requires a circle, and another scar follows the hole", _HOLE_SHAPES[1]),
}


class WornGap(NamedTuple):
    """Parameters of a case after wear, and the resulting gap [m]."""

    parameters: dict[str, ParameterValue]
    gap: float


@dataclass(frozen=True)
class WornContact:
    """A contact of a case that wears."""

    # Name of the model, or of the file of the FMU.
    model: str
    # Name of a contact of a structure. Empty if the model has one contact without a name.
    name: str = ""
    structure: Structure | None = None
    # Number of sides of the hole that have their own gaps, or 0.
    sides: int = 0
    # Increase of a gap divided by the depth of the tube, larger than 1 if the support wears.
    growth: float = 1.0

    def variable(self, name: str) -> str:
        """Return the name of an output of the contact in the model, such as wear_work."""
        return f"{self.name}.{name}" if self.name else name

    @property
    def hole(self) -> Contact | None:
        """The contact of the structure, if it is in a hole without separate gaps of the sides."""
        if self.structure is None or self.sides:
            return None
        contact = _contact(self.structure, self.name)
        return contact if contact.obstacle.is_curved else None

    def require_fitting_shape(self, kind: str, parameters: Mapping[str, Any]) -> None:
        """Raise ValueError if a worn shape does not fit the obstacle of the contact."""
        if kind == SIDES and self.structure is None:
            raise ValueError(
                f"shape.kind = {kind!r} is not available for {self.model}, which does not have the"
                " wear work of each side. Use a ModalShock, or TUBE_ALESAGE"
            )
        if self.structure is not None:
            obstacle = _contact(self.structure, self.name).obstacle.name
        elif self.model == "DisChoc":
            obstacle = ShockSpringParameters(**parameters).obstacle.name
        elif self.model == "FrictionalShock":
            obstacle = "plane"
        else:
            return
        reason, kinds = FITTING_SHAPES[obstacle]
        if kind not in kinds:
            raise ValueError(
                f"shape.kind = {kind!r} does not fit the obstacle {obstacle!r} of"
                f" {self.name or self.model}: {reason}. Use {', '.join(kinds[:-1])} or {kinds[-1]}"
            )

    def friction_coefficient(self, parameters: Mapping[str, Any]) -> float:
        """Return the coefficient above which the contact begins to slip, or 0 without friction."""
        if self.structure is not None:
            friction = _contact(self.structure.with_parameters(parameters), self.name).parameters
            return float(max(friction.coefficients, default=0.0))
        if self.model == "FrictionalShock":
            return float(FrictionalShockParameters(**parameters).static_coefficient)
        return 0.0

    def notes(self, parameters: Mapping[str, Any]) -> list[str]:
        """Return notes on a gap that wear does not change.

        Raises ValueError or TypeError for parameters that the model rejects.
        """
        if self.model == "DisChoc":
            return []
        if self.structure is not None:
            self.structure.with_parameters(parameters)
            return []
        if self.model != "FrictionalShock":
            return [
                f"wear does not act back on {self.model}, because the parameter of its gap is not"
                " known"
            ]
        law = FrictionalShockParameters(**parameters).normal_law
        if law is NormalLaw.penalty:
            return []
        return [f"wear does not act back on the motion with normal_law = {law.name!r}"]

    def worn(self, parameters: Mapping[str, Any], depth: float, scars: int) -> WornGap | None:
        """Return the parameters after scars of a depth, if wear changes the gap.

        The `wear_feedback` of the model is off, because wear would otherwise be counted twice.

        - `parameters`: parameters of the case. Parameters that are not given have their defaults.
        - `depth`: depth of each scar, ≥ 0 [m]. For sides it is the smallest depth.

        Raises ValueError or TypeError for parameters that the model rejects, and for a single scar
        between two planes of a structure or a DisChoc.
        """
        if self.model == "DisChoc":
            return _worn_spring(parameters, depth, scars)
        if self.structure is not None:
            return _worn_structure(
                self.structure, self.name, parameters, self.growth * depth, scars
            )
        if self.model == "FrictionalShock" and not self.notes(parameters):
            return _worn_shock(parameters, depth, scars)
        return None


def notes_on_contacts(contacts: Sequence[WornContact], parameters: Mapping[str, Any]) -> list[str]:
    """Return notes on contacts without friction, and on gaps that wear does not change.

    Raises ValueError or TypeError for parameters that the model rejects.
    """
    notes = [note for contact in contacts for note in contact.notes(parameters)]
    structure = contacts[0].structure
    if structure is not None:
        names = [contact.name for contact in contacts]
        others = [contact.name for contact in structure.contacts if contact.name not in names]
        smooth = [
            contact.name
            for contact in structure.with_parameters(parameters).contacts
            if contact.name in names and max(contact.parameters.coefficients) == 0.0
        ]
        if smooth:
            notes.append(f"friction_coefficient = 0 of {', '.join(smooth)}: set it to compute wear")
        if others:
            grow = "gap" if len(names) == 1 else "gaps"
            verb = "grows" if len(names) == 1 else "grow"
            notes.append(
                f"only the {grow} of {', '.join(names)} {verb}, not those of {', '.join(others)}"
            )
    return notes


def worn_parameters(
    contacts: Sequence[WornContact],
    parameters: Mapping[str, Any],
    depths: Sequence[ArrayLike],
    scars: int,
) -> tuple[dict[str, ParameterValue], list[float | None]]:
    """Return the parameters after scars of a depth [m] in each contact, and the gaps [m].

    Gaps that wear does not change are None. If a contact has sides, its depths are an array, and
    the parameter of its gap is the smallest gap, see `worn_structure`.

    Raises ValueError or TypeError as `WornContact.worn`.
    """
    changed, gaps = dict(parameters), list[float | None]()
    for contact, depth in zip(contacts, depths, strict=True):
        worn = contact.worn(changed, float(np.min(depth)), scars)
        gaps.append(None if worn is None else worn.gap)
        changed = changed if worn is None else worn.parameters
    return changed, gaps


def worn_structure(
    contacts: Sequence[WornContact], depths: Sequence[ArrayLike]
) -> Structure | None:
    """Return the structure of contacts whose sides have depths (n,) [m]."""
    structure = contacts[0].structure
    if structure is None:
        return None
    grown = {
        contact.name: contact.growth * np.asarray(depth)
        for contact, depth in zip(contacts, depths, strict=True)
        if contact.sides
    }
    return replace(
        structure,
        contacts=tuple(
            contact.with_gaps((np.array(contact.gaps) + grown[contact.name]).tolist())
            if contact.name in grown
            else contact
            for contact in structure.contacts
        ),
    )


def with_sides(
    contacts: Sequence[WornContact], shape: TubeBySides, law: Law
) -> tuple[WornContact, ...]:
    """Return contacts in round holes as polygons with the sides of a shape.

    Raises ValueError if the support wears and the law has no coefficient in the same unit.
    """
    growth = 1.0
    if shape.support_coefficient > 0.0:
        if isinstance(law, EdfMzLaw):
            raise ValueError(
                f"support_coefficient = {shape.support_coefficient:g} m2/N is not available for"
                f" {law.kind}, whose coefficient has another unit. Use ARCHARD or KWU_EPRI"
            )
        growth += shape.support_coefficient / law.median
    names = [contact.name for contact in contacts]
    structure = contacts[0].structure
    assert structure is not None
    polygons = tuple(
        replace(
            contact,
            obstacle=ContactObstacle.polygon,
            sides=shape.sides,
            parameters=replace(contact.parameters, wear_feedback=False),
        )
        if contact.name in names
        else contact
        for contact in structure.contacts
    )
    with_polygons = replace(structure, contacts=polygons)
    return tuple(
        replace(contact, structure=with_polygons, sides=shape.sides, growth=growth)
        for contact in contacts
    )


def _worn_spring(parameters: Mapping[str, Any], depth: float, scars: int) -> WornGap:
    spring = ShockSpringParameters(**parameters)
    _require_scars(scars, spring.obstacle, "DisChoc")
    # With two nodes, dist_1 is the length of material, and its loss opens the gap. With one node,
    # dist_1 is the gap.
    worn = spring.dist_1 - depth if spring.length > 0.0 else spring.dist_1 + depth
    changed: dict[str, ParameterValue] = {**parameters, "dist_1": worn, "wear_feedback": False}
    return WornGap(changed, replace(spring, dist_1=worn).gap_at_rest)


def _require_scars(scars: int, obstacle: ContactObstacle, name: str) -> None:
    """Raise ValueError for a single scar between two planes, which have one gap at rest."""
    if scars < obstacle.side_count:
        raise ValueError(
            f"shape.scars = {scars}: between the two planes of {name} both gaps grow equally, so"
            " the shape must have 2 scars"
        )


def _worn_structure(
    structure: Structure,
    name: str,
    parameters: Mapping[str, Any],
    depth: float,
    scars: int,
) -> WornGap:
    contact = _contact(structure.with_parameters(parameters), name)
    _require_scars(scars, contact.obstacle, name)
    gap = contact.parameters.gap + depth
    off = {f"{other.name}.wear_feedback": False for other in structure.contacts}
    return WornGap({**parameters, **off, f"{name}.gap": gap}, gap)


def _contact(structure: Structure, name: str) -> Contact:
    return next(contact for contact in structure.contacts if contact.name == name)


def _worn_shock(parameters: Mapping[str, Any], depth: float, scars: int) -> WornGap:
    shock = FrictionalShockParameters(**parameters)
    gap = shock.initial_gap + depth
    changed: dict[str, ParameterValue] = {**parameters, "initial_gap": gap, "wear_feedback": False}
    if shock.obstacle is Obstacle.two_planes:
        # The half spacing is half the sum of both gaps.
        changed["plane_half_spacing"] = shock.plane_half_spacing + 0.5 * min(scars, 2) * depth
    return WornGap(changed, gap)
