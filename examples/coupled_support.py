"""A mass on a support that is itself a body: two masters and their accuracy.

    support  M ẍ = −C ẋ − K x + F sin ωt + S
    shoe     m ü = −m ẍ + F_T,   S = −F_T        (FrictionalShock.fmu)

The FMU receives the acceleration of the support and returns the force on the support. This loop
has no delay: in rigid stick the friction force moves the shoe with the support, F_T = m ẍ, so the
force of a step depends on the acceleration of the same step.

- The explicit master applies the force at the end of one step during the next step. In stick its
  acceleration is a_new = (… − m a_old)/M. It is one step late, and unstable if m ≥ M.
- The iterating master repeats each step from a saved state until the mean acceleration agrees with
  the mean force. If the contact changes during the step, the force at the end of the step differs
  from the mean force. The momentum of the shoe gives the mean exactly, S = −m (Δu̇/h + a). If the
  shoe comes to rest or reverses, the force and the acceleration of the support are discontinuous.
  Such a step is rolled back and halved until its length is of second order. Therefore the error is
  of second order.

The native FMU (`wearfmu build --native`) gives the slope of the first correction by a directional
derivative, which nearly always ends the iteration. If the contact changes, the residual has a kink
at which Newton's method may oscillate, so later corrections use the secant.

The reference integrates both bodies together (monolithic_support.py).
`python examples/coupled_support.py` prints a table of errors and orders. To use another FMU:
`python examples/coupled_support.py build/native/FrictionalShock.fmu`
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import fmpy
import numpy as np
from console import parser, run
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave
from monolithic_support import History, System, monolithic
from numpy.typing import NDArray
from scipy.linalg import expm

from fmu_src.archive.builder import build_fmu

# The iteration ends where mean acceleration and mean force agree this well [m/s2].
_RESIDUAL = 1e-10
_MOST_TRIALS = 50


class Shoe:
    """FrictionalShock.fmu in fmpy, with its input held over each step."""

    def __init__(self, folder: Path, system: System) -> None:
        description = fmpy.read_model_description(folder)
        self._references = {v.name: v.valueReference for v in description.modelVariables}
        self._has_derivatives = description.coSimulation.providesDirectionalDerivative
        self._slave = FMU2Slave(
            guid=description.guid,
            modelIdentifier=description.coSimulation.modelIdentifier,
            unzipDirectory=str(folder),
            instanceName="shoe",
        )
        self._slave.instantiate()
        self._set("mass", system.shoe_mass)
        self._set("friction_coefficient", system.friction_coefficient)
        self._set("gravity", system.gravity)
        self._slave.setInteger([self._references["input_extrapolation_order"]], [0])
        self._slave.setupExperiment()
        self._slave.enterInitializationMode()
        self._slave.exitInitializationMode()

    def _set(self, name: str, value: float) -> None:
        self._slave.setReal([self._references[name]], [value])

    def get(self, name: str) -> float:
        """Value of an output at the end of the last step."""
        value: float = self._slave.getReal([self._references[name]])[0]
        return value

    def get_integer(self, name: str) -> int:
        """Value of a counter or mode at the end of the last step."""
        value: int = self._slave.getInteger([self._references[name]])[0]
        return value

    def step(self, time: float, step_size: float, acceleration: float) -> None:
        """One step under a constant acceleration of the support."""
        self._set("base_acceleration", acceleration)
        self._slave.doStep(currentCommunicationPoint=time, communicationStepSize=step_size)

    def velocity_slope(self) -> float | None:
        """Slope of the velocity after the last step over its acceleration [s], if known."""
        if not self._has_derivatives:
            return None
        output, known = (self._references[n] for n in ("relative_velocity", "base_acceleration"))
        try:
            slope: float = self._slave.getDirectionalDerivative([output], [known], [1.0])[0]
        except FMICallException:  # at the edge of a mode there is none
            return None
        return slope

    @contextmanager
    def saved(self) -> Iterator[Callable[[], None]]:
        """Save the complete state. The returned function restores it."""
        state = self._slave.getFMUstate()
        try:
            yield lambda: self._slave.setFMUstate(state)
        finally:
            self._slave.freeFMUstate(state)

    def close(self) -> None:
        """End the instance."""
        self._slave.terminate()
        self._slave.freeInstance()


class Support:
    """The motion of the support, exact if the force of the shoe is constant over the step."""

    def __init__(self, system: System) -> None:
        self._matrix = system.support_matrix()
        self._flows: dict[float, NDArray[np.float64]] = {}
        self.state = np.array([0.0, 0.0, 0.0, 0.0, 1.0])  # x, ẋ, S, sin ωt, cos ωt

    def after(self, step_size: float, force: float) -> NDArray[np.float64]:
        """State at the end of a step under the shoe's mean force [N]."""
        begin = self.state.copy()
        begin[2] = force
        end: NDArray[np.float64] = self._flow(step_size) @ begin
        return end

    def velocity_slope(self, step_size: float) -> float:
        """How the velocity after a step follows the shoe's mean force [m/(s.N)]."""
        return float(self._flow(step_size)[1, 2])

    def _flow(self, step_size: float) -> NDArray[np.float64]:
        if step_size not in self._flows:
            self._flows[step_size] = expm(self._matrix * step_size)
        return self._flows[step_size]


def run_explicit(folder: Path, system: System, steps: int) -> History:
    """The master without iteration: the force at the start of a step acts during the whole step."""
    step_size = system.stop_time / steps
    shoe, support = Shoe(folder, system), Support(system)
    history = [(0.0, 0.0, 0.0, 0.0)]
    for step in range(steps):
        end = support.after(step_size, shoe.get("support_force_tangential"))
        shoe.step(step * step_size, step_size, (end[1] - support.state[1]) / step_size)
        support.state = end
        history.append(_row(shoe, support, (step + 1) * step_size))
    shoe.close()
    return np.array(history)


class IteratingMaster:
    """Finds the mean acceleration of each step, and halves a step in which the contact changes."""

    def __init__(self, folder: Path, system: System, step_size: float) -> None:
        self.shoe = Shoe(folder, system)
        self.support = Support(system)
        self.trials = 0
        self._mass = system.shoe_mass
        # In a step of second-order length the force may be discontinuous.
        self._smallest = step_size**2 / system.stop_time
        self._acceleration = 0.0

    def step(self, time: float, step_size: float) -> None:
        """One step, or two halves of it."""
        contact = self._contact()
        with self.shoe.saved() as restore:
            end = self._agreed(time, step_size, restore)
            changed = self._contact() != contact and step_size > self._smallest
            if changed:
                restore()
        if changed:
            self.step(time, step_size / 2.0)
            self.step(time + step_size / 2.0, step_size / 2.0)
        else:
            self.support.state = end

    def _contact(self) -> tuple[int, int]:
        return self.shoe.get_integer("contact_mode"), self.shoe.get_integer("slip_count")

    def _agreed(
        self, time: float, step_size: float, restore: Callable[[], None]
    ) -> NDArray[np.float64]:
        """Repeat the step until force and acceleration agree. Return the support's state."""
        velocity = self.shoe.get("relative_velocity")
        previous: tuple[float, float] | None = None
        for _ in range(_MOST_TRIALS):
            acceleration = self._acceleration
            self.shoe.step(time, step_size, acceleration)
            self.trials += 1
            gained = (self.shoe.get("relative_velocity") - velocity) / step_size + acceleration
            end = self.support.after(step_size, -self._mass * gained)
            residual = (end[1] - self.support.state[1]) / step_size - acceleration
            if abs(residual) <= _RESIDUAL:
                return end
            if previous is None or acceleration == previous[0]:
                slope = self._slope(step_size)
            else:
                slope = (residual - previous[1]) / (acceleration - previous[0])
            previous = (acceleration, residual)
            self._acceleration -= residual / slope
            restore()
        raise RuntimeError(f"t={time!r} s: acceleration and force do not agree after all trials")

    def _slope(self, step_size: float) -> float:
        """How the residual follows the acceleration in the step just tried."""
        shoe = self.shoe.velocity_slope()
        if shoe is None:
            return -1.0  # that of slip; it is −(1 + m/M) in stick
        force = -self._mass * (shoe / step_size + 1.0)
        return self.support.velocity_slope(step_size) * force / step_size - 1.0


def run_iterated(folder: Path, system: System, steps: int) -> tuple[History, float]:
    """The iterating master, and its mean number of trials per step."""
    step_size = system.stop_time / steps
    master = IteratingMaster(folder, system, step_size)
    history = [(0.0, 0.0, 0.0, 0.0)]
    for step in range(steps):
        master.step(step * step_size, step_size)
        history.append(_row(master.shoe, master.support, (step + 1) * step_size))
    master.shoe.close()
    return np.array(history), master.trials / steps


def _row(shoe: Shoe, support: Support, time: float) -> tuple[float, float, float, float]:
    displacement = shoe.get("relative_displacement")
    return time, float(support.state[0]), displacement, shoe.get("wear_work")


def errors(history: History, truth: History) -> tuple[float, float]:
    """Largest error of u over the run [m], and error of the wear work at its end, relative."""
    displacement = float(np.max(np.abs(history[:, 2] - truth[:, 2])))
    return displacement, abs(history[-1, 3] / truth[-1, 3] - 1.0)


def main() -> None:
    """Print errors and observed orders of both masters, for a heavy and a light support."""
    arguments = parser(__doc__)
    arguments.add_argument("fmu", nargs="?", type=Path, help="default: one built for this run")
    given: Path | None = arguments.parse_args().fmu
    with tempfile.TemporaryDirectory() as folder:
        fmu = given or build_fmu("FrictionalShock", Path(folder))
        extracted = Path(fmpy.extract(fmu, folder))
        for system in (System(), replace(System(), support_mass=0.8)):
            print(f"support {system.support_mass} kg, shoe {system.shoe_mass} kg")
            print("  h [ms]   explicit: u [m]  order   iterated: u [m]  order  wear work  trials")
            before: tuple[float, float] | None = None
            for steps in (400, 800, 1600, 3200):
                times = np.linspace(0.0, system.stop_time, steps + 1)
                truth = monolithic(system, times)
                explicit, _ = errors(run_explicit(extracted, system, steps), truth)
                history, trials = run_iterated(extracted, system, steps)
                iterated, work = errors(history, truth)
                orders = ["", ""]
                if before is not None:
                    ratios = np.log2(np.divide(before, (explicit, iterated)))
                    orders = [f"{ratio:.2f}" for ratio in ratios]
                before = (explicit, iterated)
                print(
                    f"  {1e3 * system.stop_time / steps:6.2f}   {explicit:15.2e}  {orders[0]:>5}"
                    f"   {iterated:15.2e}  {orders[1]:>5}  {work:9.1e}  {trials:6.2f}"
                )


if __name__ == "__main__":
    run(main)
