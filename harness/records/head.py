"""The lines above the numbers of a record, and the formats that read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from harness.records.refusals import MISSING_FACT
from harness.records.table_header import TableHeader
from wearmodel.units import ACCELERATION, require_unit


@dataclass(frozen=True)
class Head:
    """The lines above the numbers of a file, as its format reads them."""

    form: str
    # Names and units of the columns.
    header: TableHeader
    line_count: int
    # Mark between columns, by default blanks.
    separator: str | None = None
    # Lines of text above the numbers other than names and units.
    skipped: tuple[str, ...] = ()
    # Sampling interval [s] of a file that contains only values. Its column 1 is the time, from 0.
    interval: float | None = None
    # Pattern of a number, if lines have several values. Empty if each line is a row.
    number: str = ""
    # Required number of values.
    value_count: int | None = None
    # Factor of the values, in addition to the factor of their unit.
    factor: float = 1.0


@dataclass(frozen=True)
class FixedFormat:
    """A format with a head of text, and below it only values at equal intervals.

    Patterns ignore case. The page that computes uses them too. Therefore they contain only syntax
    that Python and JavaScript have in common, but named groups have the syntax of Python.
    """

    name: str
    suffixes: tuple[str, ...]
    head_lines: int
    # Patterns of the last line of the head, by any of which the format is recognised.
    ends: tuple[str, ...]
    # Pattern that the head must contain, by the words that a message shows for it. The groups of
    # all patterns are `step` [s] or `rate` [Hz], `unit` of the acceleration, and optionally `count`
    # of the values, `factor` and `divisor` of the values, and `component`.
    facts: Mapping[str, str]
    number: str = r"\S+"

    def head(self, lines: list[str], source: str, interval: float | None) -> Head | None:
        """Return the head of a file if the file is of this format.

        Raises ValueError if a fact is missing, or an interval is given and differs from the file.
        """
        ends = (
            (at, re.search(pattern, line, re.IGNORECASE))
            for at, line in enumerate(lines[: self.head_lines])
            for pattern in self.ends
        )
        last, end = next(((at, match) for at, match in ends if match), (0, None))
        if end is None:
            return None
        groups = end.groupdict()
        for words, pattern in self.facts.items():
            fact = re.search(pattern, "\n".join(lines[: last + 1]), re.IGNORECASE | re.MULTILINE)
            if fact is None:
                shown = _most_similar(words, lines[: last + 1])
                raise ValueError(
                    f"{source}, line {shown + 1}: {lines[shown].strip(' ,')!r} "
                    + MISSING_FACT.format(words=repr(words), format=self.name)
                )
            groups |= fact.groupdict()
        step = float(groups["step"]) if "step" in groups else 1.0 / float(groups["rate"])
        if interval not in (None, step):
            raise ValueError(f"{source} contains its sampling interval, {step:g} s: remove --dt")
        count = int(groups["count"]) if "count" in groups else None
        unit = require_unit(groups["unit"], ACCELERATION).name
        names = (("time", "acceleration"), ("s", unit))
        return Head(
            f"{self.name}, {'' if count is None else f'{count} '}values every {step:g} s",
            TableHeader(names, 2, source, groups.get("component") or ""),
            last + 1,
            interval=step,
            number=self.number,
            value_count=count,
            factor=float(groups.get("factor", 1.0)) / float(groups.get("divisor", 1.0)),
        )


def _most_similar(words: str, lines: list[str]) -> int:
    """Return the index of the line that probably should contain the words."""
    similar = [
        SequenceMatcher(None, words.lower(), line.lower(), autojunk=False).ratio() for line in lines
    ]
    return similar.index(max(similar))


class TableFormat(NamedTuple):
    """A format whose lines are rows. Its `head` accepts all files that other formats do not."""

    name: str
    suffixes: tuple[str, ...]
    head: Callable[[list[str], str, float | None], Head]


Format: TypeAlias = TableFormat | FixedFormat
