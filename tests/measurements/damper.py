"""A friction damper under imposed displacement, compared with DisChoc.

The data are not part of this repository. They are public: Coble, Huggins, Cao, Ricles and Downey,
Dataset-Friction-Damper-with-Backlash, 2022, CC BY-SA 4.0. A file contains a matrix with the columns
time [s], displacement [in], force [kip] and others, 1024 samples per second.

`wearfmu fit` finds the friction force and the stiffness from one test. All other tests are
predicted with these values. The model is a Jenkins element: a spring in series with Coulomb
friction. The damper also has backlash, which the model does not have.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.fitting import FitResult, fit
from wearmodel import Drive, ShockSpring, ShockSpringParameters
from wearmodel.arrays import Floats

INCH = 0.0254
KIP = 4448.2216152605
#: Normal force [N] of the model. Only its product with the friction coefficient matters.
NORMAL_FORCE = 1e4
#: Every eighth sample is used, 128 per second.
EVERY = 8
FITTED = "0.5Hz30lbtension1amplitude"
TESTS = tuple(
    f"{frequency}Hz30lbtension{amplitude}amplitude"
    for amplitude in ("0.5", "1", "1.5")
    for frequency in ("0.25", "0.5", "1", "2")
    if (frequency, amplitude) not in (("2", "1"), ("2", "1.5"))
)

_CASE = """
[case]
title = "Friction damper"
source = "measurement"
fmu = "DisChoc"

[parameters]
drive = "displacement"
dist_1 = 0.0
contact_stiffness = {normal!r}
friction_coefficient = 0.9
tangential_stiffness = 3e6

[inputs.imposed_displacement_x]
kind = "constant"
value = -1.0

[inputs.imposed_displacement_y]
kind = "csv"
file = "test.csv"
time_column = "time [s]"
value_column = "displacement [m]"

[experiment]
stop_time = {stop!r}
step_size = {step!r}

[fit.parameters]
friction_coefficient = {{ start = 0.5, low = 0.1, high = 3.0 }}
tangential_stiffness = {{ start = 3e6, low = 1e5, high = 1e8, scale = "log" }}

[[fit.measured]]
file = "test.csv"
time_column = "time [s]"
value_column = "force [N]"
variable = "force_y"
"""


@dataclass(frozen=True)
class Measured:
    """A test: times [s], imposed displacement [m] and force [N], equally spaced."""

    time: Floats
    displacement: Floats
    force: Floats

    @property
    def energy(self) -> float:
        """Work of the force over the whole test [J]."""
        return float(np.trapezoid(self.force, self.displacement))


@dataclass(frozen=True)
class Deviation:
    """Deviation of computed from measured values, relative to the measured values."""

    energy: float
    #: Rms of the difference of the forces over the rms of the measured force.
    force: float


def read_test(path: Path) -> Measured:
    """Read a test of the data set in SI units. The sign of the force is the same as in DisChoc."""
    rows = np.array(json.loads(path.read_text(encoding="utf-8"))["data"])[::EVERY]
    return Measured(rows[:, 0] - rows[0, 0], INCH * rows[:, 1], KIP * rows[:, 2])


def computed_force(measured: Measured, friction_force: float, stiffness: float) -> Floats:
    """Return the force [N] of the model under the measured displacement, linear between samples."""
    spring = ShockSpring(
        ShockSpringParameters(
            drive=Drive.displacement,
            dist_1=0.0,
            contact_stiffness=NORMAL_FORCE,
            friction_coefficient=friction_force / NORMAL_FORCE,
            tangential_stiffness=stiffness,
        )
    )
    force = [0.0]
    for place in measured.displacement[1:]:
        spring.step(imposed_displacement_x=-1.0, imposed_displacement_y=float(place))
        force.append(spring.outputs()["force_y"])
    return np.array(force)


def deviation(measured: Measured, force: Floats) -> Deviation:
    """Return the deviation of a computed force."""
    computed = Measured(measured.time, measured.displacement, force)
    return Deviation(
        computed.energy / measured.energy - 1.0,
        float(np.linalg.norm(force - measured.force) / np.linalg.norm(measured.force)),
    )


def fitted(measured: Measured, folder: Path) -> FitResult:
    """Write a case of the test, and fit friction and stiffness as in `wearfmu fit`."""
    table = np.column_stack([measured.time, measured.displacement, measured.force])
    header = "time [s],displacement [m],force [N]"
    np.savetxt(folder / "test.csv", table, delimiter=",", header=header, comments="")
    case = _CASE.format(
        normal=NORMAL_FORCE, stop=float(measured.time[-1]), step=float(measured.time[1])
    )
    (folder / "test.toml").write_text(case, encoding="utf-8")
    return fit(folder / "test.toml")
