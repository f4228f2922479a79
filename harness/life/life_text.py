"""A service life and lives of draws in the terminal, 80 columns.

A life has an answer, a table of contacts, warnings and details. Lives of draws have quantiles by
year, and the share of draws that reach the criterion.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from rich.console import Console
from rich.table import Table

from harness.case.mean_until import CONFIRMING_LENGTHS
from harness.console import number_columns, text_table
from harness.life.drawn_lives import (
    BAR,
    REACHED,
    YEARS,
    DrawnLives,
    depth_names,
    instants,
    result_name,
)
from harness.life.life_run import ContactLife, LifeResult, LifeState
from harness.life.worn_sectors import WornSectors
from harness.messages import listed
from harness.sweep import SHARES, Spread, independent_sample, print_indices, spreads
from wearmodel.arrays import Floats
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR
from wearmodel.statistics.worn_sides import TubeBySides

# Parts of an error bar below this share are rounding errors.
_ROUNDING = 1e-6
# Largest number of states that are printed without `verbose`.
_MOST_LINES = 12


def print_life(result: LifeResult, console: Console, *, verbose: bool) -> None:
    """Print the answer, the contacts, warnings, states and details.

    Without `verbose`, only some of many states are printed.
    """
    head, *lines = answers(result)
    console.print(head, soft_wrap=True)
    if not lines:
        return
    names, rows = contact_rows(result)
    if rows:
        console.print(text_table(*number_columns(*names), rows=rows))
    for line in lines:
        console.print(line, soft_wrap=True)
    if len(result.contacts) > 1:
        console.print(_contacts_table(result, verbose=verbose))
    else:
        heads, states = state_rows(result.contacts[0])
        shown = [states[number] for number in _numbers(result.states, verbose=verbose)]
        console.print(text_table(*number_columns(*heads, no_wrap=True), rows=shown))


def contact_rows(result: LifeResult) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of the table of contacts, the first contact on top."""
    criterion = result.life.criterion
    heads = ["contact"] if result.contacts[0].contact else []
    heads += [f"depth [µm]\n{_reached_years(result)}" if _is_cut(result) else "depth\n[µm]"]
    has_sectors = any(contact.sectors for contact in result.contacts)
    heads += ["deepest\nside"] if has_sectors else []
    heads += ["limit after\n[years]", "reached\n[%]"] if criterion is not None else []
    heads += ["first\n[%]"] if criterion is not None and len(result.contacts) > 1 else []
    rows = []
    for contact in _in_order(result):
        row = [contact.contact] if contact.contact else []
        row.append("not known" if contact.misfit else _depth(contact, contact.states[-1]))
        if has_sectors:
            is_worn = contact.sectors and contact.sectors[-1].share > 0.0
            row.append(contact.sectors[-1].direction if is_worn else "–")
        if criterion is not None:
            chances = contact.chances if contact.is_settled else None
            row.append(_limit_text(contact, result.life.years))
            row.append("–" if chances is None else f"{100.0 * chances.reached:.0f}")
            if len(result.contacts) > 1:
                row.append("–" if chances is None else f"{100.0 * chances.first:.0f}")
        rows.append(row)
    return heads, rows


def _reached_years(result: LifeResult) -> str:
    return f"after {_years(result.states[-1].time)} of {result.life.years:g} years"


def _is_early(result: LifeResult) -> bool:
    return result.states[-1].time < (1.0 - 1e-9) * result.life.years * SECONDS_PER_YEAR


def _is_cut(result: LifeResult) -> bool:
    return _is_early(result) and not result.is_complete


def _in_order(result: LifeResult) -> list[ContactLife]:
    return sorted(result.contacts, key=result.order)


def _limit_text(contact: ContactLife, years: float) -> str:
    crossing = contact.crossing
    if crossing is None or not contact.is_settled:
        return "not known"
    if math.isinf(crossing.time):
        possible = math.isfinite(crossing.earliest)
        return f"> {years:g} ({_years(crossing.earliest)} …)" if possible else f"> {years:g}"
    latest = _years(crossing.latest) if math.isfinite(crossing.latest) else "…"
    return f"{_years(crossing.time)} ({_years(crossing.earliest)} to {latest})"


def state_rows(contact: ContactLife) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of the table of all states of a contact."""
    heads, rows = ["time\n[years]", "power\n[mW]", "volume\n[mm³]", "depth\n[µm]"], []
    heads += ["gap\n[µm]"] if contact.states[0].gap is not None else []
    for state in contact.states:
        cells = [
            f"{state.time / SECONDS_PER_YEAR:.4g}",
            with_bar(1e3 * state.power, 1e3 * state.power_bar),
            with_bar(1e9 * state.volume, 1e9 * state.volume_bar),
            _depth(contact, state),
        ]
        if state.gap is not None and state.gap_bar is not None:
            cells.append(with_bar(1e6 * state.gap, 1e6 * state.gap_bar))
        rows.append(cells)
    return heads, rows


def _contacts_table(result: LifeResult, *, verbose: bool) -> Table:
    """Depths of all contacts [µm] over the years, a column for each contact."""
    columns = [f"{contact.contact}\n[µm]" for contact in result.contacts]
    table = text_table(*number_columns("time\n[years]", *columns))
    longest = max((contact.states for contact in result.contacts), key=len)
    for number in _numbers(longest, verbose=verbose):
        cells = [
            _depth(contact, contact.states[number]) if number < len(contact.states) else "not known"
            for contact in result.contacts
        ]
        table.add_row(f"{longest[number].time / SECONDS_PER_YEAR:.4g}", *cells)
    return table


def _depth(contact: ContactLife, state: LifeState) -> str:
    if not contact.knows(state):
        return "not known"
    return with_bar(1e6 * state.depth, 1e6 * state.depth_bar)


def answers(result: LifeResult) -> list[str]:
    """Return the answer, then warnings, then details of contacts and runs."""
    life = result.life
    if not result.is_complete and result.states[-1].time == 0.0:
        return [
            "not known: the time limit ended the calculation before the first extrapolation step."
            " Run the command again to continue"
        ]
    lines = [
        f"{_of(result, contact)}{contact.misfit}" for contact in result.contacts if contact.misfit
    ]
    if result.valid_for < life.slowest:
        lines.append(
            f"not known for processes as slow as {life.slowest:g} s: this needs runs of"
            f" {CONFIRMING_LENGTHS * life.slowest:g} s. Use a longer stop_time"
        )
    lines.append(_answer(result))
    if not result.is_complete:
        reached = f"{_reached_years(result)}: depths and error bars apply to this time"
        if not _is_early(result):
            reached = (
                f"within {life.years * life.law.factor:g} years, {life.law.factor:g} times the"
                " service for the scatter of the coefficient: not all 95 % intervals are known"
            )
        lines.append(
            f"the time limit ended the calculation {reached}. Run the command again to continue"
        )
    elif _is_early(result) and all(contact.is_settled for contact in result.contacts):
        lines.append(
            f"all limits are decided, so the calculation ended {_reached_years(result)}. For later"
            " years set to_the_end = true in [life]"
        )
    contacts = _in_order(result)
    for warnings in (_warnings, _details):
        for contact in contacts:
            of = _of(result, contact)
            lines += [f"{of}{line}" for line in warnings(result, contact)]
    if math.isfinite(result.valid_for):
        lines.append(
            f"changes of the excitation slower than {_plain(result.valid_for)} s are not included:"
            " if there are any, set slowest in [life]"
        )
    scatter = "They do not cover the scatter of the wear coefficient"
    if life.law.factor > 1.0:
        scatter = (
            "Intervals, years and probabilities also cover the scatter of the coefficient, a factor"
            f" of {life.law.factor:g}"
        )
    if isinstance(life.shape, TubeBySides):
        supports = f"Wear coefficient of the supports: {life.shape.support_coefficient:g} m²/N"
        if life.shape.support_coefficient == 0.0:
            supports = "The supports do not wear (support_coefficient = 0)"
        deepest = f"each depth is the depth of the deepest of {life.shape.sides} sides of the tube"
        lines.append(f"{deepest}. {supports}")
    resumed = f" ({result.resumed} of them before)" if result.resumed else ""
    spacing = max(contact.spacing for contact in result.contacts)
    apart = f", at most {_plain(1e6 * spacing, 2)} µm apart" if spacing > 0.0 else ""
    values = f"{result.runs} value{'s' if result.runs > 1 else ''} of the {_mean(result)}depth"
    rates = f"wear rates were computed at {values}{resumed}{apart}"
    if result.runs > 1 and all(contact.states[0].gap is None for contact in result.contacts):
        rates = "the wear power does not depend on the depth and was computed once"
    covered = "the error bars are 95 % intervals. They cover sampling, extrapolation and time step"
    step = f"step error {100.0 * result.step_share:.2g} % of the initial wear power"
    if math.isinf(result.step_share):
        step = "only the runs at half the step have wear at the first depth"
    return [*lines, rates, f"{covered} ({step}). {scatter}"]


def _of(result: LifeResult, contact: ContactLife) -> str:
    return f"{contact.contact}: " if contact.contact and len(result.contacts) > 1 else ""


def _mean(result: LifeResult) -> str:
    """Return "mean " if a contact has depths of its sides, so that its depth is their mean."""
    return "mean " if isinstance(result.life.shape, TubeBySides) else ""


def _answer(result: LifeResult) -> str:
    """Return the answer to the criterion, or the largest depth."""
    life, first = result.life, result.first
    of = f"{first.contact} " if first.contact and len(result.contacts) > 1 else ""
    if life.criterion is None or first.crossing is None:
        last = first.states[-1]
        if not first.knows(last) or first.misfit or _is_early(result):
            return f"{of}depth after {life.years:g} years is not known"
        deepest = f"{first.contact} is the deepest contact: " if of else ""
        return f"{deepest}{_depth(first, last)} µm deep after {_years(last.time)} years"
    limit = (
        f"depth {1e6 * life.criterion.limit:g} µm"
        if life.criterion.variable == "depth"
        else f"volume {1e9 * life.criterion.limit:g} mm³"
    )
    wall = (life.case.life or {}).get("wall")
    if wall and life.criterion.variable == "depth":
        limit += f" ({100.0 * life.criterion.limit / wall:.3g} % of the wall)"
    unsettled = [contact for contact in result.contacts if not contact.is_settled]
    if unsettled and first in unsettled:
        after = f"{_reached_years(result)}: " if _is_cut(result) else ""
        return f"{after}not known whether {limit} is reached in {life.years:g} years"
    crossing = first.crossing
    is_bounded = math.isfinite(crossing.latest)
    latest = _years(crossing.latest) if is_bounded else f"more than {life.years:g}"
    interval = f"{_years(crossing.earliest)} to {latest} years"
    by = f" by {first.contact}" if of else ""
    text = f"{limit} is not reached in {life.years:g} years"
    if math.isfinite(crossing.time):
        text = f"{limit} is reached{' first' if of else ''}{by} after {_years(crossing.time)} years"
        text += f" (95 % interval: {interval})"
    elif math.isfinite(crossing.earliest):
        assert first.chances is not None  # of every life with a criterion that began
        chance = f"probability of reaching it {100.0 * first.chances.reached:.2g} %"
        text += f" (95 % interval{by}: {interval}, {chance})"
    if unsettled:
        names = ", ".join(contact.contact for contact in unsettled)
        text += f". Whether {names} reaches it is not known"
    return text


def _warnings(result: LifeResult, contact: ContactLife) -> list[str]:
    lines = []
    unknown = contact.not_known
    if unknown is not None:
        needed = "The necessary run time cannot be determined"
        if unknown.time_needed is not None:
            needed = f"A run of about {_plain(unknown.time_needed, 1)} s is necessary"
        bounded = ". The error bar contains a bound" if unknown.is_bounded else ""
        lines.append(
            f"rate at {_plain(1e6 * unknown.depth)} µm not known, {unknown.motion}:"
            f" {unknown.reason}. {needed}{bounded}"
        )
    if contact.cliffs:
        depths = listed([_plain(1e6 * depth) for depth in dict.fromkeys(contact.cliffs)])
        lines.append(
            f"the wear rate changes suddenly where the {_mean(result)}depth is {depths} µm. The"
            " error bar covers this change"
        )
    last, criterion = contact.states[-1], result.life.criterion
    is_known = math.isfinite(last.depth_upper) and not contact.misfit
    deepest = (contact.sectors[-1].deepest_depth if contact.sectors else None) or 0.0
    has_limit = is_known and criterion is not None and criterion.variable == "depth"
    if criterion is not None and has_limit and last.depth <= criterion.limit < deepest:
        lines.append(
            f"depth {1e6 * criterion.limit:g} µm may be reached locally: the deepest sector is"
            f" {_sector_depth(contact.sectors[-1])} µm deep, but the table contains the depth for"
            f" uniform wear, {_depth(contact, last)} µm"
        )
    if math.isfinite(last.depth_upper) and last.depth_bar > last.depth and last.depth_lower > 0.0:
        lines.append(f"at least {_plain(1e6 * last.depth_lower)} µm, from an earlier error bar")
    return lines


def _details(result: LifeResult, contact: ContactLife) -> list[str]:
    last = contact.states[-1]
    if not contact.knows(last):
        return [f"depth after {result.life.years:g} years not known"]
    parts = (last.depth_chance_bar, last.depth_jump_bar, last.depth_step_bar)
    split = ", ".join(
        f"{name} {_plain(1e6 * part if part > _ROUNDING * last.depth_bar else 0.0, 2)}"
        for name, part in zip(("sampling", "extrapolation", "step"), parts, strict=True)
    )
    depth = _depth(contact, last)
    text = f"{depth} µm deep after {_years(last.time)} years (error bar in µm: {split})"
    if result.life.law.factor > 1.0:
        upper = f"to {_plain(1e6 * last.depth_upper)} µm"
        if math.isinf(last.depth_upper):
            reason = "the largest coefficients wear through the part"
            upper = f"µm or more ({reason if result.is_complete else 'the end is not known yet'})"
        text += (
            f". 95 % interval with the scatter of the coefficient: {_plain(1e6 * last.depth_lower)}"
            f" {upper}"
        )
    lines = [text]
    if contact.sectors and contact.sectors[-1].share > 0.0:
        lines.append(sector_answer(contact.sectors[-1]))
    return lines


def sector_answer(sectors: WornSectors) -> str:
    """Return a line with the deepest sector of a hole, its share of the wear and its depth."""
    text = f"{100.0 * sectors.share:.0f} % of the wear"
    if sectors.is_followed:
        even = _plain(1e6 * (sectors.even_depth or 0.0))
        return f"deepest side at {sectors.direction} with {text}, mean depth of all sides {even} µm"
    text = f"deepest sector {sectors.direction}: {text}"
    if sectors.even_depth is None or sectors.deepest_depth is None:
        return text
    return (
        f"{text}, {_sector_depth(sectors)} µm deep ({_plain(1e6 * sectors.even_depth)} µm if the"
        " wear were uniform around the hole)"
    )


def _sector_depth(sectors: WornSectors) -> str:
    return with_bar(1e6 * (sectors.deepest_depth or 0.0), 1e6 * (sectors.deepest_depth_bar or 0.0))


def with_bar(value: float, bar: float) -> str:
    """Return a number and its error bar with two digits of the error bar, without exponents."""
    if not 0.0 < bar < math.inf:
        return _plain(value, 4)
    decimals = min(9, max(0, 1 - math.floor(math.log10(bar))))
    return f"{value:.{decimals}f} ± {bar:.{decimals}f}"


def _plain(value: float, digits: int = 3) -> str:
    """Return a number without an exponent."""
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    text = f"{round(value, decimals):.{max(0, decimals)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _numbers(states: tuple[LifeState, ...], *, verbose: bool) -> Iterable[int]:
    """Return the numbers of states that are nearly evenly spread over the time."""
    if verbose or len(states) <= _MOST_LINES:
        return range(len(states))
    chosen: list[int] = []
    end = states[-1].time
    for number, state in enumerate(states):
        if state.time >= len(chosen) * end / (_MOST_LINES - 1) * (1.0 - 1e-9):
            chosen.append(number)
    return sorted({*chosen, len(states) - 1})


def _years(time: float) -> str:
    return _plain(time / SECONDS_PER_YEAR) if math.isfinite(time) else "never"


def print_drawn_lives(lives: DrawnLives, console: Console) -> None:
    """Print quantiles of depth by year, the criterion, and the most important quantity."""
    life = lives.life
    names = [contact.name for contact in life.contacts]
    for name in names:
        _print_depths(lives, name, console)
    print_indices(shown_spreads(lives), console)
    for name in names:
        of = f"{name}: " if name and len(names) > 1 else ""
        for line in _answers(lives, name):
            console.print(f"{of}{line}", soft_wrap=True)
    if len(names) > 1 and life.criterion is not None:
        console.print(_who_is_first(lives, names), soft_wrap=True)
    console.print(
        f"{len(lives.points)} draws, all under the same noise: quantiles hold what is drawn"
        f" ({', '.join(lives.varied)}), not the error bar of each life",
        soft_wrap=True,
    )


def shown_spreads(lives: DrawnLives) -> dict[str, Spread]:
    """Return the scatter of the depths at the end and the years to the limit, by name."""
    shown = set()
    for contact in lives.life.contacts:
        shown |= {depth_names(lives.life, contact.name)[-1], result_name(contact.name, YEARS)}
    return {name: spread for name, spread in spreads(lives, lives.rows).items() if name in shown}


def _print_depths(lives: DrawnLives, contact: str, console: Console) -> None:
    head = f"{contact} [µm]" if contact else "depth [µm]"
    table = text_table(
        *number_columns("years", "mean", *(f"{100.0 * share:g} %" for share in SHARES))
    )
    for year, name in zip(instants(lives.life), depth_names(lives.life, contact), strict=True):
        depths = 1e6 * independent_sample(lives, lives.column(name))
        if depths.size < 2:
            table.add_row(f"{year:g}", "not known")
            continue
        numbers = [float(np.mean(depths)), *np.quantile(depths, SHARES).tolist()]
        table.add_row(f"{year:g}", *(f"{number:.3g}" for number in numbers))
    console.print(head)
    console.print(table)


def _answers(lives: DrawnLives, contact: str) -> list[str]:
    lines = []
    bars = independent_sample(lives, lives.column(result_name(contact, BAR)))
    if bars.size:
        median = 1e6 * np.median(bars)
        lines.append(f"error bar of a draw's depth at the end {median:.2g} µm (median)")
    if lives.life.criterion is None:
        return lines
    from scipy.stats import binomtest

    reached = independent_sample(lives, lives.column(result_name(contact, REACHED)))
    if not reached.size:
        return [*lines, "whether the limit is reached is not known in any draw"]
    count = int(reached.sum())
    share = binomtest(count, reached.size).proportion_ci()
    line = (
        f"limit reached in {100.0 * count / reached.size:.0f} % of {reached.size} draws within"
        f" {lives.life.years:g} years (95 %: {100.0 * share.low:.0f} to {100.0 * share.high:.0f} %)"
    )
    if count:
        line += f"; {_reached_after(lives, contact)}"
    return [*lines, line]


def _reached_after(lives: DrawnLives, contact: str) -> str:
    """Return the years after which shares of the draws have reached the limit."""
    known = years_to_limit(lives, contact)
    years = [known[min(known.size - 1, math.ceil(share * known.size) - 1)] for share in SHARES]
    both = zip(SHARES, years, strict=True)
    told = [f"{100.0 * share:g} % after {year:.3g}" for share, year in both if year < math.inf]
    return "years: " + (", ".join(told) or f"the first after {known[0]:.3g}")


def years_to_limit(lives: DrawnLives, contact: str) -> Floats:
    """Return the years after which draws reach the criterion, in increasing order.

    Only independent draws with a known result. Infinite if the criterion is not reached.
    """
    years = lives.column(result_name(contact, YEARS))
    years[lives.column(result_name(contact, REACHED)) == 0.0] = math.inf
    known = years[: independent_count(lives)]
    return np.sort(known[~np.isnan(known)])


def independent_count(lives: DrawnLives) -> int:
    """Return the number of independent draws, which are the first ones."""
    return independent_sample(lives, np.zeros(len(lives.points))).size


def _who_is_first(lives: DrawnLives, names: list[str]) -> str:
    years = np.array([lives.column(result_name(name, YEARS)) for name in names])
    years = years[:, : independent_count(lives)]
    reached = ~np.isnan(years).all(axis=0)
    total = int(reached.sum())
    if not total:
        return "no contact reaches the limit in any draw"
    first = np.nanargmin(years[:, reached], axis=0)
    counts = {name: int(np.count_nonzero(first == index)) for index, name in enumerate(names)}
    told = ", ".join(
        f"{name} in {100.0 * count / total:.0f} %"
        for name, count in sorted(counts.items(), key=lambda pair: -pair[1])
        if count
    )
    return f"first of all, of {total} draws in which one reaches the limit: {told}"
