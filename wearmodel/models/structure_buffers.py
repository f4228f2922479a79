"""What the kernel works on for one structure: its tables, laws, state and scratch.

Tables are the shapes of the contacts in their frames, the modal forces of each input, norms of the
contacts' coupling. They follow from the structure alone, its laws from the parameters too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any

from ..kernel import limits
from ..kernel.contact.obstacle import CIRCLE
from ..kernel.contact.parameters import RULE_COUNT, RULES, ContactLaw, ContactParameters
from ..kernel.contact.records import ContactState, ContactWork
from ..kernel.inputs.records import Errors, Samples
from ..kernel.limits import MODAL_SERIES_LENGTH, NO_RULE
from ..kernel.records import values_of
from ..kernel.shoe.parameters import FrictionalShockParameters, InputTiming
from ..kernel.structure.records import ModalCounts, Modes, Motion, StructurePresent
from ..kernel.structure.setup import broken_structure_rule, complete_structure
from ..structure.description import Contact, ContactObstacle, Structure
from .modal_quantities import structure_inputs

_CONTACT_PARAMETERS = tuple(one.name for one in fields(ContactParameters))


class StructureBuffers:
    """The records and rows of a structure, before a run has started in them."""

    def __init__(
        self,
        structure: Structure,
        input_extrapolation_order: int = FrictionalShockParameters.input_extrapolation_order,
        input_timing: InputTiming = FrictionalShockParameters.input_timing,
    ) -> None:
        self.structure = structure
        self._p = [float(input_extrapolation_order), float(input_timing)]
        for contact in structure.contacts:
            self._p += [float(getattr(contact.parameters, one)) for one in _CONTACT_PARAMETERS]
        modes = structure.modes
        count = modes.count
        self._modes = Modes()
        self._modes.inverse_mass = [1.0 / mass for mass in modes.generalised_mass]
        self._modes.damping = list(modes.damping)
        self._modes.stiffness = list(modes.stiffness)
        self._modes.root_mass = [math.sqrt(mass) for mass in modes.generalised_mass]
        self._initial, self._motion = Motion(), Motion()
        self._initial.displacement = list(structure.initial.displacement)
        self._initial.velocity = list(structure.initial.velocity)
        self._motion.displacement = [0.0] * count
        self._motion.velocity = [0.0] * count
        participation = structure.base.participation
        gravity = [_dot(structure.base.gravity, shares) for shares in zip(*participation)]
        self._drives = [
            *([-share for share in shares] for shares in participation),
            *(list(load.shape) for load in structure.loads),
            gravity,
        ]
        frames = [contact_frame(contact) for contact in structure.contacts]
        self._frames = [list(axis) for frame in frames for axis in frame]
        self._shapes = [
            [_dot(axis, along) for along in zip(*shape)]
            for contact, frame in zip(structure.contacts, frames)
            for shape in [structure.contact_shape(contact)]
            for axis in frame
        ]
        self._observed = [
            list(shape) for name in structure.observed for shape in structure.point(name).shape
        ]
        inverse_mass = self._modes.inverse_mass
        contact_count = len(structure.contacts)
        mobility = [
            [_mobility(self._shapes, inverse_mass, a, b) for b in range(contact_count)]
            for a in range(contact_count)
        ]
        self._coupling = [[_largest_stretch(block) for block in row] for row in mobility]
        self._laws: list[ContactLaw] = []
        for index, contact in enumerate(structure.contacts):
            law = ContactLaw()
            law.obstacle = float(contact.obstacle)
            law.offset_1, law.offset_2, law.offset_3 = (
                _dot(axis, contact.offset) for axis in frames[index]
            )
            block = mobility[index][index]
            tangent = block if law.obstacle == CIRCLE else [row[1:] for row in block[1:]]
            law.mobility = _largest_stretch(tangent)
            self._laws.append(law)
        rule, first, second = broken_structure_rule(self._p, self._laws, ContactLaw())
        if rule != NO_RULE:
            contact = structure.contacts[rule // RULE_COUNT]
            text = RULES[rule % RULE_COUNT].format(first, second)
            raise ValueError(f"{contact.name}: {text}")
        complete_structure(self._p, self._laws)
        self._contacts = [ContactState() for _ in self._laws]
        self._works = [ContactWork() for _ in self._laws]
        self._displacements = [[0.0] * count for _ in range(MODAL_SERIES_LENGTH)]
        self._velocities = [[0.0] * count for _ in range(MODAL_SERIES_LENGTH)]
        self._forces = [0.0] * count
        self._counts = ModalCounts()
        # Scratch of the search for an equilibrium, where it is wanted.
        size = count if structure.initial.equilibrium else 0
        self._search = [[0.0] * size for _ in range(3)]
        self._matrix = [[0.0] * size for _ in range(size)]
        self._damped = [[0.0] * size for _ in range(size)]
        input_count = len(structure_inputs(structure))
        self._samples = Samples()
        for name in Samples.__annotations__:
            setattr(self._samples, name, [0.0] * (input_count + 1))
        self._predictions = [Errors() for _ in range(input_count)]
        self._now = StructurePresent()
        self._inputs = [[0.0] * limits.FORCING_LENGTH for _ in range(input_count)]
        self._piece_inputs = [[0.0] * limits.FORCING_LENGTH for _ in range(input_count)]
        self._present = [[0.0] for _ in range(input_count)]

    def kernel_rows(self) -> dict[str, Any]:
        """What the kernel works on, by the names of its arguments; a record is a row of numbers.

        Compiled forms of the kernel start from it.
        """
        return {
            "p": self._p,
            "modes": values_of(self._modes),
            "shapes": self._shapes,
            "drives": self._drives,
            "coupling": self._coupling,
            "frames": self._frames,
            "observed": self._observed,
            "laws": [values_of(law) for law in self._laws],
            "initial": values_of(self._initial),
            "motion": values_of(self._motion),
            "contacts": [values_of(one) for one in self._contacts],
            "samples": values_of(self._samples),
            "predictions": [values_of(one) for one in self._predictions],
            "present": self._present,
            "inputs": self._inputs,
            "piece_inputs": self._piece_inputs,
            "displacements": self._displacements,
            "velocities": self._velocities,
            "works": [values_of(one) for one in self._works],
            "forces": self._forces,
            "search": self._search,
            "matrix": self._matrix,
            "damped": self._damped,
        }


def contact_frame(contact: Contact) -> tuple[tuple[float, ...], ...]:
    """Unit vectors of a contact's frame: normal and two tangents; two across, and the axis."""
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
    if contact.obstacle == ContactObstacle.circle:
        return (tuple(first), second, tuple(direction))
    return (tuple(direction), tuple(first), second)


def _dot(first: Iterable[float], second: Iterable[float]) -> float:
    """Σ a_i b_i, added up in this order; Python's own `sum` rounds otherwise since 3.12."""
    total = 0.0
    for one, other in zip(first, second):
        total += one * other
    return total


def _mobility(
    shapes: Sequence[Sequence[float]], inverse_mass: Sequence[float], first: int, second: int
) -> list[list[float]]:
    """φ_a M⁻¹ φ_bᵀ [1/kg] between two contacts' frames."""
    return [
        [
            _dot(
                [one * inverse for one, inverse in zip(shapes[3 * first + a], inverse_mass)],
                shapes[3 * second + b],
            )
            for b in range(3)
        ]
        for a in range(3)
    ]


def _largest_stretch(matrix: list[list[float]]) -> float:
    """Largest singular value of a matrix of 2 × 2 or 3 × 3."""
    columns = [*zip(*matrix)]
    square = [[_dot(one, other) for other in columns] for one in columns]
    if len(square) == 2:
        mean = 0.5 * (square[0][0] + square[1][1])
        apart = 0.5 * (square[0][0] - square[1][1])
        return math.sqrt(mean + math.hypot(apart, square[0][1]))
    # The largest eigenvalue of a symmetric matrix of 3 × 3, by the cosine of a third of an angle.
    mean = (square[0][0] + square[1][1] + square[2][2]) / 3.0
    for place in range(3):
        square[place][place] -= mean
    spread = math.sqrt(_dot(chain(*square), chain(*square)) / 6.0)
    if spread == 0.0:
        return math.sqrt(mean)
    (a, b, c), (_, d, e), (_, _, f) = ([one / spread for one in row] for row in square)
    turn = 0.5 * (a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c))
    angle = math.acos(min(max(turn, -1.0), 1.0)) / 3.0
    return math.sqrt(max(0.0, mean + 2.0 * spread * math.cos(angle)))
