"""What a sweep leaves: the table as CSV and Parquet, and the picture."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from plotly.graph_objects import Figure
from pyarrow.parquet import read_table

from harness.sweep import Sweep, load_sweep
from harness.sweep.batch import Row, run_batch
from harness.sweep.map_picture import write_map
from harness.sweep.result_file import write_results

COLUMNS = ["point", "law", "mass", "wear", "failure"]
POINTS = [("penalty", 1), ("rigid", 2.5)]
# 0.1 + 0.2 has no short decimal form.
ROWS = {1: Row((None,), "mass, or law: wrong"), 0: Row((0.1 + 0.2,))}


def test_csv_holds_every_point_in_order_and_every_bit(tmp_path: Path) -> None:
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


def test_parquet_holds_the_same_table(tmp_path: Path) -> None:
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
def test_a_map_is_one_page_that_needs_no_network(
    sweep_file: Path, tmp_path: Path, change: Callable[..., None], varied: int
) -> None:
    change(sweep_file, ("count = 40", "count = 3"), ("count = 25", "count = 2"))
    if varied == 1:
        text = sweep_file.read_text(encoding="utf-8")
        sweep_file.write_text(text[: text.index("[vary.friction]")], encoding="utf-8")
    page = tmp_path / "map.html"
    write_map(*computed(sweep_file, tmp_path), page)
    html = page.read_text(encoding="utf-8")
    assert not re.search(r'<(script|link)[^>]*(src|href)="http', html)
    assert ('"type":"contour"' in html) == (varied == 2)
    # Both quantities are there, and the menu that chooses between them.
    assert html.count('"label":"wear_power"') == html.count('"label":"peak_velocity"') == 1


def test_the_map_of_a_grid_shows_each_value_at_its_own_place(
    sweep_file: Path, tmp_path: Path, change: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(Figure, "write_html", lambda figure, *_, **__: drawn.append(figure))
    change(
        sweep_file,
        ("count = 40", 'count = 3\nunit = "m/s2"'),
        ("count = 25", "count = 2"),
        ('"wear_power"', '"wear_power", unit = "W"'),
    )
    sweep, rows = computed(sweep_file, tmp_path)
    write_map(sweep, rows, tmp_path / "map.html")
    shown = drawn[0].data[0]
    assert shown.colorbar.title.text == "wear_power [W]"
    assert drawn[0].layout.xaxis.title.text == "amplitude [m/s2]"
    at = {
        (amplitude, friction): shown.z[row][column]
        for column, amplitude in enumerate(shown.x)
        for row, friction in enumerate(shown.y)
    }
    assert at == {point: rows[number].values[0] for number, point in enumerate(sweep.points)}
