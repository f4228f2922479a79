"""Model of a modal structure with impacts, friction and wear in several contacts.

    m_i q̈_i + c_i q̇_i + m_i ω_i² q_i = − Σ_d L_id (A_d − g_d) + Σ_l s_il P_l(t) + Σ_c φ_i(c)ᵀ F_c

A_d is the acceleration of the support, P_l are loads, and F_c is the force of contact c. It is
penalised and never pulls, and friction is a vector in the tangent plane. Laws are in
`kernel.contact.forces`, events in `kernel.contact.transitions`, and the structure in
`structure.description`. Wear opens gaps if `wear_feedback` is set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from ..kernel import limits
from ..kernel.contact.state_objects import ContactState
from ..kernel.events import EventKinds, Watch
from ..kernel.inputs.state_objects import Errors, Samples
from ..kernel.shoe.parameters import FrictionalShockParameters, InputTiming
from ..kernel.state_objects import field_names, state_object_of, values_of
from ..kernel.structure import measures as modal_measures
from ..kernel.structure import steps as modal_steps
from ..kernel.structure.limits import MODAL_MAXIMUM_PIECES
from ..kernel.structure.state_objects import StructurePresent
from ..kernel.structure.stepper import settle_structure
from ..quantities import require_finite
from ..structure.description import Structure
from .contact_changes import TunableStructure, copied, with_contact_changes
from .event_steps import EventStops, StepEnd, snapshot_numbers
from .frictional_shock import FAILURE_REASONS as SHOCK_FAILURE_REASONS
from .frictional_shock import LATE_INPUT, STEP_FAILURE, StepError, too_many_pieces, wrong_step
from .frictional_shock import STATE_RULES as SHOCK_STATE_RULES
from .modal_quantities import structure_inputs, structure_outputs
from .structure_buffers import laws_of

# Result code of the start → its message.
START_FAILURES = {
    limits.NO_EQUILIBRIUM: (
        "initial.equilibrium = true: an equilibrium does not exist, because gravity or a load "
        "drives a rigid mode that is not supported by a contact"
    )
}
# Result code of a step → its message.
FAILURE_REASONS = {
    limits.TOO_MANY_PIECES: too_many_pieces(MODAL_MAXIMUM_PIECES)
    + ", or a tangential_damping > 0 where it is 0",
    **{code: SHOCK_FAILURE_REASONS[code] for code in (limits.WEAR_TOO_FAST, limits.OVERFLOW)},
}
# Code of `broken_structure_state` → its message; {0} and {1} are its two values.
STATE_RULES = {
    **{
        code: "the snapshot belongs to a model of another structure"
        for code in (limits.NO_SUCH_MODE, limits.SAMPLES_OF_OTHERS)
    },
    **{code: SHOCK_STATE_RULES[code] for code in (limits.NO_SUCH_ZEROS, limits.SAMPLES_NOT_PAST)},
}

_INFINITY = math.inf
_SAMPLES = ("first", "second", "third", "fourth", "fifth")


class ModalShock(TunableStructure):
    """Modal structure with contacts, advanced step by step.

    Parameters
    ----------
    structure
        Description of the structure, for example from `read_structure`.
    input_extrapolation_order
        0 to 3, or −1 (automatic): order of extrapolation of inputs at the start of a step.
    input_timing
        Whether inputs are values at the start of a step (extrapolated) or at its end (linearly
        interpolated).
    start_time
        Time [s] at which the run starts.
    inputs
        Values at the start by name, see `modal_quantities`. The default is 0.

    Raises
    ------
    ValueError
        A start value is not finite or unknown, or an equilibrium does not exist.
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
        super().__init__(structure, input_extrapolation_order, input_timing)
        self._units = {
            declared_input.name: declared_input.unit
            for declared_input in structure_inputs(structure)
        }
        self._names = [output.name for output in structure_outputs(structure)]
        self._stops = EventStops(float(start_time))
        values = self._input_values(inputs)
        code = modal_steps.start_structure(
            self._body,
            self._initial,
            self._state,
            [float(start_time), *values],
            self._work,
            self._equilibrium,
        )
        if code != limits.OK:
            raise ValueError(START_FAILURES[code])
        code = settle_structure(self._body, self._state, self._work)
        if code != limits.OK:
            raise StepError(FAILURE_REASONS[code])
        if self._work.counts.events > 0.0:
            self._stops.watch.events = 1.0

    def step_values(self, step_size: float, values: Sequence[float]) -> str | None:
        """Advance as `step`, with inputs in the order of `modal_quantities`."""
        warning = self._step_by(self._step, step_size, values)
        self._stops.after = None
        return warning

    def _step_by(
        self,
        step: Callable[[float, list[float]], int],
        step_size: float,
        values: Sequence[float],
    ) -> str | None:
        """Take a step by a function of its size and sample; the warning, as `step` gives it."""
        total = sum(values)
        if total - total != 0.0:
            self._input_values(dict(zip(self._units, values)))
        time = self._state.now.time
        if not time < time + step_size < _INFINITY:
            raise wrong_step(step_size, time)
        kept = copied(self._state)
        try:
            code = step(step_size, [time, *values])
        except ArithmeticError:  # where other languages go on with an infinite number
            code = limits.OVERFLOW
        if code > limits.OK:
            self._state = kept
            raise StepError(
                STEP_FAILURE.format(step_size=step_size, time=time, reason=FAILURE_REASONS[code])
            )
        if code == limits.OK:
            return None
        name = list(self._units)[-code - 1]
        return LATE_INPUT.format(input=name).format(step_size=step_size, time=time)

    def step_to_event(
        self,
        step_size: float,
        *,
        kinds: EventKinds = EventKinds.all,
        quiet_until: float = 0.0,
        **inputs: float,
    ) -> StepEnd:
        """Advance as `step`, but end immediately before the first event of the given kinds.

        The arguments and the result are as in `FrictionalShock.step_to_event`. Simultaneous events
        in several contacts are one event.

        Raises
        ------
        ValueError
            As in `step`, or `kinds` is invalid, or `quiet_until` is negative. The state is kept.
        StepError
            The step could not be completed. The state is kept.
        """
        watch = self._stops.wait_for(kinds, quiet_until, self.time)

        def step(step_size: float, sample: list[float]) -> int:
            return modal_steps.step_structure_to_event(
                self._p, self._body, self._state, sample, step_size, watch, self._work
            )

        warning = self._step_by(step, step_size, self._input_values(inputs))
        return self._stops.end_at(self.time, warning, self._contacts_after)

    def _contacts_after(self, watch: Watch) -> list[ContactState]:
        """The contacts after the pending event."""
        before = self._state.contacts
        after: list[ContactState] = copied(before)
        self._state.contacts = after
        code = modal_steps.pass_structure_event(self._state, watch, self._work)
        self._state.contacts = before
        if code != limits.OK:
            reason = FAILURE_REASONS[code]
            step_size = watch.reached
            raise StepError(STEP_FAILURE.format(step_size=step_size, time=self.time, reason=reason))
        return after

    def pass_event(self) -> None:
        """Apply the pending event of `step_to_event` and all simultaneous events.

        Raises
        ------
        ValueError
            An event is not pending.
        """
        self._state.contacts = self._stops.take_after()

    @property
    def event_count(self) -> int:
        """Number of event times that `step_to_event` and `pass_event` have applied so far."""
        return int(self._stops.watch.events)

    def _step(self, step_size: float, sample: list[float]) -> int:
        return modal_steps.step_structure(
            self._p, self._body, self._state, sample, step_size, self._work
        )

    def change_parameters(self, changes: Mapping[str, float]) -> None:
        """Change contact parameters, see `TunableStructure`. A pending event must be passed before.

        Raises
        ------
        ValueError, TypeError
            As in `TunableStructure`, or an event is pending. Parameters and state are kept.
        """
        self._stops.require_none_pending()
        super().change_parameters(changes)

    def output_values(self) -> tuple[float, ...]:
        """Outputs at the present instant in the order of `modal_quantities`."""
        values = [0.0] * len(self._names)
        modal_measures.fill_outputs(self._body, self._state, self._work, values)
        return tuple(values)

    def wear_work_by_side(self) -> dict[str, tuple[float, ...]]:
        """Return the wear work of each side of each polygon [J], by the name of the contact."""
        return self.by_side("wear_work")

    def snapshot(self) -> dict[str, Any]:
        """Return the state for `restore` as lists and numbers (JSON-serialisable)."""
        snapshot = {
            "time": self._state.now.time,
            "motion": [self._state.motion.displacement[:], self._state.motion.velocity[:]],
            "contacts": [values_of(contact) for contact in self._state.contacts],
            "side_works": [row[:] for row in self._state.side_works],
            "present": [row[0] for row in self._state.present],
            "sample_count": self._state.now.sample_count,
            "samples": [getattr(self._state.samples, name)[:] for name in _SAMPLES],
            "steps": self._state.now.steps,
            "errors": [values_of(errors) for errors in self._state.predictions],
            "parameter_change_work": self._state.now.parameter_change_work,
            "changes": self.changes,
        }
        if stops := self._stops.snapshot():
            snapshot["events"] = stops
        return snapshot

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Restore a snapshot of a model of the same structure, bit by bit.

        Parameters changed before the snapshot are restored too.

        Raises
        ------
        ValueError
            The snapshot does not have the format of `snapshot`, or contains a value that is not
            finite. The state is kept.
        """
        with snapshot_numbers() as numbers:
            time = float(snapshot["time"])
            sample_count = float(snapshot["sample_count"])
            displacement, velocity = (
                [float(number) for number in row] for row in snapshot["motion"]
            )
            contacts = [state_object_of(ContactState, values) for values in snapshot["contacts"]]
            side_works = [[float(number) for number in row] for row in snapshot["side_works"]]
            present = [float(value) for value in snapshot["present"]]
            samples = [[float(number) for number in row] for row in snapshot["samples"]]
            errors = [state_object_of(Errors, values) for values in snapshot["errors"]]
            steps = float(snapshot["steps"])
            change_work = float(snapshot["parameter_change_work"])
            structure, laws = self.structure, self._body.laws
            if snapshot["changes"] != self.changes:
                structure = with_contact_changes(self._first_structure, snapshot["changes"])
                laws = laws_of(structure, self._p, laws)
            numbers += [time, sample_count, steps, change_work, *displacement, *velocity, *present]
            events = snapshot.get("events", ())
            stops = EventStops.restored(events, time, [ContactState] * len(contacts))
            numbers += events
            numbers += chain.from_iterable(map(values_of, contacts))
            numbers += chain.from_iterable(side_works)
            numbers += chain.from_iterable(samples)
            numbers += chain.from_iterable(map(values_of, errors))
        count = len(self._body.modes.stiffness)
        inputs = len(self._units)
        fits = (
            len(displacement) == len(velocity) == count
            and len(contacts) == len(self._state.contacts)
            and list(map(len, side_works)) == list(map(len, self._state.side_works))
            and len(present) == len(errors) == inputs
            and [len(row) for row in samples] == [inputs + 1] * len(_SAMPLES)
        )
        if not fits:
            raise ValueError(STATE_RULES[limits.SAMPLES_OF_OTHERS])
        # After the saved part: work space without discontinuities.
        rest = [[0.0] * (inputs + 1) for _ in field_names(Samples)[len(_SAMPLES) :]]
        kept_samples, now = state_object_of(Samples, [*samples, *rest]), StructurePresent()
        now.time, now.sample_count, now.steps = time, sample_count, steps
        now.parameter_change_work = change_work
        rule, first, second = modal_steps.broken_structure_state(
            contacts, side_works, kept_samples, now
        )
        if rule != limits.OK:
            raise ValueError(STATE_RULES[rule].format(first, second))
        self.structure, self._body.laws = structure, laws
        self._state.now, self._state.samples = now, kept_samples
        self._state.motion.displacement = displacement
        self._state.motion.velocity = velocity
        self._state.contacts = contacts
        self._state.side_works = side_works
        for row, value in zip(self._state.present, present):
            row[0] = value
        self._state.predictions = errors
        self._stops = stops
