"""Service lives with drawn inputs: depths by closed forms, drawn coefficients, and messages."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta

from harness.command_line import main
from harness.console import text_console
from harness.life import DrawnLives, life_text, load_life, run_draws
from harness.life.drawn_lives import instants
from harness.life.life_file import Life
from harness.life.life_text import print_drawn_lives, years_to_limit
from harness.report.life_page import fan_pictures
from harness.sweep import SHARES, Row, spreads, write_spreads

from .pads import ARCHARD, LIFE, PRESCRIBED, exact_depth, life_file
from .test_lives_of_structures import CONTACT, OMEGA, TWO_BLOCKS, structure_life

SCATTERS = LIFE.replace(ARCHARD, '{ kind = "ARCHARD", coefficient = %s }').replace(
    "relative_error = 0.02", "relative_error = 0.1"
)
MEDIAN = "{ median = 1e-16, factor = 2.0 }"
DESIGN = """
[life.design]
kind = "latin_hypercube"
count = 4
"""
PRELOAD = """
[life.vary.load]
of = "parameters.preload"
distribution = "uniform"
start = 8.0
stop = 12.0
"""
SHAKING = """
[life.vary.shaking]
of = "inputs.base_acceleration.amplitude"
start = 1.99
stop = 2.01
"""


@pytest.fixture(autouse=True)
def no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute all draws in this process, unless the test requires workers."""
    monkeypatch.setattr("harness.sweep.sweep_run.STARTING_SECONDS", math.inf)


def rows_of(life: Life, table: Path) -> list[dict[str, str]]:
    run_draws(life, csv=table, progress=lambda done: None)
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


@pytest.mark.long
def test_the_life_of_each_draw_meets_the_closed_form_of_its_load_and_coefficient(
    tmp_path: Path,
) -> None:
    limit = 'criterion = { variable = "depth", limit = 4e-5 }\n'
    file = life_file(tmp_path, SCATTERS % MEDIAN + limit + DESIGN + PRELOAD)
    rows = rows_of(load_life(file), tmp_path / "draws.csv")
    assert len(rows) == 4
    for row in rows:
        assert not row["failure"]
        # The depth is proportional to the load and is a function of coefficient × time.
        load, coefficient = float(row["load"]) / 10.0, float(row["coefficient"])
        for years in (5.0, 20.0, 40.0):
            want = load * exact_depth(coefficient * years)
            # Half of the accepted error is for the extrapolation.
            assert float(row[f"depth_after_{years:g}_years"]) == pytest.approx(want, rel=0.05)
        years = float(row["years_to_limit"])
        assert row["reached"] == "1.0"
        assert load * exact_depth(coefficient * years) == pytest.approx(4e-5, rel=0.05)
    # One draw in each quarter of the lognormal distribution. 95 % of it are within the factor.
    scores = sorted(math.log(float(row["coefficient"])) / math.log(2.0) * 1.96 for row in rows)
    borders = (-math.inf, -0.6745, 0.0, 0.6745, math.inf)
    for score, low, high in zip(scores, borders, borders[1:], strict=False):
        assert low <= score <= high


@pytest.mark.long
@pytest.mark.parametrize("draw", ["shared", "contact"])
def test_contacts_share_one_coefficient_unless_each_is_to_have_its_own(
    tmp_path: Path, draw: str
) -> None:
    scatter = f'{{ median = 1e-16, factor = 2.0, draw = "{draw}" }}'
    file = structure_life(tmp_path, SCATTERS % scatter + DESIGN.replace("4", "2"))
    contacts = "".join(CONTACT.format(name=name) for name in ("light", "heavy"))
    block = TWO_BLOCKS.format(
        frequency=math.sqrt(1e5) / (2.0 * math.pi), velocity=2.0 / OMEGA, contacts=contacts
    )
    (tmp_path / "block.toml").write_text(block, encoding="utf-8")
    rows = rows_of(load_life(file), tmp_path / "draws.csv")
    assert len(rows) == 2
    for row in rows:
        for name, mass in (("light_floor", 1.0), ("heavy_floor", 2.0)):
            own = "coefficient" if draw == "shared" else f"coefficient of {name}"
            want = mass * exact_depth(10.0 * float(row[own]))
            assert float(row[f"{name}.depth_after_10_years"]) == pytest.approx(want, rel=0.05)


def test_draws_that_were_computed_before_an_interruption_are_not_computed_again(
    tmp_path: Path,
) -> None:
    life = load_life(life_file(tmp_path, SCATTERS % "1e-16" + DESIGN + PRELOAD))

    def interrupted(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_draws(life, progress=interrupted)
    assert life.journal.exists()
    lives = run_draws(life, progress=lambda done: None)
    assert lives.computed == 1
    assert len(lives.rows) == 4
    # The command deletes the journal after all files are written.
    assert main(["life", str(life.case.file)]) == 0
    assert not life.journal.exists()


@pytest.mark.long
def test_draws_on_two_workers_give_the_file_of_this_process(
    tmp_path: Path, closed_before_removal: None
) -> None:
    life = load_life(life_file(tmp_path, SCATTERS % MEDIAN + DESIGN + PRELOAD))
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    run_draws(life, csv=here, progress=lambda done: None)
    run_draws(life, workers=2, csv=there, progress=lambda done: None)
    assert here.read_bytes() == there.read_bytes()


def test_an_input_that_a_service_sets_is_not_varied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = '[[life.service]]\nname = "a"\nfraction = 1.0\n'
    service += "inputs.base_acceleration = { amplitude = 1.0 }\n"
    text = SCATTERS % "1e-16" + DESIGN + SHAKING + service
    assert main(["life", str(life_file(tmp_path, text))]) == 2
    assert "service 'a' sets it too" in capsys.readouterr().err


@pytest.mark.long
def test_the_depth_of_a_draw_is_in_proportion_to_its_shaking(tmp_path: Path) -> None:
    two = DESIGN.replace("4", "2")
    file = life_file(tmp_path, SCATTERS % "1e-16" + two + SHAKING, *PRESCRIBED)
    rows = rows_of(load_life(file), tmp_path / "draws.csv")
    amplitudes = [float(row["shaking"]) for row in rows]
    assert max(amplitudes) > 1.002 * min(amplitudes)
    depths = [float(row["depth_after_40_years"]) for row in rows]
    ratios = [depth / amplitude for depth, amplitude in zip(depths, amplitudes, strict=True)]
    assert ratios == pytest.approx([ratios[0]] * 2, rel=1e-3)


def test_a_draw_that_the_model_refuses_fails_alone_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vary = """
[life.vary.friction]
of = "parameters.friction_coefficient"
values = [0.0, -0.1]
"""
    file = life_file(tmp_path, SCATTERS % "1e-16" + DESIGN.replace("4", "2") + vary)
    outputs = ["--json", str(tmp_path / "draws.json"), "--csv", str(tmp_path / "draws.csv")]
    assert main(["life", str(file), *outputs]) == 1
    printed = capsys.readouterr().out
    assert "friction_coefficient=-0.1 must be" in printed
    assert "1 of 2 draws failed" in printed
    rows = list(csv.DictReader((tmp_path / "draws.csv").read_text().splitlines()))
    assert sorted(bool(row["failure"]) for row in rows) == [False, True]


@pytest.mark.long
def test_quantiles_shares_and_what_matters_are_told_in_text_json_and_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Only the larger loads reach the limit. A depth of 100 µm unloads 10 N completely.
    limit = 'criterion = { variable = "depth", limit = 9.8e-5 }\n'
    design = DESIGN.replace("latin_hypercube", "sobol_indices").replace("4", "2")
    text = SCATTERS % "1e-16" + limit + design + PRELOAD + SHAKING
    file = life_file(tmp_path, text)
    page = tmp_path / "draws.html"
    outputs = ["--json", str(tmp_path / "draws.json"), "--report", str(page)]
    assert main(["life", str(file), *outputs]) == 0
    printed = capsys.readouterr().out
    results = json.loads((tmp_path / "draws.json").read_text())["results"]
    last = results["depth_after_40_years"]
    # The samples are two blocks of two draws. They are too few for the shares of variance, but
    # show which one is larger: ± 20 % of load or ± 0.5 % of base motion.
    assert last["count"] == 4
    assert last["indices"]["load"]["total"] > 10.0 * last["indices"]["shaking"]["total"]
    reached = results["reached"]["mean"]
    assert 0.0 < reached < 1.0
    assert f"limit reached in {100.0 * reached:.0f} % of 4 draws within 40 years" in printed
    assert "load" in printed
    text = page.read_text(encoding="utf-8")
    assert "Sources of the variance" in text
    assert text.index("Depth in all draws") < text.index("Sources of the variance")


def test_the_fan_of_all_draws_has_the_quantiles_of_the_json_and_the_share_at_the_limit(
    tmp_path: Path,
) -> None:
    limit = 'criterion = { variable = "depth", limit = 9.8e-5 }\n'
    life = load_life(life_file(tmp_path, SCATTERS % "1e-16" + limit + DESIGN + PRELOAD))
    # Artificial histories are straight lines. The steepest ones reach the limit.
    slopes = (2e-6, 3e-6, 1e-6, 2.4e-6)
    years = 5.0 * np.arange(9)
    rows = {}
    for number, slope in enumerate(slopes):
        crossing = 9.8e-5 / slope
        reached = (1.0, crossing) if crossing <= 40.0 else (0.0, None)
        rows[number] = Row((*(slope * years[1:]).tolist(), 1e-7, *reached), None)
    assert life.draws is not None
    lives = DrawnLives(**vars(life.draws), life=life, rows=rows, computed=4)
    write_spreads(spreads(lives, lives.rows), tmp_path / "draws.json")
    written = json.loads((tmp_path / "draws.json").read_text())
    results, shares = written["results"], written["shares"]
    (fan,) = fan_pictures(lives, "")
    curves = {curve.name: curve for curve in fan.figure.data}
    for name, share in (("5 %", 0.05), ("median", 0.5), ("95 %", 0.95)):
        told = [results[f"depth_after_{year:g}_years"]["quantiles"] for year in years[1:]]
        np.testing.assert_array_equal(curves[name].x, years)
        depths = [0.0, *(1e6 * quantiles[shares.index(share)] for quantiles in told)]
        np.testing.assert_allclose(curves[name].y, depths, 1e-6)
    assert curves["95 %"].fill == "tonexty"
    assert list(curves)[:2] == ["5 %", "95 %"]
    (line,) = fan.figure.layout.shapes
    assert line.y0 == line.y1 == pytest.approx(98.0)
    # The curve rises at each draw that reaches the limit, up to the share of these draws.
    share_reached = curves["limit reached"]
    earlier, later = 9.8e-5 / 3e-6, 9.8e-5 / 2.4e-6
    assert later > 40.0 > earlier
    np.testing.assert_allclose(share_reached.x, [0.0, earlier, earlier, 40.0], 1e-6)
    np.testing.assert_array_equal(share_reached.y, [0.0, 0.0, 25.0, 25.0])
    assert results["reached"]["mean"] == 0.25


@pytest.mark.parametrize(
    ("life", "message"),
    [
        (
            SCATTERS % "1e-16" + PRELOAD,
            "design is missing: it contains the number of draws of vary",
        ),
        (SCATTERS % "1e-16" + DESIGN, "design has no uncertain quantity"),
        (
            SCATTERS % "1e-16" + PRELOAD + '[life.design]\nkind = "grid"\n',
            "design.kind = 'grid': must be one of random, sobol, halton",
        ),
        (
            SCATTERS % '{ median = 1e-16, factor = 2.0, draw = "contact" }',
            "draw = 'contact' needs a design",
        ),
        (
            SCATTERS % "1e-16"
            + DESIGN
            + PRELOAD.replace("parameters.preload", "parameters.prelod"),
            "did you mean 'preload'",
        ),
        (
            SCATTERS % "1e-16" + DESIGN + PRELOAD + PRELOAD.replace(".load]", ".again]"),
            "parameters.preload is varied twice",
        ),
        (
            SCATTERS % MEDIAN + DESIGN + PRELOAD.replace(".load]", ".coefficient]"),
            "vary.coefficient is the name of the law's coefficient",
        ),
        (
            SCATTERS % "1e-16"
            + DESIGN
            + PRELOAD
            + '[[life.service]]\nname = "a"\nfraction = 1.0\nparameters = { preload = 9.0 }\n',
            "service 'a' sets it too",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_any_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], life: str, message: str
) -> None:
    assert main(["life", str(life_file(tmp_path, life))]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert len(said.strip().splitlines()) == 1


def test_a_drawn_parameter_that_the_law_or_the_shape_replaces_is_a_note(tmp_path: Path) -> None:
    drawn = PRELOAD.replace("parameters.preload", "parameters.archard_coefficient")
    service = '[[life.service]]\nname = "a"\nfraction = 1.0\nparameters = { wear_area = 2e-4 }\n'
    life = load_life(life_file(tmp_path, SCATTERS % "1e-16" + DESIGN + drawn + service))
    determined = "has no effect: the law and the shape of [life] determine the wear"
    assert set(life.notes) >= {
        f"life.vary.load: parameters.archard_coefficient {determined}",
        f"life.service (a): wear_area {determined}",
    }


def test_a_scheduler_without_draws_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["life", str(life_file(tmp_path)), "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "--scheduler needs draws" in capsys.readouterr().err


def chosen_lives(folder: Path, limit: str = "", count: int = 8) -> DrawnLives:
    """Return service lives with chosen results. The depth of draw n grows by n µm a year.

    Draws 5 to 8 reach the limit after 39, 38, 37 and 36 years.
    """
    text = SCATTERS % "1e-16" + limit + DESIGN.replace("4", str(count)) + PRELOAD
    life = load_life(life_file(folder, text))
    assert life.draws is not None
    rows = {}
    for number in range(1, count + 1):
        depths = [1e-6 * number * year for year in instants(life)]
        reached = [1.0, 44.0 - number] if number > 4 else [0.0, None]
        rows[number - 1] = Row((*depths, 1e-7 * number, *(reached if limit else [])), None)
    return DrawnLives(**vars(life.draws), life=life, rows=rows, computed=count)


LIMITED = 'criterion = { variable = "depth", limit = 2e-4 }\n'


def printed_of(lives: DrawnLives, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr("harness.life.life_text.print_indices", lambda *given: None)
    console = text_console()
    with console.capture() as printed:
        print_drawn_lives(lives, console)
    return [line.rstrip() for line in printed.get().splitlines()]


def test_the_quantiles_of_chosen_depths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed_of(chosen_lives(tmp_path), monkeypatch)
    assert lines[0] == "depth [µm]"
    table = [line.split() for line in lines if line.strip()[:1].isdigit()][:8]
    for row, year in zip(table, range(5, 41, 5), strict=True):
        wanted = [4.5 * year, *np.quantile(np.arange(1.0, 9.0) * year, SHARES)]
        assert [float(cell) for cell in row] == pytest.approx([year, *wanted], rel=6e-3)
    # The median of 0.1 to 0.8 µm.
    assert "error bar of a draw's depth at the end 0.45 µm (median)" in lines
    assert not any("limit" in line for line in lines)
    assert lines[-1].startswith("8 draws, all under the same noise: quantiles hold what is drawn")


def test_the_share_of_chosen_draws_that_reach_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives = chosen_lives(tmp_path, LIMITED)
    (line,) = [line for line in printed_of(lives, monkeypatch) if "limit reached" in line]
    # The exact interval for 4 of 8.
    low, high = (beta.ppf(share, *n) for share, n in ((0.025, (4, 5)), (0.975, (5, 4))))
    assert line.startswith(
        "limit reached in 50 % of 8 draws within 40 years"
        f" (95 %: {100.0 * low:.0f} to {100.0 * high:.0f} %); years: "
    )
    assert years_to_limit(lives, "").tolist() == [36.0, 37.0, 38.0, 39.0, *[math.inf] * 4]
    # The first of eight draws is 12.5 %, and the fourth is 50 %.
    assert "5 % after 36" in line
    assert "50 % after 39" in line
    assert "75 %" not in line.partition("years: ")[2]
    none = {number: replace(row, values=(*row.values[:-2], 0.0, None))
            for number, row in lives.rows.items()}  # fmt: skip
    (line,) = [
        line
        for line in printed_of(replace(lives, rows=none), monkeypatch)
        if "limit reached" in line
    ]
    assert line.startswith("limit reached in 0 % of 8 draws")
    assert "years:" not in line
    lost = {number: replace(row, values=(*row.values[:-2], None, None), failure="not known: few")
            for number, row in lives.rows.items()}  # fmt: skip
    unknown = replace(lives, rows=lost)
    assert "whether the limit is reached is not known in any draw" in printed_of(
        unknown, monkeypatch
    )
    assert unknown.failures == {}
    assert set(unknown.not_known) == set(range(8))


def test_the_first_draw_that_reaches_a_limit_is_named_if_fewer_than_a_share_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One of forty draws, 2.5 %, is less than the smallest share, 5 %.
    years = np.array([36.0, *[math.inf] * 39])
    monkeypatch.setattr(life_text, "years_to_limit", lambda *given: years)
    lives = chosen_lives(tmp_path, LIMITED)
    (line,) = [line for line in printed_of(lives, monkeypatch) if "limit reached" in line]
    assert line.endswith("; years: the first after 36")


def test_units_and_columns_of_chosen_draws(tmp_path: Path) -> None:
    lives = chosen_lives(tmp_path, LIMITED)
    assert lives.columns == ["draw", "load", *lives.results, "failure"]
    assert lives.units["years_to_limit"] == "years"
    assert lives.units["depth_bar"] == lives.units["depth_after_40_years"] == "m"
    assert "reached" not in lives.units
    assert lives.column("depth_after_20_years").tolist() == pytest.approx(
        [2e-5 * number for number in range(1, 9)]
    )
    assert np.isnan(lives.column("years_to_limit")).tolist() == [True] * 4 + [False] * 4
    assert lives.summary == "8 draws of a service life of 40 years, pad.toml"


def lives_of_two_contacts(folder: Path, years: dict[str, list[float | None]]) -> DrawnLives:
    """Return lives of two contacts with chosen years to a limit. The depth of both is 1 µm."""
    scatter = SCATTERS % MEDIAN + LIMITED + DESIGN
    file = structure_life(folder, scatter)
    contacts = "".join(CONTACT.format(name=name) for name in ("light", "heavy"))
    block = TWO_BLOCKS.format(frequency=50.0, velocity=2.0 / OMEGA, contacts=contacts)
    (folder / "block.toml").write_text(block, encoding="utf-8")
    life = load_life(file)
    assert life.draws is not None
    rows = {}
    for number in range(4):
        values: list[float | None] = []
        for contact in life.contacts:
            year = years[contact.name][number]
            values += [*[1e-6] * 8, 1e-7, 0.0 if year is None else 1.0, year]
        rows[number] = Row(tuple(values), None)
    return DrawnLives(**vars(life.draws), life=life, rows=rows, computed=4)


def test_the_share_of_draws_in_which_each_contact_is_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    years: dict[str, list[float | None]] = {
        "light_floor": [30.0, 20.0, None, 21.0],
        "heavy_floor": [25.0, None, None, 22.0],
    }
    lines = printed_of(lives_of_two_contacts(tmp_path, years), monkeypatch)
    assert [line for line in lines if line.endswith("[µm]")] == [
        "light_floor [µm]", "heavy_floor [µm]",
    ]  # fmt: skip
    for name, share in (("light_floor", 75), ("heavy_floor", 50)):
        start = f"{name}: limit reached in {share} % of 4 draws within 40 years"
        assert sum(line.startswith(start) for line in lines) == 1
    assert (
        "first of all, of 3 draws in which one reaches the limit: light_floor in 67 %,"
        " heavy_floor in 33 %"
    ) in lines


def test_no_contact_is_first_if_none_reaches_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    none: list[float | None] = [None] * 4
    lives = lives_of_two_contacts(tmp_path, {"light_floor": none, "heavy_floor": none})
    assert "no contact reaches the limit in any draw" in printed_of(lives, monkeypatch)
