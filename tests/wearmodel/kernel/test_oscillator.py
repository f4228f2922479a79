"""Series of the driven oscillator, compared with closed forms at 30 digits."""

import mpmath
import pytest

from wearmodel.kernel import limits
from wearmodel.kernel.series.oscillator import oscillator_rate, oscillator_series
from wearmodel.kernel.series.polynomials import evaluate


def closed_form(
    mass: float, damping: float, stiffness: float, x: float, v: float, force: float, t: float
) -> tuple[float, float]:
    """Return x and ẋ at t under a constant force, from the matrix exponential at 30 digits."""
    with mpmath.workdps(30):
        m, c, k = mpmath.mpf(mass), mpmath.mpf(damping), mpmath.mpf(stiffness)
        matrix = mpmath.matrix([[0, 1, 0], [-k / m, -c / m, mpmath.mpf(force) / m], [0, 0, 0]])
        result = mpmath.expm(matrix * mpmath.mpf(t)) * mpmath.matrix([x, v, 1])
        return float(result[0]), float(result[1])


@pytest.mark.parametrize(
    ("damping", "stiffness"),
    [(0.0, 0.0), (0.0, 100.0), (3.0, 100.0), (40.0, 100.0), (500.0, 100.0), (5.0, 0.0)],
    ids=["free", "undamped", "underdamped", "critical", "overdamped", "damper only"],
)
@pytest.mark.parametrize("share", [1.0, 0.1])
def test_a_piece_of_the_motion_is_the_closed_form(damping, stiffness, share):
    mass = 4.0
    rate = oscillator_rate(mass, damping, stiffness)
    length = share * limits.RATE_LIMIT / rate if rate else share
    positions = [0.3] + [0.0] * limits.ROW_LENGTH
    velocities = [-0.2] + [0.0] * limits.ROW_LENGTH
    drive = [7.0] + [0.0] * limits.ROW_LENGTH
    count = oscillator_series(mass, damping, stiffness, length, drive, 1, positions, velocities)
    x, v = closed_form(mass, damping, stiffness, 0.3, -0.2, 7.0, length)
    # The sum has two dozen terms, each smaller than the first.
    assert evaluate(positions, count, 1.0) == pytest.approx(x, rel=0.0, abs=1e-15)
    assert evaluate(velocities, count, 1.0) == pytest.approx(v, rel=0.0, abs=2e-15 * (1 + rate))
    assert count <= limits.SERIES_LENGTH


@pytest.mark.parametrize(
    ("damping", "stiffness"), [(0.0, 100.0), (3.0, 100.0), (500.0, 100.0), (5.0, 0.0), (0.0, 0.0)]
)
def test_the_rate_is_the_largest_modulus_of_the_eigenvalues(damping, stiffness):
    with mpmath.workdps(30):
        root = mpmath.sqrt(mpmath.mpf(damping) ** 2 - 16 * mpmath.mpf(stiffness))
        want = max(abs((-damping + root) / 8), abs((-damping - root) / 8))
    assert oscillator_rate(4.0, damping, stiffness) == pytest.approx(float(want), rel=1e-15)


@pytest.mark.parametrize("terms", [1, 4, 21])
def test_a_motion_without_springs_is_a_polynomial_that_ends(terms):
    positions = [1.0] + [0.0] * limits.ROW_LENGTH
    velocities = [3.0] + [0.0] * limits.ROW_LENGTH
    drive = [1.0] * terms + [0.0] * limits.ROW_LENGTH
    count = oscillator_series(2.0, 0.0, 0.0, 0.5, drive, terms, positions, velocities)
    assert count == terms + 2
    # m x″ = Σ s^j: v_{j+1} = τ/(m (j + 1)), x_{j+2} = τ²/(m (j + 1)(j + 2)).
    assert velocities[1:count] == [
        *(pytest.approx(0.25 / (j + 1), rel=1e-15) for j in range(terms)),
        0.0,
    ]
    assert positions[2:count] == [
        pytest.approx(0.125 / ((j + 1) * (j + 2)), rel=1e-15) for j in range(terms)
    ]
