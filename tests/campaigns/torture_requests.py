"""Requests to the torture hosts for both kinds of FMU, and checks of the answers."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import fmpy

INSTANCES = 30
CONVERT = {"Real": float, "Integer": int, "Boolean": lambda text: text == "true"}


def described(fmu: Path, folder: Path) -> dict[str, Any]:
    """Extract an FMU into a folder and return its description for the host."""
    extracted = Path(fmpy.extract(fmu, folder / "extracted"))
    description = fmpy.read_model_description(fmu)
    name = description.modelName
    variables = []
    for one in description.modelVariables:
        kind = "Integer" if one.type == "Enumeration" else one.type
        start = one.start
        if kind in CONVERT and start is not None:
            start = CONVERT[kind](start)
        variables.append([one.name, kind, one.causality, start])
    return {
        "name": name,
        "guid": description.guid,
        "library": str(extracted / "binaries" / "linux64" / f"{name}.so"),
        "takes_derivatives": description.coSimulation.canInterpolateInputs,
        "resources": (extracted / "resources").as_uri(),
        "variables": variables,
        "tunable": [
            one.valueReference for one in description.modelVariables if one.variability == "tunable"
        ],
    }


def play(host: Path, request: dict[str, Any], progress: Path | None = None) -> dict[str, Any]:
    """Return the answer of the host. The report of a crash contains the current sequence."""
    done = subprocess.run(
        [sys.executable, host],
        input=json.dumps(request | {"progress": str(progress)}),
        capture_output=True,
        text=True,
        check=False,
    )
    at = progress.read_text() if progress is not None and progress.is_file() else "the beginning"
    assert done.returncode == 0, f"died with {done.returncode} at {at}: {done.stderr[-2000:]}"
    answer: dict[str, Any] = json.loads(done.stdout)
    assert "violation" not in answer, answer["violation"]
    return answer


def torture(
    host: Path, fmus: list[dict[str, Any]], weights: list[int], folder: Path, first: int, last: int
) -> dict[str, Any]:
    """Return the host's answer for a range of sequences, distributed over the FMUs by weight."""
    request = {
        "what": "torture",
        "fmus": fmus,
        "weights": weights,
        "instances": INSTANCES,
        "first": first,
        "last": last,
    }
    return play(host, request, folder / "progress")


def judge_endurance(host: Path, shoe: dict[str, Any], steps: int) -> list[dict[str, Any]]:
    """Take many steps of SDND104 at 1 ms in ten blocks, check memory, time and work, return marks.

    At least a million steps are needed, because the motion settles within the first 100 s.
    """
    answer = play(host, {"what": "endurance", "fmus": [shoe], "steps": steps, "block": steps // 10})
    marks: list[dict[str, Any]] = answer["marks"]
    first, *_, last = marks
    # The time equals the master's time to the bit, and all steps were accepted.
    assert answer["time"] == (steps - 1) * 1e-3 + 1e-3, answer["time"]
    # Arenas of a few hundred kB are temporary. One byte a step would be 9 MB in 1e7 steps.
    assert last["kib"] - first["kib"] < 1000, marks
    # SDND104 at a0 = 15 m/s2, settled, has two reversals a period. There the triangle of the
    # velocity meets the sine of the support, cos ω t = π η/2 with η = μ g/a0. Between them the mean
    # of the triangle is zero, so the mean wear power is m g (2 a0/(π ω)) √(1 − (π η/2)²). The
    # remaining error is the extrapolation of the input at 1 ms, 1.5e-9 in `wearfmu validate`.
    seconds = 9 * steps // 10 * 1e-3
    assert last["slip_count"] - first["slip_count"] == 2 * round(seconds), marks
    eta = 1.0 / 15.0
    settled = 10.0 * 2.0 * 15.0 / (math.pi * 2.0 * math.pi)
    settled *= math.sqrt(1.0 - (0.5 * math.pi * eta) ** 2)
    power = (last["wear_work"] - first["wear_work"]) / seconds
    error = power / settled - 1.0
    assert abs(error) < 1e-8, f"{power} W, want {settled} W, error {error}"
    # The last block takes as long as the second block, on a machine with other load.
    spent = [mark["seconds"] for mark in marks]
    assert spent[-1] - spent[-2] < 2.0 * (spent[1] - spent[0]), spent
    return marks


def figures(counts: dict[str, Any]) -> str:
    """Return the counts, one per line."""
    return "\n".join(f"{n:>12} {name}" for name, n in sorted(counts.items()))
