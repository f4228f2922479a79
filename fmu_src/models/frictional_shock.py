"""FrictionalShock.fmu: the two calls to the model, and its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wearmodel.kernel.shoe.inputs_outputs import INPUTS, OUTPUTS
from wearmodel.kernel.shoe.parameters import (
    RULES,
    FrictionalShockParameters,
    InputTiming,
)
from wearmodel.models.frictional_shock import (
    CHANGE_RULES,
    FAILURE_REASONS,
    LATE_INPUTS,
    START_FAILURES,
    STATE_RULES,
    step_failures,
)
from wearmodel.models.frictional_shock import FrictionalShock as FrictionalShockModel

from ..bundled.definition import (
    NO_DERIVATIVES_AT_END,
    SDND104,
    Experiment,
    FmuDefinition,
    InputDerivatives,
    NativeForm,
    Page,
)
from ..bundled.slave import SafeSlave
from ..bundled.variables import variables_of


class FrictionalShock(SafeSlave):
    """A mass on a moving support, with stick, slip, flight and shocks."""

    title = (
        "Frictional shock with wear: a mass on a moving support with stick, slip, flight and "
        "shocks. Outputs are forces, slip velocity, wear power and accumulated wear"
    )
    table = variables_of(INPUTS, OUTPUTS, FrictionalShockParameters)

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> FrictionalShockModel:
        """Return the model at its start."""
        return FrictionalShockModel(
            FrictionalShockParameters(**parameters),
            start_time=start_time,
            base_acceleration=inputs[0],
            base_acceleration_normal=inputs[1],
            tangential_load=inputs[2],
            normal_load=inputs[3],
        )

    def advance(
        self, model: FrictionalShockModel, time: float, step_size: float, inputs: Sequence[float]
    ) -> str | None:
        """Take one step. The model uses the master's time, so that rounding does not accumulate."""
        acceleration, normal_acceleration, load, normal_load = inputs
        warning = model.step(step_size, acceleration, normal_acceleration, load, normal_load)
        model.now.time = time + step_size
        return warning


FMU = FmuDefinition(
    slave=FrictionalShock,
    parameters=FrictionalShockParameters,
    page=Page(
        models=(
            "models.frictional_shock",
            "kernel.shoe.normal",
            "kernel.shoe.tangential",
            "kernel.shoe.transitions",
            "kernel.series.oscillator",
            "kernel.inputs.extrapolation",
        ),
        rules=(
            "With input_timing start, the input set before a step is the value at the step's "
            "start. Over the step it is extrapolated by the polynomial through the last "
            "input_extrapolation_order + 1 values, or fewer if short steps precede a long one. "
            "With order -1 the order is chosen from the errors of past predictions. With "
            "input_timing end, the input is the value at the step's end, linearly interpolated.",
            "The defaults of the parameters are those of SDND104: with the input 15 sin(2πt) m/s2 "
            "the mean of wear_power over [4, 12] s is 15.2671 W.",
            "If the support is a body of its own, support_force_tangential and "
            "support_force_normal act on it, and its acceleration is the input. In rigid stick the "
            "force depends directly on the acceleration: repeat the step from a saved state until "
            "both agree.",
        ),
        limits=(
            "Wear changes the gap only with wear_feedback, and never stiffness or shape. Results "
            "for hours to years follow from wear_time_scale, or by scaling with the mean wear "
            "power.",
            "One mass with one tangential direction. Friction does not depend on temperature or "
            "on the time at rest.",
            "A rigid contact comes to rest when its remaining bounces take less than 1e-9 s and "
            "1e-12 of the height of fall. More than 10 000 events in one step are an error.",
        ),
        references=(
            SDND104,
            "Archard, Contact and rubbing of flat surfaces, J. Appl. Phys. 24 (1953)",
        ),
        sketch="frictional_shock.svg",
    ),
    experiment=Experiment(
        description="SDND104 at 15 m/s2: a mass that slides on a moving support, two periods",
        stop_time=2.0,
        step_size=1e-3,
        output_stride=10,
        inputs={"base_acceleration": lambda time: 15.0 * math.sin(2.0 * math.pi * time)},
        outputs=(
            "normal_force",
            "friction_force",
            "slip_velocity",
            "relative_displacement",
            "wear_power",
            "wear_work",
            "contact_mode",
            "slip_count",
        ),
        note="Set the stimulus of each instant before the step that starts there. The input is\n"
        "extrapolated over a step, so that results depend slightly on the step size.",
    ),
    native=NativeForm(
        start="shoe.steps.start",
        step="shoe.steps.step",
        step_to_event="shoe.steps_to_events.step_to_event",
        pass_event="shoe.steps_to_events.pass_event",
        settle="shoe.stepper.settle_start",
        take_event_inputs="shoe.event_inputs.take_event_inputs",
        outputs="shoe.steps.outputs",
        complete="shoe.parameters.complete_parameters",
        failures={**START_FAILURES, **LATE_INPUTS, **step_failures(FAILURE_REASONS)},
        broken_rule="shoe.parameters.broken_rule",
        rules=RULES,
        broken_state="shoe.saved_state.broken_state",
        state_rules=STATE_RULES,
        change_parameters="shoe.parameter_change.change_parameters",
        change_rules=CHANGE_RULES,
        broken_standing_rule="shoe.parameters.broken_standing_rule",
        input_derivatives=InputDerivatives(
            step="shoe.input_derivatives.step_with_derivatives",
            refused_where=("input_timing", InputTiming.end),
            reason=NO_DERIVATIVES_AT_END,
        ),
        coefficient="contact.friction.sliding_friction",
        accumulated=(
            "wear_work",
            "wear_work_upper",
            "friction_work",
            "sliding_distance",
            "impulse",
            "damping_work",
            "stop_impulse",
            "stop_work",
            "parameter_change_work",
        ),
        acting_back="wear_feedback",
        discrete=("order",),
    ),
)
