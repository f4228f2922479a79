"""Random tables with known numbers in the formats of pandas and spreadsheets.

A format applies to a whole table, like an option of `to_csv` or a setting of a spreadsheet. Numbers
such as ``1,234`` are not drawn. Their comma or point can be a decimal mark or a mark of thousands,
so their meaning does not follow from the file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import pandas

_UNITS = {"m/s2": 1.0, "m/s²": 1.0, "g": 9.80665, "cm/s2": 0.01, "gal": 0.01, "mm/s2": 0.001}
_TIMES = {"s": 1.0, "ms": 0.001}


@dataclass(frozen=True)
class WrittenTable:
    """Content of a file and its numbers: times and columns as written, and their units.

    A factor is None if the header does not contain the unit of that column.
    """

    content: bytes
    columns: tuple[tuple[float, ...], ...]
    time_factor: float | None = None
    factor: float | None = None
    #: Number of the time column, from 1.
    time_number: int = 1


def written_table(random: Random) -> WrittenTable:
    """Draw a table."""
    return random.choice((_by_pandas, _by_spreadsheet))(random)


def _numbers(random: Random, count: int, columns: int) -> list[list[float]]:
    """Return increasing times, and values of equal magnitude in each column."""
    step = random.choice((0.005, 0.01, 0.5, 1.0, 2.5e-5))
    start = random.choice((0.0, 0.0, 1.0, -0.5, 1000.0))
    values = [[start + step * at for at in range(count)]]
    for _ in range(columns - 1):
        size = 10.0 ** random.randint(-6, 6)
        values.append([random.uniform(-size, size) for _ in range(count)])
    return values


def _names(random: Random, columns: int) -> tuple[list[str], str, str]:
    """Return names of time and quantities, and the units of the time and of the first quantity."""
    time = random.choice(("time", "Time", "t", "Zeit", "temps"))
    names = [time, random.choice(("acceleration", "acc", "a", "Beschleunigung"))]
    names += [f"sensor {at}" for at in range(2, columns)]
    unit = random.choice(list(_UNITS)) if random.random() < 0.5 else ""
    time_unit = random.choice(list(_TIMES)) if unit and random.random() < 0.7 else ""
    return names, time_unit, unit


def _with_unit(random: Random, name: str, unit: str) -> str:
    if not unit:
        return name
    return random.choice(("{} [{}]", "{} ({})", "{}[{}]")).format(name, unit)


def _encoded(random: Random, text: str, encodings: Sequence[str]) -> bytes:
    encoding = random.choice([name for name in encodings if _can_encode(text, name)])
    return text.encode(encoding)


def _can_encode(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _by_pandas(random: Random) -> WrittenTable:
    """Write a table by `DataFrame.to_csv` with random options."""
    columns, count = random.randint(2, 5), random.randint(3, 12)
    values = _numbers(random, count, columns)
    names, time_unit, unit = _names(random, columns)
    header = [
        _with_unit(random, names[0], time_unit),
        _with_unit(random, names[1], unit),
        *names[2:],
    ]
    frame = pandas.DataFrame(dict(zip(header, values, strict=True)))
    separator = random.choice((",", ",", ";", "\t", " "))
    if separator == " ":
        frame.columns = [name.replace(" ", "_") for name in header]
    decimal = random.choice((".", ",")) if separator in ";\t" else "."
    form = random.choice((None, "%.9f", "%.6e", "%.17g", "%.12g"))
    has_header = random.random() < 0.85
    index = random.choice((None, None, None, "", "sample"))
    text = frame.to_csv(
        sep=separator,
        decimal=decimal,
        float_format=form,
        header=has_header,
        index=index is not None,
        index_label=index,
        quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
        lineterminator=random.choice(("\n", "\r\n")),
    )
    if random.random() < 0.2:
        text = f"# made by a program{random.choice(('', ', version 2'))}\n" + text
    written = [[float(form % v) if form else v for v in column] for column in values]
    return WrittenTable(
        _encoded(random, text, ("utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252")),
        tuple(map(tuple, written)),
        _TIMES[time_unit] if has_header and time_unit else None,
        _UNITS[unit] if has_header and unit else None,
        1 if index is None else 2,
    )


def _grouped(mark: str, point: str) -> Callable[[str], str]:
    """Return a function that adds marks of thousands and replaces the decimal point."""

    def write(number: str) -> str:
        whole, _, decimals = number.partition(".")
        sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
        return f"{sign}{int(digits):,}".replace(",", mark) + point + decimals

    return write


def _by_spreadsheet(random: Random) -> WrittenTable:
    """Write a table like a spreadsheet with the number formats of a country."""
    columns, count = random.randint(2, 5), random.randint(3, 12)
    values = _numbers(random, count, columns)
    names, time_unit, unit = _names(random, columns)
    point, separators = random.choice(((".", (",", "\t", ";", " ")), (",", (";", "\t", " "))))
    separator = random.choice(separators)
    decimals = random.choice((2, 4, 6))
    fixed = [[f"{v:.{decimals}f}" for v in column] for column in values]
    # Equal times are rejected.
    fixed[0] = [f"{v:.6f}" for v in values[0]]
    known = tuple(tuple(map(float, column)) for column in fixed)
    mark = random.choice(
        ("", "", "", ",", ".", "'", " ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}")
    )
    if mark == point:
        mark = ""
    write = _grouped(mark, point)
    if random.random() < 0.2:
        known = tuple(tuple(float(f"{v:.5e}") for v in column) for column in values)
        cells = [[f"{v:.5E}".replace(".", point) for v in column] for column in values]
    else:
        cells = [[write(number) for number in column] for column in fixed]
    if random.random() < 0.1:
        # Negative values are in parentheses.
        cells = [[f"({c[1:]})" if c.startswith("-") else c for c in column] for column in cells]
    rows = [list(row) for row in zip(*cells, strict=True)]
    head = random.choice(("names", "names", "units in names", "row of units", "none"))
    top: list[list[str]] = []
    if random.random() < 0.2:
        top += [["Measurement of Tuesday"], *([[""]] if random.random() < 0.5 else [])]
    if head == "units in names":
        top.append([f"{names[0]} [{time_unit}]" if time_unit else names[0]])
        top[-1] += [f"{names[1]} [{unit}]" if unit else names[1], *names[2:]]
    elif head != "none":
        top.append(names)
    if head == "row of units" and unit and time_unit:
        # If blanks separate cells, an empty cell is invisible.
        top.append([time_unit, unit, *["-" if separator == " " else ""] * (columns - 2)])
    trailing = random.random() < 0.15
    if trailing:
        # An empty column after the last one.
        rows = [[*row, ""] for row in rows]
        top = [[*row, ""] if len(row) > 1 else row for row in top]
    if random.random() < 0.1:
        rows.insert(random.randint(0, len(rows)), [])
    if random.random() < 0.1:
        rows += [[], []]
    if random.random() < 0.05:
        rows.insert(random.randint(1, len(rows)), ["# paused"])
    stream = io.StringIO()
    writer = csv.writer(
        stream,
        delimiter=separator,
        lineterminator=random.choice(("\r\n", "\n")),
        quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
    )
    writer.writerows([*top, *rows])
    text = stream.getvalue()
    if random.random() < 0.1:
        text = text.rstrip("\r\n")
    in_names = head == "units in names" or (head == "row of units" and bool(unit and time_unit))
    return WrittenTable(
        _encoded(random, text, ("utf-8", "utf-8-sig", "utf-16", "cp1252")),
        known,
        _TIMES[time_unit] if in_names and time_unit else None,
        _UNITS[unit] if in_names and unit else None,
    )


def is_same(read: np.ndarray, known: Sequence[float]) -> bool:
    """Whether two columns have equal numbers, bit by bit."""
    return bool(np.array_equal(read, np.array(known)))
