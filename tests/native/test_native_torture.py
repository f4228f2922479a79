"""The native FMU under random calls, in a process that must survive."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import fmpy
import pytest

HOST = Path(__file__).with_name("native_torture_host.py")


def torture(fmu: Path, folder: Path, first: int, last: int) -> dict[str, Any]:
    """Answer of the host for the sequences of these numbers."""
    extracted = Path(fmpy.extract(fmu, folder / "extracted"))
    description = fmpy.read_model_description(fmu)
    convert = {"Real": float, "Integer": int, "Boolean": lambda text: text == "true"}
    variables = []
    for one in description.modelVariables:
        kind = "Integer" if one.type == "Enumeration" else one.type
        start = None if one.start is None else convert[kind](one.start)
        variables.append([one.name, kind, one.causality, start])
    request = {
        "fmus": [
            {
                "name": "FrictionalShock",
                "guid": description.guid,
                "library": str(extracted / "binaries/linux64/FrictionalShock.so"),
                "resources": (extracted / "resources").as_uri(),
                "variables": variables,
            }
        ],
        "weights": [1],
        "instances": 30,
        "first": first,
        "last": last,
        "progress": str(folder / "progress"),
    }
    done = subprocess.run(
        [sys.executable, HOST],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
    )
    at = (folder / "progress").read_text()
    assert done.returncode == 0, f"died with {done.returncode} at {at}: {done.stderr[-2000:]}"
    answer: dict[str, Any] = json.loads(done.stdout)
    assert "violation" not in answer, answer["violation"]
    return answer


def test_a_thousand_random_sequences_break_no_rule(native_fmu: Path, tmp_path: Path) -> None:
    counts = torture(native_fmu, tmp_path, 0, 1000)["counts"]
    assert counts["sequences"] == 1000
    for event in ("steps taken", "steps discarded, illegal", "broken states", "illegal sets"):
        assert counts[event] > 100
    assert counts["runs repeated cleanly"] > 100


@pytest.mark.campaign
def test_a_hundred_thousand_random_sequences_break_no_rule_and_leak_nothing(
    native_fmu: Path, tmp_path: Path
) -> None:
    answer = torture(native_fmu, tmp_path, 1000, 101_000)
    counts, memory = answer["counts"], answer["memory_kib"]
    assert counts["sequences"] == 100_000
    # An instance takes 15 kB, and 5000 come and go: one byte a call would show.
    assert memory[-1] - memory[1] < 2000
