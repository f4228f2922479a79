"""Every shipped case passes with the FMU of this source tree, without notes."""

import pytest

from harness import load_case
from harness.case.shipped import shipped_cases

# Mean of normal_force·|slip_velocity| [W], from exact arcs of SDND104 (V5.01.104) at 30 digits.
EXACT_WEAR_POWER = {
    "sdnd104_a15": 15.2670995893716,
    "sdnd104_a15_to_11p99": 15.2575217939436,
    "sdnd104_a1p5": 0.409062451015709,
    "sdnd104_a1p01": 2.26164121279787e-4,
    "sdnd104_a0p99": 0.0,
}


def test_every_shipped_case_passes(shipped_cases_run, shipped_results):
    assert list(shipped_results) == list(shipped_cases())
    for name, case in shipped_results.items():
        wrong = [check for check in case["checks"] if not check["passed"]]
        assert case["verdict"] == "pass", f"{name}: {case['failure']} {wrong}"
    assert shipped_cases_run[0] == 0


def test_no_shipped_case_is_noted(shipped_results):
    """There are no notes on parameters, inputs, structures or results."""
    assert {name: case["notes"] for name, case in shipped_results.items() if case["notes"]} == {}


@pytest.mark.parametrize("name", shipped_cases())
def test_every_shipped_case_expects_something_and_is_explained(name):
    file = shipped_cases()[name]
    assert load_case(file).expectations
    assert (file.parent / "README.md").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("name", EXACT_WEAR_POWER)
def test_sdnd104_cases_expect_the_exact_wear_power(name):
    expectation = load_case(shipped_cases()[name]).expectations[0]
    assert (expectation.quantity, expectation.variable) == ("mean_rate", "wear_work")
    assert expectation.value == EXACT_WEAR_POWER[name]
    assert expectation.tolerance <= 1e-6 * expectation.value
