"""SDND104 with the model object: rigid friction in closed form, penalised friction in tables.

Source: SDND104 (V5.01.104), section 2. Exact values are recomputed at 34 digits.
"""

import math
from itertools import pairwise

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.reference.closed_forms import RubbingShoe

from .energy import EnergyAccount
from .sine_series import sine_series
from .trace import record

OMEGA = 2.0 * math.pi
AMPLITUDES = [15.0, 1.5, 1.01, 0.99]


def taylor_run(
    amplitude: float, steps_per_second: int, until: float, **parameters: object
) -> dict[float, dict[str, float]]:
    """Return the outputs at every full second, with the excitation as Taylor polynomials."""
    model = FrictionalShock(FrictionalShockParameters(**parameters))
    step_size = 1.0 / steps_per_second
    outputs = {}
    for index in range(round(until * steps_per_second)):
        time = index / steps_per_second
        model.step_polynomial(
            step_size, base_acceleration=sine_series(amplitude, OMEGA, time, step_size)
        )
        if (index + 1) % steps_per_second == 0:
            outputs[round(time + step_size)] = model.outputs()
    return outputs


@pytest.mark.parametrize("steps_per_second", [1000, 100, 10])
@pytest.mark.parametrize("amplitude", AMPLITUDES)
def test_rigid_friction_under_taylor_polynomials_is_the_closed_form(amplitude, steps_per_second):
    shoe = RubbingShoe(amplitude=amplitude)
    outputs = taylor_run(amplitude, steps_per_second, 12.0)
    got = (outputs[12]["wear_work"] - outputs[4]["wear_work"]) / 8.0
    want = shoe.mean_wear_power(4.0, 12.0)
    # Issue A. If the mass always sticks, wear is exactly 0.
    assert got == pytest.approx(want, rel=1e-12, abs=0.0)
    friction = outputs[12]["friction_work"] - outputs[4]["friction_work"]
    assert friction == pytest.approx(shoe.friction_work(4.0, 12.0), rel=1e-12, abs=0.0)
    distance = outputs[12]["sliding_distance"] - outputs[4]["sliding_distance"]
    assert distance == pytest.approx(want * 8.0 / 10.0, rel=1e-12, abs=0.0)


# Relative errors of the mean wear power over [4, 12] s with the input sampled at the start of each
# step. An independent event-exact program gave these orders of magnitude.
SAMPLED = {
    # order: ((h = 1e-2: 15, 1.5, 1.01), (h = 1e-3: 15, 1.5, 1.01))
    0: ((-4e-4, 3e-4, -4e-3), (-3e-5, -6e-6, 9e-5)),
    1: ((2e-3, 9e-3, 4e-1), (2e-5, 9e-5, 3e-3)),
    2: ((9e-6, 4e-5, 2e-3), (2e-9, 4e-9, 2e-7)),
    3: ((-6e-6, -3e-5, -1e-3), (-6e-10, -3e-9, -1e-7)),
}


def sampled_error(amplitude: float, steps_per_second: int, order: int) -> float:
    """Return the relative error of the mean wear power over [4, 12] s, for steps as in an FMU."""
    model = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=order))
    work = {}
    for index in range(12 * steps_per_second):
        if index == 4 * steps_per_second:
            work[4] = model.outputs()["wear_work"]
        acceleration = amplitude * math.sin(OMEGA * index / steps_per_second)
        model.step(1.0 / steps_per_second, acceleration)
    exact = RubbingShoe(amplitude=amplitude).mean_wear_power(4.0, 12.0)
    return (model.outputs()["wear_work"] - work[4]) / 8.0 / exact - 1.0


@pytest.mark.parametrize("order", SAMPLED)
@pytest.mark.parametrize(("column", "amplitude"), list(enumerate(AMPLITUDES[:3])))
def test_sampled_inputs_err_as_an_independent_program_does(column, amplitude, order):
    for steps_per_second, wanted in zip((100, 1000), SAMPLED[order], strict=True):
        got = sampled_error(amplitude, steps_per_second, order)
        # The table has one digit.
        assert got == pytest.approx(wanted[column], rel=0.25, abs=0.0)


@pytest.mark.parametrize("order", range(4))
def test_a_shoe_that_never_slips_wears_not_at_all_with_any_extrapolation(order):
    model = FrictionalShock(FrictionalShockParameters(input_extrapolation_order=order))
    for index in range(2000):
        # A polynomial through the samples overshoots by less than the remaining 1 % of the limit.
        model.step(1e-3, 0.99 * math.sin(OMEGA * index / 1000))
    outputs = model.outputs()
    assert outputs["wear_work"] == outputs["sliding_distance"] == outputs["slip_count"] == 0.0


# Spring–slider law with K_T = 9e6 N/m, C_T = 2√(K_T + k), k = 3e-5 N/m. The values come from
# closed-form arcs at 34 digits, as a mean over one undivided window [4, 12] s.
PENALISED = {15.0: 15.266881093215956, 1.5: 0.40906921585100555, 1.01: 2.2629992975127904e-4}


@pytest.mark.parametrize("steps_per_second", [1000, 20])
@pytest.mark.parametrize("amplitude", PENALISED)
def test_penalised_friction_under_taylor_polynomials_is_the_closed_form(
    amplitude, steps_per_second
):
    outputs = taylor_run(
        amplitude, steps_per_second, 12.0, tangential_law="penalty", stiffness=3e-5
    )
    got = (outputs[12]["wear_work"] - outputs[4]["wear_work"]) / 8.0
    # The rounding is 1e-14 in the arcs. The smallest arc at 1.01 is a difference of larger arcs.
    assert got == pytest.approx(PENALISED[amplitude], rel=1e-12, abs=0.0)


def test_penalised_friction_with_the_contact_inside_the_obstacle_is_the_same():
    # As in the documents, a spring K_N = 20 N/m gives the normal force at a depth of 0.5 m.
    outputs = taylor_run(
        15.0,
        100,
        5.0,
        tangential_law="penalty",
        normal_law="penalty",
        contact_stiffness=20.0,
        gravity=0.0,
        preload=10.0,
        start_in_equilibrium=True,
    )
    plain = taylor_run(15.0, 100, 5.0, tangential_law="penalty")
    assert outputs[5]["gap"] == -0.5
    assert outputs[5]["wear_work"] == pytest.approx(plain[5]["wear_work"], rel=1e-12)


def test_penalised_friction_goes_to_the_rigid_one_as_its_spring_stiffens():
    rigid = RubbingShoe(amplitude=1.5).wear_work(0.0, 3.0)
    errors = []
    for stiffness in (1e5, 1e6, 1e7, 1e8):
        outputs = taylor_run(1.5, 20, 3.0, tangential_law="penalty", tangential_stiffness=stiffness)
        errors.append(outputs[3]["wear_work"] / rigid - 1.0)
    # The displacement in stick is F/K_T. The error is therefore of first order in 1/K_T.
    orders = [math.log10(coarse / fine) for coarse, fine in pairwise(errors)]
    assert orders == pytest.approx([1.0, 1.0, 1.0], abs=0.01), errors


@pytest.mark.parametrize("law", ["rigid", "penalty"])
def test_energy_closes_over_twelve_seconds(law):
    parameters = FrictionalShockParameters(tangential_law=law)
    model = FrictionalShock(parameters)
    trace = record(model)
    for index in range(240):
        model.step_polynomial(0.05, base_acceleration=sine_series(15.0, OMEGA, index / 20.0, 0.05))
    account = EnergyAccount(parameters, trace.segments)
    # Issue A requires 1e-10. Each term is a sum of a few thousand rounded terms.
    assert account.relative_residual <= 1e-13
    assert model.outputs()["wear_work"] == pytest.approx(account.wear_work, rel=1e-13)
