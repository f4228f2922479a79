"""A command replaces only files that the same option wrote."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness import output_kinds
from harness.command_line import main
from harness.output_files import require_outputs, write_text
from harness.output_kinds import POST_JSON, OutputKind
from harness.subcommands import add_subcommands

from .life.pads import life_file
from .life.test_drawn_lives import DESIGN, MEDIAN, SCATTERS

RECORD = "time,acceleration [m/s2]\n0,0\n0.01,5\n0.02,-5\n0.03,0\n"
RESULT = "time,normal_force,contact_mode,gap\n0,0,0,1\n0.5,2,1,0\n1,0,0,1\n"
SHOE = """\
[case]
title = "A shoe"
fmu = "FrictionalShock"
[inputs.base_acceleration]
kind = "sine"
amplitude = 15.0
frequency = 1.0
[experiment]
stop_time = 0.2
step_size = 0.02
"""
FIT = SHOE + "".join(
    f"[[fit.worn]]\nvolume = {volume}\nwear_work = 20.0\n" for volume in (1e-12, 2e-12, 3e-12)
)
MOTION = SHOE.replace("FrictionalShock", "BaseMotion").replace(
    '[inputs.base_acceleration]\nkind = "sine"\namplitude = 15.0\nfrequency = 1.0\n', ""
)
SWEEP = """\
[sweep]
title = "A shoe"
case = "shoe.toml"
engine = "kernel"
output = "{output}"
quantities = [{{ name = "work", quantity = "value", variable = "wear_work", time = 0.2 }}]
[design]
{design}
[vary.friction]
of = "parameters.friction_coefficient"
{values}
"""
GRID = SWEEP.format(
    output="OUT.csv", design='kind = "list"', values="values = [0.1, 0.2]"
)  # fmt: skip
DRAWS = SWEEP.format(
    output="OUT.parquet",
    design='kind = "random"\ncount = 4\nseed = 1',
    values='distribution = "uniform"\nstart = 0.1\nstop = 0.2',
)
# Command line, with its outputs by option.
COMMANDS: dict[str, tuple[list[str], dict[str, str]]] = {
    "run case": (
        ["run", "shoe.toml", "--out", "fmus"],
        {"--csv": "OUT.csv", "--json": "OUT.json", "--report": "OUT.html"},
    ),
    "run BaseMotion": (["run", "motion.toml", "--out", "fmus"], {"--csv": "OUT.csv"}),
    "run --input": (
        ["run", "--input", "record.csv", "--out", "fmus"],
        {"--csv": "OUT.csv", "--json": "OUT.json", "--report": "OUT.html"},
    ),
    "validate": (
        ["validate", "shoe.toml", "--out", "fmus"],
        {"--junit": "OUT.xml", "--json": "OUT.json", "--report": "OUT.html"},
    ),
    "blocks": (
        ["blocks", "record.csv", "--yield", "0.1,0.2"],
        {"--csv": "OUT.csv", "--json": "OUT.json", "--report": "OUT.html"},
    ),
    "fit": (
        ["fit", "fit.toml"],
        {"--fitted": "OUT.toml", "--json": "OUT.json", "--report": "OUT.html"},
    ),
    "life": (
        ["life", "pad.toml"],
        {"--csv": "OUT.csv", "--json": "OUT.json", "--report": "OUT.html"},
    ),
    "life of draws": (
        ["life", "drawn.toml"],
        {"--csv": "OUT.csv", "--json": "OUT.json", "--report": "OUT.html"},
    ),
    "motion": (["motion", "record.csv"], {"--out": "OUT.csv"}),
    "post": (["post", "result.csv"], {"--json": "OUT.json"}),
    "post tables": (
        ["post", "result.csv", "--relation", "contact_mode", "gap", "--csv", "OUT"],
        {"--csv, rela:": "OUT/rela.csv"},
    ),
    "sweep": (["sweep", "grid.toml"], {"sweep.output": "OUT.csv", "--map": "OUT.html"}),
    "sweep of draws": (
        ["sweep", "draws.toml"],
        {"sweep.output": "OUT.parquet", "--json": "OUT.json"},
    ),
    "ssp": (["ssp", "OUT.ssp", "--out", "fmus"], {"ssp": "OUT.ssp"}),
    "build": (
        ["build", "BaseMotion", "--start", "amplitude=2", "--name", "OUT", "--out", "."],
        {"build": "OUT.fmu"},
    ),
}
# This command needs the compiled kernel. Invalid outputs are rejected before it is compiled.
PAGE = {"page": (["page", "--case", "shoe.toml"], {"--out": "OUT.html"})}
FOREIGN = b"import numpy as np\n# a day's work\n"


def complete(arguments: list[str], outputs: Mapping[str, str]) -> list[str]:
    """Return the command line with all outputs that it names. Other outputs have derived names."""
    words = list(arguments)
    for option, name in outputs.items():
        if option.startswith("--") and not option.endswith(":"):
            words += [option, name]
    return words


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"record.csv": RECORD, "result.csv": RESULT, "shoe.toml": SHOE, "motion.toml": MOTION}
    files["fit.toml"] = FIT
    for name, text in {**files, "grid.toml": GRID, "draws.toml": DRAWS}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    drawn = SCATTERS % MEDIAN + DESIGN.replace("4", "2")
    life_file(tmp_path, drawn).rename(tmp_path / "drawn.toml")
    life_file(tmp_path).rename(tmp_path / "pad.toml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


ALL = COMMANDS | PAGE
EACH = [(name, option) for name, (_, outputs) in ALL.items() for option in outputs]
IDS = [f"{name} {option}" for name, option in EACH]


@pytest.mark.parametrize(("name", "option"), EACH, ids=IDS)
def test_a_file_that_the_option_did_not_write_is_refused_before_the_work(
    folder, capsys, name, option
):
    arguments, outputs = ALL[name]
    target = folder / outputs[option]
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(FOREIGN)
    before = {file for file in folder.iterdir() if file.is_file()}
    assert main(complete(arguments, outputs)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert target.name in line
    assert "exists and was not " in line
    assert "--force" in line
    assert target.read_bytes() == FOREIGN
    assert {file for file in folder.iterdir() if file.is_file()} == before


@pytest.mark.parametrize(("name", "option"), EACH, ids=IDS)
def test_another_suffix_is_refused_before_the_work(folder, capsys, name, option):
    if option in ("sweep.output", "build", "--csv, rela:"):
        return  # the command line does not contain this name
    arguments, outputs = ALL[name]
    words = complete(arguments, {**outputs, option: "record.at2"})
    words = ["record.at2" if word == "OUT.ssp" else word for word in words]
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    kinds = "".join(Path(outputs[option]).suffixes)
    assert f"{option} record.at2 must end in {kinds}: choose such a name, or add --force" in line


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_what_an_option_wrote_it_replaces_and_what_it_did_not_by_force_alone(folder, capsys, name):
    arguments, outputs = COMMANDS[name]
    words = complete(arguments, outputs)
    targets = [folder / output for output in outputs.values()]
    assert main(words) == 0, capsys.readouterr().err
    for target in targets:
        assert target.stat().st_size > 0
        os.utime(target, (0, 0))
    assert main(words) == 0, capsys.readouterr().err
    assert all(target.stat().st_mtime > 0 for target in targets)
    for target in targets:
        target.write_bytes(FOREIGN)
    assert main([*words, "--force"]) == 0, capsys.readouterr().err
    assert all(target.read_bytes() != FOREIGN for target in targets)


def test_all_output_options_are_tried():
    commands = add_subcommands(argparse.ArgumentParser())
    tried = {(words[0], option) for words, outputs in ALL.values() for option in outputs}
    tried.add(("post", "--csv"))
    for name, command in commands.items():
        options = {option for action in command._actions for option in action.option_strings}
        # Options that take the name of an output file or folder. `variables --json` prints
        # instead.
        writes = options & {"--csv", "--fitted", "--json", "--report", "--map", "--junit"}
        if name in ("motion", "page"):
            writes.add("--out")
        if name == "variables":
            continue
        assert {(name, option) for option in writes} <= tried
        assert ("--force" in options) == any(word == name for word, _ in tried), name


def kinds() -> dict[str, OutputKind]:
    found = {
        name: kind for name, kind in vars(output_kinds).items() if isinstance(kind, OutputKind)
    }
    return {**found, "HISTORY": output_kinds.history_csv()}


@pytest.mark.parametrize("text", [RECORD, RESULT, "", "{}", '{"file": "a"}', "<html></html>",
    "<?xml version='1.0'?><testsuites><testsuite name='pytest'/></testsuites>",
    "time,wear_rate\n0,1\n", "point,x\n", "PAR1", "PK\x03\x04"], ids=repr)  # fmt: skip
def test_a_file_of_somebody_else_is_of_no_kind(tmp_path, text):
    file = tmp_path / "file"
    file.write_text(text, encoding="utf-8")
    for name, kind in kinds().items():
        assert kind.has(file) == (not text), name


def test_an_fmu_of_another_tool_is_not_built_over(folder, toy_fmu, capsys):
    other = folder / "FrictionalShock.fmu"
    content = toy_fmu.read_bytes()
    other.write_bytes(content)
    for command in (["run", "shoe.toml"], ["run", "--input", "record.csv"],
                    ["build", "FrictionalShock"]):  # fmt: skip
        assert main([*command, "--out", "."]) == 2
        assert "FrictionalShock.fmu exists and was not built by wearfmu" in capsys.readouterr().err
        assert other.read_bytes() == content
    assert main(["build", "FrictionalShock", "--out", ".", "--force"]) == 0
    assert output_kinds.FMU.has(other)


def test_a_link_to_a_file_that_the_option_did_not_write_is_refused(folder):
    link = folder / "link.json"
    link.symlink_to("result.csv")
    assert main(["post", "record.csv", "--json", "link.json"]) == 2
    assert (folder / "result.csv").read_text(encoding="utf-8") == RESULT


@pytest.mark.parametrize("is_ours", [False, True])
def test_a_file_that_appears_meanwhile_is_kept_and_the_result_goes_beside_it(
    tmp_path, caplog, is_ours
):
    target, beside = tmp_path / "out.json", tmp_path / "out-2.json"
    require_outputs({"--json": (target, POST_JSON)})
    other = '{"file": "a", "columns": []}' if is_ours else "somebody's"
    target.write_text(other, encoding="utf-8")
    write_text(target, "result")
    assert target.read_text(encoding="utf-8") == ("result" if is_ours else other)
    assert beside.exists() is not is_ours
    if not is_ours:
        assert beside.read_text(encoding="utf-8") == "result"
        assert (
            f"another program has written {target} meanwhile; the result is in {beside}"
            in caplog.text
        )


def test_an_empty_file_is_replaced(folder):
    (folder / "out.json").touch()
    assert main(["post", "result.csv", "--json", "out.json"]) == 0


def test_a_folder_that_appears_meanwhile_costs_no_result(tmp_path):
    target = tmp_path / "out.json"
    require_outputs({"--json": (target, POST_JSON)})
    target.mkdir()
    write_text(target, "result")
    assert (tmp_path / "out-2.json").read_text(encoding="utf-8") == "result"


def test_a_report_of_another_command_is_refused_and_a_replaced_one_is_named(folder, capsys):
    blocks = ["blocks", "record.csv", "--yield", "0.01", "--report", "r.html"]
    assert main(blocks) == 0
    assert "replaced" not in capsys.readouterr().err
    before = (folder / "r.html").read_bytes()
    assert main(["validate", "shoe.toml", "--report", "r.html"]) == 2
    assert "r.html exists and was not written by validate --report" in capsys.readouterr().err
    assert (folder / "r.html").read_bytes() == before
    assert main([*blocks, "--json", "r.json"]) == 0
    assert capsys.readouterr().err.splitlines() == ["replaced r.html"]
    assert main(["validate", "shoe.toml", "--json", "r.json"]) == 2
