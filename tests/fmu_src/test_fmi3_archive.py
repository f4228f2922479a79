"""Archive layout of FMUs of FMI 3.0, and their separation from FMI 2.0."""

import zipfile

import pytest

from fmu_src.native import native_builder
from fmu_src.native.native_builder import is_stale
from tests.native_fmus import build_native_fmu
from wearmodel.compiled.platform_libraries import PLATFORMS

MODEL = "DisChoc"
# An FMU contains the licences of the tools that built its library.
NEEDS_TOOLS = pytest.mark.native


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace libraries by the names of their platforms."""
    monkeypatch.setattr(
        native_builder, "model_library", lambda _model, platform, _layer: platform.name.encode()
    )


@NEEDS_TOOLS
def test_the_platforms_have_the_names_of_fmi_3(tmp_path):
    path = build_native_fmu(MODEL, tmp_path, tuple(PLATFORMS), fmi=3)
    with zipfile.ZipFile(path) as archive:
        libraries = {
            name: archive.read(name).decode()
            for name in archive.namelist()
            if name.startswith("binaries/")
        }
    assert libraries == {
        "binaries/x86_64-linux/DisChoc.so": "linux64",
        "binaries/aarch64-linux/DisChoc.so": "aarch64-linux",
        "binaries/x86_64-windows/DisChoc.dll": "win64",
        "binaries/x86_64-darwin/DisChoc.dylib": "darwin64",
        "binaries/aarch64-darwin/DisChoc.dylib": "aarch64-darwin",
    }


@NEEDS_TOOLS
def test_icon_and_terminals_lie_where_fmi_3_looks_for_them(tmp_path):
    path = build_native_fmu(MODEL, tmp_path, ("linux64",), fmi=3)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert archive.read("terminalsAndIcons/icon.png").startswith(b"\x89PNG")
    assert "terminalsAndIcons/terminalsAndIcons.xml" in names
    assert "documentation/index.html" in names
    assert "model.png" not in names


@NEEDS_TOOLS
def test_the_documentation_speaks_of_the_version_that_it_lies_in(tmp_path):
    for fmi in (2, 3):
        path = build_native_fmu(MODEL, tmp_path, ("linux64",), fmi=fmi)
        with zipfile.ZipFile(path) as archive:
            page = archive.read("documentation/index.html").decode()
        assert f"fmi{fmi}Error" in page
        assert f"fmi{5 - fmi}" not in page
        assert ("return_at" in page) == (fmi == 3)


@NEEDS_TOOLS
def test_neither_version_takes_the_place_of_the_other(tmp_path):
    paths = {fmi: build_native_fmu(MODEL, tmp_path, ("linux64",), fmi=fmi) for fmi in (2, 3)}
    assert paths[2] == tmp_path / "native" / "DisChoc.fmu"
    assert paths[3] == tmp_path / "native" / "fmi3" / "DisChoc.fmu"
    for fmi, path in paths.items():
        assert not is_stale(path, ("linux64",), fmi=fmi)
        assert is_stale(path, ("linux64",), fmi=5 - fmi)
        assert is_stale(path, ("win64",), fmi=fmi)
    # Descriptions of FMI 3.0 always list dependencies.
    assert is_stale(paths[2], ("linux64",), fmi=2, dependencies=True)
    tokens = {fmi: path.read_bytes() for fmi, path in paths.items()}
    again = build_native_fmu(MODEL, tmp_path, ("linux64",), fmi=3)
    assert again.read_bytes() == tokens[3]


def test_an_unknown_version_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"fmi=4 must be one of: 2, 3"):
        build_native_fmu(MODEL, tmp_path, ("linux64",), fmi=4)
