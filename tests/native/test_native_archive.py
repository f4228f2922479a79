"""A native FMU contains the same documentation, results and licences as a Python FMU."""

import pytest

from tests.native_fmus import build_native_fmu

from ..fmu_src import test_archive as python_archive


@pytest.mark.parametrize(
    "claim",
    [
        python_archive.test_the_page_names_every_variable_and_loads_nothing,
        python_archive.test_the_icon_is_a_png_of_a_hundred_pixels,
        python_archive.test_the_manifest_names_files_that_are_there,
        python_archive.test_fmpy_reproduces_the_reference_results,
        python_archive.test_fmutool_finds_nothing,
    ],
)
def test_the_archive_keeps_what_the_python_fmus_promise(claim, native_fmu):
    claim(lambda _name: native_fmu, "FrictionalShock")


def test_the_page_speaks_of_the_native_fmu(native_fmu):
    text = python_archive.member(native_fmu, "documentation/index.html")
    assert "fmi2GetDirectionalDerivative" in text
    assert "Python ≥" not in text


def test_the_licences_of_all_that_is_compiled_in_are_there(native_fmu):
    for file, words in (
        ("license.txt", "MIT License"),
        ("pythran.txt", "Serge Guelton"),
        ("llvm.txt", "LLVM Exceptions"),
        ("mingw-w64.txt", "mingw-w64 project"),
    ):
        assert words in python_archive.member(native_fmu, f"documentation/licenses/{file}"), file


def test_an_fmu_with_other_defaults_holds_no_results_of_the_usual_ones(tmp_path):
    path = build_native_fmu("FrictionalShock", tmp_path, start_values={"mass": 2.0})
    page = python_archive.member(path, "documentation/index.html")
    assert "<td>mass</td><td>m</td><td>kg</td><td>2.0</td>" in page
    with pytest.raises(KeyError):
        python_archive.member(path, f"{python_archive.REFERENCES}/FrictionalShock_ref.csv")
