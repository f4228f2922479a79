"""Files to be written are tried before the work is done."""

from __future__ import annotations

import os
import select
from pathlib import Path

import pytest

from harness.command_line import main
from harness.errors import UsageError
from harness.output_files import require_outputs


def test_a_file_that_is_read_is_never_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "quake.csv"
    record.write_text("time,acc\n0,0\n0.1,1\n0.2,0\n", encoding="utf-8")
    before = record.read_bytes()
    same = tmp_path / "." / "quake.csv"
    assert main(["run", "--input", str(record), "--csv", str(same)]) == 2
    assert "is the file that is read; it must be another file" in capsys.readouterr().err
    assert record.read_bytes() == before


def test_a_case_file_is_never_overwritten(
    tmp_path: Path, good_case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case.toml"
    case.write_text(good_case, encoding="utf-8")
    for option in ("--csv", "--json"):
        assert main(["run", str(case), option, str(case)]) == 2
        assert f"{option} {case} is the file that is read" in capsys.readouterr().err
    assert case.read_text(encoding="utf-8") == good_case


def test_two_options_never_name_one_file(tmp_path: Path) -> None:
    outputs = {"--json": tmp_path / "out", "--report": None, "--csv": tmp_path / "out"}
    with pytest.raises(UsageError, match="is also that of --json"):
        require_outputs(outputs)


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder and must be a file"):
        require_outputs({"--json": tmp_path})
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="one of its folders is a file"):
        require_outputs({"--json": tmp_path / "file" / "out.json"})


def test_the_trial_makes_the_folder_and_leaves_files_as_they_are(tmp_path: Path) -> None:
    kept, new = tmp_path / "kept.json", tmp_path / "deep" / "er" / "new.json"
    kept.write_text("kept", encoding="utf-8")
    require_outputs({"--json": kept, "--csv": new})
    assert kept.read_text(encoding="utf-8") == "kept"
    assert new.parent.is_dir()
    assert not new.exists()


def test_a_pipe_is_not_tried_for_its_reader_would_see_an_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    seen = select.poll()
    seen.register(reader)
    try:
        require_outputs({"--csv": pipe})
        assert seen.poll(0) == []
        # A writer that comes and goes is seen by its going: the test can fail.
        pipe.open("ab").close()
        assert seen.poll(0) == [(reader, select.POLLHUP)]
    finally:
        os.close(reader)


def test_a_file_that_cannot_be_written_is_refused_before_the_run(
    tmp_path: Path, good_case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case.toml"
    case.write_text(good_case, encoding="utf-8")
    # Refused to everyone, the superuser too: a name longer than any file system takes.
    target = tmp_path / ("x" * 300)
    assert main(["run", str(case), "--json", str(target)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"wearfmu: {target}: File name too long\n"
