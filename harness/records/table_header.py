"""What stands above the columns of a text file: the names of the columns, and their units.

Every reader of columns finds names and units by these rules. Units are those of `wearmodel.units`.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from wearmodel.units import (
    Dimension,
    Unit,
    bracketed_texts,
    require_unit,
    unit_in_name,
    unit_in_words,
    unit_of_text,
)

_DECLARATION = "sep="
_BLANKS_OUTSIDE_BRACKETS = re.compile(r"(?:\[[^\]]*\]|\([^)]*\)|[^\s\[(]|[\[(])+")
# A number, by what shows that digits are missing: its decimals and its exponent.
_NUMBER = re.compile(r"[-+]?\d*(?P<decimals>[.,]\d*)?(?P<exponent>[eE][-+]?\d*)?")
# Rows of numbers before the last that must agree for their form to be a rule.
_ALIKE = 8
WHOLE, CUT, UNKNOWN = range(3)


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


def declared_delimiter(line: str) -> str | None:
    """Return the X of Excel's first line ``sep=X``, None for any other line."""
    text = line.strip('\r\n"')
    mark = text[len(_DECLARATION) :]
    is_declaration = text.lower().startswith(_DECLARATION) and len(mark) == 1 and mark != " "
    return mark if is_declaration else None


def is_header(cells: tuple[str, ...]) -> bool:
    """True where no cell is a number, so that a mistyped number is not taken for a name."""
    for cell in cells:
        try:
            float(cell.replace(",", "."))
        except ValueError:
            continue
        return False
    return True


def delimiter_of(line: str, marks: tuple[str, ...]) -> str | None:
    """Return the first of some marks that a line holds, None for blanks."""
    for mark in marks:
        if mark in line:
            return mark
    return None


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


def ending(last: str, before: list[str], delimiter: str | None) -> int:
    """Tell whether the last line of a file, which no end of line follows, is all of it.

    It is cut where it has fewer cells than the rows before it, or where the numbers in their last
    cells are all written with as many decimals, and with an exponent as long, and its own is not.
    It is whole where these agree and there are decimals, or where a delimiter or a blank follows
    the number. Of numbers that are written as short as they can be nothing can be known.

    Parameters
    ----------
    last
        The line.
    before
        Rows of numbers before it.
    delimiter
        What parts the columns; None for blanks.

    Returns
    -------
    int
        WHOLE, CUT or UNKNOWN.
    """
    cells = cells_of(last.strip(), delimiter)
    rows = [cells_of(row.strip(), delimiter) for row in before]
    if rows and (len(cells) < len(rows[-1]) or (rows[-1][-1] and not cells[-1])):
        return CUT
    if last[-1:].isspace() or (delimiter is not None and last.endswith(delimiter)):
        return WHOLE
    forms = {_form(row[-1]) for row in rows}
    if len(rows) < _ALIKE or len(forms) != 1 or None in forms:
        return UNKNOWN
    own = _form(cells[-1])
    if own not in forms:
        return CUT
    return WHOLE if own is not None and own != (0, 0) else UNKNOWN


def _form(cell: str) -> tuple[int, int] | None:
    """Return how long decimals and exponent of a number are; None for what is no number."""
    match = _NUMBER.fullmatch(cell)
    if match is None or not cell:
        return None
    exponent = match["exponent"] or ""
    return len(match["decimals"] or ""), len(exponent.lower().replace("+", "").replace("-", ""))


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
