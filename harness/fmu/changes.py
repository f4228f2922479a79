"""Changes of tunable parameters at communication points of a run.

The row of the history at that time contains the values before the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fmpy.model_description import ModelVariable

from harness.fmu.experiment import Experiment
from harness.fmu.interface import FmuInterface


@dataclass(frozen=True)
class ParameterChange:
    """New values of parameters by name, from the communication point `time` [s]."""

    time: float
    values: Mapping[str, bool | int | float | str]

    def check_time(self, experiment: Experiment) -> None:
        """Raise ValueError unless the time is between start and end of the run."""
        index = experiment.index_of(self.time)
        if not 0 < index < experiment.step_count:
            raise ValueError(
                f"time={self.time:.12g} s must be after the start and before the end of the "
                f"experiment [{experiment.start_time:.12g}, {experiment.stop_time:.12g}] s: set "
                "values for the whole run under [parameters]"
            )


def marks(changes: Sequence[ParameterChange]) -> dict[str, float]:
    """Return the times of changes [s] by their labels in pictures."""
    labelled: dict[str, float] = {}
    for change in changes:
        label = ", ".join(f"{name} = {value}" for name, value in change.values.items())
        # Labels must be different, even if a change is repeated.
        while label in labelled:
            label += " "
        labelled[label] = change.time
    return labelled


def tunable_values(
    change: ParameterChange, interface: FmuInterface
) -> list[tuple[ModelVariable, float | int | str]]:
    """Return the variables of a change with their values in FMI types.

    Raises ValueError unless all are tunable parameters with values of their type.
    """
    values = [interface.parameter(name, value) for name, value in change.values.items()]
    for variable, _ in values:
        if variable.variability != "tunable":
            raise ValueError(
                f"{variable.name!r} is a {variable.variability} parameter of "
                f"{interface.path.name} and must be tunable to change during a run: `wearfmu "
                "variables` lists the tunable parameters"
            )
    return values
