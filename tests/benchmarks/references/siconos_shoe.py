"""The rubbing shoe by Siconos, a program of its own run by the interpreter that has the binding.

The same Moreau–Jean scheme as `moreau_jean`: LagrangianLinearTIDS, MoreauJeanOSI(θ), and a relay
law whose multiplier is the friction impulse, bounded by μ F_N h. The time loop is Python's, as in
Siconos' own examples; each step's work is compiled C++. Reads one JSON object a line on standard
input (amplitude, time_step, steps, first_counted, theta, solver), answers with one.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time

import numpy as np
import siconos.kernel as kernel
import siconos.numerics as numerics

MASS = 1.0
NORMAL_FORCE = 10.0
FRICTION_COEFFICIENT = 0.1
ANGULAR_FREQUENCY = 2.0 * math.pi


def run(amplitude, time_step, steps, first_counted, theta, solver):
    """Wear work [J] of the steps from `first_counted` on, and the seconds of the time loop."""
    body = kernel.LagrangianLinearTIDS([0.0], [0.0], [[MASS]])
    body.setFExtPtr(np.array([1.0]))
    force = body.fExt()  # a view; an array that is passed in is copied
    velocity = body.velocity()
    largest_impulse = FRICTION_COEFFICIENT * NORMAL_FORCE * time_step
    friction = kernel.RelayNSL(1, -largest_impulse, largest_impulse)
    contact = kernel.Interaction(friction, kernel.LagrangianLinearTIR([[1.0]]))
    system = kernel.NonSmoothDynamicalSystem(0.0, steps * time_step)
    system.insertDynamicalSystem(body)
    system.link(contact, body)
    simulation = kernel.TimeStepping(
        system,
        kernel.TimeDiscretisation(0.0, time_step),
        kernel.MoreauJeanOSI(theta),
        kernel.Relay(getattr(numerics, solver)),
    )
    old_velocity = 0.0
    wear_work = 0.0
    started = time.process_time()
    for step in range(steps):
        support = amplitude * math.sin(ANGULAR_FREQUENCY * (step + theta) * time_step)
        force[0] = -MASS * support
        simulation.computeOneStep()
        new_velocity = velocity[0]
        if step >= first_counted:
            speed = theta * abs(new_velocity) + (1.0 - theta) * abs(old_velocity)
            wear_work += NORMAL_FORCE * time_step * speed
        old_velocity = new_velocity
        simulation.nextStep()
    return wear_work, time.process_time() - started


def main():
    # Siconos writes to standard output as it pleases; the answers get a way of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        wear_work, seconds = run(**json.loads(line))
        answers.write(json.dumps({"wear_work": wear_work, "seconds": seconds}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
