"""Lines of earlier sources that correspond to the present ones."""

from __future__ import annotations

import difflib


def earlier_places(earlier: list[str], present: list[str]) -> list[list[int]]:
    """Return the numbers (from 1) of the earlier lines whose tests each present line has."""
    places: list[list[int]] = []
    matcher = difflib.SequenceMatcher(None, earlier, present, autojunk=False)
    for kind, first, last, begin, end in matcher.get_opcodes():
        for place in range(begin, end):
            if kind == "equal":
                places.append([first + place - begin + 1])
            elif kind == "replace":
                places.append(list(range(first + 1, last + 1)))
            else:
                beside = (first, first + 1)
                places.append([line for line in beside if 1 <= line <= len(earlier)])
    return places
