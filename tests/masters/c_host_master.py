"""The C host with the environment that Python FMUs need."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from harness.fmu.instance import safe_folder
from harness.fmu.python_library import host_environment

from .c_host import HostError, compile_host, run_host
from .job import SINK, SOURCE, Job, MasterError, Played, codes

_MOTION, _SHOE = 0, 1
_ORDERS = {"Real": "real", "Integer": "integer", "Enumeration": "enumeration", "Boolean": "boolean"}


def play(job: Job) -> Played:
    """Run both FMUs in the host."""
    environment = {**os.environ, **host_environment()}
    interfaces = job.interfaces()
    with tempfile.TemporaryDirectory(prefix="wearfmu-", dir=safe_folder()) as name:
        folder = Path(name)
        try:
            host = compile_host(folder)
        except HostError as problem:
            raise MasterError(str(problem)) from None
        done = run_host(host, interfaces, folder, job.step_size, orders_of(job), environment)
    if done.returncode != 0:
        # The FMU's messages come before the messages of the host.
        said = "; ".join(done.stderr.strip().splitlines()[-2:])
        raise MasterError(f"the C host ended with {done.returncode}: {said}")
    rows = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
    return Played(tuple(tuple(row[1:-1]) for row in rows), sum(row[-1] for row in rows))


def orders_of(job: Job) -> str:
    """Return the input of the host, see the head of c_host.c."""
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
