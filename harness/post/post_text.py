"""Prints the statistics of a result file: columns and settings, then tables in 80 columns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Column
from rich.table import Table as TextTable

from harness.console import text_table
from harness.post.statistics import PostResult
from wearmodel.statistics import Cell, ShockStatistics, Table

# Maximum number of printed rows. --csv writes all rows.
_MOST_ROWS = 40
# Width of a console for tables of any width.
_ANY_WIDTH = 10_000
# Columns of the operator that are empty for a single shock node.
_LEFT_EMPTY = ("NOEUD", "CMP")


def print_post(result: PostResult, tables: dict[str, Table], console: Console) -> None:
    """Print columns and settings, then all tables."""
    file, statistics = result.file, result.statistics
    settings = statistics.settings
    console.print(f"{file.path}: {result.grid.described()}", soft_wrap=True)
    for note in file.table.notes:
        console.print(note, soft_wrap=True)
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
    for line in (*result.grid.warnings(), *_velocity_warnings(statistics)):
        console.print(f"warning: {line}", soft_wrap=True, style="yellow")
    print_tables(tables, console)
    if "archard" in tables and len(tables["archard"].rows) > 1:
        console.print(
            "Service years are extrapolated. This assumes that the motion of the window "
            "continues, and that wear does not change gap, stiffness or coefficient."
        )


def _velocity_warnings(statistics: ShockStatistics) -> Iterator[str]:
    """Yield a warning about shocks whose mass moves away from the plane when they begin."""
    shocks = () if statistics.impact is None else statistics.impact.shocks
    leaving = sum(shock.impact_velocity > 0.0 for shock in shocks)
    if 2 * leaving > len(shocks):
        yield (
            f"V_IMPACT is positive in {leaving} of {len(shocks)} shocks: normal_velocity must be "
            "negative while the mass approaches: change its sign in the file"
        )


def print_tables(tables: Mapping[str, Table], console: Console) -> None:
    """Print tables of statistics, with a separate table for rows with the same columns."""
    for table in tables.values():
        console.print(f"\n{table.title}", style="bold")
        for number, (columns, rows) in enumerate(itertools.groupby(table.rows, key=tuple)):
            if number:
                console.print()
            shown = [column for column in columns if column not in _LEFT_EMPTY]
            group = [{column: row[column] for column in shown} for row in rows]
            _print_group(table.title, group, console)


def _print_group(title: str, rows: list[dict[str, Cell]], console: Console) -> None:
    """Print rows below each other, or as columns if they are too wide for the console."""
    shown = rows[:_MOST_ROWS]
    names = {row.get("CALCUL", title) for row in shown}
    columns = list(shown[0])
    if len(names) == 1:
        # A name common to all rows becomes a heading.
        columns = [column for column in columns if column != "CALCUL"]
    below = _text_table(columns, [[printed(row[column]) for column in columns] for row in shown])
    if _width(below, console) <= console.width:
        if len(names) == 1 and title not in names:
            console.print(*names)
        console.print(below)
    else:
        header, *lines = zip(*(map(printed, row.values()) for row in shown), strict=True)
        first, *others = shown[0]
        side_by_side = [[name, *cells] for name, cells in zip(others, lines, strict=True)]
        console.print(_text_table([first, *header], side_by_side))
    if len(rows) > len(shown):
        console.print(f"… and {len(rows) - len(shown)} more rows, written by --csv and --json")


def _text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> TextTable:
    columns = (
        Column(name, justify="left" if name in ("CALCUL", "span") else "right") for name in header
    )
    return text_table(*columns, rows=rows, dense=True)


def _width(table: TextTable, console: Console) -> int:
    free = console.options.update(max_width=_ANY_WIDTH)
    return Measurement.get(console, free, table).maximum


def printed(cell: Cell, missing: str = "-") -> str:
    """Return a cell as text with six digits, or a text for a missing value."""
    if cell is None:
        return missing
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
