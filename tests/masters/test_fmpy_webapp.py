"""FMPy's web application starts with our FMU and simulates it correctly."""

import base64
import json
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.fmu.interface import read_interface

from .cases import CASES
from .job import codes

START_SECONDS = 40.0
SPRING_WALL = CASES[-1]


@pytest.fixture
def address(fmu_folder: Path, tmp_path: Path) -> Iterator[str]:
    """Start the application and return its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path / "webapp.log").open("w+")
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "fmpy.webapp", str(fmu_folder / "FrictionalShock.fmu")),
            *("--output-variables", *SPRING_WALL.outputs, "--port", str(port)),
        ],
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                urllib.request.urlopen(url, timeout=5.0).close()
                break
            except OSError:
                assert process.poll() is None, log.seek(0) or log.read()
                assert time.monotonic() < until
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=10.0)
        log.close()


def ask(url: str, question: Any = None) -> Any:
    data = None if question is None else json.dumps(question).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60.0) as answer:
        return json.load(answer)


def properties_of(layout: Any, found: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the properties of all components of a Dash layout that have an id."""
    if isinstance(layout, dict):
        properties = layout.get("props", {})
        if "id" in properties:
            found[properties["id"]] = properties
        for part in properties.values():
            properties_of(part, found)
    elif isinstance(layout, list):
        for part in layout:
            properties_of(part, found)
    return found


def numbers(array: Any) -> list[float]:
    """Return an array of a plotly figure, which may be packed."""
    if isinstance(array, list):
        return [float(value) for value in array]
    assert array["dtype"] == "f8"
    return [value for (value,) in struct.iter_unpack("<d", base64.b64decode(array["bdata"]))]


def test_the_spring_wall_simulated_in_the_browser_s_stead_is_exact(address, fmu_folder):
    interface = read_interface(fmu_folder / "FrictionalShock.fmu")
    start_values = codes(interface, SPRING_WALL.shoe)
    # The fields of the application are numbered in the order of the model description.
    fields = {
        f"variable-{index}": str(start_values[name])
        for index, name in enumerate(interface.variables)
        if name in start_values
    }
    shown = properties_of(ask(f"{address}/_dash-layout"), {})
    assert fields.keys() <= shown.keys()
    # The application divides the time into 500 steps, as in the case.
    fields["stop-time"] = str(SPRING_WALL.marks[-1] * SPRING_WALL.step_size)
    (simulation,) = [
        callback
        for callback in ask(f"{address}/_dash-dependencies")
        if callback["output"] == "result-col.children"
    ]
    answer = ask(
        f"{address}/_dash-update-component",
        {
            "output": "result-col.children",
            "outputs": {"id": "result-col", "property": "children"},
            "inputs": [{**simulation["inputs"][0], "value": 1}],
            "changedPropIds": ["simulate-button.n_clicks"],
            "state": [
                {**state, "value": fields.get(state["id"], shown[state["id"]].get("value"))}
                for state in simulation["state"]
            ],
        },
    )
    figure = answer["response"]["result-col"]["children"]["props"]["figure"]
    traces = {trace["name"]: numbers(trace["y"]) for trace in figure["data"]}
    for quantity in SPRING_WALL.quantities:
        got = traces[quantity.output][-1]
        # As in cases.py: rounding only.
        assert got == pytest.approx(quantity.exact, rel=quantity.tolerance, abs=0.0)
