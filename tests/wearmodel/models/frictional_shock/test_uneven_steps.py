"""A short step before a long step does not amplify the extrapolation of the inputs."""

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.models.frictional_shock import StepError

from ..uneven_steps import ORDERS, Step, even_instants, play_sine, uneven_instants

orders = pytest.mark.parametrize("order", ORDERS)


def extrapolating(order: int) -> FrictionalShock:
    return FrictionalShock(FrictionalShockParameters(input_extrapolation_order=order))


def steps_of(model: FrictionalShock) -> Step:
    def step(time: float, step_size: float, acceleration: float, load: float) -> None:
        model.time = time
        model.step(step_size, acceleration, tangential_load=load)

    return step


def wear_work(model: FrictionalShock) -> float:
    return model.outputs()["wear_work"]


@orders
@pytest.mark.parametrize("seed", [1, 2])
def test_uneven_steps_under_noise_stay_within_a_percent_of_even_ones(order, seed):
    even, uneven = extrapolating(order), extrapolating(order)
    play_sine(steps_of(even), even_instants(), noise=1e-6)
    play_sine(steps_of(uneven), uneven_instants(seed), noise=1e-6)
    assert wear_work(uneven) == pytest.approx(wear_work(even), rel=0.01, abs=0.0)


def test_a_step_that_fails_forgets_no_sample():
    model, other = extrapolating(2), extrapolating(2)
    for instance in (model, other):
        play_sine(steps_of(instance), even_instants()[:10])
    before = model.snapshot()
    # Such a long step would use only the newest sample.
    with pytest.raises(StepError):
        model.step(1e3, 1e306, 1e306)
    assert model.snapshot() == before
    for instance in (model, other):
        instance.step(1e-3, 1.0)
    assert model.output_values() == other.output_values()


def test_samples_that_are_not_used_are_forgotten():
    model = extrapolating(3)
    play_sine(steps_of(model), even_instants()[:10])
    assert len(model.snapshot()["samples"]) == 4
    model.step(1.0)
    assert len(model.snapshot()["samples"]) == 1
