"""The independent computations of shipped cases still give the expected values."""

import io
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from harness import load_case
from harness.case.shipped import shipped_cases

FOLDER = Path(__file__).parent / "references"
# The computations print as many digits as the case. The difference is rounding of the last digit.
DIGITS = 1e-12


def printed_numbers(name: str) -> list[float]:
    output = io.StringIO()
    with redirect_stdout(output):
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    return [float(text) for text in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", output.getvalue())]


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("guided_rod", ("guide.slip_velocity", "rod.displacement_y")),
        (
            "isolator_strengthening",
            ("relative_displacement", "relative_velocity", "slip_count", "friction_work"),
        ),
        (
            "pounding_buildings",
            (
                "stiff.displacement_x",
                "stiff.velocity_x",
                "soft.displacement_x",
                "soft.velocity_x",
            ),
        ),
        (
            "sliding_mass_under_sine",
            ("relative_displacement", "relative_velocity", "wear_work"),
        ),
        ("weakening_belt", ("relative_displacement", "wear_work")),
        ("wearing_planes", ("shock_count", "wear_depth_lower", "wear_depth_upper")),
    ],
)
def test_the_reference_prints_the_expected_numbers(name, variables):
    printed = printed_numbers(name)
    wanted = [
        (expectation.variables[0], expectation.value)
        for expectation in load_case(shipped_cases()[name]).expectations
        if expectation.quantity == "value" and expectation.variables[0] in variables
    ]
    assert {variable for variable, _ in wanted} == set(variables)
    for variable, value in wanted:
        nearest = min(printed, key=lambda number: abs(number - value))
        assert nearest == pytest.approx(value, rel=DIGITS), variable
