"""What people read on a terminal or in a pipe: a console of 80 columns, and the form of tables."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Column, Table

# What a pipe or a file gets; a terminal gets its own width.
_PLAIN_WIDTH = 80


class _PipedConsole(Console):
    """A console that leaves it to the command line what to do where nobody reads any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def text_console(*, stderr: bool = False) -> Console:
    """Return a console that wraps at 80 columns when it does not write to a terminal."""
    console = _PipedConsole(stderr=stderr, highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    return console


def text_table(*columns: Column | str, dense: bool = False) -> Table:
    """Return an empty table with a line below its header; dense, a blank parts its columns."""
    return Table(
        *columns,
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=0 if dense else (0, 1),
        collapse_padding=True,
    )
