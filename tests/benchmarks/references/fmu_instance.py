"""An instance of an FMU that fmpy calls with preallocated C arrays."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fmpy
from fmpy import fmi2


class FmuInstance:
    """An instance with minimal overhead: a step sets inputs, calls doStep and gets outputs.

    Parameters
    ----------
    path, folder
        The FMU, and an empty folder to unpack it in.
    inputs, outputs
        Names of the variables that are set before and read after each step.
    """

    def __init__(
        self, path: Path, folder: Path, inputs: Sequence[str], outputs: Sequence[str]
    ) -> None:
        description = fmpy.read_model_description(path)
        self.slave = fmi2.FMU2Slave(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=fmpy.extract(path, folder),
            instanceName="benchmark",
        )
        self.slave.instantiate()
        self.variables = {variable.name: variable for variable in description.modelVariables}
        self.input_references = self._references(inputs)
        self.input_values = (ctypes.c_double * len(inputs))()
        self.output_references = self._references(outputs)
        self.output_values = (ctypes.c_double * len(outputs))()

    def start(self, **parameters: Any) -> None:
        """Set parameters and initialise at t = 0."""
        for name, value in parameters.items():
            variable = self.variables[name]
            if variable.type in ("Real", "Boolean"):
                setter = getattr(self.slave, f"set{variable.type}")
                setter([variable.valueReference], [value])
            else:
                self.slave.setInteger([variable.valueReference], [value])
        self.slave.setupExperiment()
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()

    def restart(self, **parameters: Any) -> None:
        """Reset, set parameters and initialise at t = 0."""
        self.slave.reset()
        self.start(**parameters)

    def close(self) -> None:
        """Terminate and free the instance."""
        self.slave.terminate()
        self.slave.freeInstance()

    def _references(self, names: Sequence[str]) -> Any:
        return (ctypes.c_uint * len(names))(*(self.variables[n].valueReference for n in names))
