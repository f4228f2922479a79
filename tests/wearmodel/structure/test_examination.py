"""Properties of a structure at its contacts, and warnings about implausible values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.structures import contact, modal_structure, point
from wearmodel.structure import contact_facts, modal_masses, structure_of, warnings_of

ROUND = {"obstacle": "circle", "axis": [1.0, 0.0, 0.0], "normal": None}


def structure(
    modes: int = 2,
    gap: float = 1e-3,
    gravity: float = 0.0,
    damping_ratio: float = 0.01,
    **contact: Any,
) -> Any:
    """Return a mass of 2 kg on a spring of 5 Hz, and higher modes with shapes of equal size."""
    described = {
        "name": "N1",
        "point": "tip",
        "obstacle": "plane",
        "normal": [0.0, 0.0, 1.0],
        "gap": gap,
        "contact_stiffness": 2e3,
        **contact,
    }
    return structure_of(
        {
            "modes": {
                "frequency": [5.0 * (2 * n + 1) for n in range(modes)],
                "generalised_mass": 2.0,
                "damping_ratio": damping_ratio,
            },
            "base": {"participation_z": [2.0] + [0.0] * (modes - 1), "gravity_z": gravity},
            "point": [{"name": "tip", "shape_z": [1.0] * modes}],
            "contact": [{key: given for key, given in described.items() if given is not None}],
        }
    )


def test_a_contact_sees_the_mass_of_all_modes_together() -> None:
    found = structure(modes=4)
    facts = contact_facts(found, found.contacts[0])
    assert facts.normal_mass == pytest.approx(0.5, rel=1e-14)
    assert facts.frequency == pytest.approx(math.sqrt(2e3 / 0.5) / (2.0 * math.pi), rel=1e-14)
    assert facts.tangential_mass == math.inf


def test_modal_masses_add_up_along_each_axis() -> None:
    assert modal_masses(structure()) == {"x": 0.0, "y": 0.0, "z": 2.0}


def test_a_sound_structure_has_no_warning() -> None:
    assert warnings_of(structure()) == []


@pytest.mark.parametrize(
    ("options", "warning"),
    [
        ({"contact_stiffness": 1e5}, "is above the highest mode's 15 Hz: keep more modes"),
        (
            {"contact_stiffness": 1e7},
            "1 kg effective mass, is 33.6 times the highest mode's and decides the cost of a run. "
            "Are stiffness and shapes in SI units?",
        ),
        # At 2π 5 Hz, ω² 10 m is a thousand g, and ω² 10 mm is one g.
        (
            {"gap": 10.0},
            "the lowest mode at its point needs an acceleration of 1.01e+03 g to close",
        ),
        ({"normal": [1.0, 0.0, 0.0]}, "its point does not move along the normal in any mode"),
        # The weight stretches its spring by g/ω² = 9.94 mm.
        ({"gravity": -9.81, "gap": 9e-3}, "by 0.00994 m, further than the gap of 0.009 m"),
        (
            {"friction_coefficient": 30.0, "tangential_stiffness": 1e3},
            "friction_coefficient=30 is implausible: usual values are 0 to 2. Is it in percent?",
        ),
        (
            {"archard_coefficient": 1.0},
            "contact N1: archard_coefficient=1 m2/N is implausible: measured coefficients are "
            "between 1e-18 and 1e-11 m2/N. Check its unit",
        ),
        # 1 mm inside the wall, at 2000 N/m.
        (
            {**ROUND, "gap": 4e-4, "offset": [0.0, 0.0, 1.4e-3]},
            "rests 0.0014 m from the middle of its hole, beyond the gap of 0.0004 m: the wall "
            "presses with 2 N at rest. Is offset in m?",
        ),
        # 0.1 mm inside the wall.
        (
            {**ROUND, "gap": 4e-4, "offset": [0.0, 0.0, 5e-4]},
            "rests 0.0005 m from the middle of its hole, beyond the gap of 0.0004 m: the wall "
            "presses with 0.2 N at rest",
        ),
        ({"damping_ratio": 0.0}, "no mode is damped. If this is not intended, set"),
    ],
    ids=[
        "too few modes",
        "costly",
        "gap in mm",
        "not moved",
        "gap inside the deflection",
        "friction in percent",
        "coefficient of wear",
        "offset in the wall",
        "pressed on the wall",
        "undamped",
    ],
)
def test_what_looks_wrong_is_said(options: dict[str, Any], warning: str) -> None:
    assert any(warning in line for line in warnings_of(structure(**options)))


def heard(frequency: float, damping_ratio: float | list[float]) -> str:
    modes = {"frequency": [frequency, 2.0 * frequency], "damping_ratio": damping_ratio}
    return "\n".join(warnings_of(structure_of({"modes": modes})))


def test_a_damping_ratio_in_percent_is_named() -> None:
    assert "mode 2: damping_ratio = 2 is 200 % of critical. For" in heard(5.0, [0.02, 2.0])
    assert heard(5.0, 0.19) == ""
    assert "damping_ratio = 0.5 is 50 % of critical" in heard(5.0, 0.5)
    # One warning covers all modes.
    said = heard(5.0, 2.0)
    assert said.count("of critical") == 1
    assert (
        "mode 1: damping_ratio = 2 is 200 % of critical. 1 more mode has 20 % or more. For" in said
    )


def test_a_load_without_effect_is_named() -> None:
    described = {
        "modes": {"frequency": [5.0, 10.0], "damping_ratio": 0.01},
        "load": [{"name": "flow", "shape": [0.0, 0.0]}, {"name": "hand", "shape": [0.0, 1.0]}],
    }
    (warning,) = warnings_of(structure_of(described))
    assert warning.startswith("load flow: its shape is 0 in every mode")


def test_modes_of_exchanged_matrices_are_named() -> None:
    assert "the highest mode is 2e-06 Hz: are mass and stiffness" in heard(1e-6, 0.01)


def test_modes_left_out_that_are_accounted_for_are_not_missed() -> None:
    found = structure(contact_stiffness=1e5, residual_flexibility=1e-4)
    assert not any("keep more modes" in line for line in warnings_of(found))


@pytest.mark.parametrize(
    ("frequency", "gap", "is_questioned"),
    [
        # ω² gap: 1010 g, 1 g and 161 g.
        (5.0, 10.0, True),
        (5.0, 10e-3, False),
        (100.0, 4e-3, False),
        (100.0, 6e-3, True),
    ],
    ids=["wide and fast", "wide and slow", "narrow and fast", "just wide and fast"],
)
def test_a_gap_is_questioned_if_it_is_wide_and_takes_much_to_cross(
    frequency: float, gap: float, is_questioned: bool
) -> None:
    found = modal_structure([frequency], contact(gap=gap), points=[point(z=[1.0])])
    assert any("implausible" in line for line in warnings_of(found)) == is_questioned


def tube(axis: list[float], **shapes: list[float]) -> str:
    """Return the warnings of a tube along x in a hole: two bending modes and an axial mode."""
    found = modal_structure(
        [30.0, 30.0, 900.0],
        contact("N1", "middle", "circle", axis=axis, gap=1e-3, contact_stiffness=1e5),
        points=[{"name": "middle", **shapes}],
        modes={"generalised_mass": [1.0, 1.0, 2.0]},
    )
    return "\n".join(warnings_of(found))


Y, Z, ALONG = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]


@pytest.mark.parametrize("shape_x", [[0.0] * 3, ALONG], ids=["bends", "bends and stretches"])
def test_an_axis_across_the_tube_is_questioned(shape_x: list[float]) -> None:
    said = "contact N1: its point moves as easily along the axis as across it"
    for axis in ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]):
        assert said in tube(axis, shape_x=shape_x, shape_y=Y, shape_z=Z)
    assert said not in tube([1.0, 0.0, 0.0], shape_x=shape_x, shape_y=Y, shape_z=Z)
    # A tube that bends in only one plane.
    assert said not in tube([1.0, 0.0, 0.0], shape_x=shape_x, shape_y=Y)


@pytest.mark.parametrize(
    ("frequency", "is_questioned"),
    [
        ([2.0 * math.pi * 10.0, 400.0], True),
        ([0.0, 31.416, 196.66], True),
        ([0.0, 78.54, 196.66, 2.0 * math.pi * 62.5], True),
        ([78.54, 196.66, 393.0], False),
        ([78.54], False),
        ([10.0, 62.83], False),
        ([62.7], False),
        ([0.0], False),
        ([15.915494309189533], False),
    ],
    ids=str,
)
def test_frequencies_that_look_like_radians_a_second_are_questioned(
    frequency: list[float], is_questioned: bool
) -> None:
    lines = warnings_of(structure_of({"modes": {"frequency": frequency}}))
    assert any("in rad/s?" in line for line in lines) == is_questioned


def test_of_random_frequencies_fewer_than_1_percent_are_questioned() -> None:
    # A random number agrees with a two-digit number to 5e-5 with a probability of
    # 90 · 1e-4/ln 10 = 0.4 %.
    random = np.random.default_rng(7)
    found = 0
    for _ in range(4000):
        frequency = sorted(10.0 ** random.uniform(0.0, 3.0, random.integers(1, 6)))
        lines = warnings_of(structure_of({"modes": {"frequency": frequency}}))
        found += any("in rad/s?" in line for line in lines)
    assert found < 40


@pytest.mark.parametrize(("largest", "mass", "is_named"), [(1.0, 1.0, True), (1.0, 2.0, False),
                         (1.4, 1.0, False)])  # fmt: skip
def test_shapes_with_a_maximum_of_one_and_no_modal_mass_are_named(largest, mass, is_named):
    shapes = [[largest if mode == place else 0.3 for mode in range(4)] for place in range(4)]
    described = {
        "modes": {
            "frequency": [3.1, 7.7, 12.3, 19.9], "damping_ratio": 0.01, "generalised_mass": mass
        },
        "point": [{"name": f"P{n}", "shape_y": row} for n, row in enumerate(shapes)],
    }  # fmt: skip
    lines = warnings_of(structure_of(described))
    assert any("mass-normalised shapes" in line for line in lines) == is_named
