"""The table of a campaign: verdicts by group, and all surviving mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .groups import GROUPS

_VERDICTS = ("killed", "survived", "undecided", "equivalent")


def share_killed(counts: Counter[str]) -> float:
    """Return the fraction of killed mutants, without equivalent ones. It is 1 without mutants."""
    total = sum(counts[verdict] for verdict in _VERDICTS) - counts["equivalent"]
    return counts["killed"] / total if total else 1.0


def table_of(entries: Sequence[dict[str, Any]]) -> list[str]:
    """Return the lines of the table in Markdown."""
    head = ("group", "mutants", *_VERDICTS, "killed without equivalent ones")
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for group in (*GROUPS, "all"):
        counts = Counter(entry["verdict"] for entry in entries if group in ("all", entry["group"]))
        numbers = [counts.total(), *(counts[verdict] for verdict in _VERDICTS)]
        cells = [group, *map(str, numbers), f"{100 * share_killed(counts):.1f} %"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def survivors_of(entries: Sequence[dict[str, Any]]) -> list[str]:
    """Return a line per mutant that survived or is undecided: place, change and reason."""
    return [
        f"{entry['file']}:{entry['line']}: {entry['operator']}: `{entry['before']}` → "
        f"`{entry['after']}` in `{entry['text']}` ({entry['verdict']}, {entry['reason']})"
        for entry in sorted(entries, key=lambda entry: (entry["file"], entry["line"]))
        if entry["verdict"] in ("survived", "undecided")
    ]
