"""Results of a sweep: the table as CSV and Parquet, and the picture."""

import base64
import csv
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import html
from pyarrow.parquet import read_table

from harness.figures.log_axis import decimal_ticks
from harness.report.map_picture import write_map
from harness.sweep import Sweep, load_sweep
from harness.sweep.batch import Row, run_batch
from harness.sweep.regime_lines import regime_lines
from harness.sweep.result_file import write_results

COLUMNS = ["point", "law", "mass", "wear", "failure"]
POINTS = [("penalty", 1), ("rigid", 2.5)]
# 0.1 + 0.2 has no short decimal form.
ROWS = {1: Row((None,), "mass, or law: wrong"), 0: Row((0.1 + 0.2,))}


def test_csv_holds_every_point_in_order_and_every_bit(tmp_path):
    path = tmp_path / "out.csv"
    write_results(path, COLUMNS, POINTS, ROWS)
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    assert rows == [
        COLUMNS,
        ["0", "penalty", "1", "0.30000000000000004", ""],
        ["1", "rigid", "2.5", "", "mass, or law: wrong"],
    ]
    assert [file.name for file in tmp_path.iterdir()] == ["out.csv"]


def test_parquet_holds_the_same_table(tmp_path):
    path = tmp_path / "out.parquet"
    write_results(path, COLUMNS, POINTS, ROWS)
    assert read_table(path).to_pydict() == {
        "point": [0, 1],
        "law": ["penalty", "rigid"],
        "mass": [1.0, 2.5],
        "wear": [0.1 + 0.2, None],
        "failure": [None, "mass, or law: wrong"],
    }


def computed(sweep_file: Path, folder: Path) -> tuple[Sweep, dict[int, Row]]:
    sweep = load_sweep(sweep_file, fmu_folder=folder)
    return sweep, dict(enumerate(run_batch(sweep.study, sweep.points)[0]))


@pytest.mark.parametrize("varied", [1, 2])
def test_a_map_is_one_page_that_needs_no_network(sweep_file, tmp_path, change, varied):
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    if varied == 1:
        text = sweep_file.read_text(encoding="utf-8")
        sweep_file.write_text(text[: text.index("[vary.friction]")], encoding="utf-8")
    page = tmp_path / "map.html"
    write_map(*computed(sweep_file, tmp_path), page)
    text = page.read_text(encoding="utf-8")
    assert not re.search(r'<(script|link)[^>]*(src|href)="http', text)
    assert ('"type":"contour"' in text) == (varied == 2)
    # The page contains both quantities and their menu.
    assert text.count('"label":"wear_power"') == text.count('"label":"peak_velocity"') == 1
    assert html.parse(page).xpath('//meta[@name="viewport"]')


def figure_of(sweep_file: Path, folder: Path) -> tuple[Sweep, dict[int, Row], Any]:
    """Return a sweep, rows of artificial values, and the figure on its page."""
    sweep = load_sweep(sweep_file, fmu_folder=folder)
    rows = {number: Row((float(number) ** 3, 1.0)) for number in range(len(sweep.points))}
    page = folder / "map.html"
    write_map(sweep, rows, page)
    # Curves through the map are below it.
    content, *_ = html.parse(page).xpath('//div[@class="plot"]/script/text()')
    return sweep, rows, json.loads(content)


def array(values: Any) -> Any:
    """Return a list that plotly wrote as a list or as an array in base64."""
    if not isinstance(values, dict):
        return values
    found = np.frombuffer(base64.b64decode(values["bdata"]), dtype=np.dtype(values["dtype"]))
    shape = [int(size) for size in values.get("shape", str(len(found))).split(",")]
    return found.reshape(shape).tolist()


def test_the_map_of_a_grid_shows_each_value_at_its_own_place(sweep_file, tmp_path, change):
    change(
        sweep_file,
        ("count = 40", 'count = 3\nunit = "m/s2"'),
        ("count = 25", "count = 2"),
        ('"wear_power"', '"wear_power", unit = "W"'),
    )
    sweep, rows, figure = figure_of(sweep_file, tmp_path)
    shown = figure["data"][0]
    assert shown["colorbar"]["title"]["text"] == "wear_power [W]"
    assert figure["layout"]["xaxis"]["title"]["text"] == "amplitude [m/s²]"
    at = {
        (amplitude, friction): array(shown["z"])[row][column]
        for column, amplitude in enumerate(array(shown["x"]))
        for row, friction in enumerate(array(shown["y"]))
    }
    assert at == {point: rows[number].values[0] for number, point in enumerate(sweep.points)}


def test_a_map_has_curves_through_it_below_it(sweep_file, tmp_path, change):
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    sweep, rows, _ = figure_of(sweep_file, tmp_path)
    plots = html.parse(tmp_path / "map.html").xpath('//div[@class="plot"]/script/text()')
    assert len(plots) == 1 + len(sweep.study.quantities)
    curves = json.loads(plots[1])["data"]
    at = {
        (amplitude, float(curve["name"].split(" = ")[1].split()[0])): value
        for curve in curves
        for amplitude, value in zip(array(curve["x"]), array(curve["y"]), strict=True)
    }
    for number, (amplitude, friction) in enumerate(sweep.points):
        shown = at[amplitude, float(f"{friction:.4g}")]
        assert shown == pytest.approx(rows[number].values[0], rel=1e-6)


def test_a_map_whose_points_all_failed_is_empty_and_warns_of_nothing(sweep_file, tmp_path, change):
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    sweep = load_sweep(sweep_file, fmu_folder=tmp_path)
    rows = {number: Row((None, None), "no such run") for number in range(len(sweep.points))}
    # Warnings are errors in the tests.
    write_map(sweep, rows, tmp_path / "map.html")
    text = (tmp_path / "map.html").read_text(encoding="utf-8")
    assert "6 points failed and are omitted" in text


def test_logarithmic_colours_show_the_logarithm_and_leave_out_what_is_not_positive(
    sweep_file, tmp_path, change
):
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    _, _, figure = figure_of(sweep_file, tmp_path)
    labels = [button["label"] for button in figure["layout"]["updatemenus"][0]["buttons"]]
    assert labels[:2] == ["wear_power", "wear_power, logarithmic colours"]
    linear, logarithmic = (np.array(array(one["z"]), dtype=float) for one in figure["data"][:2])
    assert np.isnan(logarithmic[linear <= 0.0]).all()
    assert np.any(linear <= 0.0)
    positive = linear > 0.0
    assert logarithmic[positive] == pytest.approx(np.log10(linear[positive]), rel=1e-12)


def test_a_map_of_the_rubbing_shoe_has_its_regimes_lines(sweep_file, tmp_path, change):
    # SDND104 (V5.01.104), section 2: slip needs a0 > μg, and stick ends at μg/a0 = 2/√(π² + 4).
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    _, _, figure = figure_of(sweep_file, tmp_path)
    named = [one for one in figure["data"] if one.get("showlegend") and one["mode"] == "lines"]
    gravity = 10.0
    etas = []
    for line in named:
        amplitude, friction = np.array(array(line["x"])), np.array(array(line["y"]))
        assert np.min(friction) == pytest.approx(0.05, rel=1e-12)
        assert np.max(friction) == pytest.approx(0.15, rel=1e-12)
        etas.append(gravity * friction / amplitude)
    assert etas[0] == pytest.approx(1.0, rel=1e-12)
    assert etas[1] == pytest.approx(2.0 / math.sqrt(math.pi**2 + 4.0), rel=1e-12)


def test_a_curve_of_the_rubbing_shoe_has_its_regimes_instants(sweep_file, tmp_path, change):
    change(sweep_file, ("count = 40", "count = 3"))
    text = sweep_file.read_text(encoding="utf-8")
    sweep_file.write_text(text[: text.index("[vary.friction]")], encoding="utf-8")
    _, _, figure = figure_of(sweep_file, tmp_path)
    places = [shape["x0"] for shape in figure["layout"]["shapes"]]
    assert places == pytest.approx([1.0, math.sqrt(math.pi**2 + 4.0) / 2.0], rel=1e-12)


@pytest.mark.parametrize(
    ("varied", "wanted"),
    [
        # η does not depend on the mass, so the onset is a horizontal line.
        ("parameters.mass", 2),
        # With a spring, the formulas of the shoe do not apply.
        ("parameters.stiffness", 0),
    ],
)
def test_lines_are_drawn_only_where_the_closed_form_holds(
    sweep_file, tmp_path, change, varied, wanted
):
    change(
        sweep_file,
        ("count = 40", "count = 3"),
        ("count = 25", "count = 2"),
        ("parameters.friction_coefficient", varied),
    )
    lines = regime_lines(load_sweep(sweep_file, fmu_folder=tmp_path))
    assert len(lines) == wanted
    for line in lines:
        assert np.ptp(line.x) == 0.0


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0.5, 20.0, [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]),
        (0.05, 0.15, [0.05, 0.1]),
        (1e-3, 1e3, [1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0, 1000.0]),
        (3.0, 4.0, [3.0, 4.0]),
    ],
)
def test_a_logarithmic_scale_has_decimal_ticks(low, high, wanted):
    assert decimal_ticks(low, high) == wanted


@pytest.mark.hosts
def test_a_map_fits_a_phone_and_its_menu_changes_the_colours(sweep_file, tmp_path, change, browser):
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    figure_of(sweep_file, tmp_path)
    browser.show(tmp_path / "map.html", width=400)
    assert browser.complaints() == []
    assert browser.overflow() == []
    click = "dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    browser.run(f"document.querySelector('.updatemenu-header').{click}")
    browser.run(f"document.querySelectorAll('.updatemenu-dropdown-button')[1].{click}")
    shown = browser.run("return document.querySelector('.plot').data.map(one => one.visible)")
    assert shown[:2] == [False, True]
    # The lines remain visible.
    assert all(shown[4:])
