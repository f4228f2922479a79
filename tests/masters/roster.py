"""The masters by name, and a function that runs a master in a separate process.

The library of a master and its threads would remain in the process, and a crash would end the table
or the tests.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from fmu_src.native import FMI_VERSIONS

from .c_host import c_compiler
from .enumerations import without_enumerations
from .job import Job, MasterError, Played

# Folder that contains this package.
_CLONE = Path(__file__).parents[2]


@dataclass(frozen=True)
class Master:
    """A program that runs the FMUs.

    Parameters
    ----------
    title : str
        Name in the table.
    module, function : str
        Function that runs a job.
    package : str or None
        The distribution whose version is in the table. The C host has no distribution.
    seconds_are : str
        Operations included in the measured time.
    sets_enumerations : bool
        Whether it can set enumerations. If not, they are built into the FMU.
    fmi : tuple of int
        The versions of FMI in which it can run our FMUs. docs/masters lists the missing features.
    """

    title: str
    module: str
    function: str
    package: str | None
    seconds_are: str
    sets_enumerations: bool = True
    fmi: tuple[int, ...] = (2,)

    def is_installed(self) -> bool:
        """Whether its requirements outside this clone are installed."""
        if self.package is None:
            return c_compiler() is not None
        try:
            version(self.package)
        except PackageNotFoundError:
            return False
        return True

    def load(self) -> Callable[[Job], Played]:
        """Return the function that runs a job in this process."""
        function: Callable[[Job], Played] = getattr(import_module(self.module), self.function)
        return function


MASTERS = {
    "fmpy": Master(
        "FMPy, simulate_fmu",
        f"{__package__}.fmpy_master",
        "play_function",
        "fmpy",
        "steps, one FMU, input from a table, one output recorded at each step",
        fmi=FMI_VERSIONS,
    ),
    "fmpy-cli": Master(
        "FMPy, fmpy simulate",
        f"{__package__}.fmpy_master",
        "play_command_line",
        "fmpy",
        "whole command with start-up and files, one FMU",
        fmi=FMI_VERSIONS,
    ),
    "fmpy-ssp": Master(
        "FMPy, SSP", f"{__package__}.fmpy_master", "play_ssp", "fmpy", "whole run, two FMUs"
    ),
    "libcosim": Master(
        "libcosim",
        f"{__package__}.libcosim_master",
        "play_connected",
        "libcosimpy",
        "steps, two FMUs",
        sets_enumerations=False,
    ),
    "libcosim-ssp": Master(
        "libcosim, SSP",
        f"{__package__}.libcosim_master",
        "play_ssp",
        "libcosimpy",
        "steps, two FMUs",
        sets_enumerations=False,
    ),
    "ecos": Master(
        "ecos",
        f"{__package__}.ecos_master",
        "play_connected",
        "ecospy",
        "steps, two FMUs",
        sets_enumerations=False,
        fmi=FMI_VERSIONS,
    ),
    "ecos-ssp": Master(
        "ecos, SSP",
        f"{__package__}.ecos_master",
        "play_ssp",
        "ecospy",
        "steps, two FMUs",
        sets_enumerations=False,
        fmi=FMI_VERSIONS,
    ),
    "fmucontainer": Master(
        "fmucontainer",
        f"{__package__}.fmucontainer_master",
        "play",
        "fmu-manipulation-toolbox",
        "whole run, one FMU that holds two, stepped by FMPy",
        sets_enumerations=False,
        fmi=FMI_VERSIONS,
    ),
    "pathsim": Master(
        "pathsim",
        f"{__package__}.pathsim_master",
        "play",
        "pathsim-fmi",
        "steps, two FMUs",
        sets_enumerations=False,
    ),
    "c-host": Master(
        "C host", f"{__package__}.c_host_master", "play", None, "steps, two FMUs", fmi=FMI_VERSIONS
    ),
}


def masters_of(fmi: int) -> tuple[str, ...]:
    """Return the names of the masters that can run our FMUs of a version of FMI."""
    return tuple(name for name, master in MASTERS.items() if fmi in master.fmi)


def play(master: str, job: Job) -> Played:
    """Run a job with a master in a separate process.

    Raises
    ------
    MasterError
        If the master is not installed, fails, or cannot run the job.
    """
    if not MASTERS[master].sets_enumerations:
        try:
            job = without_enumerations(job)
        except MasterError as problem:
            raise MasterError(f"{master}: {problem}") from None
    done = subprocess.run(
        [sys.executable, "-m", f"{__package__}.one_job", master],
        cwd=_CLONE,
        input=job.to_json(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        reason = said[-1] if said else f"it ended with {done.returncode}"
        raise MasterError(f"{master}: {reason}")
    # Masters may print other text before. The result is the last line.
    return Played.from_json(done.stdout.splitlines()[-1])
