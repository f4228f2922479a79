"""Model of a modal structure with impacts, friction and wear in several contacts.

    m_i q̈_i + c_i q̇_i + m_i ω_i² q_i = − Σ_d L_id (A_d − g_d) + Σ_l s_il P_l(t) + Σ_c φ_i(c)ᵀ F_c

A_d is the acceleration of the support, P_l are loads, and F_c is the force of contact c, a penalty
force without tension. Friction is a vector in the tangent plane. For laws see
`kernel.contact.forces`, for events `kernel.contact.transitions`, and for the structure
`structure.description`. Wear opens gaps if `wear_feedback` is set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..kernel import limits
from ..kernel.contact.state_objects import ContactState
from ..kernel.events import EventKinds, Watch
from ..kernel.shoe.parameters import FrictionalShockParameters, InputTiming
from ..kernel.structure import measures as modal_measures
from ..kernel.structure import steps as modal_steps
from ..kernel.structure.limits import MODAL_MAXIMUM_PIECES
from ..kernel.structure.stepper import settle_structure
from ..quantities import require_finite
from ..structure.description import Structure
from .contact_changes import TunableStructure
from .event_steps import EventStops, StepEnd, copied
from .frictional_shock import FAILURE_REASONS as SHOCK_FAILURE_REASONS
from .frictional_shock import (
    StepError,
    late_inputs,
    require_advance,
    step_error,
    too_many_pieces,
)
from .modal_quantities import structure_inputs, structure_outputs

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
        declared_inputs = structure_inputs(structure)
        self._units = {declared.name: declared.unit for declared in declared_inputs}
        self._late_inputs = late_inputs(declared_inputs)
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
        self, step: Callable[[float, list[float]], int], step_size: float, values: Sequence[float]
    ) -> str | None:
        """Advance by a function of step size and sample, and return a warning as `step`."""
        total = sum(values)
        if total - total != 0.0:
            self._input_values(dict(zip(self._units, values)))
        time = self._state.now.time
        require_advance(step_size, time)
        kept = copied(self._state)
        try:
            code = step(step_size, [time, *values])
        except ArithmeticError:  # compiled code continues with an infinite number
            code = limits.OVERFLOW
        if code > limits.OK:
            self._state = kept
            raise step_error(FAILURE_REASONS[code], step_size, time)
        if code == limits.OK:
            return None
        return self._late_inputs[code].format(step_size=step_size, time=time)

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
        """Return the contacts after the pending event."""
        before = self._state.contacts
        after: list[ContactState] = copied(before)
        self._state.contacts = after
        code = modal_steps.pass_structure_event(self._state, watch, self._work)
        self._state.contacts = before
        if code != limits.OK:
            raise step_error(FAILURE_REASONS[code], watch.reached, self.time)
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
        """Change contact parameters, see `TunableStructure`. Call `pass_event` before if needed.

        Raises
        ------
        ValueError, TypeError
            As in `TunableStructure`, or an event is pending. Parameters and state are kept.
        """
        self._stops.require_none_pending()
        super().change_parameters(changes)

    def output_values(self) -> tuple[float, ...]:
        """Return the outputs at the present time in the order of `modal_quantities`."""
        values = [0.0] * len(self._names)
        modal_measures.fill_outputs(self._body, self._state, self._work, values)
        return tuple(values)

    def wear_work_by_side(self) -> dict[str, tuple[float, ...]]:
        """Return the wear work of each side of each polygon [J], by the name of the contact."""
        return self.by_side("wear_work")
