"""The journal: what was written is there, whatever happened to the process that wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import CaseError
from harness.sweep.batch import Row
from harness.sweep.journal import open_journal

# 0.1 + 0.2 has no short decimal form, 5e-324 is the least double, and one row has failed.
ROWS = {
    7: Row((0.1 + 0.2, 5e-324)),
    3: Row((None, -1e308), "wear_power: nan must be finite"),
}


@pytest.fixture
def journal_file(tmp_path: Path) -> Path:
    """A journal of one batch."""
    path = tmp_path / "shoe.csv.journal"
    with open_journal(path, "abc") as journal:
        assert journal.rows == {}
        journal.append(ROWS)
    return path


def test_rows_come_back_bit_by_bit(journal_file: Path) -> None:
    with open_journal(journal_file, "abc") as journal:
        assert journal.rows == ROWS


def test_a_torn_last_line_is_cut_off_wherever_it_was_torn(journal_file: Path) -> None:
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


def test_a_journal_torn_in_its_first_line_is_begun_anew(journal_file: Path) -> None:
    journal_file.write_bytes(b'{"diges')
    with open_journal(journal_file, "abc") as journal:
        assert journal.rows == {}


def test_a_journal_of_another_sweep_is_refused_with_the_remedy(journal_file: Path) -> None:
    with (
        pytest.raises(CaseError, match=r"changed: take the change back to go on, or remove"),
        open_journal(journal_file, "abd"),
    ):
        pass


@pytest.mark.parametrize("damage", [b"\n", b"\xff\n", b'{"rows": [[1]]}\n', b"[]\n"])
def test_a_damaged_journal_is_refused_with_the_remedy(journal_file: Path, damage: bytes) -> None:
    head, batch = journal_file.read_bytes().splitlines(keepends=True)
    journal_file.write_bytes(head + damage + batch)
    with (
        pytest.raises(CaseError, match=r"is damaged .*: remove it to start the sweep anew"),
        open_journal(journal_file, "abc"),
    ):
        pass


def test_a_journal_in_use_is_refused(journal_file: Path) -> None:
    with (
        open_journal(journal_file, "abc"),
        pytest.raises(CaseError, match="another process is at this sweep"),
        open_journal(journal_file, "abc"),
    ):
        pass
