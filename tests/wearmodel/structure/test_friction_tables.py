"""Friction tables of structure files, and the stiffness of friction springs."""

import math

import numpy as np
import pytest

from tests.structures import contact, modal_structure, point
from wearmodel.batch.structure_runs import run_structure
from wearmodel.structure import (
    StructureError,
    contact_facts,
    document_of,
    files_of,
    read_friction_table,
    read_structure,
    structure_of,
)
from wearmodel.structure.structure_facts import RIGID

FRICTION, GRAVITY = 0.1, 9.80665
ROWS = [[0.0, 0.3], [0.05, 0.2], [0.4, 0.25]]
FILE = """
[modes]
frequency = [0.0, 0.0]
[[point]]
name = "foot"
shape_x = [1.0, 0.0]
shape_z = [0.0, 1.0]
[[contact]]
name = "floor"
point = "foot"
obstacle = "plane"
normal = [0.0, 0.0, 1.0]
contact_stiffness = 1e6
tangential_stiffness = 1e6
friction_table_rule = "pchip"
friction_table = TABLE
"""


def written(folder, table, csv=""):
    (folder / "friction.csv").write_text(csv)
    file = folder / "structure.toml"
    file.write_text(FILE.replace("TABLE", table))
    return file


def test_rows_and_a_csv_file_give_the_same_structure_which_its_document_keeps(tmp_path):
    csv = "speed;coefficient\n0,0;0,3\n0,05;0,2\n0,4;0,25\n"
    first = read_structure(written(tmp_path, str(ROWS)))
    file = written(tmp_path, '"friction.csv"', csv)
    second = read_structure(file)
    assert first == second == structure_of(document_of(first))
    assert document_of(first)["contact"][0]["friction_table"] == ROWS
    assert tmp_path / "friction.csv" in files_of(file)


@pytest.mark.parametrize(
    ("csv", "text"),
    [
        ("speed,mu\n0,0.1\n", "first line must be speed,coefficient"),
        ("0,0.1\n", "first line must name the columns, such as speed, coefficient"),
        ("speed,coefficient\n", "contains no knots"),
        ("speed,coefficient\n0,a\n", "knot 1: coefficient = 'a' is not a number"),
        ("speed,coefficient\n0\n", "knot 1 has 1 values for 2 columns"),
    ],
)
def test_a_bad_csv_file_is_refused_with_its_place(tmp_path, csv, text):
    file = tmp_path / "friction.csv"
    file.write_text(csv)
    with pytest.raises(StructureError, match=text):
        read_friction_table(file)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("[[0.1, 0.2]]", r"contact floor: friction_table_speed\[1\]=0.1 m/s must be 0"),
        ("[[0, 0.2], [0, 0.1]]", "must exceed the speed of the knot before it"),
        (
            "[[0, 0.2]]\nfriction_coefficient = 0.1",
            "friction_coefficient=0.1 must keep its default",
        ),
        ("[[0, 0.2]]\ntangential_damping = 0\nviscous_friction = 1", "viscous_friction=1.0 s/m"),
    ],
)
def test_a_bad_table_is_refused_with_its_contact(tmp_path, table, text):
    with pytest.raises(StructureError, match=text):
        read_structure(written(tmp_path, table))


def raft(stiffness):
    """Return a raft of 0.5 kg under a mass of 1 kg at 2 Hz. Together they oscillate at 2√3 Hz."""
    floor = {"tangential_stiffness": stiffness, "friction_coefficient": FRICTION}
    return modal_structure(
        [0.0, 2.0 * math.sqrt(3.0), 0.0],
        contact("floor", "raft", **floor),
        points=[point("raft", x=[1.0, -2.0, 0.0], z=[0.0, 0.0, 1.0])],
        modes={
            "generalised_mass": [1.5, 3.0, 1.5],
            "damping_ratio": [0.0, 0.05 * math.sqrt(3.0), 0.0],
        },
        base={
            "participation_x": [1.5, 0.0, 0.0],
            "participation_y": [0.0, 0.0, 0.0],
            "participation_z": [0.0, 0.0, 1.5],
            "gravity_z": -GRAVITY,
        },
        initial={"equilibrium": True},
    )


def velocities(structure, frequency, amplitude):
    """Return the raft's velocity over 3 s under a sine, averaged over 0.2 ms."""
    step, steps = 2e-4, 15000
    acceleration = amplitude * np.sin(2.0 * math.pi * frequency * step * np.arange(steps + 1))
    name = "floor.relative_displacement_x"
    inputs = {"base_acceleration_x": acceleration}
    run = run_structure(structure, inputs, step_size=step, steps=steps, outputs=[name])
    return np.diff(run.history[name]) / step


@pytest.mark.parametrize(
    ("frequency", "amplitude"), [(1.0, 1.5), (2.0, 2.0), (3.0, 4.0)], ids=["1 Hz", "2 Hz", "3 Hz"]
)
def test_a_friction_spring_lags_at_most_like_a_critically_damped_oscillator(frequency, amplitude):
    """Rigid friction changes by at most 2 μ N, and the mass of 0.5 kg follows on K_T."""
    # 10⁹ N/m represents rigid friction. Its lag is 1/100 of the lag at 10⁵ N/m.
    rigid = velocities(raft(1e9), frequency, amplitude)
    change, mass = 2.0 * FRICTION * 1.5 * GRAVITY, 0.5
    for stiffness in (1e5, 1e6):
        structure = raft(stiffness)
        lag = np.max(np.abs(velocities(structure, frequency, amplitude) - rigid))
        limit = change / (math.e * math.sqrt(stiffness * mass))
        assert 0.3 * limit < lag < limit
        facts = contact_facts(structure, structure.contacts[0])
        assert facts.tangential_mass == pytest.approx(mass, rel=1e-14)
        # `wearfmu structure` relates the limit to the velocity caused by this change at 2√3 Hz.
        caused = change / (mass * 4.0 * math.pi * math.sqrt(3.0))
        stated = RIGID * math.sqrt(facts.rigid_stiffness / stiffness)
        assert stated * caused == pytest.approx(limit, rel=1e-12)
