"""A life as a table for people: 80 columns."""

from __future__ import annotations

import math

from rich.console import Console
from rich.table import Column, Table

from harness.case.mean_until import CONFIRMING_LENGTHS
from harness.console import text_table
from harness.life.life_run import ContactLife, LifeResult, LifeState
from harness.life.worn_sectors import WornSectors
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

# A table of more lines is not read: of many states as many as this are shown.
_MOST_LINES = 12
# A bar so many times as long as its number tells no digit of it.
_MUCH = 10.0


def print_life(result: LifeResult, console: Console, *, verbose: bool) -> None:
    """Print the states, the answer to the criterion, and what the error bars cover.

    Of many states some are printed, and all of them if `verbose`.
    """
    if len(result.contacts) > 1:
        console.print(_contacts_table(result, verbose=verbose))
    else:
        console.print(_table(result.contacts[0], verbose=verbose))
    for line in answers(result):
        console.print(line, soft_wrap=True)


def _table(contact: ContactLife, *, verbose: bool) -> Table:
    has_gap = contact.states[0].gap is not None
    columns = ["time\n[years]", "power\n[mW]", "volume\n[mm3]", "depth\n[um]"]
    columns += ["gap\n[um]"] if has_gap else []
    table = text_table(*(Column(name, justify="right", no_wrap=True) for name in columns))
    for state in contact.states if verbose else _some(contact.states):
        cells = [
            f"{state.time / SECONDS_PER_YEAR:.4g}",
            with_bar(1e3 * state.power, 1e3 * state.power_bar),
            with_bar(1e9 * state.volume, 1e9 * state.volume_bar),
            _depth(state),
        ]
        if state.gap is not None and state.gap_bar is not None:
            cells.append(with_bar(1e6 * state.gap, 1e6 * state.gap_bar))
        table.add_row(*cells)
    return table


def _contacts_table(result: LifeResult, *, verbose: bool) -> Table:
    """Depths of all contacts [um] over the years: a column each while there is room."""
    columns = [f"{contact.contact}\n[um]" for contact in result.contacts]
    table = text_table(*(Column(name, justify="right") for name in ("time\n[years]", *columns)))
    longest = max((contact.states for contact in result.contacts), key=len)
    for number in _numbers(longest, verbose=verbose):
        cells = [
            _depth(contact.states[number]) if number < len(contact.states) else "not known"
            for contact in result.contacts
        ]
        table.add_row(f"{longest[number].time / SECONDS_PER_YEAR:.4g}", *cells)
    return table


def _depth(state: LifeState) -> str:
    if math.isinf(state.depth_upper):
        return "not known"
    return with_bar(1e6 * state.depth, 1e6 * state.depth_bar)


def answers(result: LifeResult) -> list[str]:
    """Return what a life answers: depths at the end, the criterion, what is not known, the runs."""
    life = result.life
    lines = [
        f"{contact.contact}: {contact.misfit}" for contact in result.contacts if contact.misfit
    ]
    if result.valid_for < life.slowest:
        lines.append(
            f"not known for processes as slow as {life.slowest:g} s: this needs runs of"
            f" {CONFIRMING_LENGTHS * life.slowest:g} s. Use a longer stop_time"
        )
    for contact in sorted(result.contacts, key=lambda contact: contact is not result.first):
        lines += _contact_answers(result, contact)
    resumed = f" ({result.resumed} of them before)" if result.resumed else ""
    scatter = "they do not cover the scatter of the coefficient"
    if life.law.factor > 1.0:
        scatter = (
            f"from … to … also covers the scatter of the coefficient, a factor of"
            f" {life.law.factor:g}"
        )
    if math.isfinite(result.valid_for):
        lines.append(f"valid for processes faster than {result.valid_for:.3g} s")
    lines.append(
        f"{len(life.motions)} motion{'s' if len(life.motions) > 1 else ''} run at {result.runs}"
        f" depths{resumed}{_apart(result.first)}; error bars cover sampling scatter, extrapolation"
        f" error and the error of the step ({_step_text(result)}); {scatter}"
    )
    return lines


def _contact_answers(result: LifeResult, contact: ContactLife) -> list[str]:
    life, last = result.life, contact.states[-1]
    of = f"{contact.contact}: " if contact.contact and len(result.contacts) > 1 else ""
    unknown = contact.not_known
    lines = []
    if math.isinf(last.depth_upper) and unknown is not None:
        lines.append(f"{of}depth after {life.years:g} years not known")
    else:
        depth = with_bar(1e6 * last.depth, 1e6 * last.depth_bar)
        parts = (last.depth_chance_bar, last.depth_jump_bar, last.depth_step_bar)
        split = ", ".join(
            f"{name} {1e6 * part:.2g}"
            for name, part in zip(("sampling", "extrapolation", "step"), parts, strict=True)
        )
        text = f"{of}{depth} um deep after {life.years:g} years (error bar in um: {split})"
        if life.law.factor > 1.0:
            text += (
                f"; from {1e6 * last.depth_lower:.3g} to {1e6 * last.depth_upper:.3g} um with the"
                " coefficient's scatter"
            )
        elif last.depth_bar > last.depth > 0.0:
            text += f"; at least {1e6 * last.depth_lower:.3g} um, as before the bar grew so long"
        lines.append(text)
    if unknown is not None:
        needed = "how long a run must last cannot be told"
        if unknown.time_needed is not None:
            needed = f"a run of about {unknown.time_needed:.1g} s would tell"
        bounded = "; the bar holds a bound" if unknown.is_bounded else ""
        lines.append(
            f"{of}rate at {1e6 * unknown.depth:.3g} um not known, {unknown.motion}:"
            f" {unknown.reason}; {needed}{bounded}"
        )
    if contact.cliffs:
        depths = ", ".join(f"{1e6 * depth:.3g}" for depth in dict.fromkeys(contact.cliffs))
        lines.append(f"{of}the rate changes suddenly at a depth of {depths} um")
    if contact.sectors and contact.sectors[-1].share > 0.0:
        lines.append(f"{of}{sector_answer(contact.sectors[-1])}")
    return [*lines, *_criterion_answer(result, contact, of)]


def sector_answer(sectors: WornSectors) -> str:
    """Return where round its hole a contact wears most, and how deep."""
    low, high = sectors.limits
    text = f"{100.0 * sectors.share:.0f} % of the wear between {low:g}° and {high:g}° of its hole"
    if sectors.even_depth is None or sectors.deepest_depth is None:
        return text
    deepest = f"{1e6 * sectors.deepest_depth:.3g}"
    if sectors.deepest_depth_bar is not None:
        deepest = with_bar(1e6 * sectors.deepest_depth, 1e6 * sectors.deepest_depth_bar)
    return (
        f"{text}: {deepest} um deep there if each sector wore level,"
        f" {1e6 * sectors.even_depth:.3g} um if all round did"
    )


def _criterion_answer(result: LifeResult, contact: ContactLife, of: str) -> list[str]:
    life = result.life
    crossing, criterion = contact.crossing, life.criterion
    if crossing is None or criterion is None:
        return []
    limit = (
        f"depth {1e6 * criterion.limit:g} um"
        if criterion.variable == "depth"
        else f"volume {1e9 * criterion.limit:g} mm3"
    )
    if not contact.is_settled:
        return [f"{of}whether {limit} is reached in {life.years:g} years is not known"]
    earliest, latest = _years(crossing.earliest), _years(crossing.latest)
    if math.isfinite(crossing.time):
        first = ", first of all" if len(result.contacts) > 1 and contact is result.first else ""
        bounds = f"between {earliest} and {latest}"
        if math.isinf(crossing.latest):
            bounds = f"not before {earliest}, and perhaps not in {life.years:g}"
        told = f"after {_years(crossing.time)} years, {bounds}{first}"
    elif math.isfinite(crossing.earliest):
        told = f"is not expected, but possible after {earliest} years"
    else:
        told = f"is not reached in {life.years:g} years"
    return [f"{of}{limit} {told}"]


def _apart(contact: ContactLife) -> str:
    return f", at most {1e6 * contact.spacing:.2g} um apart" if contact.spacing > 0.0 else ""


def _step_text(result: LifeResult) -> str:
    if math.isinf(result.step_share):
        return "at half the step there is wear at the first depth"
    return f"half of it changes the first wear power by {100.0 * result.step_share:.2g} %"


def with_bar(value: float, bar: float) -> str:
    """Return a number and its bar, to two digits of the bar and as many of the number."""
    if bar == 0.0:
        return f"{value:.4g}"
    if bar > _MUCH * abs(value) > 0.0:
        return f"{value:.3g} ± {bar:.0e}"
    decimals = max(0, 1 - math.floor(math.log10(bar)))
    return f"{value:.{min(decimals, 9)}f} ± {bar:.{min(decimals, 9)}f}"


def _some(states: tuple[LifeState, ...]) -> list[LifeState]:
    """Return states nearly evenly spread over the time, with the first and the last."""
    return [states[number] for number in _numbers(states, verbose=False)]


def _numbers(states: tuple[LifeState, ...], *, verbose: bool) -> list[int]:
    if verbose or len(states) <= _MOST_LINES:
        return list(range(len(states)))
    chosen: list[int] = []
    end = states[-1].time
    for number, state in enumerate(states):
        if state.time >= len(chosen) * end / (_MOST_LINES - 1) * (1.0 - 1e-9):
            chosen.append(number)
    last = len(states) - 1
    return chosen if chosen[-1] == last else [*chosen, last]


def _years(time: float) -> str:
    return f"{time / SECONDS_PER_YEAR:.3g}" if math.isfinite(time) else "never"
