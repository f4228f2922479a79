"""fmucontainer, of the FMU Manipulation Toolbox: a container of both FMUs that FMPy steps.

The container is a master in C. In its parallel mode, each step passes on the outputs at the end of
the last step. Parameters are its start values.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .job import SINK, SOURCE, Job, MasterError, Played, codes


def play(job: Job) -> Played:
    """Run the container with `fmpy.simulate_fmu`."""
    from fmpy import simulate_fmu

    with tempfile.TemporaryDirectory(prefix="wearfmu-") as name:
        folder = Path(name)
        container = _container(job, folder)
        began = time.perf_counter()
        result = simulate_fmu(
            str(container),
            stop_time=job.stop_time,
            output_interval=job.step_size,
            output=list(job.outputs),
            debug_logging=False,
        )
        seconds = time.perf_counter() - began
    if len(result) != job.marks[-1] + 1:
        raise MasterError(f"the container ended after {len(result) - 1} of {job.marks[-1]} steps")
    rows = tuple(tuple(float(result[one][mark]) for one in job.outputs) for mark in job.marks)
    return Played(rows, seconds)


def _container(job: Job, folder: Path) -> Path:
    lines = ["rule;from_fmu;from_port;to_fmu;to_port"]
    names = {}
    for role, path, values, interface in zip(
        ("motion", "shoe"),
        (job.motion_fmu, job.shoe_fmu),
        (job.motion, job.shoe),
        job.interfaces(),
        strict=True,
    ):
        names[role] = f"{role}.fmu"
        shutil.copy(path, folder / names[role])
        lines.append(f"FMU;{names[role]};;;")
        for variable, value in codes(interface, values).items():
            lines.append(f"START;{names[role]};{variable};{value!r};")
    lines.append(f"LINK;{names['motion']};{SOURCE};{names['shoe']};{SINK}")
    (folder / "pair.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = Path(sys.executable).with_name("fmucontainer")
    done = subprocess.run(
        [
            *(str(command), "-fmu-directory", str(folder)),
            *("-container", f"pair.csv:{job.step_size!r}"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    made = folder / "pair.fmu"
    if done.returncode != 0 or not made.exists():
        raise MasterError(f"fmucontainer: {(done.stdout + done.stderr).strip()[-300:]}")
    return made
