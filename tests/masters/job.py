"""The job of a master and its result. Both can be converted to JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.ssp import SINK, SOURCE

__all__ = ["SINK", "SOURCE", "Job", "MasterError", "Played", "Value", "codes"]

Value = bool | int | float | str


class MasterError(RuntimeError):
    """A master is not installed, failed, or cannot run the job. The message is a single line."""


@dataclass(frozen=True)
class Job:
    """A run of BaseMotion.fmu connected to FrictionalShock.fmu.

    Parameters
    ----------
    motion_fmu, shoe_fmu : str
        Paths.
    motion, shoe : mapping
        Start values of parameters by name. Enumerations are given by the name of the literal.
    step_size : float
        Communication step [s].
    marks : tuple of int
        Numbers of steps, increasing, after which the outputs are read.
    outputs : tuple of str
        Real outputs of the shoe.
    """

    motion_fmu: str
    shoe_fmu: str
    motion: Mapping[str, Value]
    shoe: Mapping[str, Value]
    step_size: float
    marks: tuple[int, ...]
    outputs: tuple[str, ...]

    @property
    def stop_time(self) -> float:
        """End of the last step [s]."""
        return self.marks[-1] * self.step_size

    def interfaces(self) -> tuple[FmuInterface, FmuInterface]:
        """Return the variables of both FMUs."""
        return read_interface(Path(self.motion_fmu)), read_interface(Path(self.shoe_fmu))

    def to_json(self) -> str:
        """Return the job as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        """Return the job from the text of `to_json`."""
        fields = json.loads(text)
        return cls(
            **{**fields, "marks": tuple(fields["marks"]), "outputs": tuple(fields["outputs"])}
        )


@dataclass(frozen=True)
class Played:
    """Result of a master.

    Parameters
    ----------
    values : tuple of tuple of float
        A row for each mark, with a value for each output of the job.
    seconds : float
        Wall time of all steps. `Master.seconds_are` lists the included costs of the master.
    """

    values: tuple[tuple[float, ...], ...]
    seconds: float

    def to_json(self) -> str:
        """Return the result as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Played:
        """Return the result from the text of `to_json`."""
        fields = json.loads(text)
        return cls(tuple(tuple(row) for row in fields["values"]), fields["seconds"])


def codes(interface: FmuInterface, values: Mapping[str, Value]) -> dict[str, float | int | str]:
    """Return start values for FMI. Enumerations and booleans are integers."""
    return {name: interface.parameter(name, value)[1] for name, value in values.items()}
