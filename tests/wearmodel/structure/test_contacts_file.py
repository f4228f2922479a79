"""Files of contacts between bodies: content and validation."""

import pytest

from wearmodel.structure import StructureError, contacts_of, document_of_contacts, read_contacts

PLANE = {"obstacle": "plane", "normal": [0.0, 1.0, 0.0], "contact_stiffness": 10.0}


def document(**changes):
    whole = {
        "structure": {"title": "Two bodies"},
        "point": [
            {"name": "left", "body": "table", "effective_mass": 2.0},
            {"name": "right", "body": "table"},
            {"name": "cup", "effective_mass": 0.5},
        ],
        "contact": [{"name": "foot", "point": "left", **PLANE}],
    }
    return {**whole, **changes}


def test_modes_are_the_displacements_of_the_bodies():
    structure = contacts_of(document())
    assert structure.bodies == ("table", "table", "cup")
    assert structure.body_names == ("table", "cup")
    assert structure.modes.generalised_mass == (2.0, 2.0, 2.0, 0.5, 0.5, 0.5)
    assert structure.point("right").shape_y == (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    assert structure.point("cup").shape_z == (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)


def test_a_document_gives_the_same_contacts():
    structure = contacts_of(document())
    assert contacts_of(document_of_contacts(structure)) == structure


def test_parameters_replace_masses_and_gaps():
    structure = contacts_of(document())
    changed = structure.with_parameters({"cup.effective_mass": 0.75, "foot.gap": 1e-3})
    assert changed.modes.generalised_mass == (2.0, 2.0, 2.0, 0.75, 0.75, 0.75)
    assert changed.contacts[0].parameters.gap == 1e-3


def test_a_file_is_read(tmp_path):
    file = tmp_path / "contacts.toml"
    file.write_text(
        '[[point]]\nname = "P"\neffective_mass = 1.0\n[[contact]]\nname = "c"\npoint = "P"\n'
        'obstacle = "circle"\naxis = [0, 0, 1]\ngap = 0.1\ncontact_stiffness = 1.0\n',
        encoding="utf-8",
    )
    assert read_contacts(file).body_names == ("P",)
    file.write_text("[[point]]\n", encoding="utf-8")
    with pytest.raises(StructureError, match=r"contacts\.toml: contact is missing"):
        read_contacts(file)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"modes": {}}, "modes is not a known key"),
        ({"point": [{"name": "left"}]}, "body left: effective_mass = missing: give one value"),
        (
            {
                "point": [
                    {"name": "left", "effective_mass": 1.0},
                    {"name": "right", "body": "left", "effective_mass": 2.0},
                ]
            },
            "body left: effective_mass = .1.0, 2.0.: give one value in kg",
        ),
        (
            {"point": [{"name": "left", "effective_mass": 0.0}]},
            r"generalised_mass\[1\]=0.0 kg must be > 0",
        ),
        ({"point": [{"name": "left", "effective_mass": "1"}]}, "effective_mass = '1' must be a"),
        ({"point": [{"name": "left", "body": "a b", "effective_mass": 1.0}]}, "body: name = 'a b'"),
        (
            {"contact": [{"name": "c", "point": "left", "second_point": "right", **PLANE}]},
            "second_point = 'right' must be a point of another body",
        ),
        ({"contact": [{"name": "c", "point": "lef", **PLANE}]}, "'lef' is not a point"),
        ({"contact": []}, "at least one"),
    ],
)
def test_an_invalid_document_is_refused(changes, said):
    with pytest.raises(StructureError, match=said):
        contacts_of(document(**changes))
