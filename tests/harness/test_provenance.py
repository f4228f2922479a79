"""Each result contains its provenance, follows the schema, and can be repeated."""

import getpass
import html
import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from harness.command_line import main
from harness.provenance import FORMAT, platform_facts, source_digest

from .life.pads import life_file
from .life.test_drawn_lives import DESIGN, MEDIAN, SCATTERS
from .test_replaced_files import DRAWS, GRID, RECORD, RESULT, SHOE

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "results.schema.json").read_text(encoding="utf-8"))
EXAMPLES = ROOT / "examples"
QUAKE = ROOT / "harness" / "cases" / "synthetic_quake" / "acceleration.csv"
# Command and result file. The inputs are in the folder `study`.
RESULTS = {
    "run case": (["run", "study/shoe.toml", "--json", "o.json"], "o.json"),
    "run shipped case": (["run", "lift_off", "--json", "o.json"], "o.json"),
    "run folder": (["run", "study/slope", "--json", "o.json"], "o.json"),
    "run native": (["run", "study/motion.toml", "--native", "--json", "o.json"], "o.json"),
    "history": (["run", "study/shoe.toml", "--csv", "o.csv"], "o.csv-metadata.json"),
    "run --input": (["run", "--input", "study/record.csv", "--json", "o.json"], "o.json"),
    "validate": (["validate", "study/shoe.toml", "lift_off", "--json", "o.json"], "o.json"),
    "blocks": (["blocks", "study/records", "--yield", "0.1,0.2", "--json", "o.json"], "o.json"),
    "blocks of equal names": (
        ["blocks", "study/record.csv", "study/records/record.csv", "--yield=.1", "--json=o.json"],
        "o.json",
    ),
    "sweep": (["sweep", "study/grid.toml"], "study/OUT.csv-metadata.json"),
    "sweep of draws": (["sweep", "study/draws.toml", "--json", "o.json"], "o.json"),
    "life": (["life", "study/pad.toml", "--json", "o.json", "--csv", "o.csv"], "o.json"),
    "life as table": (["life", "study/pad.toml", "--csv", "o.csv"], "o.csv-metadata.json"),
    "life of draws": (["life", "study/drawn.toml", "--json", "o.json"], "o.json"),
    "post": (["post", "study/result.csv", "--window", "0", "1", "--json", "o.json"], "o.json"),
    "motion": (["motion", "study/record.csv", "--out", "o.csv"], "o.csv-metadata.json"),
}
KNOCKS = """\
[case]
title = "A mass knocks between planes"
fmu = "FrictionalShock"
[parameters]
normal_law = "rigid"
obstacle = "two_planes"
initial_gap = 0.01
plane_half_spacing = 0.01
restitution = 0.9
[inputs.base_acceleration_normal]
kind = "sine"
amplitude = 15.0
frequency = 3.0
[experiment]
stop_time = 15.0
step_size = 0.004
"""
# This model has the smallest library.
MOTION = """\
[case]
title = "SDND104's motion"
fmu = "BaseMotion"
[experiment]
stop_time = 1.0
step_size = 0.01
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    study = tmp_path / "study"
    (study / "records").mkdir(parents=True)
    shutil.copytree(ROOT / "harness" / "cases" / "block_on_slope", study / "slope")
    texts = {
        "record.csv": RECORD,
        "records/record.csv": RECORD.replace("5", "4"),
        "knocks.toml": KNOCKS,
        "motion.toml": MOTION,
    }
    texts |= {"result.csv": RESULT, "shoe.toml": SHOE, "grid.toml": GRID, "draws.toml": DRAWS}
    for name, text in texts.items():
        (study / name).write_text(text, encoding="utf-8")
    drawn = SCATTERS % MEDIAN + DESIGN.replace("4", "2")
    for name, text in (("drawn.toml", drawn), ("pad.toml", None)):
        file = life_file(tmp_path, *([text] if text else []))
        file.rename(study / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(words: list[str], result: str) -> dict:
    assert main(words) in (0, 1, 3)
    return json.loads(Path(result).read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.native] * ("native" in kind)) for kind in RESULTS],
)
def test_a_result_follows_the_schema_and_is_repeated_bit_for_bit(kind, folder, capsys):
    words, result = RESULTS[kind]
    content = written(words, result)
    jsonschema.validate(content, SCHEMA)
    # Paths are written as given on the command line.
    assert str(folder) not in json.dumps(content)
    origin = content.get("provenance") or content["dc:provenance"]
    assert origin["format"] == FORMAT
    assert origin["software"]["sha256"] == source_digest()
    assert origin["platform"] == platform_facts()
    text = json.dumps(origin)
    for name in (str(folder), str(ROOT), str(Path.home()), socket.gethostname()):
        assert name not in text
    assert getpass.getuser() not in text.split('"')
    # The inputs are copied to another folder and renamed. They are found by their digests.
    shutil.copytree("study", "elsewhere/kept")
    for path in (folder / "elsewhere").rglob("*"):
        if path.is_file() and path.suffix != ".csv":
            path.rename(path.with_name(f"copy of {path.name}"))
    place = folder / "results"
    place.mkdir()
    for path in (*folder.glob("o.*"), *folder.glob("study/OUT.csv*")):
        path.rename(place / path.name)
    capsys.readouterr()
    command = ["validate", str(place / Path(result).name), "--inputs", "elsewhere"]
    assert main(command) == 0
    assert capsys.readouterr().out.endswith("values agree, every bit\n")


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "result", "inputs"),
    [
        pytest.param(["run", "sdnd104_by_derivatives.toml", "--native", "--json", "o.json"],
                     "o.json", ".", marks=pytest.mark.hosts),
        pytest.param(["run", "tube_in_supports.toml", "--json", "o.json"], "o.json", ".",
                     marks=pytest.mark.hosts),
        (["run", "--input", str(QUAKE), "--json", "o.json"], "o.json", str(QUAKE.parent)),
        (["blocks", str(QUAKE), "--yield", "0.05,0.1", "--json", "o.json", "--acceleration", "2"],
         "o.json", str(QUAKE.parent)),
        pytest.param(["sweep", "wear_power_map.toml"],
                     "../build/wear_power_map.csv-metadata.json", ".", marks=pytest.mark.hosts),
        (["sweep", "sweep_map.toml"], "../build/sweep_map.csv-metadata.json", "."),
        (["sweep", "tube_gaps.toml"], "tube_gaps.csv-metadata.json", "."),
        pytest.param(["life", "life_of_a_pad.toml", "--json", "o.json"], "o.json", ".",
                     marks=pytest.mark.hosts),
        pytest.param(["life", "life_of_a_rod.toml", "--json", "o.json"], "o.json", ".",
                     marks=pytest.mark.campaign),
        pytest.param(["life", "life_of_a_tube.toml", "--json", "o.json"], "o.json", ".",
                     marks=pytest.mark.campaign),
    ],
    ids=lambda value: value[1] if isinstance(value, list) else "",
)  # fmt: skip
@pytest.mark.native
def test_the_results_of_the_examples_are_repeated_bit_for_bit(
    words, result, inputs, tmp_path, monkeypatch, capsys
):
    place = tmp_path / "examples"
    shutil.copytree(EXAMPLES, place)
    monkeypatch.chdir(place)
    if "tube" in words[1]:
        subprocess.run([sys.executable, "tube_matrices.py", "."], check=True, capture_output=True)
    jsonschema.validate(written(words, result), SCHEMA)
    capsys.readouterr()
    assert main(["validate", result, "--inputs", inputs]) == 0
    assert "every bit" in capsys.readouterr().out


def changed(result: str, /, **changes: object) -> None:
    """Change the provenance of a result."""
    content = json.loads(Path(result).read_text(encoding="utf-8"))
    content["provenance"] |= changes
    Path(result).write_text(json.dumps(content), encoding="utf-8")


def with_number(result: str, name: str, factor: float) -> None:
    """Multiply a quantity of a record by a factor."""
    content = json.loads(Path(result).read_text(encoding="utf-8"))
    content["quantities"][name]["value"] *= factor
    Path(result).write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def record(folder: Path) -> str:
    written(*RESULTS["run --input"])
    return "o.json"


def test_a_missing_or_changed_input_ends_with_code_2(record, capsys):
    assert main(["validate", record]) == 2
    assert "record.csv is missing or changed: set --inputs DIR" in capsys.readouterr().err
    Path("study/record.csv").write_text(RECORD.replace("-5", "-6"), encoding="utf-8")
    assert main(["validate", record, "--inputs", "study"]) == 2
    assert "record.csv is missing or changed: set --inputs DIR" in capsys.readouterr().err


def test_a_number_that_differs_in_its_last_bit_is_found_on_the_same_platform(record, capsys):
    with_number(record, "wear_work", 1.0 + 2.3e-16)
    assert main(["validate", record, "--inputs", "study"]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("different: 1 of ")
    assert "quantities.wear_work.value: " in shown


@pytest.mark.parametrize(
    ("line", "change"),
    [
        (-1, lambda row: row[:-1]),
        (2, lambda row: [*row, "9.0"]),
        (0, lambda row: [*row, "added"]),
        (0, lambda row: row[:-1]),
    ],
    ids=["last row cut", "row with another cell", "another name", "name removed"],
)
def test_a_table_with_a_row_of_another_length_is_different(folder, capsys, line, change):
    words = ["motion", "study/record.csv", "--out", "o.csv"]
    assert main(words) == 0
    rows = [text.split(",") for text in Path("o.csv").read_text(encoding="utf-8").splitlines()]
    rows[line] = change(rows[line])
    Path("o.csv").write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8")
    assert main(["validate", "o.csv-metadata.json", "--inputs", "study"]) == 1
    assert "different: " in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize(("factor", "code"), [(1.0 + 5e-13, 0), (1.0 + 1e-11, 1)])
def test_another_platform_may_differ_by_1e_12_in_regular_motion(record, factor, code, capsys):
    changed(record, platform={**platform_facts(), "processor": "another"})
    with_number(record, "wear_work", factor)
    assert main(["validate", record, "--inputs", "study"]) == code
    shown = capsys.readouterr().out
    assert "platform.processor has changed: another before" in shown


@pytest.mark.long
def test_another_platform_may_differ_by_the_scatter_of_chaotic_motion(folder, capsys):
    content = written(["run", "study/knocks.toml", "--json", "o.json"], "o.json")
    content["provenance"]["platform"]["numpy"] = "another"
    last = content["cases"][0]["history"]["gap"][-1]
    # 700 impacts amplify a difference of 1e-14 to the size of the gap.
    content["cases"][0]["history"]["gap"][-1] = 0.9 * last
    Path("o.json").write_text(json.dumps(content), encoding="utf-8")
    assert main(["validate", "o.json", "--inputs", "study"]) == 0, capsys.readouterr()
    content["cases"][0]["history"]["contact_mode"][-1] = 7.0
    Path("o.json").write_text(json.dumps(content), encoding="utf-8")
    assert main(["validate", "o.json", "--inputs", "study"]) == 1


def test_changed_software_is_reported_and_is_not_an_error(record, capsys):
    changed(record, software={"name": "wearfmu", "version": "0.0.9", "sha256": "0" * 64})
    assert main(["validate", record, "--inputs", "study"]) == 0
    shown = capsys.readouterr().out
    assert "software.version has changed: 0.0.9 before, " in shown
    assert "software.sha256 has changed: 000" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--input", "record.csv", "--json", "/tmp/o.json"],
        ["run", "--input", "record.csv", "--json=../../../../../../../../../../o.json"],
        ["run", "--input", "record.csv", "--json", "C:\\o.json"],
        ["sweep", "grid.toml", "--scheduler", "tcp://elsewhere:8786"],
        None,
    ],
    ids=str,
)
def test_a_result_cannot_make_validate_write_or_connect_elsewhere(record, arguments, capsys):
    changed(record, arguments=arguments)
    assert main(["validate", record, "--inputs", "study"]) == 2
    shown = capsys.readouterr().err
    assert "in provenance must not lead elsewhere" in shown or "cannot be repeated" in shown


def test_a_sweep_whose_results_have_an_absolute_path_does_not_replace_them(folder, capsys):
    grid = folder / "study" / "grid.toml"
    absolute = folder / "OUT.csv"
    grid.write_text(GRID.replace("OUT.csv", absolute.as_posix()), encoding="utf-8")
    written(["sweep", str(grid)], "OUT.csv-metadata.json")
    before = absolute.stat().st_mtime_ns
    capsys.readouterr()
    assert main(["validate", "OUT.csv-metadata.json", "--inputs", "study"]) == 2
    message = capsys.readouterr().err
    assert f"sweep.output {absolute} is outside of the folder of a repeated command" in message
    assert absolute.stat().st_mtime_ns == before


def test_a_file_that_is_not_a_result_is_refused_in_one_line(tmp_path, capsys):
    for text in ("{", "[]", "3", '{"provenance": {}}', '{"provenance": {"format": "other"}}'):
        (tmp_path / "x.json").write_text(text, encoding="utf-8")
        assert main(["validate", str(tmp_path / "x.json")]) == 2
        assert "must be a result with a provenance of format" in capsys.readouterr().err


@pytest.mark.parametrize(
    "changes",
    [
        {"inputs": [{"name": 3, "sha256": "0", "size": 1}]},
        {"inputs": {"name": "record.csv"}},
        {"fmus": [{"name": "x.fmu", "sha256": "0", "size": 1}]},
        {"arguments": "run"},
        {"result": 5},
        {"software": "wearfmu"},
        {"platform": None},
    ],
    ids=str,
)
def test_a_provenance_with_parts_of_other_types_is_refused(record, changes, capsys):
    changed(record, **changes)
    assert main(["validate", record, "--inputs", "study"]) == 2
    assert "must be a result with a provenance of format" in capsys.readouterr().err


def test_the_end_time_honours_source_date_epoch(folder, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert written(*RESULTS["blocks"])["provenance"]["end_time"] == "1970-01-02T00:00:00Z"


def test_a_report_contains_the_provenance_as_json(folder):
    written([*RESULTS["run --input"][0], "--report", "o.html"], "o.json")
    text = Path("o.html").read_text(encoding="utf-8")
    inside = text.partition('<pre id="provenance">')[2].partition("</pre>")[0]
    origin = json.loads(html.unescape(inside))
    jsonschema.validate(origin, {**SCHEMA["$defs"]["provenance"], "$defs": SCHEMA["$defs"]})
    assert origin["result"] == "o.html"
    assert origin["parameters"]["FrictionalShock"]["friction_coefficient"] == 0.1


def test_a_parquet_file_contains_the_provenance(folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    written(["sweep", "study/draws.toml", "--json", "o.json"], "o.json")
    metadata = parquet.read_schema("study/OUT.parquet").metadata
    assert json.loads(metadata[b"provenance"])["inputs"][0]["name"] == "draws.toml"


def test_metadata_of_a_table_replace_only_metadata(folder, capsys):
    other = folder / "o.csv-metadata.json"
    other.write_text('{"mine": 1}', encoding="utf-8")
    words = RESULTS["motion"][0]
    assert main(words) == 2
    assert "--out, metadata: o.csv-metadata.json exists" in capsys.readouterr().err
    assert other.read_text(encoding="utf-8") == '{"mine": 1}'
    assert main([*words, "--force"]) == 0
    assert main(words) == 0


def test_a_result_written_in_python_has_no_arguments(folder):
    written(*RESULTS["run case"])
    from harness.case.case_file import load_case
    from harness.case.case_fmu import fmu_of
    from harness.case.case_result import run_case, write_case_json

    case = load_case("study/shoe.toml")
    write_case_json([run_case(case, fmu_of(case, None))], folder / "p.json")
    origin = json.loads((folder / "p.json").read_text(encoding="utf-8"))["provenance"]
    assert (origin["arguments"], origin["inputs"], origin["fmus"]) == (None, [], [])
    assert main(["validate", "p.json"]) == 2


def test_an_input_that_changed_during_the_run_has_no_digest(folder, monkeypatch):
    from harness.shaking import shaking_run

    simulated = shaking_run.simulated_blocks

    def while_edited(*arguments, **options):
        Path("study/record.csv").write_text(RECORD + "0.04,1\n", encoding="utf-8")
        return simulated(*arguments, **options)

    monkeypatch.setattr(shaking_run, "simulated_blocks", while_edited)
    origin = written(*RESULTS["run --input"])["provenance"]
    assert origin["inputs"][0]["sha256"] is None
