"""Structure descriptions are fully checked and do not change in their document."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.structures import contact, modal_structure, point
from wearmodel.structure import (
    Contact,
    ContactObstacle,
    ContactParameters,
    Modes,
    StructureError,
    contact_facts,
    document_of,
    modal_masses,
    structure_of,
    warnings_of,
)


def document() -> dict[str, Any]:
    """Return two modes (one rigid), a point and its guide, and a contact between them."""
    return {
        "structure": {"title": "a rod in a guide"},
        "modes": {"frequency": [0.0, 12.5], "damping_ratio": 0.01, "generalised_mass": [2.0, 0.3]},
        "base": {"participation_z": [2.0, 0.1], "gravity_z": -9.81},
        "point": [
            {"name": "tip", "shape_x": [1.0, 0.1], "shape_z": [1.0, -1.0]},
            {"name": "guide", "shape_z": [0.0, 1.0 / 3.0]},
        ],
        "load": [{"name": "jet", "shape": [1.0, 0.5]}],
        "contact": [
            {
                "name": "N1",
                "point": "tip",
                "second_point": "guide",
                "obstacle": "plane",
                "normal": [0.0, 3.0, 4.0],
                "gap": 1e-4,
                "contact_stiffness": 1e6,
                "friction_coefficient": 0.3,
                "tangential_stiffness": 1e5,
            }
        ],
        "observe": [{"point": "tip"}],
        "initial": {"velocity": [0.1, 0.0]},
    }


def changed(**sections: Any) -> dict[str, Any]:
    """Return the document with other sections. `contact` is merged, and `...` deletes a key."""
    new = document()
    contact = sections.pop("contact", {})
    merged = {**new["contact"][0], **contact}
    new["contact"] = [{key: value for key, value in merged.items() if value is not ...}]
    new.update(sections)
    return new


def test_a_document_through_json_gives_the_same_structure() -> None:
    structure = structure_of(document())
    again = structure_of(json.loads(json.dumps(document_of(structure))))
    assert again == structure


def test_stiffness_and_damping_follow_from_frequency_mass_and_ratio() -> None:
    modes = structure_of(document()).modes
    omega = 2.0 * math.pi * 12.5
    assert modes.stiffness == pytest.approx((0.0, 0.3 * omega**2), rel=1e-15)
    assert modes.damping == pytest.approx((0.0, 2.0 * 0.01 * omega * 0.3), rel=1e-15)


def test_a_contact_between_points_sees_the_difference_of_their_shapes() -> None:
    structure = structure_of(document())
    (contact,) = structure.contacts
    assert structure.contact_shape(contact) == ((1.0, 0.1), (0.0, 0.0), (1.0, -4.0 / 3.0))


def test_directions_are_made_unit_vectors() -> None:
    (contact,) = structure_of(document()).contacts
    assert contact.direction == pytest.approx((0.0, 0.6, 0.8), rel=1e-15)


@pytest.mark.parametrize(
    ("parameters", "stiffness"),
    [
        ({"contact_stiffness": 1e6}, 1e6),
        ({"contact_stiffness": 1e6, "residual_flexibility": 1e-6}, 5e5),
        ({"residual_flexibility": 1e-6}, 1e6),
    ],
    ids=["obstacle", "both", "rigid obstacle"],
)
def test_obstacle_and_modes_left_out_are_springs_in_series(
    parameters: dict[str, float], stiffness: float
) -> None:
    assert ContactParameters(**parameters).normal_stiffness == pytest.approx(stiffness, rel=1e-15)


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"colour": {}}, "colour is not a known key: known are structure, modes,"),
        ({"inital": {}}, "inital is not a known key; did you mean 'initial'?"),
        ({"contact": {"mu": 0.1}}, "mu is not a known key; did you mean 'friction_coefficient'?"),
        (
            {"contact": {"friction_coeficient": 0.1}},
            "; did you mean 'friction_coefficient'?",
        ),
        (
            {"contact": {"contact_stiffness": -1.0}},
            "contact_stiffness=-1.0 N/m must be > 0, or residual_flexibility=0.0 m/N must be > 0",
        ),
        (
            {"contact": {"contact_stiffness": ...}},
            "contact N1: contact_stiffness is missing: give it in N/m",
        ),
        (
            {"contact": {"obstacle": "circle", "normal": ..., "axis": [0, 0, 1], "gap": ...}},
            "contact N1: gap is missing: give the radial gap in m",
        ),
        (
            {"modes": {"frequency": [0.0, 1.0], "damping_ratio": "1 %"}},
            "damping_ratio = '1 %' must be a number such as 0.01, or a list",
        ),
        ({"modes": {}}, "modes.frequency is missing"),
        ({"modes": {"frequency": []}}, "modes.frequency is empty"),
        ({"modes": {"frequency": [0.0, -1.0]}}, "modes.frequency[2]=-1.0 Hz must be ≥ 0"),
        ({"modes": {"frequency": [0.0, math.nan]}}, "modes.frequency[2]=nan Hz must be ≥ 0"),
        ({"modes": {"frequency": [0.0, True]}}, "modes.frequency[2] = True must be a number"),
        ({"modes": {"frequency": 3.0}}, "modes.frequency = 3.0 must be a list of numbers"),
        (
            {"modes": {"frequency": [0.0, 1.0], "generalised_mass": [1.0, 0.0]}},
            "modes.generalised_mass[2]=0.0 kg must be > 0",
        ),
        (
            {"modes": {"frequency": [0.0, 1.0], "damping_ratio": [0.1]}},
            "modes.damping_ratio has 1 numbers: there must be one for each of the 2 modes",
        ),
        (
            {"modes": {"frequency": [0.0, 1.0], "damping_ratio": 0.1, "modal_damping": 1.0}},
            "modes has both damping_ratio and modal_damping",
        ),
        ({"base": {"gravity_z": math.inf}}, "base.gravity_z=inf m/s2 must be finite"),
        ({"base": {"participation_x": [1.0]}}, "base: participation_x has 1 numbers"),
        ({"load": [{"name": "load", "shape": [1.0, 1.0]}]}, "load: name = 'load' must be letters"),
        ({"load": [{"name": "jet"}]}, "load[1].shape is missing"),
        ({"observe": [{"point": "end"}]}, "observe: point = 'end' is not a point. Points: tip, gu"),
        ({"contact": {"name": "2nd"}}, "contact: name = '2nd' must be letters, digits and _"),
        ({"contact": {"name": "tip"}}, "observe: point = 'tip' is also the name of a contact"),
        ({"contact": {"point": "end"}}, "contact N1: point = 'end' is not a point"),
        ({"contact": {"second_point": "tip"}}, "contact N1: second_point = 'tip' must differ from"),
        ({"contact": {"obstacle": "wall"}}, "contact N1: obstacle = 'wall' must be one of: plane,"),
        ({"contact": {"obstacle": "circle"}}, "contact N1: obstacle = 'circle' needs axis"),
        ({"contact": {"normal": [0, 0, 0]}}, "contact N1: normal = [0.0, 0.0, 0.0] must be three"),
        ({"contact": {"offset": [0.0, 1.0]}}, "contact N1: offset = [0.0, 1.0] m must be three"),
        (
            {"contact": {"tangential_stiffness": 0.0}},
            "if the contact has friction (μ=0.3): a value near contact_stiffness is usual",
        ),
        (
            {"contact": {"friction_coefficient_static": 0.2}},
            "contact N1: friction_coefficient_static=0.2 must be ≥ friction_coefficient=0.3",
        ),
        (
            {"contact": {"friction_coefficient": 0.0, "friction_coefficient_static": 0.2}},
            "contact N1: friction_coefficient=0.0 must be > 0 if friction_coefficient_stat",
        ),
        (
            {"contact": {"friction_coefficient_slow": 0.5}},
            "contact N1: friction_coefficient_slow=0.5 needs friction_decay_velocity > 0 m/s",
        ),
        (
            {"contact": {"friction_coefficient": 0.0, "viscous_friction": 0.1}},
            "friction_coefficient=0.0 must be > 0 if friction_coefficient_slow=-1.0 or visc",
        ),
        ({"contact": {"contact_stiffness": 0.0}}, "contact_stiffness=0 N/m must be > 0, or negat"),
        ({"contact": {"contact_stiffness": -1.0}}, "residual_flexibility=0.0 m/N must be > 0"),
        ({"contact": {"wear_area": 0}}, "contact N1: wear_area=0 m2 must be > 0"),
        (
            {"initial": {"velocity": [1.0, 0.0], "equilibrium": True}},
            "initial.equilibrium = true sets the start itself",
        ),
        ({"initial": {"equilibrium": 1}}, "initial.equilibrium = 1 must be true or false"),
    ],
)
def test_what_breaks_a_rule_is_refused_with_place_value_and_rule(
    sections: dict[str, Any], message: str
) -> None:
    with pytest.raises(StructureError) as refused:
        structure_of(changed(**sections))
    assert message in str(refused.value)


def test_a_circle_needs_a_gap() -> None:
    with pytest.raises(StructureError, match="m must be > 0 in a circle"):
        Contact(
            name="N1",
            point="tip",
            obstacle=ContactObstacle.circle,
            direction=(1.0, 0.0, 0.0),
            parameters=ContactParameters(contact_stiffness=1e6),
        )


def test_no_modes_are_no_structure() -> None:
    with pytest.raises(StructureError, match="at least one mode"):
        Modes(frequency=())


def with_extreme(place: str, value: float) -> dict[str, Any]:
    """Return the document with a number in one of its lists."""
    new = document()
    section, key = place.rsplit(".", 1)
    table = new[section][0] if isinstance(new[section], list) else new[section]
    table[key] = [value, value]
    return new


@pytest.mark.parametrize("value", [-1e308, 1.1e50, 1e308], ids=str)
@pytest.mark.parametrize(
    "place",
    ["point.shape_x", "base.participation_z", "load.shape", "initial.velocity"],
)
def test_numbers_whose_products_overflow_are_refused(place: str, value: float) -> None:
    with pytest.raises(StructureError, match=r"\[1\] = .* must be at most 1e\+50 in size"):
        structure_of(with_extreme(place, value))


@pytest.mark.parametrize("value", [1e-51, 1e-308, 1.1e50, 1e308], ids=str)
@pytest.mark.parametrize("key", ["generalised_mass", "frequency"])
def test_masses_and_frequencies_have_bounds(key: str, value: float) -> None:
    with pytest.raises(StructureError, match=rf"modes.{key}\[1\] = .* must lie in \[1e-50"):
        structure_of(with_extreme(f"modes.{key}", value))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_the_largest_and_smallest_numbers_give_finite_facts(sign: float) -> None:
    large = sign * 1e50
    for frequency in (1e-50, 1e50):
        found = modal_structure(
            [frequency] * 2,
            contact(gap=1e-3),
            points=[point(z=[large] * 2)],
            modes={"generalised_mass": [1e-50] * 2},
            base={"participation_z": [large] * 2, "gravity_z": large},
        )
        facts = contact_facts(found, found.contacts[0])
        assert all(map(math.isfinite, (facts.normal_mass, facts.frequency, facts.static_approach)))
        assert all(map(math.isfinite, modal_masses(found).values()))
        assert not any("nan" in line or "inf" in line for line in warnings_of(found))
