"""A master that iterates a body of unknown mass with DisChoc.fmu, in a plain FMPy loop.

    python examples/iterated_contact.py [build/DisChoc.fmu or build/native/DisChoc.fmu]

Without `effective_mass` the force at the end of a step depends on the position there. The body
moves under the mean of the forces at both ends of the step, which is unknown before the step. Each
trial takes the step from a saved state with an estimated position at its end. Newton's method
corrects the estimate with the directional derivative of the force, which the native FMU provides.
With the Python FMU the secant method corrects the estimate. The table contains the speed after the
impact over the speed before it, and the mean and largest number of trials of a step, with n steps
per π √(m/K).
"""

from __future__ import annotations

import math
from pathlib import Path

from ball_on_floor import DAMPING, FLOOR, STIFFNESS, Fmu
from console import parser, run

MASS = 1.0  # kg, which DisChoc does not know
MOST_TRIALS = 12
TOLERANCE = 1e-10  # of the way in a step


class NotConvergedError(RuntimeError):
    """A step whose position does not converge."""


def impact(floor: Path, steps: int, damping: float) -> tuple[float, float, int]:
    """Speed after the impact, and mean and largest number of trials."""
    h = math.pi * math.sqrt(MASS / STIFFNESS) / steps
    place, speed, force = 0.01, -1.0, 0.0
    contact = Fmu(floor, **FLOOR, contact_damping=damping, imposed_displacement_x=place)
    trials: dict[int, int] = {}
    for number in range(round(0.03 / h)):
        state = contact.slave.getFMUState()
        guess, last, slope = place + h * speed, None, -1.0
        for trial in range(1, MOST_TRIALS + 1):
            trials[number] = trial
            contact.slave.setFMUState(state)
            contact.set("imposed_displacement_x", guess)
            contact.slave.doStep(number * h, h)
            mean = 0.5 * (force + contact.get("mean_force_x"))
            error = place + h * (speed + 0.5 * h * mean / MASS) - guess
            if abs(error) <= TOLERANCE * h * (abs(speed) + h * abs(mean) / MASS):
                break
            if contact.has_derivatives:
                derivative = contact.derivative("mean_force_x", "imposed_displacement_x")
                slope = 0.25 * h * h * derivative / MASS - 1.0
            elif last is not None:
                slope = (error - last[1]) / (guess - last[0])
            last = (guess, error)
            guess -= error / slope
        else:
            raise NotConvergedError(
                f"the step at {number * h:g} s: {error:g} m after {MOST_TRIALS} trials"
            )
        contact.slave.freeFMUState(state)
        place, speed = guess, speed + h * mean / MASS
        force = contact.get("mean_force_x")
    return speed, sum(trials.values()) / len(trials), max(trials.values())


def main() -> None:
    """Print the restitution and the number of trials."""
    arguments = parser(__doc__)
    arguments.add_argument("fmu", nargs="?", default="build/DisChoc.fmu", type=Path)
    floor = arguments.parse_args().fmu
    print("           n   speed   trials  most")
    for damping in (0.0, DAMPING):
        for steps in (4, 10, 20, 40):
            speed, mean, most = impact(floor, steps, damping)
            print(f"C = {damping:4.0f} {steps:4}  {speed:.4f}  {mean:6.2f}  {most:4}")


if __name__ == "__main__":
    run(main)
