"""Prints the statistics of a result file for people: what was read, then tables in 80 columns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as TextTable

from harness.post import PostResult
from wearmodel.statistics import Table
from wearmodel.statistics.tables import Cell

# A record of hours has as many shocks; people read the first ones, --csv has all.
_MOST_ROWS = 40
# Of a console on which no table is too wide.
_ANY_WIDTH = 10_000
# What a table's title or CALCUL says already, or the operator fills and we leave empty.
_TOLD_ELSEWHERE = ("NOEUD", "CMP")


def print_post(result: PostResult, tables: dict[str, Table], console: Console) -> None:
    """Print what was read and under which settings, then all tables."""
    file, statistics = result.file, result.statistics
    settings = statistics.settings
    console.print(f"{file.path}: {result.grid.described()}", soft_wrap=True)
    console.print(
        "columns: "
        + ", ".join(
            quantity if quantity == column else f"{quantity} from {column}"
            for quantity, column in file.columns.items()
        )
    )
    console.print(
        f"window [{statistics.window_start:.10g}, {statistics.window_end:.10g}] s of "
        f"{statistics.sample_count} samples, {settings.reading} reading, threshold "
        f"{settings.force_threshold:g} N, rest {settings.rest_time:g} s, "
        f"blocks {settings.block_count}; SI units, angles in degrees"
    )
    for table in tables.values():
        console.print(f"\n{table.title}", style="bold")
        for number, group in enumerate(_groups(table)):
            if number:
                console.print()
            _print_group(group, console)


def _groups(table: Table) -> Iterator[list[dict[str, Cell]]]:
    """Rows that fill the same columns."""
    for columns, rows in itertools.groupby(table.rows, key=tuple):
        shown = [column for column in columns if column not in _TOLD_ELSEWHERE]
        yield [{column: row[column] for column in shown} for row in rows]


def _print_group(rows: list[dict[str, Cell]], console: Console) -> None:
    shown = rows[:_MOST_ROWS]
    lines = [list(shown[0]), *([_printed(cell) for cell in row.values()] for row in shown)]
    table = _text_table(lines)
    free = console.options.update(max_width=_ANY_WIDTH)
    if Measurement.get(console, free, table).maximum > console.width:
        table = _text_table([list(line) for line in zip(*lines, strict=True)])
    console.print(table)
    if len(rows) > len(shown):
        console.print(f"… and {len(rows) - len(shown)} rows more, which --csv and --json write")


def _text_table(lines: list[list[str]]) -> TextTable:
    """Lay out a header line and rows; what is too wide is turned by the caller."""
    header, *rows = lines
    table = TextTable(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1),
        collapse_padding=True,
    )
    for name in header:
        table.add_column(name, justify="left" if name in ("CALCUL", "span") else "right")
    for row in rows:
        table.add_row(*row)
    return table


def _printed(cell: Cell) -> str:
    if cell is None:
        return "-"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
