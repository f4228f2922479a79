"""Time methods in alternating rounds and print the results as a table."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from .method import Choice

_HEADING = ("method", "form", "setting", "error", "CPU time [ms]", "/ FMU", "/ ours, same form")


class Comparison:
    """Methods with their settings for a problem. The first is ours through the FMU."""

    def __init__(self, amplitude: float, choices: Sequence[Choice]) -> None:
        self.amplitude = amplitude
        self.choices = choices
        self.seconds: list[list[float]] = [[] for _ in choices]

    def run_others(self) -> None:
        """Time all methods except the first."""
        for choice, seconds in zip(self.choices[1:], self.seconds[1:], strict=True):
            seconds.append(choice.method.seconds(self.amplitude, choice.setting))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per method: medians of the rounds, and their ratios.

        The last ratio is relative to our fastest method in the same form, interpreted or compiled.
        """
        medians = [statistics.median(seconds) for seconds in self.seconds]
        fastest: dict[str, float] = {}
        for choice, median in zip(self.choices, medians, strict=True):
            form = choice.method.form
            if choice.method.name.startswith("ours"):
                fastest[form] = min(median, fastest.get(form, median))
        return [
            {
                "method": choice.method.name,
                "form": choice.method.form,
                "setting": choice.described,
                "relative error": choice.error,
                "reached": choice.reached,
                "CPU time [ms]": median * 1e3,
                "ratio to ours through the FMU": median / medians[0],
                "ratio to ours in the same form": median / fastest[choice.method.form],
            }
            for choice, median in zip(self.choices, medians, strict=True)
        ]


def rendered(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows as an aligned table. Errors above the required error are marked."""
    lines = [_HEADING]
    for row in rows:
        lines.append(
            (
                row["method"],
                row["form"],
                row["setting"],
                f"{row['relative error']:.1e}" + ("" if row["reached"] else " (missed)"),
                f"{row['CPU time [ms]']:.3g}",
                f"{row['ratio to ours through the FMU']:.3g}",
                f"{row['ratio to ours in the same form']:.3g}",
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADING))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
