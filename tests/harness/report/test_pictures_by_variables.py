"""The pictures of a report depend on the variables of an FMU, and not on its name."""

from dataclasses import replace

import pytest

from harness import load_case, load_fmu, run_case
from harness.case.shipped import shipped_cases
from harness.fmu.instance import extract_fmu
from harness.report.validation_page import write_validation_report


@pytest.mark.parametrize(
    ("case_name", "picture"), [("ssnd116_seg2", "Path"), ("bouncing_ball", "Contact")]
)
def test_an_fmu_of_another_name_with_the_same_variables_gets_the_same_pictures(
    tmp_path, case_name, picture
):
    case = load_case(shipped_cases()[case_name])
    fmu, folder = load_fmu(case.heading.fmu, folder=tmp_path).path, tmp_path / "renamed"
    extract_fmu(fmu, folder)
    description = folder / "modelDescription.xml"
    text = description.read_text(encoding="utf-8")
    own_name = f'modelName="{case.heading.fmu}"'
    assert own_name in text
    description.write_text(text.replace(own_name, 'modelName="Neighbour"'), encoding="utf-8")
    for path in (fmu, folder):
        result = run_case(case, path)
        assert result.passed
        write_validation_report([result], tmp_path / "page.html")
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert f">{picture}<" in page


def test_an_fmu_without_them_gets_its_outputs(tmp_path, good_case, toy_fmu):
    file = tmp_path / "case.toml"
    file.write_text(good_case, encoding="utf-8")
    write_validation_report([run_case(load_case(file), toy_fmu)], tmp_path / "page.html")
    assert ">Outputs<" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_failed_run_is_the_first_number_of_several_cases(tmp_path, good_case, toy_fmu):
    file = tmp_path / "case.toml"
    file.write_text(good_case, encoding="utf-8")
    passed = run_case(load_case(file), toy_fmu)
    failed = replace(passed, checks=(), record=None, failure="rejected")
    write_validation_report([passed, failed], tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">run failed<" in page
    assert ">inf" not in page
