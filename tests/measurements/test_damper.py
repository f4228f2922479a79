"""The comparison with a damper, on artificial files in the format of the data set."""

import json

import numpy as np
import pytest

from .__main__ import main
from .damper import FITTED, INCH, KIP, TESTS, Measured, computed_force, deviation, read_test

FRICTION, STIFFNESS = 9000.0, 2e6
SAMPLES = 1 + 2 * 1024


def made_up_rows(amplitude: float = 0.025) -> np.ndarray:
    """Return a cycle of 0.5 Hz in 2 s of a spring with Coulomb friction, in closed form."""
    time = np.arange(SAMPLES) / 1024
    place = amplitude * np.sin(np.pi * time)
    slip, force = 0.0, []
    for x in place:
        pull = STIFFNESS * (x - slip)
        if abs(pull) > FRICTION:
            slip = x - np.copysign(FRICTION / STIFFNESS, pull)
        force.append(STIFFNESS * (x - slip))
    return np.column_stack([time, place / INCH, np.array(force) / KIP])


def written(folder, name, rows):
    (folder / f"{name}.json").write_text(json.dumps({"data": rows.tolist()}), encoding="utf-8")


def test_units_and_sampling_of_a_file(tmp_path):
    written(tmp_path, "one", made_up_rows())
    measured = read_test(tmp_path / "one.json")
    assert measured.time[1] == pytest.approx(1 / 128)
    assert max(measured.displacement) == pytest.approx(0.025)
    assert max(measured.force) == pytest.approx(FRICTION)


def test_model_repeats_the_closed_form(tmp_path):
    written(tmp_path, "one", made_up_rows())
    measured = read_test(tmp_path / "one.json")
    found = deviation(measured, computed_force(measured, FRICTION, STIFFNESS))
    # The conversion of displacements to inches and back has rounding errors.
    assert abs(found.energy) < 1e-12
    assert found.force < 1e-12


def test_deviation_has_the_sign_of_computed_minus_measured():
    time = np.array([0.0, 1.0, 2.0])
    measured = Measured(time, np.array([0.0, 1.0, 2.0]), np.array([2.0, 2.0, 2.0]))
    found = deviation(measured, np.array([1.0, 1.0, 1.0]))
    assert found.energy == pytest.approx(-0.5)
    assert found.force == pytest.approx(0.5)


@pytest.mark.long
def test_table_recovers_the_parameters(tmp_path, capsys):
    for name in TESTS:
        written(tmp_path, name, made_up_rows())
    assert main([str(tmp_path), "--repeat", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert f"fitted to {FITTED}: friction force 9000 N" in text
    assert "stiffness 2e+06 N/m" in text
    rows = [line for line in text.splitlines() if line.startswith(("| 0", "| 1", "| 2"))]
    assert len(rows) == len(TESTS)
    assert all("+0.0 %, 0 %" in row for row in rows)
