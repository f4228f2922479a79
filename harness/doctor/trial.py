"""One step of an FMU in this Python: `python -m harness.doctor.trial FMU`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import fmpy
from fmpy.fmi1 import FMICallException

from harness.errors import FmuError, RunError
from harness.fmu.instance import extract_fmu, open_slave, refusal, safe_folder
from harness.fmu.interface import FmuInterface, read_interface

STEP_SIZE = 1e-3
"""Of the step that is tried, s."""
VERSIONS = (2, 3)
"""Versions of FMI of which an FMU can be tried."""


def step_once(fmu_path: Path) -> None:
    """Load an FMU, take one step, free it.

    Raises
    ------
    FmuError, RunError
        If it cannot be loaded, or refuses a call.
    """
    interface = read_interface(fmu_path, versions=VERSIONS)
    if interface.description.fmiMajorVersion == 3:
        _step_fmi3_once(interface)
        return
    messages: list[str] = []
    with open_slave(interface, messages) as slave:
        try:
            slave.setupExperiment(startTime=0.0)
            slave.enterInitializationMode()
            slave.exitInitializationMode()
            slave.doStep(currentCommunicationPoint=0.0, communicationStepSize=STEP_SIZE)
            slave.terminate()
        except FMICallException as problem:
            raise refusal(problem, "the first step", messages) from None


def _step_fmi3_once(interface: FmuInterface) -> None:
    with tempfile.TemporaryDirectory(prefix="wearfmu-", dir=safe_folder()) as folder:
        extract_fmu(interface.path, folder)
        try:
            fmpy.simulate_fmu(
                folder, stop_time=STEP_SIZE, output_interval=STEP_SIZE, use_event_mode=False
            )
        except FMICallException as problem:
            raise RunError(str(problem)) from None
        except Exception as problem:  # fmpy raises bare Exception for a library it cannot load
            raise FmuError(f"{interface.path}: cannot be loaded: {problem}") from problem


if __name__ == "__main__":
    step_once(Path(sys.argv[1]))
