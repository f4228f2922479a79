"""What a master is asked to do, and what it gives back; both travel as JSON."""

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
    """A master is not installed, failed, or cannot do what it is asked; one line."""


@dataclass(frozen=True)
class Job:
    """BaseMotion.fmu shakes FrictionalShock.fmu.

    Parameters
    ----------
    motion_fmu, shoe_fmu : str
        Paths.
    motion, shoe : mapping
        Start values of parameters by name; enumerations by the name of the literal.
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
        """Return the variables of motion and shoe."""
        return read_interface(Path(self.motion_fmu)), read_interface(Path(self.shoe_fmu))

    def to_json(self) -> str:
        """Return the job as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Job:
        """Return the job that `to_json` wrote."""
        fields = json.loads(text)
        return cls(
            **{**fields, "marks": tuple(fields["marks"]), "outputs": tuple(fields["outputs"])}
        )


@dataclass(frozen=True)
class Played:
    """What a master gave.

    Parameters
    ----------
    values : tuple of tuple of float
        A row for each mark, in it a value for each output of the job.
    seconds : float
        Wall time of all steps; the master's own costs in it are said by its description.
    """

    values: tuple[tuple[float, ...], ...]
    seconds: float

    def to_json(self) -> str:
        """Return the result as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Played:
        """Return the result that `to_json` wrote."""
        fields = json.loads(text)
        return cls(tuple(tuple(row) for row in fields["values"]), fields["seconds"])


def codes(interface: FmuInterface, values: Mapping[str, Value]) -> dict[str, float | int | str]:
    """Return start values as FMI takes them: enumerations and booleans as integers."""
    return {name: interface.parameter(name, value)[1] for name, value in values.items()}
