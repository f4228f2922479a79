"""The native DisChoc gives the bits and messages of the Python one.

Its law uses exponentials and logarithms of the platform's library, which are the same on Linux.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wearmodel.structure import ContactObstacle

from .conftest import Hosts
from .test_directional_derivatives import derivatives, differences
from .test_input_derivatives import set_derivatives

OK, ERROR = 0, 3
STEP = 0.1
LOADS = ("load_x", "load_y", "load_z")
DISPLACEMENTS = ("imposed_displacement_x", "imposed_displacement_y", "imposed_displacement_z")


@pytest.fixture(scope="module")
def pair(pair_of: Callable[[str], Callable[[], Hosts]]) -> Callable[[], Hosts]:
    """Return the native and the Python instance."""
    return pair_of("DisChoc")


stiffnesses = st.floats(1e-3, 1e6)
lengths = st.floats(-1e3, 1e3) | st.floats(-1e-150, 1e-150)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    parameters=st.fixed_dictionaries(
        {
            "drive": st.sampled_from((0, 1)),
            "elastic_stiffness": stiffnesses,
            "contact_stiffness": stiffnesses,
            "tangential_stiffness": stiffnesses,
            "friction_coefficient": st.floats(0.0, 3.0),
            "dist_1": lengths,
            "friction_coefficient_slow": st.just(-1.0) | st.floats(0.0, 3.0),
            "friction_decay_velocity": st.floats(1e-3, 1e3),
            "viscous_friction": st.just(0.0) | st.floats(0.0, 1.0),
            "contact_damping": st.just(0.0) | st.floats(1e-3, 1e3),
            "tangential_damping": st.just(0.0) | st.floats(1e-3, 1e3),
            "wear_feedback": st.booleans(),
            "wear_area": st.floats(1e-12, 1e-6),
            "obstacle": st.sampled_from((0, 1)),
            "effective_mass": st.just(0.0) | st.floats(1.0, 1e2),
            "lag": st.sampled_from((0, 1)),
        }
    ),
    path=st.lists(st.tuples(lengths, lengths, lengths), min_size=1, max_size=20),
)
def test_random_paths_have_the_python_fmus_bits(pair, parameters, path):
    both = pair()
    names = DISPLACEMENTS if parameters["drive"] else LOADS
    if parameters["obstacle"]:
        parameters |= {"dist_1": abs(parameters["dist_1"])}
    if not parameters["drive"]:
        # With prescribed loads, a path does not have a velocity.
        parameters |= {"friction_coefficient_slow": -1.0, "viscous_friction": 0.0}
        parameters |= {"contact_damping": 0.0, "tangential_damping": 0.0, "effective_mass": 0.0}
    for one in both:
        one.initialise(**parameters)
    for number, point in enumerate(path):
        answers = [
            (one.step(number * STEP, STEP, **dict(zip(names, point, strict=True))), one.outputs())
            for one in both
        ]
        assert answers[0] == answers[1]
    native, python = both
    assert native.messages == python.messages


places = st.floats(-1.2, 1.2)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    parameters=st.fixed_dictionaries(
        {
            "contact_stiffness": st.floats(0.1, 100.0),
            "tangential_stiffness": st.floats(0.1, 100.0),
            "friction_coefficient": st.floats(0.05, 1.0),
            "friction_coefficient_slow": st.just(-1.0) | st.floats(0.05, 1.0),
            "friction_decay_velocity": st.floats(0.1, 10.0),
            "viscous_friction": st.just(0.0) | st.floats(0.0, 0.1),
            "contact_damping": st.just(0.0) | st.floats(1e-3, 1.0),
            "tangential_damping": st.just(0.0) | st.floats(0.1, 10.0),
            "wear_feedback": st.booleans(),
            "wear_area": st.floats(1e-12, 1e-6),
        }
    ),
    path=st.lists(st.tuples(places, places, places), min_size=1, max_size=8),
)
@pytest.mark.parametrize("obstacle", [ContactObstacle.circle, ContactObstacle.polygon])
def test_random_paths_in_a_hole_have_the_python_fmus_bits(pair, obstacle, parameters, path):
    if obstacle is ContactObstacle.polygon:
        parameters = {**parameters, "sides": 5, "wear_feedback": False}
    both = pair()
    for one in both:
        one.initialise(drive=1, obstacle=int(obstacle), **parameters)
    for number, point in enumerate(path):
        values = dict(zip(DISPLACEMENTS, point, strict=True))
        answers = [(one.step(number * STEP, STEP, **values), one.outputs()) for one in both]
        assert answers[0] == answers[1]
    native, python = both
    assert native.messages == python.messages


def test_derivatives_of_its_inputs_are_refused_with_the_reason(pair):
    native, _ = pair()
    assert not native.description.coSimulation.canInterpolateInputs
    native.initialise()

    assert set_derivatives(native, 1.0) == ERROR
    assert "canInterpolateInputs is false" in native.messages[-1]


def test_a_spring_in_stick_follows_its_load_by_both_springs(pair):

    native, _ = pair()
    native.initialise(load_x=-2.0)
    assert native.step(0.0, STEP, load_y=0.1) == OK
    (result,) = derivatives(native, "displacement_y", load_y=1.0)
    # load_y = (elastic_stiffness + tangential_stiffness) · displacement_y, with rounding of
    # differences.
    assert result == pytest.approx(1.0 / 1.5, rel=1e-9)


MEAN_FORCES = ("mean_force_x", "mean_force_y", "mean_force_z")


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"contact_damping": 0.2, "tangential_damping": 0.1},
        {"obstacle": int(ContactObstacle.circle), "dist_1": 0.5},
        {"effective_mass": 1.0},
        {"effective_mass": 1.0, "lag": 1, "contact_damping": 0.2},
    ],
    ids=["springs", "dampers", "hole", "serial mass", "parallel mass"],
)
def test_mean_forces_have_derivatives_by_the_displacements(pair, parameters):
    native, _ = pair()
    given = {"dist_1": 0.0, "contact_stiffness": 4.0, "friction_coefficient": 0.3, **parameters}
    native.initialise(drive=1, **given)
    modes = set()
    for number in range(40):
        # Compression and lateral displacement with stick and slip, or motion along the wall of a
        # hole.
        angle = 0.1 * number
        places = (0.4 - 0.8 * math.sin(angle), 0.5 * math.sin(3.0 * angle), 0.02 * number)
        inputs = dict(zip(DISPLACEMENTS, places, strict=True))
        expected = [
            differences(native, number * STEP, inputs, MEAN_FORCES, {name: 1.0}, STEP)
            for name in DISPLACEMENTS
        ]
        assert native.step(number * STEP, STEP, **inputs) == OK
        if number % 3 == 0:
            found = [derivatives(native, *MEAN_FORCES, **{name: 1.0}) for name in DISPLACEMENTS]
            # The differences have a rounding error of 1e-9 of 1 N and an error from curvature.
            assert np.array(found) == pytest.approx(np.array(expected), rel=1e-6, abs=1e-6)
            modes.add(native.get("contact_mode"))
    assert modes == {0, 1, 2}


@pytest.mark.parametrize("lag", [0, 1], ids=["serial", "parallel"])
@pytest.mark.parametrize("parameters", [{}, {"contact_damping": 0.03}], ids=["plain", "damped"])
def test_a_master_that_adds_energy_is_warned_of_with_the_same_words(pair, parameters, lag):
    both = pair()
    for one in both:
        one.initialise(drive=1, dist_1=0.0, imposed_displacement_x=1.0, **parameters)
    place, velocity, held = 1.0, -1.0, 0.0
    for number in range(60):
        answers = [
            (one.step(number * STEP, STEP, imposed_displacement_x=place), one.outputs())
            for one in both
        ]
        assert answers[0] == answers[1]
        force = answers[0][1]["mean_force_x"]
        applied, held = held if lag else force, force
        place += STEP * velocity + 0.5 * STEP**2 * applied
        velocity += STEP * applied
    native, python = both
    assert native.messages == python.messages
    (message,) = native.messages
    energy = float(message.partition("gained ")[2].partition(" J")[0])
    assert energy == pytest.approx(0.5 * (velocity**2 - 1.0), rel=1e-9)
    assert native.get("mass_seen") == pytest.approx(1.0, rel=1e-9)


def test_a_spring_that_wears_its_gap_derives_from_the_gap_it_has(pair):
    """Without friction, F = e^(−y) for K = 1 N/m, β = 1 1/N and F_0 = 1 N."""
    native, _ = pair()
    native.initialise(
        drive=1, dist_1=-1.0, friction_coefficient=0.0, wear_feedback=True, wear_area=1e-13
    )
    for number, place in enumerate((0.5, 1.0)):
        assert native.step(number * STEP, STEP, imposed_displacement_y=place) == OK
    assert native.outputs()["force_x"] == pytest.approx(-math.exp(-1.0), rel=1e-14)
    (result,) = derivatives(native, "force_x", imposed_displacement_y=1.0)
    assert result == pytest.approx(math.exp(-1.0), rel=1e-9)
