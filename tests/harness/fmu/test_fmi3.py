"""FMUs of FMI 3.0 in the harness. The outputs of the slave in C can be computed by hand."""

from __future__ import annotations

import json
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import fmpy
import pytest

from fmu_src.models import fmu_definition
from harness import CaseError, FmuError, RunError, load_fmu, simulate
from harness.case.case_file import load_case
from harness.case.case_result import run_case
from harness.command_line import main
from harness.doctor import Verdict, examine
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import interface_of, read_interface
from harness.fmu.signals import ConstantSignal, TableSignal

pytestmark = pytest.mark.hosts

SOURCES = Path(__file__).parents[1] / "toy_fmi3"
EIGHTHS = Experiment(stop_time=1.0, step_size=0.125)
STOPPING = replace(EIGHTHS, stop_at_events=True)
THREE = ConstantSignal(kind="constant", value=3.0)
RAMP = TableSignal(kind="table", time=(0.0, 1.0), value=(0.0, 8.0))


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the FMU from toy_fmi3."""
    folder = tmp_path_factory.mktemp("toy_fmi3")
    library = folder / f"Toy{fmpy.sharedLibraryExtension}"
    command = ["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCES / "toy.c"), "-lm"]
    subprocess.run(command, check=True)
    return packed(folder / "Toy.fmu", library, (SOURCES / "modelDescription.xml").read_text())


def packed(fmu: Path, library: Path, description: str) -> Path:
    with zipfile.ZipFile(fmu, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, f"binaries/{fmpy.platform_tuple}/{library.name}")
    return fmu


def with_description(toy: Path, fmu: Path, old: str, new: str) -> Path:
    """Copy the FMU with another text in its model description."""
    description = (SOURCES / "modelDescription.xml").read_text()
    assert old in description
    return packed(fmu, toy.with_name("Toy.so"), description.replace(old, new))


def test_inputs_parameters_and_outputs_of_every_type_reach_their_variables(toy: Path) -> None:
    record = simulate(
        toy,
        EIGHTHS,
        parameters={
            "gain": 2.0, "repeat": 3, "shape": "square", "enabled": False, "note": "four"
        },
        inputs={"rate": THREE, "offset_rate": ConstantSignal(kind="constant", value=0.5)},
    )  # fmt: skip
    # (3 + 0.5) · 2 · 3 · 2 in eighths is exact.
    assert record.total.tolist() == [42.0 * i / 8 for i in range(9)]
    assert record["step_count"].tolist() == list(range(9))
    assert record["note_length"].tolist() == [4.0] * 9
    assert record["enabled_seen"].tolist() == [0.0] * 9
    assert record["level"].tolist() == [0, 0, 0, 1, 1, 2, 2, 2, 3]
    assert "parts" not in record.values


@pytest.mark.parametrize(("input_at", "sum_of_rates"), [("start", 28.0), ("end", 36.0)])
def test_an_input_belongs_to_the_start_or_to_the_end_of_its_step(
    toy: Path, input_at: str, sum_of_rates: float
) -> None:
    record = simulate(toy, replace(EIGHTHS, input_at=input_at), inputs={"rate": RAMP})
    assert record.total[-1] == sum_of_rates / 8


def test_a_run_that_stops_at_events_records_both_sides_and_ends_as_the_other(toy: Path) -> None:
    plain = simulate(toy, EIGHTHS, inputs={"rate": THREE})
    record = simulate(toy, STOPPING, inputs={"rate": THREE})
    assert plain.events is None
    assert record.events is not None
    assert record.events.times == pytest.approx([0.3, 0.6, 0.9], abs=1e-15)
    assert record.events.before["level"].tolist() == [0, 1, 2]
    assert record.events.after["level"].tolist() == [1, 2, 3]
    assert record.events.before["total"] == pytest.approx([0.9, 1.8, 2.7], rel=1e-15)
    # There are three more steps. Each adds a rounding error.
    assert record["step_count"].tolist() == [0, 1, 2, 4, 5, 7, 8, 9, 11]
    assert record.total == pytest.approx(plain.total, rel=1e-15)
    assert record.level.tolist() == plain.level.tolist()


@pytest.mark.parametrize("step_size", [0.125, 0.3, 0.9])
def test_an_event_that_is_announced_is_handled_at_its_instant(toy: Path, step_size: float) -> None:
    stopping = Experiment(
        stop_time=0.9 if step_size > 0.2 else 1.0, step_size=step_size, stop_at_events=True
    )
    record = simulate(toy, stopping, parameters={"announces": True}, inputs={"rate": THREE})
    assert record.events is not None
    assert record.events.times.tolist() == [0.3 * i for i in (1, 2, 3)]
    assert record.events.after["level"].tolist() == [1, 2, 3]
    assert record.total[-1] == pytest.approx(3.0 * stopping.stop_time, rel=1e-15)


def test_an_early_return_without_an_event_is_gone_on_from(toy: Path) -> None:
    once = {"returns_for_nothing": True}
    record = simulate(toy, STOPPING, parameters=once, inputs={"rate": THREE})
    assert record.events is not None
    assert len(record.events) == 3
    assert record["step_count"].tolist()[:2] == [0, 2]
    assert record.total[-1] == pytest.approx(3.0, rel=1e-15)


def test_an_event_at_the_end_of_a_step_is_handled_there_and_once(toy: Path) -> None:
    thirds = Experiment(stop_time=0.9, step_size=0.3, stop_at_events=True)
    record = simulate(toy, thirds)
    assert record.events is not None
    assert record.events.times.tolist() == [0.3 * i for i in (1, 2, 3)]
    assert record.level.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("input_at", "expected"),
    # Input of each part of a step. With "start" it is the value at the start of the part, also at
    # 0.3, 0.6 and 0.9 s. With "end" it is the value at the end of the whole step.
    [
        ("start", 28.0 / 8 + 8 * (0.05 * 0.075 + 0.1 * 0.025 + 0.025 * 0.1)),
        ("end", 36.0 / 8),
    ],
)
def test_at_an_event_the_input_is_that_of_the_instant_or_stays_that_of_the_steps_end(
    toy: Path, input_at: str, expected: float
) -> None:
    record = simulate(toy, replace(STOPPING, input_at=input_at), inputs={"rate": RAMP})
    # Eleven sums of rounded products.
    assert record.total[-1] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("parameters", "experiment", "said"),
    [
        ({"asks_to_end_at": 0.5}, EIGHTHS, "fmi3DoStep at t=0.5 s: the FMU requests the end"),
        ({"returns_anyway_at": 0.5}, EIGHTHS, "fmi3DoStep at t=0.5 s: the FMU returned at t=0.625"),
        (
            {"stays_at": 0.5},
            STOPPING,
            "fmi3DoStep at t=0.5 s: returned early 101 times at the same time",
        ),
        ({"nan_at": 0.5}, EIGHTHS, "total=nan at t=0.625 s must be finite"),
        ({"nan_at": 0.5}, STOPPING, "total=nan at t=0.625 s must be finite"),
    ],
)
def test_what_a_slave_does_against_its_promise_ends_the_run_with_its_instant(
    toy: Path, parameters: dict[str, float], experiment: Experiment, said: str
) -> None:
    with pytest.raises(RunError, match=said.replace("(", r"\(")):
        simulate(toy, experiment, parameters=parameters)


def test_a_refused_instantiation_hands_on_what_the_fmu_says(toy: Path, tmp_path: Path) -> None:
    other = with_description(toy, tmp_path / "o.fmu", 'Token="toy"', 'Token="other"')
    with pytest.raises(RunError, match="fmi3Instantiate failed: another instan"):
        simulate(other, EIGHTHS)


def test_an_array_is_listed_and_no_variable_of_a_case(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["variables", str(toy)]) == 0
    listed = capsys.readouterr().out
    assert "array [2]" in listed
    assert "what comes out" in listed
    with pytest.raises(ValueError, match=r"'parts' is an array \[2\] and must be a single number"):
        simulate(toy, EIGHTHS, variables=("parts",))


def test_types_are_named_as_in_fmi_2_and_enumerations_by_their_literals(toy: Path) -> None:
    interface = read_interface(toy)
    assert interface.fmi == 3
    types = {name: interface.variables[name].type for name in ("rate", "offset_rate", "repeat")}
    assert types == {"rate": "Real", "offset_rate": "Real", "repeat": "Integer"}
    assert interface.parameter("shape", "square")[1] == 2
    with pytest.raises(ValueError, match="shape='oval' must be one of round, square"):
        interface.parameter("shape", "oval")


def test_the_doctor_tries_it_and_looks_for_its_library(toy: Path) -> None:
    findings = {finding.subject: finding for finding in examine(toy)}
    assert findings["FMU"].text == "Toy.fmu: FMI 3.0 co-simulation, without Python"
    assert findings["this Python"].text == "loads the FMU and takes a step"
    assert findings["C host"].verdict is Verdict.OK


CASE = """\
[case]
title = "Toy"
fmu = "{fmu}"
[inputs.rate]
kind = "sine"
amplitude = 1.0
frequency = 1.0
[experiment]
stop_time = 1.0
step_size = 0.03125
{key}
"""


def case_of(fmu: Path, folder: Path, key: str) -> Path:
    file = folder / "case.toml"
    file.write_text(CASE.format(fmu=fmu, key=key))
    return file


def test_derivatives_of_inputs_are_refused_with_the_reason(toy: Path, tmp_path: Path) -> None:
    case = load_case(case_of(toy, tmp_path, "input_derivatives = 1"))
    with pytest.raises(
        CaseError, match=r"does not accept derivatives of inputs, which require FMI 2\.0"
    ):
        run_case(case, toy)


def test_stopping_at_events_is_refused_where_the_fmu_cannot(
    toy: Path, toy_fmu: Path, tmp_path: Path
) -> None:
    case = load_case(case_of(toy, tmp_path, "stop_at_events = true"))
    with pytest.raises(CaseError, match=r"requires FMI 3.0, and .* is an FMU of FMI 2.0"):
        run_case(case, toy_fmu)
    never = with_description(toy, tmp_path / "n.fmu", ' mightReturnEarlyFromDoStep="true"', "")
    with pytest.raises(CaseError, match="does not return at events"):
        run_case(case, never)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<CoSimulation", "<ModelExchange", "FMI 3.0 without co-simulation; must be FMI 2.0 or"),
        ('fmiVersion="3.0"', 'fmiVersion="4.0"', "cannot be read as an FMU"),
    ],
)
def test_what_offers_no_co_simulation_is_refused(
    toy: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    attributes = ' hasEventMode="true" mightReturnEarlyFromDoStep="true"'
    description = (SOURCES / "modelDescription.xml").read_text().replace(old, new)
    if "ModelExchange" in new:
        description = description.replace(attributes, "").replace(
            ' canHandleVariableCommunicationStepSize="true"', ""
        )
    other = packed(tmp_path / "other.fmu", toy.with_name("Toy.so"), description)
    with pytest.raises(FmuError, match=said):
        load_fmu(other)


def test_a_report_and_the_json_show_the_events(
    toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = case_of(toy, tmp_path, "stop_at_events = true")
    page, numbers = tmp_path / "run.html", tmp_path / "run.json"
    assert main(["run", str(case), "--report", str(page), "--json", str(numbers)]) == 0
    assert "stopped at 3 events, the first at 0.3 s, the last at 0.9 s" in capsys.readouterr().out
    (result,) = json.loads(numbers.read_text())["cases"]
    assert result["events"]["time"] == pytest.approx([0.3, 0.6, 0.9], abs=1e-15)
    assert result["events"]["before"]["level"] == [0, 1, 2]
    assert result["events"]["after"]["level"] == [1, 2, 3]
    text = page.read_text()
    assert "Events at which the run stopped" in text
    assert "0 → 1" in text


def test_a_shipped_case_runs_through_the_native_fmu_of_fmi_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = tmp_path / "results.json"
    command = ["validate", "spring_wall", "--fmi", "3", "--out", str(tmp_path)]
    assert main(command) == 2
    assert "--fmi 3 requires --native" in capsys.readouterr().err
    assert main([*command, "--native", "--json", str(numbers)]) == 0
    (result,) = json.loads(numbers.read_text())["cases"]
    assert result["fmu"] == str(tmp_path / "native" / "fmi3" / "FrictionalShock.fmu")
    assert result["passed"] is True
    assert read_interface(Path(result["fmu"])).fmi == 3


def test_a_run_without_an_fmu_says_that_it_does_not_stop_at_events() -> None:
    definition = fmu_definition("FrictionalShock")
    with pytest.raises(ValueError, match="requires an FMU of FMI 3"):
        input_reading(STOPPING, interface_of(definition), {})
