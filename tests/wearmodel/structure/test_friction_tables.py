"""Friction tables of structure files, and how rigid a friction spring is."""

import math

import pytest

from tests.structures import contact, modal_structure, point
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


@pytest.mark.parametrize(
    ("stiffness", "error"), [(1e5, 4.9e-3), (1e6, 1.5e-3), (1e7, 4.9e-4)], ids=str
)
def test_the_error_of_a_friction_spring_follows_from_mass_and_lowest_frequency(stiffness, error):
    """A raft of 0.5 kg under a mass of 1 kg at 2 Hz: both oscillate at 2√3 Hz."""
    structure = modal_structure(
        [0.0, 2.0 * math.sqrt(3.0)],
        contact("floor", "raft", tangential_stiffness=stiffness, friction_coefficient=0.1),
        points=[point("raft", x=[1.0, -2.0], z=[0.0, 0.0])],
        modes={"generalised_mass": [1.5, 3.0]},
    )
    facts = contact_facts(structure, structure.contacts[0])
    assert facts.tangential_mass == pytest.approx(0.5, rel=1e-14)
    assert RIGID * math.sqrt(facts.rigid_stiffness / stiffness) == pytest.approx(error, rel=0.03)
