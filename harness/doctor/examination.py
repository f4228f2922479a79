"""What is looked at and tried, one finding after the other."""

from __future__ import annotations

import enum
import os
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

from harness.errors import FmuError
from harness.fmu.archive_check import require_whole
from harness.fmu.instance import extract_fmu, is_safe, safe_folder
from harness.fmu.interface import FmuInterface, read_interface
from harness.fmu.python_library import OLDEST_PYTHON, host_environment, python_library
from harness.fmu.slave import library_of

_TRIAL_SECONDS = 60.0


class Verdict(enum.Enum):
    """How a finding stands."""

    OK = "ok"
    SET = "set"  # works once the remedy is set
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """One line of the report.

    Parameters
    ----------
    verdict : Verdict
        How it stands.
    subject : str
        What was looked at, in a word or two.
    text : str
        What was found.
    remedy : str
        What to do; empty where nothing is to be done.
    """

    verdict: Verdict
    subject: str
    text: str
    remedy: str = ""


def examine(fmu_path: Path) -> Iterator[Finding]:
    """Yield the findings on an FMU, the quick ones first.

    Raises
    ------
    FmuError
        If the file is missing.
    """
    if not fmu_path.exists():
        raise FmuError(f"{fmu_path}: no such FMU")
    try:
        interface = read_interface(fmu_path)
        require_whole(fmu_path)
    except FmuError as problem:
        # No host can load it, and what is hostile must not be tried.
        text = str(problem).removeprefix(f"{fmu_path}: ")
        yield Finding(Verdict.PROBLEM, "FMU", f"{fmu_path.name}: {text}", "build or fetch it anew")
        return
    with zipfile.ZipFile(fmu_path) as archive:
        is_python = "resources/slavemodule.txt" in archive.namelist()
    kind = "a Python slave (pythonfmu)" if is_python else "a slave without Python"
    yield Finding(
        Verdict.OK, "FMU", f"{fmu_path.name}: FMI {interface.fmi}.0 co-simulation, {kind}"
    )
    yield _binary(interface)
    if is_python:
        yield _python_version()
        yield from _paths(fmu_path)
        yield _library()
    yield _in_this_python(fmu_path)
    yield _in_a_c_host(interface, is_python)


def _binary(interface: FmuInterface) -> Finding:
    there = fmpy.supported_platforms(str(interface.path))
    if fmpy.platform in there:
        return Finding(Verdict.OK, "binary", f"{fmpy.platform} is among {', '.join(there)}")
    return Finding(
        Verdict.PROBLEM,
        "binary",
        f"none for {fmpy.platform}, only {', '.join(there) or 'none at all'}",
        "use a machine with one of these platforms",
    )


def _python_version() -> Finding:
    have = ".".join(map(str, sys.version_info[:3]))
    need = ".".join(map(str, OLDEST_PYTHON))
    if sys.version_info >= OLDEST_PYTHON:
        return Finding(Verdict.OK, "Python", f"{have} is ≥ {need}")
    return Finding(Verdict.PROBLEM, "Python", f"{have} must be ≥ {need}", "install a newer Python")


def _paths(fmu_path: Path) -> Iterator[Finding]:
    """Folders that hosts extract to."""
    places = {
        "temporary folder": (Path(tempfile.gettempdir()), "set TMPDIR to a folder of letters"),
        "folder of the FMU": (
            fmu_path.resolve().parent,
            "move the FMU, for hosts that extract it beside itself",
        ),
    }
    for place, (folder, remedy) in places.items():
        if is_safe(folder):
            yield Finding(Verdict.OK, "path", f"{place} {folder} is safe")
        else:
            text = f"{place} {folder} needs percent-encoding: hosts that extract there crash"
            yield Finding(Verdict.SET, "path", text, remedy)
    if "PYTHONHOME" in os.environ:
        text = f"PYTHONHOME={os.environ['PYTHONHOME']} misleads every other Python"
        yield Finding(Verdict.SET, "path", text, "unset PYTHONHOME")


def _library() -> Finding:
    library = python_library()
    if library is not None:
        return Finding(Verdict.OK, "libpython", f"{library}")
    return Finding(
        Verdict.PROBLEM,
        "libpython",
        f"this Python ({sys.executable}) comes without a shared library, which hosts other than "
        "Python need",
        "install one that has it (Debian: apt install libpython3-dev; pyenv: --enable-shared)",
    )


def _in_this_python(fmu_path: Path) -> Finding:
    subject = "this Python"
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "harness.doctor.trial", str(fmu_path)],
            capture_output=True,
            text=True,
            timeout=_TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        text = f"one step did not end within {_TRIAL_SECONDS:g} s"
        return Finding(Verdict.PROBLEM, subject, text, "interrupt it under a debugger")
    if done.returncode == 0:
        return Finding(Verdict.OK, subject, "loads the FMU and steps it")
    return Finding(
        Verdict.PROBLEM, subject, _ending(done), "correct what the message names, then try again"
    )


def _in_a_c_host(interface: FmuInterface, is_python: bool) -> Finding:
    """What the system's loader misses for the FMU's library, in a process that is not Python."""
    subject = "C host"
    if fmpy.platform != "linux64":
        return Finding(Verdict.SET, subject, "not looked at: the loader is asked on linux64 only")
    settings = host_environment() if is_python else {}
    preload = {name: settings[name] for name in ("LD_PRELOAD",) if name in settings}
    remedy = " ".join(f"{name}={shlex.quote(value)}" for name, value in preload.items())
    with tempfile.TemporaryDirectory(prefix="wearfmu-", dir=safe_folder()) as folder:
        extract_fmu(interface.path, Path(folder))
        library = library_of(interface, Path(folder))
        try:
            if not (missing := _missing(library, {})):
                return Finding(Verdict.OK, subject, "finds all that the FMU calls")
            if preload and not (missing := _missing(library, preload)):
                text = "finds all that the FMU calls, once it finds libpython"
                return Finding(Verdict.SET, subject, text, f"start the host with {remedy}")
        except OSError as problem:
            text = f"not looked at: ldd cannot be run ({problem.strerror})"
            return Finding(Verdict.SET, subject, text, f"set {remedy}" if remedy else "")
    return Finding(Verdict.PROBLEM, subject, missing, f"set {remedy}" if remedy else "")


def _missing(library: Path, settings: dict[str, str]) -> str:
    """Return the loader's first line on what it cannot find, or nothing; no code is run."""
    told = subprocess.run(
        ["ldd", "-r", str(library)],
        env={**os.environ, **settings, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.strip() for line in (told.stdout + told.stderr).splitlines()]
    problems = [line for line in lines if "undefined symbol" in line or "not found" in line]
    if not problems and told.returncode != 0:
        problems = lines[-1:] or [f"ldd ended with {told.returncode}"]
    return problems[0].replace(str(library), library.name) if problems else ""


def _ending(done: subprocess.CompletedProcess[str]) -> str:
    said = done.stderr.strip().splitlines()
    if done.returncode < 0:
        return f"crashed with {signal.Signals(-done.returncode).name}"
    return said[-1] if said else f"ended with {done.returncode}"
