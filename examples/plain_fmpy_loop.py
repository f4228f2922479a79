"""Drive FrictionalShock.fmu step by step with fmpy alone: SDND104 at 15 m/s².

Run `wearfmu build` first, then `python examples/plain_fmpy_loop.py`. It prints the mean wear power.
"""

from __future__ import annotations

import math

from console import parser, run
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave

STEP, STOP, WINDOW_START = 1e-3, 12.0, 4.0


def main() -> None:
    """Simulate 12 s and print the mean wear power over the last 8 s."""
    arguments = parser(__doc__)
    arguments.add_argument("fmu", nargs="?", default="build/FrictionalShock.fmu")
    path = arguments.parse_args().fmu
    description = read_model_description(path)
    references = {v.name: v.valueReference for v in description.modelVariables}
    slave = FMU2Slave(
        guid=description.guid,
        modelIdentifier=description.coSimulation.modelIdentifier,
        unzipDirectory=extract(path),
        instanceName="shoe",
    )
    slave.instantiate()
    slave.setReal([references["friction_coefficient"]], [0.1])
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()

    work_at_start = 0.0
    for step in range(round(STOP / STEP)):
        time = step * STEP  # never accumulated
        if step == round(WINDOW_START / STEP):
            (work_at_start,) = slave.getReal([references["wear_work"]])
        # The input set before a step is the value at the step's start.
        acceleration = 15.0 * math.sin(2.0 * math.pi * time)
        slave.setReal([references["base_acceleration"]], [acceleration])
        slave.doStep(currentCommunicationPoint=time, communicationStepSize=STEP)
    (work,) = slave.getReal([references["wear_work"]])
    slave.terminate()
    slave.freeInstance()
    power = (work - work_at_start) / (STOP - WINDOW_START)
    print(f"mean wear power {power:.7f} W, exact 15.2670996 W")


if __name__ == "__main__":
    run(main)
