"""The table of pictures: report and page draw its rows if their variables are available."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

from harness.figures.palette import COLOURS
from harness.fmu.history import RunRecord
from harness.page import page_table
from harness.report import panel_table
from harness.report.panel_table import PanelRow, PictureRow, Series
from harness.report.shaken_run import ShakenRun
from harness.report.table_pictures import Columns, picture
from wearmodel.kernel.shoe.inputs_outputs import INPUTS, OUTPUTS

TIMES = np.linspace(0.0, 1.0, 11)
VARIABLES = {one.name for table in (INPUTS, OUTPUTS) for one in table}
WEAR = next(row for row in panel_table.FRICTIONAL_SHOCK if row.title == "Wear")


def rows() -> Iterator[PictureRow]:
    """Yield the single rows of the table."""
    for found in vars(panel_table).values():
        if isinstance(found, PictureRow):
            yield found
        elif isinstance(found, tuple) and all(isinstance(one, PictureRow) for one in found):
            yield from found


def run_of(*rows: PictureRow) -> Columns:
    """Return a run in which each variable is a different power of the time."""
    names = [series.variable for row in rows for panel in row.panels for series in panel.series]
    columns = {name: TIMES ** (2 + number) for number, name in enumerate(dict.fromkeys(names))}
    return Columns({**columns, "time": TIMES, "worn_volume": TIMES}, {"wear_power": "W"})


def on_page(row: PictureRow, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the variables of each plot of a row on the page."""
    monkeypatch.setattr(page_table, "FRICTIONAL_SHOCK", [row])
    (shown,) = page_table.page_pictures()
    return [
        [series["variable"] for panel in plot if panel for series in panel["series"]]
        for plot in shown["plots"]
    ]


def drawn(row: PictureRow) -> list[str]:
    """Return the names of the curves of a row in the report."""
    return [trace.name for trace in picture(row, run_of(row)).figure.data]


def test_a_series_in_a_panel_shows_in_report_and_page(monkeypatch):
    power, *others = WEAR.panels
    more = replace(power, series=(*power.series, Series("friction_power", "support")))
    row = replace(WEAR, panels=(more, *others))
    assert drawn(WEAR) == ["wear_power", "wear_work"]
    assert drawn(row) == ["wear_power", "friction_power", "wear_work"]
    assert on_page(WEAR, monkeypatch) == [["wear_power", "wear_work"]]
    assert on_page(row, monkeypatch) == [["wear_power", "friction_power", "wear_work"]]


def test_a_panel_in_a_picture_shows_in_report_and_page(monkeypatch):
    row = replace(WEAR, panels=(*WEAR.panels, PanelRow((Series("wear_depth", "wear"),))))
    assert drawn(row) == ["wear_power", "wear_work", "wear_depth"]
    assert on_page(row, monkeypatch) == [["wear_power", "wear_work"], ["wear_depth"]]


def test_the_page_leaves_out_what_only_the_report_computes(monkeypatch):
    assert on_page(panel_table.MOTION, monkeypatch) == [
        ["base_acceleration", "absolute_acceleration"]
    ]


@pytest.mark.parametrize("row", panel_table.FRICTIONAL_SHOCK, ids=lambda row: row.title)
def test_a_shaken_run_has_all_that_its_rows_name(row):
    asked = {series.variable for panel in row.panels for series in panel.series}
    asked |= {panel.x for panel in row.panels} | {
        series.x for panel in row.panels for series in panel.series if series.x
    }
    # A stop is a parameter, drawn as a line over the whole time.
    computed = {name for name in asked if hasattr(ShakenRun, name)} | {"stop_lower", "stop_upper"}
    assert asked - VARIABLES - {"time"} <= computed
    assert all(hasattr(ShakenRun, name) for name in row.shows)


def on_the_page() -> set[str]:
    """Return the variables that the page draws."""
    return {
        series["variable"]
        for picture in page_table.page_pictures()
        for plot in picture["plots"]
        for panel in plot
        if panel
        for series in panel["series"]
    }


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.title)
def test_a_row_keeps_to_the_colours_and_styles_there_are(row):
    for panel in row.panels:
        assert panel.page in ("left", "right", "")
        for series in panel.series:
            assert {series.colour, series.beside} <= {*COLOURS, ""}
            styles = ("solid", "dash", "dot")
            # The page draws lines only. It omits series that only the report computes.
            is_drawn = row.page and series.variable in on_the_page()
            assert series.style in (styles if is_drawn else (*styles, "points", "marked", "band"))
        # A band is filled to the previous curve.
        assert panel.series[0].style != "band"


def test_the_pictures_of_the_page_have_places_of_their_own():
    places = [row.page.place for row in panel_table.FRICTIONAL_SHOCK if row.page]
    assert sorted(places) == list(range(1, 1 + len(places)))


@pytest.mark.parametrize(
    "row", [row for row in rows() if row.page], ids=lambda row: f"{row.title} on the page"
)
def test_a_picture_of_the_page_has_one_x_axis_and_a_path_one_side(row):
    shown = [panel for panel in row.panels if panel.page]
    assert len({panel.x for panel in shown}) == 1
    assert shown[0].x == row.panels[0].x
    if shown[0].x != "time":
        assert {panel.page for panel in shown} == {"left"}


def test_a_constant_bound_is_a_level_and_one_that_varies_a_curve():
    panel = PanelRow((Series("a"), Series("bound", name="b", factor=-1.0, level="−b")), "a")
    row = PictureRow("", "", (panel,))
    for bound, names, levels in ((np.ones(11), ["a"], [-1.0]), (TIMES, ["a", "b"], [])):
        figure = picture(row, Columns({"time": TIMES, "a": TIMES, "bound": bound})).figure
        assert [trace.name for trace in figure.data] == names
        assert [shape.y0 for shape in figure.layout.shapes] == levels
    assert figure.data[1].y[-1] == -1.0


def test_a_force_that_jumps_between_two_samples_jumps_at_rest():
    panel = PanelRow((Series("force"),), x="velocity", corners=True)
    columns = {"velocity": np.array([-1.0, 1.0, 2.0]), "force": np.array([3.0, -3.0, -3.0])}
    (trace,) = picture(PictureRow("", "", (panel,), beside=True), Columns(columns)).figure.data
    assert list(trace.x) == [-1.0, 0.0, 0.0, 1.0, 2.0]
    assert list(trace.y) == [3.0, 3.0, -3.0, -3.0, -3.0]


def test_a_panel_without_any_of_its_variables_is_not_there():
    row = PictureRow("", "", (PanelRow((Series("a"),)), PanelRow((Series("b"),))))
    figure = picture(row, Columns({"time": TIMES, "b": TIMES})).figure
    assert [axis.title.text for axis in figure.select_yaxes()] == ["b"]


def test_an_input_that_nobody_feeds_is_zero_and_what_nobody_knows_is_refused():
    run = ShakenRun(RunRecord(TIMES, {}, 1.0, ()), {}, {})
    assert not np.any(run["normal_load"])
    with pytest.raises(AttributeError, match="normal_lode"):
        run["normal_lode"]


def test_the_convergence_shows_a_curve_of_each_computed_run():
    computed = {f"EULER {amplitude:g}" for amplitude in panel_table.EULER_AMPLITUDES}
    computed |= {f"order {order}" for order in panel_table.INPUT_ORDERS}
    (scheme, fmu) = panel_table.CONVERGENCE.panels
    assert {series.variable for series in (*scheme.series, *fmu.series)} == computed


def test_a_misspelt_key_of_a_picture_is_an_error():
    with pytest.raises(ValidationError, match="hiden_at_zero"):
        PanelRow((), hiden_at_zero=True)
