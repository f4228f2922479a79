"""Life cycle of an FMU instance: safe extraction, instantiation, log, and release in all cases.

The function `simulate_fmu` of fmpy is not used, because it accumulates time, has its own
interpolation of inputs and prints the log.
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
from harness.fmu.interface import FmuInterface, require_unpackable
from harness.fmu.slave import Slave, slave_of
from harness.interrupts import obeyed_interrupts
from wearmodel.written_files import FULL, named

_STATUS = ("ok", "warning", "discard", "error", "fatal", "pending")


@contextmanager
def open_slave(
    interface: FmuInterface, messages: list[str], *, stops_at_events: bool = False
) -> Iterator[Slave]:
    """Extract an FMU, instantiate it, and free it and its files at the end of the context.

    An FMU that is already a folder is not removed. `messages` receives the log of the FMU.

    Raises FmuError if the FMU cannot be extracted or loaded. Raises RunError if the instantiation
    fails. Raises KeyboardInterrupt if the user interrupts, even if a slave in Python reports this
    as its own error.
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
            # The library of pythonfmu adds the folder to Python's module path and never removes it.
            sys.path[:] = [place for place in sys.path if Path(folder) not in Path(place).parents]


@contextmanager
def _extracted(fmu: Path) -> Iterator[str]:
    """Yield the folder of the FMU's files, removed at the end unless it is the FMU itself."""
    if fmu.is_dir():
        if not is_safe(fmu):
            raise FmuError(
                f"{fmu}: the path must consist of letters, digits and ._~-, because other "
                "characters crash the library of the FMU"
            )
        yield str(fmu)
        return
    with tempfile.TemporaryDirectory(
        prefix="wearfmu-", dir=safe_folder(), ignore_cleanup_errors=True
    ) as folder:
        extract_fmu(fmu, folder)
        yield folder


def extract_fmu(fmu: Path, folder: Path | str) -> None:
    """Extract an FMU into a folder, which can be run instead of the file.

    Raises FmuError if it cannot be extracted, see `require_unpackable`, and OSError if the disk is
    full.
    """
    require_unpackable(Path(fmu))
    try:
        with named(Path(folder), unnamed_only=True):
            fmpy.extract(fmu, folder)
    except Exception as problem:  # fmpy raises Exception, and errors of zip
        if isinstance(problem, OSError) and problem.errno in FULL:
            raise
        raise FmuError(f"{fmu}: cannot be loaded: {problem}") from problem


def refusal(problem: FMICallException, place: str, messages: list[str]) -> RunError:
    """Return the error with the failed call, its place (`t=0.5 s`), status and log of the FMU."""
    status = _STATUS[problem.status] if problem.status < len(_STATUS) else str(problem.status)
    return RunError(
        f"{problem.function} at {place}: {status}{_last(messages)}",
        fatal=status == "fatal",
    )


def _last(messages: list[str]) -> str:
    return f": {messages[-1]}" if messages else ", without a message of the FMU"


def is_safe(folder: Path | str) -> bool:
    """Whether an FMU can run in a folder.

    The library of pythonfmu crashes at percent-encoded characters of the URI, except spaces.
    """
    return "%" not in Path(folder).absolute().as_uri().replace("%20", "")


def safe_folder() -> str:
    """Return a temporary folder whose path needs no percent-encoding, or raise FmuError."""
    candidates = (tempfile.gettempdir(), "/tmp", "/var/tmp")
    for folder in candidates:
        if is_safe(folder) and Path(folder).is_dir():
            return folder
    raise FmuError(
        f"the path of the temporary folder {candidates[0]!r} must consist of letters, digits and "
        "._~-, because other characters crash the library of the FMU: set TMPDIR"
    )
