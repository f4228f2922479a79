"""Text on a terminal or in a pipe: a console of 80 columns, and the style of tables."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Column, Table

# Width for a pipe or a file. A terminal has its own width.
_PLAIN_WIDTH = 80


class _PipedConsole(Console):
    """Console that lets the command line handle a closed pipe."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def text_console(*, stderr: bool = False) -> Console:
    """Return a console that wraps at 80 columns when it does not write to a terminal."""
    console = _PipedConsole(stderr=stderr, highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    return console


def text_table(
    *columns: Column | str, rows: Iterable[Iterable[str]] = (), dense: bool = False
) -> Table:
    """Return a table with a line below its header, and columns separated by 1 or 2 blanks."""
    table = Table(
        *columns,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=0 if dense else (0, 1),
        collapse_padding=True,
    )
    for row in rows:
        table.add_row(*row)
    return table


def number_columns(*heads: str, no_wrap: bool = False) -> list[Column]:
    """Return columns of numbers, which are aligned at the right."""
    return [Column(head, justify="right", no_wrap=no_wrap) for head in heads]
