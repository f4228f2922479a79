"""What stands above the columns of a text file: the names of the columns, and their units.

Every reader of columns finds names and units by these rules. Units are those of `wearmodel.units`.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

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
"""Names of columns by their quantity, as patterns without regard to capitals."""
MOST_SHOWN = 40
_BOOLEANS = {"true": 1.0, "false": 0.0}
_BLANKS_OUTSIDE_BRACKETS = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|[^\s\[(]|[\[(])+")


@dataclass(frozen=True)
class TableHeader:
    """Rows of names and units above the columns of a file.

    Parameters
    ----------
    rows : tuple of tuple of str
        Cells of the rows of names and units; empty without any.
    column_count : int
        Cells in a row of numbers.
    source : str
        What was read, for messages.
    remark : str
        The last line that starts with #, above the rows, where it is no row of names.
    """

    rows: tuple[tuple[str, ...], ...]
    column_count: int
    source: str
    remark: str = ""

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns, empty where no row above has one for each."""
        rows = self._whole_rows()
        return rows[0] if rows else ()

    def unit(self, number: int, dimension: Dimension) -> tuple[Unit, str] | None:
        """Return the unit that stands above a column, counted from 1, and the words that say so.

        None where nothing does. What is there and cannot be understood is never passed over.

        Raises
        ------
        ValueError
            There is a unit, and it is not known, or that of another quantity; or there are two.
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
            raise ValueError(f"{self.source}, column {number}: {texts} name two units")
        if units:
            return units[0]
        torn = [" ".join(row) for row in self.rows if len(row) != self.column_count or "" in row]
        for text in (*torn, self.remark):
            unit = unit_in_words(text, dimension)
            if unit is not None:
                return unit, text
        return None

    def _whole_rows(self) -> list[tuple[str, ...]]:
        """Return the rows above that have a cell for each column."""
        return [row for row in self.rows if len(row) == self.column_count]


def rows_of_numbers(lines: list[str]) -> list[str]:
    """Return the lines that are neither empty nor comments."""
    return [line for line in lines if (bare := line.lstrip()) and bare[0] != "#"]


def number_of(text: str) -> float:
    """Return the number in a cell; a Boolean is 1 or 0."""
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
    """Whether a column is named as a time or as an acceleration, with its unit or without.

    If `alone`, no other words may follow the usual name.
    """
    bare = name_without_unit((re.split(r"[\[({]", name)[0] if alone else name).strip(), dimension)
    end = "$" if alone else r"\b(?!\w)"
    return re.match(rf"({USUAL_NAMES[dimension]}){end}", bare, re.IGNORECASE) is not None


def cells_of(line: str, delimiter: str | None) -> tuple[str, ...]:
    """Return the cells of a row; what stands in quotation marks is one cell."""
    if delimiter is not None and '"' in line:
        row = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
        return tuple(cell.strip() for cell in row)
    return tuple(cell.strip().strip('"') for cell in line.split(delimiter))


def torn_row(cells: tuple[str, ...], count: int) -> str | None:
    """Return why a row has not one cell for each column; None where it has.

    A mark behind the last cell opens no column.
    """
    if len(cells) == count or (len(cells) == count + 1 and not cells[-1]):
        return None
    return (
        f"has {len(cells)} cell(s) but the table has {count} column(s): each row must have one "
        "cell for each column; correct the row, or the names above the numbers"
    )


def header_cells(line: str, delimiter: str | None, count: int) -> tuple[str, ...]:
    """Return the cells of a row of names; blanks within a name are told by brackets and units."""
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
