"""Laws have pictures of their own, without the closed forms of other laws."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness import load_case, load_fmu, run_case
from harness.case.notes import all_parameters
from harness.case.shipped import shipped_cases
from harness.fmu.interface import read_interface
from harness.report.key_numbers import key_numbers
from harness.report.panel_table import FRICTIONAL_SHOCK
from harness.report.shaken_run import ShakenRun
from harness.report.shoe_pictures import shoe_of
from harness.report.table_pictures import pictures
from harness.report.validation_page import write_validation_report


@pytest.mark.parametrize(
    ("case_name", "picture"),
    [("isolator_strengthening", "Friction over speed"), ("wearing_planes", "Gap and worn depth")],
)
def test_the_page_of_a_case_shows_its_law(tmp_path, case_name, picture):
    case = load_case(shipped_cases()[case_name])
    result = run_case(case, load_fmu(case.heading.fmu, folder=tmp_path).path)
    write_validation_report([result], tmp_path / "page.html")
    assert f">{picture}<" in (tmp_path / "page.html").read_text(encoding="utf-8")


def tabled(*rows: tuple[float, float]) -> dict[str, float]:
    """Return the parameters of a friction table."""
    return {
        f"friction_table_{column}[{number}]": value
        for number, row in enumerate(rows, start=1)
        for column, value in zip(("speed", "coefficient"), row, strict=True)
    }


def shaken(folder: Path, **given: float) -> ShakenRun:
    """Run SDND104 with other parameters."""
    case = load_case(shipped_cases()["sdnd104_a15"])
    case = replace(case, parameters={**case.parameters, **given}, expectations=())
    fmu = load_fmu(case.heading.fmu, folder=folder)
    result = run_case(case, fmu.path)
    assert result.record is not None
    values = all_parameters(read_interface(fmu.path), case.parameters)
    return ShakenRun(result.record, values, case.inputs)


def test_the_points_of_a_run_lie_on_its_law(tmp_path):
    run = shaken(tmp_path, friction_coefficient_slow=0.3, friction_decay_velocity=0.2)
    titles = [picture.title for picture in pictures(FRICTIONAL_SHOCK, run)]
    assert "Friction over speed" in titles
    slips = run.history["slip_velocity"] != 0.0
    speeds = np.abs(run.history["relative_velocity"][slips])
    seen = np.abs(run.history["friction_force"][slips]) / run.history["normal_force"][slips]
    np.testing.assert_allclose(run.friction_coefficient(speeds), seen, rtol=1e-14)


@pytest.mark.long
def test_a_shoe_with_another_law_is_not_the_documents_shoe(tmp_path):
    assert shoe_of(shaken(tmp_path)) is not None
    assert shoe_of(shaken(tmp_path, viscous_friction=0.1)) is None
    assert shoe_of(shaken(tmp_path, pendulum_radius=2.0)) is None
    assert shoe_of(shaken(tmp_path, stop_upper=0.5)) is None
    constant = shoe_of(shaken(tmp_path, **tabled((0.0, 0.2))))
    assert constant is not None
    assert constant.friction_coefficient == 0.2


def test_a_pendulum_bearing_has_its_force_loop(tmp_path):
    titles = [picture.title for picture in pictures(FRICTIONAL_SHOCK, shaken(tmp_path))]
    assert "Force loop of the bearing" not in titles
    run = shaken(tmp_path, pendulum_radius=2.0)
    titles = [picture.title for picture in pictures(FRICTIONAL_SHOCK, run)]
    assert "Force loop of the bearing" in titles


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (tabled((0.0, 0.3), (1.0, 0.2), (2.0, 0.25)), "0.2 to 0.3, table"),
        ({**tabled((0.0, 0.2)), "friction_coefficient_static": 0.3}, "0.2, static 0.3"),
        ({"friction_coefficient": 0.15}, "0.15"),
    ],
    ids=["table", "constant table", "coefficient"],
)
def test_the_key_number_of_friction_is_that_of_the_law(tmp_path, given, shown):
    numbers = {number.label: number.value for number in key_numbers(shaken(tmp_path, **given))}
    assert numbers["friction coefficient"] == shown
