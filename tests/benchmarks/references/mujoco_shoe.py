"""The rubbing shoe by MuJoCo: its dry friction of a joint, the support's motion as a force.

MuJoCo's friction is a soft constraint: a mass that sticks creeps, the less the smaller the step and
the harder the constraint, which is as hard here as its limits allow (a time constant of two steps,
an impedance of 0.9999). The loop is Python, each step's work is compiled C.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import mujoco

from .method import Method, Setting, geometric
from .shoe import (
    ANGULAR_FREQUENCY,
    FRICTION_COEFFICIENT,
    MASS,
    NORMAL_FORCE,
    PERIODS,
    WINDOW_END,
    WINDOW_START,
)


@cache
def _model(steps_per_period: int) -> Any:
    step = 1.0 / steps_per_period
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{step!r}" gravity="0 0 0"/><worldbody><body>
        <joint type="slide" axis="1 0 0" frictionloss="{FRICTION_COEFFICIENT * NORMAL_FORCE!r}"
            solreffriction="{2.0 * step!r} 1" solimpfriction="0.9999 0.9999 0.001 0.5 2"/>
        <geom type="sphere" size="0.1" mass="{MASS!r}"/></body></worldbody></mujoco>"""
    )


def _solve(amplitude: float, setting: Setting) -> float:
    steps_per_period = setting["steps a period"]
    model = _model(steps_per_period)
    data = mujoco.MjData(model)
    step = 1.0 / steps_per_period
    first_counted = int(WINDOW_START) * steps_per_period
    travelled = 0.0
    before = 0.0
    for number in range(PERIODS * steps_per_period):
        phase = ANGULAR_FREQUENCY * (number + 0.5) * step
        data.qfrc_applied[0] = -MASS * amplitude * math.sin(phase)
        mujoco.mj_step(model, data)
        speed = abs(data.qvel[0])
        if number >= first_counted:
            travelled += 0.5 * step * (speed + before)
        before = speed
    return float(NORMAL_FORCE * travelled / (WINDOW_END - WINDOW_START))


METHOD = Method(
    "MuJoCo",
    "compiled",
    [[{"steps a period": steps} for steps in geometric(250, 2.0, 64_000)]],
    _solve,
)
