"""Uncertain quantities: distributions, Sobol indices, quantiles, page and messages."""

import json
import math
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from harness.command_line import main
from harness.report.uncertainty_page import histogram, indices_figure
from harness.sweep.points import design_points
from harness.sweep.sections import Design, Varied
from harness.sweep.sobol_indices import SHARES, Index, Spread, sobol

_NORMAL = NormalDist()


@pytest.mark.parametrize(
    ("keys", "cumulative"),
    [
        (
            {"distribution": "normal", "mean": 0.2, "standard_deviation": 0.05},
            lambda x: _NORMAL.cdf((x - 0.2) / 0.05),
        ),
        (
            {"distribution": "lognormal", "median": 1e-14, "factor": 2.5},
            lambda x: _NORMAL.cdf(math.log(x / 1e-14) / math.log(2.5)),
        ),
        ({"distribution": "uniform", "start": 1.0, "stop": 3.0}, lambda x: (x - 1.0) / 2.0),
        (
            {"distribution": "triangular", "start": 0.0, "mode": 1.0, "stop": 4.0},
            lambda x: x * x / 4.0 if x < 1.0 else 1.0 - (4.0 - x) ** 2 / 12.0,
        ),
    ],
    ids=["normal", "lognormal", "uniform", "triangular"],
)
def test_drawn_values_follow_their_distribution(keys, cumulative):
    varied = {"x": Varied(of="parameters.mass", **keys)}
    points = design_points(Design(kind="sobol", count=1024, seed=3), varied)
    shares = sorted(cumulative(float(x)) for (x,) in points)  # type: ignore[arg-type]
    # Each slice contains one of the 1024 points.
    middles = (np.arange(1024) + 0.5) / 1024
    assert np.abs(np.array(shares) - middles).max() <= 1.0 / 1024


def test_the_indices_of_ishigamis_function_are_those_of_the_closed_form():
    varied = {name: Varied(of=f"parameters.{name}", start=-math.pi, stop=math.pi) for name in "abc"}
    points = design_points(Design(kind="sobol_indices", count=2048), varied)
    assert len(points) == 5 * 2048
    x = np.array(points, dtype=np.float64)
    y = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    # T. Ishigami, T. Homma, 1990: variances of the terms with 7 and 0.1.
    mixed = 0.1**2 * math.pi**8 * (1.0 / 18.0 - 1.0 / 50.0)
    alone = (0.5 * (1.0 + 0.1 * math.pi**4 / 5.0) ** 2, 7.0**2 / 8.0, 0.0)
    variance = sum(alone) + mixed
    together = (alone[0] + mixed, alone[1], mixed)
    for index, first, total in zip(sobol(y.reshape(5, -1)), alone, together, strict=True):
        # 2048 quasi-random points have an error of a few percent of the variance.
        assert index.first == pytest.approx(first / variance, abs=0.03)
        assert index.total == pytest.approx(total / variance, abs=0.03)
        assert index.first_interval[0] - 0.01 <= first / variance <= index.first_interval[1] + 0.01
        assert index.total_interval[0] - 0.01 <= total / variance <= index.total_interval[1] + 0.01


def test_a_single_quantity_has_the_whole_variance():
    varied = {"a": Varied(of="parameters.a", start=0.0, stop=1.0)}
    points = design_points(Design(kind="sobol_indices", count=256), varied)
    (index,) = sobol(np.array(points, dtype=np.float64).reshape(3, -1))
    # 256 quasi-random points have an error of a few percent of the variance.
    assert index.first == pytest.approx(1.0, abs=0.05)
    assert index.total == pytest.approx(1.0, abs=0.05)
    assert index.total_interval[0] < 1.0 < index.total_interval[1]


def _uncertain(sweep_file: Path, kind: str) -> None:
    text = sweep_file.read_text(encoding="utf-8")
    head = text[: text.index("[design]")]
    # Worn volume = coefficient · work. The work does not depend on the coefficient.
    head = head.replace('name = "peak_velocity", quantity = "max", variable = "relative_velocity"',
                        'name = "volume", quantity = "max", variable = "worn_volume"')  # fmt: skip
    sweep_file.write_text(
        head
        + f"""[design]
kind = "{kind}"
count = 64

[vary.coefficient]
of = "parameters.archard_coefficient"
distribution = "lognormal"
median = 1e-14
factor = 2.0

[vary.amplitude]
of = "inputs.base_acceleration.amplitude"
distribution = "triangular"
start = 10.0
mode = 15.0
stop = 20.0

[vary.mass]
of = "parameters.mass"
distribution = "uniform"
start = 0.9
stop = 1.1
""",
        encoding="utf-8",
    )


def test_a_sweep_says_how_its_results_scatter_and_why(sweep_file, tmp_path, capsys):
    _uncertain(sweep_file, "sobol_indices")
    page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
    assert main(["sweep", str(sweep_file), "--map", str(page), "--json", str(numbers)]) == 0
    printed = capsys.readouterr().out
    assert "alone" in printed
    assert "320 points" in printed
    content = json.loads(numbers.read_text())
    power, volume = content["results"]["wear_power"], content["results"]["volume"]
    # The power does not depend on the coefficient, so its index is exactly zero.
    assert power["indices"]["coefficient"]["total"] == 0.0
    assert volume["indices"]["coefficient"]["total"] > 0.9
    assert power["count"] == 128
    assert power["quantiles"] == sorted(power["quantiles"])
    assert "Histogram of volume" in page.read_text(encoding="utf-8")


def test_the_page_shows_whose_uncertainty_it_is(sweep_file, tmp_path):
    _uncertain(sweep_file, "sobol_indices")
    page = tmp_path / "page.html"
    assert main(["sweep", str(sweep_file), "--map", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    for result in ("wear_power", "volume"):
        assert f"Sources of the variance: Sobol indices of {result}" in text
    assert "most influential quantity" in text


@pytest.mark.hosts
@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 360)])
def test_the_page_fits_screens_and_phones(sweep_file, tmp_path, browser, scheme, width):
    _uncertain(sweep_file, "sobol_indices")
    page = tmp_path / "page.html"
    assert main(["sweep", str(sweep_file), "--map", str(page)]) == 0
    browser.show(page, scheme=scheme, width=width)
    assert browser.overflow() == []
    assert browser.complaints() == []


@pytest.mark.parametrize(
    ("scatter", "is_logarithmic"), [(0.1, False), (1.0, True)], ids=["narrow", "wide"]
)
def test_a_histogram_holds_all_points_and_its_quantiles(scatter, is_logarithmic):
    sample = np.exp(np.random.default_rng(4).normal(0.0, scatter, 500))
    spread = Spread(500, 1.0, 1.0, tuple(np.quantile(sample, SHARES).tolist()), {})
    figure = histogram(sample, spread, "depth [m]")
    steps, middles = figure.data
    assert (figure.layout.xaxis.type == "log") == is_logarithmic
    assert math.fsum(middles.y) == pytest.approx(1.0, rel=1e-12)
    assert (min(steps.x), max(steps.x)) == pytest.approx((sample.min(), sample.max()), rel=1e-12)
    drawn = [shape.x0 for shape in figure.layout.shapes]
    assert drawn == [spread.quantiles[SHARES.index(share)] for share in (0.05, 0.5, 0.95)]


def test_indices_stand_in_their_order_with_the_ends_of_their_intervals():
    figure = indices_figure(
        {
            "little": Index(0.1, (0.05, 0.2), 0.1, (0.0, 0.3)),
            "much_more": Index(0.6, (0.5, 0.65), 0.9, (0.8, 1.0)),
        }
    )
    alone, together = figure.data
    assert list(figure.layout.yaxis.ticktext) == ["little", "much more"]
    assert list(alone.x) == [0.1, 0.6]
    assert list(together.x) == [0.1, 0.9]
    ends = alone.x + alone.error_x.array, alone.x - alone.error_x.arrayminus
    assert np.array(ends) == pytest.approx(np.array([[0.2, 0.65], [0.05, 0.5]]), rel=1e-12)


def test_a_drawn_sweep_gives_quantiles_and_no_indices(sweep_file, capsys):
    _uncertain(sweep_file, "latin_hypercube")
    assert main(["sweep", str(sweep_file)]) == 0
    printed = capsys.readouterr().out
    assert "95 %" in printed
    assert "alone" not in printed


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("factor = 2.0", "", "factor is missing: distribution = 'lognormal' requires it"),
        ("factor = 2.0", "factor = 1.0", "vary.coefficient.factor = 1.0: must be greater than 1"),
        ("factor = 2.0", "factor = 2.0\nmean = 1.0", "mean is not allowed: distribution ="),
        ("mode = 15.0", "mode = 25.0", "mode=25.0 must be between start=10.0 and stop=20.0"),
        ("count = 64", "count = 60", "count=60 must be a power of 2"),
        ('"uniform"\n', '"uniform"\nscale = "log"\n', "scale='log' is not allowed"),
        ('distribution = "lognormal"\n', "", "is not allowed: it requires a distribution"),
        ('kind = "sobol_indices"\ncount = 64', 'kind = "list"', "requires a design that draws"),
    ],
)
def test_a_broken_rule_is_named(sweep_file, change, capsys, old, new, said):
    _uncertain(sweep_file, "sobol_indices")
    change(sweep_file, (old, new))
    assert main(["sweep", str(sweep_file)]) == 2
    assert said in capsys.readouterr().err


def test_json_needs_something_uncertain(sweep_file, tmp_path, capsys):
    assert main(["sweep", str(sweep_file), "--json", str(tmp_path / "x.json")]) == 2
    assert "--json requires a distribution" in capsys.readouterr().err
