"""Questions of the page, messages on empty controls, and the summary beside them on a phone."""

import base64
import json
import math
from typing import Any

import pytest

from harness.command_line import main

pytestmark = pytest.mark.hosts

# Set the text of a control, which may be empty, and compute.
WRITTEN = """
const [id, text, done] = arguments;
document.getElementById(id).value = text;
wearfmu.compute().then(() => done([
  document.getElementById("problem").textContent,
  document.getElementById(id).getAttribute("aria-invalid"),
]));
"""
SHOWN = """
const [settings, done] = arguments;
wearfmu.controls.show(settings);
wearfmu.compute().then(() => done([document.getElementById("problem").textContent,
  wearfmu.caseFile()]));
"""
DROPPED = """
const [content, done] = arguments;
const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
const data = new DataTransfer();
data.items.add(new File([bytes], "mine.csv"));
window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
setTimeout(() => done(null), 500);
"""
SINE = {"base_acceleration": {"amplitude": 15.0, "frequency": 1.0}}


def shown_as_outdated(page: Any) -> list[str]:
    """Return the parts of the page that are marked as results of earlier settings."""
    parts = page.driver.find_elements("css selector", ".outdated")
    return sorted(
        (part.get_attribute("id") for part in parts), key=["results", "state", "glance"].index
    )


@pytest.mark.parametrize(
    ("control", "message", "usual"),
    [
        ("p-gravity", "gravity is empty: enter a number in m/s²", "10"),
        ("p-friction_coefficient", "friction coefficient is empty: enter a number", "0.1"),
        ("stop-time", "duration is empty: enter a number in s", "12"),
        ("slope", "slope is empty: enter a number in °", "0"),
    ],
)
def test_an_empty_control_is_named(page, control, message, usual):
    page.driver.execute_async_script(SHOWN, {"inputs": SINE})
    problem, marked = page.driver.execute_async_script(WRITTEN, control, "")
    assert problem.startswith(message.partition(" is")[0])
    assert problem.endswith(message.partition(" is")[2])
    assert marked == "true"
    # The shown results belong to the earlier settings, also above the controls.
    assert shown_as_outdated(page) == ["results", "state", "glance"]
    problem, marked = page.driver.execute_async_script(WRITTEN, control, usual)
    assert (problem, marked) == ("", None)
    assert shown_as_outdated(page) == []


def test_a_step_that_loses_the_sine_is_refused_as_in_a_case(page):
    shaking = {"base_acceleration": {"amplitude": 15.0, "frequency": 400.0}}
    problem, _ = page.driver.execute_async_script(SHOWN, {"inputs": shaking})
    assert problem == (
        "inputs.base_acceleration: a sine of 400 Hz has 2.5 steps of step_size=0.001 s per period "
        "and must have ≥ 4: take step_size ≤ 0.000125 s"
    )


def test_a_slope_is_a_normal_gravity_and_a_load_of_the_case(page, tmp_path):
    settings = {
        "parameters": {"mass": 2.0, "friction_coefficient": 0.5},
        "inputs": SINE,
        "slope": 20.0,
    }
    problem, case = page.driver.execute_async_script(SHOWN, settings)
    assert problem == ""
    file = tmp_path / "case.toml"
    file.write_text(case, encoding="utf-8")
    target = tmp_path / "r.json"
    # The case expects the wear work that the page computed.
    assert main(["run", str(file), "--out", str(tmp_path), "--json", str(target)]) == 0
    assert json.loads(target.read_text(encoding="utf-8"))["cases"]
    angle = math.radians(20.0)
    gravity = next(line for line in case.splitlines() if line.startswith("gravity"))
    assert float(gravity.partition("=")[2]) == pytest.approx(10.0 * math.cos(angle), rel=1e-15)
    load = case.partition("[inputs.tangential_load]")[2].splitlines()
    value = next(line for line in load if line.startswith("value"))
    assert float(value.partition("=")[2]) == pytest.approx(20.0 * math.sin(angle), rel=1e-15)
    assert page.driver.execute_script("return location.hash").count("slope=20") == 1


def test_units_of_a_record_without_them_are_asked(page):
    rows = "".join(f"{0.01 * row},{0.3 * math.sin(0.1 * row)}\n" for row in range(600))
    content = base64.b64encode(f"time,acc\n{rows}".encode()).decode()
    page.driver.execute_async_script(DROPPED, content)
    said = page.driver.find_element("id", "problem").text
    assert said == (
        "mine.csv: choose the unit of the times (the header says none) and the unit of the "
        "accelerations (the header says none) below"
    )
    # The page does not compute before the question is answered.
    assert page.driver.execute_script("return wearfmu.result?.record?.name") != "mine.csv"
    for part, unit in (("time_unit", "s"), ("unit", "g")):
        asked = page.driver.find_element("id", f"ask-{part}")
        assert asked.is_displayed()
        button = asked.find_element("css selector", f'button[value="{unit}"]')
        page.driver.execute_script("arguments[0].click()", button)
        page.driver.execute_async_script(
            "const [done] = arguments; wearfmu.compute().then(() => done(null))"
        )
        assert not asked.is_displayed()
    assert page.driver.find_element("id", "problem").text == ""
    link = page.driver.execute_script("return location.hash")
    assert "record.time_unit=s" in link
    assert "record.unit=g" in link
    peak = page.driver.execute_script("return Math.max(...wearfmu.result.inputs.base_acceleration)")
    assert peak == pytest.approx(0.3 * 9.80665, rel=1e-2)


def test_a_phone_shows_results_beside_the_controls(browser, page_file):
    browser.show(page_file, width=400)
    driver = browser.driver
    driver.execute_async_script(SHOWN, {"inputs": SINE})
    slider = driver.find_element("id", "p-friction_coefficient-slider")
    driver.execute_async_script(
        "const [slider, done] = arguments; slider.scrollIntoView({block: 'center'});"
        "setTimeout(done, 300)",
        slider,
    )
    glance = driver.find_element("id", "glance")
    top = driver.execute_script("return arguments[0].getBoundingClientRect().top", glance)
    assert 0 <= top < 100
    assert "wear work" in glance.text
    assert len(driver.find_element("id", "glance-displacement").get_attribute("points")) > 1000
    assert browser.complaints() == []
