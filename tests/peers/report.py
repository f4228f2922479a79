"""The generated part of docs/benchmarks.md, from the JSON file of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .problems import PROBLEMS, Problem
from .roster import OURS, PEERS

BEGIN = "<!-- peers: written by `make peers` -->"
END = "<!-- end of peers -->"
#: Errors for which a table lists the fastest setting of each peer.
GOALS = (1e-3, 1e-6, 1e-9)
# Errors below this limit are rounding errors, which depend on the processor.
ROUNDING = 1e-12

Row = dict[str, Any]


def section(result: Row) -> str:
    """Return the generated part, with its marks."""
    lines = [
        BEGIN,
        f"Computed on {result['date']} on {result['platform']}, a machine shared with other work. "
        f"Each time is the median of {result['rounds']} rounds, in which all programs alternate. "
        "Runs of more than 1 s are timed once. Compare ratios, not times.",
        "",
        "| program | version | loop over the steps | run |",
        "|---|---|---|---|",
    ]
    for row in result["peers"]:
        run = "yes" if row["reason"] is None else f"not run: {row['reason']}"
        lines.append(f"| {row['peer']} | {row['version'] or ''} | {row['form']} | {run} |")
    for problem in PROBLEMS:
        lines += ["", f"### {problem.title}", "", *_table(problem, result)]
    return "\n".join([*lines, END])


def with_section(page: str, result: Row) -> str:
    """Return the page with the generated part replaced. ValueError if a mark is missing."""
    head, tail = page.index(BEGIN), page.index(END) + len(END)
    return page[:head] + section(result) + page[tail:]


def best(rows: Sequence[Row]) -> list[Row]:
    """Return the fastest row for each goal, without repetition, or the most accurate row."""
    chosen = []
    for goal in GOALS:
        reaching = [row for row in rows if row["error"] <= goal]
        if reaching:
            chosen.append(min(reaching, key=lambda row: row["seconds"]))
    if not chosen and rows:
        chosen = [min(rows, key=lambda row: row["error"])]
    return [row for number, row in enumerate(chosen) if row not in chosen[:number]]


def ratio(row: Row, ours: Sequence[Row]) -> float:
    """Return the time of a row, relative to our fastest run whose error is not larger.

    Errors below the rounding limit are equal. If all our errors are larger, our most accurate run
    is used.
    """
    limit = max(row["error"], ROUNDING)
    reaching = [own for own in ours if own["error"] <= limit]
    if not reaching:
        reaching = [min(ours, key=lambda own: own["error"])]
    return float(row["seconds"] / min(own["seconds"] for own in reaching))


def _table(problem: Problem, result: Row) -> list[str]:
    every = [row for row in result["results"] if row["problem"] == problem.name]
    rows = [row for row in every if "failure" not in row]
    names = {peer.name for peer in OURS}
    ours = [row for row in rows if row["peer"] in names]
    ran = {row["peer"] for row in result["peers"] if row["reason"] is None}
    lines = ["| program | setting | error | CPU time, ms | / ours |", "|---|---|---|---|---|"]
    left_out = []
    for peer in PEERS:
        own = [row for row in rows if row["peer"] == peer.name]
        for row in best(own):
            lines.append(
                f"| {peer.name} | {described(row['setting'])} | {error_text(row['error'])} | "
                f"{plain(1e3 * row['seconds'], 3)} | {plain(ratio(row, ours), 2)} |"
            )
        failures = [row for row in every if row["peer"] == peer.name and "failure" in row]
        left_out += [
            f"{peer.name}, {described(row['setting'])}: {row['failure']}." for row in failures
        ]
        if not own and not failures and peer.name in ran:
            left_out.append(f"{peer.name}: {peer.reasons[problem.function]}.")
    if left_out:
        lines += ["", "Not run:", "", *(f"- {line}" for line in left_out)]
    return lines


def described(setting: Row) -> str:
    """Return a setting as text."""
    shown = {name: value for name, value in setting.items() if name not in ("form", "scheme")}
    text = ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in shown.items()
    )
    return text.replace("steps a period", "steps per period")


def plain(value: float, digits: int) -> str:
    """Return a number with this number of digits, without an exponent if it is large."""
    text = f"{value:.{digits}g}"
    return text if "e" not in text else f"{float(text):.0f}"


def error_text(error: float) -> str:
    """Return an error with one digit."""
    return "< 1e-12" if error < ROUNDING else f"{error:.0e}".replace("e-0", "e-")
