"""The bars that show on a terminal how far long work is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown_progress() -> Iterator[Callable[[str, float], None]]:
    """Yield a function that moves a task's bar, by the task's name, to a fraction done.

    The bars vanish at the end; in a pipe there are none.
    """
    from rich.progress import Progress

    from harness.console import text_console

    console = text_console(stderr=True)
    tasks = {}
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:

        def advance(name: str, done: float) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name, total=1.0)
            bar.update(tasks[name], completed=done)

        yield advance
