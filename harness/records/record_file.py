"""Reading a record from a table with a time column: FMPy's, another simulator's, a user's own.

The forms of file are those of `harness.records.table`. Values are read in chunks, so that a long
file needs little memory.
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
    """A file whose columns have been matched with a record's quantities.

    Parameters
    ----------
    table : Table
        The file.
    names : tuple of str
        All columns of the file.
    columns : dict of str to str
        The column read for each quantity.
    factors : dict of str to float
        SI units in the unit that the header gives a quantity.
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
        """Raise RecordError, with the columns that there are, unless the quantity was found."""
        if quantity not in self.columns:
            raise RecordError(
                f"{self.path}: no column {quantity}, nor one named for it; the columns are "
                f"{', '.join(self.names)}{nearest(quantity, self.names)}; "
                f"name it by --columns {quantity}=COLUMN"
            )

    def chunks(self, *, progress: Callable[[float], None] | None = None) -> Iterator[ShockRecord]:
        """Read the samples in successive parts, in SI units.

        Parameters
        ----------
        progress : callable, optional
            Called with the fraction of the file read, up to 1.

        Raises
        ------
        RecordError
            For text that is no number, a value that is not finite, a flag that is neither 0 nor 1,
            or time that does not increase; the message names the file and the line, or the sample
            within the chunk that begins at the line named.
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
        """Return the line that is wrong by itself and why, else the chunk and its problem."""
        for row in range(block.columns.shape[1]):
            alone = Block(block.columns[:, row : row + 1], row)
            try:
                self._record(alone)
            except ValueError as cause:
                line = self.table.line_of(block.first_row + row)
                return f"line {line}", str(cause).replace(" at sample 0", "")
        # By itself each line is right: the times go back, as they do where the next node begins.
        told = f"{problem}; the table must hold one node, and its instants in order"
        return f"samples from line {self.table.line_of(block.first_row)} on", told


def open_record(path: str | Path, columns: Mapping[str, str] | None = None) -> RecordFile:
    """Match a file's header with the quantities of a record.

    Parameters
    ----------
    path : str or Path
        A file with the column names above its samples, as `harness.records.table` says.
    columns : mapping of str to str, optional
        Column of each quantity that goes by another name, as for `matched_columns`.

    Raises
    ------
    RecordError
        For what `matched_columns` or `harness.records.table.open_table` refuses, columns without
        names, or a unit that is not known or not one of the quantity.
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
            f"{path}: column names must stand above the numbers, {header.column_count} of them"
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
                raise RecordError(f"{problem}; {quantity} is read from it") from None
            factors[quantity] = unit[0].factor if unit else 1.0
    return RecordFile(table, names, matched, factors)
