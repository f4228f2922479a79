"""Enumerations for masters that have none: built into the FMU as its defaults.

libcosim warns that it leaves FMI 2.0 enumerations out; ecos takes a value for one and drops it.
"""

from __future__ import annotations

from dataclasses import replace

from harness.errors import FmuError
from harness.fmu.files import with_start_values

from .job import Job, MasterError


def without_enumerations(job: Job) -> Job:
    """Return a job that sets no enumeration; FMUs with such defaults lie beside those given.

    They are built where they are missing or stale, so that all masters share them.

    Raises
    ------
    MasterError
        If an FMU cannot be built with other defaults: another one would run in its stead.
    """
    paths, remaining = [], []
    for interface, values in zip(job.interfaces(), (job.motion, job.shoe), strict=True):
        enumerations = {
            name: value
            for name, value in values.items()
            if interface.parameter(name, value)[0].type == "Enumeration"
        }
        path = interface.path
        if enumerations:
            try:
                path = with_start_values(path, interface.description.modelName, enumerations)
            except (FmuError, OSError) as problem:
                names = ", ".join(enumerations)
                raise MasterError(f"cannot set {names}: {problem}") from None
        paths.append(str(path))
        remaining.append({k: v for k, v in values.items() if k not in enumerations})
    return replace(
        job, motion_fmu=paths[0], shoe_fmu=paths[1], motion=remaining[0], shoe=remaining[1]
    )
