"""A decay velocity that needs too many pieces is rejected at once by every model."""

from collections.abc import Callable
from typing import Any

import pytest

from wearmodel import FrictionalShockParameters, ShockSpringParameters
from wearmodel.kernel.contact.parameters import ContactParameters

CONTACT = {"contact_stiffness": 1e5, "tangential_stiffness": 1e5, "friction_coefficient": 0.1}
KINDS: list[Callable[..., Any]] = [
    FrictionalShockParameters,
    lambda **given: ShockSpringParameters(drive=1, **given),
    lambda **given: ContactParameters(**CONTACT, **given),
]


@pytest.mark.parametrize("kind", KINDS, ids=["FrictionalShock", "DisChoc", "a structure's contact"])
@pytest.mark.parametrize("velocity", [5e-324, 1e-300, 9.9e-10])
def test_a_decay_velocity_next_to_0_is_refused(kind, velocity):
    with pytest.raises(
        ValueError, match=rf"^friction_decay_velocity={velocity!r} m/s must be 0 or"
    ):
        kind(friction_coefficient_slow=0.3, friction_decay_velocity=velocity)


@pytest.mark.parametrize("kind", KINDS, ids=["FrictionalShock", "DisChoc", "a structure's contact"])
def test_the_shortest_decay_velocity_and_none_are_taken(kind):
    kind(friction_coefficient_slow=0.3, friction_decay_velocity=1e-9)
    kind(friction_decay_velocity=0.0)
