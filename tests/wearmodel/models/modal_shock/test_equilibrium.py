"""A run that starts in the equilibrium of a structure and its contacts stays there."""

import dataclasses
import math
from typing import Any

import pytest

from tests.structures import Z, contact, modal_structure, point
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure

from .structures import random_structure


def mass(obstacle: str, gap: float, frequency: float = 0.0, **keys: Any) -> Structure:
    """Return a mass of 2 kg under 10 m/s2 that starts in equilibrium."""
    return modal_structure(
        [frequency, 0.0],
        contact("floor", "foot", obstacle, **{"gap": gap, "contact_stiffness": 1e5, **keys}),
        points=[point("foot", z=[1.0, 0.0], y=[0.0, 1.0])],
        modes={"generalised_mass": 2.0},
        base={"participation_z": [2.0, 0.0], "gravity_z": -10.0},
        load=[{"name": "pull", "shape": [1.0, 0.0]}],
        observe=[{"point": "foot"}],
        initial={"equilibrium": True},
    )


@pytest.mark.parametrize("obstacle", ["plane", "two_planes", "circle"])
def test_a_mass_lies_as_deep_as_its_weight_presses(obstacle):
    outputs = ModalShock(mass(obstacle, 1e-3)).outputs()
    assert outputs["foot.displacement_z"] == pytest.approx(-1e-3 - 20.0 / 1e5, rel=1e-12)
    assert outputs["floor.normal_force"] == pytest.approx(20.0, rel=1e-10)
    assert outputs["floor.shock_count"] == 0.0


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.1, 2.0, 4.4])
def test_an_offset_a_little_larger_than_the_hole_presses_the_point(angle):
    # Both lengths are rounded to 3.5e-18 m. With 1e5 N/m this is 3.5e-13 N of the 10 N, above
    # 1e-13.
    direction = [math.cos(angle), math.sin(angle)]
    stiffness = (2.0 * math.pi * 5.0) ** 2
    offset = [*(0.02 * one for one in direction), 0.0]
    hole = contact(
        "hole", "pin", "circle", axis=Z, gap=0.0199, offset=offset, contact_stiffness=1e5
    )
    structure = modal_structure(
        [5.0, 5.0],
        hole,
        points=[point("pin", x=[1.0, 0.0], y=[0.0, 1.0])],
        observe=[{"point": "pin"}],
        initial={"equilibrium": True},
    )
    outputs = ModalShock(structure).outputs()
    # K (0.0001 − x) = k x along the offset.
    moved = 1e5 * (0.02 - 0.0199) / (1e5 + stiffness)
    assert [outputs[f"pin.displacement_{axis}"] for axis in "xy"] == pytest.approx(
        [-moved * one for one in direction], rel=1e-11, abs=1e-16
    )


def test_springs_and_loads_share_what_the_floor_bears():
    structure = mass("plane", 0.0, frequency=5.0)
    model = ModalShock(structure, **{"load.pull": 4.0})
    spring = 2.0 * (2.0 * math.pi * 5.0) ** 2
    depth = 16.0 / (spring + 1e5)
    assert model.outputs()["floor.normal_force"] == pytest.approx(1e5 * depth, rel=1e-12)


def test_a_structure_in_equilibrium_stays_there():
    for seed in range(6):
        structure = random_structure(seed)
        still = dataclasses.replace(
            structure,
            modes=dataclasses.replace(structure.modes, frequency=(3.0, 9.0, 20.0, 31.0)),
            initial=dataclasses.replace(structure.initial, velocity=(), equilibrium=True),
        )
        model = ModalShock(still)
        placed = list(model._state.motion.displacement)
        for _ in range(5):
            model.step(0.01)
        # Rounding leaves an imbalance of 1e-13 of the forces, with as small an effect.
        assert model._state.motion.displacement == pytest.approx(
            placed, abs=1e-10 * max(map(abs, placed))
        )
        assert model.outputs()["wear_work"] < 1e-20


def test_a_mass_that_nothing_holds_has_no_equilibrium():
    with pytest.raises(ValueError, match="drives a rigid mode that is not supported"):
        ModalShock(mass("plane", 1e-3), **{"load.pull": 30.0})
