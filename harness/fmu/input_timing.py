"""Interpretation of inputs between communication points, which must agree in case and FMU.

FrictionalShock has the parameter `input_timing`. DisChoc always uses values at the end of a step.
The user must know the interpretation of other FMUs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fmu_src.models import fmu_definition, fmu_names
from harness.fmu.experiment import Experiment, StepEnd
from harness.fmu.interface import FmuInterface
from harness.schema import ParameterValue
from wearmodel.kernel.limits import LONGEST_DERIVATIVE
from wearmodel.kernel.shoe.parameters import InputTiming

_PARAMETER = "input_timing"
_ORDER = "input_extrapolation_order"
# Default of other FMUs: according to FMI, inputs are constant over a step.
_HOLD = 0


@dataclass(frozen=True)
class InputReading:
    """Interpretation of inputs between communication points."""

    # Whether the input set before a step is the value at its start or its end. With "end", inputs
    # are linear over a step.
    end: StepEnd
    # Order of the extrapolation with "start", −1 for automatic.
    order: int = _HOLD
    # Whether the FMU has the parameter `input_timing`.
    is_chosen: bool = False
    # Highest order of derivatives set at the start of each step instead of an extrapolation, or 0.
    derivatives: int = 0

    @property
    def is_extrapolated(self) -> bool:
        """Whether the FMU extrapolates inputs over a step from past samples."""
        return self.end == "start" and not self.derivatives


def input_reading(
    experiment: Experiment, interface: FmuInterface, parameters: Mapping[str, ParameterValue]
) -> InputReading:
    """Return how an FMU, or a shipped model without an FMU, interprets its inputs.

    Raises ValueError if `experiment.input_at` or `experiment.input_derivatives` does not agree with
    the model, the extrapolation order has another type, or a run without an FMU must stop at
    events.
    """
    if interface.is_model and experiment.stop_at_events:
        raise ValueError(
            "stop_at_events = true requires an FMU of FMI 3.0, and this run does not use an FMU"
        )
    end = _input_end(experiment, interface, parameters)
    description = interface.description
    most = LONGEST_DERIVATIVE if description.modelName in fmu_names() else None
    # FMI 3.0 does not have this attribute.
    if not description.coSimulation.canInterpolateInputs:
        most = 0
    derivatives = _derivatives(experiment, end, most, interface.path.name)
    variable = interface.variables.get(_ORDER)
    if variable is None or (variable.causality, variable.type) != ("parameter", "Integer"):
        return InputReading(end, derivatives=derivatives)
    value = parameters.get(_ORDER, int(variable.start or _HOLD))
    order = int(interface.parameter(_ORDER, value)[1])
    return InputReading(end, order, _PARAMETER in interface.variables, derivatives)


def _derivatives(experiment: Experiment, end: StepEnd, most: int | None, name: str) -> int:
    """Return the highest order of derivatives to set. `most` is the limit, or None if unknown."""
    wanted = experiment.input_derivatives
    if wanted is False:
        return 0
    setting = f"input_derivatives = {str(wanted).lower()}"
    if end == "end":
        raise ValueError(
            f"{setting} requires input_timing = 'start', because inputs with 'end' are linear over "
            "a step"
        )
    if most == 0:
        raise ValueError(
            f"{setting}: {name} does not accept derivatives of inputs, which require FMI 2.0 with "
            "canInterpolateInputs = true: run FrictionalShock or ModalShock with --native, or a "
            "sweep with engine = 'kernel'"
        )
    if wanted is True:
        if most is None:
            raise ValueError(
                f"{setting}: the highest order that {name} accepts is not known: set the order, as "
                "in input_derivatives = 1"
            )
        return most
    if most is not None and wanted > most:
        raise ValueError(f"{setting} must be ≤ {most}, the highest order that {name} accepts")
    return wanted


def _input_end(
    experiment: Experiment, interface: FmuInterface, parameters: Mapping[str, ParameterValue]
) -> StepEnd:
    variable = interface.variables.get(_PARAMETER)
    model = interface.description.modelName
    if variable is None or (variable.causality, variable.type) != ("parameter", "Enumeration"):
        always = fmu_definition(model).input_timing if model in fmu_names() else None
        return _agreed(experiment.input_at, always, f"the rule of {interface.path.name}")
    given = _PARAMETER in parameters
    code = interface.parameter(_PARAMETER, parameters[_PARAMETER])[1] if given else variable.start
    why = "as set" if given else f"the default of {interface.path.name}"
    return _agreed(experiment.input_at, InputTiming(int(code)).name, why)


def _agreed(input_at: StepEnd | None, timing: str | None, why: str) -> StepEnd:
    if timing is None:
        return input_at or "start"
    if input_at is not None and input_at != timing:
        raise ValueError(
            f"input_at = {input_at!r} must be equal to input_timing = {timing!r}, {why}: remove "
            "input_at to use the setting of the FMU"
        )
    return "end" if timing == "end" else "start"
