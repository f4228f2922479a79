"""A mass that knocks between two wearing planes, by scipy: the expected values.

m ẅ = −m A_n ± F_N,  F_N = max(0, −K_N (gap + h)),  ḣ = β F_N v of the plane in contact
"""

import math

from scipy.integrate import solve_ivp

MASS, STIFFNESS, HALF = 1.0, 1e5, 1e-3
AMPLITUDE, OMEGA, SPEED = 40.0, 30.0, 1.0
BETA = 1e5 * 1e-13 / 1e-4
UNTIL = 0.3


def gap(plane: int, y: list[float]) -> float:
    return HALF + plane * y[0] + (y[2] if plane > 0 else y[3])


def rates(t: float, y: list[float], contact: int) -> list[float]:
    force = -STIFFNESS * gap(contact, y) if contact else 0.0
    worn = BETA * SPEED * force
    return [
        y[1],
        -AMPLITUDE * math.sin(OMEGA * t) + contact * force / MASS,
        worn if contact > 0 else 0.0,
        worn if contact < 0 else 0.0,
    ]


def lower(t: float, y: list[float], contact: int) -> float:
    """Return a function value that falls through zero when the lower contact changes."""
    return -gap(1, y) if contact else gap(1, y)


def upper(t: float, y: list[float], contact: int) -> float:
    """Return a function value that falls through zero when the upper contact changes."""
    return -gap(-1, y) if contact else gap(-1, y)


for guard in (lower, upper):
    guard.terminal = True  # type: ignore[attr-defined]
    guard.direction = -1.0  # type: ignore[attr-defined]

time, contact, shocks = 0.0, 0, 0
y = [0.0] * 4
while time < UNTIL:
    guards = {1: [lower], -1: [upper], 0: [lower, upper]}[contact]
    options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-17, "args": (contact,)}
    piece = solve_ivp(rates, (time, UNTIL), y, events=guards, max_step=1e-3, **options)
    before = piece.t[-2]
    last = solve_ivp(rates, (before, piece.t[-1]), piece.y[:, -2], **options)
    time, y = float(piece.t[-1]), list(last.y[:, -1])
    fired = [len(times) > 0 for times in piece.t_events]
    if not any(fired):
        break
    if contact:
        contact = 0
    else:
        contact = 1 if fired[0] else -1
        shocks += 1
print(f"at {UNTIL} s after {shocks} shocks: w {y[0]:.15f} m, velocity {y[1]:.13f} m/s")
print(f"  depth lower {y[2]:.15e} m, upper {y[3]:.15e} m")
