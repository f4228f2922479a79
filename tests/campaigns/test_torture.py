"""FMUs under random calls and under ten million steps, in a process that must survive."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.builder import build_fmu, fmu_names

HOST = Path(__file__).with_name("torture_host.py")
WEIGHTS = {"FrictionalShock": 6, "DisChoc": 3, "BaseMotion": 1}


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the host needs of each FMU."""
    return [described(name, tmp_path_factory.mktemp(name)) for name in fmu_names()]


def described(name: str, folder: Path) -> dict[str, Any]:
    path = build_fmu(name, folder)
    extracted = Path(fmpy.extract(path, folder / "extracted"))
    description = fmpy.read_model_description(path)
    convert = {"Real": float, "Integer": int, "Boolean": lambda text: text == "true"}
    variables = []
    for variable in description.modelVariables:
        kind = "Integer" if variable.type == "Enumeration" else variable.type
        start = variable.start
        if kind in convert and start is not None:
            start = convert[kind](start)
        variables.append([variable.name, kind, variable.causality, start])
    return {
        "name": name,
        "guid": description.guid,
        "library": str(extracted / "binaries" / "linux64" / f"{name}.so"),
        "resources": (extracted / "resources").as_uri(),
        "variables": variables,
    }


def play(request: dict[str, Any]) -> dict[str, Any]:
    """Answer of the host; its death is reported with what it was at."""
    done = subprocess.run(
        [sys.executable, HOST],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    progress = Path(request.get("progress", HOST.parent / "none"))
    at = progress.read_text() if progress.is_file() else "the beginning"
    assert done.returncode == 0, f"died with {done.returncode} at {at}: {done.stderr[-2000:]}"
    answer: dict[str, Any] = json.loads(done.stdout)
    assert "violation" not in answer, answer["violation"]
    return answer


def torture(fmus: list[dict[str, Any]], folder: Path, first: int, last: int) -> dict[str, Any]:
    return play(
        {
            "what": "torture",
            "fmus": fmus,
            "weights": [WEIGHTS[one["name"]] for one in fmus],
            "instances": 30,
            "first": first,
            "last": last,
            "progress": str(folder / "progress"),
        }
    )


def test_a_thousand_random_sequences_break_no_rule(
    fmus: list[dict[str, Any]], tmp_path: Path
) -> None:
    counts = torture(fmus, tmp_path, 0, 1000)["counts"]
    assert counts["sequences"] == 1000
    # The sequences reach what they are for.
    for event in ("steps taken", "steps discarded, illegal", "broken states", "illegal sets"):
        assert counts[event] > 100
    assert counts["runs repeated cleanly"] > 100


@pytest.mark.campaign
def test_a_hundred_thousand_random_sequences_break_no_rule(
    fmus: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = torture(fmus, tmp_path, 1000, 101_000)
    counts, memory = answer["counts"], answer["memory_kib"]
    with capsys.disabled():
        print(f"\n{figures(counts)}\nmemory, MB: {memory[0] / 1024:.0f} → {memory[-1] / 1024:.0f}")
    assert counts["sequences"] == 100_000
    # pythonfmu's library keeps the text of every message and something of every instance, 0.2 to
    # 1 kB each; the slave's own state would show as kilobytes a call.
    spent = 1024 * (memory[-1] - memory[1])
    assert spent < 1000 * (counts["messages"] + counts["instances"])


@pytest.mark.campaign
def test_ten_million_steps_leave_memory_and_time_as_they_were(
    fmus: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    steps = 10_000_000
    shoe = [one for one in fmus if one["name"] == "FrictionalShock"]
    answer = play({"what": "endurance", "fmus": shoe, "steps": steps, "block": steps // 10})
    first, *_, last = answer["marks"]
    with capsys.disabled():
        for mark in answer["marks"]:
            print(f"\n{mark}", end="")
        print(f"\ntime: {answer['time']!r} s")
    # The time is the master's, to the bit; no step was refused.
    assert answer["time"] == (steps - 1) * 1e-3 + 1e-3
    # Arenas of a few hundred kB come and go; a leak of one byte a step would be 9 MB.
    assert last["kib"] - first["kib"] < 1000
    # SDND104 at a0 = 15 m/s2, settled: two reversals a period where the velocity's triangle
    # meets the support's sine, cos ω t = π η/2 with η = μ g/a0; between them the triangle's mean is
    # zero, so that the mean wear power is m g (2 a0/(π ω)) √(1 − (π η/2)²). What is left is the
    # extrapolation of the input at 1 ms, 1.5e-9 in `wearfmu validate`.
    assert last["slip_count"] - first["slip_count"] == 2 * 9000
    eta = 1.0 / 15.0
    settled = 10.0 * 2.0 * 15.0 / (math.pi * 2.0 * math.pi)
    settled *= math.sqrt(1.0 - (0.5 * math.pi * eta) ** 2)
    power = (last["wear_work"] - first["wear_work"]) / 9000.0
    assert power == pytest.approx(settled, rel=1e-8)
    # The last million steps take what the second million took, on a machine that others use.
    seconds = [mark["seconds"] for mark in answer["marks"]]
    assert seconds[-1] - seconds[-2] < 2.0 * (seconds[1] - seconds[0])


def figures(counts: dict[str, Any]) -> str:
    """The counts, one a line."""
    return "\n".join(f"{n:>12} {name}" for name, n in sorted(counts.items()))
