"""A ball of another program that bounces off the contact of DisChoc.fmu, in a plain FMPy loop.

    python examples/ball_on_floor.py [build/DisChoc.fmu]

The floor has K = 1e6 N/m, without a damper and with the damper of a restitution of 0.435. The ball
of 1 kg is ball.py, built by pythonfmu. The table contains the speed after the impact over the speed
before it, for a serial and a parallel master without iterations, with and without the effective
mass, with n steps per π √(m/K).
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

from console import parser, run
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave
from pythonfmu.builder import FmuBuilder

from wearmodel import damping_for_restitution

STIFFNESS, DAMPING = 1e6, damping_for_restitution(stiffness=1e6, mass=1.0, restitution=0.435)
FLOOR = {"drive": 1, "contact_stiffness": STIFFNESS, "friction_coefficient": 0.0, "dist_1": 0.0}


class Fmu:
    """An FMU of FMI 2.0 after initialisation."""

    def __init__(self, path: Path, **values: float) -> None:
        description = read_model_description(path)
        self.variables = {v.name: v for v in description.modelVariables}
        model = description.coSimulation.modelIdentifier
        self.has_derivatives = description.coSimulation.providesDirectionalDerivative
        self.slave = FMU2Slave(
            guid=description.guid, modelIdentifier=model, unzipDirectory=extract(path)
        )
        self.slave.instantiate()
        for name, value in values.items():
            self.set(name, value)
        self.slave.setupExperiment(startTime=0.0)
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()

    def set(self, name: str, value: float) -> None:
        """Set a number or the number of an enumeration."""
        variable = self.variables[name]
        kind = self.slave.setReal if variable.type == "Real" else self.slave.setInteger
        kind([variable.valueReference], [value])

    def get(self, name: str) -> float:
        """Value of an output."""
        value: float = self.slave.getReal([self.variables[name].valueReference])[0]
        return value

    def derivative(self, output: str, given: str) -> float:
        """Derivative of an output by an input of the last step."""
        references = ([self.variables[name].valueReference] for name in (output, given))
        value: float = self.slave.getDirectionalDerivative(*references, [1.0])[0]
        return value


def restitution(floor: Path, ball: Path, steps: int, lag: int, **parameters: float) -> float:
    """Speed of the ball after the impact, with so many steps per π √(m/K)."""
    h = math.pi / math.sqrt(STIFFNESS) / steps
    mass = Fmu(ball)
    contact = Fmu(
        floor, **FLOOR, **parameters, lag=lag, imposed_displacement_x=mass.get("position")
    )
    for number in range(round(0.03 / h)):
        contact.set("imposed_displacement_x", mass.get("position"))
        mass.set("force", contact.get("mean_force_x"))
        contact.slave.doStep(number * h, h)
        if lag == 0:  # serial: the force of this step is known now
            mass.set("force", contact.get("mean_force_x"))
        mass.slave.doStep(number * h, h)
    return mass.get("velocity")


def main() -> None:
    """Print the restitution for both masters."""
    arguments = parser(__doc__)
    arguments.add_argument("fmu", nargs="?", default="build/DisChoc.fmu", type=Path)
    floor = arguments.parse_args().fmu
    print("exact 1.0000 and 0.4350      n = 4   n = 10   n = 20")
    with tempfile.TemporaryDirectory() as folder:
        ball = FmuBuilder.build_FMU(Path(__file__).with_name("ball.py"), dest=folder)
        for mass in (0.0, 1.0):
            for lag, master in enumerate(("serial", "parallel")):
                for damping in (0.0, DAMPING):
                    values = {"effective_mass": mass, "lag": lag, "contact_damping": damping}
                    row = (restitution(floor, ball, n, **values) for n in (4, 10, 20))
                    print(
                        f"{master:8}  {mass:g} kg  C = {damping:5.0f} ",
                        *(f"{e:8.4f}" for e in row),
                    )


if __name__ == "__main__":
    run(main)
