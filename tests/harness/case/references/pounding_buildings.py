"""Pounding of two buildings under base acceleration, by scipy: the values expected in case.toml.

m_i ẍ_i + c_i ẋ_i + k_i x_i = −m_i 3 sin(2π 1.1 t) ± F,  F = max(0, −K d − C ḋ) if d < 0
with the clearance d = 0.02 m + x_2 − x_1.
"""

import math

from scipy.integrate import solve_ivp

MASS = (1.0, 2.0)
OMEGA = (4.0 * math.pi, 2.0 * math.pi)
RATIO, GAP, STIFFNESS, DAMPING = 0.05, 0.02, 2e4, 60.0
SHAKING, TURNING = 3.0, 2.0 * math.pi * 1.1
TIMES = (1.0, 3.0, 10.0)


def spring_force(y: list[float]) -> float:
    """Return the force of spring and damper, which acts while it is positive and contact closed."""
    return -STIFFNESS * (GAP + y[2] - y[0]) - DAMPING * (y[3] - y[1])


def rates(t: float, y: list[float], closed: bool) -> list[float]:
    force = spring_force(y) if closed else 0.0
    shaken = -SHAKING * math.sin(TURNING * t)
    push = (-force / MASS[0], force / MASS[1])
    first, second = (
        shaken + push[at] - 2.0 * RATIO * OMEGA[at] * y[2 * at + 1] - OMEGA[at] ** 2 * y[2 * at]
        for at in (0, 1)
    )
    return [y[1], first, y[3], second]


def clearance(t: float, y: list[float], closed: bool) -> float:
    return GAP + y[2] - y[0]


def force(t: float, y: list[float], closed: bool) -> float:
    return spring_force(y)


def part(start: float, end: float, y, closed: bool, events=()):
    return solve_ivp(
        rates,
        (start, end),
        y,
        method="DOP853",
        rtol=1e-13,
        atol=1e-16,
        max_step=0.02,
        events=events,
        args=(closed,),
    )


for event in (clearance, force):
    event.terminal = True  # type: ignore[attr-defined]

time, state, impacts = 0.0, [0.0] * 4, 0
for stop in TIMES:
    inside, closed = False, False
    while time < stop:
        # Flight ends when d falls to 0. Contact ends when its force falls to 0. If the contact
        # releases while d < 0, it opens again when d rises to 0.
        clearance.direction = 1.0 if inside else -1.0  # type: ignore[attr-defined]
        force.direction = -1.0  # type: ignore[attr-defined]
        run = part(time, stop, state, closed, force if closed else clearance)
        last = part(run.t[-2], run.t[-1], run.y[:, -2], closed)
        time, state = float(run.t[-1]), [float(number) for number in last.y[:, -1]]
        if time >= stop:
            break
        if closed:
            closed, inside = False, True
        elif inside:
            inside = False
        else:
            closed = True
            impacts += 1
    print(f"at {stop} s, {impacts} impacts: {state[0]:.15f} m, {state[1]:.15f} m/s,")
    print(f"  {state[2]:.15f} m, {state[3]:.15f} m/s")
    assert not closed
    assert not inside
