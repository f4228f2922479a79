"""The bars that show on a terminal how far long work is."""

from __future__ import annotations

import sys
import time
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


@contextmanager
def shown_count(title: str, total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that moves a bar to a number done, and says how long the rest will take.

    There are `total` of `what`, a plural. If the number is the same again, other processes go on
    with the work: the estimate starts anew.
    """
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    from harness.console import text_console

    console = text_console(stderr=True)
    with Progress(
        *Progress.get_default_columns()[:-1],
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(title, total=total)
        estimate = first_estimate(total, what)
        last = -1

        def progressed(done: int) -> None:
            nonlocal estimate, last
            if done == last:
                estimate = first_estimate(total, what)
            last = done
            bar.update(task, completed=done)
            estimate(done)

        yield progressed


# s: of work whose end is nearer nobody need be told; and before it is told how long it will take.
_SHORT = 60.0
_KNOWN_AFTER = 5.0


def first_estimate(total: int, what: str) -> Callable[[int], None]:
    """Return a function that says once, on stderr, how long the rest of long work will take.

    It is called with the number done of `total`, first with that of an earlier run or 0. A bar
    shows that on a terminal; this stays in a log too. `what` is a plural.
    """
    first: int | None = None
    began: list[tuple[float, int]] = []

    def told(done: int) -> None:
        nonlocal first
        now = time.monotonic()
        if first is None:
            first = done
        if not began:
            # What came before the first result, such as compiling, says nothing of the rest.
            if done > first:
                began.append((now, done))
            return
        start, before = began[0]
        if before < 0 or now - start < _KNOWN_AFTER or done <= before:
            return
        left = (now - start) / (done - before) * (total - done)
        began[0] = (start, -1)
        if left > _SHORT:
            shown = f"{left / 60.0:.0f} min" if left < 5400.0 else f"{left / 3600.0:.1f} h"
            print(f"{done} of {total} {what} done; the rest takes about {shown}", file=sys.stderr)

    return told
