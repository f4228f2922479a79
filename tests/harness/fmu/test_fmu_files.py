"""FMUs of the project are built if missing or outdated. Other FMUs are used as they are."""

import io
import re
import zipfile
from pathlib import Path

import pytest

import fmu_src.archive.documentation
import fmu_src.models
import fmu_src.native.model_library
import fmu_src.native.native_builder
from fmu_src.archive.licences import python_licences
from harness import CaseError, load_case
from harness.case.case_file import Case
from harness.case.case_fmu import fmu_of
from harness.command_line import main
from harness.fmu.files import native_fmu, note_python_fmus, own_fmu
from tests.structures import contact, write_structure_file


def case_with(fmu: str, folder: Path, good_case: str, toy_fmu: Path) -> Case:
    file = folder / "case.toml"
    file.write_text(good_case.replace(toy_fmu.as_posix(), fmu), encoding="utf-8")
    return load_case(file)


def test_our_fmu_is_built_when_missing_kept_when_fresh_and_rebuilt_when_stale(
    tmp_path, good_case, toy_fmu
):
    case = case_with("FrictionalShock", tmp_path, good_case, toy_fmu)
    folder = tmp_path / "fmus"
    built = fmu_of(case, folder)
    assert built == folder / "FrictionalShock.fmu"
    written_at = built.stat().st_mtime_ns
    content = built.read_bytes()
    assert fmu_of(case, folder).stat().st_mtime_ns == written_at
    built.write_bytes(content[: len(content) // 2])
    assert fmu_of(case, folder).read_bytes() == content


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """Return the FMU with one bit changed in the compressed data of the kernel's stepper."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (entry,) = (one for one in archive.infolist() if one.filename.endswith("/stepper.py"))
    data = bytearray(content)
    data[entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2] ^= 1
    return bytes(data)


def without_a_member(content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w") as copy:
        copy.comment = source.comment
        for name in source.namelist():
            if not name.endswith("/stepper.py"):
                copy.writestr(name, source.read(name))
    return target.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("damage", [cut, flipped, without_a_member])
def test_an_fmu_of_ours_that_is_damaged_is_built_anew_and_said_once(tmp_path, caplog, damage):
    path = own_fmu("FrictionalShock", tmp_path)
    content = path.read_bytes()
    path.write_bytes(damage(content))
    assert own_fmu("FrictionalShock", tmp_path) == path
    assert path.read_bytes() == content
    (said,) = caplog.messages
    assert re.fullmatch(rf"note: {path} is damaged \(.+\) and is built again", said)
    own_fmu("FrictionalShock", tmp_path)
    assert caplog.messages == [said]


@pytest.mark.parametrize("damage", [cut, flipped, without_a_member])
def test_a_damaged_native_fmu_is_stale(tmp_path, monkeypatch, damage):
    # The test uses the members of the Python FMU. The tools of the native FMU belong to another
    # extra.
    path = own_fmu("FrictionalShock", tmp_path)
    native = fmu_src.native.native_builder._NativeFmu
    monkeypatch.setattr(native, "guid", lambda *_: "fmiModelDescription")
    # The licences of the native FMU contain the version of Pythran.
    monkeypatch.setattr(fmu_src.archive.documentation, "native_licences", python_licences)
    assert not fmu_src.native.native_builder.is_stale(path)
    path.write_bytes(damage(path.read_bytes()))
    assert fmu_src.native.native_builder.is_stale(path)


def test_a_path_starts_at_the_case_file(tmp_path, good_case, toy_fmu):
    case = case_with("../other/own.fmu", tmp_path, good_case, toy_fmu)
    assert fmu_of(case, Path("build")) == tmp_path / "../other/own.fmu"


def test_an_unknown_name_is_refused_with_the_nearest(tmp_path, good_case, toy_fmu):
    case = case_with("FrictionShock", tmp_path, good_case, toy_fmu)
    with pytest.raises(CaseError, match=r"'FrictionShock': must be .*mean 'FrictionalShock'\?"):
        fmu_of(case, tmp_path)


def test_a_native_build_says_what_it_does_and_where_and_only_when_it_does(
    tmp_path, monkeypatch, caplog
):
    caplog.set_level("INFO")
    # The real tools belong to another extra and take half a minute.
    monkeypatch.setattr(fmu_src.native.model_library, "require_tools", lambda: None)
    monkeypatch.setattr(fmu_src.native.native_builder, "write_native_fmu", lambda *_, **__: None)
    native_fmu("FrictionalShock", tmp_path, ["linux64", "win64"])
    said = (
        f"building {tmp_path / 'native' / 'FrictionalShock.fmu'} for linux64 and win64: about 2 "
        "minutes of processor time if it is not compiled yet …"
    )
    assert caplog.messages == [said]
    monkeypatch.setattr(fmu_src.native.native_builder, "is_stale", lambda *_, **__: False)
    native_fmu("FrictionalShock", tmp_path)
    assert caplog.messages == [said]


@pytest.fixture
def one_native(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that only FrictionalShock has a native FMU."""
    monkeypatch.setattr(fmu_src.models, "native_fmu_names", lambda: ("FrictionalShock",))


@pytest.mark.usefixtures("one_native")
@pytest.mark.parametrize(
    ("names", "note"),
    [
        (
            ["BaseMotion", "FrictionalShock", "DisChoc", "DisChoc"],
            "note: run in Python because no native form exists: BaseMotion, DisChoc",
        ),
        (["DisChoc"], "note: run in Python because no native form exists: DisChoc"),
        (["FrictionalShock", "own.fmu"], ""),
    ],
)
def test_fmus_without_a_native_form_are_named_once(caplog, names, note):
    note_python_fmus(names)
    assert caplog.messages == ([note] if note else [])


@pytest.mark.usefixtures("one_native")
def test_cases_that_run_in_python_all_the_same_are_noted(tmp_path, capsys):
    note = "note: run in Python because no native form exists: DisChoc\n"
    # The cases of this command do not use the native FMU, so its tools are not necessary.
    for command in ("validate", "run"):
        assert main([command, "ssnd116_poi1", "--native", "--out", str(tmp_path)]) == 0
        assert capsys.readouterr().err == note
    assert main(["validate", "ssnd116_poi1", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("contacts", "notes"), [(1, 0), (11, 1)])
def test_a_large_structure_in_python_names_the_native_fmu_in_one_line(
    tmp_path, capsys, contacts, notes
):
    file = tmp_path / "rod.toml"
    supports = (contact(f"c{number}", gap=1e-3) for number in range(contacts))
    write_structure_file(file, [1.0, 2.0, 3.0], *supports)
    folder = tmp_path / "fmus"
    assert main(["build", "ModalShock", "--structure", str(file), "--out", str(folder)]) == 0
    said = capsys.readouterr().err
    assert said.count("\n") == notes
    if notes:
        assert said.startswith("note: 3 modes × 11 contacts are slow in Python: use the native")
