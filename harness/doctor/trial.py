"""One step of an FMU in this Python: `python -m harness.doctor.trial FMU`."""

from __future__ import annotations

import sys
from pathlib import Path

from fmpy.fmi1 import FMICallException

from harness.fmu.instance import open_slave, refusal
from harness.fmu.interface import read_interface

STEP_SIZE = 1e-3
"""Size of the step [s]."""


def step_once(fmu_path: Path) -> None:
    """Load an FMU, take a step and free it, or raise FmuError or RunError."""
    messages: list[str] = []
    with open_slave(read_interface(fmu_path), messages) as slave:
        try:
            slave.enter_initialization(0.0)
            slave.exit_initialization()
            slave.step(0.0, STEP_SIZE)
            slave.terminate()
        except FMICallException as problem:
            raise refusal(problem, "the first step", messages) from None


if __name__ == "__main__":
    step_once(Path(sys.argv[1]))
