"""All that a slave remembers, and how a master saves it, brings it back, or writes it away."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from pythonfmu import Fmi2Slave
from pythonfmu.enums import Fmi2Status

from .call_order import INSTANTIATED, PHASES
from .model import Model
from .variables import Variable


class SlaveState(Fmi2Slave):  # type: ignore[misc]
    """A slave's part that can be saved; a subclass gives `table` and `create_model`."""

    table: ClassVar[tuple[Variable, ...]]
    # Replaced in the FMU by a value that follows from the content of its sources.
    content_guid: ClassVar[str] = "{00000000-0000-0000-0000-000000000000}"

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
        # Outputs at the present instant; None where they are to be asked for.
        self._outputs: Sequence[float] | None = None
        # Some value, now or before, was beyond the ordinary.
        self._is_extreme = False
        self._phase = INSTANTIATED
        self._start_time = 0.0
        self._start_inputs: list[float] = []
        self._time = 0.0
        self._model: Any = None
        # Why there is no model although there should be one; only new values can mend it.
        self._failure: str | None = None
        # Illegal calls since the last step; the next step reports them.
        self._refusals: list[str] = []

    @abstractmethod
    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> Model:
        """A model at its start; raises ValueError or TypeError with a full message."""

    def _named(self, parameters: Sequence[Any]) -> dict[str, Any]:
        table = self.table[self._first_parameter :]
        return {variable.name: value for variable, value in zip(table, parameters)}

    def _report(self, message: str) -> None:
        # pythonfmu's library never lets go of the category: a constant costs nothing.
        self.log(f"{self.instance_name}: {message}", Fmi2Status.discard, "logStatusDiscard")

    def _refuse(self, message: str) -> None:
        """Log an illegal call that cannot answer for itself, and let the next step report it."""
        self._refusals.append(message)
        self._report(message)

    def _get_fmu_state(self) -> dict[str, Any]:
        return {
            "guid": self.content_guid,
            "phase": self._phase,
            "start_time": self._start_time,
            "start_inputs": self._start_inputs[:],
            "time": self._time,
            "failure": self._failure,
            "is_extreme": self._is_extreme,
            "parameters": self._parameters[:],
            "inputs": self._inputs[:],
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
        if state["phase"] not in PHASES:
            raise ValueError(f"phase {state['phase']!r} must be one of: {', '.join(PHASES)}")
        lengths = (len(state["inputs"]), len(state["parameters"]))
        if lengths != (len(self._inputs), len(self._parameters)):
            raise ValueError("it does not hold a value for each input and parameter")
        if not isinstance(state["time"], (int, float)):
            raise ValueError(f"time={state['time']!r} must be a number")

    def _load_state(self, state: dict[str, Any]) -> None:
        """Take the model's part first: where that is refused, nothing has changed."""
        inputs, start_inputs = state["inputs"][:], state["start_inputs"][:]
        parameters = state["parameters"][:]
        start_time, failure, is_extreme = (
            state["start_time"],
            state["failure"],
            state["is_extreme"],
        )
        model = None
        if state["model"] is not None:
            model = self._model
            if model is None or parameters != self._parameters:
                model = self.create_model(self._named(parameters), start_time, start_inputs)
            model.restore(state["model"])
        self._model = model
        self._inputs = inputs
        self._parameters = parameters
        self._start_inputs = start_inputs
        self._start_time = start_time
        self._time = state["time"]
        self._phase = state["phase"]
        self._failure = failure
        self._is_extreme = is_extreme
        self._outputs = None

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
