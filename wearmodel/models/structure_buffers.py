"""Arguments of the kernel for one structure: tables, laws, state and work space.

Tables are the shapes of the contacts in their frames, the modal forces of each input, and norms of
the contacts' coupling. They depend on the structure only. The laws also depend on the parameters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import copy
from itertools import chain
from typing import Any

from ..kernel import limits
from ..kernel.contact.obstacle import RULE_COUNT, RULES
from ..kernel.contact.parameters import ContactLaw, ContactParameters
from ..kernel.contact.state_objects import ContactState, ContactTerms, ContactWork
from ..kernel.events import Watch
from ..kernel.inputs.state_objects import Errors, Samples
from ..kernel.limits import MODAL_SERIES_LENGTH, NO_RULE
from ..kernel.shoe.parameters import RULES as SHOE_RULES
from ..kernel.shoe.parameters import UNKNOWN_TIMING as UNKNOWN_SHOE_TIMING
from ..kernel.shoe.parameters import FrictionalShockParameters, InputTiming
from ..kernel.state_objects import field_names, numbers_of, values_of
from ..kernel.structure.setup import UNKNOWN_TIMING, broken_structure_rule, complete_structure
from ..kernel.structure.state_objects import (
    Body,
    ContactOutputs,
    EquilibriumWork,
    ModalCounts,
    Modes,
    Motion,
    StructureParameters,
    StructurePresent,
    StructureState,
    StructureWork,
    TotalOutputs,
)
from ..quantities import chosen, declared_numbers
from ..structure.description import Contact, Structure
from ..structure.polygon import least_gap, outward_normals
from .modal_quantities import structure_inputs


class StructureBuffers:
    """State objects and rows of a structure before the start of a run."""

    def __init__(
        self,
        structure: Structure,
        input_extrapolation_order: int = FrictionalShockParameters.input_extrapolation_order,
        input_timing: InputTiming = FrictionalShockParameters.input_timing,
    ) -> None:
        self.structure = structure
        self._p = StructureParameters()
        self._p.input_extrapolation_order = float(input_extrapolation_order)
        self._p.input_timing = float(chosen("input_timing", InputTiming, input_timing))
        self._body = _body(structure, self._p)
        count = structure.modes.count
        self._initial = _motion(structure.initial.displacement, structure.initial.velocity)
        input_count = len(structure_inputs(structure))
        samples = Samples()
        for name in Samples.__annotations__:
            setattr(samples, name, [0.0] * (input_count + 1))
        self._state = StructureState(
            motion=_motion([0.0] * count, [0.0] * count),
            contacts=[ContactState() for _ in structure.contacts],
            side_works=_rows(len(structure.contacts), side_count(structure)),
            samples=samples,
            predictions=[Errors() for _ in range(input_count)],
            now=StructurePresent(),
            present=_rows(input_count, 1),
        )
        self._work = StructureWork(
            inputs=_rows(input_count, limits.FORCING_LENGTH),
            piece_inputs=_rows(input_count, limits.FORCING_LENGTH),
            displacements=_rows(MODAL_SERIES_LENGTH, count),
            velocities=_rows(MODAL_SERIES_LENGTH, count),
            works=[_contact_work(contact) for contact in structure.contacts],
            terms=[
                [ContactTerms() for _ in range(MODAL_SERIES_LENGTH)] for _ in structure.contacts
            ],
            forces=[0.0] * count,
            lanes=[0.0] * 4,
            counts=ModalCounts(),
            watching=Watch(),
            motion_at_event=_motion([0.0] * count, [0.0] * count),
            contacts_before=[ContactState() for _ in structure.contacts],
            contacts_after=[ContactState() for _ in structure.contacts],
            contact_outputs=ContactOutputs(),
            total_outputs=TotalOutputs(),
        )
        size = count if structure.initial.equilibrium else 0
        self._equilibrium = EquilibriumWork(
            search=_rows(3, size), matrix=_rows(size, size), damped=_rows(size, size)
        )

    def kernel_rows(self) -> dict[str, Any]:
        """Return the arguments of the compiled kernel by name, with state objects as rows.

        Modes that never move are added up to `lane_count`, so that loops over the modes have only
        whole groups of four. The added modes do not change any bit of the results.
        """
        rows: dict[str, Any] = {"p": values_of(self._p), "initial": values_of(self._initial)}
        for bundle in (self._body, self._state, self._work, self._equilibrium):
            rows.update((name, numbers_of(value)) for name, value in vars(bundle).items())
        count = self.structure.modes.count
        more = [0.0] * (lane_count(count) - count)
        for name in _BY_MODE:
            rows[name] = [row + more for row in rows[name]]
        rows["forces"] += more
        # The search for the equilibrium divides by the stiffness.
        stiffness = list(field_names(Modes)).index("stiffness")
        rows["modes"][stiffness][count:] = [1.0 for _ in more]
        if self.structure.initial.equilibrium:
            rows["search"] = [row + more for row in rows["search"]]
            for name in ("matrix", "damped"):
                rows[name] = _rows(lane_count(count), lane_count(count))
        return rows


# Rows with a number for each mode.
_BY_MODE = (
    "modes",
    "initial",
    "shapes",
    "drives",
    "observed",
    "motion",
    "motion_at_event",
    "displacements",
    "velocities",
)


def side_count(structure: Structure) -> int:
    """Largest number of sides of a polygon among the contacts, or 0."""
    return max((len(contact.gaps) for contact in structure.contacts), default=0)


def _contact_work(contact: Contact) -> ContactWork:
    """Work space of a contact, with the sides of a polygon."""
    work = ContactWork()
    for side, (first, second) in enumerate(outward_normals(contact.directions)):
        work.side_1[side] = first
        work.side_2[side] = second
        work.side_beyond[side] = contact.gaps[side] - contact.parameters.gap
    return work


def lane_count(modes: int) -> int:
    """Number of modes in compiled code: the next multiple of four, see `motion`."""
    return -4 * (-modes // 4)


def _rows(count: int, length: int) -> list[list[float]]:
    return [[0.0] * length for _ in range(count)]


def _motion(displacement: Iterable[float], velocity: Iterable[float]) -> Motion:
    motion = Motion()
    motion.displacement = list(displacement)
    motion.velocity = list(velocity)
    return motion


def _body(structure: Structure, p: StructureParameters) -> Body:
    """Return the kernel's description of a structure.

    ValueError if the parameters of a contact break a rule.
    """
    given = structure.modes
    modes = Modes()
    modes.inverse_mass = [1.0 / mass for mass in given.generalised_mass]
    modes.damping = list(given.damping)
    modes.stiffness = list(given.stiffness)
    modes.root_mass = [math.sqrt(mass) for mass in given.generalised_mass]
    participation = structure.participation
    gravity = [_dot(structure.base.gravity, shares) for shares in zip(*participation)]
    frames = [contact_frame(contact) for contact in structure.contacts]
    shapes = [
        [_dot(axis, along) for along in zip(*shape)]
        for contact, frame in zip(structure.contacts, frames)
        for shape in [structure.contact_shape(contact)]
        for axis in frame
    ]
    contact_count = len(structure.contacts)
    mobility = [
        [_mobility(shapes, modes.inverse_mass, a, b) for b in range(contact_count)]
        for a in range(contact_count)
    ]
    laws = [
        _law(contact, frames[index], shapes[3 * index + 2], mobility[index][index])
        for index, contact in enumerate(structure.contacts)
    ]
    _complete(structure, p, laws)
    return Body(
        modes=modes,
        shapes=shapes,
        drives=[
            *([-share for share in shares] for shares in participation),
            *(list(load.shape) for load in structure.loads),
            gravity,
        ],
        coupling=[[_largest_stretch(block) for block in row] for row in mobility],
        frames=[list(axis) for frame in frames for axis in frame],
        observed=[
            list(shape) for name in structure.observed for shape in structure.point(name).shape
        ],
        laws=laws,
    )


def _law(
    contact: Contact,
    frame: Sequence[Sequence[float]],
    last_shape: Sequence[float],
    block: list[list[float]],
) -> ContactLaw:
    """Return the law of a contact with its declared parameters.

    `last_shape` is the shape along the last axis of the frame, and `block` is the mobility [1/kg].
    """
    law = ContactLaw()
    for name, value in declared_numbers(ContactParameters, contact.parameters):
        setattr(law, name, value)
    law.obstacle = float(contact.obstacle)
    law.offset_1, law.offset_2, law.offset_3 = (_dot(axis, contact.offset) for axis in frame)
    law.axes = 3.0 if any(last_shape) else 2.0
    law.sides = float(len(contact.gaps))
    if contact.gaps:
        law.least_gap = least_gap(contact.directions, contact.gaps)
    tangent = block if contact.obstacle.is_curved else [row[1:] for row in block[1:]]
    law.mobility = _largest_stretch(tangent)
    law.normal_mobility = block[0][0]
    if contact.obstacle.is_curved:
        law.normal_mobility = _largest_stretch([row[:2] for row in block[:2]])
    return law


def laws_of(
    structure: Structure, p: StructureParameters, laws: Sequence[ContactLaw]
) -> list[ContactLaw]:
    """Return copies of `laws` with the present parameters of the contacts.

    ValueError if the parameters of a contact break a rule.
    """
    changed = []
    for contact, law in zip(structure.contacts, laws):
        made = copy(law)
        for name, value in declared_numbers(ContactParameters, contact.parameters):
            setattr(made, name, value)
        changed.append(made)
    _complete(structure, p, changed)
    return changed


def structure_rules(structure: Structure) -> dict[int, str]:
    """Texts of all rules between declared values, by their numbers in the kernel."""
    rules = {
        number * RULE_COUNT + rule: f"{contact.name}: {text}"
        for number, contact in enumerate(structure.contacts)
        for rule, text in RULES.items()
    }
    return {UNKNOWN_TIMING: SHOE_RULES[UNKNOWN_SHOE_TIMING], **rules}


def _complete(structure: Structure, p: StructureParameters, laws: list[ContactLaw]) -> None:
    """Fill in the values derived from the declared parameters, which must satisfy all rules."""
    rule, first, second = broken_structure_rule(p, laws)
    if rule != NO_RULE:
        raise ValueError(structure_rules(structure)[rule].format(first, second))
    complete_structure(laws)


def contact_frame(contact: Contact) -> tuple[tuple[float, ...], ...]:
    """Unit vectors of a contact's frame: normal and two tangents, or two across and the axis."""
    direction = contact.direction
    least = min(range(3), key=lambda d: abs(direction[d]))
    first = [-direction[least] * component for component in direction]
    first[least] += 1.0
    length = math.hypot(*first)
    first = [component / length for component in first]
    second = (
        direction[1] * first[2] - direction[2] * first[1],
        direction[2] * first[0] - direction[0] * first[2],
        direction[0] * first[1] - direction[1] * first[0],
    )
    if contact.obstacle.is_curved:
        return (tuple(first), second, tuple(direction))
    return (tuple(direction), tuple(first), second)


def _dot(first: Iterable[float], second: Iterable[float]) -> float:
    """Σ a_i b_i, added in this order. Python's `sum` rounds differently since 3.12."""
    total = 0.0
    for number, other in zip(first, second):
        total += number * other
    return total


def _mobility(
    shapes: Sequence[Sequence[float]], inverse_mass: Sequence[float], first: int, second: int
) -> list[list[float]]:
    """φ_a M⁻¹ φ_bᵀ [1/kg] between the frames of two contacts."""
    return [
        [
            _dot(
                [shape * inverse for shape, inverse in zip(shapes[3 * first + a], inverse_mass)],
                shapes[3 * second + b],
            )
            for b in range(3)
        ]
        for a in range(3)
    ]


def _largest_stretch(matrix: list[list[float]]) -> float:
    """Largest singular value of a 2 × 2 or 3 × 3 matrix."""
    columns = [*zip(*matrix)]
    square = [[_dot(column, other) for other in columns] for column in columns]
    if len(square) == 2:
        mean = 0.5 * (square[0][0] + square[1][1])
        apart = 0.5 * (square[0][0] - square[1][1])
        return math.sqrt(mean + math.hypot(apart, square[0][1]))
    # Largest eigenvalue of a symmetric 3 × 3 matrix by the trigonometric formula.
    mean = (square[0][0] + square[1][1] + square[2][2]) / 3.0
    for place in range(3):
        square[place][place] -= mean
    spread = math.sqrt(_dot(chain(*square), chain(*square)) / 6.0)
    if spread == 0.0:
        return math.sqrt(mean)
    (a, b, c), (_, d, e), (_, _, f) = ([number / spread for number in row] for row in square)
    turn = 0.5 * (a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c))
    angle = math.acos(min(max(turn, -1.0), 1.0)) / 3.0
    return math.sqrt(max(0.0, mean + 2.0 * spread * math.cos(angle)))
