"""BaseMotion.fmu: the acceleration of a shaken support, as a source for use inside masters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wearmodel.kernel.base_motion.parameters import BaseMotionParameters, MotionKind
from wearmodel.models.base_motion import FAILURES, OUTPUTS, SCALED_UNIT, STATE_RULES
from wearmodel.models.base_motion import BaseMotion as BaseMotionModel

from ..bundled.definition import (
    SDND104,
    Experiment,
    FmuDefinition,
    NativeForm,
    Page,
    RecordedPoints,
)
from ..bundled.slave import SafeSlave
from ..bundled.variables import variables_of


class BaseMotion(SafeSlave):
    """A sine, a table or an accelerogram; the output is the value at the present instant."""

    title = (
        "Acceleration of a shaken support: sine, table or accelerogram in a file; the output is "
        "the value at the end of the last step, so that a slave fed with it gets the value at the "
        "start of its next step"
    )
    table = variables_of((), OUTPUTS, BaseMotionParameters)

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> BaseMotionModel:
        """The signal at its start."""
        return BaseMotionModel(BaseMotionParameters(**parameters), start_time=start_time)

    def advance(
        self, model: BaseMotionModel, time: float, step_size: float, inputs: Sequence[float]
    ) -> None:
        """Go to the end of the step."""
        model.move_to(time + step_size)


FMU = FmuDefinition(
    slave=BaseMotion,
    parameters=BaseMotionParameters,
    page=Page(
        models=("models.base_motion", "models.accelerogram"),
        rules=(
            "The output is the value at the present instant, so that a slave fed with it gets the "
            "value at the start of its next step.",
        ),
        limits=("Time outside the points of a table or file is refused.",),
        references=(SDND104,),
    ),
    experiment=Experiment(
        description="The sine of SDND104 at 15 m/s2, one period",
        stop_time=1.0,
        step_size=1e-3,
        output_stride=10,
        inputs={},
        outputs=("acceleration",),
        note="There is no stimulus.",
    ),
    native=NativeForm(
        start="base_motion.steps.start_motion",
        step="base_motion.steps.step_motion",
        outputs="base_motion.steps.motion_outputs",
        failures=FAILURES,
        broken_state="base_motion.steps.broken_motion_state",
        state_rules=STATE_RULES,
        points=RecordedPoints(
            kind="kind",
            text=("table", MotionKind.table),
            file=("file", MotionKind.csv),
            value_column="value_column",
            scale="scale",
            scaled_unit=SCALED_UNIT,
        ),
    ),
)
