"""Stick-slip on a belt with speed-weakening friction, by scipy: the values expected in case.toml.

m ü + k (u + V t) = F_T,   u relative to the belt,  F_T = μ(|u̇|) F_N in slip against the belt
"""

import math

from scipy.integrate import solve_ivp

MASS, STIFFNESS, BELT, FORCE = 1.0, 100.0, 0.1, 10.0
SLOW, FAST, DECAY = 0.4, 0.1, 0.05


def rates(t: float, y: list[float]) -> list[float]:
    """Return the rates in backward slip: u̇ < 0, friction > 0, wear work as third component."""
    u, velocity, _ = y
    friction = FORCE * (FAST + (SLOW - FAST) * math.exp(-abs(velocity) / DECAY))
    return [velocity, (friction - STIFFNESS * (u + BELT * t)) / MASS, FORCE * abs(velocity)]


def arrest(t: float, y: list[float]) -> float:
    return -y[1]


arrest.terminal = True  # type: ignore[attr-defined]
arrest.direction = -1.0  # type: ignore[attr-defined]

time, u, wear = 0.0, 0.0, 0.0
fastest = 0.0
while True:
    # Stick lasts until the spring force k (u + V t) reaches μ_0 F_N.
    time = (SLOW * FORCE / STIFFNESS - u) / BELT
    if time > 10.0:
        break
    print(f"breaks away at {time:.13f} s with u = {u:.15f} m, wear work {wear:.13f} J")
    slip = solve_ivp(
        rates,
        (time, time + 5.0),
        [u, 0.0, wear],
        method="DOP853",
        rtol=1e-13,
        atol=1e-16,
        events=arrest,
        max_step=1e-3,
    )
    # The interpolation at the event is less accurate than a step. Take a step to the event.
    last = solve_ivp(
        rates, (slip.t[-2], slip.t[-1]), slip.y[:, -2], method="DOP853", rtol=1e-13, atol=1e-16
    )
    u, velocity, wear = last.y[:, -1]
    fastest = max(fastest, -min(slip.y[1]))
    print(f"  sticks at {slip.t[-1]:.13f} s, u = {u:.15f} m, velocity left {velocity:.1e} m/s")
print(f"at 10 s: u = {u:.15f} m, wear work {wear:.13f} J; fastest {fastest:.6f} m/s")
