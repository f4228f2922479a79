"""Reading the record of a contact from a table with a time column.

`harness.records.table` describes the files. Values are read in chunks, so that a long file needs
little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from harness.errors import RecordError
from harness.messages import nearest
from harness.records.shock_columns import DIMENSIONS, matched_columns, shock_record
from harness.records.table import Block, Table, open_table
from wearmodel.statistics import ShockRecord


@dataclass(frozen=True)
class RecordFile:
    """A file with the columns `names` and the column read for each quantity of a record.

    `factors` convert quantities from the unit of the header to SI units.
    """

    table: Table
    names: tuple[str, ...]
    columns: dict[str, str]
    factors: dict[str, float]

    @property
    def path(self) -> Path:
        """The file."""
        return self.table.path

    def require(self, quantity: str) -> None:
        """Raise RecordError with all columns unless the quantity was found."""
        if quantity not in self.columns:
            raise RecordError(
                f"{self.path}: column {quantity} is missing. The columns are "
                f"{', '.join(self.names)}{nearest(quantity, self.names)}; "
                f"select it by --columns {quantity}=COLUMN"
            )

    def chunks(self, *, progress: Callable[[float], None] | None = None) -> Iterator[ShockRecord]:
        """Read the samples in successive parts, in SI units.

        Raises RecordError with file and line for text instead of a number, a value that is not
        finite, a flag other than 0 and 1, or times that do not increase.
        """
        numbers = [self.names.index(name) + 1 for name in self.columns.values()]
        try:
            for block in self.table.blocks(numbers, progress=progress):
                try:
                    record = self._record(block)
                except ValueError as problem:
                    place, reason = self._located(block, problem)
                    raise ValueError(f"{self.path}, {place}: {reason}") from problem
                yield record
        except ValueError as problem:
            raise RecordError(str(problem)) from problem

    def time_chunks(self) -> Iterator[ShockRecord]:
        """Read the time column only, for `wearmodel.statistics.window_sample_count`."""
        return replace(self, columns={"time": self.columns["time"]}).chunks()

    def _record(self, block: Block) -> ShockRecord:
        samples = {}
        for (quantity, name), values in zip(self.columns.items(), block.columns, strict=True):
            factor = self.factors.get(quantity, 1.0)
            samples[name] = np.ascontiguousarray(values if factor == 1.0 else factor * values)
        return shock_record(self.columns, samples)

    def _located(self, block: Block, problem: ValueError) -> tuple[str, ValueError | str]:
        """Return the first invalid line and its problem, or the chunk and its problem."""
        for row in range(block.columns.shape[1]):
            alone = Block(block.columns[:, row : row + 1], row)
            try:
                self._record(alone)
            except ValueError as cause:
                line = self.table.line_of(block.first_row + row)
                return f"line {line}", str(cause).replace(" at sample 0", "")
        # Each line is valid: the times decrease, as at the beginning of the next node.
        reason = f"{problem}: the table must contain a single node with increasing times"
        return f"samples from line {self.table.line_of(block.first_row)} on", reason


def open_record(path: str | Path, columns: Mapping[str, str] | None = None) -> RecordFile:
    """Match the header of a file with the quantities of a record, see `matched_columns`.

    Raises RecordError if the file is invalid, columns do not have names or are not found, or a unit
    is unknown or has another dimension.
    """
    path = Path(path)
    try:
        table = open_table(path)
    except ValueError as problem:
        raise RecordError(str(problem)) from None
    header = table.header
    names = header.names()
    if not names:
        raise RecordError(
            f"{path}: a row of {header.column_count} column names is required above the numbers"
        )
    try:
        matched = matched_columns(names, columns or {})
    except ValueError as problem:
        raise RecordError(f"{path}: {problem}") from None
    factors = {}
    for quantity, name in matched.items():
        if quantity in DIMENSIONS:
            try:
                unit = header.unit(names.index(name) + 1, DIMENSIONS[quantity])
            except ValueError as problem:
                raise RecordError(f"{problem} (column of {quantity})") from None
            factors[quantity] = unit[0].factor if unit else 1.0
    return RecordFile(table, names, matched, factors)
