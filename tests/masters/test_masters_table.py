"""The table where masters are missing, or fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import masters_table
from .cases import CASES
from .job import Job, MasterError, Played
from .masters_table import Cell, fill, markdown


def without_ecos(master: str, job: Job) -> Played:
    """Masters of which ecos is not installed, and the C host reaches no closed form."""
    if master == "ecos":
        raise MasterError("ecos: needs ecospy: pip install 'wearfmu[masters]'")
    return Played(tuple((0.0,) * len(job.outputs) for _ in job.marks), 1.0)


def test_a_master_that_is_missing_is_said_once_and_failed_cases_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(masters_table, "play", without_ecos)
    text = markdown(fill(tmp_path, masters=["ecos", "c-host"]))
    missing, *failed = text.split("Not passed:\n\n")[1].splitlines()
    assert missing == "- ecos: ecos: needs ecospy: pip install 'wearfmu[masters]'"
    # All closed forms but that of stick, which is 0.
    assert len(failed) == len(CASES) - 1
    assert failed[0].startswith(f"- C host, {CASES[0].name}: wear_work: error -1.000e+00")


def test_cases_that_fail_for_one_reason_share_its_line() -> None:
    bad, good = Cell(float("nan"), float("nan"), "no licence"), Cell(0.0, 1.0, "")
    text = markdown({"fmpy": [bad, bad, good]}, CASES[:3])
    assert text.endswith(f"\n- FMPy, simulate_fmu, {CASES[0].name}; {CASES[1].name}: no licence\n")
