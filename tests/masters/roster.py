"""The masters by name, and how one is run: in a process of its own.

A master's library would stay in the process with all it has started, and one that crashes must not
take the table or the tests with it.
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

# Where this package is found by its name.
_CLONE = Path(__file__).parents[2]


@dataclass(frozen=True)
class Master:
    """A program that runs the FMUs.

    Parameters
    ----------
    title : str
        As the table shows it.
    module, function : str
        What plays a job.
    package : str or None
        The distribution whose version the table shows; None where it is compiled here.
    seconds_are : str
        What the seconds of its results hold.
    sets_enumerations : bool
        Whether it can; where it cannot, they are built into the FMU.
    fmi : tuple of int
        The versions of FMI of which it runs our FMUs; docs/masters says what others lack.
    """

    title: str
    module: str
    function: str
    package: str | None
    seconds_are: str
    sets_enumerations: bool = True
    fmi: tuple[int, ...] = (2,)

    def is_installed(self) -> bool:
        """Whether what it needs beside this clone is on the machine."""
        if self.package is None:
            return c_compiler() is not None
        try:
            version(self.package)
        except PackageNotFoundError:
            return False
        return True

    def load(self) -> Callable[[Job], Played]:
        """Return the function that plays a job in this process."""
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
    """Return the names of those that run our FMUs of a version of FMI."""
    return tuple(name for name, master in MASTERS.items() if fmi in master.fmi)


def play(master: str, job: Job) -> Played:
    """Play a job with a master, in a process of its own.

    Raises
    ------
    MasterError
        If the master is not installed, or fails, or cannot do what it is asked.
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
    # Masters write what they like; the result is the last line.
    return Played.from_json(done.stdout.splitlines()[-1])
