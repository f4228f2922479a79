"""What one FMU is: its slave, its parameters, and all that is said of it.

Each module of `fmu_src.models` ends with a definition, `FMU`. The archive, its documentation and
reference results, the native build, the tables of the docs and the harness read it there, so that a
model is one file. It is bundled because that file is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .slave import SafeSlave

# A source that more than one model names.
SDND104 = (
    "EDF, code_aster validation document SDND104 (V5.01.104), wear power of a mass rubbing on a "
    "shaken support, section 2"
)


@dataclass(frozen=True)
class Page:
    """What the documentation says beyond the table: which docstrings, and how the FMU is used.

    `models` are the modules of wearmodel whose docstrings hold the equations; `sketch` is the file
    in `fmu_src/archive` that draws the model.
    """

    models: tuple[str, ...]
    rules: tuple[str, ...]
    limits: tuple[str, ...]
    references: tuple[str, ...]
    sketch: str | None = None


@dataclass(frozen=True)
class Experiment:
    """An experiment with the defaults of all parameters, for the reference results.

    Times are in s; every `output_stride`-th step is a row of the results. `inputs` are functions of
    time by the name of the input.
    """

    description: str
    stop_time: float
    step_size: float
    output_stride: int
    inputs: Mapping[str, Callable[[float], float]]
    outputs: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class NativeForm:
    """What the form without Python needs beside what all FMUs have.

    `partial_dependencies` are, by output, the inputs that it follows; an output that is not there
    follows them all.
    """

    partial_dependencies: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class FmuDefinition:
    """An FMU; `parameters` is the dataclass of the model's parameters.

    `native` is None for a model that runs in Python only.
    """

    slave: type[SafeSlave]
    parameters: Any
    page: Page
    experiment: Experiment
    native: NativeForm | None = None

    @property
    def name(self) -> str:
        """The FMU's name, which is that of the slave's class."""
        return self.slave.__name__

    @property
    def module(self) -> str:
        """Name of the module of `fmu_src.models` that defines the FMU."""
        return self.slave.__module__.rpartition(".")[2]
