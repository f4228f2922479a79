"""Ranges and ticks of the x axis of figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.figures.curves import Curve
from harness.figures.panels import Panel, side_by_side_figure, stacked_figure
from harness.report.document import Document, Picture, Section, write_document

Draw = Callable[[list[Panel]], Any]
TIMES = np.linspace(0.0, 40.0, 50)


def years(draw: Draw) -> Any:
    curve = Curve("depth", TIMES, np.sqrt(TIMES), style="marked")
    return draw([Panel("depth", (curve,), logarithmic_x=True)])


@pytest.mark.parametrize("draw", [stacked_figure, side_by_side_figure])
def test_a_logarithmic_axis_spans_its_positive_samples_with_decimal_ticks(draw: Draw) -> None:
    axis = years(draw).layout.xaxis
    low, high = axis.range
    assert axis.type == "log"
    assert low < np.log10(TIMES[1]) < np.log10(TIMES[-1]) < high
    assert high - low < 1.03 * np.log10(TIMES[-1] / TIMES[1])
    assert list(axis.tickvals) == [1.0, 2.0, 5.0, 10.0, 20.0]
    assert list(axis.ticktext) == ["1", "2", "5", "10", "20"]


@pytest.mark.parametrize("draw", [stacked_figure, side_by_side_figure])
def test_a_range_ignores_the_gaps_of_an_interrupted_line(draw: Draw) -> None:
    curve = Curve("blocks", np.array([1.0, 2.0, np.nan, 1.0, 3.0]), np.ones(5))
    assert draw([Panel("", (curve,))]).layout.xaxis.range == pytest.approx((0.98, 3.02))


TICKS = """
const boxes = [...document.querySelectorAll('.xtick text')]
  .map((text) => text.getBoundingClientRect()).sort((one, other) => one.left - other.left);
return boxes.slice(1).filter((box, index) => box.left < boxes[index].right).length;
"""


@pytest.mark.hosts
@pytest.mark.parametrize("width", [400, 1200])
def test_ticks_of_a_logarithmic_axis_do_not_overlap(browser, tmp_path, width):
    pictures = [Picture("p", "c", years(stacked_figure))]
    write_document(
        Document("d", "", (), [Section("s", "s", pictures=pictures)]), tmp_path / "page.html"
    )
    browser.show(tmp_path / "page.html", width=width)
    assert browser.run(TICKS) == 0


TITLES = """
const boxes = (name) =>
  [...document.querySelectorAll(name)].map((text) => text.getBoundingClientRect());
const ticks = boxes('.ytick text, .y2tick text');
return boxes('.g-ytitle, .g-y2title').flatMap((title) => ticks.filter((tick) =>
  title.right + 4 > tick.left && title.top < tick.bottom && tick.top < title.bottom)).length;
"""


@pytest.mark.hosts
@pytest.mark.parametrize("width", [400, 1200])
def test_the_title_of_an_axis_keeps_clear_of_its_ticks(browser, tmp_path, width):
    panels = [
        Panel("wear work", (Curve("S1", TIMES, largest * TIMES),), unit="J")
        for largest in (0.09 / 40.0, 90000.0 / 40.0)
    ]
    pictures = [Picture("p", "c", stacked_figure(panels))]
    write_document(
        Document("d", "", (), [Section("s", "s", pictures=pictures)]), tmp_path / "page.html"
    )
    browser.show(tmp_path / "page.html", width=width)
    assert browser.run("return document.querySelectorAll('.ytick text').length") > 2
    assert browser.run(TITLES) == 0
    assert browser.overflow() == []
