"""Validation of restored states of the shock spring."""

import math

import pytest

from wearmodel import ShockSpringParameters
from wearmodel.kernel.contact.state_objects import ContactState
from wearmodel.kernel.limits import FLIGHT, NO_SUCH_MODE, NO_SUCH_ZEROS, SLIP, STICK
from wearmodel.kernel.spring.parameters import SpringParameters
from wearmodel.kernel.spring.state_objects import SpringState
from wearmodel.kernel.spring.steps import broken_spring_state, upper_side


@pytest.mark.parametrize("mode", [FLIGHT, STICK, SLIP])
def test_every_mode_of_the_contact_is_a_state(mode):
    s = SpringState()
    s.mode = mode
    assert broken_spring_state(s, ContactState()) == (0, 0.0, 0.0)


@pytest.mark.parametrize("mode", [-1.0, 0.5, 1.5, 3.0, 1e300])
def test_a_number_that_is_no_mode_is_none(mode):
    s = SpringState()
    s.mode = mode
    broken = broken_spring_state(s, ContactState())
    assert broken == (NO_SUCH_MODE, mode, 0.0)


def test_what_is_not_a_number_is_no_mode():
    s = SpringState()
    s.mode = math.nan
    assert broken_spring_state(s, ContactState())[0] == NO_SUCH_MODE


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("closed", -2.0, NO_SUCH_MODE),
        ("closed", 0.5, NO_SUCH_MODE),
        ("sliding", 2.0, NO_SUCH_MODE),
        ("zeros_cone", 1e300, NO_SUCH_ZEROS),
        ("zeros_gap", -1.0, NO_SUCH_ZEROS),
    ],
)
def test_a_contact_that_cannot_be_is_none(field, value, code):
    contact = ContactState()
    setattr(contact, field, value)
    assert broken_spring_state(SpringState(), contact) == (code, value, 0.0)


@pytest.mark.parametrize(
    ("obstacle", "drive", "side"),
    [("two_planes", 1e-300, -1.0), ("two_planes", 0.0, 1.0), ("two_planes", -1.0, 1.0),
     ("plane", 2.0, 1.0)],
)  # fmt: skip
def test_a_spring_is_at_the_upper_plane_only_if_it_is_nearer(obstacle, drive, side):
    parameters = ShockSpringParameters(obstacle=obstacle)
    s = SpringState()
    s.drive_x = drive
    assert upper_side(SpringParameters(parameters), s) == side
