"""An FMU as a Python object: variables, and runs with parameters and inputs from Python.

import numpy as np
from harness import load_fmu
shoe = load_fmu("FrictionalShock")
run = shoe.simulate(
    12.0, 1e-3, inputs={"base_acceleration": lambda t: 15.0 * np.sin(2.0 * np.pi * t)}
)
run.plot("slip_velocity", "wear_work").show()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import ValidationError

from harness.fmu.experiment import Experiment, StepEnd
from harness.fmu.files import own_fmu
from harness.fmu.history import RunRecord
from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.signals import ConstantSignal, SampledSignal, Signal
from harness.fmu.simulation import simulate
from harness.messages import first_problem
from wearmodel.arrays import Floats

InputValues: TypeAlias = float | ArrayLike | Callable[[float], float]


def load_fmu(source: Path | str, *, folder: Path | str | None = None) -> LoadedFmu:
    """Open a shipped FMU (built if necessary), or any FMI 2.0 or 3.0 co-simulation FMU.

    - `source`: name of a shipped FMU, such as `"FrictionalShock"`, or the path of an .fmu file
    - `folder`: folder for built FMUs. The default is `build` in the current folder if it contains
      the FMU (from `wearfmu build`), otherwise the user's cache.

    Raises FmuError if the FMU does not exist or cannot be read, and OSError if `folder` cannot be
    written.
    """
    is_file = Path(source).suffix == ".fmu"
    place = None if folder is None else Path(folder)
    return LoadedFmu(Path(source) if is_file else own_fmu(str(source), place))


class LoadedFmu:
    """An FMU that can be run any number of times.

    Raises FmuError if the FMU cannot be read, or does not support co-simulation by FMI 2.0 or 3.0.
    """

    def __init__(self, path: Path) -> None:
        self.interface: FmuInterface = read_interface(path)

    @property
    def path(self) -> Path:
        """The .fmu file."""
        return self.interface.path

    @property
    def parameters(self) -> dict[str, str]:
        """Names of the parameters with their defaults from the model description."""
        return {
            name: variable.start or ""
            for name, variable in self._with_causality("parameter").items()
        }

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return tuple(self._with_causality("input"))

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the numeric outputs."""
        return self.interface.outputs()

    def simulate(
        self,
        stop_time: float,
        step_size: float,
        *,
        start_time: float = 0.0,
        parameters: Mapping[str, bool | int | float | str] | None = None,
        inputs: Mapping[str, InputValues] | NDArray[Any] | None = None,
        variables: Sequence[str] | None = None,
        input_at: StepEnd | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> RunRecord:
        """Run the FMU and return its histories.

        - `stop_time`, `step_size`, `start_time`: times and communication step [s]. The duration
          must be a whole number of steps.
        - `parameters`: values by name. Enumerations are given by name or number. Others keep their
          defaults.
        - `inputs`: by name: a number, an array with one value per communication point, or a
          function of the time [s]. A structured array (as in FMPy) or a data frame needs a column
          `time` and is interpolated linearly. Other inputs keep their start value.
        - `variables`: names of variables to record. The default is all outputs.
        - `input_at`: whether inputs are values at the start or the end of a step. The default is
          the `input_timing` of the FMU if it has this parameter.
        - `progress`: called with the completed fraction, 0 to 1

        Raises ValueError if a name is unknown, a value does not fit, or the steps do not divide the
        duration. Raises FmuError and RunError as `harness.simulate`.
        """
        try:
            experiment = Experiment(
                start_time=float(start_time),
                stop_time=float(stop_time),
                step_size=float(step_size),
                input_at=input_at,
            )
        except ValidationError as problem:
            raise ValueError(first_problem(problem)) from None
        if isinstance(variables, str):
            variables = (variables,)
        return simulate(
            self.path,
            experiment,
            parameters={name: _plain(value) for name, value in (parameters or {}).items()},
            inputs=signals_of(inputs, experiment.times()),
            variables=None if variables is None else tuple(variables),
            progress=progress,
        )

    def __repr__(self) -> str:
        return (
            f"<LoadedFmu {self.path.name}: {len(self.inputs)} inputs, {len(self.outputs)} outputs, "
            f"{len(self.parameters)} parameters>"
        )

    def _repr_html_(self) -> str:
        """Return a table of inputs, outputs and parameters for notebooks."""
        rows = "".join(
            f"<tr><th scope='row'>{escape(name)}</th><td>{variable.causality}</td>"
            f"<td>{escape(variable.unit or '')}</td><td>{escape(variable.start or '')}</td>"
            f"<td>{escape(variable.description or '')}</td></tr>"
            for name, variable in self.interface.variables.items()
            if variable.causality in ("input", "output", "parameter")
        )
        return (
            f"<table><caption>{escape(repr(self)[1:-1])}</caption><thead><tr><th>variable</th>"
            "<th>causality</th><th>unit</th><th>start</th><th>description</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )

    def _with_causality(self, causality: str) -> dict[str, Any]:
        return {
            name: variable
            for name, variable in self.interface.variables.items()
            if variable.causality == causality
        }


def signals_of(
    inputs: Mapping[str, InputValues] | NDArray[Any] | None, times: Floats
) -> dict[str, Signal]:
    """Return the signals of inputs given in Python, see `LoadedFmu.simulate`.

    Raises ValueError if an array does not have the length of `times`, a value is not finite, or a
    table does not have increasing times.
    """
    if inputs is None:
        return {}
    if not isinstance(inputs, Mapping):
        return _table_signals(inputs)
    return {name: _signal(name, values, times) for name, values in inputs.items()}


def _plain(value: Any) -> Any:
    """Return a Python number for a numpy number."""
    return value.item() if isinstance(value, np.generic) else value


def _signal(name: str, values: InputValues, times: Floats) -> Signal:
    if callable(values):
        return _table(name, times, [float(values(time)) for time in times.tolist()])
    samples = np.asarray(values, dtype=np.float64)
    if samples.ndim == 0:
        if not np.isfinite(samples):
            raise ValueError(f"input {name}[0]={samples} must be finite")
        return ConstantSignal(kind="constant", value=float(samples))
    if samples.shape != times.shape:
        raise ValueError(
            f"input {name} of shape {samples.shape} must have one value for each of the "
            f"{len(times)} communication points"
        )
    return _table(name, times, samples)


def _table_signals(table: Any) -> dict[str, Signal]:
    """Return the signals in the columns of a structured array or a data frame."""
    rows = table.to_records(index=False) if hasattr(table, "to_records") else np.asarray(table)
    names = rows.dtype.names or ()
    if "time" not in names:
        raise ValueError(f"inputs must have a column 'time' and have the columns {list(names)}")
    return {name: _table(name, rows["time"], rows[name]) for name in names if name != "time"}


def _table(name: str, times: ArrayLike, values: ArrayLike) -> SampledSignal:
    samples = np.asarray(values, dtype=np.float64)
    for row in np.flatnonzero(~np.isfinite(samples))[:1]:
        raise ValueError(f"input {name}[{row}]={samples[row]} must be finite")
    try:
        return SampledSignal(np.asarray(times, dtype=np.float64), samples)
    except ValueError as problem:
        raise ValueError(f"input {name}: {problem}") from None
