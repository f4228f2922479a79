"""Labels of horizontal lines in figures."""

from __future__ import annotations

import numpy as np
import pytest

from harness.figures.curves import Curve
from harness.figures.panels import Panel, stacked_figure


@pytest.mark.parametrize(("ends", "side"), [((0.0, 5.0), "left"), ((5.0, 0.0), "right")])
def test_the_label_of_a_level_is_at_the_end_that_the_curves_leave_free(
    ends: tuple[float, float], side: str
) -> None:
    curve = Curve("depth", np.array([0.0, 1.0]), np.array(ends))
    figure = stacked_figure([Panel("depth", (curve,), levels={"limit": 4.9})])
    (label,) = [note for note in figure.layout.annotations if note.text == "limit"]
    assert label.x == (0.0 if side == "left" else 1.0)
    assert label.xanchor == side
