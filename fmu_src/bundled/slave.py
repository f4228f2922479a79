"""The interface between FMI calls and a model, safe for the host.

pythonfmu does not check the order of calls or values. A rejected call raises. Then the FMU returns
fmi2Error and keeps its state (see `library_repair`). If the parameters are invalid at the end of
the initialisation, the reason is logged, and each step is rejected with it. A step returns OK only
if the result is finite. If a step returns False, the FMU returns fmi2Error.
"""

from __future__ import annotations

import json
import math
import zlib
from abc import abstractmethod
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, ClassVar, NoReturn
from xml.etree.ElementTree import Element

from pythonfmu import Fmi2Slave
from pythonfmu.enums import Fmi2Status

from .call_order import (
    INITIALISING,
    INSTANTIATED,
    PHASES,
    STEPPING,
    TERMINATED,
    follows,
    why_not_there,
    why_not_to_its_end,
)
from .model import (
    LONGEST_ORDINARY_STEP,
    ORDINARY_VALUE,
    SHORTEST_ORDINARY_STEP,
    Model,
    check_finite,
    is_ordinary,
)
from .model_description import model_description
from .thread_state import keep_thread_state, thread_state
from .variables import Variable

# Python types of values, by the variable's type.
_VALUE_TYPES: dict[str, tuple[type, ...]] = {
    "Real": (float, int),
    "Integer": (int,),
    "Enumeration": (int,),
    "Boolean": (bool,),
    "String": (str,),
}
_LARGEST_INTEGER = 2**31 - 1
# Marks a state that was read from bytes: its content is not trusted.
_FOREIGN = "foreign"
# Attributes that a saved state contains unchanged, by their names without the underscore.
_KEPT = (
    "phase", "start_time", "stop_time", "start_inputs", "time", "failure", "is_extreme",
    "parameters", "start_parameters", "inputs",
)  # fmt: skip
_LOG_CATEGORY = "logStatusError"
_WARNING_CATEGORY = "logStatusWarning"
_WHOLE = ("Integer", "Enumeration")
# Some masters read every output as a Real, also counters and modes.
_NUMBERS = ("Real", *_WHOLE, "Boolean")


class RejectedCallError(ValueError):
    """A call is rejected. pythonfmu's library logs this representation."""

    def __repr__(self) -> str:
        return _as_format(str(self))


class SafeSlave(Fmi2Slave):  # type: ignore[misc]
    """Base of all slaves. A subclass defines `table`, `create_model` and `advance`."""

    title: ClassVar[str]
    release: ClassVar[str] = "0.1.0"
    default_step_size: ClassVar[float] = 1e-3
    default_stop_time: ClassVar[float] = 12.0
    table: ClassVar[tuple[Variable, ...]]
    # Replaced in the FMU by a value that follows from the content of its sources.
    content_guid: ClassVar[str] = "{00000000-0000-0000-0000-000000000000}"
    # Categories of messages. pythonfmu's library forwards the messages of the requested categories
    # but does not recognise "logAll".
    log_categories: ClassVar[dict[str, str]] = {
        _LOG_CATEGORY: "Rejected calls and steps, with the reason",
        _WARNING_CATEGORY: "Inputs that change too fast for the step size, once per instance",
    }

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Copy the calls of a step into the subclass, where they are found first.

        pythonfmu looks them up by a new string each time, which is not in Python's cache, in one
        class after the other. This takes 0.1 µs of the 6 µs of a step.
        """
        super().__init_subclass__(**kwargs)
        for name in ("set_real", "do_step", "get_real"):
            setattr(cls, name, getattr(cls, name))

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        causalities = [variable.causality for variable in self.table]
        if causalities != sorted(causalities, key=("input", "output", "parameter").index):
            raise TypeError(f"{self.modelName}: the table must list inputs, outputs, parameters")
        # Value references count through the inputs, the outputs and the parameters.
        self._first_output = causalities.count("input")
        self._first_parameter = len(causalities) - causalities.count("parameter")
        starts = [variable.start for variable in self.table]
        self._inputs: list[float] = starts[: self._first_output]
        self._parameters: list[Any] = starts[self._first_parameter :]
        # Outputs at the present instant, if they are up to date.
        self._outputs: Sequence[float] | None = None
        # Whether any value, now or before, was not ordinary.
        self._is_extreme = False
        self._phase = INSTANTIATED
        self._start_time = 0.0
        self._stop_time = math.inf
        self._start_inputs: list[float] = []
        self._time = 0.0
        self._model: Any = None
        # The model, if parameters that were set in the run are not applied yet. `_model` is `None`
        # then, so that steps and outputs apply them first and other steps need no check.
        self._tuned_model: Any = None
        # Parameters at the start of the model.
        self._start_parameters: list[Any] = []
        # Reason why a model could not be built. New values are required.
        self._failure: str | None = None
        self._has_warned = False
        self._reals = frozenset(
            i for i, variable in enumerate(self.table) if variable.kind == "Real"
        )
        self._real_outputs = self._reals.intersection(
            range(self._first_output, self._first_parameter)
        )
        # Most masters request the same outputs after each step: the last request, a request of real
        # outputs only that came twice in succession, and the function that selects its values.
        self._asked: list[int] = []
        self._request: list[int] = []
        self._pick: Callable[[Sequence[float]], Sequence[float]] = itemgetter(slice(0))
        keep_thread_state()

    @abstractmethod
    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> Model:
        """Return a model at its start. ValueError and TypeError have a full message."""

    @abstractmethod
    def advance(
        self, model: Any, time: float, step_size: float, inputs: Sequence[float]
    ) -> str | None:
        """Take one step and return a warning, if any.

        If the step fails, raise an exception with a full message and leave the model unchanged.
        """

    def to_xml(self, model_options: Any = None) -> Element:
        """Return the model description (called by the builder)."""
        return model_description(type(self), self.content_guid, self.log_categories, self.table)

    # -- phases and steps --------------------------------------------------------------------------

    def setup_experiment(
        self, start_time: float, stop_time: float | None = None, tolerance: float | None = None
    ) -> None:
        """Store start and stop time."""
        if self._phase != INSTANTIATED:
            self._refuse(f"fmi2SetupExperiment is not allowed in phase '{self._phase}'")
        if stop_time is not None and not stop_time >= start_time:
            self._refuse(
                f"fmi2SetupExperiment: stop_time={stop_time!r} s must be ≥ "
                f"start_time={start_time!r} s: both were rejected"
            )
        self._start_time = self._time = start_time
        self._stop_time = math.inf if stop_time is None else stop_time

    def enter_initialization_mode(self) -> None:
        """Start the initialisation: from here outputs follow from parameters and start inputs."""
        if self._phase != INSTANTIATED:
            self._refuse(f"fmi2EnterInitializationMode is not allowed in phase '{self._phase}'")
        self._phase = INITIALISING
        self._outputs = None

    def exit_initialization_mode(self) -> None:
        """Build the model. If its parameters are invalid, the call is rejected with the reason."""
        if self._phase != INITIALISING:
            self._refuse(f"fmi2ExitInitializationMode is not allowed in phase '{self._phase}'")
        self._build_model()
        self._phase = STEPPING
        if self._failure is not None:
            self._refuse(self._failure)

    def terminate(self) -> None:
        """End the simulation. Values can still be read."""
        self._phase = TERMINATED

    def _build_model(self) -> None:
        self._start_inputs = self._inputs[:]
        self._start_parameters = self._parameters[:]
        self._tuned_model = None
        self._is_extreme = self._is_extreme or not all(map(is_ordinary, self._parameters))
        try:
            self._model = self.create_model(
                self._named(self._parameters), self._start_time, self._start_inputs
            )
            check_finite(self._model)
            self._failure = None
        except Exception as error:
            self._model = None
            self._failure = f"initialisation failed: {error}"
        self._outputs = None

    def _present_outputs(self) -> Sequence[float]:
        if self._phase == INITIALISING:
            self._build_model()
            if self._failure is not None:
                self._report(self._failure)
        elif self._tuned_model is not None:
            try:
                self._put_in_force()
            except Exception as error:
                self._refuse(str(error) or repr(error))
        elif self._model is None and self._failure is None:
            self._report(
                f"the outputs are 0 because the model does not exist in phase '{self._phase}'"
            )
        if self._model is None:
            return [0.0] * (self._first_parameter - self._first_output)
        outputs: Sequence[float] = self._model.output_values()
        return outputs

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Take one communication step. False if it was rejected and the state is unchanged."""
        try:
            if not thread_state.kept:
                keep_thread_state()
            model = self._model
            if self._phase != STEPPING or model is None:
                if self._phase != STEPPING or self._tuned_model is None:
                    return self._refuse_step(self._why_not_ready())
                model = self._put_in_force()
            reached = self._time
            if current_time != reached and not follows(current_time, step_size, reached):
                return self._refuse_step(why_not_there(current_time, step_size, reached))
            end = current_time + step_size
            # The default stop time is infinite: this is true for every valid step.
            if not current_time < end < self._stop_time:
                reason = why_not_to_its_end(current_time, step_size, self._stop_time)
                if reason:
                    return self._refuse_step(reason)
            if self._is_extreme or not SHORTEST_ORDINARY_STEP <= step_size <= LONGEST_ORDINARY_STEP:
                warning = self._advance_checked(model, current_time, step_size)
            else:
                warning = self.advance(model, current_time, step_size, self._inputs)
            if warning is not None:
                self._warn(warning)
            self._time = end
            self._outputs = None
            return True
        except Exception as error:
            return self._refuse_step(str(error) or repr(error))

    def _advance_checked(self, model: Any, current_time: float, step_size: float) -> str | None:
        """Take a step, and undo it if an output is not finite afterwards."""
        self._is_extreme = True  # later steps depend on these values too
        before = model.snapshot()
        warning = self.advance(model, current_time, step_size, self._inputs)
        try:
            check_finite(model)
        except Exception:
            model.restore(before)
            raise
        return warning

    def _why_not_ready(self) -> str:
        if self._phase != STEPPING:
            return f"fmi2DoStep is not allowed in phase '{self._phase}'"
        return self._failure or "the model does not exist"

    def _refuse_step(self, message: str) -> bool:
        self._report(message)
        return False

    # -- values by value reference -----------------------------------------------------------------

    def get_real(self, vrs: list[int]) -> list[float]:
        """Return values of Real variables, and numbers of all others except texts."""
        outputs = self._outputs
        if outputs is None:
            # After a step the model exists, and avoiding a call saves 0.1 µs.
            model = self._model
            if model is None or self._phase == INITIALISING:
                # Parameters that were set in the run can be read before they are applied.
                if self._tuned_model is not None and not any(
                    self._first_output <= vr < self._first_parameter for vr in vrs
                ):
                    return [float(self._value(reference, _NUMBERS, "Real")) for reference in vrs]
                outputs = self._present_outputs()
            else:
                outputs = model.output_values()
            self._outputs = outputs
        if vrs == self._request:
            return [*self._pick(outputs)]
        asked_before, self._asked = self._asked, vrs
        if self._real_outputs.issuperset(vrs):
            if vrs and vrs == asked_before:
                self._expect(vrs)
            first = self._first_output
            return [outputs[reference - first] for reference in vrs]
        if self._reals.issuperset(vrs):
            values = [*self._inputs, *outputs, *self._parameters]
            return [values[reference] for reference in vrs]
        return [float(self._value(reference, _NUMBERS, "Real")) for reference in vrs]

    def _expect(self, request: list[int]) -> None:
        """Prepare for the same request for Real outputs."""
        indices: list[Any] = [reference - self._first_output for reference in request]
        # For a single index `itemgetter` does not return a sequence.
        if len(indices) == 1:
            indices = [slice(indices[0], indices[0] + 1)]
        self._request, self._pick = request[:], itemgetter(*indices)

    def get_integer(self, vrs: list[int]) -> list[int]:
        """Return values of Integer and Enumeration variables."""
        return [int(self._value(reference, _WHOLE, " or ".join(_WHOLE))) for reference in vrs]

    def get_boolean(self, vrs: list[int]) -> list[bool]:
        """Return values of Boolean variables."""
        return [bool(self._value(reference, ("Boolean",), "Boolean")) for reference in vrs]

    def get_string(self, vrs: list[int]) -> list[str]:
        """Return values of String parameters."""
        return [str(self._value(reference, ("String",), "String")) for reference in vrs]

    def _value(self, reference: int, kinds: tuple[str, ...], wanted: str) -> Any:
        if not 0 <= reference < len(self.table) or self.table[reference].kind not in kinds:
            self._refuse(_wrong_type(reference, wanted))
        if reference < self._first_output:
            return self._inputs[reference]
        if reference >= self._first_parameter:
            return self._parameters[reference - self._first_parameter]
        if self._outputs is None:
            self._outputs = self._present_outputs()
        return self._outputs[reference - self._first_output]

    def set_real(self, vrs: list[int], values: list[float]) -> None:
        """Set inputs and tunable parameters at any time, others until the initialisation ends."""
        input_count = self._first_output
        inputs = self._inputs
        for reference, value in zip(vrs, values):
            if 0 <= reference < input_count:
                inputs[reference] = value
                # Two comparisons take less time than the call of abs.
                if value >= ORDINARY_VALUE or value <= -ORDINARY_VALUE:
                    self._is_extreme = True
            else:
                self._set_parameter(reference, value, ("Real",))
        # Until the end of the initialisation outputs follow from the inputs.
        self._outputs = None

    def set_integer(self, vrs: list[int], values: list[int]) -> None:
        """Set Integer and Enumeration parameters."""
        for reference, value in zip(vrs, values):
            self._set_parameter(reference, value, ("Integer", "Enumeration"))

    def set_boolean(self, vrs: list[int], values: list[bool]) -> None:
        """Set Boolean parameters."""
        for reference, value in zip(vrs, values):
            self._set_parameter(reference, bool(value), ("Boolean",))

    def set_string(self, vrs: list[int], values: list[str]) -> None:
        """Set String parameters."""
        for reference, value in zip(vrs, values):
            self._set_parameter(reference, value, ("String",))

    def _set_parameter(self, reference: int, value: Any, types: tuple[str, ...]) -> None:
        if not 0 <= reference < len(self.table) or self.table[reference].kind not in types:
            self._refuse(
                f"{_wrong_type(reference, ' or '.join(types))}: the value {value!r} was rejected"
            )
        variable = self.table[reference]
        if reference < self._first_parameter:
            self._refuse(f"{variable.name} is an output: the value {value!r} was rejected")
        elif self._phase == STEPPING and variable.is_tunable:
            self._tune(reference, variable.name, value)
        elif self._phase not in (INSTANTIATED, INITIALISING):
            kind = "parameter" if variable.is_tunable else "fixed parameter"
            self._refuse(
                f"{variable.name} is a {kind}: the value {value!r} {variable.unit} "
                f"cannot be set in phase '{self._phase}'"
            )
        else:
            self._parameters[reference - self._first_parameter] = value
            # The model always has the present parameters.
            self._model = self._outputs = None

    def _tune(self, reference: int, name: str, value: float) -> None:
        """Set a parameter in the run. The next step or output applies it."""
        model = self._present_model()
        if model is None:
            self._refuse(str(self._failure))
        try:
            model.check_changes({name: value})
        except (TypeError, ValueError) as error:
            self._refuse(str(error))
        self._parameters[reference - self._first_parameter] = value
        self._is_extreme = self._is_extreme or not is_ordinary(value)
        self._tuned_model = model
        self._model = self._outputs = None

    # -- saved states ------------------------------------------------------------------------------

    def _get_fmu_state(self) -> dict[str, Any]:
        model = self._present_model()
        return {
            "guid": self.content_guid,
            **{name: _copied(getattr(self, f"_{name}")) for name in _KEPT},
            "is_tuned": self._tuned_model is not None,
            "model": None if model is None else model.snapshot(),
        }

    def _set_fmu_state(self, state: dict[str, Any]) -> None:
        try:
            self._check_state(state)
            self._load_state(state)
        except Exception as error:
            self._refuse(f"fmi2SetFMUstate: the state cannot be restored: {error}")

    def _check_state(self, state: dict[str, Any]) -> None:
        """Check the parts of a state that the model does not check."""
        if state["guid"] != self.content_guid:
            raise ValueError("it was saved by another model or by another version of it")
        if state["phase"] not in PHASES:
            raise ValueError(f"phase {state['phase']!r} must be one of: {', '.join(PHASES)}")
        lengths = (len(state["inputs"]), len(state["parameters"]))
        if lengths != (len(self._inputs), len(self._parameters)):
            raise ValueError("it does not contain a value for each input and parameter")
        if state["model"] is not None and len(state["start_parameters"]) != len(self._parameters):
            raise ValueError("it does not contain the parameters of its start")
        if not isinstance(state["is_tuned"], bool) or (
            state["is_tuned"] and state["model"] is None
        ):
            raise ValueError("it has no model whose parameters have been set")
        for name in ("time", "start_time"):
            # Without a model it is any value that the master has given.
            if not math.isfinite(state[name]) and state["model"] is not None:
                raise ValueError(f"{name}={state[name]!r} s must be finite")
        if math.isnan(state["stop_time"]):
            raise ValueError(f"stop_time={state['stop_time']!r} s must be a number")
        if _FOREIGN in state:
            parameters = self.table[self._first_parameter :]
            self._check_types(self.table, state["inputs"])
            self._check_types(self.table, state["start_inputs"])
            self._check_types(parameters, state["parameters"])
            self._check_types(parameters, state["start_parameters"])

    @staticmethod
    def _check_types(table: Sequence[Variable], values: Sequence[Any]) -> None:
        for variable, value in zip(table, values):
            is_large = isinstance(value, int) and not -(2**31) <= value <= _LARGEST_INTEGER
            if not isinstance(value, _VALUE_TYPES[variable.kind]) or is_large:
                raise ValueError(f"{variable.name}={value!r} must be a {variable.kind}")
            if isinstance(value, str):
                value.encode("utf-8")  # as the host receives it

    def _check_counts(self, outputs: Sequence[float]) -> None:
        for variable, value in zip(self.table[self._first_output :], outputs):
            if variable.enumeration is not None:
                if value not in list(variable.enumeration):
                    names = ", ".join(member.name for member in variable.enumeration)
                    raise ValueError(f"{variable.name}={value!r} must be one of: {names}")
            elif variable.kind != "Real" and not (
                0 <= value <= _LARGEST_INTEGER and value == int(value)
            ):
                raise ValueError(
                    f"{variable.name}={value!r} must be whole and fit a 32-bit Integer, ≥ 0"
                )

    def _check_changes(self, model: Any, state: dict[str, Any]) -> None:
        """Compare the set parameters with the parameters of the restored model."""
        start = self._named(state["start_parameters"])
        named = self._named(state["parameters"])
        fixed = [variable.name for variable in self.table if not variable.is_tunable]
        for name in fixed:
            if name in start and named[name] != start[name]:
                raise ValueError(f"{name} is a fixed parameter and has been changed in the run")
        if named == start and not state["is_tuned"]:
            return
        if state["is_tuned"]:
            model.check_changes({name: named[name] for name in named if name not in fixed})
        elif named != {**start, **model.changes}:
            raise ValueError("its parameters differ from those of its model")

    def _load_state(self, state: dict[str, Any]) -> None:
        """Restore the model first: if it is rejected, the slave is unchanged."""
        kept = {name: _copied(state[name]) for name in _KEPT}
        start_parameters = kept["start_parameters"]
        model = None
        if state["model"] is not None:
            model = self._present_model()
            if model is None or start_parameters != self._start_parameters or _FOREIGN in state:
                model = self.create_model(
                    self._named(start_parameters), kept["start_time"], kept["start_inputs"]
                )
            model.restore(state["model"])
            if _FOREIGN in state:
                self._check_changes(model, state)
                check_finite(model)
                self._check_counts(model.output_values())
        self._model, self._tuned_model = (None, model) if state["is_tuned"] else (model, None)
        for name, value in kept.items():
            setattr(self, f"_{name}", value)
        self._outputs = None

    @staticmethod
    def _fmu_state_to_bytes(state: dict[str, Any]) -> bytes:
        # In the form after reading, so that a restored state gives the same bytes.
        written = {**state, "is_extreme": _is_extreme(state)}
        written.pop(_FOREIGN, None)
        return _sealed(json.dumps(written).encode("utf-8"))

    @staticmethod
    def _fmu_state_from_bytes(state: bytes) -> dict[str, Any]:
        data = bytes(state)
        content = data[data.find(b"\n") + 1 :]
        reason = "its bytes do not match its checksum: they were altered"
        if _sealed(content) == data:
            try:
                loaded = json.loads(content.decode("utf-8"))
                return {**loaded, "is_extreme": _is_extreme(loaded), _FOREIGN: True}
            except Exception:
                reason = "its bytes do not contain a state"
        raise RejectedCallError(f"fmi2DeSerializeFMUstate: the state cannot be restored: {reason}")

    # -- the model and messages --------------------------------------------------------------------

    def _present_model(self) -> Any:
        """Return the model, if it exists, even if some parameters are not applied yet."""
        return self._tuned_model if self._model is None else self._model

    def _put_in_force(self) -> Any:
        """Apply the parameters that were set in the run and return the model.

        Raises if their values contradict each other or the state. Both are unchanged then.
        """
        model = self._tuned_model
        known = {**self._named(self._start_parameters), **model.changes}
        named = self._named(self._parameters)
        changes = {name: value for name, value in named.items() if value != known[name]}
        before = model.snapshot() if self._is_extreme else None
        model.change_parameters(changes)
        if before is not None:
            try:
                check_finite(model)
            except Exception:
                model.restore(before)
                raise
        self._model, self._tuned_model = model, None
        return model

    def _named(self, parameters: Sequence[Any]) -> dict[str, Any]:
        table = self.table[self._first_parameter :]
        return {variable.name: value for variable, value in zip(table, parameters)}

    def _report(self, message: str) -> None:
        """Log a message."""
        # pythonfmu's library never releases the category. A constant is free.
        text = _as_format(f"{self.instance_name}: {message}")
        self.log(text, Fmi2Status.error, _LOG_CATEGORY)

    def _warn(self, message: str) -> None:
        """Log a warning of a completed step, once per instance."""
        if not self._has_warned:
            self._has_warned = True
            text = _as_format(f"{self.instance_name}: {message}")
            self.log(text, Fmi2Status.warning, _WARNING_CATEGORY)

    def _refuse(self, message: str) -> NoReturn:
        """Return fmi2Error from a call, with a message. The state is unchanged."""
        raise RejectedCallError(f"{self.instance_name}: {message}")


def _copied(value: Any) -> Any:
    """Return a plain value, or a copy of a list. Raise for other values of a damaged state."""
    return value if value is None or isinstance(value, (float, int, str)) else value[:]


def _sealed(content: bytes) -> bytes:
    """Return the content of a saved state after a line with its checksum, zlib's CRC-32."""
    return b"%08x\n" % zlib.crc32(content) + content


def _as_format(text: str) -> str:
    """Return a text for FMI's logger: a printf format in which # marks variables [2.1.5].

    The text can contain a user's text, or a lone surrogate without UTF-8 from a state's bytes.
    """
    return (
        text.encode("utf-8", "backslashreplace")
        .decode("utf-8")
        .replace("%", "%%")
        .replace("#", "##")
    )


def _is_extreme(state: dict[str, Any]) -> bool:
    """Whether a state is marked as extreme, or contains an extreme number."""
    numbers = (state["model"], state["inputs"], state["parameters"])
    return bool(state["is_extreme"]) or not _are_ordinary(numbers)


def _are_ordinary(values: Any) -> bool:
    """Whether all numbers in nested lists and dictionaries are ordinary."""
    if isinstance(values, dict):
        return _are_ordinary(list(values.values()))
    if isinstance(values, (list, tuple)):
        return all(map(_are_ordinary, values))
    return is_ordinary(values)


def _wrong_type(reference: int, wanted: str) -> str:
    # pythonfmu's library passes references from 2**31 on as negative numbers.
    return f"valueReference {reference % 2**32} must refer to a variable of type {wanted}"
