"""Steps in contact that are computed at once.

They agree with the same steps computed in pieces, and steps with an event are declined.
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wearmodel import (
    FrictionalShock,
    FrictionalShockParameters,
    NormalLaw,
    Obstacle,
    StepError,
    TangentialLaw,
)
from wearmodel.batch.record_runs import run_records
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.state_objects import State

from ..models.frictional_shock.trace import record
from .quiet_steps import (
    SHARES,
    Step,
    forbid_pieces,
    law_parameters,
    laws,
    logarithmic,
    many,
    signed,
)


@st.composite
def contact_steps(draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw) -> Step:
    """Draw a step from a contact under a constant force, near the bounds of every event."""
    parameters = draw(law_parameters(normal_law, tangential_law))
    size = draw(st.sampled_from([1e-7, 1e-6, 1e-4, 1e-3, 1e-2]))
    force = draw(logarithmic(0.1, 100.0))
    state = State()
    plane = 1.0
    if normal_law is not NormalLaw.prescribed and parameters.plane_distance > 0.0:
        plane = draw(st.sampled_from([1.0, -1.0]))
    state.contact = plane
    spring = parameters.normal_stiffness
    position = -parameters.initial_gap
    if plane < 0.0:
        position += parameters.plane_distance
    noise = 0.0
    normal = -plane * force
    if normal_law is NormalLaw.penalty:
        contact = parameters.contact_stiffness
        position -= plane * force / contact
        # The model treats forces below 1e-14 of these as rest. Computing in pieces adds the same
        # error.
        noise = 2e-14 * (force + (contact + spring) * (2.0 * abs(position) + force / contact))
        if plane < 0.0:
            noise += 2e-14 * (contact + spring) * parameters.plane_distance
        state.normal_velocity = draw(st.sampled_from([0.0, 0.0, 1e-18, -1e-15, 1e-9]))
    if normal_law is not NormalLaw.prescribed:
        normal += spring * position
        shift = draw(st.sampled_from([0, 0, 1, 5, 100])) if normal_law is NormalLaw.penalty else 0
        state.normal_displacement = position + shift * math.ulp(position)

    dynamic = parameters.friction_coefficient
    mass = parameters.mass
    sliding = draw(st.sampled_from([-1.0, 0.0, 1.0]))
    state.sliding = state.last_sliding = sliding
    state.displacement = draw(st.sampled_from([0.0, 1e-3, -0.05]))
    state.peak_force = draw(st.sampled_from([0.0, 2.0 * force]))
    held = parameters.stiffness * state.displacement
    cone = parameters.friction_coefficient_static * force
    # No sum of these numbers is exactly 1, where rounding would decide.
    rough = draw(st.lists(signed((0.0, 1.7e-4, 0.37, 3.0)), max_size=3))
    tangential = [term * cone / size ** (order + 1) for order, term in enumerate(rough)]
    if sliding != 0.0:
        tangential.insert(0, held + draw(signed((0.0, 0.5, 3.0))) * cone)
        loss = size / mass * abs(tangential[0] - held - sliding * dynamic * force)
        state.velocity = sliding * draw(
            st.sampled_from(SHARES).map(lambda share: share * loss) | logarithmic(1e-3, 1e3)
        )
        if tangential_law is TangentialLaw.penalty:
            off = draw(st.sampled_from([0.0, 0.0, 0.0, 1e-15, 1e-12, 1e-3, -1e-3]))
            stretch = sliding * dynamic * force / parameters.tangential_stiffness
            state.stretch = (1.0 + off) * stretch
    elif tangential_law is TangentialLaw.penalty:
        share = draw(signed(SHARES))
        state.stretch = share * cone / parameters.tangential_stiffness
        at_rest = held + share * cone
        tangential.insert(0, draw(st.sampled_from([at_rest, 0.999 * at_rest, held])))
    else:
        tangential.insert(0, held + draw(signed(SHARES)) * cone)
    return Step(parameters, state, tangential, [normal], size, force, noise)


@pytest.mark.long
@laws
@many
@given(data=st.data())
def test_a_quiet_step_in_contact_is_what_the_pieces_give(data, normal_law, tangential_law):
    data.draw(contact_steps(normal_law, tangential_law)).check()


_UPPER = {"gravity": -10.0, "obstacle": "two_planes", "plane_half_spacing": 1e-3}
# Parameters of a mass of 1 kg at rest on a plane, and F_N = plane·(k_n w − f_n), f_n = ∓10 N.
_PRESSED: dict[str, tuple[dict[str, object], float]] = {
    "prescribed": ({"normal_law": "prescribed"}, 10.0),
    "rigid, lower plane": ({"normal_law": "rigid", "normal_stiffness": 40.0}, 10.0),
    "rigid, upper plane": (
        {
            **_UPPER,
            "normal_law": "rigid",
            "normal_stiffness": 1e3,
            "initial_normal_displacement": 2e-3,
        },
        10.0 - 1e3 * 2e-3,
    ),
    "penalty, lower plane": (
        {
            "normal_law": "penalty",
            "contact_stiffness": 3e7,
            "normal_stiffness": 40.0,
            "initial_gap": -1e-3,
            "start_in_equilibrium": True,
        },
        # w = (f_n − K_N gap_0)/(k_n + K_N)
        10.0 + 40.0 * (3e4 - 10.0) / (3e7 + 40.0),
    ),
    "penalty, upper plane": (
        {
            **_UPPER,
            "normal_law": "penalty",
            "contact_stiffness": 3e7,
            "contact_damping": 1e4,
            "start_in_equilibrium": True,
        },
        10.0,
    ),
}
pressed = pytest.mark.parametrize(("normal", "force"), _PRESSED.values(), ids=_PRESSED)
friction_laws = pytest.mark.parametrize("tangential_law", TangentialLaw)


@pressed
@friction_laws
def test_a_mass_at_rest_on_its_plane_slips_at_once_by_the_closed_form(
    normal, force, tangential_law, monkeypatch
):
    # The mass starts at rest on the plane. A penalised anchor follows after about m/K_T.
    model = FrictionalShock(
        FrictionalShockParameters(**normal, tangential_law=tangential_law, initial_velocity=5.0)
    )
    for _ in range(100):
        model.step(1e-3)
    forbid_pieces(model, monkeypatch)
    before = model.outputs()
    steps = 2000
    for _ in range(steps):
        model.step(1e-3)
    after = model.outputs()
    time = steps * 1e-3
    velocity = before["relative_velocity"]
    distance = velocity * time - 0.5 * 0.1 * force * time**2
    # Rounding of two thousand steps.
    assert after["relative_velocity"] == pytest.approx(velocity - 0.1 * force * time, rel=1e-12)
    assert after["sliding_distance"] - before["sliding_distance"] == pytest.approx(
        distance, rel=1e-12
    )
    assert after["wear_work"] - before["wear_work"] == pytest.approx(force * distance, rel=1e-12)
    # The gap to the penalised plane is a difference of positions: 3e7 N/m times their rounding.
    assert after["peak_normal_force"] == pytest.approx(force, rel=1e-11)
    assert after["normal_force"] == pytest.approx(force, rel=1e-11)


@pressed
@friction_laws
def test_a_mass_at_rest_on_its_plane_sticks_at_once(normal, force, tangential_law, monkeypatch):
    model = FrictionalShock(FrictionalShockParameters(**normal, tangential_law=tangential_law))
    forbid_pieces(model, monkeypatch)
    steps = 200
    for step in range(steps):
        model.step(1e-3, 0.05 * force * math.sin(2.0 * math.pi * step / steps))
    outputs = model.outputs()
    assert outputs["contact_mode"] == 1.0
    assert outputs["wear_work"] == 0.0
    assert outputs["normal_force"] == pytest.approx(force, rel=1e-11)


@pytest.mark.long
@pytest.mark.parametrize("contact_damping", [0.0, 1e4])
def test_taking_a_mass_for_resting_changes_nothing_in_thousands_of_steps(contact_damping):
    # Without damping, the rounding error of its position persists in the computation in pieces.
    parameters = FrictionalShockParameters(
        **_PRESSED["penalty, lower plane"][0],
        contact_damping=contact_damping,
        stiffness=40.0,
        initial_displacement=0.5,
    )
    whole, by_pieces = FrictionalShock(parameters), FrictionalShock(parameters)
    record(by_pieces)
    for model in (whole, by_pieces):
        for _ in range(4000):
            model.step(1e-3)
    got, want = whole.outputs(), by_pieces.outputs()
    for name, value in want.items():
        # K_N times the rounding of a position of 1e-3 m is 3e-12 of the force.
        assert got[name] == pytest.approx(value, rel=1e-10, abs=1e-14), name


@pytest.mark.parametrize(
    ("share", "rate"), [(1e-9, 0.0), (-1e-9, 0.0), (0.0, 1e-9)], ids=["deep", "high", "moving"]
)
def test_a_penalised_contact_that_does_not_rest_is_left_to_the_pieces(share, rate):
    parameters = Parameters(FrictionalShockParameters(normal_law="penalty", contact_stiffness=1e6))
    depth = 10.0 / 1e6
    state = State()
    state.contact = 1.0
    state.normal_displacement = -depth
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is not None
    state.normal_displacement = -depth * (1.0 + share)
    state.normal_velocity = rate * math.sqrt(1e6) * depth
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is None


@pytest.mark.parametrize(
    "normal_law", [NormalLaw.penalty, NormalLaw.rigid], ids=lambda law: law.name
)
def test_a_contact_force_that_overflows_is_left_to_the_pieces(normal_law):
    parameters = Parameters(FrictionalShockParameters(normal_law=normal_law, normal_stiffness=1e10))
    state = State()
    state.contact = 1.0
    state.normal_displacement = 1e300
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is None


@pytest.mark.parametrize(
    ("entry", "before", "velocity", "forcing", "size"),
    [
        pytest.param("wear_work", 1.79e308, 1e307, 0.0, 1.0, id="wear_work"),
        pytest.param("friction_work", 1.79e308, 1e307, 0.0, 1.0, id="friction_work"),
        pytest.param("sliding_distance", 1.79e308, 1e307, 0.0, 1.0, id="sliding_distance"),
        pytest.param("displacement", 1.79e308, 1e307, 0.0, 1.0, id="displacement"),
        # A force of 1e308 N changes the velocity by 1e305 m/s in 1e-3 s.
        pytest.param("velocity", 1.797e308, 1.797e308, 1e308, 1e-3, id="velocity"),
    ],
)
def test_a_slip_whose_result_overflows_is_left_to_the_pieces(
    entry, before, velocity, forcing, size
):
    parameters = Parameters(FrictionalShockParameters(friction_coefficient=1.0))
    state = State()
    state.contact = state.sliding = state.last_sliding = 1.0
    # Distance and work of the step itself are finite at 1 N.
    state.velocity = 1e307
    assert Step(parameters, state, [0.0], [-1.0], size).quiet() is not None
    state.velocity = velocity
    setattr(state, entry, before)
    assert Step(parameters, state, [forcing], [-1.0], size).quiet() is None


@pytest.mark.parametrize("springs", [{}, {"stiffness": 1e-6}], ids=["no springs", "springs"])
def test_a_wear_work_that_overflows_is_said_by_model_and_record_run(springs):
    # A force of 1e153 N acts over nearly 1e154 m per second. In the 18th second, wear work and
    # friction work (a tenth of it) together exceed 1.8e308 J.
    parameters = FrictionalShockParameters(initial_velocity=1e154, preload=1e153, **springs)
    model = FrictionalShock(parameters)
    for _ in range(17):
        model.step(1.0)
    with pytest.raises(StepError, match="the state overflowed"):
        model.step(1.0)
    runs = run_records(parameters, 1.0, base_acceleration=[0.0] * 41)
    (failure,) = runs.failures
    assert "the state overflowed" in failure.reason
    assert failure.time == model.time
    assert math.isnan(runs.final["wear_work"])


@pytest.mark.parametrize(
    ("share", "taken"), [(0.3, True), (-0.3, True), (3.0, False), (-3.0, False)]
)
@pytest.mark.parametrize("friction", [0.05, 0.1, 0.9])
@pytest.mark.parametrize("normal_law", [NormalLaw.prescribed, NormalLaw.penalty])
def test_a_penalised_slip_is_taken_at_once_up_to_the_rounding_of_its_stretch(
    normal_law, friction, share, taken
):
    """K_T e may differ from μ_d F_N by 1e-14 μ_d times the forces whose difference is F_N."""
    force, stiffness, contact = 10.0, 1024.0, 1e4
    state = State()
    state.contact = state.sliding = state.last_sliding = 1.0
    state.velocity = 1.0
    places = 0.0
    gap = 0.0
    if normal_law is NormalLaw.penalty:
        gap = 0.5
        places = gap + gap + force / contact
        state.normal_displacement = -gap - force / contact
    rounding = 1e-14 * friction * (force + contact * places)
    state.stretch = (friction * force + share * rounding) / stiffness
    parameters = Parameters(
        FrictionalShockParameters(
            friction_coefficient=friction,
            normal_law=normal_law,
            initial_gap=gap,
            contact_stiffness=contact,
            tangential_law=TangentialLaw.penalty,
            tangential_stiffness=stiffness,
        )
    )
    step = Step(parameters, state, [0.0], [-force], 1e-3, force)
    assert (step.quiet() is not None) == taken


@pytest.mark.parametrize("plane", [1.0, -1.0], ids=["lower", "upper"])
def test_a_slip_taken_at_once_wears_the_plane_that_it_is_on(plane):
    parameters = Parameters(
        FrictionalShockParameters(
            friction_coefficient=0.25,
            normal_law=NormalLaw.rigid,
            obstacle=Obstacle.two_planes,
            initial_gap=0.5,
            plane_half_spacing=1.0,
        )
    )
    state = State()
    state.contact, state.sliding, state.last_sliding = plane, 1.0, 1.0
    state.normal_displacement = -0.5 if plane > 0.0 else 1.5
    state.velocity = 3.0
    state.wear_work, state.wear_work_upper = 7.0, 2.0
    after = Step(parameters, state, [0.0], [-plane * 8.0], 0.5, 8.0).quiet()
    assert after is not None
    # 8 N over 3·0.5 − ½·2·0.5² m, in binary fractions.
    worn = 8.0 * 1.25
    assert after.wear_work == 7.0 + worn
    assert after.wear_work_upper == 2.0 + (worn if plane < 0.0 else 0.0)
