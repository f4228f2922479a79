"""Restitution of damped contacts, compared with 60 digits of mpmath and with integration."""

import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wearmodel

RATIOS = (
    0.0,
    1e-9,
    0.1,
    0.5,
    0.9,
    *(1.0 + sign * size for sign in (-1, 1) for size in (1e-3, 1e-6, 1e-9, 1e-15)),
    1.0,
    2.0,
    10.0,
    1e6,
)
STIFFNESS, MASS = 1e6, 1.7
# The documented accuracy. The rounding of the few operations is some 1e-15.
ACCURACY = 1e-12


def exact(damping):
    """Return restitution and duration [s], in 60 digits."""
    with mpmath.workdps(60):
        stiffness, mass = mpmath.mpf(STIFFNESS), mpmath.mpf(MASS)
        ratio = mpmath.mpf(damping) / (2 * mpmath.sqrt(stiffness * mass))
        angle = mpmath.mpf(1)
        if ratio < 1:
            angle = mpmath.acos(ratio) / mpmath.sqrt(1 - ratio**2)
        elif ratio > 1:
            angle = mpmath.acosh(ratio) / mpmath.sqrt(ratio**2 - 1)
        return mpmath.exp(-2 * ratio * angle), 2 * angle * mpmath.sqrt(mass / stiffness)


def relative_error(value, reference):
    with mpmath.workdps(60):
        return float(abs(mpmath.mpf(value) / reference - 1))


@pytest.mark.parametrize("ratio", RATIOS)
def test_restitution_duration_and_damping_are_exact(ratio):
    damping = 2.0 * ratio * math.sqrt(STIFFNESS * MASS)
    restitution, duration = exact(damping)
    given = wearmodel.restitution_of_damping(stiffness=STIFFNESS, mass=MASS, damping=damping)
    assert relative_error(given, restitution) <= ACCURACY
    back = wearmodel.damping_for_restitution(stiffness=STIFFNESS, mass=MASS, restitution=given)
    assert relative_error(given, exact(back)[0]) <= ACCURACY
    stiffness = wearmodel.stiffness_for_duration(
        duration=float(duration), mass=MASS, restitution=given
    )
    # For a restitution e near 1, the damping has an error of rounding / (1 − e). The stiffness is
    # not affected.
    assert stiffness == pytest.approx(STIFFNESS, rel=ACCURACY)


def test_damping_ratio_of_a_half_is_not_the_textbooks():
    e = wearmodel.restitution_of_damping(stiffness=1.0, mass=1.0, damping=1.0)
    assert e == pytest.approx(0.298436059192, abs=5e-13)


@pytest.mark.parametrize("ratio", [0.0, 0.2, 0.7, 1.0, 1.5])
def test_a_contact_that_does_not_pull_returns_the_mass_so(ratio):
    damping = 2.0 * ratio

    def force(_time, state):
        return -state[0] - damping * state[1]

    force.terminal, force.direction = True, -1
    run = solve_ivp(
        lambda _t, y: (y[1], force(_t, y)), (0.0, 50.0), (0.0, -1.0), events=force, rtol=1e-12,
        atol=1e-14, first_step=1e-6,
    )  # fmt: skip
    expected = wearmodel.restitution_of_damping(stiffness=1.0, mass=1.0, damping=damping)
    # Tolerance of the integrator over some hundred steps.
    np.testing.assert_allclose(run.y_events[0][0][1], expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"restitution": 0.0}, "restitution = 0.0 is invalid: it must be > 0 and at most 1"),
        ({"restitution": 1.5}, "restitution = 1.5 is invalid"),
        ({"restitution": math.nan}, "restitution = nan is invalid"),
        ({"stiffness": 0.0}, "stiffness=0.0 N/m must be > 0"),
        ({"mass": math.inf}, "mass=inf kg must be > 0 and finite"),
    ],
)
def test_bad_values_are_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        wearmodel.damping_for_restitution(
            **{"stiffness": 1.0, "mass": 1.0, "restitution": 0.5, **arguments}
        )
