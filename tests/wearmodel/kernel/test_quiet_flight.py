"""Flight steps that are computed at once.

They agree with the same steps computed in pieces, and steps in which the gap closes are declined.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.state_objects import State

from .quiet_steps import SHARES, Step, forbid_pieces, law_parameters, laws, many, moved, signed


@st.composite
def flight_steps(draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw) -> Step:
    """Draw a flight step that may end in front of, on or behind either plane."""
    parameters = draw(law_parameters(normal_law, tangential_law))
    size = draw(st.sampled_from([1e-4, 1e-3, 1e-2]))
    state = State()
    state.displacement = draw(st.sampled_from([0.0, 1e-3, -0.05]))
    state.velocity = draw(signed((0.0, 0.1, 10.0)))
    velocity = draw(signed((0.0, 1e-3, 0.3)))
    acting = [draw(signed((0.0, 1.0, 30.0)))]
    acting += [
        term / size ** (order + 1)
        for order, term in enumerate(draw(st.lists(signed((0.0, 1.0, 30.0)), max_size=3)))
    ]
    if normal_law is not NormalLaw.prescribed:
        reach = size * (abs(velocity) + size * abs(acting[0]) / parameters.mass)
        gap = draw(st.sampled_from(SHARES)) * reach + draw(st.sampled_from([0.0, 1e-6, 1e-4]))
        position = gap - parameters.initial_gap
        distance = parameters.plane_distance
        if distance > 0.0 and draw(st.booleans()):
            position = distance - parameters.initial_gap - gap
        state.normal_displacement = position
        state.normal_velocity = velocity
    terms = draw(st.lists(signed((0.0, 1.0, 30.0)), min_size=1, max_size=4))
    tangential = [term / size**order for order, term in enumerate(terms)]
    return Step(parameters, state, tangential, acting, size)


@pytest.mark.long
@laws
@many
@given(data=st.data())
def test_a_quiet_step_in_flight_is_what_the_pieces_give(data, normal_law, tangential_law):
    step = data.draw(flight_steps(normal_law, tangential_law))
    # Only positions between the planes, or above the only plane, are valid flight states.
    position = step.state.normal_displacement + step.parameters.initial_gap
    distance = step.parameters.plane_distance
    if position >= 0.0 and (distance == 0.0 or position <= distance):
        step.check()


@pytest.mark.parametrize(
    "normal_law", [NormalLaw.penalty, NormalLaw.rigid], ids=lambda law: law.name
)
@pytest.mark.parametrize("springs", [True, False], ids=["springs", "no springs"])
def test_a_mass_between_its_planes_flies_at_once_by_the_closed_form(
    normal_law, springs, monkeypatch
):
    stiffness, damping = (40.0, 1.0) if springs else (0.0, 0.0)
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=2.0,
            gravity=1.0,
            normal_law=normal_law,
            obstacle=Obstacle.two_planes,
            plane_half_spacing=10.0,
            initial_gap=10.0,
            stiffness=stiffness,
            damping=damping,
            normal_stiffness=2.0 * stiffness,
            normal_damping=2.0 * damping,
            initial_displacement=0.3,
            initial_normal_displacement=-0.2,
        )
    )
    forbid_pieces(model, monkeypatch)
    steps = 1000
    for _ in range(steps):
        model.step(1e-3, 0.7)
    outputs = model.outputs()
    u, u_rate = moved(2.0, damping, stiffness, -1.4, 0.3, steps * 1e-3)
    w, w_rate = moved(2.0, 2.0 * damping, 2.0 * stiffness, -2.0, -0.2, steps * 1e-3)
    # Rounding of a thousand steps, with numbers below 1.
    assert outputs["relative_displacement"] == pytest.approx(u, abs=1e-13)
    assert outputs["relative_velocity"] == pytest.approx(u_rate, abs=1e-13)
    assert outputs["gap"] == pytest.approx(10.0 + w if w < 0.0 else 10.0 - w, abs=1e-12)
    assert abs(outputs["gap_velocity"]) == pytest.approx(abs(w_rate), abs=1e-13)


@pytest.mark.parametrize("entry", ["zeros_force", "zeros_gap"])
def test_a_flight_that_begins_at_this_instant_is_left_to_the_pieces(entry):
    parameters = Parameters(FrictionalShockParameters(normal_law="rigid", initial_gap=1.0))
    state = State()
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is not None
    setattr(state, entry, 1.0)
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is None


@pytest.mark.parametrize(
    "springs",
    [{"stiffness": 1e6}, {"normal_stiffness": 1e6}, {"damping": 1e4}, {"normal_damping": 1e4}],
    ids=lambda springs: next(iter(springs)),
)
def test_a_flight_faster_than_its_series_is_left_to_the_pieces(springs):
    parameters = Parameters(
        FrictionalShockParameters(normal_law="rigid", initial_gap=1.0, **springs)
    )
    state = State()
    assert Step(parameters, state, [0.0], [-10.0], 1e-5).quiet() is not None
    assert Step(parameters, state, [0.0], [-10.0], 1e-2).quiet() is None
