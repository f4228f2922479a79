"""Uncertain quantities: values by their distributions, Sobol indices, quantiles, page, messages."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from harness.command_line import main
from harness.sweep.points import design_points
from harness.sweep.sections import Design, Varied
from harness.sweep.uncertainty import sobol

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
def test_drawn_values_follow_their_distribution(
    keys: dict[str, Any], cumulative: Callable[[float], float]
) -> None:
    varied = {"x": Varied(of="parameters.mass", **keys)}
    points = design_points(Design(kind="sobol", count=1024, seed=3), varied)
    shares = sorted(cumulative(float(x)) for (x,) in points)  # type: ignore[arg-type]
    # One of the 1024 points in each slice, wherever in it.
    middles = (np.arange(1024) + 0.5) / 1024
    assert np.abs(np.array(shares) - middles).max() <= 1.0 / 1024


def test_the_indices_of_ishigamis_function_are_those_of_the_closed_form() -> None:
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
        # Of 2048 quasi-random points: some percent of the variance.
        assert index.first == pytest.approx(first / variance, abs=0.03)
        assert index.total == pytest.approx(total / variance, abs=0.03)
        assert index.first_interval[0] - 0.01 <= first / variance <= index.first_interval[1] + 0.01
        assert index.total_interval[0] - 0.01 <= total / variance <= index.total_interval[1] + 0.01


def _uncertain(sweep_file: Path, kind: str) -> None:
    text = sweep_file.read_text(encoding="utf-8")
    head = text[: text.index("[design]")]
    # Worn volume = coefficient · work, and the work does not know the coefficient.
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


def test_a_sweep_says_how_its_results_scatter_and_why(
    sweep_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _uncertain(sweep_file, "sobol_indices")
    page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
    assert main(["sweep", str(sweep_file), "--map", str(page), "--json", str(numbers)]) == 0
    printed = capsys.readouterr().out
    assert "alone" in printed
    assert "320 points" in printed
    content = json.loads(numbers.read_text())
    power, volume = content["results"]["wear_power"], content["results"]["volume"]
    # The coefficient does not enter the power at all: exactly nothing.
    assert power["indices"]["coefficient"]["total"] == 0.0
    assert volume["indices"]["coefficient"]["total"] > 0.9
    assert power["count"] == 128
    assert power["quantiles"] == sorted(power["quantiles"])
    assert "Histogram of volume" in page.read_text(encoding="utf-8")


def test_a_drawn_sweep_gives_quantiles_and_no_indices(
    sweep_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _uncertain(sweep_file, "latin_hypercube")
    assert main(["sweep", str(sweep_file)]) == 0
    printed = capsys.readouterr().out
    assert "95 %" in printed
    assert "alone" not in printed


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("factor = 2.0", "", "factor is missing: distribution = 'lognormal' needs it"),
        ("factor = 2.0", "factor = 1.0", "vary.coefficient.factor = 1.0: must be greater than 1"),
        ("factor = 2.0", "factor = 2.0\nmean = 1.0", "mean must not be given: distribution ="),
        ("mode = 15.0", "mode = 25.0", "mode=25.0 must be between start=10.0 and stop=20.0"),
        ("count = 64", "count = 60", "count=60 must be a power of 2"),
        ('"uniform"\n', '"uniform"\nscale = "log"\n', "scale='log' must not be given"),
        ('distribution = "lognormal"\n', "", "must not be given: it belongs to a distribution"),
        ('kind = "sobol_indices"\ncount = 64', 'kind = "list"', "needs a design that draws"),
    ],
)
def test_a_broken_rule_is_named(
    sweep_file: Path,
    change: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    said: str,
) -> None:
    _uncertain(sweep_file, "sobol_indices")
    change(sweep_file, (old, new))
    assert main(["sweep", str(sweep_file)]) == 2
    assert said in capsys.readouterr().err


def test_json_needs_something_uncertain(
    sweep_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(sweep_file), "--json", str(tmp_path / "x.json")]) == 2
    assert "--json needs a distribution" in capsys.readouterr().err
