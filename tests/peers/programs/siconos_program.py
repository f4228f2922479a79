"""SDND104 and the ball with Siconos' Moreau–Jean time stepping.

LagrangianLinearTIDS and MoreauJeanOSI(θ), with a relay law whose multiplier is the friction
impulse, bounded by μ F_N h, and Newton's impact law. The loop is in Python, as in the examples of
Siconos. Each step is compiled C++.
"""

from __future__ import annotations

import math

import ball as b
import numpy as np
import shoe as s
import siconos.kernel as kernel
import siconos.numerics as numerics
from serve import serve


def _system(body, law, relation, duration, step, theta, solver):
    contact = kernel.Interaction(law, relation)
    system = kernel.NonSmoothDynamicalSystem(0.0, duration)
    system.insertDynamicalSystem(body)
    system.link(contact, body)
    simulation = kernel.TimeStepping(
        system, kernel.TimeDiscretisation(0.0, step), kernel.MoreauJeanOSI(theta), solver
    )
    return simulation, contact, (system, contact, body)


def shoe(setting, data):
    amplitude, theta = setting["amplitude"], setting["theta"]
    step = 1.0 / setting["steps per period"]
    first = round(s.WINDOW_START / step)

    def run():
        body = kernel.LagrangianLinearTIDS([0.0], [0.0], [[s.MASS]])
        body.setFExtPtr(np.array([1.0]))
        # This is a view of the internal array. An array that is passed in would be copied.
        force, velocity = body.fExt(), body.velocity()
        largest = s.LIMIT * s.MASS * step
        simulation, _, kept = _system(
            body, kernel.RelayNSL(1, -largest, largest), kernel.LagrangianLinearTIR([[1.0]]),
            s.WINDOW_END, step, theta, kernel.Relay(numerics.SICONOS_RELAY_PGS),
        )  # fmt: skip
        before = work = 0.0
        for number in range(s.PERIODS * setting["steps per period"]):
            force[0] = -s.MASS * amplitude * math.sin(s.OMEGA * (number + theta) * step)
            simulation.computeOneStep()
            after = velocity[0]
            if number >= first:
                work += s.NORMAL_FORCE * step * (theta * abs(after) + (1.0 - theta) * abs(before))
            before = after
            simulation.nextStep()
        del kept
        return [s.mean_power(0.0, work)]

    return run


def ball(setting, data):
    per_second = setting["steps per second"]
    step = 1.0 / per_second
    ends = [round(time * per_second) for time in b.TIMES]

    def run():
        body = kernel.LagrangianLinearTIDS([b.HEIGHT], [0.0], [[b.MASS]])
        body.setFExtPtr(np.array([-b.MASS * b.GRAVITY]))
        simulation, contact, kept = _system(
            body, kernel.NewtonImpactNSL(b.RESTITUTION), kernel.LagrangianLinearTIR([[1.0]]),
            b.TIMES[-1], step, 0.5, kernel.LCP(),
        )  # fmt: skip
        place, weight = body.q(), b.MASS * b.GRAVITY * step
        impulse, gaps = 0.0, []
        for number in range(ends[-1]):
            simulation.computeOneStep()
            # At rest each step has the impulse of the weight, which is not an impact.
            share = contact.lambda_(1)[0]
            if share > 2.0 * weight:
                impulse += share
            simulation.nextStep()
            if number + 1 in ends:
                gaps.append(place[0])
        del kept
        return [*gaps[:-1], impulse]

    return run


if __name__ == "__main__":
    serve({"shoe": shoe, "ball": ball})
