"""Closed-form values of the rod that whirls in its guide."""

from __future__ import annotations

import cmath
import math

PAIRS = (1, 2, 3)
FREQUENCY, MASS, DAMPING_RATIO = 20.0, 0.5, 0.05
GUIDE, FORCED = 0.6, 0.3
FRICTION, STIFFNESS, GAP = 0.25, 1e6, 2e-4
OMEGA, NORMAL_FORCE, STEP = 2.0 * math.pi * 12.0, 10.0, 1e-3


def main() -> None:
    """Print the load, the initial state and the expected values."""
    radius = GAP + NORMAL_FORCE / STIFFNESS
    at_guide = [math.sin(i * math.pi * GUIDE) for i in PAIRS]
    at_load = [math.sin(i * math.pi * FORCED) for i in PAIRS]
    natural = [2.0 * math.pi * FREQUENCY * i**2 for i in PAIRS]
    dynamic = [
        MASS * (frequency**2 - OMEGA**2 + 2j * DAMPING_RATIO * frequency * OMEGA)
        for frequency in natural
    ]
    contact = -(1.0 + 1j * FRICTION) * NORMAL_FORCE
    own = sum(a * a / d for a, d in zip(at_guide, dynamic, strict=True))
    cross = sum(a * b / d for a, b, d in zip(at_guide, at_load, dynamic, strict=True))
    load = (radius - own * contact) / cross
    modal = [
        (b * load + a * contact) / d for a, b, d in zip(at_guide, at_load, dynamic, strict=True)
    ]
    half = 0.5 * OMEGA * STEP
    print("shapes at the guide", at_guide)
    print("shapes at the load", at_load)
    print("load", abs(load), "N, phase", cmath.phase(load))
    print("amplitude of its samples", abs(load) * (half / math.sin(half)) ** 2)
    print("displacement", [x for q in modal for x in (q.real, q.imag)])
    print("velocity", [x for q in modal for x in (-OMEGA * q.imag, OMEGA * q.real)])
    print("slip velocity", OMEGA * radius, "wear power", NORMAL_FORCE * OMEGA * radius)
    print("place at 0.5 s", radius * math.cos(0.5 * OMEGA), radius * math.sin(0.5 * OMEGA))


if __name__ == "__main__":
    main()
