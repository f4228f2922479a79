"""The stateful law: cone, direction, memory, and what happens out of contact."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wearmodel.reference.schemes import ShockOscillator
from wearmodel.reference.schemes.shock_oscillator import NO_MEMORY, FrictionMemory, contact_law

FORCE = st.floats(1e-3, 1e3)
DISPLACEMENT = st.floats(-1.0, 1.0)
VELOCITY = st.floats(-10.0, 10.0)
SLIPPING = (False, -1.0, 0.0, 1.0)
STICKING = (True, 0.0, 0.0, 0.0)


def penalised_normal_force(gap: float, velocity: float, stiffness: float, damping: float) -> float:
    wall = ShockOscillator(
        tangential_component=0.0,
        normal_component=1.0,
        contact_stiffness=stiffness,
        contact_damping=damping,
    )
    return contact_law(wall)(gap, velocity, NO_MEMORY)[0]


def friction(
    velocity: float,
    memory: FrictionMemory,
    *,
    displacement: float = 0.0,
    normal_force: float = 10.0,
    static: float = 0.2,
    dynamic: float = 0.1,
) -> tuple[float, FrictionMemory]:
    """Force and memory that the law gives for the memory of the evaluation before."""
    shoe = ShockOscillator(
        initial_gap=-normal_force,
        contact_stiffness=1.0,
        friction_coefficient_static=static,
        friction_coefficient=dynamic,
        tangential_stiffness=1e4,
        tangential_damping=10.0,
    )
    pressing, force, kept = contact_law(shoe)(displacement, velocity, memory)
    assert pressing == normal_force
    return force, kept


@given(gap=st.floats(-1.0, 1.0), gap_velocity=VELOCITY)
def test_normal_force_never_pulls(gap, gap_velocity):
    assert penalised_normal_force(gap, gap_velocity, 1e4, 50.0) >= 0.0


def test_normal_force_is_that_of_spring_and_damper_when_pressed_in():
    # −K_N d − C_N v_n = 1000·0.01 + 5·2 = 20; every product is exact to a rounding.
    assert penalised_normal_force(-0.01, -2.0, 1000.0, 5.0) == pytest.approx(20.0, rel=1e-15)


def test_open_contact_feels_no_damper():
    assert penalised_normal_force(0.01, -2.0, 1000.0, 50.0) == 0.0


@given(
    normal_force=FORCE,
    displacement=DISPLACEMENT,
    velocity=VELOCITY,
    sticking=st.booleans(),
    anchor_displacement=DISPLACEMENT,
    previous_velocity=VELOCITY,
)
def test_friction_force_stays_inside_the_cone(
    normal_force, displacement, velocity, sticking, anchor_displacement, previous_velocity
):
    memory = (sticking, 0.0, anchor_displacement, previous_velocity)
    force, new_memory = friction(
        velocity, memory, displacement=displacement, normal_force=normal_force
    )
    is_sticking, *_ = new_memory
    bound = 0.2 if is_sticking else 0.1
    assert abs(force) <= bound * normal_force


@given(velocity=st.floats(1e-3, 10.0), sign=st.sampled_from([-1.0, 1.0]))
def test_slip_force_opposes_the_velocity_with_the_dynamic_coefficient(velocity, sign):
    memory = (False, 0.0, 0.0, sign)
    force, new_memory = friction(sign * velocity, memory)
    assert force == -sign * (0.1 * 10.0)
    assert not new_memory[0]


def test_stick_lasts_up_to_the_static_coefficient():
    # Stick force −K_T x: 1.9 N lies between μ_d F_N = 1 N and μ_s F_N = 2 N.
    force, memory = friction(0.0, STICKING, displacement=1.9e-4)
    assert memory[0]
    assert force == pytest.approx(-1.9, rel=1e-15)  # one product
    force, memory = friction(1e-9, STICKING, displacement=2.1e-4)
    assert not memory[0]
    assert force == -1.0


def test_reversal_of_the_velocity_ends_slip_in_stick():
    # Anchored at the last slip force of −1 N, moving back at 1 mm/s: −1 + 10·0.001 N.
    force, memory = friction(-1e-3, SLIPPING)
    assert memory[0]
    assert force == pytest.approx(-1.0 + 0.01, rel=1e-15)  # one product, one sum


def test_slip_below_the_velocity_threshold_tries_stick():
    assert friction(1e-7, SLIPPING)[1][0]
    assert not friction(1e-5, SLIPPING)[1][0]


def test_force_beyond_the_cone_at_rest_gives_no_direction_and_no_force():
    force, memory = friction(0.0, STICKING, displacement=1.0)
    assert force == 0.0
    assert not memory[0]


def test_open_contact_forgets():
    force, memory = friction(3.0, SLIPPING, displacement=0.7, normal_force=0.0)
    assert force == 0.0
    assert memory == (False, 0.0, 0.7, 0.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mass": 0.0}, r"mass=0.0 kg must be > 0"),
        ({"stiffness": -1.0}, r"stiffness=-1.0 N/m must be ≥ 0"),
        ({"friction_coefficient": -0.1}, r"friction_coefficient=-0.1 must be ≥ 0"),
        (
            {"friction_coefficient": 0.3, "friction_coefficient_static": 0.2},
            r"friction_coefficient_static=0.2 must be ≥ friction_coefficient=0.3",
        ),
        ({"tangential_component": 1.0, "normal_component": 1.0}, r"must be a unit vector"),
        ({"initial_gap": float("nan")}, r"initial_gap=nan m must be finite"),
    ],
)
def test_bad_parameters_are_refused_by_name(change, message):
    with pytest.raises(ValueError, match=message):
        ShockOscillator(**change).checked()


def test_a_static_coefficient_that_is_not_given_is_the_dynamic_one():
    assert ShockOscillator(friction_coefficient=0.3).checked().friction_coefficient_static == 0.3


def test_negative_tangential_damping_is_critical():
    oscillator = ShockOscillator(mass=4.0, stiffness=1.0, tangential_stiffness=24.0).checked()
    assert oscillator.tangential_damping == 20.0  # 2√(4·25)
