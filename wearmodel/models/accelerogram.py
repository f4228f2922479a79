"""Points of an accelerogram from a text or a file: increasing times and their values.

A file is a strict table from `wearfmu motion`: the line `MOTION_HEADER`, then rows of two decimal
numbers in SI units, separated by a comma. Each line ends with a line feed. The native FMU reads the
same files with the same messages (`fmu_src/native/points.hpp`).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ..read_files import open_regular

MOTION_HEADER = "time [s],acceleration [m/s2]"  #: First line of the strict table of two columns.
OWN_MOTION = "resources/motion.csv"  #: Value of `file` for a table in the FMU itself.
_COLUMNS = 2
# The same limit as in the native FMU. Ten million points need a third of it.
_MOST_BYTES = 2**30
_REMEDY = ". `wearfmu motion RECORD --out FILE` writes the table for BaseMotion"
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 64


@dataclass(frozen=True)
class Accelerogram:
    """Points of a signal: increasing times [s] and their values, at least two.

    `source` and `first_line` (0 if it has no lines) describe the source in messages. Invalid points
    raise ValueError.
    """

    times: tuple[float, ...]
    values: tuple[float, ...]
    source: str
    first_line: int = 0

    def __post_init__(self) -> None:
        if len(self.times) < 2:
            raise ValueError(f"{self.source} has {len(self.times)} point(s): it must have ≥ 2")
        for index in range(1, len(self.times)):
            earlier, later = self.times[index - 1], self.times[index]
            if later <= earlier:
                line = self.first_line + index
                place = f"line {line}" if self.first_line else f"point {index + 1}"
                raise ValueError(
                    f"{self.source}, {place}: time {later!r} s must be > {earlier!r} s, the "
                    "previous time"
                )


def accelerogram_of_text(text: str) -> Accelerogram:
    """Points written as ``time value``, separated by semicolons. ValueError if invalid."""
    source = "table"
    points: list[list[float]] = []
    for count, point in enumerate(text.rstrip("; \n").split(";"), start=1):
        words = point.split()
        if len(words) != 2:
            raise ValueError(f"{source}, point {count}: {point!r} must be a time and a value")
        points.append([])
        for word in words:
            number = _number(word)
            if not math.isfinite(number):
                raise ValueError(f"{source}, point {count}: {word!r} must be a finite number")
            points[-1].append(number)
    times, values = zip(*points)
    return Accelerogram(times, values, source)


def read_accelerogram(
    path: str, *, value_column: int = _COLUMNS, own_motion: bytes | None = None
) -> Accelerogram:
    """Points of acceleration in a strict table, in s and m/s2. See the module for its format.

    Column 1 contains the time, and `value_column` contains the values. `own_motion` is the content
    of the file if `path` is OWN_MOTION. ValueError if the file cannot be read, has another format,
    or contains invalid points.
    """
    if not path:
        raise ValueError("file='' must be the path of a file with a time and a value column")
    source = f"file={path!r}"
    content = own_motion
    if path != OWN_MOTION or content is None:
        content = _content(path, source)
    # Latin-1 has one character per byte. Bytes that are not ASCII are not valid in a number.
    lines = content.decode("latin-1").split("\n")
    if lines[0] != MOTION_HEADER or len(lines) == 1:
        raise ValueError(f"{source}, line 1: must be {MOTION_HEADER!r}{_REMEDY}")
    times, values = [], []
    for line, row in enumerate(lines[1:-1], start=2):
        if value_column > _COLUMNS:
            raise ValueError(
                f"{source}, line {line}: has {_COLUMNS} column(s) and must have column "
                f"{value_column}"
            )
        first, _, second = row.partition(",")
        time, value = _number(first), _number(second)
        if not (math.isfinite(time) and math.isfinite(value)):
            raise ValueError(
                f"{source}, line {line}: must be two finite numbers, such as 0.01,-0.2{_REMEDY}"
            )
        times.append(time)
        values.append(value)
    if lines[-1]:
        raise ValueError(
            f"{source}, line {len(lines)}: must end as lines do, or it may be cut{_REMEDY}"
        )
    return Accelerogram(tuple(times), tuple(values), source, first_line=2)


def _content(path: str, source: str) -> bytes:
    try:
        with open_regular(path, _MOST_BYTES) as stream:
            return stream.read()
    except OSError as error:
        raise ValueError(f"{source} cannot be read: {error.strerror}") from None


def _number(text: str) -> float:
    """Return a decimal number, or NaN for another text."""
    is_number = len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text)
    return float(text) if is_number else math.nan
