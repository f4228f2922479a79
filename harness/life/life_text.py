"""A life as a table for people: 80 columns."""

from __future__ import annotations

import math

from rich.console import Console
from rich.table import Column

from harness.console import text_table
from harness.life.life_run import LifeResult, LifeState
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

# A table of more lines is not read: of many states as many as this are shown.
_MOST_LINES = 12


def print_life(result: LifeResult, console: Console, *, verbose: bool) -> None:
    """Print the states, the answer to the criterion, and what the bars hold.

    Parameters
    ----------
    result : LifeResult
        What came out.
    console : Console
        Where to.
    verbose : bool
        All states, where there are many.
    """
    life = result.life
    has_gap = result.states[0].gap is not None
    columns = ["time\n[years]", "power\n[mW]", "volume\n[mm3]", "depth\n[um]"]
    columns += ["gap\n[um]"] if has_gap else []
    table = text_table(*(Column(name, justify="right", no_wrap=True) for name in columns))
    for state in result.states if verbose else _some(result.states):
        cells = [
            f"{state.time / SECONDS_PER_YEAR:.4g}",
            with_bar(1e3 * state.power, 1e3 * state.power_bar),
            with_bar(1e9 * state.volume, 1e9 * state.volume_bar),
            with_bar(1e6 * state.depth, 1e6 * state.depth_bar),
        ]
        if state.gap is not None and state.gap_bar is not None:
            cells.append(with_bar(1e6 * state.gap, 1e6 * state.gap_bar))
        table.add_row(*cells)
    console.print(table)
    for note in life.notes:
        console.print(f"note: {note}", soft_wrap=True, style="yellow")
    for line in answers(result):
        console.print(line, soft_wrap=True)


def answers(result: LifeResult) -> list[str]:
    """Return what a life answers, a line each: the depth at the end, the criterion, the runs."""
    life, last = result.life, result.states[-1]
    lines = [
        f"{with_bar(1e6 * last.depth, 1e6 * last.depth_bar)} um deep after {life.years:g} years"
    ]
    crossing, criterion = result.crossing, life.criterion
    if crossing is not None and criterion is not None:
        limit = (
            f"depth {1e6 * criterion.limit:g} um"
            if criterion.variable == "depth"
            else f"volume {1e9 * criterion.limit:g} mm3"
        )
        earliest, latest = _years(crossing.earliest), _years(crossing.latest)
        if math.isfinite(crossing.time):
            lines.append(
                f"{limit} after {_years(crossing.time)} years, between {earliest} and {latest}"
            )
        elif math.isfinite(crossing.earliest):
            lines.append(f"{limit} is not expected, but possible after {earliest} years")
        else:
            lines.append(f"{limit} is not reached in {life.years:g} years")
    resumed = f" ({result.resumed} of them before)" if result.resumed else ""
    lines.append(
        f"{len(life.motions)} motion{'s' if len(life.motions) > 1 else ''} run at {result.runs}"
        f" depths{resumed}; the bars hold the chance of the runs, the error of the jumps and the"
        f" error of the step ({_step_text(result)}), not the scatter of the coefficient"
    )
    return lines


def _step_text(result: LifeResult) -> str:
    if math.isinf(result.step_share):
        return "at half the step there is wear at the first depth"
    return f"half of it changes the first wear power by {100.0 * result.step_share:.2g} %"


def with_bar(value: float, bar: float) -> str:
    """Return a number and its bar, to two digits of the bar and as many of the number."""
    if bar == 0.0:
        return f"{value:.4g}"
    decimals = max(0, 1 - math.floor(math.log10(bar)))
    return f"{value:.{min(decimals, 9)}f} ± {bar:.{min(decimals, 9)}f}"


def _some(states: tuple[LifeState, ...]) -> list[LifeState]:
    """Return states nearly evenly spread over the time, with the first and the last."""
    if len(states) <= _MOST_LINES:
        return list(states)
    chosen: list[LifeState] = []
    end = states[-1].time
    for state in states:
        if state.time >= len(chosen) * end / (_MOST_LINES - 1) * (1.0 - 1e-9):
            chosen.append(state)
    return chosen if chosen[-1] is states[-1] else [*chosen, states[-1]]


def _years(time: float) -> str:
    return f"{time / SECONDS_PER_YEAR:.3g}" if math.isfinite(time) else "never"
