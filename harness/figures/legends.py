"""Legends of a figure of panels: one for each panel that shows curves no other legend explains.

A colour stands for one thing within a legend. Panels of different quantities use the same few
colours, so each has its own; panels of the same curves, such as support and mass, share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# px: a row of a legend, and its distance from the axes below it. Over the uppermost of stacked
# panels the labels of instants stand in between.
ROW_HEIGHT = 19
_GAP = 2.0
_LABEL_GAP = 18.0

Names = Sequence[Sequence[str]]


def own_legends(names: Names) -> list[bool]:
    """Return for each panel, given the names of its curves, whether it has a legend of its own."""
    explained: set[str] = set()
    own = []
    for panel in names:
        # The title of the axis names a single curve.
        own.append(len(panel) > 1 and not explained.issuperset(panel))
        if own[-1]:
            explained.update(panel)
    return own


def most_rows(names: Names) -> int:
    """Return the rows of the longest legend with one curve a row."""
    own = own_legends(names)
    return max((len(panel) for panel, has in zip(names, own, strict=True) if has), default=0)


def place_legends(figure: Any, names: Names, *, height: float, beside: bool) -> None:
    """Put each legend above its panel.

    Parameters
    ----------
    figure : plotly Figure
        Its traces are the panels' curves, in their order.
    names : sequence of sequences of str
        Of the curves of each panel; a space where the legend leaves one out.
    height : float
        Of all panels, px.
    beside : bool
        Whether the panels stand beside each other: then a legend has one curve a row, for there
        is no room for more.
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
