"""The two-body example: errors of each master relative to the monolithic system, and order."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import fmpy
import numpy as np
import pytest
from scipy.linalg import expm

from fmu_src.archive.builder import build_fmu

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example() -> Iterator[ModuleType]:
    """Import the example, with its folder on the path as when it runs as a script."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        import coupled_support

        yield coupled_support
    finally:
        sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Extract FrictionalShock.fmu."""
    folder = tmp_path_factory.mktemp("shoe")
    return Path(fmpy.extract(build_fmu("FrictionalShock", folder), folder / "extracted"))


def truth(example: ModuleType, system: object, steps: int) -> np.ndarray:
    times = np.linspace(0.0, system.stop_time, steps + 1)
    return example.monolithic(system, times)


@pytest.mark.parametrize("support_mass", [2.0, 0.8], ids=["heavy-support", "light-support"])
def test_the_iterating_master_is_of_second_order(example, shoe, support_mass):
    system = replace(example.System(), support_mass=support_mass)
    errors = []
    for steps in (400, 1600):
        history, trials = example.run_iterated(shoe, system, steps)
        errors.append(example.errors(history, truth(example, system, steps)))
        # Secant steps on a piecewise-linear residual, and halved steps with events.
        assert trials < 4.0
    # Two octaves at second order are a factor of 16. The place of an event inside its step changes
    # the order of the displacement error by about ten per cent.
    for coarse, fine in zip(*errors, strict=True):
        assert 2.0**3.4 < coarse / fine < 2.0**4.6
    assert errors[1][0] < 1e-5  # The displacement is 0.3 m.
    assert errors[1][1] < 2e-5


def test_the_explicit_master_is_of_first_order_and_far_from_it(example, shoe):
    system = example.System()
    coarse, fine = (
        example.errors(example.run_explicit(shoe, system, steps), truth(example, system, steps))[0]
        for steps in (400, 1600)
    )
    assert 2.0**1.4 < coarse / fine < 2.0**2.6
    iterated, _ = example.run_iterated(shoe, system, 1600)
    assert fine > 100.0 * example.errors(iterated, truth(example, system, 1600))[0]


def test_in_stick_under_a_heavy_shoe_only_the_iterating_master_holds(example, shoe):
    # Friction that never slips makes one body, in closed form by the matrix exponential.
    system = replace(example.System(), support_mass=0.8, friction_coefficient=10.0)
    one_body = replace(system, support_mass=system.support_mass + system.shoe_mass)
    steps = 400
    step_size = system.stop_time / steps
    flow = expm(one_body.support_matrix() * step_size)
    states = [np.array([0.0, 0.0, 0.0, 0.0, 1.0])]
    for _ in range(steps):
        states.append(flow @ states[-1])
    exact = np.array(states)[:, 0]
    assert np.max(np.abs(truth(example, system, steps)[:, 1] - exact)) < 1e-9  # solve_ivp's rtol

    iterated, _ = example.run_iterated(shoe, system, steps)
    explicit = example.run_explicit(shoe, system, steps)
    assert np.all(iterated[:, 2:] == 0.0)  # The mass sticks throughout.
    # The force in stick is constant over a step. This causes a phase error of (ω h)²/12 a radian,
    # over 23 radians of the joint body's ω = 5.8 rad/s, on an amplitude of 0.1 m.
    assert np.max(np.abs(iterated[:, 1] - exact)) < 7e-4
    # The factor −m/M = −1.25 a step of the explicit loop drives it out of the cone.
    assert np.max(np.abs(explicit[:, 1] - exact)) > 0.05
    assert explicit[-1, 3] > 1.0


def test_the_reference_is_the_same_at_few_instants_as_at_many(example):
    system = example.System()
    few, many = (truth(example, system, steps) for steps in (4, 400))
    assert np.array_equal(few, many[::100])
