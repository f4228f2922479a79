"""Rejected values: messages contain quantity, value, unit and rule, and the state is unchanged."""

import math
import re
from dataclasses import FrozenInstanceError

import pytest

from wearmodel import (
    FrictionalShock,
    FrictionalShockParameters,
    NormalLaw,
    Obstacle,
    StepError,
    TangentialLaw,
)
from wearmodel.kernel import limits
from wearmodel.kernel.shoe import stepper
from wearmodel.kernel.shoe.state_objects import State

from .trace import record


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"mass": 0.0}, "mass=0.0 kg must be > 0"),
        ({"mass": -1.0}, "mass=-1.0 kg must be > 0"),
        ({"friction_coefficient": -0.1}, "friction_coefficient=-0.1 must be ≥ 0"),
        ({"stiffness": -1.0}, "stiffness=-1.0 N/m must be ≥ 0"),
        ({"damping": -1e-9}, "damping=-1e-09 N.s/m must be ≥ 0"),
        ({"normal_stiffness": -2.0}, "normal_stiffness=-2.0 N/m must be ≥ 0"),
        ({"normal_damping": -2.0}, "normal_damping=-2.0 N.s/m must be ≥ 0"),
        ({"plane_half_spacing": 0.0}, "plane_half_spacing=0.0 m must be > 0"),
        ({"contact_stiffness": 0.0}, "contact_stiffness=0.0 N/m must be > 0"),
        ({"contact_damping": -1.0}, "contact_damping=-1.0 N.s/m must be ≥ 0"),
        ({"tangential_stiffness": 0.0}, "tangential_stiffness=0.0 N/m must be > 0"),
        ({"restitution": -0.1}, "restitution=-0.1 must be ≥ 0"),
        ({"restitution": 1.1}, "restitution=1.1 must be ≤ 1"),
        ({"archard_coefficient": -1e-13}, "archard_coefficient=-1e-13 m2/N must be ≥ 0"),
        ({"wear_area": 0.0}, "wear_area=0.0 m2 must be > 0"),
        ({"pendulum_radius": -1.0}, "pendulum_radius=-1.0 m must be ≥ 0"),
        (
            {"pendulum_radius": 2.0, "sliding_direction": 1},
            "pendulum_radius=2.0 m needs sliding_direction both: a pendulum swings back. Use 0",
        ),
        (
            {"pendulum_radius": 2.0, "normal_law": 2, "friction_table": [[0, 0.2], [1, 0.1]]},
            "pendulum_radius=2.0 m with normal_law rigid needs a constant friction coefficient",
        ),
        ({"stop_upper": math.inf}, "stop_upper=inf m must be finite"),
        (
            {"stop_lower": 0.1, "stop_upper": 0.1},
            "stop_lower=0.1 m must be < stop_upper=0.1 m",
        ),
        ({"stop_restitution": 1.1}, "stop_restitution=1.1 must be ≤ 1"),
        (
            {"stop_restitution": 0.5, "stop_stiffness": 1e4},
            "stop_restitution=0.5 must be 0 if stop_stiffness=10000.0 N/m is > 0: a penalised "
            "stop loses energy by stop_damping",
        ),
        (
            {"stop_damping": 1.0},
            "stop_damping=1.0 N.s/m must be 0 if stop_stiffness is 0: a rigid stop loses energy "
            "by stop_restitution",
        ),
        (
            {"stop_upper": 0.1, "initial_displacement": 0.2},
            "initial_displacement=0.2 m must be between stop_lower and stop_upper if "
            "stop_stiffness is 0",
        ),
        (
            {"stop_lower": -0.1, "initial_displacement": -0.2},
            "initial_displacement=-0.2 m must be between stop_lower and stop_upper if "
            "stop_stiffness is 0",
        ),
        ({"input_extrapolation_order": 4}, "input_extrapolation_order=4 must be ≤ 3"),
        ({"input_extrapolation_order": -2}, "input_extrapolation_order=-2 must be ≥ -1"),
        (
            {"input_extrapolation_order": 1.5},
            "input_extrapolation_order=1.5 must be a whole number",
        ),
        ({"gravity": math.nan}, "gravity=nan m/s2 must be finite"),
        ({"preload": math.inf}, "preload=inf N must be finite"),
        ({"initial_velocity": -math.inf}, "initial_velocity=-inf m/s must be finite"),
        ({"tangential_damping": math.nan}, "tangential_damping=nan N.s/m must be finite"),
        (
            {"friction_coefficient": 0.3, "friction_coefficient_static": 0.2},
            "friction_coefficient_static=0.2 must be ≥ friction_coefficient=0.3, or negative",
        ),
        (
            # Zero is a coefficient. Only negative values mean "the same".
            {"friction_coefficient": 0.3, "friction_coefficient_static": 0.0},
            "friction_coefficient_static=0.0 must be ≥ friction_coefficient=0.3, or negative",
        ),
        ({"initial_gap": 0.1}, "initial_gap=0.1 m must be 0 if normal_law is prescribed"),
        (
            {"initial_gap": -0.1, "normal_law": "rigid"},
            "initial_gap=-0.1 m must be ≥ 0 if normal_law is rigid",
        ),
        (
            {"initial_normal_displacement": -0.1, "normal_law": "rigid"},
            "initial_gap + initial_normal_displacement=-0.1 m must be ≥ 0",
        ),
        (
            {"initial_gap": 1.5, "normal_law": "rigid", "obstacle": "two_planes"},
            "initial_gap=1.5 m must be ≤ 2·plane_half_spacing=1.0 m between two rigid planes",
        ),
        (
            {
                "initial_gap": 0.5,
                "initial_normal_displacement": 0.75,
                "normal_law": "rigid",
                "obstacle": "two_planes",
            },
            "initial_gap + initial_normal_displacement=1.25 m must be ≤ 2·plane_half_spacing",
        ),
        ({"start_in_equilibrium": True}, "start_in_equilibrium=True needs normal_law penalty"),
        (
            {"start_in_equilibrium": True, "normal_law": "penalty", "initial_normal_velocity": 1.0},
            "initial_normal_velocity=1.0 m/s must be 0",
        ),
        (
            {"normal_law": "soft"},
            "normal_law='soft' must be one of: prescribed (0), penalty (1), rigid (2)",
        ),
        ({"normal_law": 3}, "normal_law=3 must be one of: prescribed (0), penalty (1), rigid (2)"),
        (
            {"tangential_law": "viscous"},
            "tangential_law='viscous' must be one of: rigid (0), penalty (1)",
        ),
        ({"obstacle": "sphere"}, "obstacle='sphere' must be one of: one_plane (0), two_planes (1)"),
    ],
)
def test_a_bad_parameter_is_refused_with_quantity_value_unit_and_rule(parameters, message):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole message is compared
        FrictionalShockParameters(**parameters)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"mass": "1"}, "mass='1' must be a number"),
        ({"mass": None}, "mass=None must be a number"),
        ({"mass": True}, "mass=True must be a number"),
        ({"stiffness": [1.0]}, r"stiffness=\[1.0\] must be a number"),
        ({"start_in_equilibrium": 1}, "start_in_equilibrium=1 must be true or false"),
        ({"gravitiy": 1.0}, "gravitiy"),
    ],
)
def test_a_parameter_of_another_kind_is_refused(parameters, message):
    with pytest.raises(TypeError, match=message):
        FrictionalShockParameters(**parameters)


def test_enumerations_are_taken_by_name_number_or_member():
    for law in ("penalty", 1, NormalLaw.penalty):
        parameters = FrictionalShockParameters(normal_law=law)
        assert parameters.normal_law is NormalLaw.penalty
    assert FrictionalShockParameters(obstacle="two_planes").obstacle is Obstacle.two_planes
    assert FrictionalShockParameters(tangential_law=1).tangential_law is TangentialLaw.penalty


def test_integers_are_taken_for_real_numbers():
    parameters = FrictionalShockParameters(mass=2, stiffness=3, input_extrapolation_order=1.0)
    assert (parameters.mass, parameters.stiffness) == (2.0, 3.0)
    assert isinstance(parameters.mass, float)
    assert isinstance(parameters.input_extrapolation_order, int)


def test_parameters_cannot_be_changed_afterwards():
    with pytest.raises(FrozenInstanceError):
        FrictionalShockParameters().mass = 2.0  # type: ignore[misc]


def test_negative_values_stand_for_the_natural_ones():
    parameters = FrictionalShockParameters(
        mass=4.0, stiffness=6.0, tangential_stiffness=10.0, friction_coefficient=0.3
    )
    assert parameters.static_coefficient == 0.3
    # Critical damping: 2 √(m (k + K_T)).
    assert parameters.in_force().tangential_damping == 16.0
    equal = FrictionalShockParameters(friction_coefficient_static=0.1)
    assert equal.static_coefficient == 0.1
    smooth = FrictionalShockParameters(friction_coefficient=0.0, friction_coefficient_static=0.0)
    assert smooth.static_coefficient == 0.0


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("base_acceleration", "m/s2"),
        ("base_acceleration_normal", "m/s2"),
        ("tangential_load", "N"),
        ("normal_load", "N"),
    ],
)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_inputs_that_are_not_finite_are_refused_and_change_nothing(name, unit, value):
    message = f"{name}={value} {unit} must be finite"
    with pytest.raises(ValueError, match=message):
        FrictionalShock(**{name: value})
    model = FrictionalShock()
    model.step(0.1, 3.0)
    before, outputs = model.snapshot(), model.outputs()
    with pytest.raises(ValueError, match=message):
        model.step(0.1, **{name: value})
    assert model.snapshot() == before
    with pytest.raises(ValueError, match=rf"{name}\[2\]={value} {unit}/s\^2 must be finite"):
        model.step_polynomial(0.1, **{name: (0.0, 1.0, value)})
    assert model.snapshot() == before
    assert model.outputs() == outputs


@pytest.mark.parametrize("step_size", [0.0, -1e-3, math.nan, math.inf, -math.inf])
def test_steps_that_are_not_positive_and_finite_are_refused_and_change_nothing(step_size):
    model = FrictionalShock()
    model.step(0.1, 3.0)
    before, outputs = model.snapshot(), model.outputs()
    with pytest.raises(ValueError, match=f"step_size={step_size} s must be > 0"):
        model.step(step_size, 1.0)
    with pytest.raises(ValueError, match=f"step_size={step_size} s must be > 0"):
        model.step_polynomial(step_size)
    assert model.snapshot() == before
    assert model.outputs() == outputs
    # A rejected step does not add a sample to the extrapolation.
    model.step(0.1, 2.0)
    twin = FrictionalShock()
    twin.step(0.1, 3.0)
    twin.step(0.1, 2.0)
    assert model.snapshot() == twin.snapshot()


def test_a_step_too_small_for_the_clock_is_refused():
    model = FrictionalShock(start_time=1e9)
    with pytest.raises(ValueError, match=r"step_size=1e-08 s .* advance time=1000000000\.0 s"):
        model.step(1e-8)


def test_polynomials_longer_than_the_kernel_bears_are_refused():
    model = FrictionalShock()
    longest = [0.0] * limits.FORCING_LENGTH
    model.step_polynomial(0.1, base_acceleration=longest)
    with pytest.raises(ValueError, match=r"base_acceleration has 22 coefficients: .* 1 to 21"):
        model.step_polynomial(0.1, base_acceleration=[*longest, 0.0])
    with pytest.raises(ValueError, match="normal_load has 0 coefficients"):
        model.step_polynomial(0.1, normal_load=[])


@pytest.mark.parametrize("normal_law", ["prescribed", "penalty", "rigid"])
@pytest.mark.parametrize("tangential_law", ["rigid", "penalty"])
def test_a_motion_too_large_for_a_number_fails_at_once_and_changes_nothing(
    normal_law, tangential_law
):
    model = FrictionalShock(
        FrictionalShockParameters(
            normal_law=normal_law,
            tangential_law=tangential_law,
            initial_velocity=1.0,
            stiffness=1.0,
        )
    )
    before = model.snapshot()
    with pytest.raises(StepError, match="the state overflowed"):
        model.step_polynomial(2.0, base_acceleration=(1e308, -1.7e308, 1.7e308))
    assert model.snapshot() == before
    model.step(1.0)


@pytest.mark.parametrize("recorded", [False, True])
def test_a_stiffness_beyond_all_steps_fails_with_advice_and_changes_nothing(monkeypatch, recorded):
    advice = f"more than {limits.MAXIMUM_PIECES} pieces within one step: take"
    # The full bound takes ten seconds to reach.
    for module in (stepper, limits):
        monkeypatch.setattr(module, "MAXIMUM_PIECES", 1000)
    model = FrictionalShock(
        FrictionalShockParameters(normal_law="penalty", contact_damping=1e20, initial_gap=-0.1)
    )
    if recorded:
        record(model)
    before = model.snapshot()
    with pytest.raises(StepError, match=advice):
        model.step(1.0)
    assert model.snapshot() == before


@pytest.mark.parametrize(
    "change",
    [
        {"state": [0.0]},
        {"samples": [[0.0, 0.0]]},
        {"now": [math.nan] * 8},
        {"now": None},
        {"state": None},
    ],
)
def test_a_snapshot_of_another_form_is_refused_and_changes_nothing(change):
    model = FrictionalShock()
    model.step(0.1, 3.0)
    before = model.snapshot()
    with pytest.raises(ValueError, match="the snapshot"):
        model.restore({**before, **change})
    assert model.snapshot() == before


@pytest.mark.parametrize("instants", [(0.1, 0.0), (0.2, 0.0), (0.05, 0.05), (0.0, 0.05)])
def test_a_snapshot_whose_samples_are_not_past_is_refused_and_changes_nothing(instants):
    model = FrictionalShock()
    model.step(0.05, 3.0)
    model.step(0.05, 2.0)
    before = model.snapshot()
    samples = [
        [instant, *row[1:]] for instant, row in zip(instants, before["samples"], strict=True)
    ]
    with pytest.raises(ValueError, match=r"has a sample at 0\.\d+ s. It must be < 0\.\d+ s"):
        model.restore({**before, "samples": samples})
    assert model.snapshot() == before


@pytest.mark.parametrize("zeros", [1e300, -1.0, 0.5, 57.0])
@pytest.mark.parametrize("guard", ["gap", "force", "slip", "cone_plus", "cone_minus"])
def test_a_snapshot_that_counts_impossible_zeros_is_refused_and_changes_nothing(guard, zeros):
    model = FrictionalShock()
    model.step(0.05, 3.0)
    before = model.snapshot()
    state = list(before["state"])
    state[list(State.__slots__).index(f"zeros_{guard}")] = zeros
    with pytest.raises(ValueError, match=re.escape(f"counts {zeros!r} leading zeros")):
        model.restore({**before, "state": state})
    assert model.snapshot() == before
