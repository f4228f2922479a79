"""Checks whether this machine can load an FMU, in this Python and in other hosts.

Each finding is one line with its remedy. The check runs a step of the FMU in a separate process
(`python -m harness.doctor FMU`). The system's loader finds symbols that other hosts do not have.
"""

from __future__ import annotations

import enum
import os
import platform
import shlex
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import fmpy
from fmpy.fmi1 import FMICallException

from harness.errors import FmuError
from harness.fmu.instance import extract_fmu, is_safe, open_slave, refusal, safe_folder
from harness.fmu.interface import FmuInterface, read_interface, require_whole
from harness.fmu.python_library import host_environment, python_library
from harness.fmu.slave import library_of

_TRIAL_SECONDS = 60.0


class Verdict(enum.Enum):
    """Verdict of a finding."""

    OK = "ok"
    SET = "set"  # works with the remedy
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """A line of the report: verdict, checked subject, result, and remedy if necessary."""

    verdict: Verdict
    subject: str
    text: str
    remedy: str = ""


def examine(fmu_path: Path) -> Iterator[Finding]:
    """Yield the findings on an FMU, fast checks first, or raise FmuError if it is missing."""
    if not fmu_path.exists():
        raise FmuError(f"{fmu_path}: no such FMU; `wearfmu build` writes FMUs into build/")
    try:
        interface = read_interface(fmu_path)
        require_whole(fmu_path)
    except FmuError as problem:
        # No host can load it, and a hostile file must not be run.
        text = str(problem).removeprefix(f"{fmu_path}: ")
        yield Finding(Verdict.PROBLEM, "FMU", f"{fmu_path.name}: {text}", "build or copy it again")
        return
    with zipfile.ZipFile(fmu_path) as archive:
        is_python = "resources/slavemodule.txt" in archive.namelist()
    kind = "with Python (pythonfmu)" if is_python else "without Python"
    text = f"{fmu_path.name}: FMI {interface.fmi}.0 co-simulation, {kind}"
    yield Finding(Verdict.OK, "FMU", text)
    yield (binary := _binary(interface))
    if binary.verdict is Verdict.PROBLEM:
        return  # This machine cannot run the other checks.
    if is_python:
        yield Finding(Verdict.OK, "Python", f"version {platform.python_version()}")
        yield from _paths(fmu_path)
        yield _library()
    yield _in_this_python(fmu_path)
    yield _in_a_c_host(interface, is_python)


def _binary(interface: FmuInterface) -> Finding:
    there = fmpy.supported_platforms(str(interface.path))
    if fmpy.platform in there:
        return Finding(Verdict.OK, "binary", f"available for {', '.join(there)}")
    return Finding(
        Verdict.PROBLEM,
        "binary",
        f"missing for {fmpy.platform}, available for {', '.join(there) or 'no platform'}",
        "use a machine with one of these platforms",
    )


def _paths(fmu_path: Path) -> Iterator[Finding]:
    """Yield the findings on folders in which hosts extract FMUs."""
    temporary, own = Path(tempfile.gettempdir()), fmu_path.resolve().parent
    for folder, place, remedy in (
        (temporary, "temporary folder", "set TMPDIR to a path of letters and digits"),
        (own, "folder of the FMU", "move the FMU if the host extracts it there"),
    ):
        found = f"{place} {folder}"
        if is_safe(folder):
            yield Finding(Verdict.OK, "path", f"{found}: no special characters")
        else:
            text = f"{found} has special characters. Hosts crash if they extract the FMU there"
            yield Finding(Verdict.SET, "path", text, remedy)
    if "PYTHONHOME" in os.environ:
        text = f"PYTHONHOME={os.environ['PYTHONHOME']} is wrong for other versions of Python"
        yield Finding(Verdict.SET, "path", text, "unset PYTHONHOME")


def _library() -> Finding:
    library = python_library()
    if library is not None:
        return Finding(Verdict.OK, "libpython", f"{library}")
    return Finding(
        Verdict.PROBLEM,
        "libpython",
        f"this Python ({sys.executable}) does not have a shared library, which hosts other than "
        "Python require",
        "install libpython (Debian: apt install libpython3-dev, pyenv: --enable-shared)",
    )


def _in_this_python(fmu_path: Path) -> Finding:
    subject = "this Python"
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "harness.doctor", str(fmu_path)],
            capture_output=True,
            text=True,
            timeout=_TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        text = f"one step did not end within {_TRIAL_SECONDS:g} s"
        return Finding(Verdict.PROBLEM, subject, text, "interrupt it under a debugger")
    if done.returncode == 0:
        return Finding(Verdict.OK, subject, "loads the FMU and takes a step")
    return Finding(Verdict.PROBLEM, subject, _ending(done), "correct the problem, then try again")


def _in_a_c_host(interface: FmuInterface, is_python: bool) -> Finding:
    """Return the finding on symbols that are missing in a process other than Python."""
    subject = "C host"
    if fmpy.platform != "linux64":
        return Finding(Verdict.SET, subject, "not checked: this check requires linux64")
    settings = host_environment() if is_python else {}
    preload = {name: settings[name] for name in ("LD_PRELOAD",) if name in settings}
    remedy = " ".join(f"{name}={shlex.quote(value)}" for name, value in preload.items())
    with tempfile.TemporaryDirectory(prefix="wearfmu-", dir=safe_folder()) as folder:
        extract_fmu(interface.path, Path(folder))
        library = library_of(interface, Path(folder))
        try:
            if not (missing := _missing(library, {})):
                return Finding(Verdict.OK, subject, "finds all functions of the FMU")
            if preload and not (missing := _missing(library, preload)):
                text = "needs libpython"
                return Finding(Verdict.SET, subject, text, f"start the host with {remedy}")
        except OSError as problem:
            text = f"not checked: ldd cannot be run ({problem.strerror})"
            return Finding(Verdict.SET, subject, text, f"set {remedy}" if remedy else "")
    return Finding(Verdict.PROBLEM, subject, missing, f"set {remedy}" if remedy else "")


def _missing(library: Path, settings: dict[str, str]) -> str:
    """Return the loader's first line about missing symbols, or "", without running code."""
    listed = subprocess.run(
        ["ldd", "-r", str(library)],
        env={**os.environ, **settings, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.strip() for line in (listed.stdout + listed.stderr).splitlines()]
    problems = [line for line in lines if "undefined symbol" in line or "not found" in line]
    if not problems and listed.returncode != 0:
        problems = lines[-1:] or [f"ldd ended with {listed.returncode}"]
    return problems[0].replace(str(library), library.name) if problems else ""


def _ending(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    if done.returncode < 0:
        return f"crashed with {signal.Signals(-done.returncode).name}"
    return lines[-1] if lines else f"ended with {done.returncode}"


STEP_SIZE = 1e-3
"""Size of the step [s]."""


def step_once(fmu_path: Path) -> None:
    """Load an FMU, take a step and free it, or raise FmuError or RunError."""
    messages: list[str] = []
    with open_slave(read_interface(fmu_path), messages) as slave:
        try:
            slave.enter_initialization(0.0)
            slave.exit_initialization()
            slave.step(0.0, STEP_SIZE)
            slave.terminate()
        except FMICallException as problem:
            raise refusal(problem, "the first step", messages) from None


if __name__ == "__main__":
    step_once(Path(sys.argv[1]))
