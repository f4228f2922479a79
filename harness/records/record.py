"""Reading a record from a CSV file with a time column: FMPy's, another simulator's, a user's own.

The separator is found from the header line; a decimal comma is understood where the separator is
another character. Values are read in chunks, so that a long file needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from harness.errors import RecordError
from harness.messages import nearest
from harness.records.columns import matched_columns, require_unit, shock_record
from harness.records.encoding import not_utf8
from harness.records.header import read_header, split_row
from wearmodel.statistics import FLAGS, ShockRecord

CHUNK_SAMPLES = 65536


@dataclass(frozen=True)
class RecordFile:
    """A CSV file whose columns have been matched with a record's quantities.

    Parameters
    ----------
    path : Path
        The file.
    separator : str
        Character between columns.
    names : tuple of str
        All columns of the file.
    columns : dict of str to str
        The column read for each quantity.
    header_line_count : int
        Lines above the samples.
    encoding : str
        Of the text, as `open` takes it.
    """

    path: Path
    separator: str
    names: tuple[str, ...]
    columns: dict[str, str]
    header_line_count: int
    encoding: str

    def require(self, quantity: str) -> None:
        """Raise RecordError, with the columns that there are, unless the quantity was found."""
        if quantity not in self.columns:
            raise RecordError(
                f"{self.path}: no column {quantity}, nor one named for it; the columns are "
                f"{', '.join(self.names)}{nearest(quantity, self.names)}; "
                f"name it by --columns {quantity}=COLUMN"
            )

    def chunks(self, *, progress: Callable[[float], None] | None = None) -> Iterator[ShockRecord]:
        """Read the samples in successive parts.

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
        size = self.path.stat().st_size
        with self.path.open(encoding=self.encoding, newline="") as stream:
            line_number = self.header_line_count + 1
            lines: list[str] = []
            try:
                read = sum(map(len, islice(stream, self.header_line_count)))
                while lines := list(islice(stream, CHUNK_SAMPLES)):
                    rows = [line for line in lines if line.strip()]
                    if rows:
                        yield self._record(rows)
                    line_number += len(lines)
                    read += sum(map(len, lines))
                    if progress is not None:
                        # Characters for bytes: numbers and separators take one each.
                        progress(min(read / size, 1.0))
            except UnicodeDecodeError:
                raise RecordError(not_utf8(self.path)) from None
            except ValueError as problem:
                place, reason = self._located(lines, line_number, problem)
                raise RecordError(f"{self.path}, {place}: {reason}") from problem

    def time_chunks(self) -> Iterator[ShockRecord]:
        """Read the time column only, for `wearmodel.statistics.window_sample_count`."""
        return replace(self, columns={"time": self.columns["time"]}).chunks()

    def _located(
        self, lines: list[str], line_number: int, problem: ValueError
    ) -> tuple[str, ValueError | str]:
        """Return the line that is wrong by itself and why, else the chunk and its problem."""
        last = max(self.names.index(name) for name in self.columns.values())
        for number, line in enumerate(lines, start=line_number):
            if not line.strip():
                continue
            count = len(split_row(line, self.separator))
            if count <= last:
                return f"line {number}", (
                    f"has {count} cells and must have {last + 1}, up to {self.names[last]}"
                )
            try:
                self._record([line])
            except ValueError as alone:
                # numpy and the record count from this line on.
                reason = str(alone).replace(" at row 0,", " in").replace(" at sample 0", "")
                return f"line {number}", reason
        return f"samples from line {line_number} on", problem

    def _record(self, rows: list[str]) -> ShockRecord:
        if self.separator != ",":
            rows = [row.replace(",", ".") for row in rows]
        read = tuple(dict.fromkeys(self.columns.values()))
        values = np.loadtxt(
            rows,
            delimiter=None if self.separator == " " else self.separator,
            usecols=[self.names.index(name) for name in read],
            converters={
                self.names.index(self.columns[flag]): _number
                for flag in FLAGS
                if flag in self.columns
            },
            quotechar='"',
            comments=None,
            ndmin=2,
        )
        samples = dict(zip(read, np.ascontiguousarray(values.T), strict=True))
        return shock_record(self.columns, samples)


def _number(text: str) -> float:
    """Read a flag's cell; FMPy writes a Boolean as True or False."""
    booleans = {"true": 1.0, "false": 0.0}
    return booleans[text.lower()] if text.lower() in booleans else float(text)


def open_record(path: str | Path, columns: Mapping[str, str] | None = None) -> RecordFile:
    """Match a CSV file's header with the quantities of a record.

    Parameters
    ----------
    path : str or Path
        A file with the column names above its samples, as `harness.records.header` says.
    columns : mapping of str to str, optional
        Column of each quantity that goes by another name, as for `matched_columns`.

    Raises
    ------
    RecordError
        For what `matched_columns` or `harness.records.header.read_header` refuses, or a column in
        another unit than the quantity's.
    """
    path = Path(path)
    header = read_header(path)
    try:
        matched = matched_columns(header.names, columns or {})
        if header.units:
            for quantity, name in matched.items():
                unit = header.units[header.names.index(name)]
                require_unit(quantity, name, unit.strip("[](){} "))
    except ValueError as problem:
        raise RecordError(f"{path}: {problem}") from None
    return RecordFile(
        path, header.separator, header.names, matched, header.line_count, header.encoding
    )
