"""Output files are tried before the computation."""

import errno
import json
import os
import select
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from harness.command_line import main
from harness.errors import UsageError
from harness.output_files import Outputs, replacing, require_outputs, write_text
from harness.output_kinds import OutputKind

# For tests that do not concern the kind of a file.
ANY = OutputKind(("", ".json", ".csv"), lambda head, tail, path: True)


@pytest.fixture
def case_with_files(tmp_path: Path, good_case: str, toy_fmu: Path) -> Path:
    """Write a case that passes and reads d.csv and toy.fmu from its folder."""
    (tmp_path / "d.csv").write_text("time,rate\n0,3\n1,3\n", encoding="utf-8")
    (tmp_path / "toy.fmu").write_bytes(toy_fmu.read_bytes())
    constant = 'kind = "constant"\nvalue = 3.0'
    table = 'kind = "csv"\nfile = "d.csv"\nvalue_column = "rate"'
    assert constant in good_case
    text = good_case.replace(constant, table).replace(toy_fmu.as_posix(), "toy.fmu")
    file = tmp_path / "case.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_that_is_read_is_never_overwritten(tmp_path, capsys):
    record = tmp_path / "quake.csv"
    record.write_text("time,acc\n0,0\n0.1,1\n0.2,0\n", encoding="utf-8")
    before = record.read_bytes()
    same = tmp_path / "." / "quake.csv"
    assert main(["run", "--input", str(record), "--csv", str(same)]) == 2
    assert "is an input file: choose another file" in capsys.readouterr().err
    assert record.read_bytes() == before


def test_a_case_file_is_never_overwritten(tmp_path, good_case, capsys):
    case = tmp_path / "case.toml"
    case.write_text(good_case, encoding="utf-8")
    for option in ("--csv", "--json"):
        assert main(["run", str(case), option, str(case)]) == 2
        assert f"{option} {case} is an input file" in capsys.readouterr().err
    assert case.read_text(encoding="utf-8") == good_case


def same_name(file: Path, link: Path) -> Path:
    return file


def another_spelling(file: Path, link: Path) -> Path:
    return file.parent / "folder" / ".." / file.name


def hard_link(file: Path, link: Path) -> Path:
    link.hardlink_to(file)
    return link


def symbolic_link(file: Path, link: Path) -> Path:
    link.symlink_to(file)
    return link


@pytest.mark.parametrize("named", [same_name, another_spelling, hard_link, symbolic_link])
@pytest.mark.parametrize("read", ["case.toml", "d.csv", "toy.fmu"])
def test_what_a_case_reads_is_never_overwritten_under_whatever_name(
    case_with_files, capsys, read, named
):
    folder = case_with_files.parent
    (folder / "folder").mkdir()
    output = named(folder / read, folder / "link")
    before = (folder / read).read_bytes()
    for command, option in (("run", "--csv"), ("run", "--json"), ("validate", "--report")):
        assert main([command, str(case_with_files), option, str(output)]) == 2
        assert f"{option} {output} is an input file" in capsys.readouterr().err
    assert (folder / read).read_bytes() == before


def test_an_fmu_of_ours_is_no_output_even_where_it_is_not_built_yet(tmp_path, capsys):
    record = tmp_path / "quake.csv"
    record.write_text("time,acc\n0,0\n0.1,1\n0.2,0\n", encoding="utf-8")
    fmu = tmp_path / "FrictionalShock.fmu"
    for played in (["--input", str(record)], ["bouncing_ball"]):
        assert main(["run", *played, "--out", str(tmp_path), "--json", str(fmu)]) == 2
        assert f"--json {fmu} is an input file" in capsys.readouterr().err
    assert not fmu.exists()


def test_a_file_that_the_fmu_is_told_to_read_is_never_overwritten(tmp_path, capsys):
    record = tmp_path / "quake.csv"
    record.write_text("0,0\n1,1\n", encoding="utf-8")
    case = tmp_path / "case.toml"
    case.write_text(
        '[case]\ntitle = "Source"\nsource = "by hand"\nfmu = "BaseMotion"\n'
        f'[parameters]\nkind = "csv"\nfile = "{record.as_posix()}"\n'
        "[experiment]\nstop_time = 1.0\nstep_size = 0.5\n",
        encoding="utf-8",
    )
    assert main(["run", str(case), "--out", str(tmp_path), "--csv", str(record)]) == 2
    assert f"--csv {record} is an input file" in capsys.readouterr().err


SWEEP = """\
[sweep]
title = "Toy"
case = "case.toml"
output = "{output}"
engine = "fmu"
quantities = [{{ name = "total", quantity = "value", variable = "total", time = 1.0 }}]
[design]
kind = "list"
[vary.varied]
of = "{of}"
values = {values}
"""


@pytest.mark.parametrize("name", ["tube.toml", "modes.npz"])
def test_a_system_package_never_overwrites_the_structure_in_it(tmp_path, capsys, name):
    structure = tmp_path / "tube.toml"
    structure.write_text('[modes]\nfile = "modes.npz"\n', encoding="utf-8")
    (tmp_path / "modes.npz").write_bytes(b"arrays")
    before = (tmp_path / name).read_bytes()
    folder = ["--out", str(tmp_path / "build")]
    assert main(["ssp", str(tmp_path / name), "--structure", str(structure), *folder]) == 2
    assert "is an input file: choose another file" in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("quake.csv", "must end in .ssp: choose such a name, or add --force"),
        (
            "quake.ssp",
            "exists and was not written by ssp: choose another file, or replace it by --force",
        ),
        (
            "other.zip.ssp",
            "exists and was not written by ssp: choose another file, or replace it by --force",
        ),
    ],
)
def test_a_system_package_replaces_nothing_but_a_system_package(tmp_path, capsys, name, message):
    target = tmp_path / name
    target.write_text("time,acc\n0,0\n0.1,1\n0.2,0\n", encoding="utf-8")
    if name.startswith("other"):
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("thesis.tex", "years of work")
    before = target.read_bytes()
    assert main(["ssp", str(target), "--out", str(tmp_path / "build")]) == 2
    assert capsys.readouterr().err.startswith(f"wearfmu: ssp {target} {message}")
    assert target.read_bytes() == before
    assert list(tmp_path.iterdir()) == [target]


def test_a_system_package_is_written_anew(tmp_path, capsys):
    target = tmp_path / "shoe.ssp"
    for amplitude in ("1.5", "2.5"):
        motion = ["--motion", f"amplitude={amplitude}"]
        assert main(["ssp", str(target), *motion, "--out", str(tmp_path)]) == 0
        assert capsys.readouterr().out == f"{target}\n"
    with zipfile.ZipFile(target) as archive:
        assert 'value="2.5"' in archive.read("SystemStructure.ssd").decode()


@pytest.mark.parametrize("output", ["d.csv", "e.csv"])
def test_the_results_of_a_sweep_never_overwrite_what_its_points_read(
    case_with_files, capsys, output
):
    folder = case_with_files.parent
    (folder / "e.csv").write_bytes((folder / "d.csv").read_bytes())
    sweep = folder / "sweep.toml"
    text = SWEEP.format(output=output, of="inputs.rate.file", values=["d.csv", "e.csv"])
    sweep.write_text(text, encoding="utf-8")
    before = {file: file.read_bytes() for file in folder.iterdir()}
    assert main(["sweep", str(sweep)]) == 2
    assert f"sweep.output {folder / output} is an input file" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("picture", "what"),
    [
        ("sweep.toml", "an input file"),
        ("case.toml", "an input file"),
        ("d.csv", "an input file"),
        ("toy.fmu", "an input file"),
        ("out.csv", "also the file of sweep.output"),
        ("out.csv.journal", "an input file"),
    ],
)
def test_the_map_of_a_sweep_never_overwrites_what_the_sweep_reads_or_writes(
    case_with_files, capsys, picture, what
):
    folder = case_with_files.parent
    sweep = folder / "sweep.toml"
    text = SWEEP.format(output="out.csv", of="parameters.gain", values=[1.0, 2.0])
    sweep.write_text(text, encoding="utf-8")
    before = {file: file.read_bytes() for file in folder.iterdir()}
    assert main(["sweep", str(sweep), "--map", str(folder / picture)]) == 2
    assert f"--map {folder / picture} is {what}" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


def test_a_table_of_statistics_never_overwrites_the_record(tmp_path, capsys):
    record = tmp_path / "usure.csv"
    record.write_text("time,normal_force\n0,0\n1,1\n", encoding="utf-8")
    before = record.read_bytes()
    assert main(["post", str(record), "--csv", str(tmp_path)]) == 2
    assert f"{record} is an input file" in capsys.readouterr().err
    assert main(["post", str(record), "--csv", str(tmp_path), "--impact"]) == 0
    assert record.read_bytes() == before
    assert main(["post", str(record), "--csv", str(record)]) == 2
    assert f"--csv {record} must be a folder, not a file or in a file" in capsys.readouterr().err


def test_a_symbolic_link_stays_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "there" / "real.json")
    for text in ("new", "newer"):
        require_outputs({"--json": (link, ANY)})
        write_text(link, text)
        assert link.is_symlink()
        assert (tmp_path / "there" / "real.json").read_text(encoding="utf-8") == text
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["real.json"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("link", "is a symbolic link that leads back to itself"),
        ("none/file", "is a symbolic link into a folder that does not exist"),
    ],
)
def test_a_symbolic_link_that_leads_nowhere_is_refused_and_stays(tmp_path, target, message):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / target)
    with pytest.raises(UsageError, match=message):
        require_outputs({"--json": (link, ANY)})
    assert [file.name for file in tmp_path.iterdir()] == ["link"]


def test_a_file_is_whole_or_as_it_was_and_keeps_its_permissions(tmp_path):
    file = tmp_path / "out.csv"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)

    def fill_the_disk() -> None:
        with replacing(file) as part:
            part.write_text("half of the n", encoding="utf-8")
            # A write to a full disk raises an error without a file name.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space left") as caught:
        fill_the_disk()
    assert caught.value.filename == str(file)
    assert file.read_text(encoding="utf-8") == "old"
    with replacing(file) as part:
        part.write_text("new", encoding="utf-8")
        assert file.read_text(encoding="utf-8") == "old"
    assert file.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    write_text(tmp_path / "out", "new")
    (tmp_path / "usual").touch()
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_on_a_full_disk_the_old_file_stands_and_the_message_names_it(tmp_path):
    record = tmp_path / "record.csv"
    record.write_text("time,normal_force\n0,0\n0.5,1\n1,0\n", encoding="utf-8")
    old = tmp_path / "out.json"
    assert main(["post", str(record), "--json", str(old)]) == 0
    before = old.read_bytes()
    # Files are limited to 512 bytes. The system rejects a longer write as on a full disk.
    command = f"ulimit -f 1; exec {sys.executable} -m harness post record.csv --json out.json"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "wearfmu: out.json: File too large\n"
    assert old.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.json", "record.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_full_device_is_named(tmp_path, capsys):
    record = tmp_path / "record.csv"
    record.write_text("time,normal_force\n0,0\n0.5,1\n1,0\n", encoding="utf-8")
    assert main(["post", str(record), "--json", "/dev/full"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "wearfmu: /dev/full: No space left on device\n")


@pytest.mark.parametrize("redirected", [False, True], ids=["pipe", "file"])
def test_standard_output_takes_a_file_and_then_what_is_printed(tmp_path, redirected):
    record = tmp_path / "record.csv"
    record.write_text("time,normal_force\n0,0\n0.5,1\n1,0\n", encoding="utf-8")
    command = f"{sys.executable} -m harness post record.csv --json /dev/stdout"
    command += " > out; cat out" if redirected else " | cat"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr == ""
    content, end = json.JSONDecoder().raw_decode(done.stdout)
    assert content["window_sample_count"] == 3
    assert "record.csv: 3 samples" in done.stdout[end:]


def test_two_options_never_name_one_file(tmp_path):
    out = (tmp_path / "out", ANY)
    outputs: Outputs = {"--json": out, "--report": (None, ANY), "--csv": out}
    with pytest.raises(UsageError, match="is also the file of --json"):
        require_outputs(outputs)


def test_a_folder_is_no_output(tmp_path):
    with pytest.raises(UsageError, match="is a folder and must be a file"):
        require_outputs({"--json": (tmp_path, ANY)})
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="one of its folders is a file"):
        require_outputs({"--json": (tmp_path / "file" / "out.json", ANY)})


def test_the_trial_makes_the_folder_and_leaves_files_as_they_are(tmp_path):
    kept, new = tmp_path / "kept.json", tmp_path / "deep" / "er" / "new.json"
    kept.write_text("kept", encoding="utf-8")
    require_outputs({"--json": (kept, ANY), "--csv": (new, ANY)})
    assert kept.read_text(encoding="utf-8") == "kept"
    assert new.parent.is_dir()
    assert not new.exists()


def test_a_pipe_is_not_tried_for_its_reader_would_see_an_end(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    seen = select.poll()
    seen.register(reader)
    try:
        require_outputs({"--csv": (pipe, ANY)})
        assert seen.poll(0) == []
        # A writer that opens and closes the pipe is detected, so this test can fail.
        pipe.open("ab").close()
        assert seen.poll(0) == [(reader, select.POLLHUP)]
    finally:
        os.close(reader)


def test_a_file_that_cannot_be_written_is_refused_before_the_run(tmp_path, good_case, capsys):
    case = tmp_path / "case.toml"
    case.write_text(good_case, encoding="utf-8")
    # The name is longer than any file system allows. Even the superuser gets an error.
    target = tmp_path / ("x" * 300 + ".json")
    assert main(["run", str(case), "--json", str(target)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"wearfmu: {target}: File name too long\n"


NOT_UTF8 = os.fsdecode(b"qu\xe9ke.csv")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            ["page", "--record", NOT_UTF8, "--case", "bouncing_ball", "--out", "page.html"],
            marks=pytest.mark.hosts,
        ),
        ["run", "--input", NOT_UTF8, "--report", "r.html", "--json", "r.json", "--csv", "r.csv"],
    ],
    ids=["page", "run"],
)
def test_a_file_whose_name_is_not_utf8_is_used_as_any_other(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    Path(NOT_UTF8).write_text("time,acc\n0,0\n0.01,1\n0.02,0\n", encoding="utf-8")
    assert main(command) == 0
    assert capsys.readouterr().err == ""
    (page,) = tmp_path.glob("*.html")
    assert r"qu\udce9ke" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
@pytest.mark.parametrize(
    "command",
    [
        ["ssp", "a.ssp", "--motion", f"file={NOT_UTF8}"],
        ["build", "BaseMotion", "--start", f"file={NOT_UTF8}"],
        ["run", "--input", "quake.csv", "--set", f"{NOT_UTF8}=1"],
    ],
    ids=["ssp", "build", "run"],
)
def test_a_value_that_is_not_utf8_is_refused_in_one_line(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(command)
    assert caught.value.code == 2
    err = capsys.readouterr().err
    assert "must be text in UTF-8" in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
