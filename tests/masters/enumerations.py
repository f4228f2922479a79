"""Enumerations for masters that cannot set them: the FMU is built with them as defaults.

libcosim omits FMI 2.0 enumerations with a warning. ecos accepts a value for an enumeration and
ignores it.
"""

from __future__ import annotations

from dataclasses import replace

from harness.errors import FmuError
from harness.fmu.files import with_start_values

from .job import Job, MasterError


def without_enumerations(job: Job) -> Job:
    """Return a job without enumerations. FMUs with these defaults are next to the given FMUs.

    They are built if they are missing or stale, so that all masters use the same files.

    Raises
    ------
    MasterError
        If an FMU cannot be built with other defaults, because the job would run another FMU.
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
