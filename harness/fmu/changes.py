"""Changes of tunable parameters in a run: what is set at which communication point.

The history's row of that instant is the one before the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fmpy.model_description import ModelVariable

from harness.fmu.experiment import Experiment
from harness.fmu.interface import FmuInterface


@dataclass(frozen=True)
class ParameterChange:
    """New values of parameters from an instant on.

    Parameters
    ----------
    time : float
        A communication point, s, after the start and before the end of the run.
    values : mapping
        By the name of the parameter.
    """

    time: float
    values: Mapping[str, bool | int | float | str]

    def check_time(self, experiment: Experiment) -> None:
        """Raise ValueError unless a step leads to the instant, and another one from it."""
        index = experiment.index_of(self.time)
        if not 0 < index < experiment.step_count:
            raise ValueError(
                f"time={self.time:.12g} s must lie after the start and before the end of the "
                f"experiment [{experiment.start_time:.12g}, {experiment.stop_time:.12g}] s; values "
                "from the start on belong under [parameters]"
            )


def marks(changes: Sequence[ParameterChange]) -> dict[str, float]:
    """Return the instants of changes [s] by what a picture says at them."""
    labelled: dict[str, float] = {}
    for change in changes:
        label = ", ".join(f"{name} = {value}" for name, value in change.values.items())
        # A value that comes again has a mark again.
        while label in labelled:
            label += " "
        labelled[label] = change.time
    return labelled


def tunable_values(
    change: ParameterChange, interface: FmuInterface
) -> list[tuple[ModelVariable, float | int | str]]:
    """Return the variables of a change with their values as FMI takes them.

    Raises
    ------
    ValueError
        A name is that of no tunable parameter, or a value is not of its type.
    """
    values = [interface.parameter(name, value) for name, value in change.values.items()]
    for variable, _ in values:
        if variable.variability != "tunable":
            raise ValueError(
                f"{variable.name!r} is a {variable.variability} parameter of "
                f"{interface.path.name} and cannot change in a run; `wearfmu variables` lists "
                "those that are tunable"
            )
    return values


def changes_by_step(
    changes: Sequence[ParameterChange], experiment: Experiment, interface: FmuInterface
) -> dict[int, list[tuple[ModelVariable, float | int | str]]]:
    """Return by the number of a step, counted from 0, what is set before it."""
    return {
        experiment.index_of(change.time): tunable_values(change, interface) for change in changes
    }
