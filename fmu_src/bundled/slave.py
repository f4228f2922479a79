"""The interface between FMI calls and a model, safe for the host.

pythonfmu returns an exception as fmi2Fatal once and crashes the host the second time. It ignores
the results of the initialisation calls, and does not check the order of calls or values. Therefore
these methods do not raise. A rejected call is logged with its reason, the state is kept, and the
next step is rejected with that reason. A step returns OK only if all calls were valid and the
result is finite. If a step returns False, the FMU returns fmi2Error (see `library_repair`).

This module contains the sequence of calls. The state is in `state`, and the access to variables in
`values`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar
from xml.etree.ElementTree import Element

from .call_order import (
    INITIALISING,
    INSTANTIATED,
    STEPPING,
    TERMINATED,
    follows,
    why_not_there,
    why_not_to_its_end,
)
from .model import LONGEST_ORDINARY_STEP, SHORTEST_ORDINARY_STEP, check_finite, is_ordinary
from .model_description import model_description
from .thread_state import keep_thread_state, thread_state
from .values import VariableValues


class SafeSlave(VariableValues):
    """Base of all slaves. A subclass defines `table`, `create_model` and `advance`."""

    title: ClassVar[str]
    release: ClassVar[str] = "0.1.0"
    default_step_size: ClassVar[float] = 1e-3
    default_stop_time: ClassVar[float] = 12.0

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
        keep_thread_state()

    @abstractmethod
    def advance(
        self, model: Any, time: float, step_size: float, inputs: Sequence[float]
    ) -> str | None:
        """Take one step and return a warning, if any.

        If the step fails, raise an exception with a full message and leave the model unchanged.
        """

    def setup_experiment(
        self, start_time: float, stop_time: float | None = None, tolerance: float | None = None
    ) -> None:
        """Remember start and stop time."""
        if self._phase != INSTANTIATED:
            self._refuse(f"fmi2SetupExperiment is not allowed in phase '{self._phase}'")
        elif stop_time is not None and not stop_time >= start_time:
            self._refuse(
                f"fmi2SetupExperiment: stop_time={stop_time!r} s must be ≥ "
                f"start_time={start_time!r} s: both were rejected"
            )
        else:
            self._start_time = self._time = start_time
            self._stop_time = math.inf if stop_time is None else stop_time

    def enter_initialization_mode(self) -> None:
        """Start the initialisation: from here outputs follow from parameters and start inputs."""
        if self._phase != INSTANTIATED:
            self._refuse(f"fmi2EnterInitializationMode is not allowed in phase '{self._phase}'")
            return
        self._phase = INITIALISING
        self._outputs = None

    def exit_initialization_mode(self) -> None:
        """Build the model. If its parameters are invalid, the reason is logged."""
        if self._phase != INITIALISING:
            self._refuse(f"fmi2ExitInitializationMode is not allowed in phase '{self._phase}'")
            return
        self._build_model()
        self._phase = STEPPING

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
            self._report(self._failure)
        self._outputs = None

    def _present_outputs(self) -> Sequence[float]:
        if self._phase == INITIALISING:
            self._build_model()
        elif self._tuned_model is not None:
            try:
                self._put_in_force()
            except Exception as error:
                self._refuse_read(str(error) or repr(error))
        elif self._model is None and self._failure is None:
            self._report(
                f"the outputs are 0 because the model does not exist in phase '{self._phase}'"
            )
        if self._model is None:
            return [0.0] * (self._first_parameter - self._first_output)
        outputs: Sequence[float] = self._model.output_values()
        return outputs

    def do_step(self, current_time: float, step_size: float) -> bool:
        """Take one communication step; False if it was rejected and the state is unchanged."""
        try:
            if not thread_state.kept:
                keep_thread_state()
            model = self._model
            if self._refusals or self._phase != STEPPING or model is None:
                if self._refusals or self._tuned_model is None:
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
        if self._refusals:
            reason = "; ".join(self._refusals)
            self._refusals = []
            return reason
        if self._phase != STEPPING:
            return f"fmi2DoStep is not allowed in phase '{self._phase}'"
        return self._failure or "the model does not exist"

    def _refuse_step(self, message: str) -> bool:
        self._report(message)
        return False

    def to_xml(self, model_options: Any = None) -> Element:
        """Return the model description (called by the builder)."""
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
