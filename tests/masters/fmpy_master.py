"""FMPy: its function `simulate_fmu`, its command line, and its SSP simulation."""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wearmodel.models.base_motion import BaseMotion, BaseMotionParameters

from .job import SINK, Job, MasterError, Played, codes
from .system_structure import write_ssp


def play_function(job: Job) -> Played:
    """Run with `fmpy.simulate_fmu`. The input is the base motion at the starts of the steps."""
    from fmpy import simulate_fmu

    instants: list[float] = []

    def step_finished(_time: float, _recorder: Any) -> bool:
        instants.append(time.perf_counter())
        return True

    result = simulate_fmu(
        job.shoe_fmu,
        stop_time=job.stop_time,
        output_interval=job.step_size,
        start_values=codes(job.interfaces()[1], job.shoe),
        input=_sampled(job),
        output=list(job.outputs),
        step_finished=step_finished,
    )
    steps = len(instants)
    if steps != job.marks[-1]:
        raise MasterError(f"fmpy ended after {steps} of {job.marks[-1]} steps")
    # FMPy does not report the start of the first step.
    seconds = (instants[-1] - instants[0]) * steps / (steps - 1)
    return Played(_rows(result, job.outputs, job.marks), seconds)


def play_command_line(job: Job) -> Played:
    """Run `fmpy simulate` with CSV files. The duration covers the whole command."""
    with tempfile.TemporaryDirectory(prefix="wearfmu-") as name:
        folder = Path(name)
        samples = _sampled(job)
        with (folder / "in.csv").open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([("time", SINK), *samples.tolist()])
        values = codes(job.interfaces()[1], job.shoe).items()
        start_values = ["--start-values", *(str(word) for pair in values for word in pair)]
        began = time.perf_counter()
        done = subprocess.run(
            [
                *(sys.executable, "-P", "-m", "fmpy", "simulate", job.shoe_fmu),
                *("--stop-time", repr(job.stop_time)),
                *("--output-interval", repr(job.step_size)),
                *("--input-file", str(folder / "in.csv")),
                *("--output-file", str(folder / "out.csv")),
                *("--output-variables", *job.outputs),
                *(start_values if values else []),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.perf_counter() - began
        if done.returncode != 0:
            raise MasterError(f"fmpy simulate: {done.stderr.strip().splitlines()[-1]}")
        result = np.genfromtxt(folder / "out.csv", delimiter=",", names=True)
    if len(result) != job.marks[-1] + 1:
        raise MasterError(f"fmpy ended after {len(result) - 1} of {job.marks[-1]} steps")
    return Played(_rows(result, job.outputs, job.marks), seconds)


def play_ssp(job: Job) -> Played:
    """Run with `fmpy.ssp`, which leaves the archive's parameters to its caller.

    Row i of its result contains the time at the start of step i and the values at its end. It
    accumulates time and may take an additional step. The duration covers the whole function.
    """
    from fmpy.ssp.simulation import simulate_ssp
    from fmpy.ssp.ssd import Parameter, ParameterSet

    parameters = ParameterSet()
    interfaces = job.interfaces()
    for component, interface, values in zip(
        ("motion", "shoe"), interfaces, (job.motion, job.shoe), strict=True
    ):
        for variable, value in codes(interface, values).items():
            parameters.parameters.append(Parameter(name=f"{component}.{variable}", value=value))
    with tempfile.TemporaryDirectory(prefix="wearfmu-") as folder:
        archive = write_ssp(job, Path(folder) / "pair.ssp")
        began = time.perf_counter()
        result = simulate_ssp(
            archive, stop_time=job.stop_time, step_size=job.step_size, parameter_set=parameters
        )
        seconds = time.perf_counter() - began
    columns = tuple(f"shoe.{output}" for output in job.outputs)
    return Played(_rows(result, columns, tuple(mark - 1 for mark in job.marks)), seconds)


def _sampled(job: Job) -> NDArray[Any]:
    interface = job.interfaces()[0]
    motion = BaseMotion(BaseMotionParameters(**codes(interface, job.motion)))
    times = [step * job.step_size for step in range(job.marks[-1] + 1)]
    return np.array(
        [(instant, motion.acceleration_at(instant)) for instant in times],
        dtype=[("time", float), (SINK, float)],
    )


def _rows(
    result: NDArray[Any], columns: tuple[str, ...], rows: tuple[int, ...]
) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(result[column][row]) for column in columns) for row in rows)
