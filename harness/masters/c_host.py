"""The C host: `c_host.c`, compiled here, with the Python library that the FMUs need."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from harness.fmu.instance import extract_fmu, safe_folder
from harness.fmu.interface import FmuInterface
from harness.fmu.python_library import c_compiler, host_environment
from harness.masters.job import SINK, SOURCE, Job, MasterError, Played, codes

_MOTION, _SHOE = 0, 1
_ORDERS = {"Real": "real", "Integer": "integer", "Enumeration": "integer", "Boolean": "boolean"}


def compile_host(folder: Path) -> Path:
    """Compile the host into `folder` and return its path.

    Raises
    ------
    MasterError
        If there is no C compiler, or it fails.
    """
    compiler = c_compiler()
    if compiler is None:
        raise MasterError("there is no C compiler (cc, gcc, clang); install gcc")
    host = folder / "c_host"
    source = str(files("harness.masters").joinpath("c_host.c"))
    done = subprocess.run(
        [compiler, "-O2", "-Wall", "-Wextra", "-o", str(host), source, "-ldl"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise MasterError(f"{compiler} failed: {done.stderr.strip().splitlines()[-1]}")
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
) -> subprocess.CompletedProcess[str]:
    """Extract the FMUs into `folder`, run the host on them, and return how it ended.

    Raises
    ------
    FmuError
        If one cannot be extracted.
    """
    arguments = [str(host), repr(step_size)]
    for number, interface in enumerate(interfaces):
        extracted = folder / f"fmu_{number}"
        extract_fmu(interface.path, extracted)
        description = interface.description
        arguments += [
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


def play(job: Job) -> Played:
    """Play both FMUs in the host."""
    environment = {**os.environ, **host_environment()}
    interfaces = job.interfaces()
    with tempfile.TemporaryDirectory(prefix="wearfmu-", dir=safe_folder()) as name:
        folder = Path(name)
        done = run_host(
            compile_host(folder), interfaces, folder, job.step_size, orders_of(job), environment
        )
    if done.returncode != 0:
        # The FMU's own words come before those of the host.
        said = "; ".join(done.stderr.strip().splitlines()[-2:])
        raise MasterError(f"the C host ended with {done.returncode}: {said}")
    rows = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    return Played(tuple(tuple(row[1:-1]) for row in rows), sum(row[-1] for row in rows))


def orders_of(job: Job) -> str:
    """Return what the host reads; see the head of c_host.c."""
    interfaces = job.interfaces()
    orders = []
    for number, values in ((_MOTION, job.motion), (_SHOE, job.shoe)):
        interface = interfaces[number]
        for name, value in codes(interface, values).items():
            variable = interface.variables[name]
            order = _ORDERS.get(variable.type, "string")
            orders.append(f"{order} {number} {variable.valueReference} {value}")
    source = interfaces[_MOTION].variables[SOURCE].valueReference
    sink = interfaces[_SHOE].variables[SINK].valueReference
    orders.append(f"connect {_MOTION} {source} {_SHOE} {sink}")
    for name in job.outputs:
        orders.append(f"read {_SHOE} {interfaces[_SHOE].variables[name].valueReference}")
    done = 0
    for mark in job.marks:
        orders.append(f"run {mark - done}")
        done = mark
    return "\n".join(orders) + "\n"
