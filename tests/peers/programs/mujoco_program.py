"""SDND104 with MuJoCo: dry friction of a joint, with the acceleration of the support as a force.

Friction in MuJoCo is a soft constraint. A mass in stick creeps. The creep decreases with a smaller
step and a harder constraint. The constraint is as hard as the limits of MuJoCo allow: a time
constant of two steps, an impedance of 0.9999. The loop is in Python. Each step is compiled C.
"""

from __future__ import annotations

import math

import mujoco
import shoe as s
from serve import serve


def shoe(setting, data):
    amplitude, steps = setting["amplitude"], setting["steps per period"]
    step = 1.0 / steps
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="{step!r}" gravity="0 0 0"/><worldbody><body>
        <joint type="slide" axis="1 0 0" frictionloss="{s.LIMIT * s.MASS!r}"
            solreffriction="{2.0 * step!r} 1" solimpfriction="0.9999 0.9999 0.001 0.5 2"/>
        <geom type="sphere" size="0.1" mass="{s.MASS!r}"/></body></worldbody></mujoco>"""
    )
    first = round(s.WINDOW_START * steps)

    def run():
        state = mujoco.MjData(model)
        way = before = 0.0
        for number in range(s.PERIODS * steps):
            phase = s.OMEGA * (number + 0.5) * step
            state.qfrc_applied[0] = -s.MASS * amplitude * math.sin(phase)
            mujoco.mj_step(model, state)
            speed = abs(state.qvel[0])
            if number >= first:
                way += 0.5 * step * (speed + before)
            before = speed
        return [s.mean_power(0.0, s.NORMAL_FORCE * way)]

    return run


if __name__ == "__main__":
    serve({"shoe": shoe})
