"""What an FMU takes an input for between communication points: what case and FMU say must agree.

FrictionalShock has the parameter `input_timing`; DisChoc takes values of the step's end always. Of
any other FMU only the user knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import fmu_definition, fmu_names
from harness.fmu.experiment import Experiment, StepEnd
from harness.fmu.interface import FmuInterface
from harness.schema import ParameterValue
from wearmodel.kernel.limits import LONGEST_DERIVATIVE
from wearmodel.kernel.shoe.parameters import InputTiming

_PARAMETER = "input_timing"
_ORDER = "input_extrapolation_order"
# Of an FMU that does not say: FMI holds inputs over a step.
_HOLD = 0


@dataclass(frozen=True)
class InputReading:
    """What an FMU takes an input for between communication points.

    Parameters
    ----------
    end : {"start", "end"}
        Which end of a step the input set before it is for; `end` joins the values by lines.
    order : int
        With `start` the order of the extrapolation, −1 automatic.
    is_chosen : bool
        Whether the parameter `input_timing` chooses the end.
    derivatives : int
        Up to which order the FMU is given derivatives at each step's start, in the place of an
        extrapolation; 0 where it is given none.
    """

    end: StepEnd
    order: int = _HOLD
    is_chosen: bool = False
    derivatives: int = 0

    @property
    def is_extrapolated(self) -> bool:
        """Whether the FMU guesses the input over a step from past samples."""
        return self.end == "start" and not self.derivatives


def input_reading(
    experiment: Experiment, interface: FmuInterface, parameters: Mapping[str, ParameterValue]
) -> InputReading:
    """Return what an FMU takes inputs for.

    Raises
    ------
    ValueError
        If `experiment.input_at` is given and differs from what the FMU takes, if it is to be given
        derivatives and takes none, or if the parameter of the order has another type.
    """
    end = _input_end(experiment, interface, parameters)
    description = interface.description
    most = LONGEST_DERIVATIVE if description.modelName in fmu_names() else None
    # Never in FMI 3.0, which has no such capability.
    if not description.coSimulation.canInterpolateInputs:
        most = 0
    derivatives = _derivatives(experiment, end, most, interface.path.name)
    variable = interface.variables.get(_ORDER)
    if variable is None or (variable.causality, variable.type) != ("parameter", "Integer"):
        return InputReading(end, derivatives=derivatives)
    value = parameters.get(_ORDER, int(variable.start or _HOLD))
    order = int(interface.parameter(_ORDER, value)[1])
    return InputReading(end, order, _PARAMETER in interface.variables, derivatives)


def input_reading_of_model(
    experiment: Experiment, definition: FmuDefinition, parameters: Mapping[str, ParameterValue]
) -> InputReading:
    """Return the same for a run without an FMU.

    Raises
    ------
    ValueError
        As above, or if the run is to stop at events.
    """
    if experiment.stop_at_events:
        raise ValueError(
            "stop_at_events = true goes with an FMU of FMI 3.0; a run without an FMU does not stop"
        )
    end = _input_end_of_model(experiment, definition, parameters)
    native = definition.native
    takes_any = native is not None and native.input_derivatives is not None
    most = LONGEST_DERIVATIVE if takes_any else 0
    derivatives = _derivatives(experiment, end, most, definition.name)
    order = parameters.get(_ORDER, getattr(definition.parameters, _ORDER, _HOLD))
    if isinstance(order, bool) or not isinstance(order, int):
        raise ValueError(f"{_ORDER}={order!r} must be a whole number")
    return InputReading(end, order, hasattr(definition.parameters, _PARAMETER), derivatives)


def _derivatives(experiment: Experiment, end: StepEnd, most: int | None, name: str) -> int:
    """Return how many derivatives are given to what takes `most`, None where that is not known."""
    asked = experiment.input_derivatives
    if asked is False:
        return 0
    said = f"input_derivatives = {str(asked).lower()}"
    if end == "end":
        raise ValueError(
            f"{said} goes with input_timing = 'start': with 'end' an input is a straight line over "
            "a step"
        )
    if most == 0:
        raise ValueError(
            f"{said}: {name} takes no derivatives of its inputs: FMI 3.0 has none, and in FMI 2.0 "
            "canInterpolateInputs must be true; FrictionalShock and ModalShock of FMI 2.0 take "
            "them with --native, and sweeps with engine = 'kernel'"
        )
    if asked is True:
        if most is None:
            raise ValueError(
                f"{said}: {name} does not say how many it takes; give their highest order, as in "
                "input_derivatives = 1"
            )
        return most
    if most is not None and asked > most:
        raise ValueError(f"{said} must be ≤ {most}, the highest order that {name} takes")
    return asked


def _input_end(
    experiment: Experiment, interface: FmuInterface, parameters: Mapping[str, ParameterValue]
) -> StepEnd:
    variable = interface.variables.get(_PARAMETER)
    model = interface.description.modelName
    if variable is None or (variable.causality, variable.type) != ("parameter", "Enumeration"):
        always = fmu_definition(model).input_timing if model in fmu_names() else None
        return _agreed(experiment.input_at, always, f"as {interface.path.name} always takes it")
    given = _PARAMETER in parameters
    code = interface.parameter(_PARAMETER, parameters[_PARAMETER])[1] if given else variable.start
    why = "as set" if given else f"the default of {interface.path.name}"
    return _agreed(experiment.input_at, InputTiming(int(code)).name, why)


def _input_end_of_model(
    experiment: Experiment, definition: FmuDefinition, parameters: Mapping[str, ParameterValue]
) -> StepEnd:
    default = getattr(definition.parameters, _PARAMETER, None)
    if default is None:
        always = f"as {definition.name} always takes it"
        return _agreed(experiment.input_at, definition.input_timing, always)
    if _PARAMETER in parameters:
        return _agreed(experiment.input_at, str(parameters[_PARAMETER]), "as set")
    return _agreed(experiment.input_at, default.name, f"the default of {definition.name}")


def _agreed(input_at: StepEnd | None, timing: str | None, why: str) -> StepEnd:
    if timing is None:
        return input_at or "start"
    if input_at is not None and input_at != timing:
        raise ValueError(
            f"input_at = {input_at!r} must be equal to input_timing = {timing!r}, {why}; "
            "leave input_at out to follow the FMU"
        )
    return "end" if timing == "end" else "start"
