"""A sliding isolator whose friction increases with speed, by scipy: the expected values.

m ü + k u = −m A sin(ω t) − s μ(|u̇|) m g
"""

import math

from scipy.integrate import solve_ivp

MASS, STIFFNESS, GRAVITY = 1.0, 4.905, 9.81
SLOW, FAST, DECAY = 0.05, 0.12, 0.04
AMPLITUDE, OMEGA = 2.0, math.pi


def drive(t: float, u: float) -> float:
    return -MASS * AMPLITUDE * math.sin(OMEGA * t) - STIFFNESS * u


def friction(velocity: float) -> float:
    return MASS * GRAVITY * (FAST + (SLOW - FAST) * math.exp(-abs(velocity) / DECAY))


def rates(t: float, y: list[float], sliding: float) -> list[float]:
    u, velocity = y[:2]
    force = friction(velocity)
    speed = sliding * velocity
    return [velocity, (drive(t, u) - sliding * force) / MASS, MASS * GRAVITY * speed, force * speed]


def arrest(t: float, y: list[float], sliding: float) -> float:
    return sliding * y[1]


arrest.terminal = True  # type: ignore[attr-defined]
arrest.direction = -1.0  # type: ignore[attr-defined]


def run(until: float) -> tuple[list[float], int]:
    """Return the state u, u̇, wear work, friction work at `until`, and the number of slips."""
    time, y, slips = 0.0, [0.0] * 4, 0
    while True:
        bound = friction(0.0)
        if abs(drive(time, y[0])) <= bound:
            # Stick ends when the drive, a sine about −k u, exceeds the bound.
            for step in range(1, 4000):
                later = time + 1e-3 * step
                if abs(drive(later, y[0])) > bound:
                    break
            low, high = later - 1e-3, later
            for _ in range(60):
                middle = 0.5 * (low + high)
                low, high = (low, middle) if abs(drive(middle, y[0])) > bound else (middle, high)
            time = high
            if time >= until:
                return y, slips
        slips += 1
        sliding = math.copysign(1.0, drive(time, y[0]))
        options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-16, "args": (sliding,)}
        slip = solve_ivp(rates, (time, until), y, events=arrest, max_step=5e-3, **options)
        before = slip.t[-2]
        last = solve_ivp(rates, (before, slip.t[-1]), slip.y[:, -2], **options)
        time, y = slip.t[-1], list(last.y[:, -1])
        if time >= until:
            return y, slips
        y[1] = 0.0


for until in (10.0, 12.0):
    (u, velocity, wear, heat), slips = run(until)
    print(f"at {until} s: u {u:.15f} m, u̇ {velocity:.15f} m/s after {slips} slips")
    print(f"  wear work {wear:.12f} J, friction work {heat:.12f} J")
