"""Names and units of the columns of a text file, from the rows above the numbers.

All readers use these rules, with the units of `wearmodel.units`.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from harness.records.refusals import TORN_ROW
from wearmodel.units import (
    ACCELERATION,
    TIME,
    Dimension,
    Unit,
    bracketed_texts,
    name_without_unit,
    require_unit,
    unit_in_name,
    unit_in_words,
    unit_of_text,
)

USUAL_NAMES = {
    TIME: r"t|times?|temps|zeit|tempo|inst|instant",
    ACCELERATION: r"a|acc|accel|acceleration|accélération|beschleunigung|base_acceleration",
}
"""Patterns of column names by quantity. Upper and lower case are equal."""
MOST_SHOWN = 40
_BOOLEANS = {"true": 1.0, "false": 0.0}
_BLANKS_OUTSIDE_BRACKETS = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|[^\s\[(]|[\[(])+")


@dataclass(frozen=True)
class TableHeader:
    """Rows of names and units above the columns of a file."""

    # Cells of the rows of names and units, which may be missing.
    rows: tuple[tuple[str, ...], ...]
    # Number of cells of a row of numbers.
    column_count: int
    # Name of the file in messages.
    source: str
    # The last comment (#) above the rows, unless it is the row of names.
    remark: str = ""

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns, or () if there is no complete row of names."""
        rows = self._whole_rows()
        return rows[0] if rows else ()

    def unit(self, number: int, dimension: Dimension) -> tuple[Unit, str] | None:
        """Return the unit of a column, counted from 1, and its text, or `None`.

        Raises ValueError if the unit is unknown or has another dimension, or there are two units.
        """
        units = []
        for index, row in enumerate(self._whole_rows()):
            text = row[number - 1]
            bare = "".join(bracketed_texts(text)) or text
            try:
                if index == 0:
                    unit = unit_in_name(text, dimension)
                else:
                    unit = require_unit(bare, dimension) if bare else None
            except ValueError as problem:
                raise ValueError(f"{self.source}, column {number} {text!r}: {problem}") from None
            if unit is not None:
                units.append((unit, text))
        if len({unit for unit, _ in units}) > 1:
            texts = " and ".join(repr(text) for _, text in units)
            raise ValueError(f"{self.source}, column {number}: {texts} are different units")
        if units:
            return units[0]
        torn = [" ".join(row) for row in self.rows if len(row) != self.column_count or "" in row]
        for text in (*torn, self.remark):
            unit = unit_in_words(text, dimension)
            if unit is not None:
                return unit, text
        return None

    def _whole_rows(self) -> list[tuple[str, ...]]:
        """Return the rows that have a cell for each column."""
        return [row for row in self.rows if len(row) == self.column_count]


def rows_of_numbers(lines: list[str]) -> list[str]:
    """Return the lines without empty lines and comments."""
    return [line for line in lines if (bare := line.lstrip()) and bare[0] != "#"]


def number_of(text: str) -> float:
    """Return the number in a cell, 1 or 0 for a Boolean."""
    text = text.strip()
    return _BOOLEANS[text.lower()] if text.lower() in _BOOLEANS else float(text)


def is_number(cell: str) -> bool:
    """Whether a cell is a number, with a decimal point or a decimal comma."""
    try:
        number_of(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def is_usual(name: str, dimension: Dimension, *, alone: bool = False) -> bool:
    """Whether the name of a column is a usual name of a time or an acceleration.

    A unit may follow. If `alone`, other words may not follow.
    """
    bare = name_without_unit((re.split(r"[\[({]", name)[0] if alone else name).strip(), dimension)
    end = "$" if alone else r"\b(?!\w)"
    return re.match(rf"({USUAL_NAMES[dimension]}){end}", bare, re.IGNORECASE) is not None


def missing_unit(peak: float, remedy: str) -> list[str]:
    """Return a warning if the peak of an acceleration without a unit suggests another than m/s2.

    `remedy` may contain `{unit}`.
    """
    # Peaks in m/s2 are seldom below 2 or above 50. Peaks in g and cm/s2 often are.
    for unit, suspicious in (("g", 0.0 < peak < 2.0), ("cm/s2", peak > 50.0)):
        if suspicious:
            return [
                f"the file does not contain a unit and its peak is {peak:.3g}. The unit is assumed "
                f"to be m/s2: if it is {unit}, {remedy.format(unit=unit)}"
            ]
    return []


def cells_of(line: str, delimiter: str | None) -> tuple[str, ...]:
    """Return the cells of a row. Text in quotation marks is a single cell."""
    if delimiter is None or '"' in line:
        row = next(csv.reader([line], delimiter=delimiter or " ", skipinitialspace=True), [])
        return tuple(cell.strip() for cell in row)
    return tuple(cell.strip() for cell in line.split(delimiter))


def torn_row(cells: tuple[str, ...], count: int) -> str | None:
    """Return the problem of a row without a cell for each column, or `None`.

    A separator after the last cell is allowed.
    """
    if len(cells) == count or (len(cells) == count + 1 and not cells[-1]):
        return None
    return TORN_ROW.format(cells=len(cells), columns=count)


def header_cells(line: str, delimiter: str | None, count: int) -> tuple[str, ...]:
    """Return the cells of a row of names, in which brackets and units may follow blanks."""
    cells = cells_of(line, delimiter)
    if delimiter is not None or len(cells) == count:
        return cells
    joined: list[str] = []
    for cell in _BLANKS_OUTSIDE_BRACKETS.findall(line):
        is_unit = cell[0] in "[({" or unit_of_text(cell) is not None
        if joined and is_unit:
            joined[-1] += f" {cell}"
        else:
            joined.append(cell)
    bracketed = [cell.strip() for cell in re.findall(r".*?[\])}]+(?=\s|$)", line)]
    for whole in (joined, bracketed):
        if len(whole) == count and " ".join(" ".join(whole).split()) == " ".join(line.split()):
            return tuple(whole)
    return cells
