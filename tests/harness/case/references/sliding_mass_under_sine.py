"""Modelica's mass with Stribeck friction under a sine, by scipy: the values expected in case.toml.

m v' = 25 sin(2π 0.25 t) − s (5 + 10 e^(−|v|/0.5) + |v|), static friction 15.015 N
"""

import math

from scipy.integrate import solve_ivp

MASS, FORCE, OMEGA = 1.0, 25.0, 0.5 * math.pi
FAST, EXTRA, DECAY, VISCOUS, STATIC = 5.0, 10.0, 0.5, 1.0, 15.015
PRESSED = 100.0
PRINTED_AT = (1.8, 3.5, 5.0)


def rates(t: float, y: list[float], side: float) -> list[float]:
    """Return the rates of position, velocity and wear work for a slip in one direction."""
    speed = abs(y[1])
    friction = FAST + EXTRA * math.exp(-speed / DECAY) + VISCOUS * speed
    return [y[1], (FORCE * math.sin(OMEGA * t) - side * friction) / MASS, PRESSED * speed]


def part(start: float, end: float, y: list[float], side: float, event=None):
    return solve_ivp(
        rates,
        (start, end),
        y,
        method="DOP853",
        rtol=1e-13,
        atol=1e-15,
        events=event,
        max_step=0.02,
        args=(side,),
    )


def slip(start: float, end: float, y: list[float], side: float) -> tuple[float, list[float]]:
    """Return time and state at the end of the slip, or at `end` if the slip continues."""

    def stops(t: float, y: list[float], side: float) -> float:
        return side * y[1]

    stops.terminal = True  # type: ignore[attr-defined]
    stops.direction = -1.0  # type: ignore[attr-defined]
    run = part(start, end, y, side, stops)
    # The interpolation at the event is less accurate than a step. Take a step to the event.
    last = part(run.t[-2], run.t[-1], run.y[:, -2], side)
    return float(run.t[-1]), [float(number) for number in last.y[:, -1]]


time, state, breaks = 0.0, [0.0, 0.0, 0.0], 0
while time < PRINTED_AT[-1]:
    # The mass sticks until the absolute load reaches 15.015 N again.
    half = math.pi / OMEGA
    first = math.asin(STATIC / FORCE) / OMEGA
    number = math.ceil((time - first) / half)
    if abs(FORCE * math.sin(OMEGA * time)) <= STATIC:
        time = max(time, number * half + first)
    side = math.copysign(1.0, math.sin(OMEGA * time))
    if time >= PRINTED_AT[-1]:
        break
    breaks += 1
    print(f"slip {breaks} begins at {time:.14f} s")
    begun, started = time, state
    time, state = slip(time, PRINTED_AT[-1], state, side)
    for at in PRINTED_AT:
        if begun < at < time:
            inside = part(begun, at, started, side).y[:, -1]
            print(f"at {at} s: {inside[0]:.15f} m, {inside[1]:.15f} m/s, {inside[2]:.13f} J")
    if time < PRINTED_AT[-1]:
        state[1] = 0.0
        print(f"stops at {time:.14f} s, {state[0]:.15f} m, {state[2]:.13f} J")
print(f"at {PRINTED_AT[-1]} s: {state[0]:.15f} m, {state[1]:.15f} m/s, {state[2]:.13f} J")
