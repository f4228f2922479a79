"""`wearfmu doctor`: findings, remedies and exit codes."""

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.archive.builder import build_fmu
from harness import FmuError, doctor, load_fmu
from harness.command_line import main
from harness.doctor import Finding, Verdict, examine
from harness.fmu.instance import extract_fmu
from harness.fmu.python_library import python_library


@pytest.fixture(scope="module")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_fmu("FrictionalShock", tmp_path_factory.mktemp("doctor"))


def findings(fmu: Path) -> dict[str, Finding]:
    return {finding.subject: finding for finding in examine(fmu)}


def changed(fmu: Path, target: Path, old: str, new: str) -> Path:
    """Copy the FMU with another text in the script of its slave."""
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(target, "w") as copy:
        script = source.read("resources/slavemodule.txt").decode().strip()
        for name in source.namelist():
            data = source.read(name)
            if name == f"resources/{script}.py":
                assert old.encode() in data
                data = data.replace(old.encode(), new.encode())
            copy.writestr(name, data)
    return target


def test_our_fmu_steps_in_this_python_and_a_c_host_is_told_what_it_needs(fmu, capsys, monkeypatch):
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    assert main(["doctor", str(fmu)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.startswith("problem")]
    assert any("this Python" in line and "loads the FMU and takes a step" in line for line in lines)
    assert lines[-1].startswith("set     C host")
    assert lines[-1].endswith(f"→ start the host with LD_PRELOAD={python_library()}")


def test_the_setting_it_tells_is_enough(fmu, monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", str(python_library()))
    assert findings(fmu)["C host"].verdict is Verdict.OK


def test_ours_may_be_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "BaseMotion"]) == 0
    assert "BaseMotion.fmu: FMI 2.0 co-simulation" in capsys.readouterr().out
    assert main(["doctor", "BaseMoton"]) == 2
    assert "did you mean 'BaseMotion'?" in capsys.readouterr().err


def test_a_missing_file_is_an_environment_error(tmp_path, capsys):
    assert main(["doctor", str(tmp_path / "none.fmu")]) == 2
    assert "none.fmu: no such FMU" in capsys.readouterr().err


def test_an_fmu_for_other_platforms_is_a_problem(fmu, tmp_path, capsys):
    other = tmp_path / "other.fmu"
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(other, "w") as copy:
        for name in source.namelist():
            if f"binaries/{fmpy.platform}/" not in name:
                copy.writestr(name, source.read(name))
    assert main(["doctor", str(other)]) == 1
    out = capsys.readouterr().out
    assert f"problem binary      missing for {fmpy.platform}, available for" in out
    assert out.splitlines()[-1].startswith("problem binary")  # The other checks need the library.


def test_a_slave_that_does_not_start_is_a_problem_with_its_message(fmu, tmp_path):
    broken = changed(fmu, tmp_path / "broken.fmu", "import ctypes\n", "raise OSError('no disc')\n")
    finding = findings(broken)["this Python"]
    assert finding.verdict is Verdict.PROBLEM
    assert "fmi2Instantiate failed" in finding.text


def test_a_slave_that_kills_its_process_is_survived_and_named(fmu, tmp_path):
    deadly = changed(
        fmu, tmp_path / "deadly.fmu", "import ctypes\n", "import os\nos.abort()\nimport ctypes\n"
    )
    found = findings(deadly)
    assert (found["this Python"].verdict, found["this Python"].text) == (
        Verdict.PROBLEM,
        "crashed with SIGABRT",
    )


def repacked(
    fmu: Path, target: Path, extra: dict[str, bytes] | None = None, *, identifier: str = ""
) -> Path:
    """Copy the FMU with more members, or with another modelIdentifier."""
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            data = source.read(name)
            if identifier and name == "modelDescription.xml":
                data, count = re.subn(rb'modelIdentifier="[^"]*"', identifier.encode(), data)
                assert count == 1
            copy.writestr(name, data)
        for name, data in (extra or {}).items():
            copy.writestr(name, data)
    return target


def flipped(fmu: Path, target: Path, member: str) -> Path:
    """Copy the FMU with one bit changed in the middle of the data of a member."""
    data = bytearray(fmu.read_bytes())
    with zipfile.ZipFile(fmu) as archive:
        entry = archive.getinfo(member)
    data[entry.header_offset + 30 + len(member) + entry.compress_size // 2] ^= 1
    target.write_bytes(data)
    return target


HOSTILE: dict[str, tuple[Callable[[Path, Path], Path], str]] = {
    "cut short": (lambda fmu, to: to.write_bytes(fmu.read_bytes()[:9999]) and to, "not a zip file"),
    "flipped bit in the library": (
        lambda fmu, to: flipped(fmu, to, "binaries/linux64/FrictionalShock.so"),
        "is damaged: ",
    ),
    "flipped bit in the description": (
        lambda fmu, to: flipped(fmu, to, "modelDescription.xml"),
        "cannot be read as an FMU: ",
    ),
    "absolute member": (
        lambda fmu, to: repacked(fmu, to, {"/tmp/stray": b""}),
        "cannot be unpacked: '/tmp/stray' is a path outside the FMU",
    ),
    "member above": (
        lambda fmu, to: repacked(fmu, to, {"resources/../../stray": b""}),
        "cannot be unpacked: 'resources/../../stray' is a path outside the FMU",
    ),
    "member on a drive": (
        lambda fmu, to: repacked(fmu, to, {"C:stray": b""}),
        "cannot be unpacked: the name 'C:stray' contains a backslash, a colon",
    ),
    "file and folder": (
        lambda fmu, to: repacked(fmu, to, {"extra": b"", "extra/file": b""}),
        "cannot be unpacked: 'extra' is both a file and a folder",
    ),
    "identifier that leaves the folder": (
        lambda fmu, to: repacked(fmu, to, identifier='modelIdentifier="../../stray"'),
        "modelIdentifier '../../stray' must be a C identifier",
    ),
    "too many files": (
        lambda fmu, to: repacked(fmu, to, {f"many/{number}": b"" for number in range(20_000)}),
        " GB together; must be ≤ 20000 files",
    ),
}


@pytest.mark.parametrize(("make", "said"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_damaged_or_hostile_fmu_is_a_finding_and_nothing_of_it_is_tried(
    fmu, tmp_path, capfd, make, said
):
    hostile = make(fmu, tmp_path / "hostile.fmu")
    assert main(["doctor", str(hostile)]) == 1
    out, err = capfd.readouterr()
    (line,) = out.splitlines()
    assert line.startswith("problem FMU         hostile.fmu: ")
    assert said in line
    assert err == ""


def test_a_member_that_would_fill_the_disk_is_refused_wherever_an_fmu_is_read(
    fmu, tmp_path, capsys
):
    bomb = repacked(fmu, tmp_path / "bomb.fmu", {"resources/zeros": b"four"})
    data = bytearray(bomb.read_bytes())
    # The directory declares a size of 3e9 bytes. At most the declared size is unpacked.
    entry = data.rindex(b"resources/zeros") - 46
    assert data[entry : entry + 4] == b"PK\x01\x02"
    data[entry + 24 : entry + 28] = (3_000_000_000).to_bytes(4, "little")
    bomb.write_bytes(data)
    assert main(["doctor", str(bomb)]) == 1
    assert "files of 3 GB together; must be ≤ 20000 files and ≤ 2.15 GB" in capsys.readouterr().out
    for reads in (lambda: load_fmu(bomb), lambda: extract_fmu(bomb, tmp_path / "out")):
        with pytest.raises(FmuError, match=r"contains .* files of 3 GB together"):
            reads()
    assert not (tmp_path / "out").exists()


def test_nothing_in_the_current_folder_is_run(fmu, tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("open('run', 'w').close()\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert findings(fmu)["this Python"].verdict is Verdict.OK
    assert not (tmp_path / "run").exists()


def test_folders_that_crash_hosts_are_named(fmu, tmp_path, monkeypatch):
    folder = tmp_path / "100% é"
    folder.mkdir()
    here = Path(shutil.copy(fmu, folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    paths = [finding for finding in examine(here) if finding.subject == "path"]
    assert [finding.verdict for finding in paths] == [Verdict.SET, Verdict.SET]
    assert paths[0].remedy == "set TMPDIR to a path of letters and digits"
    # The trials themselves use a safe folder.
    found = findings(here)
    assert found["this Python"].verdict is Verdict.OK
    assert found["C host"].verdict is Verdict.SET


def test_a_space_in_a_path_is_no_finding(fmu, tmp_path):
    folder = tmp_path / "my fmus"
    folder.mkdir()
    here = Path(shutil.copy(fmu, folder))
    assert {f.verdict for f in examine(here) if f.subject == "path"} == {Verdict.OK}


def test_a_misleading_pythonhome_is_named(fmu, monkeypatch):
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    remedies = [finding.remedy for finding in examine(fmu) if finding.subject == "path"]
    assert "unset PYTHONHOME" in remedies


def test_without_the_loaders_program_the_settings_are_told_unproven(fmu, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    finding = findings(fmu)["C host"]
    assert finding.verdict is Verdict.SET
    assert finding.text.startswith("not checked: ldd cannot be run (No such file")
    assert finding.remedy == f"set LD_PRELOAD={python_library()}"


def test_a_library_that_needs_what_no_setting_brings_is_a_problem(fmu, tmp_path):
    other = tmp_path / "other.fmu"
    member = "binaries/linux64/FrictionalShock.so"
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(other, "w") as copy:
        for name in source.namelist():
            data = source.read(name)
            if name == member:
                assert b"libstdc++.so.6" in data
                data = data.replace(b"libstdc++.so.6", b"libnowhere.so6")
            copy.writestr(name, data)
    finding = findings(other)["C host"]
    assert finding.verdict is Verdict.PROBLEM
    assert finding.text.startswith("libnowhere.so6 => not found")


def test_no_compiler_is_needed(fmu, monkeypatch):
    started: list[str] = []
    run = subprocess.run

    def watched(command: list[str], **options: Any) -> Any:
        started.append(Path(command[0]).name)
        return run(command, **options)

    monkeypatch.setattr(subprocess, "run", watched)
    assert findings(fmu)["C host"].verdict is not Verdict.PROBLEM
    assert set(started) == {Path(sys.executable).name, "ldd"}


def test_a_python_without_its_library_is_a_problem(fmu, monkeypatch):
    monkeypatch.setattr(doctor, "python_library", lambda: None)
    finding = findings(fmu)["libpython"]
    assert finding.verdict is Verdict.PROBLEM
    assert "apt install libpython3-dev" in finding.remedy
