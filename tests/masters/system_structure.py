"""The SSP archive of a job, as written by `wearfmu ssp`."""

from __future__ import annotations

from pathlib import Path

from harness.fmu.ssp import PARAMETER_SET, write_system_package

from .job import Job, codes

__all__ = ["PARAMETER_SET", "write_ssp"]


def write_ssp(job: Job, path: Path) -> Path:
    """Write the archive of a job and return its path.

    Raises
    ------
    FmuError
        If an FMU cannot be read.
    """
    motion, shoe = job.interfaces()
    write_system_package(
        path,
        motion.path,
        shoe.path,
        motion=codes(motion, job.motion),
        shoe=codes(shoe, job.shoe),
        outputs=job.outputs,
        stop_time=job.stop_time,
    )
    return path
