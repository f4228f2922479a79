"""The automatic extrapolation order, and inputs that are given at the end of a step."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.kernel.inputs.state_objects import Samples
from wearmodel.kernel.limits import LONGEST_ORDER
from wearmodel.kernel.shoe import steps as communication
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.state_objects import InputMemory, Predictions, Present, State, Work

ORDERS = (-1, 0, 1, 2, 3)
AUTOMATIC = -1
Signal = Callable[[float], float]


class Extrapolation:
    """The extrapolated base acceleration of a mass that always sticks."""

    def __init__(self, order: int) -> None:
        self.p = Parameters(
            FrictionalShockParameters(friction_coefficient=1e12, input_extrapolation_order=order)
        )
        self.state = State()
        self.memory = InputMemory(Samples(), Samples(), Predictions(), Predictions())
        self.now, self.work = Present(), Work()

    def start(self, value: float) -> None:
        sample = [0.0, value, 0.0, 0.0, 0.0]
        samples, predictions = self.memory.samples, self.memory.predictions
        communication.start(self.p, self.state, samples, predictions, self.now, sample)

    def step(self, value: float, step_size: float) -> list[float]:
        """Return the coefficients of the base acceleration over the step."""
        code = communication.step(
            self.p,
            self.state,
            self.memory,
            self.now,
            [self.now.time, value, 0.0, 0.0, 0.0],
            step_size,
            self.work,
        )
        assert code <= 0  # a negative code is a warning
        count = int(self.work.counts.step_tangential)
        return [-forcing / self.p.mass for forcing in self.work.step_tangential[:count]]


def exact_order(
    rows: list[tuple[float, float]], squares: dict[int, Fraction], before: float, known: int
) -> int:
    """Apply the rule in exact arithmetic. `squares` contains the running mean squares by order."""
    points = [(Fraction(t), Fraction(v)) for t, v in rows]
    if len(points) < LONGEST_ORDER + 2:
        return 0

    def difference(some: list[tuple[Fraction, Fraction]]) -> Fraction:
        if len(some) == 1:
            return some[0][1]
        return (difference(some[:-1]) - difference(some[1:])) / (some[0][0] - some[-1][0])

    for order in squares:
        product = math.prod((points[0][0] - t for t, _ in points[1 : order + 2]), start=Fraction(1))
        error = difference(points[: order + 2]) * product
        squares[order] += (error**2 - squares[order]) / 64
    best = min((2, 3), key=lambda order: squares[order])
    share = Fraction(1, 10) if before else Fraction(1, 20)
    if known < 64:
        share = Fraction(1, 1000)
    return best if squares[best] < share**2 * squares[0] else 0


def test_the_order_is_chosen_as_the_rule_says_in_exact_numbers():
    rng = np.random.default_rng(2)
    model = Extrapolation(AUTOMATIC)
    model.start(0.0)
    rows: list[tuple[float, float]] = []
    squares = {0: Fraction(0), 2: Fraction(0), 3: Fraction(0)}
    want = 0
    chosen = set()
    for index in range(400):
        # Smooth, then rough, then smooth again, then constant after a kink. All times are dyadic.
        noise = rng.standard_normal() * (0.3 if 120 < index < 150 else 1e-4)
        value = math.sin(0.3 * index) + noise if index < 350 else math.sin(0.3 * 350)
        rows.insert(0, (model.now.time, value))
        del rows[LONGEST_ORDER + 2 :]
        model.step(value, 1 / 64)
        want = exact_order(rows, squares, want, index - LONGEST_ORDER - 1)
        assert model.memory.predictions.base_acceleration.order == want, index
        chosen.add(want)
    assert chosen == {0, 3}


def test_the_prediction_error_is_that_of_the_closed_form():
    # If a sine with n samples per period is held constant over each step, the error is 2 sin(π/n)
    # of its rms value. The mean covers 64 steps, which is 10.67 periods. The remaining ripple is
    # below 1 %.
    steps = 6
    model = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=0))
    found = []
    for index in range(400):
        model.step(1e-2, 5.0 * math.sin(2.0 * math.pi * index / steps + 0.3))
        found.append(model.outputs()["input_prediction_error"])
    # Step 0 is the first one, and 8 steps are needed.
    assert set(found[:7]) == {-1.0}
    assert found[7] > 0.0
    assert found[-1] == pytest.approx(2.0 * math.sin(math.pi / steps), rel=0.02)


def steps_warned_of(signal: Signal, order: int, **options: str) -> list[int]:
    model = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=order, **options))
    return [n for n in range(600) if model.step(1e-2, signal(n * 1e-2)) is not None]


@pytest.mark.parametrize("order", ORDERS)
def test_a_step_too_coarse_is_said_once_and_in_time(order):
    # At 10.7 steps per period, the errors of the orders are 0.57, 0.33, 0.19 and 0.11 of the rms
    # value.
    warned = steps_warned_of(lambda t: 5.0 * math.sin(2.0 * math.pi * 9.35 * t), order)
    assert len(warned) == 1
    # Step 0 is the first one. The eighth step is the first with an error estimate.
    assert 7 <= warned[0] < 200


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("background", [0.0, 1.0])
def test_a_jump_at_a_communication_point_is_not_warned_of(order, background):
    def signal(t: float) -> float:
        return background * math.sin(2.0 * math.pi * t) + (5.0 if t > 0.995 else 0.0)

    assert steps_warned_of(signal, order) == []


def test_inputs_given_at_the_end_are_not_warned_of():
    rng = np.random.default_rng(3)
    assert steps_warned_of(lambda _: float(rng.normal()), -1, input_timing="end") == []
    model = FrictionalShock(FrictionalShockParameters(input_timing="end"))
    for _ in range(100):
        model.step(1e-2, float(rng.normal()))
    assert model.outputs()["input_prediction_error"] == 0.0


@pytest.mark.parametrize("column", range(4))
def test_the_prediction_error_is_the_largest_of_all_inputs(column):
    rng = np.random.default_rng(8)
    noise = rng.normal(size=200)
    alone = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=0))
    both = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=0))
    for index in range(200):
        inputs = [0.0] * 4
        inputs[column] = float(noise[index])
        alone.step(1e-2, *inputs)
        inputs[(column + 1) % 4] = math.sin(0.05 * index)
        both.step(1e-2, *inputs)
    assert both.outputs()["input_prediction_error"] == alone.outputs()["input_prediction_error"]
    assert alone.outputs()["input_prediction_error"] > 1.0


def test_an_input_that_jumps_does_not_spoil_a_smooth_one():
    parameters = FrictionalShockParameters(input_extrapolation_order=-1)
    model, alone = FrictionalShock(parameters), FrictionalShock(parameters)
    rng = np.random.default_rng(4)
    for index in range(200):
        acceleration = math.sin(0.06 * index)
        model.step(1e-2, acceleration, 0.0, 0.0, float(rng.integers(0, 2)))
        alone.step(1e-2, acceleration)
    assert model.outputs()["relative_displacement"] == 0.0
    orders = (
        model._memory.predictions.base_acceleration,
        alone._memory.predictions.base_acceleration,
    )
    assert orders[0].order == orders[1].order == 3.0


@pytest.mark.parametrize("law", ["rigid", "penalty"])
def test_inputs_given_at_the_end_are_joined_by_straight_lines(law):
    parameters = FrictionalShockParameters(tangential_law=law, input_timing="end")
    model = FrictionalShock(parameters, base_acceleration=0.5, normal_load=1.0)
    lines = FrictionalShock(parameters, base_acceleration=0.5, normal_load=1.0)
    last, last_load = 0.5, 1.0
    for index in range(1, 300):
        step_size = 1e-2 if index % 3 else 3e-2
        value, load = 4.0 * math.sin(0.4 * index) + 0.5, 1.0 + math.cos(0.3 * index)
        model.step(step_size, value, 0.0, 0.0, load)
        lines.step_polynomial(
            step_size,
            base_acceleration=(last, (value - last) / step_size),
            normal_load=(last_load, (load - last_load) / step_size),
        )
        assert model.output_values() == lines.output_values()
        last, last_load = value, load
    assert model.outputs()["slip_count"] > 20.0


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_is_ignored_where_inputs_are_given_at_the_end(order):
    runs = []
    for chosen in (order, 2):
        model = FrictionalShock(
            FrictionalShockParameters(input_timing="end", input_extrapolation_order=chosen)
        )
        for index in range(100):
            model.step(1e-2, 3.0 * math.sin(0.5 * index))
        runs.append(model.output_values())
    assert runs[0] == runs[1]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("timing", ["start", "end"])
def test_a_restored_model_goes_on_bit_by_bit(order, timing):
    parameters = FrictionalShockParameters(input_extrapolation_order=order, input_timing=timing)
    model = FrictionalShock(parameters)

    def step(one: FrictionalShock, index: int) -> None:
        load = float(index // 40 % 2)
        one.step(1e-2 if index % 7 else 2e-2, 3.0 * math.sin(0.1 * index), 0.1 * load, load, load)

    for index in range(150):
        step(model, index)
        other = FrictionalShock(parameters)
        other.restore(model.snapshot())
        assert other.snapshot() == model.snapshot()
    for index in range(150, 300):
        step(model, index)
        step(other, index)
    assert model.output_values() == other.output_values()


@pytest.mark.parametrize("phase", [0.0, 0.7])
@pytest.mark.parametrize("order", ORDERS)
def test_a_run_of_twenty_steps_warns_of_a_step_too_coarse(order, phase):
    # Four steps per period are too few for any order.
    model = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=order))
    warned = [
        number
        for number in range(1, 21)
        if model.step(0.25, 15.0 * math.sin(2.0 * math.pi * number * 0.25 + phase)) is not None
    ]
    assert len(warned) == 1
    assert warned[0] >= 8
    assert model.outputs()["input_prediction_error"] > 1.0


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "signal",
    [
        pytest.param(lambda step: 3.0 if step > 5 else 0.0, id="jump"),
        pytest.param(lambda step: 3.0 if 5 < step < 9 else 0.0, id="pulse"),
        pytest.param(lambda step: 12.0 - abs(step - 12), id="kink"),
        pytest.param(lambda step: math.sin(0.05 * step), id="slow sine"),
    ],
)
def test_a_short_run_does_not_warn_of_a_single_jump_or_kink(order, signal):
    model = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=order))
    assert all(model.step(1e-2, signal(step)) is None for step in range(25))


@pytest.mark.parametrize("order", ORDERS)
def test_the_prediction_error_of_an_input_that_becomes_zero_is_finite(order):
    model = FrictionalShock(
        FrictionalShockParameters(input_extrapolation_order=order), base_acceleration=5.0
    )
    for step in range(20):
        assert model.step(1e-2, 5.0 if step < 1 else 0.0) is None
        assert math.isfinite(model.outputs()["input_prediction_error"])
