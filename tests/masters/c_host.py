"""Compile and run the C host, `c_host.c`, with its slaves of both versions of FMI."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from harness.fmu.instance import extract_fmu
from harness.fmu.interface import FmuInterface


class HostError(RuntimeError):
    """The C host cannot be compiled. The message is a single line."""


def c_compiler() -> str | None:
    """Return the path of a C compiler, or None."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and (found := shutil.which(name)):
            return found
    return None


def compile_host(folder: Path) -> Path:
    """Compile the host into `folder` and return its path.

    Raises
    ------
    HostError
        If a C compiler is missing or fails.
    """
    compiler = c_compiler()
    if compiler is None:
        raise HostError("there is no C compiler (cc, gcc, clang); install gcc")
    host = folder / "c_host"
    sources = [str(Path(__file__).with_name(f"c_host{part}.c")) for part in ("", "_fmi2", "_fmi3")]
    done = subprocess.run(
        [compiler, "-O2", "-Wall", "-Wextra", "-o", str(host), *sources, "-ldl"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise HostError(f"{compiler} failed: {done.stderr.strip().splitlines()[-1]}")
    return host


def run_host(
    host: Path,
    interfaces: Sequence[FmuInterface],
    folder: Path,
    step_size: float,
    orders: str,
    environment: dict[str, str],
    *,
    timeout: float = 120.0,
    stops_at_events: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Extract the FMUs into `folder`, run the host, and return the completed process.

    Parameters
    ----------
    host : Path
        Returned by `compile_host`.
    interfaces : sequence of FmuInterface
        The FMUs, numbered in the orders from 0.
    folder : Path
        A folder from which FMUs can be loaded, see `safe_folder`.
    step_size : float
        Communication step, s.
    orders : str
        Input of the host, see the head of c_host.c.
    environment : dict of str to str
        Environment of the host. Python FMUs need `host_environment`.
    timeout : float, optional
        Maximum duration of the run, s.
    stops_at_events : bool, optional
        Whether the last FMU, of FMI 3.0, may return early at its events.

    Raises
    ------
    FmuError
        If an FMU cannot be extracted.
    """
    arguments = [str(host), repr(step_size)]
    for number, interface in enumerate(interfaces):
        extracted = folder / f"fmu_{number}"
        extract_fmu(interface.path, extracted)
        description = interface.description
        may_stop = stops_at_events and number == len(interfaces) - 1
        arguments += [
            f"{interface.fmi}{'e' if may_stop else ''}",
            description.coSimulation.modelIdentifier,
            str(extracted),
            description.guid,
        ]
    return subprocess.run(
        arguments,
        input=orders,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
