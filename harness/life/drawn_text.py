"""Lives of draws as tables for people: quantiles by year, how many reach the criterion, and why."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Column

from harness.console import text_table
from harness.life.drawn_lives import (
    DrawnLives,
    bar_name,
    depth_names,
    instants,
    reached_name,
    years_name,
)
from harness.sweep import SHARES, Spread, independent_sample, print_indices, spreads


def print_drawn_lives(lives: DrawnLives, console: Console) -> None:
    """Print quantiles of depth by year, the criterion, and which quantity matters most."""
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
    """Return how the depths at the end and the years to the limit scatter, by their names."""
    shown = set()
    for contact in lives.life.contacts:
        shown |= {depth_names(lives.life, contact.name)[-1], years_name(contact.name)}
    return {name: spread for name, spread in spreads(lives, lives.rows).items() if name in shown}


def _print_depths(lives: DrawnLives, contact: str, console: Console) -> None:
    head = f"{contact} [um]" if contact else "depth [um]"
    shares = [Column(f"{100.0 * share:g} %", justify="right") for share in SHARES]
    table = text_table(Column("years", justify="right"), Column("mean", justify="right"), *shares)
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
    bars = independent_sample(lives, lives.column(bar_name(contact)))
    if bars.size:
        lines.append(
            f"error bar of a draw's depth at the end {1e6 * np.median(bars):.2g} um (median)"
        )
    if lives.life.criterion is None:
        return lines
    from scipy.stats import binomtest

    reached = independent_sample(lives, lives.column(reached_name(contact)))
    if not reached.size:
        return [*lines, "whether the limit is reached is not known in any draw"]
    count = int(reached.sum())
    share = binomtest(count, reached.size).proportion_ci()
    line = (
        f"limit reached in {100.0 * count / reached.size:.0f} % of {reached.size} draws within"
        f" {lives.life.years:g} years (95 %: {100.0 * share.low:.0f} to {100.0 * share.high:.0f} %)"
    )
    if count:
        line += f"; {_years(lives, contact)}"
    return [*lines, line]


def _years(lives: DrawnLives, contact: str) -> str:
    """Return after how many years shares of the draws have reached the limit."""
    known = years_to_limit(lives, contact)
    told = []
    for share in SHARES:
        year = known[min(known.size - 1, math.ceil(share * known.size) - 1)]
        if math.isfinite(year):
            told.append(f"{100.0 * share:g} % after {year:.3g}")
    return "years: " + (", ".join(told) or f"the first after {known[0]:.3g}")


def years_to_limit(lives: DrawnLives, contact: str) -> NDArray[np.float64]:
    """Return after how many years draws reach the criterion, the earliest first.

    Of all independent draws that tell it; infinite for those that do not reach it within the life.
    """
    years = lives.column(years_name(contact))
    years[lives.column(reached_name(contact)) == 0.0] = math.inf
    known = years[: independent_count(lives)]
    return np.sort(known[~np.isnan(known)])


def independent_count(lives: DrawnLives) -> int:
    """Return how many of the draws are independent: the first ones."""
    return independent_sample(lives, np.zeros(len(lives.points))).size


def _who_is_first(lives: DrawnLives, names: list[str]) -> str:
    years = np.array([lives.column(years_name(name)) for name in names])
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
