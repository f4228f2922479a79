"""Model of a mass on a moving support with friction, impacts and wear.

    m ü = −m A_t − c u̇ − k u + P_t + F_T
    m ẅ = −m (g + A_n) − c_n ẇ − k_n w − preload − P_n + R_n

u and w are the tangential and normal displacement relative to the support. A_t and A_n are the
acceleration of the support. P_t is a load along u, and P_n is a load towards the lower plane. F_T
is the friction on the mass, and R_n is the contact reaction. Laws and events are in
`wearmodel.kernel`. Wear changes the gap if `wear_feedback` is set.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from ..kernel import limits
from ..kernel.events import EventKinds, Watch
from ..kernel.inputs.state_objects import Errors, Samples
from ..kernel.shoe import saved_state, steps_to_events
from ..kernel.shoe import steps as communication
from ..kernel.shoe.inputs_outputs import INPUTS, OUTPUTS
from ..kernel.shoe.parameter_change import change_parameters
from ..kernel.shoe.parameters import (
    RULES,
    FrictionalShockParameters,
    Parameters,
    broken_standing_rule,
)
from ..kernel.shoe.state_objects import (
    InputMemory,
    Predictions,
    Present,
    State,
    Work,
    copy_present,
    copy_state,
)
from ..kernel.shoe.stepper import settle_start
from ..kernel.state_objects import state_object_of, values_of
from ..quantities import Input, changes_between, require_finite
from .event_steps import EventStops, StepEnd, snapshot_numbers
from .tunable import TunableModel

INPUT_UNITS = {declared_input.name: declared_input.unit for declared_input in INPUTS}
OUTPUT_NAMES = tuple(output.name for output in OUTPUTS)


def too_many_pieces(most: int) -> str:
    """Return the message for a step with more than `most` pieces."""
    return (
        f"more than {most} pieces within one step: "
        "take smaller steps or smaller stiffnesses and dampings"
    )


# Result code of the kernel → its message.
FAILURE_REASONS = {
    limits.TOO_MANY_EVENTS: (
        f"more than {limits.MAXIMUM_EVENTS} contact events within one step: "
        "take smaller steps, restitution and stop_restitution below 1, or softer contacts"
    ),
    limits.TOO_MANY_PIECES: too_many_pieces(limits.MAXIMUM_PIECES),
    limits.WEAR_TOO_FAST: (
        "wear opens the gap too fast for a friction spring without tangential_damping: "
        "friction_coefficient · contact_stiffness · wear_time_scale · archard_coefficient / "
        "wear_area · normal_force must be < tangential_stiffness. Take a smaller "
        "wear_time_scale or a tangential_damping > 0"
    ),
    limits.OVERFLOW: (
        "the state overflowed: the inputs or the parameters are too large for binary64"
    ),
}

STEP_FAILURE = "step of {step_size!r} s at time={time!r} s failed: {reason}"
LATE_INPUT = (
    "{input} changes too fast for steps of {{step_size!r}} s at time={{time!r}} s: over the last "
    "64 steps or fewer it differed from its prediction by more than 0.1 of its rms. Take smaller "
    "steps, or set input_timing = end if the values at the ends of the steps are known."
)


def late_inputs(inputs: Iterable[Input]) -> dict[int, str]:
    """Return the warnings of a step, by its negative result codes."""
    return {
        -number: LATE_INPUT.format(input=declared_input.name)
        for number, declared_input in enumerate(inputs, start=1)
    }


LATE_INPUTS = late_inputs(INPUTS)
# Result code of the kernel's start → its message. The names are fields of state objects.
START_FAILURES = {
    limits.NO_EQUILIBRIUM: (
        "start_in_equilibrium=True: a net normal force of {normal_forcing!r} N away from the "
        "plane requires a normal spring or an upper plane"
    ),
}
# Code of `saved_state.broken_state` → its message. {0} and {1} are the two values.
STATE_RULES = {
    limits.SAMPLES_OF_OTHERS: "the snapshot belongs to a model with other parameters",
    limits.SAMPLES_NOT_PAST: (
        "the snapshot has a sample at {0!r} s. It must be < {1!r} s, the time of the next sample"
    ),
    limits.NO_SUCH_MODE: "the snapshot has a contact mode that does not exist",
    limits.NO_SUCH_ZEROS: (
        "the snapshot counts {0!r} leading zeros of a guard: it must be a whole number, at most "
        f"{limits.ROW_LENGTH}"
    ),
}

# Code of a change of parameters → reason to reject it. {0} and {1} are the two values.
CHANGE_RULES = {
    limits.PLANE_INTO_MASS: (
        "initial_gap={1!r} m and plane_half_spacing leave a gap of {0!r} m at this instant. With "
        "normal_law rigid it must be ≥ 0: a rigid plane that is moved into the mass strikes it "
        "with an infinite velocity"
    ),
    limits.DAMPER_REMOVED: (
        "tangential_damping={0!r} N.s/m cannot become 0 in slip whose friction depends on the "
        "speed: make it small, or change it in stick or flight"
    ),
    limits.CHANGE_RUNS_AWAY: (
        "wear opens the gap too fast for a friction spring without tangential_damping: take a "
        "smaller wear_time_scale or a tangential_damping > 0"
    ),
    limits.CHANGE_OVERFLOWS: (
        "the change of parameters leads to a state that is too large for binary64"
    ),
}

# Part of the samples in a saved state. The rest is work space.
_SAMPLES = ("first", "second", "third", "fourth", "fifth")


def require_advance(step_size: float, time: float) -> None:
    """Raise ValueError for a step from `time` [s] that does not reach a later time."""
    if not time < time + step_size < math.inf:
        raise ValueError(
            f"step_size={step_size!r} s must be > 0, finite, and large enough to advance "
            f"time={time!r} s"
        )


class StepError(ArithmeticError):
    """A step could not be completed. The state before the step is kept."""


def step_failures(reasons: Mapping[int, str]) -> dict[int, str]:
    """Return the messages of failed steps, in which time and step size are fields."""
    return {code: STEP_FAILURE.replace("{reason}", reason) for code, reason in reasons.items()}


def step_error(reason: str, step_size: float, time: float) -> StepError:
    """Return the error of a step from `time` [s]."""
    return StepError(STEP_FAILURE.format(step_size=step_size, time=time, reason=reason))


class FrictionalShock(TunableModel):
    """Mass on a moving support with friction, impacts and wear, advanced step by step.

    Parameters
    ----------
    parameters
        Checked parameters. The default is SDND104.
    start_time
        Time [s] at which the run starts.
    base_acceleration, base_acceleration_normal
        Acceleration of the support [m/s2] at the start, along u and w.
    tangential_load, normal_load
        Loads on the mass [N] at the start: along u, and towards the lower plane.

    Attributes
    ----------
    now
        State object of the kernel at the present time. An FMU sets its `time` [s] after each step.

    Raises
    ------
    ValueError
        A start value is not finite, or a static equilibrium does not exist.
    """

    _broken_rule = staticmethod(broken_standing_rule)
    _rules = RULES

    def __init__(
        self,
        parameters: FrictionalShockParameters | None = None,
        *,
        start_time: float = 0.0,
        base_acceleration: float = 0.0,
        base_acceleration_normal: float = 0.0,
        tangential_load: float = 0.0,
        normal_load: float = 0.0,
    ) -> None:
        self.parameters = parameters if parameters is not None else FrictionalShockParameters()
        require_finite("start_time", start_time, "s")
        inputs = (base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        _check_inputs(inputs)
        self._first_parameters = self.parameters
        self._p = Parameters(self.parameters)
        self._state = State()
        self._memory = InputMemory(Samples(), Samples(), Predictions(), Predictions())
        self.now = Present()
        self._work = Work()
        self._stops = EventStops(float(start_time))
        code = communication.start(
            self._p,
            self._state,
            self._memory.samples,
            self._memory.predictions,
            self.now,
            [float(start_time), *inputs],
        )
        if code == limits.NO_EQUILIBRIUM:
            raise ValueError(START_FAILURES[code].format(normal_forcing=self.now.normal_forcing))
        code = settle_start(self._p, self._state, self.now, self._work)
        if code != limits.OK:
            raise self._failure(code, 0.0)
        if self._work.counts.events > 0.0:
            self._stops.watch.events = 1.0

    @property
    def time(self) -> float:
        """Present time [s]."""
        return self.now.time

    @time.setter
    def time(self, value: float) -> None:
        self.now.time = value

    def step(
        self,
        step_size: float,
        base_acceleration: float = 0.0,
        base_acceleration_normal: float = 0.0,
        tangential_load: float = 0.0,
        normal_load: float = 0.0,
    ) -> str | None:
        """Advance by `step_size` [s] with inputs at its start or end, see `input_timing`.

        Inputs at the start of the step are extrapolated by the polynomial through the last
        ``input_extrapolation_order + 1`` samples at their actual times, or through fewer samples
        if fewer exist. Samples much closer to each other than the step size are ignored and
        removed after the step: see `kernel.inputs.extrapolation`. Inputs at the end of the step
        are interpolated linearly from the previous values.

        Parameters
        ----------
        step_size
            Length of the step [s], > 0.
        base_acceleration, base_acceleration_normal
            Acceleration of the support [m/s2] along u and w.
        tangential_load, normal_load
            Loads on the mass [N] along u, and towards the lower plane.

        Returns
        -------
        str or None
            A warning, once per input that changes too fast for the steps: the output
            ``input_prediction_error`` remains above 0.1.

        Raises
        ------
        ValueError
            The step is not positive and finite, or an input is not finite. The state is kept.
        StepError
            The step could not be completed. The state is kept.
        """
        # The difference is zero if all inputs and their sum are finite.
        total = base_acceleration + base_acceleration_normal + tangential_load + normal_load
        if total - total != 0.0:
            _check_inputs(
                (base_acceleration, base_acceleration_normal, tangential_load, normal_load)
            )
        now = self.now
        time = now.time
        require_advance(step_size, time)
        code = communication.step(
            self._p,
            self._state,
            self._memory,
            now,
            [time, base_acceleration, base_acceleration_normal, tangential_load, normal_load],
            step_size,
            self._work,
        )
        if code > 0:
            raise self._failure(code, step_size)
        self._stops.after = None
        return None if code == 0 else LATE_INPUTS[code].format(step_size=step_size, time=time)

    def step_to_event(
        self,
        step_size: float,
        base_acceleration: float = 0.0,
        base_acceleration_normal: float = 0.0,
        tangential_load: float = 0.0,
        normal_load: float = 0.0,
        *,
        kinds: EventKinds = EventKinds.all,
        quiet_until: float = 0.0,
    ) -> StepEnd:
        """Advance as `step`, but end immediately before the first event of the given kinds.

        An event is a change of ``contact_mode``, ``shock_count`` or the direction of slip.
        Simultaneous changes are one event. An event at the start of the step, for example caused
        by a new input, is applied there and does not end the step. The end of the step is a
        communication point: the remaining step needs its own inputs. With ``input_timing`` end
        they are again the values at the end of the whole step. If `pass_event` was not called, the
        next step applies a pending event at its start.

        Parameters
        ----------
        step_size, base_acceleration, base_acceleration_normal, tangential_load, normal_load
            As in `step`. With ``input_timing`` end the inputs are values at the end of the whole
            step.
        kinds
            Sum of the kinds of events at which the step can end. Without kinds the result equals
            `step` bit by bit.
        quiet_until
            Events less than this time [s] after the start of the step do not end it.

        Returns
        -------
        StepEnd
            Covered time and pending event.

        Raises
        ------
        ValueError
            As in `step`, or `kinds` is invalid, or `quiet_until` is negative. The state is kept.
        StepError
            The step could not be completed. The state is kept.
        """
        inputs = (base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        _check_inputs(inputs)
        time = self.now.time
        require_advance(step_size, time)
        code = steps_to_events.step_to_event(
            self._p,
            self._state,
            self._memory,
            self.now,
            [time, *inputs],
            step_size,
            self._stops.wait_for(kinds, quiet_until, time),
            self._work,
        )
        if code > 0:
            raise self._failure(code, step_size)
        warning = None if code == 0 else LATE_INPUTS[code].format(step_size=step_size, time=time)
        return self._stops.end_at(self.now.time, warning, self._state_after)

    def _state_after(self, watch: Watch) -> list[Any]:
        """State and present after the pending event."""
        state, now = State(), Present()
        copy_state(self._state, state)
        copy_present(self.now, now)
        code = steps_to_events.pass_event(self._p, state, now, watch, self._work)
        if code != limits.OK:
            raise self._failure(code, watch.reached)
        return [state, now]

    def pass_event(self) -> None:
        """Apply the pending event of `step_to_event` and all simultaneous events.

        Raises
        ------
        ValueError
            An event is not pending.
        """
        time = self.now.time
        self._state, self.now = self._stops.take_after()
        self.now.time = time

    @property
    def event_count(self) -> int:
        """Number of event times so far, at the start, in `step_to_event` and in `pass_event`."""
        return int(self._stops.watch.events)

    def step_polynomial(
        self,
        step_size: float,
        *,
        base_acceleration: Sequence[float] = (0.0,),
        base_acceleration_normal: Sequence[float] = (0.0,),
        tangential_load: Sequence[float] = (0.0,),
        normal_load: Sequence[float] = (0.0,),
    ) -> None:
        """Advance by `step_size` [s] with inputs given as polynomials over the step.

        Each input is c[0] + c[1] t + …, where t is the time since the start of the step. Earlier
        samples of `step` are discarded.

        Parameters
        ----------
        step_size
            Length of the step [s], > 0.
        base_acceleration, base_acceleration_normal
            1 to ``limits.FORCING_LENGTH`` (21) coefficients of the acceleration of the support
            along u and w. c[j] is in m/s2/s^j.
        tangential_load, normal_load
            1 to 21 coefficients of the loads on the mass along u and towards the lower plane. c[j]
            is in N/s^j.

        Raises
        ------
        ValueError
            The step is not positive and finite, a coefficient is not finite, or there are too many.
        StepError
            The step could not be completed. The state is kept.
        """
        inputs = (base_acceleration, base_acceleration_normal, tangential_load, normal_load)
        for (name, unit), coefficients in zip(INPUT_UNITS.items(), inputs):
            if not 1 <= len(coefficients) <= limits.FORCING_LENGTH:
                raise ValueError(
                    f"{name} has {len(coefficients)} coefficients: there must be 1 to "
                    f"{limits.FORCING_LENGTH}"
                )
            for order, coefficient in enumerate(coefficients):
                require_finite(f"{name}[{order}]", coefficient, f"{unit}/s^{order}")
        require_advance(step_size, self.time)
        work = self._work
        for name, coefficients in zip(INPUT_UNITS, inputs):
            count = len(coefficients)
            getattr(work, name)[:count] = map(float, coefficients)
            # Constant inputs are not extrapolated.
            while count > 1 and coefficients[count - 1] == 0.0:
                count -= 1
            setattr(work.counts, name, count)
        code = communication.step_along(
            self._p, self._state, self._memory.samples, self.now, step_size, work
        )
        if code != limits.OK:
            raise self._failure(code, step_size)
        self._stops.after = None

    def _failure(self, code: int, step_size: float) -> StepError:
        return step_error(FAILURE_REASONS[code], step_size, self.time)

    def change_parameters(self, changes: Mapping[str, float]) -> None:
        """Change one or several parameters at the present time. The change is one event.

        Positions, velocities and the anchor of the friction spring do not change. Contact, stick
        and slip follow the new values at once: see `kernel.shoe.parameter_change`. The output
        ``parameter_change_work`` contains the additional energy of the springs.

        Parameters
        ----------
        changes
            New values by name, in the units of `FrictionalShockParameters`: friction coefficients,
            stiffnesses, dampings, ``initial_gap`` and ``plane_half_spacing``.

        Raises
        ------
        ValueError, TypeError
            A parameter is unknown or fixed, a value is out of range or contradicts another value,
            the change would move a rigid plane into the mass, or an event is pending. Parameters
            and state are kept.
        """
        self._stops.require_none_pending()
        parameters = self._changed(self.parameters, changes)
        if not changes_between(self.parameters, parameters):
            return
        p = Parameters(parameters)
        before = State()
        copy_state(self._state, before)
        code, first, second = change_parameters(self._p, p, self._state, self.now)
        if code != limits.OK:
            copy_state(before, self._state)
            raise ValueError(CHANGE_RULES[code].format(first, second))
        self.parameters = parameters
        self._p = p

    def output_values(self) -> tuple[float, ...]:
        """Return the outputs at the present time in the order of `OUTPUT_NAMES`."""
        return communication.outputs(self._p, self._state, self._memory.predictions, self.now)

    def outputs(self) -> dict[str, float]:
        """Return the outputs at the present time by name, in SI units."""
        return dict(zip(OUTPUT_NAMES, self.output_values()))

    def snapshot(self) -> dict[str, Any]:
        """Return the state for `restore` as lists and numbers (JSON-serialisable)."""
        # With input_timing end, the next step always needs the newest sample.
        kept = max(1, int(self.now.sample_count))
        snapshot = {
            "state": values_of(self._state),
            "now": values_of(self.now),
            "samples": [row[:] for row in values_of(self._memory.samples)[:kept]],
            "errors": [values_of(errors) for errors in values_of(self._memory.predictions)],
            "changes": self.changes,
        }
        if stops := self._stops.snapshot():
            snapshot["events"] = stops
        return snapshot

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Restore a snapshot of a model with the same initial parameters, bit by bit.

        Parameters changed before the snapshot are restored too.

        Raises
        ------
        ValueError
            The snapshot does not have the format of `snapshot`, or contains a value that is not
            finite. The state is kept.
        """
        samples = Samples()
        with snapshot_numbers() as numbers:
            parameters, p = self.parameters, self._p
            if snapshot["changes"] != self.changes:
                parameters = self._changed(self._first_parameters, snapshot["changes"])
                p = Parameters(parameters)
            state = state_object_of(State, snapshot["state"])
            now = state_object_of(Present, snapshot["now"])
            for name, row in zip(_SAMPLES, snapshot["samples"]):
                getattr(samples, name)[:] = row
            errors = [state_object_of(Errors, values) for values in snapshot["errors"]]
            predictions = state_object_of(Predictions, errors)
            event_numbers = snapshot.get("events", ())
            stops = EventStops.restored(event_numbers, now.time, (State, Present))
            rows = values_of(samples)
            if any(len(row) != limits.SAMPLE_LENGTH for row in rows):
                raise ValueError("a sample has another length")
            numbers += [*values_of(state), *values_of(now), *chain.from_iterable(rows)]
            numbers += chain.from_iterable(map(values_of, values_of(predictions)))
            numbers += event_numbers
        code, first, second = saved_state.broken_state(p, state, samples, predictions, now)
        if code == limits.OK and len(snapshot["samples"]) != max(1, now.sample_count):
            code = limits.SAMPLES_OF_OTHERS
        if code != limits.OK:
            raise ValueError(STATE_RULES[code].format(first, second))
        self.parameters, self._p = parameters, p
        self._state = state
        self.now = now
        self._stops = stops
        self._memory.samples = samples
        self._memory.predictions = predictions


def _check_inputs(values: Sequence[float]) -> None:
    for (name, unit), value in zip(INPUT_UNITS.items(), values):
        require_finite(name, value, unit)
