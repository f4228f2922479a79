"""Friction cone, direction and memory of the discrete contact law."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wearmodel.reference.schemes.rubbing_shoe import (
    SLIP_FORCE,
    TANGENTIAL_DAMPING,
    TANGENTIAL_STIFFNESS,
    friction,
)

DISPLACEMENT = st.floats(-1.0, 1.0)
VELOCITY = st.floats(-10.0, 10.0)
SLIPPING = (False, -1.0, 0.0, 1.0)
STICKING = (True, 0.0, 0.0, 0.0)


@given(
    displacement=DISPLACEMENT,
    velocity=VELOCITY,
    sticking=st.booleans(),
    anchor_displacement=DISPLACEMENT,
    previous_velocity=VELOCITY,
)
def test_friction_force_stays_inside_the_cone(
    displacement, velocity, sticking, anchor_displacement, previous_velocity
):
    memory = (sticking, 0.0, anchor_displacement, previous_velocity)
    force, _ = friction(displacement, velocity, memory)
    assert abs(force) <= 1.0  # μ F_N = 0.1 · 10 N


@given(velocity=st.floats(1e-3, 10.0), sign=st.sampled_from([-1.0, 1.0]))
def test_slip_force_opposes_the_velocity(velocity, sign):
    memory = (False, 0.0, 0.0, sign)
    force, new_memory = friction(0.0, sign * velocity, memory)
    assert force == -sign * SLIP_FORCE
    assert not new_memory[0]


def test_stick_lasts_up_to_the_cone():
    force, memory = friction(0.99 / TANGENTIAL_STIFFNESS, 0.0, STICKING)
    assert memory[0]
    assert force == pytest.approx(-0.99, rel=1e-15)  # one division and one multiplication
    force, memory = friction(1.01 / TANGENTIAL_STIFFNESS, 1e-9, STICKING)
    assert not memory[0]
    assert force == -SLIP_FORCE


def test_reversal_of_the_velocity_ends_slip_in_stick():
    # The slip force at the anchor is −1 N, and the mass moves back at 1 µm/s: −1 + C_T·1e-6 N.
    force, memory = friction(0.0, -1e-6, SLIPPING)
    assert memory[0]
    # C_T = 6000 N.s/m to 2e-12: one multiplication and one addition.
    assert force == pytest.approx(-1.0 + 6e-3, rel=1e-12)
    assert pytest.approx(6000.0, rel=1e-11) == TANGENTIAL_DAMPING


def test_slip_below_the_velocity_threshold_tries_stick():
    # The damper reduces the force of −1 N at the anchor if the velocity is negative.
    slipping_back = (False, -1.0, 0.0, -1.0)
    assert friction(0.0, -0.9e-6, slipping_back)[1][0]
    assert not friction(0.0, -1.1e-6, slipping_back)[1][0]


def test_force_beyond_the_cone_at_rest_gives_no_direction_and_no_force():
    force, memory = friction(1.0, 0.0, STICKING)
    assert force == 0.0
    assert not memory[0]
