"""Enumerations for masters that have none: built into the FMU as its defaults.

libcosim warns that it leaves FMI 2.0 enumerations out; ecos takes a value for one and drops it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.masters.job import Job, MasterError, codes


def without_enumerations(job: Job, folder: Path) -> Job:
    """Return a job that sets no enumeration, its FMUs built anew in `folder` where needed.

    Raises
    ------
    MasterError
        If an FMU to be built anew is not what the present sources give: another one would run in
        its stead.
    """
    from fmu_src.builder import build_fmu, is_stale

    paths, remaining = [], []
    for interface, values in zip(job.interfaces(), (job.motion, job.shoe), strict=True):
        enumerations = {
            name: value
            for name, value in codes(interface, values).items()
            if interface.variables[name].type == "Enumeration"
        }
        path = interface.path
        if enumerations:
            if is_stale(path):
                raise MasterError(
                    f"{path}: this master cannot set {', '.join(enumerations)}, and only FMUs of "
                    "the present sources that run in Python can be built with other defaults"
                )
            path = build_fmu(interface.description.modelName, folder, start_values=enumerations)
        paths.append(str(path))
        remaining.append({k: v for k, v in values.items() if k not in enumerations})
    return replace(
        job, motion_fmu=paths[0], shoe_fmu=paths[1], motion=remaining[0], shoe=remaining[1]
    )
