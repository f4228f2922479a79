"""Reading a record from a CSV file with a time column: FMPy's, another simulator's, a user's own.

The separator is found from the header line; a decimal comma is understood where the separator is
another character.  Values are read in chunks, so that a long file needs little memory.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from .record import QUANTITIES, STEP_TOLERANCE, FloatArray, ShockRecord, joined_records

# contact_mode of the slaves: FLIGHT 0, STICK 1, SLIP 2.
CONTACT_MODE = "contact_mode"
STICK_MODE = 1.0
CHUNK_SAMPLES = 65536
# Header names taken without being asked for, beside a quantity's own name.
KNOWN_HEADERS = {
    "time": ("Time", "t"),
    "normal_velocity": ("gap_velocity",),
    "tangential_force_1": ("friction_force",),
    "tangential_velocity_1": ("slip_velocity",),
}


@dataclass(frozen=True)
class RecordFile:
    """A CSV file whose columns have been matched with a record's quantities.

    Parameters
    ----------
    path : Path
        The file.
    separator : str
        Character between columns.
    headers : dict of str to str
        The header read for each quantity.
    positions : dict of str to int
        Number of that column, from 0.
    """

    path: Path
    separator: str
    headers: dict[str, str]
    positions: dict[str, int]

    def chunks(self, *, chunk_samples: int = CHUNK_SAMPLES) -> Iterator[ShockRecord]:
        """Read the samples in successive parts.

        Raises
        ------
        ValueError
            For text that is no number, a value that is not finite, a flag that is neither 0 nor 1,
            or time that does not increase; the message names the file, and the sample within the
            chunk that begins at the line named.
        """
        with self.path.open(encoding="utf-8-sig", newline="") as stream:
            next(stream)
            line_number = 2
            while lines := list(islice(stream, chunk_samples)):
                rows = [line for line in lines if line.strip()]
                if rows:
                    try:
                        yield self._record(rows)
                    except ValueError as error:
                        raise ValueError(
                            f"{self.path}, samples from line {line_number} on: {error}"
                        ) from error
                line_number += len(lines)

    def time_chunks(self) -> Iterator[ShockRecord]:
        """Read the time column only, for window_sample_count."""
        return RecordFile(
            self.path,
            self.separator,
            {"time": self.headers["time"]},
            {"time": self.positions["time"]},
        ).chunks()

    def describe(self, record: ShockRecord) -> str:
        """Tell in one line what was read."""
        steps = np.diff(record.time)
        constant = np.ptp(steps) <= STEP_TOLERANCE * steps.min()
        grid = (
            f"constant step {np.median(steps):.6g} s"
            if constant
            else f"steps of {steps.min():.6g} to {steps.max():.6g} s"
        )
        columns = ", ".join(
            quantity if quantity == header else f"{quantity} from {header}"
            for quantity, header in self.headers.items()
        )
        return (
            f"{self.path}: {len(record)} samples in [{record.time[0]:.6g}, {record.time[-1]:.6g}]"
            f" s, {grid}, separated by {self.separator!r}: {columns}"
        )

    def _record(self, rows: list[str]) -> ShockRecord:
        if self.separator != ",":
            rows = [row.replace(",", ".") for row in rows]
        values = np.loadtxt(
            rows,
            delimiter=None if self.separator == " " else self.separator,
            usecols=list(self.positions.values()),
            quotechar='"',
            comments=None,
            ndmin=2,
        )
        columns: dict[str, FloatArray] = dict(
            zip(self.positions, np.ascontiguousarray(values.T), strict=True)
        )
        record_columns: dict[str, object] = {q: columns[q] for q in QUANTITIES if q in columns}
        if CONTACT_MODE in columns:
            record_columns["stick"] = columns[CONTACT_MODE] == STICK_MODE
        return ShockRecord(**record_columns)  # type: ignore[arg-type]


def open_record(path: str | Path, columns: Mapping[str, str] | None = None) -> RecordFile:
    """Match a CSV file's header with the quantities of a record.

    Parameters
    ----------
    path : str or Path
        A file whose first line holds the column names.
    columns : mapping of str to str, optional
        Header of each quantity that goes by another name: {"normal_force": "Fn"}.  Quantities are
        the columns of ShockRecord and ``contact_mode`` (stick where it is 1).  Without an entry, a
        header that is the quantity's name is taken, or the FMU's name for it.

    Raises
    ------
    ValueError
        For an unknown quantity, a header that is missing or occurs twice, no time column, or a
        header line that shows no separator.
    """
    path = Path(path)
    with path.open(encoding="utf-8-sig", newline="") as stream:
        header_line = stream.readline().strip()
    try:
        separator = csv.Sniffer().sniff(header_line, delimiters=",;\t| ").delimiter
    except csv.Error as error:
        raise ValueError(
            f"{path}: the first line {header_line[:80]!r} must hold column names separated by"
            " comma, semicolon, tab, bar or space"
        ) from error
    names = [name.strip() for name in next(csv.reader([header_line], delimiter=separator))]
    wanted = dict(columns or {})
    unknown = sorted(set(wanted) - {*QUANTITIES, CONTACT_MODE})
    if unknown:
        raise ValueError(
            f"columns: {', '.join(unknown)} must be among {', '.join((*QUANTITIES, CONTACT_MODE))}"
        )
    headers: dict[str, str] = {}
    for quantity in (*QUANTITIES, CONTACT_MODE):
        accepted = (
            (wanted[quantity],)
            if quantity in wanted
            else (quantity, *KNOWN_HEADERS.get(quantity, ()))
        )
        found = [name for name in accepted if name in names]
        if not found and (quantity in wanted or quantity == "time"):
            raise ValueError(
                f"{path}: {quantity} must be in column {' or '.join(accepted)}; the columns are"
                f" {', '.join(names)}"
            )
        if found:
            headers[quantity] = found[0]
    if "stick" in headers:
        headers.pop(CONTACT_MODE, None)
    for quantity, header in headers.items():
        if names.count(header) > 1:
            raise ValueError(f"{path}: column {header} for {quantity} must occur once")
    return RecordFile(path, separator, headers, {q: names.index(h) for q, h in headers.items()})


def read_record(
    path: str | Path, columns: Mapping[str, str] | None = None
) -> tuple[ShockRecord, str]:
    """Read a whole CSV record into memory and tell what was read.

    Parameters
    ----------
    path, columns
        As for open_record.

    Returns
    -------
    record : ShockRecord
        The samples.
    description : str
        One line: file, samples, span, step, separator, and the header taken for each quantity.

    Raises
    ------
    ValueError
        For what open_record, RecordFile.chunks and ShockRecord refuse, or fewer than two samples.
    """
    file = open_record(path, columns)
    parts = list(file.chunks())
    sample_count = sum(map(len, parts))
    if sample_count < 2:
        raise ValueError(f"{path}: a record must have at least 2 samples and has {sample_count}")
    try:
        record = joined_records(parts)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return record, file.describe(record)
