"""The state of a slave, and how a master saves, restores and serialises it."""

from __future__ import annotations

import json
import math
import zlib
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from pythonfmu import Fmi2Slave
from pythonfmu.enums import Fmi2Status

from .call_order import INSTANTIATED, PHASES
from .model import Model, check_finite, is_ordinary
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
# The reason why bytes could not be read.
_DAMAGE = "damage"
# Attributes that a saved state contains unchanged, by their names without the underscore.
_KEPT = (
    "phase", "start_time", "stop_time", "start_inputs", "time", "failure", "is_extreme",
    "parameters", "start_parameters", "inputs",
)  # fmt: skip
_LOG_CATEGORY = "logStatusError"
_WARNING_CATEGORY = "logStatusWarning"


class SlaveState(Fmi2Slave):  # type: ignore[misc]
    """Part of a slave that can be saved. A subclass defines `table` and `create_model`."""

    table: ClassVar[tuple[Variable, ...]]
    # Replaced in the FMU by a value that follows from the content of its sources.
    content_guid: ClassVar[str] = "{00000000-0000-0000-0000-000000000000}"
    # Categories of messages. pythonfmu's library passes on the messages of the requested categories
    # and does not know "logAll".
    log_categories: ClassVar[dict[str, str]] = {
        _LOG_CATEGORY: "Rejected calls and steps, with the reason",
        _WARNING_CATEGORY: "Inputs that change too fast for the step size, once per instance",
    }

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
        # Outputs at the present instant; None if they are out of date.
        self._outputs: Sequence[float] | None = None
        # Whether any value, now or before, was not ordinary.
        self._is_extreme = False
        self._phase = INSTANTIATED
        self._start_time = 0.0
        self._stop_time = math.inf
        self._start_inputs: list[float] = []
        self._time = 0.0
        self._model: Any = None
        # The model while parameters that were set in the run are not applied to it yet. `_model` is
        # None then, so that steps and outputs apply them first, and other steps need no check.
        self._tuned_model: Any = None
        # Parameters at the start of the model.
        self._start_parameters: list[Any] = []
        # Why a model could not be built; new values are required.
        self._failure: str | None = None
        # Illegal calls since the last step; the next step reports them.
        self._refusals: list[str] = []
        self._has_warned = False

    @abstractmethod
    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> Model:
        """Return a model at its start; raises ValueError or TypeError with a full message."""

    def _present_model(self) -> Any:
        """The model, whether all its parameters are applied or not; None without a model."""
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
        # pythonfmu's library never lets go of the category: a constant costs nothing.
        text = _as_format(f"{self.instance_name}: {message}")
        self.log(text, Fmi2Status.error, _LOG_CATEGORY)

    def _warn(self, message: str) -> None:
        """Log a warning of a completed step, once per instance."""
        if not self._has_warned:
            self._has_warned = True
            text = _as_format(f"{self.instance_name}: {message}")
            self.log(text, Fmi2Status.warning, _WARNING_CATEGORY)

    def _refuse(self, message: str) -> None:
        """Log a rejected call that cannot return an error, and let the next step return it."""
        self._refusals.append(message)
        self._report(message)

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
        if _DAMAGE in state:
            raise ValueError(state[_DAMAGE])
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
                value.encode("utf-8")  # as the host will be given it

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
        """Compare the parameters as they are set with those of the restored model."""
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
                kept["is_extreme"] = _is_extreme(state)
        self._model, self._tuned_model = (None, model) if state["is_tuned"] else (model, None)
        for name, value in kept.items():
            setattr(self, f"_{name}", value)
        self._outputs = None

    @staticmethod
    def _fmu_state_to_bytes(state: dict[str, Any]) -> bytes:
        try:
            # As it will be read: restored and written again, a state gives the same bytes.
            written = {**state, "is_extreme": _is_extreme(state)}
            written.pop(_FOREIGN, None)
            return _sealed(json.dumps(written).encode("utf-8"))
        except Exception:
            return b"{}"  # it was read from bytes without a state

    @staticmethod
    def _fmu_state_from_bytes(state: bytes) -> dict[str, Any]:
        try:
            data = bytes(state)
            content = data[data.index(b"\n") + 1 :]
            # An instance that is given a damaged state rejects it with this message.
            if _sealed(content) != data:
                return {_DAMAGE: "its bytes do not match its checksum: they were altered"}
            loaded = json.loads(content.decode("utf-8"))
            return {**loaded, _FOREIGN: True} if isinstance(loaded, dict) else {}
        except Exception:
            return {_DAMAGE: "its bytes do not contain a state"}


def _copied(value: Any) -> Any:
    """A plain value, or a copy of a list. Other values, from a damaged state, raise."""
    return value if value is None or isinstance(value, (float, int, str)) else value[:]


def _sealed(content: bytes) -> bytes:
    """Content of a saved state after a line with its checksum, the CRC-32 of zlib."""
    return b"%08x\n" % zlib.crc32(content) + content


def _as_format(text: str) -> str:
    """A text as FMI's logger expects it: a format of printf, in which # marks variables [2.1.5].

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
    """Whether all numbers in nested lists and dictionaries are."""
    if isinstance(values, dict):
        return _are_ordinary(list(values.values()))
    if isinstance(values, (list, tuple)):
        return all(map(_are_ordinary, values))
    return is_ordinary(values)
