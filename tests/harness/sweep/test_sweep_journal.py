"""The journal keeps all written rows if its process ends in any way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import CaseError
from harness.sweep import load_sweep, run_sweep
from harness.sweep.batch import Row
from harness.sweep.journal import open_journal
from wearmodel.compiled.run_library import SWITCH

# 0.1 + 0.2 has no short decimal form, 5e-324 is the smallest double, and one row has failed.
ROWS = {7: Row((0.1 + 0.2, 5e-324)), 3: Row((None, -1e308), "wear_power: nan must be finite")}


@pytest.fixture
def journal_file(tmp_path: Path) -> Path:
    """Write a journal of one batch."""
    path = tmp_path / "shoe.csv.journal"
    with open_journal(path, "abc") as journal:
        assert journal.rows == {}
        journal.append(ROWS)
    return path


def test_rows_come_back_bit_by_bit(journal_file):
    with open_journal(journal_file, "abc") as journal:
        assert journal.rows == ROWS


def test_a_torn_last_line_is_cut_off_wherever_it_was_torn(journal_file):
    whole = journal_file.read_bytes()
    with open_journal(journal_file, "abc") as journal:
        journal.append({0: Row((1.0, 2.0))})
    longer = journal_file.read_bytes()
    for end in range(len(whole), len(longer)):
        journal_file.write_bytes(longer[:end])
        with open_journal(journal_file, "abc") as journal:
            assert journal.rows == ROWS
            journal.append({0: Row((1.0, 2.0))})
        assert journal_file.read_bytes() == longer


def test_a_journal_torn_in_its_first_line_is_begun_anew(journal_file):
    head = journal_file.read_bytes().splitlines(keepends=True)[0]
    for end in range(len(head)):
        journal_file.write_bytes(head[:end])
        with open_journal(journal_file, "abc") as journal:
            assert journal.rows == {}
        assert journal_file.read_bytes() == head


def test_a_journal_of_another_sweep_is_refused_with_the_remedy(journal_file):
    with (
        pytest.raises(CaseError, match=r"to resume, or delete the file \S+\.journal to"),
        open_journal(journal_file, "abd"),
    ):
        pass


def test_a_changed_character_anywhere_in_a_row_makes_its_line_be_computed_again(
    journal_file, caplog
):
    with open_journal(journal_file, "abc") as journal:
        journal.append({0: Row((1.25, 2.5))})
    whole = journal_file.read_bytes()
    _, first, second = whole.splitlines(keepends=True)
    for index in range(whole.index(first), whole.index(second)):
        damaged = bytearray(whole)
        damaged[index] ^= 1  # changes a digit to another digit
        journal_file.write_bytes(damaged)
        with open_journal(journal_file, "abc") as journal:
            # If the line break is changed, both lines are lost.
            want = {} if whole[index : index + 1] == b"\n" else {0: Row((1.25, 2.5))}
            assert journal.rows == want
        note = f"note: {journal_file.name}: damaged lines: 1. Their points are computed again"
        assert caplog.messages == [note]
        caplog.clear()


@pytest.mark.parametrize("damage", [b"\n", b"\xff\n", b'{"rows": [[1]]}\n', b"[]\n"])
def test_lines_that_are_none_of_a_journal_leave_the_others_alone(journal_file, damage, caplog):
    head, batch = journal_file.read_bytes().splitlines(keepends=True)
    journal_file.write_bytes(head + damage + damage + batch)
    with open_journal(journal_file, "abc") as journal:
        assert journal.rows == ROWS
    assert "damaged lines: 2." in caplog.text


@pytest.mark.long
def test_a_full_disk_under_a_journal_names_the_journal(sweep_file, change):
    change(sweep_file, ("count = 40", "count = 400"))
    # Files are limited to 512 bytes. The system rejects a longer write as on a full disk.
    command = f"ulimit -f 1; exec {sys.executable} -m harness sweep {sweep_file} --workers 1"
    done = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, SWITCH: "1"},
    )
    journal = sweep_file.with_name("shoe.csv.journal")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"wearfmu: {journal}: File too large"


FOREIGN = {
    "text": b"my notes\non the shoe",
    "one line": b"my notes",
    "json": b'{"rows": []}\n',
    "without checksums": b'{"digest": "abc"}\n{"rows": [[0, [1.0], null]]}\n',
    "nearly a journal": b"0123456789abcdef " + b'{"journal": "wearfmu sweep 2", "digest": "abc"}\n',
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_foreign_file_of_that_name_is_refused_and_stands(tmp_path, content):
    path = tmp_path / "shoe.csv.journal"
    path.write_bytes(content)
    with (
        pytest.raises(
            CaseError, match="does not have the first line of a journal and cannot be used"
        ),
        open_journal(path, "abc"),
    ):
        pass
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [None, b"", b"my notes\n"], ids=["dangling", "empty", "text"])
def test_nothing_is_written_through_a_symbolic_link(tmp_path, content):
    target, path = tmp_path / "notes.txt", tmp_path / "shoe.csv.journal"
    if content is not None:
        target.write_bytes(content)
    path.symlink_to(target)
    with (
        pytest.raises(CaseError, match="is a symbolic link and cannot be used"),
        open_journal(path, "abc"),
    ):
        pass
    assert (target.read_bytes() if target.exists() else None) == content


def test_an_interrupt_tells_how_to_resume(journal_file):
    text = f"^{journal_file.name} keeps finished runs. Run the command again to resume$"
    with pytest.raises(KeyboardInterrupt, match=text), open_journal(journal_file, "abc"):
        raise KeyboardInterrupt


def test_a_journal_in_use_is_refused(journal_file):
    with (
        open_journal(journal_file, "abc"),
        pytest.raises(CaseError, match=r"^shoe\.csv\.journal is used by another process, which"),
        open_journal(journal_file, "abc"),
    ):
        pass


def test_a_journal_is_closed_before_it_is_removed(
    sweep_file, tmp_path, change, closed_before_removal
):
    change(sweep_file, ("count = 40", "count = 2"), ("count = 25", "count = 2"))
    sweep = load_sweep(sweep_file, fmu_folder=tmp_path)
    run_sweep(sweep)
    assert not sweep.journal.exists()
