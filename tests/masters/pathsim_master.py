"""pathsim with pathsim-fmi: blocks in Python, where an event steps each FMU.

Events occur in the order of the blocks. The shoe is first, so its input is the base motion at the
start of the step.
"""

from __future__ import annotations

import time

from .job import SINK, SOURCE, Job, Played, codes


def play(job: Job) -> Played:
    """Run with both FMUs as blocks."""
    from pathsim import Connection, Simulation
    from pathsim_fmi import CoSimulationFMU

    interfaces = job.interfaces()
    motion, shoe = (
        CoSimulationFMU(
            path, instance_name=role, start_values=codes(interface, values), dt=job.step_size
        )
        for role, path, interface, values in zip(
            ("motion", "shoe"),
            (job.motion_fmu, job.shoe_fmu),
            interfaces,
            (job.motion, job.shoe),
            strict=True,
        )
    )
    simulation = Simulation(
        [shoe, motion], [Connection(motion[SOURCE], shoe[SINK])], dt=job.step_size, log=False
    )
    rows: list[tuple[float, ...]] = []
    done = 0
    began = time.perf_counter()
    for mark in job.marks:
        for _ in range(mark - done):
            simulation.timestep(job.step_size)
        done = mark
        rows.append(tuple(float(shoe.outputs[name]) for name in job.outputs))
    return Played(tuple(rows), time.perf_counter() - began)
