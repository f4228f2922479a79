"""The life of one FMU instance: safe extraction, instantiation, log, release, whatever happens.

fmpy's own `simulate_fmu` is not used: it accumulates time, interpolates inputs its own way and
prints the log.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fmpy
from fmpy.fmi1 import FMICallException

from harness.errors import FmuError, RunError
from harness.fmu.archive_check import require_unpackable
from harness.fmu.interface import FmuInterface
from harness.fmu.slave import Slave, slave_of
from harness.interrupts import obeyed_interrupts
from wearmodel.written_files import FULL, named

_STATUS = ("ok", "warning", "discard", "error", "fatal", "pending")


@contextmanager
def open_slave(
    interface: FmuInterface, messages: list[str], *, stops_at_events: bool = False
) -> Iterator[Slave]:
    """Extract an FMU, instantiate it, and free it and its files on leaving.

    Parameters
    ----------
    interface : FmuInterface
        The FMU; one that is a folder already is used as it is, and stays.
    messages : list of str
        Filled with what the FMU logs.
    stops_at_events : bool, optional
        Whether an instance of FMI 3.0 may return early at its events.

    Raises
    ------
    FmuError
        If the FMU cannot be extracted or loaded here.
    RunError
        If it refuses to be instantiated.
    KeyboardInterrupt
        If the user interrupts, also where a slave in Python took the interrupt for its own error.
    """
    with obeyed_interrupts(), _extracted(interface.path) as folder:
        try:
            slave = slave_of(interface, folder, stops_at_events=stops_at_events)
        except Exception as problem:  # fmpy raises bare Exception for a library it cannot load
            raise FmuError(f"{interface.path}: cannot be loaded: {problem}") from problem
        try:
            slave.instantiate(messages)
        except Exception as problem:
            slave.free_library()
            raise RunError(f"{slave.prefix}Instantiate failed{_last(messages)}") from problem
        fatal = False
        try:
            yield slave
        except RunError as problem:
            fatal = problem.fatal
            raise
        finally:
            if not fatal:
                slave.free()
            # pythonfmu's library puts the folder before all others where Python looks for modules,
            # and leaves it there: a sweep of many runs would search thousands that are gone.
            sys.path[:] = [place for place in sys.path if Path(folder) not in Path(place).parents]


@contextmanager
def _extracted(fmu: Path) -> Iterator[str]:
    """Folder of the FMU's files, which goes on leaving unless it is the FMU itself."""
    if fmu.is_dir():
        if not is_safe(fmu):
            raise FmuError(f"{fmu}: the FMU's library survives letters, digits and ._~- only")
        yield str(fmu)
        return
    with tempfile.TemporaryDirectory(
        prefix="wearfmu-", dir=safe_folder(), ignore_cleanup_errors=True
    ) as folder:
        extract_fmu(fmu, folder)
        yield folder


def extract_fmu(fmu: Path, folder: Path | str) -> None:
    """Extract an FMU into a folder, which can then be run in the FMU's place.

    Raises
    ------
    FmuError
        If it cannot be extracted, or must not be; see `require_unpackable`.
    OSError
        If the disk of the folder is full.
    """
    require_unpackable(Path(fmu))
    try:
        with named(Path(folder), unnamed_only=True):
            fmpy.extract(fmu, folder)
    except Exception as problem:  # fmpy lets errors of zip through, and its own Exception
        if isinstance(problem, OSError) and problem.errno in FULL:
            raise
        raise FmuError(f"{fmu}: cannot be loaded: {problem}") from problem


def refusal(problem: FMICallException, place: str, messages: list[str]) -> RunError:
    """Return the error with the call that failed, its place (`t=0.5 s`), how, and the FMU's log."""
    status = _STATUS[problem.status] if problem.status < len(_STATUS) else str(problem.status)
    return RunError(
        f"{problem.function} at {place}: {status}{_last(messages)}",
        fatal=status == "fatal",
    )


def _last(messages: list[str]) -> str:
    return f": the FMU says: {messages[-1]}" if messages else "; the FMU logged nothing"


def is_safe(folder: Path | str) -> bool:
    """Whether an FMU survives being extracted into a folder.

    pythonfmu's library takes the resource URI apart itself and crashes the process on every
    percent-encoded character but the space.
    """
    return "%" not in Path(folder).absolute().as_uri().replace("%20", "")


def safe_folder() -> str:
    """Return the first temporary folder whose path needs no percent-encoding.

    Raises
    ------
    FmuError
        If there is none.
    """
    candidates = (tempfile.gettempdir(), "/tmp", "/var/tmp")
    for folder in candidates:
        if is_safe(folder) and Path(folder).is_dir():
            return folder
    raise FmuError(
        f"temporary folder {candidates[0]!r} must consist of letters, digits and ._~- "
        "(set TMPDIR): the FMU's library does not survive other characters"
    )
