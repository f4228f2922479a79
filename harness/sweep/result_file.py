"""The results of a sweep as a complete, sorted table, CSV or Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.optional_library import optional_module
from harness.output_files import replacing
from harness.provenance import provenance
from harness.sweep.batch import Row
from harness.sweep.points import Point

PARQUET = ".parquet"


def write_results(
    path: Path, columns: Sequence[str], points: Sequence[Point], rows: Mapping[int, Row]
) -> None:
    """Write a line for each point, in order: number, values, quantities and failure.

    Numbers have all digits. Missing values of failed points are empty cells. The suffix of the file
    determines the format. The file gets its final name when it is complete.

    Raises OSError if the file cannot be written.
    """
    lines = (
        (number, *point, *rows[number].values, rows[number].failure)
        for number, point in enumerate(points)
    )
    with replacing(path) as part:
        if path.suffix == PARQUET:
            _write_parquet(part, columns, lines, path)
            return
        with part.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(lines)


def require_format(path: Path) -> None:
    """Raise MissingLibraryError if the library for a file of this kind is not installed."""
    if path.suffix == PARQUET:
        optional_module("pyarrow.parquet", f"a {PARQUET} file")


def _write_parquet(
    path: Path, columns: Sequence[str], lines: Iterable[tuple[Any, ...]], result: Path
) -> None:
    pyarrow = optional_module("pyarrow", f"a {PARQUET} file")
    parquet = optional_module("pyarrow.parquet", f"a {PARQUET} file")
    values = [_of_one_type(column) for column in zip(*lines, strict=True)]
    arrays = [pyarrow.array(column) for column in values[:-1]]
    arrays.append(pyarrow.array(values[-1], pyarrow.string()))
    metadata = {"provenance": json.dumps(provenance(result))}
    table = pyarrow.Table.from_arrays(arrays, names=list(columns), metadata=metadata)
    parquet.write_table(table, path)


def _of_one_type(column: Sequence[Any]) -> list[Any]:
    """Return a column of one type for Parquet: floats for mixed numbers, texts otherwise."""
    kinds = {type(value) for value in column if value is not None}
    if len(kinds) <= 1:
        return list(column)
    kind = float if kinds == {int, float} else str
    return [None if value is None else kind(value) for value in column]
