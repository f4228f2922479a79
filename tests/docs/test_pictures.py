"""The pictures in the repository are equal to the pictures that the sources draw."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest

from harness.life import load_life, run_life
from wearmodel.reference.schemes import scheme_errors

from .documents import DOCUMENTS, ROOT

PICTURES = ROOT / "docs" / "pictures"
DRAWN = sorted(
    path.stem for path in PICTURES.glob("*.svg") if "matplotlib" in path.read_text(encoding="utf-8")
)
# Pictures of long runs. `make test` runs the examples that compute their curves.
LONG = tuple(name for name in DRAWN if name in ("coupling", "pendulum_bearing"))
SHORT = tuple(name for name in DRAWN if name not in LONG)
SVG = "{http://www.w3.org/2000/svg}"

# In points of the drawing, a hundredth of the width of a line.
TOLERANCE = 0.02

SCRIPT = """
import json, sys
sys.path.insert(0, {docs!r})
import make_pictures
json.dump({{name: make_pictures.picture(name) for name in {names!r}}}, sys.stdout)
"""


def curves(text: str) -> dict[str, np.ndarray]:
    """Return the numbers in the paths of the curves and the positions of their markers, by name."""
    found = {}
    for group in ElementTree.fromstring(text).iter(f"{SVG}g"):
        if (name := group.get("id", "")).startswith("curve-"):
            paths = [path.get("d", "") for path in group.iter(f"{SVG}path")]
            places = [f"{u.get('x')} {u.get('y')}" for u in group.iter(f"{SVG}use")]
            numbers = re.findall(r"-?[0-9.]+(?:e-?[0-9]+)?", " ".join(paths + places))
            found[name] = np.array(numbers, dtype=float)
    return found


def test_a_picture_of_each_kind_is_kept():
    assert len(DRAWN) == 25


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return a function that draws a picture by name. One process draws all long or short ones."""

    @cache
    def together(names: tuple[str, ...]) -> dict[str, str]:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(docs=str(ROOT / "docs"), names=names)],
            cwd=tmp_path_factory.mktemp("drawn"),
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        pictures: dict[str, str] = json.loads(done.stdout)
        return pictures

    return lambda name: together(LONG if name in LONG else SHORT)[name]


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [*SHORT, *(pytest.param(name, marks=pytest.mark.hosts) for name in LONG)]
)
def test_the_curves_kept_are_those_of_today(name, drawn):
    kept = curves((PICTURES / f"{name}.svg").read_text(encoding="utf-8"))
    today = curves(drawn(name))
    assert kept.keys() == today.keys()
    assert kept
    for curve, numbers in kept.items():
        assert numbers.shape == today[curve].shape, curve
        assert np.max(np.abs(numbers - today[curve])) < TOLERANCE, curve


@pytest.mark.hosts
def test_the_errors_kept_of_the_classical_schemes_are_those_of_today():
    kept = (PICTURES / "classical_schemes.csv").read_text(encoding="utf-8").splitlines()
    rows = [(row.scheme, row.steps, row.relative_error) for row in scheme_errors(15.0)]
    assert kept[0] == "scheme;steps;relative_error"
    for line, (scheme, steps, error) in zip(kept[1:], rows, strict=True):
        assert line.split(";")[:2] == [scheme, str(steps)]
        assert float(line.split(";")[2]) == pytest.approx(error, rel=1e-3, abs=1e-12)


@pytest.mark.campaign
def test_the_states_kept_of_the_rod_are_those_of_today():
    kept = np.genfromtxt(PICTURES / "life_of_a_rod.csv", delimiter=",", names=True)
    for state in run_life(load_life(ROOT / "examples" / "life_of_a_rod.toml", years=40.0)).states:
        # With another mathematical library, stick and slip can follow another sequence. The error
        # bar covers this scatter.
        depth = float(np.interp(state.time, kept["time"], kept["depth"]))
        assert abs(state.depth - depth) <= state.depth_bar


def test_every_picture_kept_is_shown():
    shown = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    assert [path.name for path in PICTURES.glob("*.svg") if path.name not in shown] == []


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_has_colours_for_dark_screens(path):
    assert "prefers-color-scheme" in path.read_text(encoding="utf-8")
