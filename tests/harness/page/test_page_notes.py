"""The page shows the same notes as the command line."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from harness.case.note_rules import RULES
from harness.command_line import main

pytestmark = pytest.mark.hosts

SINE = {"base_acceleration": {"amplitude": 15.0, "frequency": 1.0}}
WEAK = {"base_acceleration": {"amplitude": 0.5, "frequency": 1.0}}
UP = {"base_acceleration_normal": {"amplitude": 30.0, "frequency": 3.0}}
COMPUTED = """
const [settings, done] = arguments;
wearfmu.controls.show(settings);
wearfmu.compute().then(() => done({
  problem: document.getElementById("problem").textContent,
  notes: wearfmu.notes(),
  shown: [...document.querySelectorAll("#notes li")].map((one) => one.textContent),
  hidden: document.getElementById("notes").hidden,
  file: wearfmu.caseFile(),
}));
"""
PENALTY = {"normal_law": 1.0}
# The light mass bounces 143 000 times a second. An interpreted FMU would take minutes for 1 s.
# Times are in s.
STOP_TIMES = {"light": 0.02}
SETTINGS: dict[str, tuple[dict[str, float], dict[str, Any]]] = {
    "nothing to note": ({}, SINE),
    "coarse": ({}, {"base_acceleration": {"amplitude": 15.0, "frequency": 75.0}}),
    "coarse, held": ({"input_extrapolation_order": 0.0, "gravity": 9.0}, {
        "base_acceleration": {"amplitude": 99.0, "frequency": 123.4},
        "tangential_load": {"amplitude": 0.2, "frequency": 210.0},
    }),
    "coarse, at the end": ({"input_timing": 1.0}, {
        "base_acceleration": {"amplitude": 99.0, "frequency": 66.6},
    }),
    "one way": ({"sliding_direction": 1.0}, SINE),
    "default stiffness, dropped": (PENALTY, SINE),
    "default stiffness, set": (
        {**PENALTY, "contact_stiffness": 20.0, "start_in_equilibrium": 1.0}, SINE,
    ),
    "heavy": ({**PENALTY, "contact_stiffness": 1e9, "mass": 1234.5678, "preload": 0.001}, SINE),
    "light": ({**PENALTY, "contact_stiffness": 1e6, "mass": 1.23456789e-6, "gravity": 10.0}, SINE),
    "drawn away": ({**PENALTY, "contact_stiffness": 1e5, "preload": -10.0}, SINE),
    "default planes": ({"normal_law": 2.0, "obstacle": 1.0}, SINE),
    "in vain": ({"restitution": 0.5, "contact_stiffness": 1e5, "tangential_damping": 3.0}, SINE),
    "planes in vain": ({"normal_law": 2.0, "plane_half_spacing": 0.2}, SINE),
    "order in vain": ({"input_timing": 1.0, "input_extrapolation_order": 2.0}, SINE),
    "would lift off": ({}, {**SINE, **UP}),
    "never slips": ({"friction_coefficient": 0.3}, WEAK),
    "friction in percent": ({"friction_coefficient": 15.0}, SINE),
    "wear in other units": ({"archard_coefficient": 1.0, "wear_area": 5.0}, SINE),
    "never touches": ({"normal_law": 2.0, "gravity": 0.0, "initial_gap": 0.01}, SINE),
    "far": (
        {"normal_law": 2.0, "initial_gap": 0.1, "normal_stiffness": 1e5, "gravity": 0.0}, UP,
    ),
    "soft": (
        {**PENALTY, "contact_stiffness": 1e3, "normal_stiffness": 4e3, "initial_gap": 1e-4}, UP,
    ),
}  # fmt: skip


def notes_of_command(file: Path, folder: Path) -> list[str]:
    """Return the notes of a case from the command line."""
    target = folder / "results.json"
    assert main(["run", str(file), "--json", str(target), "--out", str(folder)]) == 0
    (case,) = json.loads(target.read_text(encoding="utf-8"))["cases"]
    return list(case["notes"])


@pytest.mark.parametrize("name", SETTINGS)
def test_the_page_gives_the_notes_of_the_command_line(page, tmp_path, name):
    parameters, inputs = SETTINGS[name]
    stop_time = STOP_TIMES.get(name, 1.0)
    settings = {"parameters": parameters, "inputs": inputs, "stop_time": stop_time}
    seen = page.driver.execute_async_script(COMPUTED, settings)
    assert seen["problem"] == ""
    file = tmp_path / "study.toml"
    # The case of the page expects the computed values. A case with expectations gets no note on
    # zeros.
    case = seen["file"].partition("[[expect]]")[0]
    # The page does not check the effect of the step. The command may reject the step.
    case = case.replace("[experiment]\n", "[experiment]\nallow_coarse_step = true\n")
    file.write_text(case, encoding="utf-8")
    notes = [note for note in notes_of_command(file, tmp_path) if not note.startswith("step_size=")]
    assert seen["notes"] == seen["shown"] == notes
    assert seen["hidden"] is (notes == [])
    assert (notes == []) is (name in ("nothing to note", "default stiffness, set", "one way"))


def test_the_settings_meet_every_kind_of_rule(page):
    texts = "\n".join(
        note
        for parameters, inputs in SETTINGS.values()
        for note in page.driver.execute_async_script(
            COMPUTED, {"parameters": parameters, "inputs": inputs, "stop_time": 1.0}
        )["notes"]
    )
    for rule in RULES["FrictionalShock"]:
        if "has no effect" not in rule.text:
            assert rule.text.rpartition("}")[2] in texts, rule.text
    assert texts.count("has no effect") >= 5


def test_a_parameter_that_is_set_to_its_default_is_set(page):
    """As on the command line, an explicit default value is not noted."""
    settings = {"parameters": PENALTY, "inputs": SINE, "stop_time": 1.0}
    assert len(page.driver.execute_async_script(COMPUTED, settings)["notes"]) == 2
    page.run(
        "document.getElementById('p-contact_stiffness')"
        ".dispatchEvent(new Event('input', { bubbles: true }))"
    )
    page.driver.execute_async_script("wearfmu.compute().then(arguments[0])")
    (note,) = page.run("return wearfmu.notes()")
    assert note.startswith("the mass starts at zero contact force")
    link = page.run("return location.hash")
    assert "contact_stiffness=20" in link
    back = page.driver.execute_script(
        "return wearfmu.controls.settingsOfLink(arguments[0].slice(1)).settings", link
    )
    assert page.driver.execute_async_script(COMPUTED, back)["notes"] == [note]


def test_numbers_are_written_as_python_writes_them(page):
    numbers = [
        0.0, 1.0, 20.0, 0.05, 1e5, 1e6, 999999.5, 1234567.0, 1e-4, 0.000123456789, 1e-5,
        9.99999951e-5, 1.5e-7, -2.5e-9, 3e100, 2.0 / 3.0, -0.1, 12345.678,
    ]  # fmt: skip
    written = page.driver.execute_script(
        "return arguments[0].map((one) => wearfmu.general(one))", numbers
    )
    assert written == [f"{number:g}" for number in numbers]


@pytest.mark.parametrize(("gravity", "pressing"), [(10.0, 9.80665), (3.0, 3.0)])
def test_a_record_dropped_on_the_page_has_standard_gravity_in_place_of_the_default(
    page, tmp_path, gravity, pressing
):
    file = tmp_path / "quake.csv"
    with file.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["time [s]", "acceleration [g]"])
        rows.writerows([[0.01 * step, 0.0 if step % 20 else 0.4] for step in range(1, 200)])
    page.driver.execute_async_script(
        "wearfmu.controls.show({ parameters: { gravity: arguments[0] } });"
        "wearfmu.compute().then(arguments[1])",
        gravity,
    )
    page.driver.find_element("id", "file").send_keys(str(file))
    page.driver.execute_async_script(
        "const done = arguments[0];"
        "const look = () => wearfmu.result?.record?.name.endsWith('quake.csv')"
        " ? done() : setTimeout(look, 20);"
        "look();"
    )
    parameters = page.run("return wearfmu.result.settings.parameters")
    assert (parameters["gravity"], parameters["input_timing"]) == (pressing, 1)
    page.run("document.getElementById('motion-sine').click()")
    page.driver.execute_async_script("wearfmu.compute().then(arguments[0])")
    parameters = page.run("return wearfmu.result.settings.parameters")
    assert (parameters["gravity"], parameters["input_timing"]) == (gravity, 0)
