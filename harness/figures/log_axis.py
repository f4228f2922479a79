"""Range of an axis, and decimal ticks of a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Ticks of a logarithmic scale are 1, 2, 5 in each decade up to this number of decades.
_FINE_DECADES = 3


def axis_over(values: NDArray[Any], *, logarithmic: bool, room: float = 0.0) -> dict[str, Any]:
    """Return the properties of a plotly axis over all values. A logarithmic axis omits values ≤ 0.

    - `values`: coordinates along the axis, in any order. NaN is ignored.
    - `room`: margin at both ends, relative to the range
    """
    shown = values[values > 0.0] if logarithmic else values[~np.isnan(values)]
    if not len(shown):
        return {}
    low, high = float(np.min(shown)), float(np.max(shown))
    axis: dict[str, Any] = {}
    if logarithmic:
        marks = decimal_ticks(low, high)
        axis = {"type": "log", "tickvals": marks, "ticktext": tick_texts(marks)}
        low, high = math.log10(low), math.log10(high)
    margin = room * ((high - low) or 1.0)
    return axis | {"range": [low - margin, high + margin]}


def decimal_ticks(low: float, high: float) -> list[float]:
    """Return the ticks of a logarithmic scale from `low` > 0 to `high`: 1, 2, 5 in each decade.

    With many decades, each has one tick. If fewer than two ticks fit, the ends are returned.
    """
    steps = (1, 2, 5) if math.log10(high / low) <= _FINE_DECADES else (1,)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    # Computed from decimal texts to avoid rounding errors.
    marks = [float(f"{step}e{decade}") for decade in decades for step in steps]
    room = 1e-9
    inside = [mark for mark in marks if low * (1.0 - room) <= mark <= high * (1.0 + room)]
    return inside if len(inside) > 1 else [low, high]


def tick_texts(marks: Sequence[float]) -> list[str]:
    """Return decimal numbers, or powers of ten if decimal numbers would be long."""
    texts = []
    for mark in marks:
        if 1e-4 <= mark < 1e6:
            texts.append(np.format_float_positional(float(f"{mark:.4g}"), trim="-"))
        else:
            digits, _, exponent = f"{mark:.3e}".partition("e")
            factor = f"{float(digits):g}·" if float(digits) != 1.0 else ""
            texts.append(f"{factor}10<sup>{int(exponent)}</sup>")
    return texts
