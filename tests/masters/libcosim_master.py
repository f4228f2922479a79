"""libcosim, through libcosimpy: the fixed-step master of the Open Simulation Platform.

It does not support FMI 2.0 enumerations and omits their variables. Its jobs do not set any, see
`enumerations`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.fmu.interface import FmuInterface

from .job import SINK, SOURCE, Job, MasterError, Played, Value, codes
from .system_structure import write_ssp

_NANOSECONDS = 1e9


def play_connected(job: Job) -> Played:
    """Run with slaves that are added and connected individually."""
    return _play(job, _connected)


def play_ssp(job: Job) -> Played:
    """Run an SSP archive."""
    return _play(job, _of_ssp)


def _play(job: Job, execution_of: Callable[[Job, Path], Any]) -> Played:
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver

    log_output_level(CosimLogLevel.ERROR)
    with tempfile.TemporaryDirectory(prefix="wearfmu-") as folder:
        execution = execution_of(job, Path(folder))
        observer = CosimObserver.create_last_value()
        execution.add_observer(observer)
        shoe = execution.slave_index_from_instance_name("shoe")
        interface = job.interfaces()[1]
        references = [interface.variables[name].valueReference for name in job.outputs]
        rows: list[tuple[float, ...]] = []
        seconds = 0.0
        done = 0
        for mark in job.marks:
            began = time.perf_counter()
            went = execution.step(mark - done)
            seconds += time.perf_counter() - began
            if not went:
                raise MasterError(f"libcosim failed between steps {done} and {mark}{_reason()}")
            done = mark
            rows.append(tuple(observer.last_real_values(shoe, references)))
        del execution
    return Played(tuple(rows), seconds)


def _connected(job: Job, _folder: Path) -> Any:
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimSlave import CosimLocalSlave

    execution = CosimExecution.from_step_size(round(job.step_size * _NANOSECONDS))
    motion_interface, shoe_interface = job.interfaces()
    motion = execution.add_local_slave(CosimLocalSlave(job.motion_fmu, "motion"))
    shoe = execution.add_local_slave(CosimLocalSlave(job.shoe_fmu, "shoe"))
    _set_start_values(execution, motion, motion_interface, job.motion)
    _set_start_values(execution, shoe, shoe_interface, job.shoe)
    execution.connect_real_variables(
        motion,
        motion_interface.variables[SOURCE].valueReference,
        shoe,
        shoe_interface.variables[SINK].valueReference,
    )
    return execution


def _of_ssp(job: Job, folder: Path) -> Any:
    from libcosimpy.CosimExecution import CosimExecution

    archive = write_ssp(job, folder / "pair.ssp")
    return CosimExecution.from_ssp_file(str(archive), round(job.step_size * _NANOSECONDS))


def _set_start_values(
    execution: Any, slave: int, interface: FmuInterface, values: Mapping[str, Value]
) -> None:
    setters = {
        "Real": execution.real_initial_value,
        "Integer": execution.integer_initial_value,
        "Boolean": execution.boolean_initial_value,
        "String": execution.string_initial_value,
    }
    for name, value in codes(interface, values).items():
        variable = interface.variables[name]
        if not setters[variable.type](slave, variable.valueReference, value):
            raise MasterError(f"libcosim does not take {name}={value!r}{_reason()}")


def _reason() -> str:
    from libcosimpy._internal import get_last_error_message

    return f": {get_last_error_message()}"
