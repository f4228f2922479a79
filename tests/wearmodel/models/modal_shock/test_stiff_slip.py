"""Slip without a damper that is far stiffer than the motion: the direction follows the velocity."""

import math

import pytest

from tests.structures import UNIT_BASE, contact, modal_structure
from wearmodel import ModalShock

SPEED, FRICTION, VISCOUS, GRAVITY, STEP = 1.0, 0.1, 0.05, 10.0, 0.1


def block(angle: float, stiffness: float, **friction: float) -> ModalShock:
    """A block of 1 kg on a plane, which slides in a direction oblique to both axes."""
    resting = contact(
        gap=-GRAVITY / 1e6,
        friction_coefficient=FRICTION,
        tangential_stiffness=stiffness,
        tangential_damping=0.0,
        **friction,
    )
    velocity = [SPEED * math.cos(angle), SPEED * math.sin(angle), 0.0]
    base = {**UNIT_BASE, "gravity_z": -GRAVITY}
    return ModalShock(
        modal_structure([0.0] * 3, resting, base=base, initial={"velocity": velocity})
    )


@pytest.mark.parametrize("stiffness", [1e6, 1e8, 1e10, 1e12])
@pytest.mark.parametrize("angle", [0.0, 0.3, 1.0, 2.5])
def test_a_straight_slip_oblique_to_the_axes_takes_few_pieces_and_meets_the_closed_form(
    angle, stiffness
):
    # v' = −g (μ + η v). Until it slips, the spring takes the energy (μ F_N)²/(2 K_T) at most.
    model = block(angle, stiffness, viscous_friction=VISCOUS)
    for _ in range(7):
        model.step(STEP)
        assert model._work.counts.pieces < 40
    asymptote = FRICTION / VISCOUS
    expected = (SPEED + asymptote) * math.exp(-VISCOUS * GRAVITY * 0.7) - asymptote
    velocity = model._state.motion.velocity
    tolerance = 2.0 * (FRICTION * GRAVITY) ** 2 / stiffness + 1e-13
    assert math.hypot(velocity[0], velocity[1]) == pytest.approx(expected, abs=tolerance)
    assert math.atan2(velocity[1], velocity[0]) == pytest.approx(angle, abs=1e-14)
