"""The expected numbers of oscillators with friction are those of independent closed forms."""

import math

import pytest

from harness.case.case_file import load_case
from harness.case.shipped import case_file
from harness.fmu.signals import SineSignal

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
