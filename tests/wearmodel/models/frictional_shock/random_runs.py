"""Random frictional shocks for property-based tests: parameters, rough inputs, steps.

Special values (zero, equality, critical) are mixed with random values, because they cause events at
one instant and guards that touch their bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw

from .independent_shock import IndependentShock, TooManyEventsError
from .trace import Trace, record

Polynomials = dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class RandomRun:
    """Parameters, and polynomial inputs of each step. All steps have the same size."""

    parameters: FrictionalShockParameters
    step_size: float
    inputs: tuple[Polynomials, ...]

    def start(self) -> FrictionalShock:
        """Return a model at the start of the run, with the inputs of the first step."""
        first = {name: series[0] for name, series in self.inputs[0].items()}
        return FrictionalShock(self.parameters, **first)

    def traced(self, splits: int = 1) -> tuple[FrictionalShock, Trace]:
        """Return the model and the trace after the run, with each step cut into `splits` parts."""
        model = self.start()
        trace = record(model)
        for inputs in self.inputs:
            for part in range(splits):
                model.step_polynomial(
                    self.step_size / splits, **shifted(inputs, part * self.step_size / splits)
                )
        return model, trace


def shifted(inputs: Polynomials, start: float) -> dict[str, list[float]]:
    """Return the same polynomials in the time from `start` on."""
    return {
        name: [
            math.fsum(math.comb(k, j) * series[k] * start ** (k - j) for k in range(j, len(series)))
            for j in range(len(series))
        ]
        for name, series in inputs.items()
    }


def run_in_parts(parameters: FrictionalShockParameters, inputs: Any, span: float) -> Any:
    """Return the outputs after five steps under polynomials, and the trace of the run."""
    model = FrictionalShock(parameters, **{name: series[0] for name, series in inputs.items()})
    trace = record(model)
    for part in range(5):
        model.step_polynomial(span / 5, **shifted(inputs, part * span / 5))
    return model.outputs(), trace


def assert_agrees(
    parameters: FrictionalShockParameters,
    inputs: Any,
    span: float,
    independent_shock: Callable[[], IndependentShock],
    fewest: int = 200,
) -> None:
    """Compare a run with an independent integration. Halve the span if it has too many events."""
    want = None
    while want is None:
        independent = independent_shock()
        try:
            want = independent.run(span, fewest)
        except TooManyEventsError:
            span *= 0.5
    got, _ = run_in_parts(parameters, inputs, span)
    assert got["stop_count"] == independent.stop_count
    # scipy has an error of 1e-12 a step, and a rebound at a stiff contact is faster than a step.
    assert got["relative_displacement"] == pytest.approx(want[0], abs=1e-10)
    assert got["relative_velocity"] == pytest.approx(want[1], abs=2e-9)
    assert got["wear_work"] == pytest.approx(want[5], abs=1e-9)
    assert got["stop_impulse"] == pytest.approx(independent.stop_impulse, abs=1e-9)


def logarithmic(low: float, high: float) -> st.SearchStrategy[float]:
    """Return log-uniform numbers."""
    return st.floats(math.log10(low), math.log10(high)).map(lambda power: 10.0**power)


@st.composite
def polynomial_inputs(
    draw: st.DrawFn, step_size: float, acceleration: float, load: float
) -> Polynomials:
    """Draw a cubic for each input, with terms of one size over the step, or a constant."""

    def series(scale: float) -> tuple[float, ...]:
        if draw(st.integers(0, 3)) == 0:
            return (draw(st.sampled_from([0.0, scale, -scale])),)
        # Round numbers avoid subnormal values, which are not the subject of these tests.
        terms = draw(st.lists(st.integers(-1000, 1000), min_size=4, max_size=4))
        return tuple(1e-3 * scale * term / step_size**order for order, term in enumerate(terms))

    return {
        "base_acceleration": series(acceleration),
        "base_acceleration_normal": series(acceleration),
        "tangential_load": series(load),
        "normal_load": series(load),
    }


@st.composite
def parameter_sets(
    draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw
) -> FrictionalShockParameters:
    """Draw parameters of one combination of laws."""
    mass = draw(st.sampled_from([1.0, 0.2, 5.0]))
    dynamic = draw(
        st.sampled_from([0.1, 0.5, 1.0, 0.0]) | st.integers(1, 150).map(lambda n: n / 100)
    )
    static = draw(st.sampled_from([-1.0, -1.0, dynamic, 1.2 * dynamic, dynamic + 0.3]))
    spacing = draw(st.sampled_from([1e-3, 0.02]))
    contact_stiffness = draw(logarithmic(20.0, 1e7))
    tangential_stiffness = draw(logarithmic(100.0, 9e6))
    critical = 2.0 * math.sqrt(mass * contact_stiffness)
    friction_critical = 2.0 * math.sqrt(mass * tangential_stiffness)
    gap = 0.0
    if normal_law is not NormalLaw.prescribed:
        gap = draw(st.sampled_from([0.0, 1e-3, 1e-4]))
        if normal_law is NormalLaw.penalty:
            gap = draw(st.sampled_from([gap, -1e-4]))
    return FrictionalShockParameters(
        mass=mass,
        gravity=draw(st.sampled_from([10.0, 0.0, 9.81, -5.0])),
        friction_coefficient=dynamic,
        friction_coefficient_static=static,
        stiffness=draw(st.just(0.0) | logarithmic(1e-5, 1e4)),
        damping=draw(st.just(0.0) | logarithmic(1e-3, 100.0)),
        normal_stiffness=draw(st.just(0.0) | logarithmic(1.0, 1e5)),
        normal_damping=draw(st.just(0.0) | logarithmic(1e-3, 100.0)),
        preload=draw(st.sampled_from([0.0, 5.0, -2.0])),
        initial_gap=gap,
        normal_law=normal_law,
        tangential_law=tangential_law,
        obstacle=draw(st.sampled_from(Obstacle)),
        plane_half_spacing=spacing,
        contact_stiffness=contact_stiffness,
        contact_damping=critical * draw(st.sampled_from([0.0, 0.0, 0.1, 1.0, 3.0])),
        tangential_stiffness=tangential_stiffness,
        tangential_damping=friction_critical
        * draw(st.sampled_from([-1.0, 0.0, 1.0, 0.1, 1e-3, 5.0])),
        restitution=draw(st.sampled_from([0.0, 0.3, 0.8])),
        initial_displacement=draw(st.sampled_from([0.0, 1e-3])),
        initial_velocity=draw(st.sampled_from([0.0, 0.0, 0.1, -0.1])),
        initial_normal_velocity=draw(st.sampled_from([0.0, 0.0, 0.1, -0.1])),
    )


@st.composite
def random_runs(
    draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw, longest: int = 6
) -> RandomRun:
    """Draw a run of up to `longest` steps."""
    parameters = draw(parameter_sets(normal_law, tangential_law))
    step_size = draw(st.sampled_from([1e-3, 1e-2, 0.05]))
    acceleration = draw(st.sampled_from([1.0, 10.0, 30.0]))
    load = parameters.mass * draw(st.sampled_from([0.0, 5.0]))
    count = draw(st.integers(1, longest))
    inputs = tuple(draw(polynomial_inputs(step_size, acceleration, load)) for _ in range(count))
    return RandomRun(parameters, step_size, inputs)
