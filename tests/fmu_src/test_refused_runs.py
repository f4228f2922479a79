"""A run that cannot continue ends in FMPy with an exception."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# s: a run takes 0.2 s. A run that repeats a step never ends.
TIME_LIMIT = 60.0

HOST = """
import json, sys
import fmpy, numpy as np

asked = json.loads(sys.argv[1])
signals = asked.pop("signals", None)
if signals:
    names = [("time", float), (asked.pop("signal"), float)]
    asked["input"] = np.array([tuple(map(float, row)) for row in signals], dtype=names)
try:
    result = fmpy.simulate_fmu(**asked)
    print(json.dumps({"rows": len(result)}))
except fmpy.fmi1.FMICallException as problem:
    print(json.dumps({"function": problem.function, "status": problem.status}))
"""
ERROR = 3  # fmi2Error


def simulate(fmu: Path, **asked: Any) -> tuple[dict[str, Any], str]:
    """Return the result of fmpy.simulate_fmu and all printed text."""
    request = json.dumps({"filename": str(fmu), "output_interval": 0.01, **asked})
    done = subprocess.run(
        [sys.executable, "-c", HOST, request],
        capture_output=True,
        text=True,
        check=False,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer, done.stdout + done.stderr


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "an-input-that-turns-nan": (
        "FrictionalShock",
        {"signal": "base_acceleration", "signals": [[0.0, 1.0], [0.05, "nan"], [0.1, "nan"]]},
        "base_acceleration=nan m/s2 must be finite",
    ),
    "a-load-that-overflows": (
        "DisChoc",
        {"signal": "load_x", "signals": [[0.0, 0.0], [0.05, "inf"], [0.1, "inf"]]},
        "must be finite",
    ),
    "a-table-that-ends": (
        "BaseMotion",
        {"start_values": {"kind": 1, "table": "0 1; 0.05 2"}},
        "0.05",
    ),
}


@pytest.mark.parametrize(("name", "asked", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_refused_step_ends_the_run_with_an_exception_and_its_reason(built, name, asked, reason):
    answer, _ = simulate(built(name), stop_time=0.1, **asked)
    assert answer == {"function": "fmi2DoStep", "status": ERROR}
    answer, shown = simulate(built(name), stop_time=0.1, debug_logging=True, **asked)
    assert answer == {"function": "fmi2DoStep", "status": ERROR}
    assert reason in shown


def test_a_wrong_parameter_ends_the_run_at_its_initialisation(built):
    answer, shown = simulate(
        built("FrictionalShock"), stop_time=0.1, debug_logging=True, start_values={"mass": -1.0}
    )
    assert answer == {"function": "fmi2ExitInitializationMode", "status": ERROR}
    assert "mass=-1.0 kg must be > 0" in shown


def test_a_run_that_nothing_refuses_has_all_its_rows(built):
    # fmpy passes the stop time to the slave. The last step ends there within rounding.
    for stop_time in (0.1, 0.3, 0.7):
        answer, _ = simulate(built("FrictionalShock"), stop_time=stop_time)
        assert answer == {"rows": round(stop_time / 0.01) + 1}


def test_percent_and_number_signs_reach_the_log_as_they_were_written(built):
    # fmpy's proxy fills in the arguments of a format, as a C host does.
    answer, shown = simulate(
        built("BaseMotion"),
        stop_time=0.1,
        debug_logging=True,
        start_values={"kind": 2, "file": "/none/5%sine%n.csv"},
    )
    assert answer == {"function": "fmi2ExitInitializationMode", "status": ERROR}
    assert "/none/5%sine%n.csv" in shown
