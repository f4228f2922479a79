"""Values of a slave's variables by value reference, and when they can be read and set."""

from __future__ import annotations

import ctypes
from abc import abstractmethod
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NoReturn

from .call_order import INITIALISING, INSTANTIATED, STEPPING
from .model import ORDINARY_VALUE, is_ordinary
from .state import SlaveState

_WHOLE = ("Integer", "Enumeration")
# Some masters read every output as a Real, also counters and modes.
_NUMBERS = ("Real", *_WHOLE, "Boolean")


class VariableValues(SlaveState):
    """Part of a slave with the calls fmi2Get… and fmi2Set…."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
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

    @abstractmethod
    def _present_outputs(self) -> Sequence[float]:
        """Return the outputs at the present instant, in the order of the table."""

    def get_real(self, vrs: list[int]) -> list[float]:
        """Return values of Real variables, and numbers of all others except texts."""
        outputs = self._outputs
        if outputs is None:
            # After a step the model exists, and avoiding a call saves 0.1 µs.
            model = self._model
            if model is None or self._phase == INITIALISING:
                # Parameters that were set in the run can be read before they are applied.
                if self._tuned_model is not None and not self._ask_outputs(vrs):
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

    def _ask_outputs(self, vrs: list[int]) -> bool:
        return any(self._first_output <= vr < self._first_parameter for vr in vrs)

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
            self._refuse_read(_wrong_type(reference, wanted))
        if reference < self._first_output:
            return self._inputs[reference]
        if reference >= self._first_parameter:
            return self._parameters[reference - self._first_parameter]
        if self._outputs is None:
            self._outputs = self._present_outputs()
        return self._outputs[reference - self._first_output]

    def _refuse_read(self, message: str) -> NoReturn:
        """Return fmi2Error from a read that has no answer; the state is unchanged.

        pythonfmu's library, as changed by `library_repair`, returns fmi2Error after an exception.
        With each exception it releases a reference to the instance, its class and its messages that
        it needs later. Therefore one reference is added to each.
        """
        self._report(message)
        for needed in (self, type(self), self.log_queue):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(needed))
        raise ValueError(message)

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
            return
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
        """Set a parameter in the run; the next step, or the next read of an output, applies it."""
        model = self._present_model()
        if model is None:
            self._refuse(str(self._failure))
            return
        try:
            model.check_changes({name: value})
        except (TypeError, ValueError) as error:
            self._refuse(str(error))
            return
        self._parameters[reference - self._first_parameter] = value
        self._is_extreme = self._is_extreme or not is_ordinary(value)
        self._tuned_model = model
        self._model = self._outputs = None


def _wrong_type(reference: int, wanted: str) -> str:
    return f"valueReference {reference} must refer to a variable of type {wanted}"
