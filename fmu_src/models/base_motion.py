"""BaseMotion.fmu: the acceleration of a moving support, as a source in masters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from wearmodel.kernel.base_motion.parameters import RULES, BaseMotionParameters, MotionKind
from wearmodel.models.accelerogram import MOTION_HEADER, OWN_MOTION
from wearmodel.models.base_motion import FAILURES, OUTPUTS, STATE_RULES, TEXTS
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

# Name of the only file in the FMU's resources.
_MOTION_FILE = OWN_MOTION.rpartition("/")[2]


class BaseMotion(SafeSlave):
    """A sine, a table or an accelerogram. The output is the value at the present instant."""

    title = (
        "Acceleration of a moving support: sine, table or accelerogram in a file. The output is "
        "the value at the end of the last step, so that a connected FMU receives the value at the "
        "start of its next step"
    )
    table = variables_of((), OUTPUTS, BaseMotionParameters)
    own_motion: ClassVar[bytes | None] = None

    @classmethod
    def load_resources(cls, folder: str) -> None:
        """Read the table in the FMU's resources."""
        cls.own_motion = Path(folder, _MOTION_FILE).read_bytes()

    def create_model(
        self, parameters: dict[str, Any], start_time: float, inputs: Sequence[float]
    ) -> BaseMotionModel:
        """Return the signal at its start."""
        return BaseMotionModel(
            BaseMotionParameters(**parameters), start_time=start_time, own_motion=self.own_motion
        )

    def advance(
        self, model: BaseMotionModel, time: float, step_size: float, inputs: Sequence[float]
    ) -> None:
        """Advance the signal to the end of the step."""
        model.move_to(time + step_size)


def with_motion(definition: FmuDefinition, motion: str) -> FmuDefinition:
    """Return the definition of an FMU with a user's table, selected by `MOTION_STARTS`."""
    return replace(definition, resources={_MOTION_FILE: motion})


#: Start values that select the table in the FMU.
MOTION_STARTS: dict[str, Any] = {"kind": MotionKind.csv, "file": OWN_MOTION}

FMU = FmuDefinition(
    slave=BaseMotion,
    parameters=BaseMotionParameters,
    page=Page(
        models=("models.base_motion", "models.accelerogram"),
        rules=(
            "The output is the value at the present instant, so that a connected FMU receives the "
            "value at the start of its next step.",
        ),
        limits=("Time outside the points of a table or file is rejected.",),
        references=(SDND104,),
    ),
    experiment=Experiment(
        description="The sine of SDND104 at 15 m/s2, one period",
        stop_time=1.0,
        step_size=1e-3,
        output_stride=10,
        inputs={},
        outputs=("acceleration",),
        note="The experiment does not have inputs.",
    ),
    native=NativeForm(
        start="base_motion.steps.start_motion",
        step="base_motion.steps.step_motion",
        outputs="base_motion.steps.motion_outputs",
        failures=FAILURES,
        broken_rule="base_motion.parameters.broken_motion_rule",
        rules=RULES,
        broken_state="base_motion.steps.broken_motion_state",
        state_rules=STATE_RULES,
        points=RecordedPoints(
            kind="kind",
            text=("table", *TEXTS["table"]),
            file=("file", *TEXTS["file"]),
            value_column="value_column",
            header=MOTION_HEADER,
            own_file=OWN_MOTION,
        ),
    ),
)
