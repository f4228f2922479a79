"""Steps of unequal length under discontinuous or noisy inputs, for any master's model."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable

STEP = 1e-3
ORDERS = (0, 1, 2, 3)
# Bounds of the wear work [J] that a discontinuity may cause, from the overshoot of a polynomial of
# the order on an even grid. The load of 0.5 N is below the friction limit of 1 N, so the exact
# wear work is 0.
JUMP_BOUNDS = {0: 0.0, 1: 0.0, 2: 1e-6, 3: 5e-6}
JUMP = 0.5  # N
# Time after a communication point [s].
JUMP_OFFSETS = (*(10.0**-n for n in range(4, 13)), 3e-5, 7e-7, 2.5e-10)

# Arguments: start and length of a step, base_acceleration and tangential_load at its start.
Step = Callable[[float, float, float, float], None]


def play_jump(step: Step, offset: float, at: float = 0.1, stop: float = 0.2) -> None:
    """Apply a load step `offset` after a communication point. A time step ends there."""
    instants = [index * STEP for index in range(round(stop / STEP) + 1)]
    jump = instants[round(at / STEP)] + offset
    instants.insert(round(at / STEP) + 1, jump)
    for begin, end in itertools.pairwise(instants):
        step(begin, end - begin, 0.0, JUMP if begin >= jump else 0.0)


def sine(time: float) -> float:
    """Return the base acceleration [m/s2] of SDND104 at a0 = 1.5."""
    return 1.5 * math.sin(2.0 * math.pi * time)


def even_instants() -> list[float]:
    """Return the communication points of a run of 2 s."""
    return [index * STEP for index in range(2001)]


def instants_with_tiny_steps() -> list[float]:
    """Return the same with three points 1e-13 s apart, where the acceleration is large."""
    instants = even_instants()
    instants[301:301] = [instants[300] + n * 1e-13 for n in (1, 2, 3)]
    return instants


def uneven_instants(seed: int) -> list[float]:
    """Return steps between 1e-8 and 1e-3 s over 2 s, log-uniformly distributed."""
    generator = random.Random(seed)
    instants = [0.0]
    while instants[-1] < 2.0:
        instants.append(min(2.0, instants[-1] + 10.0 ** generator.uniform(-8.0, -3.0)))
    return instants


def play_sine(step: Step, instants: list[float], noise: float = 0.0) -> None:
    """Apply the sine with Gaussian noise [m/s2]."""
    generator = random.Random(1)
    for begin, end in itertools.pairwise(instants):
        step(begin, end - begin, sine(begin) + generator.gauss(0.0, noise), 0.0)
