"""Laws of their own have pictures of their own, and no closed form of another law beside them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness import load_case, load_fmu, run_case
from harness.case.notes import all_parameters
from harness.case.shipped import shipped_cases
from harness.fmu.interface import read_interface
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


def shaken(folder: Path, **given: float) -> ShakenRun:
    """SDND104 with other parameters."""
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


def test_a_shoe_with_another_law_is_not_the_documents_shoe(tmp_path):
    assert shoe_of(shaken(tmp_path)) is not None
    assert shoe_of(shaken(tmp_path, viscous_friction=0.1)) is None
