"""Closed forms of planar slip, compared with quadrature and with the integrated rate form."""

import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from wearmodel.kernel.limits import NEVER
from wearmodel.kernel.spring.planar_slip import (
    GAUSS_POINTS,
    GAUSS_WEIGHTS,
    first_slip,
    slide,
    turning,
    turning_loss,
)

# Bounds at start and end [m]: constant, growing, shrinking, and reaching 0.
BOUNDS = [(1.0, 1.0), (1.0, 1.3), (1.0, 0.2), (1.0, 1e-9), (2.0, 0.0), (0.3, 5.0), (1e-6, 1e-6)]


def test_gauss_rule_is_that_of_numpy():
    points, weights = np.polynomial.legendre.leggauss(10)
    # One unit in the last place of numbers below 1.
    assert np.max(np.abs(points[5:] - GAUSS_POINTS)) < 3e-16
    assert np.max(np.abs(weights[5:] - GAUSS_WEIGHTS)) < 3e-16


def first_admissible_angle(growth: float, length: float, share: float) -> float:
    """Return an angle θ₀ with length·cos θ₀ ≥ growth: `share` of the largest one."""
    return share * math.acos(max(-1.0, min(1.0, growth / length)))


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize("length", [0.01, 1.0, 8.0, 1e5])
@pytest.mark.parametrize("share", [1e-3, 0.4, 0.9, 0.999])
def test_turning_loss_is_the_integral_to_rounding(bounds, length, share):
    start, end = bounds
    if length <= end - start:
        length += end - start
    angle = first_admissible_angle(end - start, length, share)
    along, against = math.cos(angle / 2) ** 2, math.sin(angle / 2) ** 2
    got = turning_loss(start, end, length, along, against)
    with mpmath.workdps(30):
        first, growth, way = mpmath.mpf(start), mpmath.mpf(end) - start, mpmath.mpf(length)

        def integrand(turn: mpmath.mpf) -> mpmath.mpf:
            # With r/r₀ = exp(growth τ/length) as a function of τ, ds = r dτ/length.
            lag = against * mpmath.exp(-2 * turn)
            return mpmath.exp(2 * growth * turn / way) * 2 * lag / (along + lag)

        if growth == 0:
            reach = way / first
        elif end == 0.0:
            reach = mpmath.inf
        else:
            reach = way * mpmath.log(mpmath.mpf(end) / first) / growth
        # Half-lives of the integrand, as break points of the quadrature.
        rate = max(1.0, float(-growth / way))
        middle = max(0.0, 0.5 * math.log(against / along))
        marks = [0, *(middle + number / rate for number in (0.1, 0.5, 1, 2, 4, 8, 16, 32, 64))]
        marks = [*(mark for mark in marks if mark < reach), min(reach, 400)]
        want = mpmath.quad(integrand, marks) * first / way
        error = abs(got - want) / want
    # The error 5e-16 of the quadrature rule, and rounding of about ten operations.
    assert error < 4e-15


@pytest.mark.parametrize("growth", [0.0, 1e-12, -1e-7, 0.3, -0.6, 40.0])
def test_turning_keeps_its_digits_however_slowly_the_bound_moves(growth):
    start = 0.7
    end = start + growth * start
    with mpmath.workdps(30):
        first, last = mpmath.mpf(start), mpmath.mpf(end)
        mean = (last - first) / mpmath.log(last / first) if last != first else first
        want = 1.3 / mean
        # Some units in the last place. The difference of two logarithms loses one or two more.
        assert abs(turning(start, end, 1.3) - want) < 2e-15 * want


def rate_form(
    angle: float, force: tuple[float, float], path: tuple[float, float], stretch_per_force: float
) -> tuple[float, float, float]:
    """Integrate de/ds = v − λ ê, λ = ê·v − dr/ds, from |e| = r by DOP853.

    Return the stretch and the wear.
    """
    start, end = force
    velocity = np.array(path)

    def rates(s: float, y: np.ndarray) -> np.ndarray:
        normal_force = start + s * (end - start)
        unit = y[:2] / np.hypot(y[0], y[1])
        slip_rate = unit @ velocity - stretch_per_force * (end - start)
        return np.array([*(velocity - slip_rate * unit), normal_force * slip_rate])

    bound = stretch_per_force * start
    initial = [bound * math.cos(angle), bound * math.sin(angle), 0.0]
    solution = solve_ivp(rates, (0.0, 1.0), initial, "DOP853", rtol=1e-13, atol=1e-14)
    assert solution.success
    return tuple(map(float, solution.y[:, -1]))  # type: ignore[return-value]


@pytest.mark.parametrize("force", [(1.0, 1.0), (1.0, 1.8), (1.0, 0.3), (0.2, 0.9)], ids=str)
@pytest.mark.parametrize("path", [(2.0, 0.0), (0.9, -1.3), (-4.0, 3.0)], ids=str)
@pytest.mark.parametrize("turn", [-1.2, -0.3, 0.0, 0.8])
def test_slip_in_the_plane_follows_the_rate_form(force, path, turn):
    stretch_per_force = 0.6
    angle = math.atan2(path[1], path[0]) + turn
    growth = stretch_per_force * (force[1] - force[0])
    assert math.hypot(*path) * math.cos(turn) >= growth, "not in slip from the start"
    want = rate_form(angle, force, path, stretch_per_force)
    got = slide(math.cos(angle), math.sin(angle), *path, *force, stretch_per_force)
    # The integrator uses rtol = 1e-13 per step and takes some hundred steps.
    assert got == pytest.approx(want, rel=0.0, abs=2e-11)


def test_slip_against_the_path_survives_on_a_cone_that_shrinks_fast():
    # e = −1, v = 0.5, r from 1 to 0.2: λ = −0.5 + 0.8 = 0.3, and e moves straight to −0.2.
    assert slide(-1.0, 0.0, 0.5, 0.0, 2.0, 0.4, 0.5) == pytest.approx(
        (-0.2, 0.0, 1.2 * 0.3), rel=4e-16
    )


def test_stretch_that_outruns_a_growing_cone_slips_at_the_crossing():
    # 0.5 + s = 0.6 + 0.5 s
    assert first_slip(0.5, 0.0, 1.0, 0.0, 0.6, 1.1) == pytest.approx(0.2, rel=4e-15)


def test_stretch_led_back_crosses_the_whole_cone():
    # From the bound +1 back to −1 at a rate of 8.
    assert first_slip(1.0, 0.0, -8.0, 0.0, 1.0, 1.0) == 0.25


@pytest.mark.parametrize(
    ("stretch", "path", "bounds", "want"),
    [
        ((0.0, 0.0), (1.0, 0.0), (0.0, 0.9), 0.0),
        ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), NEVER),
        ((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), 1.0),
        ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), NEVER),
        ((0.0, 1.0), (1.0, 0.0), (1.0, 1.0), 0.0),
        ((1.0, 0.0), (0.0, 0.0), (1.0, 1.0), NEVER),
        ((1.0, 0.0), (0.0, 0.0), (1.0, 0.9), 0.0),
        ((1.0, 0.0), (0.5, 0.0), (1.0, 1.5), NEVER),
    ],
    ids=[
        "from the tip, steeper than the cone",
        "from the tip, along the cone",
        "unstretched, cone shrinks to its tip",
        "nothing happens",
        "on the cone, tangent to it",
        "on the cone, at rest",
        "on the cone, cone shrinks",
        "on the cone, rides along",
    ],
)
def test_stick_at_the_edge_of_the_cone(stretch, path, bounds, want):
    assert first_slip(*stretch, *path, *bounds) == want


def test_first_slip_is_the_first_root_of_the_cone():
    random = np.random.default_rng(5)
    crossings = 0
    for _ in range(2000):
        start, end = map(float, random.uniform(0.0, 2.0, size=2))
        angle, share = random.uniform(0.0, 2.0 * np.pi), random.uniform(0.0, 1.0)
        stretch = start * share * np.array([np.cos(angle), np.sin(angle)])
        path = random.uniform(-2.0, 2.0, size=2)
        got = first_slip(
            float(stretch[0]), float(stretch[1]), float(path[0]), float(path[1]), start, end
        )
        roots = np.roots(
            [
                path @ path - (end - start) ** 2,
                2.0 * (stretch @ path - start * (end - start)),
                stretch @ stretch - start**2,
            ]
        )
        # A root at the end of the piece is found at the start of the next piece.
        first = min((root.real for root in roots if root.imag == 0.0 < root.real), default=NEVER)
        if first < 1.0 or got < 1.0:
            crossings += 1
            # numpy's roots lose half of the digits only near double roots, which do not occur here.
            assert got == pytest.approx(first, rel=0.0, abs=1e-9)
    assert crossings > 500
