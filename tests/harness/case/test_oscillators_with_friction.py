"""The expected values of oscillators with friction agree with independent closed forms."""

import math

import pytest

from harness.case.case_file import load_case
from harness.case.shipped import case_file
from harness.fmu.signals import SineSignal
from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.reference.closed_forms import RubbingShoe

from .independent_oscillator import Oscillator, integrate


def oscillator_of(case) -> tuple[Oscillator, float, float]:
    """Return the oscillator of a case, its normal force and its initial displacement."""
    p = dict(case.parameters)
    force = p["mass"] * p["gravity"] + p.get("preload", 0.0)
    friction = p["friction_coefficient"] * force
    sine = case.inputs.get("base_acceleration")
    assert sine is None or isinstance(sine, SineSignal)
    oscillator = Oscillator(
        p["mass"],
        p.get("damping", 0.0),
        p["stiffness"],
        friction,
        friction,
        amplitude=-p["mass"] * sine.amplitude if sine else 0.0,
        omega=sine.omega if sine else 1.0,
    )
    return oscillator, force, p.get("initial_displacement", 0.0)


@pytest.mark.long
@pytest.mark.parametrize("name", ["westermo_udwadia", "hundal", "spring_and_friction"])
def test_the_expected_numbers_are_those_of_the_closed_forms(name):
    case = load_case(case_file(name))
    oscillator, force, start = oscillator_of(case)
    for time in {expectation.time for expectation in case.expectations}:
        u, v, distance, slips = integrate(oscillator, time, u=start)
        got = {
            "relative_displacement": u,
            "relative_velocity": v,
            "wear_work": force * distance,
            "slip_count": slips,
        }
        for expectation in case.expectations:
            if expectation.time == time:
                value = float(got[expectation.variables[0]])
                assert value == pytest.approx(expectation.value, rel=1e-14, abs=1e-15)


def test_the_free_vibration_loses_2f_over_k_in_each_half_cycle():
    oscillator, _, start = oscillator_of(load_case(case_file("spring_and_friction")))
    half = math.pi * math.sqrt(oscillator.mass / oscillator.stiffness)
    loss = 2.0 * oscillator.friction / oscillator.stiffness
    for number in range(1, 8):
        u, *_ = integrate(oscillator, number * half * (1.0 + 1e-12), u=start)
        assert abs(float(u)) == pytest.approx(abs(start) - number * loss, rel=1e-9)


def stepped(parameters: FrictionalShockParameters, amplitude, omega, end, pieces) -> dict:
    """Return the outputs at the end of a run. The input A sin ωt is given as Taylor polynomials."""
    model = FrictionalShock(parameters)
    step = end / pieces
    for number in range(pieces):
        series = [
            amplitude
            * omega**order
            / math.factorial(order)
            * math.sin(omega * number * step + order * math.pi / 2.0)
            for order in range(21)
        ]
        model.step_polynomial(step, base_acceleration=series)
    return model.outputs()


@pytest.mark.parametrize(
    ("ratio", "friction", "omega"),
    [
        pytest.param(0.05, 0.5, 1.2, id="Hundal, above resonance"),
        pytest.param(0.2, 0.4, 0.35, id="Hundal, below resonance"),
        pytest.param(0.0, 0.6, 0.12, id="Westermo and Udwadia, at 0.12"),
        pytest.param(0.0, 0.8, 0.3, id="Westermo and Udwadia, at 0.30"),
    ],
)
def test_the_model_agrees_at_other_published_parameters(ratio, friction, omega):
    """m = k = A = 1, with published ratio, friction and frequency. Many events add rounding."""
    oscillator = Oscillator(1.0, 2.0 * ratio, 1.0, friction, friction, amplitude=-1.0, omega=omega)
    end = 6.0 * math.pi / omega
    u, v, distance, slips = integrate(oscillator, end, pieces_per_second=40)
    parameters = FrictionalShockParameters(
        mass=1.0,
        gravity=10.0,
        friction_coefficient=friction / 10.0,
        stiffness=1.0,
        damping=2.0 * ratio,
    )
    got = stepped(parameters, 1.0, omega, end, pieces=96)
    assert got["relative_displacement"] == pytest.approx(float(u), rel=1e-11, abs=1e-13)
    assert got["relative_velocity"] == pytest.approx(float(v), rel=1e-11, abs=1e-13)
    assert got["wear_work"] == pytest.approx(10.0 * float(distance), rel=1e-11)
    assert got["slip_count"] == slips > 3


def test_the_sensitivity_of_the_wear_power_to_friction_has_the_published_value():
    """dP/dμ of SDND104 at 1.5 m/s2, from central differences of the model and the closed form.

    A case cannot express the difference of two runs. The error of a difference of 1e-5 is
    (1e-5)² times the third derivative, plus the rounding of P divided by 1e-5.
    """
    published, change = -17.0363076457, 1e-5

    def power(friction: float) -> float:
        works = [
            stepped(
                FrictionalShockParameters(friction_coefficient=friction),
                1.5,
                2.0 * math.pi,
                end,
                pieces=20 * end,
            )["wear_work"]
            for end in (4, 12)
        ]
        return (works[1] - works[0]) / 8.0

    def exact(friction: float) -> float:
        return RubbingShoe(amplitude=1.5, friction_coefficient=friction).mean_wear_power(4.0, 12.0)

    default = FrictionalShockParameters().friction_coefficient
    for function in (power, exact):
        difference = function(default + change) - function(default - change)
        assert difference / (2.0 * change) == pytest.approx(published, rel=1e-7)
