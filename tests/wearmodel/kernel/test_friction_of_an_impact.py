"""Speed after an impact far above the decay velocity of friction.

It is compared with a closed form and with quadrature.
"""

import math
import random

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq

from wearmodel import FrictionalShockParameters
from wearmodel.kernel.contact.friction import rub_impact
from wearmodel.kernel.limits import ROW_LENGTH
from wearmodel.kernel.shoe.parameters import Parameters

# Relative to the speed before the impact: rounding of some dozens of pieces.
TOLERANCE = 1e-12
NODES, WEIGHTS = np.polynomial.legendre.leggauss(30)


def left_by_the_kernel(
    speed: float,
    impulse: float,
    *,
    mass: float,
    fast: float,
    slow: float,
    decay: float,
    viscous: float = 0.0,
) -> tuple[float, float]:
    parameters = FrictionalShockParameters(
        mass=mass,
        friction_coefficient=fast,
        friction_coefficient_slow=slow,
        friction_decay_velocity=decay,
        viscous_friction=viscous,
    )
    rows = ([0.0] * ROW_LENGTH for _ in range(4))
    return rub_impact(Parameters(parameters), mass, speed, impulse, *rows)


@pytest.mark.parametrize(
    ("speed", "decay", "fast", "slow", "impulse", "left"),
    [
        (1.0, 0.02, 0.1, 0.3, 9.8, 0.0),
        (1.0, 0.01, 0.5, 0.1, 1.992, 0.00829348),
        (0.5, 0.01, 0.1, 0.3, 4.8, 0.0168437),
    ],
    ids=["weakening, stops", "strengthening", "weakening"],
)
def test_the_speed_that_an_impact_leaves_is_that_of_the_closed_form(
    speed, decay, fast, slow, impulse, left
):
    """z = e^(v/v_s) satisfies m v_s dz/dP = −μ_d z − (μ_0 − μ_d), which is linear until z = 1."""
    with mpmath.workdps(300):
        ratio = mpmath.mpf(slow) / mpmath.mpf(fast) - 1
        grown = mpmath.exp(mpmath.mpf(speed) / decay) + ratio
        grown = grown * mpmath.exp(-mpmath.mpf(fast) * impulse / decay) - ratio
        want = float(decay * mpmath.log(grown)) if grown > 1 else 0.0
    assert want == pytest.approx(left, rel=1e-5)
    after, _ = left_by_the_kernel(speed, impulse, mass=1.0, fast=fast, slow=slow, decay=decay)
    assert after == pytest.approx(want, abs=TOLERANCE * speed)


def test_what_an_impact_leaves_and_wears_agrees_with_a_quadrature_over_the_speed():
    """P = m ∫ dv/μ(v) and ∫ v dP = m ∫ v dv/μ(v), 300 problems with |u̇|/v_s from 0.1 to 500."""
    r = random.Random("impacts by speed")
    stopped = 0
    for _ in range(300):
        mass = r.choice([0.3, 1.0, 2.5])
        fast = r.choice([0.02, 0.05, 0.1, 0.3, 0.5])
        slow = fast * r.choice([0.2, 0.5, 1.5, 2.5, 5.0, 20.0])
        viscous = r.choice([0.0, 0.0, 0.1, 1.0])
        speed = 10.0 ** r.uniform(-2.0, 1.0)
        decay = speed / 10.0 ** r.uniform(-1.0, math.log10(500.0))
        # μ changes by less than a given fraction over one panel.
        width = min(decay, min(fast, slow) / max(viscous, 1e-9))

        def integrals(low: float) -> tuple[float, float]:
            """Return impulse and wear work from `speed` down to `low`."""
            edges = np.linspace(low, speed, max(2, math.ceil((speed - low) / width) + 1))  # noqa: B023
            halves = 0.5 * np.diff(edges)[:, None]
            speeds = 0.5 * (edges[1:] + edges[:-1])[:, None] + halves * NODES
            friction = fast + (slow - fast) * np.exp(-speeds / decay) + viscous * speeds  # noqa: B023
            impulses = mass * halves * WEIGHTS / friction  # noqa: B023
            return math.fsum(impulses.ravel()), math.fsum((impulses * speeds).ravel())

        stopping, wear = integrals(0.0)
        impulse = stopping * r.choice([r.uniform(0.0, 1.0), r.uniform(0.9, 1.1), 2.0])
        want = 0.0
        if impulse < stopping:
            want = float(
                brentq(lambda low: integrals(low)[0] - impulse, 0.0, speed, xtol=1e-16 * speed)  # noqa: B023
            )
            wear = integrals(want)[1]
        else:
            stopped += 1
        after, work = left_by_the_kernel(
            speed, impulse, mass=mass, fast=fast, slow=slow, decay=decay, viscous=viscous
        )
        problem = (speed, impulse, mass, fast, slow, decay, viscous)
        assert after == pytest.approx(want, abs=TOLERANCE * speed), problem
        assert work == pytest.approx(wear, rel=TOLERANCE), problem
        # A stopped mass has exactly zero speed, not just a small one.
        assert (after == 0.0) == (want == 0.0), problem
    assert 100 < stopped < 200
