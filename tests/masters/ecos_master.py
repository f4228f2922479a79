"""ecos, through ecospy: a fixed-step master that reads FMI 1, 2, 3 and SSP.

Its library needs Intel's libtbb. The package `tbb` installs it in a folder that the system does not
search, so it is loaded beforehand. ecos ignores refused steps and does not show the log. After a
refused parameter, outputs remain constant.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .job import SINK, SOURCE, Job, MasterError, Played, codes
from .system_structure import PARAMETER_SET, write_ssp


def play_connected(job: Job) -> Played:
    """Run with models that are added and connected individually."""
    ecospy = ecos_library()
    motion, shoe = job.interfaces()
    values = {f"motion::{name}": value for name, value in codes(motion, job.motion).items()}
    values |= {f"shoe::{name}": value for name, value in codes(shoe, job.shoe).items()}
    with ecospy.EcosSimulationStructure() as structure:
        structure.add_model("motion", job.motion_fmu)
        structure.add_model("shoe", job.shoe_fmu)
        structure.make_real_connection(f"motion::{SOURCE}", f"shoe::{SINK}")
        structure.add_parameter_set(PARAMETER_SET, values)
        with ecospy.EcosSimulation(structure=structure, step_size=job.step_size) as simulation:
            return _play(job, simulation)


def play_ssp(job: Job) -> Played:
    """Run an SSP archive. Its parameters apply only if their set is named."""
    ecospy = ecos_library()
    with tempfile.TemporaryDirectory(prefix="wearfmu-") as folder:
        archive = write_ssp(job, Path(folder) / "pair.ssp")
        with ecospy.EcosSimulation(ssp_path=str(archive), step_size=job.step_size) as simulation:
            return _play(job, simulation)


def _play(job: Job, simulation: Any) -> Played:
    if not simulation.init(parameter_set=PARAMETER_SET):
        raise MasterError("ecos could not initialise")
    rows: list[tuple[float, ...]] = []
    seconds = 0.0
    done = 0
    for mark in job.marks:
        began = time.perf_counter()
        simulation.step(mark - done)
        seconds += time.perf_counter() - began
        done = mark
        rows.append(tuple(simulation.get_real(f"shoe::{name}") for name in job.outputs))
    simulation.terminate()
    return Played(tuple(rows), seconds)


def ecos_library() -> Any:
    """Return ecospy after loading the library that it needs."""
    for library in sorted(Path(sys.prefix, "lib").glob("libtbb.so.*")):
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        break
    import ecospy

    ecospy.EcosLib.set_log_level("warn")
    return ecospy
