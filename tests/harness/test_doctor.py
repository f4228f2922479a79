"""`wearfmu doctor`: what it finds, what it tells to do, and its exit codes."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import fmpy
import pytest

import harness.doctor
import harness.masters.c_host
from fmu_src.builder import build_fmu
from harness.command_line import main
from harness.doctor import Finding, Verdict, examine
from harness.python_library import python_library


@pytest.fixture(scope="module")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_fmu("FrictionalShock", tmp_path_factory.mktemp("doctor"))


def findings(fmu: Path) -> dict[str, Finding]:
    return {finding.subject: finding for finding in examine(fmu)}


def changed(fmu: Path, target: Path, old: str, new: str) -> Path:
    """A copy of the FMU with another text in its slave's script."""
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(target, "w") as copy:
        script = source.read("resources/slavemodule.txt").decode().strip()
        for name in source.namelist():
            data = source.read(name)
            if name == f"resources/{script}.py":
                assert old.encode() in data
                data = data.replace(old.encode(), new.encode())
            copy.writestr(name, data)
    return target


def test_our_fmu_loads_in_this_python_and_in_a_c_host(
    fmu: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    assert main(["doctor", str(fmu)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.startswith("problem")]
    assert any("this Python" in line and "loads the FMU and steps it" in line for line in lines)
    assert lines[-1].startswith("set     C host")
    assert lines[-1].endswith(f"→ start the host with LD_PRELOAD={python_library()}")


def test_the_setting_it_tells_is_enough(fmu: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", str(python_library()))
    assert findings(fmu)["C host"].verdict is Verdict.OK


def test_ours_may_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "BaseMotion"]) == 0
    assert "BaseMotion.fmu: FMI 2.0 co-simulation" in capsys.readouterr().out
    assert main(["doctor", "BaseMoton"]) == 2
    assert "did you mean 'BaseMotion'?" in capsys.readouterr().err


def test_a_missing_file_is_an_environment_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", str(tmp_path / "none.fmu")]) == 2
    assert "none.fmu: no such FMU" in capsys.readouterr().err


def test_an_fmu_for_other_platforms_is_a_problem(
    fmu: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.fmu"
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(other, "w") as copy:
        for name in source.namelist():
            if f"binaries/{fmpy.platform}/" not in name:
                copy.writestr(name, source.read(name))
    assert main(["doctor", str(other)]) == 1
    out = capsys.readouterr().out
    assert f"problem binary      none for {fmpy.platform}, only" in out


def test_a_slave_that_does_not_start_is_a_problem_with_its_message(
    fmu: Path, tmp_path: Path
) -> None:
    broken = changed(fmu, tmp_path / "broken.fmu", "import ctypes\n", "raise OSError('no disc')\n")
    finding = findings(broken)["this Python"]
    assert finding.verdict is Verdict.PROBLEM
    assert "fmi2Instantiate failed" in finding.text


def test_a_slave_that_kills_its_process_is_survived_and_named(fmu: Path, tmp_path: Path) -> None:
    deadly = changed(
        fmu, tmp_path / "deadly.fmu", "import ctypes\n", "import os\nos.abort()\nimport ctypes\n"
    )
    found = findings(deadly)
    assert (found["this Python"].verdict, found["this Python"].text) == (
        Verdict.PROBLEM,
        "crashed with SIGABRT",
    )
    assert (found["C host"].verdict, found["C host"].text) == (
        Verdict.PROBLEM,
        "crashed with SIGABRT",
    )


def test_folders_that_crash_hosts_are_named(
    fmu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100% é"
    folder.mkdir()
    here = Path(shutil.copy(fmu, folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    paths = [finding for finding in examine(here) if finding.subject == "path"]
    assert [finding.verdict for finding in paths] == [Verdict.SET, Verdict.SET]
    assert paths[0].remedy == "set TMPDIR to a folder of letters"
    # The trials themselves go to a safe folder.
    found = findings(here)
    assert found["this Python"].verdict is Verdict.OK
    assert found["C host"].verdict is Verdict.SET


def test_a_space_in_a_path_is_no_finding(fmu: Path, tmp_path: Path) -> None:
    folder = tmp_path / "my fmus"
    folder.mkdir()
    here = Path(shutil.copy(fmu, folder))
    assert {f.verdict for f in examine(here) if f.subject == "path"} == {Verdict.OK}


def test_a_misleading_pythonhome_is_named(fmu: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    remedies = [finding.remedy for finding in examine(fmu) if finding.subject == "path"]
    assert "unset PYTHONHOME" in remedies


def test_without_a_compiler_the_settings_are_told_untried(
    fmu: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness.masters.c_host, "c_compiler", lambda: None)
    finding = findings(fmu)["C host"]
    assert finding.verdict is Verdict.SET
    assert finding.text.startswith("not tried: there is no C compiler")
    assert f"LD_PRELOAD={python_library()}" in finding.remedy


def test_a_python_without_its_library_is_a_problem(
    fmu: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness.doctor, "python_library", lambda: None)
    finding = findings(fmu)["libpython"]
    assert finding.verdict is Verdict.PROBLEM
    assert "apt install libpython3-dev" in finding.remedy
