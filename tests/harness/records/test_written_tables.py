"""Tables of pandas and spreadsheets are read with the right numbers or rejected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from harness.records import open_table
from wearmodel.units import ACCELERATION, TIME

from .written_tables import WrittenTable, is_same, written_table


def verdict(path: Path, table: WrittenTable) -> str:
    """Return `read`, `refused`, or the wrong number."""
    path.write_bytes(table.content)
    first = table.time_number
    try:
        read = open_table(path)
        last = min(first + len(table.columns) - 1, read.header.column_count)
        times, values = read.points(first, range(first + 1, last + 1))
        units = (read.header.unit(first, TIME), read.header.unit(first + 1, ACCELERATION))
    except ValueError:
        return "refused"
    # A last line without a line break may be left out with a note.
    rows = len(table.columns[0]) - bool(read.left_out)
    for column, known in zip((times, *values), table.columns, strict=False):
        if not is_same(column, known[:rows]):
            return f"{column.tolist()} instead of {known[:rows]}"
    for unit, factor in zip(units, (table.time_factor, table.factor), strict=True):
        if (1.0 if unit is None else unit[0].factor) != (1.0 if factor is None else factor):
            return f"unit {unit} instead of the factor {factor}"
    return "read"


def counted(folder: Path, seed: int, count: int) -> Counter[str]:
    """Count the verdicts of tables of a seed. A wrong number fails with the table."""
    verdicts: Counter[str] = Counter()
    for number in range(count):
        table = written_table(Random(f"{seed} {number}"))
        found = verdict(folder / "table.csv", table)
        assert found in ("read", "refused"), f"table {seed} {number}: {found}\n{table.content!r}"
        verdicts[found] += 1
    return verdicts


def test_no_table_of_pandas_or_a_spreadsheet_is_misread(tmp_path: Path) -> None:
    verdicts = counted(tmp_path, 1, 400)
    # A reader that rejects every table would also pass the test above.
    assert verdicts["read"] > 250, verdicts


@pytest.mark.campaign
def test_none_of_a_hundred_thousand_tables_is_misread(tmp_path: Path) -> None:
    verdicts = counted(tmp_path, 2, 100_000)
    assert verdicts["read"] > 60_000, verdicts
