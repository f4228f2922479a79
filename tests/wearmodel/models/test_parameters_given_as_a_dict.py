"""Parameters of a wrong type are rejected with a message that shows how to construct them."""

import pytest

from wearmodel import (
    BaseMotion,
    BaseMotionParameters,
    FrictionalShock,
    FrictionalShockParameters,
    ShockSpring,
    ShockSpringParameters,
)


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (FrictionalShock, FrictionalShockParameters),
        (ShockSpring, ShockSpringParameters),
        (BaseMotion, BaseMotionParameters),
    ],
)
@pytest.mark.parametrize("given", [{"mass": 2.0}, 3.0])
def test_what_is_no_parameters_is_refused_with_how_to_make_them(model, kind, given):
    with pytest.raises(TypeError, match=rf"parameters=.* made by {kind.__name__}\(name=value"):
        model(given)
