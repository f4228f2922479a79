"""Legends of pictures: one colour per curve, and each legend is beside its panel."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from harness import load_case, load_fmu, run_case
from harness.case.shipped import shipped_cases
from harness.figures.curves import Curve
from harness.figures.panels import Panel, side_by_side_figure, stacked_figure
from harness.report.document import Document, Picture, Section, write_document
from harness.report.spring_pictures import spring_pictures

TIMES = np.linspace(0.0, 1.0, 5)


def panel(*names: str) -> Panel:
    return Panel("", tuple(Curve(name, TIMES, TIMES) for name in names))


def legends(figure: Any) -> dict[str, list[str]]:
    """Return the names of the curves in each legend."""
    found = defaultdict(list)
    for trace in figure.data:
        if trace.showlegend:
            found[trace.legend].append(trace.name)
    return dict(found)


@pytest.mark.parametrize(
    ("panels", "wanted"),
    [
        ([("a",), ("b",)], {}),
        ([("a", "b"), ("c", "d")], {"legend": ["a", "b"], "legend2": ["c", "d"]}),
        ([("a", "b"), ("a", "b")], {"legend": ["a", "b"]}),
        ([("a", "b", "c"), ("c",)], {"legend": ["a", "b", "c"]}),
        ([("a",), ("a", "b")], {"legend2": ["a", "b"]}),
        ([("a",), ("b",), ("a", "b")], {"legend3": ["a", "b"]}),
    ],
)
@pytest.mark.parametrize("draw", [stacked_figure, side_by_side_figure])
def test_a_panel_has_a_legend_unless_another_explains_its_curves(draw, panels, wanted):
    assert legends(draw([panel(*names) for names in panels])) == wanted


def test_a_legend_stands_above_its_panel():
    stacked = stacked_figure([panel("a", "b"), panel("c", "d")]).layout
    lower, upper = stacked.yaxis2.domain, stacked.yaxis.domain
    assert lower[1] < stacked.legend2.y < upper[0]
    assert stacked.legend.y > upper[1]
    beside = side_by_side_figure([panel("a", "b"), panel("c", "d")]).layout
    assert (beside.legend.x, beside.legend2.x) == (beside.xaxis.domain[0], beside.xaxis2.domain[0])


def test_pictures_of_the_spring_use_a_colour_once_a_legend(tmp_path):
    case = load_case(shipped_cases()["ssnd116_seg2"])
    fmu = load_fmu("DisChoc", folder=tmp_path).path
    record = run_case(case, fmu).record
    assert record is not None
    for picture in spring_pictures(case, fmu, record):
        for legend, names in legends(picture.figure).items():
            shown = [trace for trace in picture.figure.data if trace.legend == legend]
            colours = {trace.line.color for trace in shown if trace.showlegend}
            assert len(colours) == len(names) > 1


LABELS = """
const boxes = [...document.querySelectorAll('.annotation-text-g text')]
  .map((text) => text.getBoundingClientRect());
return boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom
  && other.top < one.bottom)).length;
"""


@pytest.mark.hosts
@pytest.mark.parametrize("width", [400, 1200])
def test_labels_of_instants_do_not_run_into_each_other(browser, tmp_path, width):
    times = np.linspace(0.0, 12.0, 5)
    instants = {"θ" if n == 0 else f"θ + {n}π/ω": 0.2 + 0.5 * n for n in range(0, 24, 4)}
    figure = stacked_figure([Panel("", (Curve("a", times, times),))], instants=instants)
    section = Section("s", "s", pictures=[Picture("p", "c", figure)])
    write_document(Document("d", "", (), [section]), tmp_path / "page.html")
    browser.show(tmp_path / "page.html", width=width)
    shown = browser.run("return document.querySelectorAll('.annotation-text-g text').length")
    assert shown >= 2
    assert browser.run(LABELS) == 0
