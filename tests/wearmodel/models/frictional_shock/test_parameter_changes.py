"""Parameter changes in a run: closed forms, new models from the same state, energy, rejection.

Tolerances are multiples of the rounding of a double. They are 1e-14 for the sums of one step, and
1e-11 of the largest terms of a run, because event times have the rounding of roots.
"""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw

from .energy import EnergyAccount
from .law_combinations import laws
from .random_runs import RandomRun, logarithmic, random_runs, shifted

FLIGHT, STICK, SLIP = 0.0, 1.0, 2.0
GRAVITY = 10.0

some = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def pressed(**parameters: Any) -> FrictionalShock:
    """Return a mass of 1 kg at rest on a penalised plane, 1 mm deep, under a load of 2 N."""
    values: dict[str, Any] = {
        "normal_law": "penalty",
        "contact_stiffness": 1e4,
        "start_in_equilibrium": True,
        "friction_coefficient": 0.3,
        **parameters,
    }
    return FrictionalShock(FrictionalShockParameters(**values), tangential_load=2.0)


# -- closed forms


def test_a_block_whose_friction_falls_below_its_load_slides_from_that_instant():
    model = FrictionalShock(
        FrictionalShockParameters(friction_coefficient=0.3), tangential_load=2.0
    )
    model.step(1.0, tangential_load=2.0)
    assert model.outputs()["contact_mode"] == STICK
    model.change_parameters({"friction_coefficient": 0.1})
    assert model.outputs()["contact_mode"] == SLIP
    assert model.outputs()["friction_force"] == pytest.approx(-1.0, rel=1e-15)
    model.step(2.0, tangential_load=2.0)
    outputs = model.outputs()
    # ü = P/m − μ g = 1 m/s² over 2 s.
    assert outputs["relative_displacement"] == pytest.approx(2.0, rel=1e-14)
    assert outputs["wear_work"] == pytest.approx(GRAVITY * 2.0, rel=1e-14)
    assert outputs["friction_work"] == pytest.approx(0.1 * GRAVITY * 2.0, rel=1e-14)
    assert (outputs["slip_count"], outputs["parameter_change_work"]) == (1.0, 0.0)


def test_friction_that_rises_in_slip_brakes_more_from_that_instant():
    model = FrictionalShock(FrictionalShockParameters(initial_velocity=1.0))
    model.step(0.5)
    model.change_parameters({"friction_coefficient": 0.5})
    model.step(0.125)
    # The speed falls from 1 m/s to 0.5 m/s at 1 m/s², and then to 0 in 0.1 s at 5 m/s².
    assert model.outputs()["contact_mode"] == STICK
    travelled = 0.5 - 0.125 + 0.5**2 / (2.0 * 5.0)
    assert model.outputs()["relative_displacement"] == pytest.approx(travelled, rel=1e-14)


def test_a_stiffer_contact_under_compression_takes_the_work_and_bounces_with_it():
    model = pressed()
    model.step(0.1, tangential_load=2.0)
    model.change_parameters({"contact_stiffness": 4e4})
    outputs = model.outputs()
    depth = GRAVITY / 1e4
    assert outputs["normal_force"] == pytest.approx(4e4 * depth, rel=1e-14)
    assert outputs["parameter_change_work"] == pytest.approx(0.5 * 3e4 * depth**2, rel=1e-14)
    # Oscillation about the new equilibrium −m g/K, pressed for a while:
    # w = −m g/K − (d − m g/K) cos ω t.
    step, omega = 1e-3, math.sqrt(4e4)
    model.step(step, tangential_load=2.0)
    rest = GRAVITY / 4e4
    assert model.outputs()["gap"] == pytest.approx(
        -rest - (depth - rest) * math.cos(omega * step), rel=1e-12
    )


def test_a_gap_that_is_opened_under_compression_lets_the_mass_fall_and_forgets_the_stretch():
    model = pressed(tangential_law="penalty", tangential_stiffness=1e3)
    for _ in range(50):
        model.step(0.1, tangential_load=2.0)
    stretch = 2.0 / 1e3
    assert model.outputs()["relative_displacement"] == pytest.approx(stretch, rel=1e-9)
    damping_work = model.outputs()["contact_damping_work"]
    model.change_parameters({"initial_gap": 0.1})
    outputs = model.outputs()
    depth = GRAVITY / 1e4
    assert outputs["contact_mode"] == FLIGHT
    assert outputs["gap"] == pytest.approx(0.1 - depth, rel=1e-14)
    assert outputs["parameter_change_work"] == pytest.approx(-0.5 * 1e4 * depth**2, rel=1e-12)
    forgotten = outputs["contact_damping_work"] - damping_work
    assert forgotten == pytest.approx(0.5 * 1e3 * stretch**2, rel=1e-8)
    model.step(0.1)
    assert model.outputs()["gap"] == pytest.approx(0.1 - depth - 0.5 * GRAVITY * 0.01, rel=1e-12)


def test_a_plane_that_is_moved_into_a_penalised_mass_is_a_shock_that_presses_it():
    model = FrictionalShock(
        FrictionalShockParameters(normal_law="penalty", contact_stiffness=1e4, initial_gap=0.1)
    )
    model.change_parameters({"initial_gap": -2e-3})
    outputs = model.outputs()
    assert (outputs["shock_count"], outputs["contact_mode"]) == (1.0, STICK)
    assert outputs["normal_force"] == pytest.approx(20.0, rel=1e-14)
    assert outputs["parameter_change_work"] == pytest.approx(0.5 * 1e4 * 4e-6, rel=1e-14)


def test_an_anchor_that_lower_friction_no_longer_holds_jumps_to_the_cone_and_is_booked():
    stiffness, load = 1e3, 2.0
    model = FrictionalShock(
        FrictionalShockParameters(
            friction_coefficient=0.5,
            tangential_law="penalty",
            tangential_stiffness=stiffness,
            tangential_damping=0.0,
            damping=2.0 * math.sqrt(stiffness),
        ),
        tangential_load=load,
    )
    for _ in range(20):
        model.step(0.1, tangential_load=load)
    model.change_parameters({"friction_coefficient": 0.1})
    outputs = model.outputs()
    held, stretch = 0.1 * GRAVITY, load / stiffness
    way = stretch - held / stiffness
    assert outputs["friction_force"] == pytest.approx(-held, rel=1e-14)
    assert outputs["sliding_distance"] == pytest.approx(way, rel=1e-9)
    assert outputs["wear_work"] == pytest.approx(GRAVITY * way, rel=1e-9)
    lost = 0.5 * stiffness * (stretch**2 - (held / stiffness) ** 2)
    assert outputs["friction_work"] == pytest.approx(lost, rel=1e-9)


def test_friction_that_rises_in_undamped_slip_lets_the_anchor_stick_where_it_is():
    model = FrictionalShock(
        FrictionalShockParameters(
            initial_velocity=1.0,
            tangential_law="penalty",
            tangential_stiffness=1e4,
            tangential_damping=0.0,
        )
    )
    model.step(0.1)
    assert model.outputs()["contact_mode"] == SLIP
    distance = model.outputs()["sliding_distance"]
    model.change_parameters({"friction_coefficient": 0.2})
    outputs = model.outputs()
    assert outputs["contact_mode"] == STICK
    assert outputs["friction_force"] == pytest.approx(-1.0, rel=1e-12)  # same stretch
    assert outputs["sliding_distance"] == distance
    model.step(0.1)
    assert model.outputs()["contact_mode"] == SLIP
    assert model.outputs()["friction_force"] == pytest.approx(-2.0, rel=1e-14)


def test_the_critical_damping_of_friction_follows_the_stiffnesses():
    model = pressed(tangential_law="penalty", tangential_stiffness=1e3)
    model.change_parameters({"tangential_stiffness": 4e3, "stiffness": 5e3})
    fresh = model.parameters
    assert fresh.in_force().tangential_damping == pytest.approx(2.0 * math.sqrt(9e3), rel=1e-15)
    model.step(1e-3, tangential_load=2.0)
    again = pressed(tangential_law="penalty", tangential_stiffness=4e3, stiffness=5e3)
    again.step(1e-3, tangential_load=2.0)
    assert model.outputs()["relative_velocity"] == again.outputs()["relative_velocity"]


def test_a_rigid_plane_that_is_drawn_back_lets_the_mass_fall_onto_it():
    model = FrictionalShock(FrictionalShockParameters(normal_law="rigid"))
    model.step(0.1)
    model.change_parameters({"initial_gap": 0.05})
    assert model.outputs()["contact_mode"] == FLIGHT
    model.step(0.2)
    outputs = model.outputs()
    speed = math.sqrt(2.0 * GRAVITY * 0.05)
    assert outputs["shock_count"] == 1.0
    assert outputs["impact_impulse"] == pytest.approx(speed, rel=1e-13)


# -- comparison with new models

_TUNED = (
    "friction_coefficient",
    "stiffness",
    "damping",
    "normal_stiffness",
    "normal_damping",
    "contact_stiffness",
    "contact_damping",
    "tangential_stiffness",
    "tangential_damping",
)


@st.composite
def changes(draw: st.DrawFn, run: RandomRun) -> dict[str, float]:
    """Draw new values of some tunable parameters."""
    values: dict[str, float] = {}
    for name in draw(st.lists(st.sampled_from(_TUNED), min_size=1, max_size=4, unique=True)):
        old = getattr(run.parameters, name)
        values[name] = draw(st.sampled_from([0.5, 2.0, 10.0, 0.01])) * (old if old > 0.0 else 1.0)
    values["friction_coefficient_static"] = -1.0
    if draw(st.booleans()):
        values["tangential_stiffness"] = draw(logarithmic(100.0, 9e6))
    if run.parameters.normal_law is NormalLaw.penalty and draw(st.booleans()):
        values["initial_gap"] = draw(st.sampled_from([0.0, 1e-4, -1e-4, -1e-3]))
    if run.parameters.normal_law is NormalLaw.rigid and draw(st.booleans()):
        values["initial_gap"] = run.parameters.initial_gap + 1e-4
    return values


def advance(model: FrictionalShock, run: RandomRun) -> None:
    for inputs in run.inputs:
        model.step_polynomial(run.step_size, **inputs)


def changed(model: FrictionalShock, values: dict[str, float]) -> bool:
    """Return whether the change is accepted. A new gap may move one of two planes into the mass."""
    try:
        model.change_parameters(values)
    except ValueError as error:
        if "a rigid plane" in str(error) or "between two rigid planes" in str(error):
            return False
        raise
    return True


def fresh_from(model: FrictionalShock, values: dict[str, float]) -> FrictionalShock:
    """Return a new model with place, velocities and anchor of a model that is to be changed.

    The contact of the new model is determined as at a start. If the old contact is on the same
    plane, the anchor is kept. Slip is kept too, unless the stretch of an undamped anchor is inside
    the new cone. The first step determines the rest.
    """
    state = model._state
    parameters = replace(
        model.parameters,
        **values,
        initial_displacement=state.displacement,
        initial_velocity=state.velocity,
        initial_normal_displacement=0.0,
        initial_normal_velocity=0.0,
    )
    fresh = FrictionalShock(parameters)
    p, new = fresh._p, fresh._state
    new.normal_displacement = state.normal_displacement
    new.normal_velocity = state.normal_velocity
    for name in ("tangential_forcing", "tangential_load", "normal_forcing", "normal_forcing_rate"):
        setattr(fresh.now, name, getattr(model.now, name))
    from wearmodel.kernel.shoe.measures import contact_force
    from wearmodel.kernel.shoe.start_mode import set_mode

    new.zeros_force = 0.0
    set_mode(p, new, fresh.now.tangential_forcing, fresh.now.normal_forcing)
    new.shock_count = 1.0 if new.contact not in (0.0, state.contact) else 0.0
    if new.contact != 0.0 and new.contact == state.contact:
        new.stretch = state.stretch
        new.sliding = state.sliding
        force = contact_force(p, new, fresh.now.normal_forcing)
        drawn_on = state.sliding * p.tangential_stiffness * state.stretch
        is_undamped = p.tangential_law == 1.0 and p.tangential_damping == 0.0
        if is_undamped and drawn_on < p.friction_coefficient * force:
            new.sliding = 0.0
    return fresh


@laws
@some
@given(data=st.data())
def test_after_a_change_a_run_goes_on_as_a_new_one_from_the_same_state(
    data, normal_law, tangential_law
):
    run = data.draw(random_runs(normal_law, tangential_law, longest=3), label="run")
    model = run.start()
    advance(model, run)
    values = data.draw(changes(run), label="changes")
    before = model.outputs()
    fresh = fresh_from(model, values)
    if not changed(model, values):
        assert model.outputs() == before
        return
    at_once = model.outputs()
    for name in ("relative_displacement", "relative_velocity", "slip_count", "impact_impulse"):
        assert at_once[name] == before[name]
    duration = 1e-4 * run.step_size
    for each in (model, fresh):
        each.step_polynomial(duration, **shifted(run.inputs[-1], run.step_size))
    after, want = model.outputs(), fresh.outputs()
    scale = 1e-11 * (1.0 + abs(want["relative_velocity"]) + abs(want["gap_velocity"]))
    for name in ("relative_displacement", "relative_velocity", "gap", "gap_velocity"):
        assert after[name] == pytest.approx(want[name], rel=1e-9, abs=scale), name
    for name in ("wear_work", "friction_work", "sliding_distance"):
        size = max(abs(before[name]), 1e-6)
        gained = after[name] - before[name]
        assert gained == pytest.approx(want[name], rel=1e-7, abs=1e-11 * size), name
    assert after["shock_count"] - before["shock_count"] == want["shock_count"]


@laws
@some
@given(data=st.data())
def test_the_energy_balance_closes_over_a_change(data, normal_law, tangential_law):
    run = data.draw(random_runs(normal_law, tangential_law, longest=3), label="run")
    model, trace = run.traced()
    values = data.draw(changes(run), label="changes")
    before, state = model.outputs(), dict(trace.segments[-1].after)
    stored = EnergyAccount(model.parameters, trace.segments)._stored(state)
    if not changed(model, values):
        return
    after = model.outputs()
    names = [*state]
    state = {name: getattr(model._state, name) for name in names}
    left = EnergyAccount(model.parameters, trace.segments)._stored(state)
    gained = after["parameter_change_work"]
    for name in ("friction_work", "contact_damping_work"):
        gained -= after[name] - before[name]
    size = stored + left + abs(after["parameter_change_work"]) + before["friction_work"]
    size += before["contact_damping_work"]
    assert left - stored == pytest.approx(gained, abs=1e-13 * size)
    assert after["friction_work"] >= before["friction_work"]
    assert abs(after["friction_force"]) <= model.parameters.static_coefficient * after[
        "normal_force"
    ] * (1.0 + 1e-12) + 1e-12 * abs(after["friction_force"])


# -- rejected changes, which do not affect the state


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mass": 2.0}, "mass is a fixed parameter: 2.0 kg cannot be set during a run"),
        ({"friction_coefficient": -0.1}, "friction_coefficient=-0.1 must be ≥ 0"),
        ({"stiffness": math.nan}, "stiffness=nan N/m must be finite"),
        ({"damping": math.inf}, "damping=inf N.s/m must be finite"),
        ({"contact_stiffness": 0.0}, "contact_stiffness=0.0 N/m must be > 0"),
        (
            {"friction_coefficient": 0.5, "friction_coefficient_static": 0.4},
            "friction_coefficient_static=0.4 must be ≥ friction_coefficient=0.5",
        ),
        ({"initial_gap": 0.1}, "initial_gap=0.1 m must be 0 if normal_law is prescribed"),
        ({"mu": 0.1}, "'mu' is not a parameter of FrictionalShockParameters; did you mean"),
        ({"normal_law": 1}, "normal_law is a fixed parameter"),
    ],
    ids=str,
)
def test_a_change_that_breaks_a_rule_is_refused_and_all_stands(changes, message):
    model = FrictionalShock(FrictionalShockParameters(initial_velocity=1.0))
    model.step(0.01)
    before = model.snapshot()
    with pytest.raises((ValueError, TypeError)) as refusal:
        model.change_parameters({"damping": 3.0, **changes})
    assert message in str(refusal.value)
    assert model.snapshot() == before
    assert model.parameters == FrictionalShockParameters(initial_velocity=1.0)


def test_a_rigid_plane_cannot_be_moved_into_the_mass():
    model = FrictionalShock(FrictionalShockParameters(normal_law="rigid", initial_gap=0.2))
    model.step(0.1)
    before = model.snapshot()
    with pytest.raises(
        ValueError, match=r"leave a gap of -0\.05\d* m at this instant.*must be ≥ 0"
    ):
        model.change_parameters({"initial_gap": 0.0})
    assert model.snapshot() == before
    model.change_parameters({"initial_gap": 0.06})
    assert model.outputs()["gap"] == pytest.approx(0.01, rel=1e-12)


def test_rules_of_the_start_do_not_bind_a_change():
    model = FrictionalShock(
        FrictionalShockParameters(
            normal_law="rigid",
            obstacle="two_planes",
            plane_half_spacing=0.5,
            initial_normal_displacement=0.9,
        )
    )
    model.step(0.4)  # The mass falls by 0.8 m.
    model.change_parameters({"plane_half_spacing": 0.1})
    assert model.outputs()["gap"] == pytest.approx(0.1, rel=1e-12)


def test_undamped_slip_by_speed_keeps_its_damper():
    model = FrictionalShock(
        FrictionalShockParameters(
            initial_velocity=1.0, tangential_law="penalty", viscous_friction=0.1
        )
    )
    model.step(0.01)
    with pytest.raises(
        ValueError, match=r"tangential_damping=6000\.0 N\.s/m cannot become 0 in slip"
    ):
        model.change_parameters({"tangential_damping": 0.0})


def test_the_values_that_are_in_force_change_no_bit():
    model = pressed(tangential_law="penalty")
    model.step(0.01, tangential_load=4.0)
    before = model.snapshot()
    model.change_parameters({"friction_coefficient": 0.3, "contact_stiffness": 1e4})
    model.change_parameters({})
    assert model.snapshot() == before


def test_a_saved_state_brings_the_changed_values_back():
    def course(model: FrictionalShock) -> list[float]:
        values: list[float] = []
        for _ in range(5):
            model.step(1e-3, tangential_load=4.0)
            values += model.output_values()
        return values

    model = pressed(tangential_law="penalty")
    first = model.snapshot()
    course(model)
    model.change_parameters({"friction_coefficient": 0.1, "contact_stiffness": 3e4})
    saved = json.loads(json.dumps(model.snapshot()))
    want = course(model)
    for host in (model, pressed(tangential_law="penalty")):
        host.restore(first)
        assert host.parameters.contact_stiffness == 1e4
        host.restore(saved)
        assert host.parameters.friction_coefficient == 0.1
        assert course(host) == want
    assert model.changes == {"friction_coefficient": 0.1, "contact_stiffness": 3e4}


def test_a_saved_state_with_a_change_that_breaks_a_rule_is_refused():
    model = pressed()
    for broken in (
        {"mass": 2.0},
        {"contact_stiffness": -1.0},
        {"friction_coefficient_static": 0.1},
    ):
        with pytest.raises(ValueError, match="the snapshot has another form"):
            model.restore({**model.snapshot(), "changes": broken})
    assert model.changes == {}
