"""DisChoc.fmu: the two calls to the model, and its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wearmodel.kernel.limits import MODAL_SERIES_LENGTH
from wearmodel.kernel.spring.parameters import RULES, Drive, ShockSpringParameters
from wearmodel.models.shock_spring import (
    CHANGE_RULES,
    FAILURES,
    INPUTS,
    OUTPUTS,
    STATE_RULES,
    ShockSpring,
)
from wearmodel.quantities import require_finite

from ..bundled.definition import Experiment, FmuDefinition, NativeForm, Page, Terminal
from ..bundled.slave import SafeSlave
from ..bundled.variables import variables_of


class DisChoc(SafeSlave):
    """A quasi-static shock spring, driven by loads or by displacements."""

    title = (
        "Quasi-static shock spring with friction in the plane (DIS_CHOC): an input set before a "
        "step is the value at the step's end, linearly interpolated from the previous value"
    )
    default_step_size = 0.05
    default_stop_time = 2.0
    table = variables_of(INPUTS, OUTPUTS, ShockSpringParameters)

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> ShockSpring:
        """Return the spring after a path from zero to the start inputs."""
        model = ShockSpring(ShockSpringParameters(**parameters))
        require_finite("start_time", start_time, "s")
        # Quasi-static, because the speed is not defined without a step.
        self.advance(model, start_time, math.inf, inputs)
        return model

    def advance(
        self, model: ShockSpring, time: float, step_size: float, inputs: Sequence[float]
    ) -> str | None:
        """Move the spring to the inputs of its drive."""
        # This difference is zero if all inputs and their sum are finite.
        total = sum(inputs)
        if total - total != 0.0:
            for variable, value in zip(self.table, inputs):
                require_finite(variable.name, value, variable.unit)
        if model.parameters.drive is Drive.load:
            return model.step(
                load_x=inputs[0], load_y=inputs[1], load_z=inputs[2], step_size=step_size
            )
        return model.step(
            imposed_displacement_x=inputs[3],
            imposed_displacement_y=inputs[4],
            imposed_displacement_z=inputs[5],
            step_size=step_size,
        )


def _terminal(name: str, given: str, member: str, answer: str) -> Terminal:
    """Return the point with one drive: its inputs and outputs along x, y, z."""
    members = {f"{member}_{axis}": f"{given}_{axis}" for axis in "xyz"}
    members |= {f"{answer}_{axis}": f"{answer}_{axis}" for axis in "xyz"}
    text = f"The point, with drive {member}: {member} in, {answer} out"
    return Terminal(name, "point", text, members)


FMU = FmuDefinition(
    slave=DisChoc,
    parameters=ShockSpringParameters,
    page=Page(
        models=(
            "models.shock_spring",
            "kernel.spring.law",
            "kernel.spring.planar_slip",
            "kernel.spring.path",
            "kernel.spring.image",
        ),
        rules=(
            "The input set before a step is the value at the step's end, linearly interpolated "
            "from the previous value: piecewise-linear histories are exact. A master that sets "
            "the values of the step's start gets the same results one step late.",
            "With effective_mass the inputs are positions of the body at the start of a step, and "
            "the master applies mean_force_x, _y, _z to the body during the whole step: the same "
            "step with lag serial, the following step with lag parallel.",
        ),
        limits=(
            "Quasi-static: without inertia. The step size influences slip_velocity and "
            "wear_power. With displacement drive it also influences dampers and "
            "velocity-dependent friction.",
            "The coefficient of friction in stick is the coefficient of slow slip, or of the "
            "present speed if this is larger. Wear changes the gap only if wear_feedback is set.",
            "A round hole requires drive displacement and friction.",
            "With effective_mass a restitution is accurate if the body holds the force over the "
            "step, from 2 steps per π √(m/K) on with the right mass and from 10 with 0.75 to 1.33 "
            "times the mass. A step never returns early.",
            "An event that a turn of the path causes at a communication point is applied and "
            "counted there. A step does not return early for it, because the new direction is "
            "known only in the step.",
        ),
        references=(
            "EDF, code_aster validation document SSND116, law of behaviour DIS_CHOC in statics, "
            "sections 1 and 2.1",
        ),
        sketch="dis_choc.svg",
    ),
    input_timing="end",
    experiment=Experiment(
        description="SSND116: pressed on, pulled sideways until it slips, and released",
        stop_time=2.05,
        step_size=0.05,
        output_stride=1,
        inputs={
            "load_x": lambda time: -min(time, 1.0),
            "load_y": lambda time: max(0.0, 2.0 - 4.0 * abs(time - 1.5)),
        },
        outputs=(
            "displacement_x",
            "displacement_y",
            "force_x",
            "force_y",
            "slip_y",
            "contact_mode",
            "wear_work",
        ),
        note="The results are one step late:\n"
        "DisChoc uses the input set before a step as the value at the step's end, and the\n"
        "results are those of a master that sets the stimulus of the step's start. Therefore the\n"
        "row at time t contains SSND116's state at t - 0.05 s.",
    ),
    native=NativeForm(
        start="spring.steps.start_spring",
        step="spring.steps.step_spring",
        step_to_event="spring.steps_to_events.step_spring_to_event",
        pass_event="spring.steps_to_events.pass_spring_event",
        take_event_inputs="spring.event_inputs.take_spring_event_inputs",
        outputs="spring.steps.spring_outputs",
        complete="spring.parameters.complete_spring",
        failures=FAILURES,
        broken_rule="spring.parameters.broken_spring_rule",
        rules=RULES,
        broken_state="spring.steps.broken_spring_state",
        state_rules=STATE_RULES,
        change_parameters="spring.parameter_change.change_spring_parameters",
        change_rules=CHANGE_RULES,
        sizes={"terms": (str(MODAL_SERIES_LENGTH),), "axes": ("3",)},
        saved=("s", "contact", "body", "account", "axes"),
        accumulated=("wear_work", "wear_work_upper", "parameter_change_work"),
        acting_back="wear_feedback",
        terminals=(
            _terminal("displacement_drive", "imposed_displacement", "displacement", "force"),
            _terminal("load_drive", "load", "load", "displacement"),
        ),
    ),
)
