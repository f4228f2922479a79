"""The command line: exit codes, tables and written files."""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import harness.subcommands
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.fmu.files import own_fmu
from harness.subcommands import add_subcommands

_EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def case_file(tmp_path: Path, good_case: str) -> Path:
    """Write a case that passes, in a folder that is not the current one."""
    file = tmp_path / "study" / "case.toml"
    file.parent.mkdir()
    file.write_text(good_case, encoding="utf-8")
    return file


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("command", [None, *add_subcommands(argparse.ArgumentParser())])
def test_the_help_of_a_command_fits_80_columns(
    command: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main([*filter(None, [command]), "--help"])
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 79] == []


def test_a_case_that_passes_gives_exit_code_0(
    case_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(case_file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("1 case passed: 1 of 1 check passed, 8 steps in ")


def test_a_case_that_expects_nothing_prints_the_outputs_at_its_end(
    case_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = case_file.read_text(encoding="utf-8")
    case_file.write_text(text.partition("[[expect]]")[0], encoding="utf-8")
    assert main(["run", str(case_file)]) == 0
    out = capsys.readouterr().out
    # The integral of 3 times the gain 2 over 1 s.
    assert re.search(r"^output +at 1 s ", out)
    assert re.search(r"^total +6 ", out, re.MULTILINE)
    assert "--csv FILE" in out


@pytest.mark.parametrize(
    ("parameters", "wear"),
    [("", []), ("archard_coefficient = 1e-13", ["worn_volume"])],
    ids=["no wear coefficient", "wear coefficient"],
)
def test_a_case_that_expects_nothing_prints_key_outputs_then_notes_then_where_the_rest_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], parameters: str, wear: list[str]
) -> None:
    case = tmp_path / "plain.toml"
    case.write_text(
        '[case]\ntitle = "x"\nsource = "y"\nfmu = "FrictionalShock"\n'
        f"[parameters]\nrestitution = 0.5\n{parameters}\n"
        "[experiment]\nstop_time = 0.1\nstep_size = 0.01\n",
        encoding="utf-8",
    )
    assert main(["run", str(case)]) == 0
    lines = capsys.readouterr().out.splitlines()
    end = lines.index("")
    names = [line.split()[0] for line in lines[2:end]]
    assert names[: 1 + len(wear)] == ["wear_work", *wear]
    assert 4 <= len(names) <= 8
    note, *more = lines[end + 1 :]
    assert "note: restitution has no effect" in note
    assert any("-v" in line and "--csv FILE" in line for line in more)
    assert main(["run", str(case), "-v"]) == 0
    assert "input_prediction_error" in capsys.readouterr().out


def test_messages_name_a_case_file_as_the_user_does(
    case_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace(case_file, "gain = 2.0", "gian = 2.0")
    monkeypatch.chdir(case_file.parent)
    assert main(["run", "case.toml"]) == 2
    assert capsys.readouterr().err.startswith("wearfmu: case.toml: parameters: 'gian' is not ")


@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_failed_expectation_gives_exit_code_1_and_all_four_numbers(
    case_file: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    replace(case_file, "value = 6.0\nrtol = 0.0", "value = 6.25\natol = 0.125")
    assert main([command, str(case_file)]) == 1
    out = capsys.readouterr().out
    assert (
        "study: value total at 1 s: got 6.0, want 6.25, error 2.500e-01, tolerance 1.250e-01" in out
    )
    assert out.splitlines()[-1].startswith("1 of 1 case failed: 0 of 1 check passed")


def test_a_run_that_ends_early_gives_exit_code_1_and_the_message_of_the_fmu(
    case_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(case_file, "gain = 2.0", "discard_at = 0.5")
    assert main(["run", str(case_file)]) == 1
    assert (
        "study: run failed: fmi2DoStep at t=0.5 s: discard: rate=3.0 1/s is 100 % too much\n"
    ) in capsys.readouterr().out


def test_one_failed_case_does_not_stop_the_others(
    case_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = tmp_path / "failing.toml"
    failing.write_text(case_file.read_text())
    replace(failing, "gain = 2.0", "discard_at = 0.5")
    assert main(["validate", str(failing), str(case_file)]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 2 cases failed: 1 of 1 check")


def test_validate_prints_a_line_for_each_case_and_the_numbers_of_failed_cases(
    case_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replace(case_file, "value = 6.0\nrtol = 0.0", "value = 6.25\natol = 1.0")
    assert main(["validate", str(case_file)]) == 0
    # The error is 0.25 and the tolerance is 1.
    above, heading, _, line, summary = capsys.readouterr().out.splitlines()
    assert above.strip() == "largest error"
    assert heading.split() == ["case", "verdict", "checks", "%", "of", "tolerance"]
    assert line.split() == ["study", "pass", "1", "of", "1", "25"]
    assert summary.startswith("1 case passed")
    failing = tmp_path / "failing.toml"
    failing.write_text(case_file.read_text())
    replace(failing, "atol = 1.0", "atol = 0.125")
    assert main(["validate", str(case_file), str(failing)]) == 1
    out = capsys.readouterr().out
    assert out.count("value total at 1 s") == 2
    assert re.search(r"failing +FAIL +0 of 1 +2e\+02\n", out)
    assert main(["validate", str(case_file), "--verbose"]) == 0
    assert capsys.readouterr().out.count("value total at 1 s") == 2


def test_the_table_is_plain_and_fits_80_columns_in_a_pipe(case_file: Path) -> None:
    replace(case_file, "value = 6.0\nrtol = 0.0", "value = 5.99999999999e-10\nrtol = 1e-6")
    longest = case_file.parent.rename(case_file.parent.with_name("a_case_with_quite_a_long_name"))
    done = subprocess.run(
        [sys.executable, "-m", "harness", "run", "case.toml"],
        cwd=longest,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    table = done.stdout.split("a_case_with_quite_a_long_name: ")[0]
    assert "5.99999999999e-10" in table
    assert max(map(len, table.splitlines())) <= 80


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_characters_that_a_pipe_does_not_take_cost_no_result(
    case_file: Path, encoding: str
) -> None:
    replace(case_file, "2·3·1", "∫ 2·3 ≥ 1")
    done = subprocess.run(
        [sys.executable, "-m", "harness", "run", str(case_file), "-v"],
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "source: ? 2" in done.stdout.decode(encoding)


@pytest.mark.parametrize("command", [["list"], ["run", "CASE", "--json", "JSON", "--csv", "CSV"]])
def test_a_reader_that_stops_early_costs_no_file_and_gets_no_traceback(
    case_file: Path, tmp_path: Path, command: list[str]
) -> None:
    files = {"CASE": case_file, "JSON": tmp_path / "out.json", "CSV": tmp_path / "out.csv"}
    with subprocess.Popen(
        [sys.executable, "-m", "harness", *(str(files.get(word, word)) for word in command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # before the first output
        assert process.stderr.read() == b""
        assert process.wait() == 2
    if "JSON" in command:
        assert json.loads(files["JSON"].read_text(encoding="utf-8"))["passed"]
        assert files["CSV"].stat().st_size > 0


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `wearfmu` is the program."""
    program = f'wearfmu() {{ "{sys.executable}" -m harness "$@"; }}; '
    return subprocess.run(
        ["bash", "-c", program + command],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("wearfmu list >&-", 0),
        ("wearfmu --version >&-", 0),
        ("wearfmu run study/case.toml --csv out.csv >&-", 0),
        ("wearfmu run study/case.toml --csv out.csv >&- 2>&-", 0),
        ("wearfmu run none.toml 2>&-", 2),
        ("wearfmu run none.toml 2>/dev/full", 2),
        ("wearfmu --help | true; exit ${PIPESTATUS[0]}", 2),
        ("wearfmu list | true; exit ${PIPESTATUS[0]}", 2),
    ],
)
def test_a_closed_stream_is_quiet_and_nothing_is_printed_into_a_file(
    case_file: Path, command: str, code: int
) -> None:
    folder = case_file.parent.parent
    done = shell(command, folder)
    # The exit code is 0 if the reader ends after the last output.
    assert done.returncode in ((0, code) if "PIPESTATUS" in command else (code,))
    assert (done.stdout, done.stderr) == ("", "")
    if "--csv" in command:
        lines = (folder / "out.csv").read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("time,")
        assert [float(line.partition(",")[0]) for line in lines[1:]] == [
            0.125 * step for step in range(9)
        ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("command", ["wearfmu list", "wearfmu run study/case.toml"])
def test_a_full_disk_under_the_standard_output_is_one_line(case_file: Path, command: str) -> None:
    done = shell(f"{command} > /dev/full", case_file.parent.parent)
    assert done.returncode == 2
    assert done.stderr == "wearfmu: standard output: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="limits of a POSIX shell")
@pytest.mark.parametrize(
    "command",
    ["build FrictionalShock --out new", "run --input quake.csv --out fmus"],
)
def test_a_full_temporary_folder_is_named(tmp_path: Path, command: str) -> None:
    temporary, fmus = tmp_path / "temporary", tmp_path / "fmus"
    temporary.mkdir()
    own_fmu("FrictionalShock", fmus)
    (tmp_path / "quake.csv").write_text("time,acceleration\n0,0\n1,1\n2,0\n")
    # Files are limited to 512 bytes. The system rejects a longer write as on a full disk.
    done = shell(f"ulimit -f 1; export TMPDIR={temporary}; wearfmu {command}", tmp_path)
    assert done.returncode == 2
    # The library of the kernel cannot be copied into that folder either, so it is not loaded.
    interpreted = (
        "runs are interpreted, about 50 times slower: the compiled kernel cannot be loaded\n"
    )
    assert re.fullmatch(
        rf"wearfmu: {re.escape(str(temporary))}/wearfmu\S*: File too large\n",
        done.stderr.removeprefix(interpreted),
    )
    assert list(temporary.iterdir()) == []


def test_too_little_memory_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> dict[str, Path]:
        raise MemoryError("Unable to allocate 7.28 TiB for an array with shape (1000000000000,)")

    monkeypatch.setattr("harness.case.shipped.shipped_cases", fail)
    assert main(["list"]) == 2
    assert capsys.readouterr().err == (
        "wearfmu: not enough memory: Unable to allocate 7.28 TiB for an array with shape "
        "(1000000000000,)\n"
    )
    monkeypatch.setattr("harness.case.shipped.shipped_cases", lambda: bytearray(2**62))
    assert main(["list"]) == 2
    assert capsys.readouterr().err == "wearfmu: not enough memory\n"


@pytest.mark.parametrize("asked", [False, True], ids=["plain", "with WEARFMU_TRACEBACK"])
def test_an_error_that_was_not_foreseen_is_one_line_and_exit_code_70(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: bool
) -> None:
    def fail() -> dict[str, Path]:
        raise ZeroDivisionError("by\nnothing")

    monkeypatch.setattr("harness.case.shipped.shipped_cases", fail)
    monkeypatch.setenv("WEARFMU_TRACEBACK", "1" if asked else "")
    assert main(["list"]) == 70
    out, err = capsys.readouterr()
    *traceback, line = err.splitlines()
    assert out == ""
    assert line == (
        "wearfmu: unexpected ZeroDivisionError: by nothing "
        "(WEARFMU_TRACEBACK=1 prints the traceback)"
    )
    assert ("in fail" in " ".join(traceback)) == asked


@pytest.mark.parametrize("command", [["run"], ["sweep"], ["run", "--input"], ["post"]])
def test_a_symbolic_link_to_itself_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    assert main([*command, str(loop)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("wearfmu: ")
    assert str(loop) in line


def test_verbose_prints_source_and_reason(
    case_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(case_file), "-v"]) == 0
    out = capsys.readouterr().out
    assert "source: 2·3·1" in out
    assert "reason: sums of eighths are exact" in out


def test_json_holds_checks_and_the_recorded_history(case_file: Path, tmp_path: Path) -> None:
    replace(case_file, "step_size = 0.125", "step_size = 0.125\noutput_interval = 0.5")
    target = tmp_path / "results.json"
    assert main(["run", str(case_file), "--json", str(target)]) == 0
    content = json.loads(target.read_text())
    assert content["passed"] is True
    (case,) = content["cases"]
    assert (case["name"], case["passed"], case["failure"], case["steps"]) == (
        "study",
        True,
        None,
        8,
    )
    (check,) = case["checks"]
    assert check["quantity"] == "value"
    assert (check["variable"], check["time"]) == ("total", 1.0)
    assert (check["got"], check["want"], check["error"], check["tolerance"]) == (6.0, 6.0, 0.0, 0.0)
    assert case["history"]["time"] == [0.0, 0.5, 1.0]
    assert case["history"]["total"] == [0.0, 3.0, 6.0]


def test_json_of_a_failed_run_says_why(case_file: Path, tmp_path: Path) -> None:
    replace(case_file, "gain = 2.0", "discard_at = 0.5")
    target = tmp_path / "results.json"
    assert main(["run", str(case_file), "--json", str(target)]) == 1
    content = json.loads(target.read_text())
    (case,) = content["cases"]
    assert content["passed"] is False
    assert "rate=3.0 1/s is 100 % too much" in case["failure"]
    assert (case["steps"], case["history"], case["checks"]) == (None, None, [])


def test_csv_has_time_first_and_reads_back_to_the_same_doubles(
    case_file: Path, tmp_path: Path
) -> None:
    replace(case_file, "gain = 2.0", "gain = 0.1")
    replace(case_file, "rtol = 0.0", "atol = 10.0")
    target = tmp_path / "history.csv"
    json_target = tmp_path / "results.json"
    arguments = ["run", str(case_file), "--csv", str(target), "--json", str(json_target)]
    assert main(arguments) == 0
    with target.open(newline="") as stream:
        header, *rows = csv.reader(stream)
    history = json.loads(json_target.read_text())["cases"][0]["history"]
    assert header == list(history)
    assert header[0] == "time"
    assert [[float(cell) for cell in row] for row in rows] == [
        list(row) for row in zip(*history.values(), strict=True)
    ]


def test_paths_in_a_case_start_at_the_case_file(
    case_file: Path, toy_fmu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (case_file.parent / "own.fmu").write_bytes(toy_fmu.read_bytes())
    replace(case_file, toy_fmu.as_posix(), "own.fmu")
    (case_file.parent / "rate.csv").write_text("time,rate\n0,3\n1,3\n")
    replace(
        case_file,
        'kind = "constant"\nvalue = 3.0',
        'kind = "csv"\nfile = "rate.csv"\nvalue_column = "rate"',
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert main(["run", "../study/case.toml"]) == 0


def test_validate_takes_the_folder_of_a_case(case_file: Path) -> None:
    assert main(["validate", str(case_file.parent)]) == 0


def test_run_takes_the_name_of_a_shipped_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "bouncing_ball", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 case passed")


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (
            "bouncing_bal",
            ": must be a shipped case or a case file; did you mean 'bouncing_ball'",
        ),
        ("xyzzy", ": must be a shipped case or a case file: `wearfmu list` prints the names"),
        ("none.toml", ": No such file or directory"),
        ("bouncing_ball.toml", ": No such file or directory; did you mean 'bouncing_ball'?"),
        (".", ": is a folder without case.toml"),
        ("nothere.toml", ": No such file or directory\n"),
        ("quake.csv", ": must be a shipped case or a case file: `wearfmu list` prints the names"),
    ],
)
def test_run_says_what_it_did_not_find(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    selector: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", selector]) == 2
    (line,) = capsys.readouterr().err.splitlines(keepends=True)
    assert line.startswith(f"wearfmu: {selector}{message}")


@pytest.mark.parametrize("command", ["run", "validate", "sweep", "life", "fit"])
def test_a_record_instead_of_a_file_is_named_with_the_command_for_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    record = tmp_path / "quake.csv"
    record.write_text("time,acceleration\n0,0\n1,1\n", encoding="utf-8")
    assert main([command, str(record)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(
        "is a table, not a TOML file: if it is a record, use `wearfmu run --input quake.csv`"
    )


def test_a_folder_instead_of_a_record_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--input", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"wearfmu: {tmp_path}: is a folder: give a file\n"


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        ('run ""', "CASE"),
        ('run --input ""', "--input"),
        ('run --input=""', "--input"),
        ('blocks "" --yield 0.1', "RECORD"),
        ('blocks quake.csv --yield 0.1 --csv ""', "--csv"),
        ('build --out ""', "--out"),
        ('variables ""', "FMU"),
    ],
)
def test_an_empty_value_is_refused_and_does_not_mean_the_current_folder(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: str,
    argument: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quake.csv").write_text("time,acceleration\n0,0\n1,1\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(words))
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"error: argument {argument}: '' is empty: give a value. wearfmu" in line
    assert [file.name for file in tmp_path.iterdir()] == ["quake.csv"]


@pytest.mark.parametrize("command", ["validate", "run"])
def test_an_unknown_case_is_refused_with_the_nearest_name(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, "sdnd104_a1"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "sdnd104_a1: must be a shipped case or a case file; did you mean 'sdnd104_a1" in line


def test_list_names_every_shipped_case_with_its_fmu(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped_cases())
    assert {line.split()[1] for line in lines} <= {"FrictionalShock", "DisChoc", "ModalShock"}


@pytest.mark.parametrize("arguments", [[], ["walk"], ["run"], ["list", "--loud"]])
def test_wrong_usage_gives_exit_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_a_platform_is_of_the_native_fmu_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--platform", "linux64"]) == 2
    assert "--platform requires --native" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["validate", "run", "build", "list"])
def test_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert "example" in capsys.readouterr().out


def test_the_help_groups_all_commands_by_the_work_of_a_user(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0
    help_text = capsys.readouterr().out
    groups = re.findall(r"^(\w+):\n((?:  \w+  +\S.*\n)+)", help_text, re.MULTILINE)
    listed = {name: re.findall(r"^  (\w+) ", lines, re.MULTILINE) for name, lines in groups}
    more = listed.pop("More")
    assert listed == {
        "Simulate": ["build", "run", "validate"],
        "Studies": ["blocks", "sweep", "life", "fit"],
        "Results": ["post"],
    }
    assert more == sorted(more)
    modules = {path.stem for path in Path(harness.subcommands.__path__[0]).glob("*.py")}
    assert {name if name != "list" else "list_cases" for name in more} <= modules
    assert {"variables", "doctor", "page", "structure"} <= {*more}
    assert max(map(len, help_text.splitlines())) <= 80


def test_help_waits_for_no_heavy_import() -> None:
    heavy = "{'numpy', 'pydantic', 'fmpy', 'rich', 'scipy'}"
    loaded = f"import sys, harness.command_line; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout == "[]\n"


def test_a_file_that_cannot_be_opened_is_named_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "none.csv"
    assert main(["post", str(missing)]) == 2
    assert capsys.readouterr().err == f"wearfmu: {missing}: No such file or directory\n"


def test_a_module_in_the_folder_of_commands_is_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "greet.py").write_text(
        "HELP = 'print a greeting'\n\n\ndef execute(_):\n    print('hello')\n    return 0\n"
    )
    monkeypatch.setattr(
        harness.subcommands, "__path__", [*harness.subcommands.__path__, str(tmp_path)]
    )
    assert main(["greet"]) == 0
    assert capsys.readouterr().out == "hello\n"
    monkeypatch.delitem(sys.modules, "harness.subcommands.greet")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["run", "--set", "mass"],
            "wearfmu run: error: argument --set: 'mass' must be NAME=VALUE. ",
        ),
        (["sweep"], "wearfmu sweep: error: the following arguments are required: SWEEP.toml. "),
        (
            ["run", "--input", "quake.csv", "--friction", "0.15"],
            "wearfmu run: error: unknown option --friction: set a parameter by "
            "--set friction_coefficient=VALUE. ",
        ),
        (["run", "--input", "quake.csv", "--mu=0.15"], "--set friction_coefficient=VALUE. "),
        (["list", "--all"], "wearfmu list: error: unknown option --all. "),
        (
            ["run", "case.toml", "--start", "friction_table=friction.csv"],
            "wearfmu run: error: unknown option --start: set parameters in the case file, or by "
            "`run --input FILE --set NAME=VALUE`",
        ),
        # No command without --set is answered with --set, and a record is not a preload.
        (["run", "--record", "q.csv"], "--record: run a record by `run --input FILE`. "),
        (["fit", "rig.toml", "--record", "q.csv"], "--record: run a record by `run --input FILE`"),
        (["life", "tube.toml", "--friction", "0.2"], "--friction: set parameters in the case file"),
        (["life", "tube.toml", "--set", "mass=2"], "--set: set parameters in the case file, or by"),
        (["build", "--mass", "2"], "option --mass: set a parameter by --start mass=VALUE. "),
        (["validate", "--natve"], "unknown option --natve; did you mean '--native'? "),
        (
            ["run", "--inptu", "quake.csv"],
            "wearfmu run: error: unknown option --inptu; did you mean '--input'? wearfmu run ",
        ),
        (
            ["blocks", "quake.csv", "--yield", "0.1", "--figure", "blocks.png"],
            "wearfmu blocks: error: unknown option --figure. wearfmu blocks --help",
        ),
        (
            ["post", "shoe.csv", "--archard", "1,5e-13"],
            "wearfmu post: error: argument --archard: '1,5e-13' must be a number; "
            "use a point: 1.5e-13. ",
        ),
        (
            ["runn"],
            "wearfmu: error: unknown command 'runn'; did you mean 'run'? wearfmu --help",
        ),
        (["block"], "wearfmu: error: unknown command 'block'; did you mean 'blocks'? "),
        (["simulate"], "wearfmu: error: unknown command 'simulate': must be one of build, "),
        (
            ["--input", "quake.csv"],
            "wearfmu: error: unknown option --input without a command: "
            "it must follow 'wearfmu run'. ",
        ),
    ],
)
def test_words_that_cannot_be_parsed_are_answered_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    program = line.partition(": error: ")[0]
    kind = "commands" if program == "wearfmu" else "options"
    assert line.endswith(f" {program} --help lists all {kind}")


@pytest.mark.parametrize(
    ("command", "file", "message"),
    [
        ("run", "sweep_map.toml", "is a sweep, not a case: run it with `wearfmu sweep`"),
        ("run", "tube_structure.toml", "is a structure file, not a case: check it with"),
        ("sweep", "tube_in_supports.toml", "is a case, not a sweep: run it with `wearfmu run`"),
        ("structure", "tube_in_supports.toml", "is a case, not a structure file: run it with"),
        ("structure", "sweep_map.toml", "is a sweep, not a structure file: run it with"),
        (
            "run --input",
            "tube_in_supports.toml",
            "is a case, not a table: run it with `wearfmu run`",
        ),
        ("post", "sweep_map.toml", "is a sweep, not a table: run it with `wearfmu sweep`"),
        ("page --record", "tube_structure.toml", "is a structure file, not a table: check it"),
    ],
)
def test_a_file_of_another_kind_is_told_with_the_command_that_takes_it(
    command: str, file: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), str(_EXAMPLES / file)]) == 2
    assert message in capsys.readouterr().err


def test_a_misspelt_command_is_told_before_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["block", "records", "--yield", "0.1"])
    assert "unknown command 'block'; did you mean 'blocks'?" in capsys.readouterr().err


def test_a_case_in_the_place_of_a_structure_is_told_by_build(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = str(_EXAMPLES / "tube_in_supports.toml")
    assert main(["build", "ModalShock", "--structure", case, "--out", str(tmp_path)]) == 2
    assert "is a case, not a structure file: run it with `wearfmu run`" in capsys.readouterr().err


def test_an_fmu_in_the_place_of_a_case_is_told(
    toy_fmu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(toy_fmu)]) == 2
    message = capsys.readouterr().err
    assert "is an archive, not a text file: run an FMU with a case that has fmu =" in message
