"""Sliding in one direction only: stopped masses, unaffected masses, rejected laws.

The tolerance is a few dozen roundings of a double.
"""

import math

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters

ROUNDING = 1e-14


def shaken(sign: float, **parameters: object) -> FrictionalShock:
    """Return a mass after two periods of base motion, in steps of a tenth of a period."""
    model = FrictionalShock(
        FrictionalShockParameters(input_timing="end", **parameters),  # type: ignore[arg-type]
        base_acceleration=0.0,
    )
    for number in range(1, 21):
        model.step(0.1, base_acceleration=sign * 3.0 * math.sin(0.2 * math.pi * number))
    return model


def test_the_held_direction_bears_any_force():
    there = shaken(1.0, sliding_direction="negative").outputs()
    assert there["relative_displacement"] < -0.1
    assert there["sliding_distance"] == pytest.approx(-there["relative_displacement"], rel=ROUNDING)
    both = shaken(1.0).outputs()
    assert both["sliding_distance"] > 1.5 * abs(both["relative_displacement"])


def test_both_directions_mirror_each_other():
    one = shaken(1.0, sliding_direction="negative").outputs()
    other = shaken(-1.0, sliding_direction="positive").outputs()
    assert one["relative_displacement"] == -other["relative_displacement"]
    assert one["wear_work"] == other["wear_work"]


def test_stick_shows_the_force_that_holds_the_mass():
    model = FrictionalShock(
        FrictionalShockParameters(sliding_direction="positive"), tangential_load=-50.0
    )
    model.step(0.1, tangential_load=-50.0)
    outputs = model.outputs()
    assert outputs["contact_mode"] == 1.0
    assert outputs["friction_force"] == 50.0
    assert outputs["relative_velocity"] == 0.0


def test_a_mass_that_starts_the_held_way_stops_at_once():
    model = FrictionalShock(
        FrictionalShockParameters(sliding_direction="positive", initial_velocity=-2.0, mass=3.0)
    )
    outputs = model.outputs()
    assert outputs["contact_mode"] == 1.0
    assert outputs["friction_work"] == 6.0  # ½ m u̇²
    assert outputs["wear_work"] == 0.0
    model.step(0.1)
    assert model.outputs()["relative_displacement"] == 0.0


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_rigid_landing_the_held_way_stops_the_mass(restitution):
    model = FrictionalShock(
        FrictionalShockParameters(
            normal_law="rigid",
            initial_gap=0.05,
            restitution=restitution,
            sliding_direction="positive",
            initial_velocity=-2.0,
        )
    )
    # The mass falls for √(2·0.05/10) = 0.1 s.
    model.step(0.3)
    outputs = model.outputs()
    assert outputs["relative_displacement"] == pytest.approx(-0.2, rel=ROUNDING)
    assert outputs["relative_velocity"] == 0.0
    assert outputs["friction_work"] == pytest.approx(2.0, rel=ROUNDING)
    assert outputs["wear_work"] == 0.0


def test_a_rigid_landing_the_other_way_is_as_ever():
    landed = []
    for direction in ("both", "positive"):
        model = FrictionalShock(
            FrictionalShockParameters(
                normal_law="rigid",
                initial_gap=0.05,
                sliding_direction=direction,  # type: ignore[arg-type]
                initial_velocity=2.0,
            )
        )
        model.step(0.3)
        landed.append(model.output_values())
    assert landed[0] == landed[1]


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ({"tangential_law": "penalty"}, "needs tangential_law rigid: a friction spring"),
        ({"normal_law": "penalty"}, "needs normal_law prescribed or rigid: a penalised contact"),
    ],
    ids=str,
)
def test_penalised_laws_are_refused_with_the_reason(laws, message):
    with pytest.raises(ValueError, match=message):
        FrictionalShockParameters(sliding_direction="positive", **laws)  # type: ignore[arg-type]
