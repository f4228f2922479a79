"""A slave that never hurts its host: the door between FMI calls and a model.

pythonfmu passes an exception on as fmi2Fatal once and crashes the host the second time, ignores
what the initialisation calls return, and checks neither call order nor values. So nothing here
raises: what is refused is logged with its reason, the state stands, and the next step is discarded
(fmi2Discard) with that reason. A step returns OK only when all was legal and the result is finite.
"""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol
from xml.etree.ElementTree import Element

from pythonfmu import Fmi2Slave
from pythonfmu.enums import Fmi2Status

from .model_description import model_description
from .thread_state import keep_thread_state, thread_state
from .variables import Variable

_INSTANTIATED = "instantiated"
_INITIALISING = "initialisation mode"
_STEPPING = "stepping"
_TERMINATED = "terminated"
_PHASES = (_INSTANTIATED, _INITIALISING, _STEPPING, _TERMINATED)

# A master may accumulate its time; rounding this large beside the step is not a gap.
_TIME_TOLERANCE = 1e-6

# Within these bounds of parameters, inputs [SI] and steps [s] no output can overflow where the
# model's state does not; beyond them each step is checked.
_ORDINARY_VALUE = 1e30
_SHORTEST_ORDINARY_STEP = 1e-12
_LONGEST_ORDINARY_STEP = 1e6


class Model(Protocol):
    """What a slave needs of its model."""

    def output_values(self) -> Sequence[float]:
        """Outputs at the present instant, in the table's order."""

    def snapshot(self) -> Any:
        """All of the model's state, JSON-serialisable."""

    def restore(self, snapshot: Any) -> None:
        """Return to a snapshot."""


class SafeSlave(Fmi2Slave):  # type: ignore[misc]
    """Base of all slaves. A subclass gives `table`, `create_model` and `advance`."""

    table: ClassVar[tuple[Variable, ...]]
    title: ClassVar[str]
    release: ClassVar[str] = "0.1.0"
    # Replaced in the FMU by a value that follows from the content of its sources.
    content_guid: ClassVar[str] = "{00000000-0000-0000-0000-000000000000}"
    default_step_size: ClassVar[float] = 1e-3
    default_stop_time: ClassVar[float] = 12.0
    _first_output: ClassVar[int]
    _first_parameter: ClassVar[int]
    _reals: ClassVar[frozenset[int]]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        keep_thread_state()
        self._phase = _INSTANTIATED
        self._start_time = 0.0
        self._time = 0.0
        self._model: Any = None
        # Why there is no model although there should be one; only new values can mend it.
        self._failure: str | None = None
        # Illegal calls since the last step; the next step reports them.
        self._refusals: list[str] = []
        # Values of all variables by value reference: inputs, outputs, parameters.
        self._values: list[Any] = [
            0.0 if variable.start is None else variable.start for variable in self.table
        ]
        self._start_inputs: list[float] = []
        self._outputs_are_current = False
        # Some value, now or before, was beyond the ordinary.
        self._is_extreme = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Derive from the table what every instance needs."""
        super().__init_subclass__(**kwargs)
        causalities = [variable.causality for variable in cls.table]
        cls._first_output = causalities.count("input")
        cls._first_parameter = cls._first_output + causalities.count("output")
        if causalities != sorted(causalities, key=("input", "output", "parameter").index):
            raise TypeError(f"{cls.__name__}: the table must list inputs, outputs, parameters")
        cls._reals = frozenset(i for i, one in enumerate(cls.table) if one.kind == "Real")

    @abstractmethod
    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> Model:
        """A model at its start; raises ValueError or TypeError with a full message."""

    @abstractmethod
    def advance(self, model: Any, time: float, step_size: float, inputs: Sequence[float]) -> None:
        """Take one step; raises with a full message and leaves the model as it was."""

    # -- life cycle ----------------------------------------------------------------------------

    def setup_experiment(
        self, start_time: float, stop_time: float | None = None, tolerance: float | None = None
    ) -> None:
        """Remember the start time."""
        if self._phase != _INSTANTIATED:
            self._refuse(f"fmi2SetupExperiment is not allowed in phase '{self._phase}'")
        else:
            self._start_time = self._time = float(start_time)

    def enter_initialization_mode(self) -> None:
        """From here outputs follow from parameters and start inputs."""
        if self._phase != _INSTANTIATED:
            self._refuse(f"fmi2EnterInitializationMode is not allowed in phase '{self._phase}'")
            return
        self._phase = _INITIALISING
        self._outputs_are_current = False

    def exit_initialization_mode(self) -> None:
        """Build the model; what is wrong with its parameters is logged and discards every step."""
        if self._phase != _INITIALISING:
            self._refuse(f"fmi2ExitInitializationMode is not allowed in phase '{self._phase}'")
            return
        self._build_model()
        self._phase = _STEPPING

    def terminate(self) -> None:
        """No further step; values can still be read."""
        self._phase = _TERMINATED

    def _build_model(self) -> None:
        self._start_inputs = self._values[: self._first_output]
        parameters = self._values[self._first_parameter :]
        self._is_extreme = self._is_extreme or not all(map(_is_ordinary, parameters))
        try:
            self._model = self.create_model(
                self._named(parameters), self._start_time, self._start_inputs
            )
            _check_finite(self._model)
            self._failure = None
        except Exception as error:
            self._model = None
            self._failure = f"initialisation failed: {error}"
            self._report(self._failure)
        self._outputs_are_current = False

    def _named(self, parameters: Sequence[Any]) -> dict[str, Any]:
        table = self.table[self._first_parameter :]
        return {variable.name: value for variable, value in zip(table, parameters)}

    def do_step(self, current_time: float, step_size: float) -> bool:
        """One communication step; False (fmi2Discard) leaves the state as it was."""
        try:
            if not thread_state.kept:
                keep_thread_state()
            if self._refusals or self._phase != _STEPPING or self._model is None:
                return self._discard(self._why_not_ready())
            if current_time != self._time and not self._follows(current_time, step_size):
                return self._discard(self._why_not_there(current_time, step_size))
            inputs = self._values[: self._first_output]
            if (
                self._is_extreme
                or not _SHORTEST_ORDINARY_STEP <= step_size <= _LONGEST_ORDINARY_STEP
            ):
                self._advance_checked(current_time, step_size, inputs)
            else:
                self.advance(self._model, current_time, step_size, inputs)
            self._time = current_time + step_size
            self._outputs_are_current = False
            return True
        except Exception as error:
            return self._discard(str(error) or repr(error))

    def _advance_checked(
        self, current_time: float, step_size: float, inputs: Sequence[float]
    ) -> None:
        """A step that is taken back where an output is not finite afterwards."""
        self._is_extreme = True  # what is remembered of this step stays so
        before = self._model.snapshot()
        self.advance(self._model, current_time, step_size, inputs)
        try:
            _check_finite(self._model)
        except Exception:
            self._model.restore(before)
            raise

    def _follows(self, current_time: float, step_size: float) -> bool:
        slack = max(_TIME_TOLERANCE * step_size, 4.0 * math.ulp(self._time))
        return abs(current_time - self._time) <= slack

    def _why_not_ready(self) -> str:
        if self._refusals:
            reason = "; ".join(self._refusals)
            self._refusals = []
            return reason
        if self._phase != _STEPPING:
            return f"fmi2DoStep is not allowed in phase '{self._phase}'"
        return self._failure or "there is no model"

    def _why_not_there(self, current_time: float, step_size: float) -> str:
        if not 0.0 < step_size < math.inf:
            return f"step_size={step_size!r} s must be > 0 and finite"
        return (
            f"current_time={current_time!r} s must follow on the last step, "
            f"which ended at {self._time!r} s"
        )

    # -- reports -------------------------------------------------------------------------------

    def _report(self, message: str) -> None:
        # pythonfmu's library never lets go of the category: a constant costs nothing.
        self.log(f"{self.instance_name}: {message}", Fmi2Status.discard, "logStatusDiscard")

    def _discard(self, message: str) -> bool:
        self._report(message)
        return False

    def _refuse(self, message: str) -> None:
        """Log an illegal call that cannot answer for itself, and let the next step report it."""
        self._refusals.append(message)
        self._report(message)

    # -- values --------------------------------------------------------------------------------

    def _refresh_outputs(self) -> None:
        if self._phase == _INITIALISING:
            self._build_model()
        if self._model is not None:
            self._values[self._first_output : self._first_parameter] = self._model.output_values()
        self._outputs_are_current = True

    def get_real(self, vrs: list[int]) -> list[float]:
        """Values of Real variables."""
        if not self._outputs_are_current:
            self._refresh_outputs()
        if self._reals.issuperset(vrs):
            return [*map(self._values.__getitem__, vrs)]
        return [float(self._value(reference, ("Real",))) for reference in vrs]

    def get_integer(self, vrs: list[int]) -> list[int]:
        """Values of Integer and Enumeration variables."""
        return [int(self._value(reference, ("Integer", "Enumeration"))) for reference in vrs]

    def get_boolean(self, vrs: list[int]) -> list[bool]:
        """Values of Boolean variables."""
        return [bool(self._value(reference, ("Boolean",))) for reference in vrs]

    def get_string(self, vrs: list[int]) -> list[str]:
        """Values of String parameters."""
        return [str(self._value(reference, ("String",)) or "") for reference in vrs]

    def _value(self, reference: int, types: tuple[str, ...]) -> Any:
        if not self._outputs_are_current:
            self._refresh_outputs()
        if not 0 <= reference < len(self.table) or self.table[reference].kind not in types:
            self._refuse(f"valueReference {reference} is no {' or '.join(types)} variable")
            return 0
        return self._values[reference]

    def set_real(self, vrs: list[int], values: list[float]) -> None:
        """Set inputs at any time, parameters up to the end of the initialisation."""
        for reference, value in zip(vrs, values):
            if 0 <= reference < self._first_output:
                self._values[reference] = value
                if value >= _ORDINARY_VALUE or value <= -_ORDINARY_VALUE:
                    self._is_extreme = True
            else:
                self._set_parameter(reference, value, ("Real",))
        if self._phase == _INITIALISING:
            self._outputs_are_current = False

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
                f"valueReference {reference} is no {' or '.join(types)} variable; "
                f"the value {value!r} was not taken"
            )
            return
        variable = self.table[reference]
        if reference < self._first_parameter:
            self._refuse(f"{variable.name} is an output; the value {value!r} was not taken")
        elif self._phase not in (_INSTANTIATED, _INITIALISING):
            self._refuse(
                f"{variable.name} is a fixed parameter; the value {value!r} {variable.unit} "
                f"cannot be taken in phase '{self._phase}'"
            )
        else:
            self._values[reference] = value
            self._outputs_are_current = False

    # -- complete state ------------------------------------------------------------------------

    def _get_fmu_state(self) -> dict[str, Any]:
        return {
            "guid": self.content_guid,
            "phase": self._phase,
            "start_time": self._start_time,
            "start_inputs": self._start_inputs[:],
            "time": self._time,
            "failure": self._failure,
            "is_extreme": self._is_extreme,
            "parameters": self._values[self._first_parameter :],
            "inputs": self._values[: self._first_output],
            "model": None if self._model is None else self._model.snapshot(),
        }

    def _set_fmu_state(self, state: dict[str, Any]) -> None:
        try:
            self._check_state(state)
            self._load_state(state)
        except Exception as error:
            self._refuse(f"fmi2SetFMUstate: the state cannot be restored: {error}")

    def _check_state(self, state: dict[str, Any]) -> None:
        """What the model itself does not check when it restores its part."""
        if state["guid"] != self.content_guid:
            raise ValueError("it was saved by another model")
        if state["phase"] not in _PHASES:
            raise ValueError(f"phase {state['phase']!r} must be one of: {', '.join(_PHASES)}")
        lengths = (len(state["inputs"]), len(state["parameters"]))
        if lengths != (self._first_output, len(self.table) - self._first_parameter):
            raise ValueError("it does not hold a value for each input and parameter")
        if not isinstance(state["time"], (int, float)):
            raise ValueError(f"time={state['time']!r} must be a number")

    def _load_state(self, state: dict[str, Any]) -> None:
        """Take the model's part first: where that is refused, nothing has changed."""
        parameters, start_inputs = state["parameters"], state["start_inputs"][:]
        start_time, failure, is_extreme = (
            state["start_time"],
            state["failure"],
            state["is_extreme"],
        )
        model = None
        if state["model"] is not None:
            model = self._model
            if model is None or parameters != self._values[self._first_parameter :]:
                model = self.create_model(self._named(parameters), start_time, start_inputs)
            model.restore(state["model"])
        self._model = model
        self._values[: self._first_output] = state["inputs"]
        self._values[self._first_parameter :] = parameters
        self._start_inputs = start_inputs
        self._start_time = start_time
        self._time = state["time"]
        self._phase = state["phase"]
        self._failure = failure
        self._is_extreme = is_extreme
        self._outputs_are_current = False

    @staticmethod
    def _fmu_state_to_bytes(state: dict[str, Any]) -> bytes:
        return json.dumps(state).encode("utf-8")

    @staticmethod
    def _fmu_state_from_bytes(state: bytes) -> dict[str, Any]:
        try:
            loaded = json.loads(bytes(state).decode("utf-8"))
            return loaded if isinstance(loaded, dict) else {}
        except Exception:
            return {}  # refused, with a message, by the instance that is given it

    # -- description ---------------------------------------------------------------------------

    def to_xml(self, model_options: Any = None) -> Element:
        """The model description (called by the builder)."""
        return model_description(
            name=self.modelName,
            identifier=self.modelName,
            guid=self.content_guid,
            description=self.title,
            version=self.release,
            log_categories=self.log_categories,
            table=self.table,
            step_size=self.default_step_size,
            stop_time=self.default_stop_time,
        )


def check_step(time: float, step_size: float) -> None:
    """Raise ValueError unless a step leads to a later instant; for models without a clock."""
    if not time < time + step_size < math.inf:
        raise ValueError(
            f"step_size={step_size!r} s must be > 0, finite, and large enough to advance "
            f"time={time!r} s"
        )


def _is_ordinary(value: Any) -> bool:
    """Neither so large nor so small that products or quotients of some such may overflow."""
    if not isinstance(value, (int, float)) or value == 0:
        return True
    return 1.0 / _ORDINARY_VALUE < abs(value) < _ORDINARY_VALUE


def _check_finite(model: Model) -> None:
    """Raise where the model cannot be saved and restored, or has an output that is not finite."""
    try:
        model.restore(model.snapshot())
        finite = all(map(math.isfinite, model.output_values()))
    except (ArithmeticError, ValueError):
        finite = False
    if not finite:
        raise ArithmeticError(
            "an output overflows; the inputs or the parameters are too large for binary64"
        )
