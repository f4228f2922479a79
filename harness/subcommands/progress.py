"""Progress of long computations on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown_progress(*, its_own: bool = False) -> Iterator[Callable[[str, float], None]]:
    """Yield a function that shows the completed fraction of a task with a name.

    The display is removed at the end, and does not appear in a pipe. A pipe receives an estimate of
    the remaining time of a long task, unless the caller prints `its_own` estimate.
    """
    from rich.progress import Progress

    from harness.console import text_console

    console = text_console(stderr=True)
    tasks = {}
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:

        def advance(name: str, done: float) -> None:
            if name not in tasks:
                estimate = first_estimate(100.0, f"% of {name}")
                tasks[name] = bar.add_task(name, total=1.0), estimate
            task, estimate = tasks[name]
            bar.update(task, completed=done)
            if not its_own:
                estimate(100.0 * done)

        yield advance


@contextmanager
def shown_count(title: str, total: int, noun: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that shows a completed number, with an estimate of the remaining time.

    There are `total` items of the plural `noun`. If a number is repeated, other processes continue
    the work, and the estimate restarts.
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
        of = f"of {total} {noun}"
        estimate = first_estimate(total, of)
        last = -1

        def progressed(done: int) -> None:
            nonlocal estimate, last
            if done == last:
                estimate = first_estimate(total, of)
            last = done
            bar.update(task, completed=done)
            estimate(done)

        yield progressed


# Shorter remaining times [s] are not printed. Estimates require this computing time [s].
_SHORT = 60.0
_KNOWN_AFTER = 5.0


def first_estimate(total: float, of: str) -> Callable[[float], None]:
    """Return a function that prints the remaining time of a long computation once, on stderr.

    It is called with the completed part of `total`, first with the part of an earlier run or 0.
    Unlike the display on a terminal, the line remains in logs. `of` completes the line, as in
    "% of quake.csv".
    """
    # Time and completed part of the first call, of the first result and of the estimate.
    marks: list[tuple[float, float]] = []

    def estimate(done: float) -> None:
        now = time.monotonic()
        # The time before the first result, such as compilation, is not included.
        if len(marks) < 2:
            if not marks or done > marks[0][1]:
                marks.append((now, done))
            return
        start, before = marks[1]
        if len(marks) > 2 or now - start < _KNOWN_AFTER or done <= before:
            return
        marks.append((now, done))
        left = (now - start) / (done - before) * (total - done)
        if left > _SHORT:
            shown = f"{left / 60.0:.0f} min" if left < 5400.0 else f"{left / 3600.0:.1f} h"
            print(f"{done:.0f} {of} done, remaining time about {shown}", file=sys.stderr)

    return estimate
