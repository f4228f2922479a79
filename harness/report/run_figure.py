"""The figure of one run's histories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.report.curves import Curve
from harness.report.panels import Panel, stacked_figure


def run_figure(
    times: NDArray[np.float64],
    columns: Mapping[str, NDArray[np.float64]],
    *,
    units: Mapping[str, str],
    title: str,
) -> Any:
    """Return a plotly figure: one panel below the other for each variable.

    Parameters
    ----------
    times : ndarray, shape (n,)
        Communication points, s.
    columns : mapping of str to ndarray, shape (n,)
        Histories by the variable's name.
    units : mapping of str to str
        Units of the variables that have one.
    title : str
        Of the figure.

    Raises
    ------
    MissingLibraryError
        If plotly is not installed.
    """
    panels = [
        Panel(name, (Curve(name, times, column),), unit=units.get(name, ""))
        for name, column in columns.items()
    ]
    return stacked_figure(panels, title=title)
