"""Shipped cases in other hosts: FMUs of FMI 2.0 and FMI 3.0 give identical results.

This file also tests the behaviour of hosts at events. docs/masters contains these numbers.
"""

import json
import math
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import fmpy
import numpy as np
import pytest

from harness import simulate
from harness.case.shipped import shipped_cases
from harness.fmu.experiment import Experiment
from harness.fmu.files import native_fmu
from harness.fmu.instance import safe_folder
from harness.fmu.interface import read_interface
from harness.fmu.signals import SineSignal
from wearmodel.reference.closed_forms import RubbingShoe

from .c_host import compile_host, run_host
from .shipped_case import HOSTS

# Cases with inputs at the start of a step, at its end, and with Booleans, one per model.
QUICK = ("wearing_planes", "rubbed_in_a_round_hole", "guided_rod")
CASES = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.campaign)
    for name in shipped_cases()
]

# A mass between a spring and a spring wall. It starts in contact, then opens, closes and opens.
WALL = {
    "mass": 100.0,
    "gravity": 0.0,
    "normal_stiffness": 1e4,
    "contact_stiffness": 1e6,
    "normal_law": 1,
    "initial_normal_velocity": -1.0,
    "return_at": 3,
}
CONTACT, FLIGHT = math.pi / math.sqrt(1.01e6 / 100.0), math.pi / math.sqrt(1e4 / 100.0)
INSTANTS = (CONTACT, CONTACT + FLIGHT, 2.0 * CONTACT + FLIGHT)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for the FMUs of both versions."""
    return tmp_path_factory.mktemp("both")


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("host", HOSTS)
def test_a_host_gets_the_same_from_both_versions(host, case, folder):
    done = subprocess.run(
        [sys.executable, "-m", f"{__package__}.shipped_case", host, case, str(folder)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=300.0,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["difference"] == 0.0
    assert said["outputs"] > 10
    assert said["rows"] > 6
    assert said["largest"] > 0.0


@pytest.fixture(scope="module")
def shoe(folder: Path) -> Path:
    """Return FrictionalShock of FMI 3.0."""
    return native_fmu("FrictionalShock", folder, fmi=3)


@pytest.mark.parametrize(
    ("early_return", "event_mode", "rows_at_an_event"),
    [(False, False, 0), (False, True, 0), (True, False, 1), (True, True, 2)],
)
def test_fmpy_records_each_side_of_an_event_that_returns(
    shoe, early_return, event_mode, rows_at_an_event
):
    result = fmpy.simulate_fmu(
        str(shoe),
        stop_time=0.5,
        output_interval=0.01,
        start_values=WALL,
        output=["gap", "gap_velocity", "event_count"],
        early_return_allowed=early_return,
        use_event_mode=event_mode,
    )
    assert len(result) == 51 + 3 * rows_at_an_event
    off_the_grid = np.abs(result["time"] / 0.01 - np.round(result["time"] / 0.01)) > 1e-6
    at_events = result[off_the_grid]
    assert at_events["time"] == pytest.approx(np.repeat(INSTANTS, rows_at_an_event), rel=1e-14)
    # No penetration, which would occur if the model stepped past its event.
    assert np.abs(at_events["gap"]).max(initial=0.0) < 1e-15
    # The impact at the start is event 1.
    counts = {0: [], 1: [2, 3, 4], 2: [1, 2, 2, 3, 3, 4]}[rows_at_an_event]
    assert at_events["event_count"].tolist() == counts
    assert result["event_count"][-1] == 4
    exact = math.cos(10.0 * (0.5 - INSTANTS[-1]))
    # A few roundings per event.
    assert result["gap_velocity"][-1] == pytest.approx(exact, rel=1e-13)


def wear_power(fmu: Path, step_size: float, *, returns: bool) -> float:
    """Return the wear power of SDND104 in FMPy, with inputs for the end of each step."""
    steps = round(12.0 / step_size)
    times = np.arange(steps + 2) * step_size
    shaking = 1.5 * np.sin(2.0 * np.pi * times)
    signals = np.array(
        list(zip(times[:-1], shaking[1:], strict=True)),
        dtype=[("time", float), ("base_acceleration", float)],
    )
    result = fmpy.simulate_fmu(
        str(fmu),
        stop_time=12.0,
        output_interval=step_size,
        start_values={"input_timing": 1, "return_at": 3},
        input=signals,
        output=["wear_work"],
        early_return_allowed=returns,
        use_event_mode=returns,
    )
    work: Any = result["wear_work"]
    return float((work[-1] - work[np.argmin(np.abs(result["time"] - 4.0))]) / 8.0)


def test_fmpys_inputs_at_a_return_are_those_of_a_step_later_for_input_timing_end(shoe):
    # docs/masters/fmpy.md gives this error. The master of the next test does not have it.
    exact = RubbingShoe(amplitude=1.5).mean_wear_power(4.0, 12.0)
    held, set_again = (wear_power(shoe, 1e-2, returns=returns) for returns in (False, True))
    assert (set_again - held) / exact == pytest.approx(5.7e-3, rel=0.02)


def test_a_master_that_keeps_the_value_of_the_steps_end_agrees_with_one_that_does_not_stop(shoe):
    experiment = Experiment(stop_time=12.0, step_size=1e-2)
    plain, stopping = (
        simulate(
            shoe,
            replace(experiment, stop_at_events=stops),
            parameters={"input_timing": "end", "return_at": "all"},
            inputs={"base_acceleration": SineSignal(kind="sine", amplitude=1.5, frequency=1.0)},
        )
        for stops in (False, True)
    )
    assert stopping.events is not None
    assert len(stopping.events) == 47
    assert np.array_equal(stopping.events.after["event_count"], np.arange(1, 48))
    # Linear interpolation over parts of a step is the same as over the step, except for rounding.
    assert stopping.wear_work == pytest.approx(plain.wear_work, rel=1e-12)


@pytest.mark.parametrize("stops", [False, True])
def test_the_c_host_stops_at_each_event_and_ends_as_without(shoe, folder, tmp_path, stops):
    motion = read_interface(native_fmu("BaseMotion", folder, fmi=3))
    interface = read_interface(shoe)
    references = {name: v.valueReference for name, v in interface.variables.items()}
    types = {"Real": "real", "Enumeration": "enumeration"}
    orders = [f"real 0 {motion.variables['amplitude'].valueReference} 0"]
    orders += [
        f"{types[interface.variables[name].type]} 1 {references[name]} {value}"
        for name, value in WALL.items()
    ]
    source = motion.variables["acceleration"].valueReference
    orders.append(f"connect 0 {source} 1 {references['base_acceleration']}")
    orders += [f"read 1 {references[name]}" for name in ("gap", "gap_velocity")]
    orders.append("run 50")
    with tempfile.TemporaryDirectory(dir=safe_folder()) as extracted:
        done = run_host(
            compile_host(tmp_path),
            [motion, interface],
            Path(extracted),
            0.01,
            "\n".join(orders) + "\n",
            {},
            stops_at_events=stops,
        )
    assert done.returncode == 0, done.stderr
    *events, last = (line.split() for line in done.stdout.splitlines())
    # Each event has two lines.
    instants = [float(words[1]) for words in events]
    assert instants == pytest.approx(np.repeat(INSTANTS, 2 if stops else 0), rel=1e-14)
    exact = math.cos(10.0 * (0.5 - INSTANTS[-1]))
    assert float(last[2]) == pytest.approx(exact, rel=1e-13)
