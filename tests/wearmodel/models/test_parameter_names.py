"""Unknown parameter names in a constructor of parameters."""

import pytest

from wearmodel import FrictionalShockParameters
from wearmodel.models.base_motion import BaseMotionParameters
from wearmodel.models.shock_spring import ShockSpringParameters


@pytest.mark.parametrize(
    ("kind", "name", "said"),
    [
        (FrictionalShockParameters, "mu", "did you mean 'friction_coefficient'?"),
        (FrictionalShockParameters, "K_N", "did you mean 'contact_stiffness'?"),
        (FrictionalShockParameters, "friction_coeficient", "did you mean 'friction_coefficient'?"),
        (FrictionalShockParameters, "colour", "known are mass, gravity, "),
        (ShockSpringParameters, "RIGI_NOR", "did you mean 'contact_stiffness'?"),
        (BaseMotionParameters, "amplitud", "did you mean 'amplitude'?"),
    ],
)
def test_an_unknown_parameter_is_answered_by_the_one_that_is_meant(kind, name, said):
    with pytest.raises(TypeError) as refused:
        kind(**{name: 0.2})
    assert str(refused.value).startswith(f"{name!r} is not a parameter of {kind.__name__}; {said}")
