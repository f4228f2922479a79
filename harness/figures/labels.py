"""Names and units of variables as shown on a page."""

from __future__ import annotations

import re

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_LENGTHS = ((1.0, "m"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm"))


def length_unit(largest: float) -> tuple[float, str]:
    """Return a suitable unit for lengths up to `largest` [m]: its size in m and its name."""
    return next((length for length in _LENGTHS if largest >= length[0]), _LENGTHS[-1])


def spoken(name: str) -> str:
    """Return a variable's name in words: `wear_work` is wear work."""
    return name.replace("_", " ")


def shown_unit(unit: str | None) -> str:
    """Return a unit in FMI's notation in the usual form: N·s/m² for N.s/m2, and "" for 1."""
    if unit is None or unit == "1":
        return ""
    dotted = unit.replace(".", "·")
    return re.sub(r"(?<=[^\W\d])-?\d+", lambda power: power[0].translate(SUPERSCRIPTS), dotted)


def with_unit(text: str, unit: str) -> str:
    """Return the title of an axis or a column: the text, with the unit in brackets."""
    return f"{text} [{unit}]" if unit else text
