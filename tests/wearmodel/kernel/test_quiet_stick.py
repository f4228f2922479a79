"""Steps in penalised stick that are computed at once.

A stiff spring uses the closed form, and a short step uses a series.
"""

import math
from collections.abc import Callable

import mpmath
import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters

from .quiet_steps import forbid_pieces, moved


@pytest.mark.parametrize("step_size", [1e-7, 1e-6, 1e-4, 1e-3])
@pytest.mark.parametrize("damping_share", [0.0, 0.1, 1.0])
@pytest.mark.parametrize(
    ("stiffness", "mass"), [(9e6, 1.0), (1e3, 1.0), (1.0, 1.0), (1.0, 1e3), (1e-2, 1e3)]
)
def test_soft_penalised_stick_loses_nothing_in_short_steps(
    stiffness, mass, damping_share, step_size, monkeypatch
):
    damping = damping_share * 2.0 * math.sqrt(mass * stiffness)
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=mass,
            friction_coefficient=0.5,
            tangential_law="penalty",
            tangential_stiffness=stiffness,
            tangential_damping=damping,
        )
    )
    forbid_pieces(model, monkeypatch)
    steps = 100
    for _ in range(steps):
        model.step(step_size, 0.4)
    outputs = model.outputs()
    u, rate = moved(mass, damping, stiffness, -0.4 * mass, 0.0, steps * step_size)
    # Rounding of a hundred steps with numbers of this size. At √(K/m) h = 3 the phase is 300 rad.
    largest_rate = abs(u) * math.sqrt(stiffness / mass)
    assert outputs["relative_displacement"] == pytest.approx(u, rel=1e-13)
    assert outputs["relative_velocity"] == pytest.approx(rate, rel=1e-13, abs=1e-13 * largest_rate)


def exact_motion(
    mass: float, damping: float, stiffness: float, load: tuple[float, ...], velocity: float
) -> Callable[[mpmath.mpf], mpmath.matrix]:
    """Return x and ẋ of m ẍ + c ẋ + k x = Σ c_j t^j from (0, velocity) as functions of time.

    They are matrix exponentials.
    """
    m = mpmath.mpf(mass)
    size = 2 + len(load)
    matrix = mpmath.zeros(size)
    matrix[0, 1] = 1
    matrix[1, 0], matrix[1, 1], matrix[1, 2] = -stiffness / m, -damping / m, 1 / m
    # The load and its derivatives are states.
    for j in range(2, size - 1):
        matrix[j, j + 1] = 1
    start = [0.0, velocity, *(mpmath.factorial(j) * c for j, c in enumerate(load))]
    return lambda time: mpmath.expm(matrix * time) * mpmath.matrix(start)


@pytest.mark.parametrize("mass", [0.2, 7.0])
@pytest.mark.parametrize("ratio", [0.05, 0.996, 1.0, 1.004, 5.0])
@pytest.mark.parametrize("turn", [0.05, 2.5])
def test_damped_penalised_stick_is_the_exact_motion_at_any_mass(turn, ratio, mass, monkeypatch):
    # Below, at, near and above critical damping. √(K/m) h = `turn` selects series or closed form.
    stiffness = 3e4
    rate = math.sqrt(stiffness / mass)
    step_size = turn / rate
    damping = 2.0 * ratio * mass * rate
    velocity = 1e-3 * rate
    # Each term is of the order of the spring force at 1 mm.
    load = tuple(size * 1e-3 * stiffness * rate**j for j, size in enumerate((1.0, -2.0, 0.7, 0.4)))
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=mass,
            gravity=0.0,
            preload=1e9,
            friction_coefficient=1.0,
            tangential_law="penalty",
            tangential_stiffness=stiffness,
            tangential_damping=damping,
            initial_velocity=velocity,
        )
    )
    forbid_pieces(model, monkeypatch)
    model.step_polynomial(step_size, tangential_load=load)
    outputs = model.outputs()
    with mpmath.workdps(30):
        exact = exact_motion(mass, damping, stiffness, load, velocity)
        end = exact(mpmath.mpf(step_size))
        x, speed = float(end[0]), float(end[1])
        squared = mpmath.quad(lambda t: exact(t)[1] ** 2, [0, step_size], maxdegree=3)
        heat = float(damping * squared)
    # The closed form is the difference of a polynomial and a decaying motion, both with rounding
    # errors. A cubic load and dampers make them (2 ζ)³ times as large as 1 mm.
    rounding = 1e-14 * (1.0 + 2.0 * ratio) ** 3
    place = 1e-3 * rounding * min(1.0, turn)
    assert outputs["relative_displacement"] == pytest.approx(x, rel=0.0, abs=place)
    assert outputs["relative_velocity"] == pytest.approx(speed, rel=0.0, abs=rate * 1e-3 * rounding)
    # The moments ∫ t³ ẋ dt, which give the work of the cubic load, multiply the error once more.
    energy = stiffness * 1e-6 * rounding * (1.0 + 2.0 * ratio) ** 3
    assert outputs["contact_damping_work"] == pytest.approx(heat, rel=1e-13, abs=energy)
