"""Exact input derivatives: fmi2SetRealInputDerivatives in native FMUs."""

import math
from typing import Any

import pytest
from fmpy import fmi2

from harness.command_line import main

from ..docs.documents import ROOT

EXAMPLE = ROOT / "examples" / "sdnd104_by_derivatives.toml"
OK, ERROR = 0, 3
OMEGA = 2.0 * math.pi

# Mean of normal_force·|slip_velocity| over [4, 12] s, W: exact solution of SDND104 at 30 digits.
EXACT_WEAR_POWER = {15.0: 15.2670995893716, 1.5: 0.409062451015709, 1.01: 2.26164121279787e-4}


def set_derivatives(one: Any, *values: float, reference: int = 0, first: int = 1) -> int:
    count = len(values)
    return int(
        one.call(
            "fmi2SetRealInputDerivatives",
            (fmi2.fmi2ValueReference * count)(*[reference] * count),
            fmi2.c_size_t(count),
            (fmi2.fmi2Integer * count)(*range(first, first + count)),
            (fmi2.fmi2Real * count)(*values),
        )
    )


def wear_power(one: Any, amplitude: float, step_size: float, order: int) -> float:
    """Return the mean over [4, 12] s with derivatives of the sine up to `order`."""
    one.initialise()
    at_4 = 0.0
    for step in range(round(12.0 / step_size)):
        time = step * step_size
        if step == round(4.0 / step_size):
            at_4 = one.get("wear_work")
        phase = OMEGA * time
        if order:
            turned = (math.sin(phase), math.cos(phase), -math.sin(phase), -math.cos(phase))
            derivatives = (amplitude * OMEGA**k * turned[k % 4] for k in range(1, order + 1))
            assert set_derivatives(one, *derivatives) == OK
        assert one.step(time, step_size, base_acceleration=amplitude * math.sin(phase)) == OK
    return float((one.get("wear_work") - at_4) / 8.0)


@pytest.mark.parametrize(
    ("amplitude", "order", "bound"),
    [
        # Errors of an independent event-exact program with A, A′ and A″: 5e-7, 2e-6, 1e-4.
        (15.0, 2, 6e-7),
        (1.5, 2, 3e-6),
        (1.01, 2, 1e-4),
        # With A‴, the missing mean of (ωs)⁴/4! over a step is 1.3e-7 of the amplitude. The relative
        # error of the wear power is about 1, 5 and 210 times this error.
        (15.0, 3, 2e-7),
        (1.5, 3, 1e-6),
        (1.01, 3, 4e-5),
    ],
)
def test_sdnd104_at_a_step_of_10_ms_with_exact_derivatives(native, amplitude, order, bound):
    exact = EXACT_WEAR_POWER[amplitude]
    got = wear_power(native(), amplitude, 1e-2, order)
    assert abs(got - exact) <= bound * exact, f"relative error {got / exact - 1.0:.2e}"


@pytest.mark.parametrize("amplitude", EXACT_WEAR_POWER)
def test_sdnd104_with_eight_steps_a_period_and_all_derivatives(native, amplitude):
    exact = EXACT_WEAR_POWER[amplitude]
    # The missing term is (ωh)^16/16! = 1e-15 of the amplitude, and is amplified up to 210 times.
    got = wear_power(native(), amplitude, 0.125, 15)
    assert got == pytest.approx(exact, rel=1e-12)


def test_an_input_that_is_a_cubic_is_followed_exactly(native):
    # Flight without spring and weight: u = −∫∫A, over a step of 2 s, A = 1 + 2t − 3t² + t³.
    one = native().initialise(gravity=0.0, base_acceleration=1.0)
    assert set_derivatives(one, 2.0, -6.0, 6.0) == OK
    assert one.step(0.0, 2.0, base_acceleration=1.0) == OK
    travelled = 2.0**2 / 2 + 2.0 * 2.0**3 / 6 - 3.0 * 2.0**4 / 12 + 2.0**5 / 20
    # A few roundings of terms below 8.
    assert one.get("relative_displacement") == pytest.approx(-travelled, abs=1e-14)
    assert one.get("absolute_acceleration") == 0.0


def test_a_derivative_that_is_not_finite_refuses_the_step_by_name(native):
    one = native().initialise()
    assert set_derivatives(one, 1.0, math.nan) == OK
    assert one.step(0.0, 1e-3) == ERROR
    assert "base_acceleration[2]=nan m/s2/s^2 must be finite" in one.messages[-1]


@pytest.mark.parametrize(
    ("reference", "order", "message"),
    [
        (0, 0, "base_acceleration: order=0 of a derivative must be 1 to 15"),
        (0, 16, "base_acceleration: order=16 of a derivative must be 1 to 15"),
        (4, 1, "valueReference 4 must be an input"),
        (2**32 - 1, 1, "valueReference 4294967295 must be an input"),
    ],
)
def test_a_derivative_that_cannot_be_used_is_refused(native, reference, order, message):
    one = native().initialise()
    assert set_derivatives(one, 1.0, reference=reference, first=order) == ERROR
    assert message in one.messages[-1]
    assert one.step(0.0, 1e-3) == OK


def test_derivatives_are_part_of_the_saved_state(native):
    one = native().initialise(gravity=0.0)
    set_derivatives(one, 1.0)
    state = one.save()
    assert one.step(0.0, 1.0) == OK
    after = one.outputs()
    assert one.load(state) == OK
    assert one.step(0.0, 1.0) == OK
    assert one.outputs() == after


def test_a_case_gives_the_derivatives_of_its_sine(native_fmu, tmp_path, capsys):
    text = EXAMPLE.read_text(encoding="utf-8").replace('"FrictionalShock"', f'"{native_fmu}"')
    case = tmp_path / "case.toml"
    case.write_text(text, encoding="utf-8")
    assert main(["run", str(case)]) == 0
    assert "1 of 1 check passed, 96 steps" in capsys.readouterr().out
    # Without derivatives, eight steps per period are too few for this check.
    case.write_text(text.replace("input_derivatives = true", ""), encoding="utf-8")
    assert main(["run", str(case)]) == 1
