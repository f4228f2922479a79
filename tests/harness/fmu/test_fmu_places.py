"""FMUs are built in the cache, unless `wearfmu build` or the user names a folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness import load_fmu
from harness.command_line import main
from harness.fmu.files import own_fmu

QUAKE = "time,acceleration\n0,0\n0.01,1\n0.02,0\n"
LOAD = "from harness import load_fmu; print(load_fmu('FrictionalShock').path)"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's current folder with a record. The cache is beside it."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "quake.csv").write_text(QUAKE, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


@pytest.mark.parametrize(
    "command", [["run", "--input", "quake.csv"], ["run", "ssnd116_poi1"], ["doctor", "DisChoc"]]
)
def test_a_command_that_needs_an_fmu_leaves_nothing_in_the_current_folder(here, command):
    assert main(command) == 0
    assert names(here) == ["quake.csv"]
    assert len(list((here.parent / "cache" / "wearfmu").rglob("*.fmu"))) == 1


def test_python_leaves_nothing_in_the_current_folder_either(here):
    path = load_fmu("DisChoc").path
    assert names(here) == ["quake.csv"]
    written = path.stat().st_mtime_ns
    assert load_fmu("DisChoc").path == path
    assert path.stat().st_mtime_ns == written


def test_what_wearfmu_build_has_put_into_build_is_what_runs(here):
    assert main(["build", "DisChoc"]) == 0
    assert names(here / "build") == ["DisChoc.fmu"]
    assert own_fmu("DisChoc") == Path("build/DisChoc.fmu")
    # Other commands do not add FMUs to this folder.
    assert own_fmu("BaseMotion").parent != Path("build")
    assert names(here / "build") == ["DisChoc.fmu"]


def test_where_there_is_no_place_for_a_cache_build_in_the_current_folder_takes_them(
    here, monkeypatch
):
    occupied = here / "a_file"
    occupied.write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    assert load_fmu("DisChoc").path == Path("build/DisChoc.fmu")


@pytest.mark.skipif(os.name != "posix", reason="files have owners on POSIX")
def test_no_fmu_is_taken_from_a_cache_that_others_can_write(here, caplog):
    cached = load_fmu("DisChoc").path
    cached.parent.chmod(0o777)
    assert load_fmu("DisChoc").path == Path("build/DisChoc.fmu")
    assert [record.message for record in caplog.records] == [
        f"note: {cached.parent} can be written by other users: its FMUs are not used, and FMUs "
        "are built in build"
    ]


def test_where_nothing_can_be_written_the_remedy_is_named(here, monkeypatch, capsys):
    (here / "build").write_text("", encoding="utf-8")  # like a read-only folder, also for root
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "build"))
    assert main(["run", "--input", "quake.csv"]) == 2
    assert capsys.readouterr().err == (
        "wearfmu: build: the FMU cannot be written to this folder (it is a file): choose "
        "another by --out DIR, in Python by folder=...\n"
    )


def test_two_installations_do_not_build_over_each_other(here, tmp_path):
    import fmu_src

    other = tmp_path / "other"
    other.mkdir()
    (other / "fmu_src").symlink_to(Path(fmu_src.__file__).parent)
    paths = {
        subprocess.run(
            [sys.executable, "-c", LOAD],
            env={**os.environ, "PYTHONPATH": place},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for place in ("", str(other))
    }
    assert len(paths) == 2
