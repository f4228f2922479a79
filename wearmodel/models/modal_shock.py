"""A structure on its modes that knocks and rubs in several contacts: the model as an object.

    m_i q̈_i + c_i q̇_i + m_i ω_i² q_i = − Σ_d L_id (A_d − g_d) + Σ_l s_il P_l(t) + Σ_c φ_i(c)ᵀ F_c

A_d the support's acceleration, P_l loads, F_c the force of contact c: penalised, never pulling,
with friction as a vector in the tangent plane. Laws: `kernel.modal_contact`; events:
`kernel.modal_transitions`; the structure: `structure.description`. Wear changes no gap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

from ..kernel import limits, modal_communication, modal_measures
from ..kernel.modal_limits import CIRCLE, MODAL_SERIES_LENGTH
from ..kernel.modal_records import (
    ContactLaw,
    ContactState,
    ContactWork,
    ModalCounts,
    Modes,
    Motion,
)
from ..kernel.modal_stepper import (
    NOT_REACHED,
    advance_structure,
    cross_structure_piece,
    end_structure_piece,
)
from ..kernel.parameters import FrictionalShockParameters, InputTiming
from ..kernel.records import Errors, Samples, record_of, values_of
from ..quantities import require_finite
from ..structure.description import Contact, ContactObstacle, Structure
from .frictional_shock import FAILURE_REASONS, StepError
from .modal_equilibrium import equilibrium
from .modal_quantities import structure_inputs, structure_outputs

_INFINITY = math.inf
_SAMPLES = ("first", "second", "third", "fourth", "fifth")
_KEPT_ERRORS = tuple(f"{which}_{order}" for which in ("last", "before") for order in range(4))


class ModalShock:
    """A structure on its modes, advanced step by step.

    Parameters
    ----------
    structure
        Its description, for example from `read_structure`.
    input_extrapolation_order
        0 to 3, or −1 (automatic): how inputs given at the start of a step are extrapolated over it.
    input_timing
        Whether inputs are the values at the start of a step, or at its end, joined by straight
        lines.
    start_time
        Time [s] at which the run starts.
    inputs
        Values at the start by name, see `modal_quantities`; 0 where not given.

    Raises
    ------
    ValueError
        A start value is not finite or unknown, or there is no equilibrium to start in.
    """

    def __init__(
        self,
        structure: Structure,
        *,
        input_extrapolation_order: int = FrictionalShockParameters.input_extrapolation_order,
        input_timing: InputTiming = FrictionalShockParameters.input_timing,
        start_time: float = 0.0,
        **inputs: float,
    ) -> None:
        require_finite("start_time", start_time, "s")
        if input_extrapolation_order not in range(-1, limits.LONGEST_ORDER + 1):
            raise ValueError(
                f"input_extrapolation_order={input_extrapolation_order!r} must be −1 to "
                f"{limits.LONGEST_ORDER}"
            )
        self.structure = structure
        self._order = float(input_extrapolation_order)
        self._at_end = InputTiming(input_timing) is InputTiming.end
        self._units = {one.name: one.unit for one in structure_inputs(structure)}
        self._names = [one.name for one in structure_outputs(structure)]
        self._time = float(start_time)
        self._set_up()
        values = self._input_values(inputs)
        input_count = len(values)
        self._samples = Samples()
        for name in Samples.__annotations__:
            setattr(self._samples, name, [0.0] * (input_count + 1))
        self._samples.first[:] = [self._time, *values]
        self._sample_count = 0.0
        self._predictions = [Errors() for _ in values]
        self._inputs = [[0.0] * limits.FORCING_LENGTH for _ in values]
        self._piece_inputs = [[0.0] * limits.FORCING_LENGTH for _ in values]
        for row, value in zip(self._inputs, values):
            row[0] = value
        self._present = [[value] for value in values]
        if structure.initial.equilibrium:
            modal_measures.modal_forces(
                self._modes, self._drives, self._motion, self._present, self._forces
            )
            self._motion.displacement = equilibrium(
                self._modes.stiffness, self._forces, self._shapes, self._laws
            )
        modal_measures.start_contacts(
            self._modes,
            self._shapes,
            self._drives,
            self._laws,
            self._motion,
            self._contacts,
            self._present,
            self._works,
            self._forces,
        )

    def _set_up(self) -> None:
        structure = self.structure
        modes = structure.modes
        count = modes.count
        self._modes = Modes()
        self._modes.inverse_mass = [1.0 / mass for mass in modes.generalised_mass]
        self._modes.damping = list(modes.damping)
        self._modes.stiffness = list(modes.stiffness)
        self._modes.root_mass = [math.sqrt(mass) for mass in modes.generalised_mass]
        self._motion = Motion()
        self._motion.displacement = list(structure.initial.displacement)
        self._motion.velocity = list(structure.initial.velocity)
        participation = structure.base.participation
        gravity = [
            sum(g * shares[i] for g, shares in zip(structure.base.gravity, participation))
            for i in range(count)
        ]
        self._drives = [
            *([-share for share in shares] for shares in participation),
            *(list(load.shape) for load in structure.loads),
            gravity,
        ]
        frames = [contact_frame(contact) for contact in structure.contacts]
        self._frames = [list(axis) for frame in frames for axis in frame]
        self._shapes = [
            [sum(axis[d] * shape[d][i] for d in range(3)) for i in range(count)]
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
        self._laws = []
        for index, contact in enumerate(structure.contacts):
            law = _law_of(contact, frames[index])
            block = mobility[index][index]
            tangent = block if law.obstacle == CIRCLE else [row[1:] for row in block[1:]]
            modal_measures.complete_law(law, _largest_stretch(tangent))
            self._laws.append(law)
        self._contacts = [ContactState() for _ in self._laws]
        self._works = [ContactWork() for _ in self._laws]
        self._displacements = [[0.0] * count for _ in range(MODAL_SERIES_LENGTH)]
        self._velocities = [[0.0] * count for _ in range(MODAL_SERIES_LENGTH)]
        self._forces = [0.0] * count
        self._counts = ModalCounts()
        self._pieces: list[dict[str, Any]] | None = None

    @property
    def time(self) -> float:
        """Present instant [s]."""
        return self._time

    @time.setter
    def time(self, value: float) -> None:
        self._time = value

    def step(self, step_size: float, **inputs: float) -> None:
        """Advance by `step_size` [s] with inputs by name; 0 where they are not given.

        Raises
        ------
        ValueError
            The step is not positive and finite, or an input is unknown or not finite. The state
            stands.
        StepError
            The step could not be completed. The state stands.
        """
        self.step_values(step_size, self._input_values(inputs))

    def step_values(self, step_size: float, values: Sequence[float]) -> None:
        """As `step`, the inputs in the order of `modal_quantities`."""
        total = sum(values)
        if total - total != 0.0:
            self._input_values(dict(zip(self._units, values)))
        if not self._time < self._time + step_size < _INFINITY:
            raise ValueError(
                f"step_size={step_size!r} s must be > 0, finite, and large enough to advance "
                f"time={self._time!r} s"
            )
        kept = self._kept_state()
        samples = self._samples
        samples.fifth = samples.fourth
        samples.fourth = samples.third
        samples.third = samples.second
        samples.second = samples.first
        samples.first = [self._time, *values]
        if self._at_end:
            modal_communication.joined_inputs(samples, step_size, self._inputs, self._counts)
        else:
            self._sample_count = modal_communication.structure_inputs(
                samples,
                self._predictions,
                self._sample_count + 1.0,
                self._order,
                step_size,
                self._inputs,
                self._counts,
            )
        code = self._advance(step_size)
        if code != limits.OK or not self._is_finite():
            self._restore_kept(kept)
            reason = FAILURE_REASONS[code if code != limits.OK else limits.OVERFLOW]
            raise StepError(f"step of {step_size!r} s at time={self._time!r} s failed: {reason}")
        if self._order < 0.0 and not self._at_end:
            modal_communication.keep_predictions(self._predictions)
        input_count = int(self._counts.inputs)
        for k, row in enumerate(self._inputs):
            value = 0.0
            for j in range(input_count - 1, -1, -1):
                value = value * step_size + row[j]
            self._present[k][0] = value
        self._time += step_size

    def _advance(self, step_size: float) -> int:
        if self._pieces is not None:
            return self._advance_recorded(step_size, self._pieces)
        return advance_structure(
            self._modes,
            self._shapes,
            self._drives,
            self._coupling,
            self._laws,
            self._motion,
            self._contacts,
            self._inputs,
            self._piece_inputs,
            self._displacements,
            self._velocities,
            self._works,
            step_size,
            self._counts,
        )

    def _advance_recorded(self, step_size: float, pieces: list[dict[str, Any]]) -> int:
        """As `advance_structure`, and keep each piece's series."""
        counts = self._counts
        counts.events = counts.pieces = 0.0
        time = 0.0
        while time < step_size:
            before = [values_of(one) for one in self._contacts]
            reached = cross_structure_piece(
                self._modes,
                self._shapes,
                self._drives,
                self._coupling,
                self._laws,
                self._motion,
                self._contacts,
                self._inputs,
                self._piece_inputs,
                self._displacements,
                self._velocities,
                self._works,
                time,
                step_size,
                counts,
            )
            if reached == NOT_REACHED:
                return limits.OVERFLOW
            count = int(counts.motion)
            pieces.append(
                {
                    "start": self._time + time,
                    "duration": reached - time,
                    "length": counts.piece_length,
                    "end": counts.piece_end,
                    "event": int(counts.event),
                    "contact": int(counts.event_contact),
                    "before": [record_of(ContactState, values) for values in before],
                    "inputs": [row[: int(counts.inputs)] for row in self._piece_inputs],
                    "input_length": counts.piece_length,
                    "displacement": [row[:] for row in self._displacements[:count]],
                    "velocity": [row[:] for row in self._velocities[:count]],
                    "series": [
                        {
                            name: getattr(work, name)[:count]
                            for name in ContactWork.__annotations__
                            if name not in ("guard", "scratch", "spare")
                        }
                        for work in self._works
                    ],
                }
            )
            code = end_structure_piece(self._laws, self._contacts, self._works, counts)
            if code != limits.OK:
                return code
            time = reached
        return limits.OK

    def record(self) -> list[dict[str, Any]]:
        """Record the pieces of all further steps in the list that is returned."""
        self._pieces = []
        return self._pieces

    def output_values(self) -> tuple[float, ...]:
        """Outputs at the present instant in the order of `modal_quantities`."""
        values = [0.0] * len(self._names)
        modal_measures.fill_outputs(
            self._modes,
            self._shapes,
            self._drives,
            self._frames,
            self._observed,
            self._laws,
            self._motion,
            self._contacts,
            self._present,
            self._works,
            self._forces,
            values,
        )
        return tuple(values)

    def outputs(self) -> dict[str, float]:
        """Outputs at the present instant by name, SI units."""
        return dict(zip(self._names, self.output_values()))

    def snapshot(self) -> dict[str, Any]:
        """All that a later `restore` needs, as plain lists and numbers (JSON-serialisable)."""
        return {
            "time": self._time,
            "motion": [self._motion.displacement[:], self._motion.velocity[:]],
            "contacts": [values_of(one) for one in self._contacts],
            "present": [row[0] for row in self._present],
            "sample_count": self._sample_count,
            "samples": [getattr(self._samples, name)[:] for name in _SAMPLES],
            "errors": [[getattr(one, name) for name in _KEPT_ERRORS] for one in self._predictions],
        }

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Return to a snapshot taken from a model of the same structure, bit by bit.

        Raises
        ------
        ValueError
            The snapshot does not have the form that `snapshot` gives it, or holds a value that is
            not a finite number. The state stands.
        """
        try:
            time = float(snapshot["time"])
            sample_count = float(snapshot["sample_count"])
            displacement, velocity = ([float(one) for one in row] for row in snapshot["motion"])
            contacts = [record_of(ContactState, values) for values in snapshot["contacts"]]
            present = [float(value) for value in snapshot["present"]]
            samples = [[float(one) for one in row] for row in snapshot["samples"]]
            errors = [[float(one) for one in row] for row in snapshot["errors"]]
            numbers = [time, sample_count, *displacement, *velocity, *present]
            numbers += chain.from_iterable(map(values_of, contacts))
            numbers += chain.from_iterable(samples)
            numbers += chain.from_iterable(errors)
            is_finite = math.isfinite(sum(numbers))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the snapshot has another form: {error!r}") from None
        if not is_finite:
            raise ValueError("the snapshot holds a value that is not finite")
        count = len(self._modes.stiffness)
        inputs = len(self._units)
        fits = (
            len(displacement) == len(velocity) == count
            and len(contacts) == len(self._contacts)
            and len(present) == len(errors) == inputs
            and [len(row) for row in samples] == [inputs + 1] * len(_SAMPLES)
            and all(len(row) == len(_KEPT_ERRORS) for row in errors)
            and sample_count in range(limits.LONGEST_ORDER + 2)
        )
        if not fits or any(
            one.closed not in (-1.0, 0.0, 1.0) or one.sliding not in (0.0, 1.0) for one in contacts
        ):
            raise ValueError("the snapshot is not one of a model of this structure")
        instants = [row[0] for row in samples[: int(sample_count)]]
        if not all(older < newer for newer, older in zip([time, *instants], instants)):
            raise ValueError("the snapshot's samples are not in the past of its time")
        self._time = time
        self._sample_count = sample_count
        self._motion.displacement = displacement
        self._motion.velocity = velocity
        self._contacts = contacts
        for row, value in zip(self._present, present):
            row[0] = value
        for name, row in zip(_SAMPLES, samples):
            setattr(self._samples, name, row)
        for one, values in zip(self._predictions, errors):
            for name, value in zip(_KEPT_ERRORS, values):
                setattr(one, name, value)

    def _kept_state(self) -> tuple[Any, ...]:
        """What a step that fails puts back; its numbers are replaced by a step, not changed."""
        samples = self._samples
        return (
            self._motion.displacement[:],
            self._motion.velocity[:],
            [values_of(one) for one in self._contacts],
            self._sample_count,
            [getattr(samples, name) for name in _SAMPLES],
        )

    def _restore_kept(self, kept: tuple[Any, ...]) -> None:
        displacement, velocity, contacts, self._sample_count, samples = kept
        self._motion.displacement = displacement
        self._motion.velocity = velocity
        self._contacts = [record_of(ContactState, values) for values in contacts]
        for name, row in zip(_SAMPLES, samples):
            setattr(self._samples, name, row)

    def _is_finite(self) -> bool:
        total = sum(self._motion.displacement) + sum(self._motion.velocity)
        total += sum(map(sum, map(values_of, self._contacts)))
        # The difference is zero unless one of the numbers is not finite.
        return total - total == 0.0

    def _input_values(self, inputs: dict[str, float]) -> list[float]:
        for name, value in inputs.items():
            if name not in self._units:
                raise ValueError(
                    f"{name!r} is no input of this structure; there are: {', '.join(self._units)}"
                )
            require_finite(name, value, self._units[name])
        return [float(inputs.get(name, 0.0)) for name in self._units]


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


def _law_of(contact: Contact, frame: tuple[tuple[float, ...], ...]) -> ContactLaw:
    parameters = contact.parameters
    law = ContactLaw()
    law.obstacle = float(contact.obstacle)
    law.gap = parameters.gap
    law.stiffness = parameters.normal_stiffness
    law.damping = parameters.contact_damping
    law.tangential_stiffness = parameters.tangential_stiffness
    law.tangential_damping = parameters.tangential_damping
    law.friction = parameters.friction_coefficient
    law.friction_static = parameters.friction_coefficient_static
    law.archard_coefficient = parameters.archard_coefficient
    law.wear_area = parameters.wear_area
    law.offset_1, law.offset_2, law.offset_3 = (
        sum(map(_product, axis, contact.offset)) for axis in frame
    )
    return law


def _product(a: float, b: float) -> float:
    return a * b


def _mobility(
    shapes: Sequence[Sequence[float]], inverse_mass: Sequence[float], first: int, second: int
) -> list[list[float]]:
    """φ_a M⁻¹ φ_bᵀ [1/kg] between two contacts' frames."""
    return [
        [
            sum(
                one * inverse * other
                for one, inverse, other in zip(
                    shapes[3 * first + a], inverse_mass, shapes[3 * second + b]
                )
            )
            for b in range(3)
        ]
        for a in range(3)
    ]


def _largest_stretch(matrix: list[list[float]]) -> float:
    """Largest singular value of a matrix of 2 × 2 or 3 × 3."""
    size = len(matrix)
    square = [
        [sum(matrix[k][a] * matrix[k][b] for k in range(size)) for b in range(size)]
        for a in range(size)
    ]
    if size == 2:
        mean = 0.5 * (square[0][0] + square[1][1])
        apart = 0.5 * (square[0][0] - square[1][1])
        return math.sqrt(mean + math.hypot(apart, square[0][1]))
    # The largest eigenvalue of a symmetric matrix of 3 × 3, by the cosine of a third of an angle.
    mean = (square[0][0] + square[1][1] + square[2][2]) / 3.0
    for place in range(3):
        square[place][place] -= mean
    spread = math.sqrt(sum(one * one for row in square for one in row) / 6.0)
    if spread == 0.0:
        return math.sqrt(mean)
    (a, b, c), (_, d, e), (_, _, f) = ([one / spread for one in row] for row in square)
    turn = 0.5 * (a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c))
    angle = math.acos(min(max(turn, -1.0), 1.0)) / 3.0
    return math.sqrt(max(0.0, mean + 2.0 * spread * math.cos(angle)))
