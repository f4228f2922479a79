"""The table of masters, if masters are missing or fail."""

from dataclasses import replace

from . import masters_table, roster
from .cases import CASES
from .job import Job, MasterError, Played
from .masters_table import Cell, fill, markdown


def with_a_broken_ecos(master: str, job: Job) -> Played:
    """Simulate that ecos fails and that the C host returns zeros."""
    if master == "ecos":
        raise MasterError("ecos: its licence has run out")
    return Played(tuple((0.0,) * len(job.outputs) for _ in job.marks), 1.0)


def test_a_master_that_runs_nothing_is_said_once_and_failed_cases_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setattr(masters_table, "play", with_a_broken_ecos)
    monkeypatch.setattr(roster.Master, "is_installed", lambda self: True)
    text = markdown(fill(tmp_path, masters=["ecos", "c-host"]))
    missing, *failed = text.split("Not passed:\n\n")[1].splitlines()
    assert missing == "- ecos: ecos: its licence has run out"
    # All cases except stick, whose result is 0.
    assert len(failed) == len(CASES) - 1
    assert failed[0].startswith(f"- C host, {CASES[0].name}: wear_work: error -1.000e+00")


def test_what_is_not_installed_is_called_so_and_fails_nothing(tmp_path, monkeypatch):
    absent = replace(roster.MASTERS["ecos"], package="not-a-package")
    monkeypatch.setitem(roster.MASTERS, "ecos", absent)
    monkeypatch.setattr(roster, "c_compiler", lambda: None)
    rows = fill(tmp_path, masters=["ecos", "c-host"])
    assert not any(cell.failure for cells in rows.values() for cell in cells)
    text = markdown(rows)
    for title in ("ecos", "C host"):
        (row,) = (line for line in text.splitlines() if line.startswith(f"| {title} "))
        assert row == f"| {title} |{' not installed |' * len(CASES)}"
    assert "Not passed" not in text
    assert "Not installed: ecos (extra `masters`), C host (gcc)." in text


def test_cases_that_fail_for_one_reason_share_its_line():
    bad, good = Cell(float("nan"), float("nan"), "no licence"), Cell(0.0, 1.0, "")
    text = markdown({"fmpy": [bad, bad, good]}, CASES[:3])
    assert text.endswith(f"\n- FMPy, simulate_fmu, {CASES[0].name}; {CASES[1].name}: no licence\n")
