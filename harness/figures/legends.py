"""Legends of a figure of panels: one for each panel with curves that are in no other legend.

Panels of different quantities use the same few colours, so that each has its own legend. Panels of
the same curves, such as support and mass, share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# px: height of a row, and distance from the axes below. Above the first of stacked panels the
# labels of instants are in between.
ROW_HEIGHT = 19
_GAP = 2.0
_LABEL_GAP = 18.0

Names = Sequence[Sequence[str]]


def own_legends(names: Names) -> list[bool]:
    """Return whether each panel has a legend of its own, from the names of its curves."""
    explained: set[str] = set()
    own = []
    for panel in names:
        # A single curve is described by the title of the axis.
        own.append(len(panel) > 1 and not explained.issuperset(panel))
        if own[-1]:
            explained.update(panel)
    return own


def most_rows(names: Names) -> int:
    """Return the rows of the longest legend with one curve in each row."""
    own = own_legends(names)
    return max((len(panel) for panel, has in zip(names, own, strict=True) if has), default=0)


def place_legends(figure: Any, names: Names, *, height: float, beside: bool) -> None:
    """Put each legend above its panel.

    Parameters
    ----------
    figure : plotly Figure
        Figure whose traces are the curves of the panels, in their order.
    names : sequence of sequences of str
        Names of the curves of each panel. The legend omits curves whose name is a space.
    height : float
        Height of all panels, px.
    beside : bool
        Whether the panels are side by side. Legends are narrow then, with one curve in each row.
    """
    traces = iter(figure.data)
    for index, (panel, own) in enumerate(zip(names, own_legends(names), strict=True)):
        number = "" if index == 0 else str(index + 1)
        for name in panel:
            next(traces).update(legend=f"legend{number}", showlegend=own and not name.isspace())
        if not own:
            continue
        layout = figure.layout
        x = layout[f"xaxis{number}"].domain[0] if beside else 0.0
        top = 1.0 if beside else layout[f"yaxis{number}"].domain[1]
        gap = _LABEL_GAP if index == 0 and not beside else _GAP
        figure.update_layout(
            {
                f"legend{number}": {
                    "orientation": "v" if beside else "h",
                    "tracegroupgap": 0,
                    "x": x,
                    "xanchor": "left",
                    "y": top + gap / height,
                    "yanchor": "bottom",
                }
            }
        )
