"""A structure from matrices is the same on other processors, and so is its printed summary."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io

from tests.structures import contact, toml
from wearmodel.structure import timoshenko_beam, tube_section

from ...processors import CORES, settings

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
from pathlib import Path
from harness.command_line import main
from wearmodel.structure import read_structure, write_structure
for file in sorted(Path(sys.argv[1]).glob("*.toml")):
    main(["structure", str(file)])
    write_structure(read_structure(file), file.with_suffix("." + sys.argv[2] + ".json"))
"""
# Elements, number of modes and supports. 120 elements use sparse matrices, and 7 and 13 modes end
# within a pair.
TUBES: dict[str, tuple[int, int, dict[str, Any]]] = {
    "clamped": (48, 24, {"clamped": (0.0,)}),
    "free": (24, 13, {}),
    "long": (120, 7, {"clamped": (0.0,)}),
    "long_free": (120, 12, {}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write structures of tubes, one of them with dense matrices."""
    folder = tmp_path_factory.mktemp("structures")
    section = tube_section(0.0222, 0.00127, young=2e11, density=7800.0, added_mass=0.35)
    for name, (elements, count, supports) in TUBES.items():
        beam = timoshenko_beam(section, 2.4, elements, **supports)
        files = beam.write(folder, name)
        if name == "free":
            for file, matrix in zip(files, (beam.mass, beam.stiffness), strict=True):
                scipy.io.mmwrite(file, matrix.toarray(), symmetry="symmetric", precision=17)
        mass, stiffness = (file.name for file in files)
        law = {"gap": 2e-4, "tangential_stiffness": 1e6, "friction_coefficient": 0.2}
        content = {
            "modes": {"mass": mass, "stiffness": stiffness, "count": count, "damping_ratio": 0.01},
            "base": {f"dofs_{axis}": beam.dofs(axis) for axis in "yz"},
            "point": [
                {"name": f"P{number}", **{f"dof_{axis}": beam.dof(place, axis) for axis in "yz"}}
                for number, place in enumerate((0.8, 1.6, 2.4))
            ],
            "contact": [
                contact(f"S{number}", f"P{number}", "circle", **law) for number in range(3)
            ],
        }
        (folder / f"{name}.toml").write_text(toml(content), encoding="utf-8")
    return folder


@cache
def printed(folder: Path, core: str) -> str:
    """Return the output of `wearfmu structure` on a processor. "here" is the present processor."""
    environment = {**os.environ, **({} if core == "here" else settings(core))}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), core],
        cwd=ROOT,
        env={**environment, "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"},
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    ).stdout


@pytest.mark.long
@pytest.mark.parametrize("core", CORES)
def test_what_is_printed_is_what_is_printed_here(folder, core):
    assert "S2" in printed(folder, core)
    assert printed(folder, core) == printed(folder, "here")


@pytest.mark.parametrize("name", TUBES)
@pytest.mark.parametrize("core", CORES)
@pytest.mark.long
def test_the_structure_is_the_same_but_for_its_last_digits(folder, core, name):
    documents = []
    for processor in (core, "here"):
        printed(folder, processor)
        text = (folder / f"{name}.{processor}.json").read_text(encoding="utf-8")
        documents.append(json.loads(text))
    there, here = documents
    # Frequencies are exact. Modes have errors of some 1e-11, and flexibilities less.
    assert there["modes"]["frequency"] == pytest.approx(here["modes"]["frequency"], rel=4e-15)
    for kind, axes in (("point", "shape_"), ("base", "participation_")):
        for one, other in zip(
            there[kind] if kind == "point" else [there[kind]],
            here[kind] if kind == "point" else [here[kind]],
            strict=True,
        ):
            for axis in "yz":
                wanted = np.array(other[axes + axis])
                assert one[axes + axis] == pytest.approx(wanted, abs=1e-9 * np.max(abs(wanted)))
    for one, other in zip(there["contact"], here["contact"], strict=True):
        key = "residual_flexibility"
        assert one[key] == pytest.approx(other[key], rel=1e-10)
