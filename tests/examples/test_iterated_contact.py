"""The master that iterates a body of unknown mass with DisChoc: accuracy, trials, failure."""

import sys
from functools import cache

import pytest

from fmu_src.archive.builder import build_fmu
from tests.native_fmus import build_native_fmu
from wearmodel import restitution_of_damping

from .test_examples import EXAMPLES


@pytest.fixture(scope="module")
def example():
    sys.path.insert(0, str(EXAMPLES))
    try:
        import iterated_contact

        yield iterated_contact
    finally:
        sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="module")
def floor_of(tmp_path_factory):
    builders = {"secant": build_fmu, "Newton": build_native_fmu}
    return cache(lambda method: builders[method]("DisChoc", tmp_path_factory.mktemp("floor")))


@pytest.mark.parametrize(
    ("method", "limit"),
    [("secant", 4), pytest.param("Newton", 3, marks=pytest.mark.native)],
    ids=["secant", "newton"],
)
@pytest.mark.parametrize("steps", [4, 10, 20])
def test_few_trials_give_the_restitution(example, floor_of, steps, method, limit):
    for damping in (0.0, example.DAMPING):
        exact = restitution_of_damping(stiffness=example.STIFFNESS, mass=1.0, damping=damping)
        speed, mean, most = example.impact(floor_of(method), steps, damping)
        # Second order without a damper: 0.038 at 4 steps. A damper force starts suddenly.
        assert abs(speed - exact) <= (0.61 / steps**2 if damping == 0.0 else 0.03)
        assert mean <= 1.3
        assert most <= limit


def test_a_step_that_does_not_converge_is_reported(example, floor_of, monkeypatch):
    monkeypatch.setattr(example, "MOST_TRIALS", 1)
    with pytest.raises(
        example.NotConvergedError, match=r"the step at 0\.0\d+ s: .* after 1 trials"
    ):
        example.impact(floor_of("secant"), 4, 0.0)
