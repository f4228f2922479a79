"""A mass on a friction spring that has slid stays at rest, for any friction and any spring.

A mass of 1 kg slides under its weight and comes to rest. In stick, the friction spring pulls it
back over less than μ F_N/K_T. With the critical damper, its velocity decays. Without a damper, it
oscillates with the stretch at the end of the last slip, so that the peaks touch the cone.
"""

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from wearmodel.batch.record_runs import run_records
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.models.frictional_shock import FrictionalShock

from ..friction_forms import FORMS, static_coefficient

GRAVITY = 10.0
VELOCITY = 0.1
STIFFNESSES = (1e4, 1e6, 1e8, 1e10)
NORMAL: dict[NormalLaw, dict[str, Any]] = {
    NormalLaw.prescribed: {},
    NormalLaw.penalty: {"contact_stiffness": 1e6, "start_in_equilibrium": True},
    NormalLaw.rigid: {},
}
DAMPINGS = pytest.mark.parametrize("damping", [-1.0, 0.0], ids=["critical", "undamped"])
LAWS = pytest.mark.parametrize("law", NormalLaw, ids=lambda law: law.name)


def sliding(
    form: str, stiffness: float, damping: float, law: NormalLaw
) -> FrictionalShockParameters:
    return FrictionalShockParameters(
        mass=1.0,
        gravity=GRAVITY,
        initial_velocity=VELOCITY,
        normal_law=law,
        tangential_law=TangentialLaw.penalty,
        tangential_stiffness=stiffness,
        tangential_damping=damping,
        **NORMAL[law],
        **FORMS[form],
    )


def way(form: str) -> float:
    """Return the sliding distance [m] of a mass under rigid friction."""
    friction = FORMS[form]
    fast, slow = friction["friction_coefficient"], static_coefficient(FORMS[form])
    decay = friction.get("friction_decay_velocity", 1.0)
    viscous = friction.get("viscous_friction", 0.0)

    def way_per_speed(v: float) -> float:
        return v / GRAVITY / (fast + (slow - fast) * math.exp(-v / decay) + viscous * v)

    return float(quad(way_per_speed, 0.0, VELOCITY, epsrel=1e-12)[0])


@LAWS
@DAMPINGS
@pytest.mark.parametrize("form", FORMS)
def test_a_mass_that_has_come_to_rest_does_not_slip_again(form, damping, law):
    stiffness = 1e4
    model = FrictionalShock(sliding(form, stiffness, damping, law))
    model.step(0.3)
    stopped = model.outputs()
    # The mass slides as under rigid friction, apart from the deflection of the friction spring.
    given = 3.0 * GRAVITY * 0.105 / stiffness
    assert stopped["sliding_distance"] == pytest.approx(way(form), abs=given)
    assert stopped["wear_work"] == pytest.approx(GRAVITY * stopped["sliding_distance"], rel=1e-12)
    if damping == 0.0:
        assert stopped["slip_count"] == 1.0
    for _ in range(100):
        model.step(0.37 / math.sqrt(stiffness))
        outputs = model.outputs()
        for name in ("slip_count", "wear_work", "sliding_distance"):
            assert outputs[name] == stopped[name]
        assert (outputs["contact_mode"], outputs["slip_velocity"]) == (1.0, 0.0)
        assert abs(outputs["friction_force"]) <= static_coefficient(FORMS[form]) * GRAVITY * (
            1.0 + 2e-12
        )
        # The initial energy is lost to friction and damper, or remains in the mass and the spring.
        stretch = model._state.stretch
        stored = 0.5 * model._state.velocity**2 + 0.5 * stiffness * stretch**2
        taken = outputs["friction_work"] + model._state.damping_work
        assert stored + taken == pytest.approx(0.5 * VELOCITY**2, rel=1e-12)


@pytest.mark.campaign
@pytest.mark.native
@pytest.mark.parametrize("step", [0.01, 1.0])
@LAWS
@DAMPINGS
@pytest.mark.parametrize("stiffness", STIFFNESSES)
@pytest.mark.parametrize("form", FORMS)
def test_ten_minutes_of_rest_change_nothing(form, stiffness, damping, law, step):
    names = ("wear_work", "sliding_distance", "slip_count", "slip_velocity", "friction_force")
    samples = round(600.0 / step) + 1
    run = run_records(
        sliding(form, stiffness, damping, law),
        step * np.arange(samples),
        between_samples="extrapolated",
        histories=(*names, "relative_displacement"),
    )
    assert not run.failures
    resting = {name: run.histories[name][round(2.0 / step) :] for name in names}
    assert not resting["slip_velocity"].any()
    # An oscillation gains at most a rounding per step, and slips if it exceeds the cone by 1e-12.
    slips = samples * np.finfo(float).eps / 1e-12 if damping == 0.0 else 0.0
    assert np.ptp(resting["slip_count"]) <= slips
    for name in ("wear_work", "sliding_distance"):
        assert np.ptp(resting[name]) <= slips * 1e-11 * GRAVITY / stiffness
    given = 3.0 * GRAVITY * 0.105 / stiffness
    assert resting["sliding_distance"][0] == pytest.approx(way(form), abs=given)
    bound = static_coefficient(FORMS[form]) * GRAVITY
    assert abs(resting["friction_force"]).max() <= bound * (1.0 + 2e-12)
    # With a damper the mass stays in place. Without a damper it oscillates over the deflection of
    # the spring. The position is a sum of steps.
    swing = np.ptp(run.histories["relative_displacement"][round(2.0 / step) :])
    if damping == 0.0:
        rounding = samples * np.finfo(float).eps * way(form)
        assert swing <= 2.0 * bound / stiffness * (1.0 + 2e-12) + rounding
    else:
        assert swing <= np.spacing(way(form))


def test_a_long_step_in_which_a_mass_comes_to_rest_is_not_a_piece_per_oscillation():
    """The contact would oscillate 200 000 times in the step. The friction spring has no damper."""
    parameters = FrictionalShockParameters(
        mass=0.2,
        damping=5.0,
        gravity=GRAVITY,
        initial_gap=1e-4,
        initial_velocity=0.3,
        normal_law="penalty",
        contact_stiffness=1e6,
        contact_damping=80.0,
        obstacle="two_planes",
        plane_half_spacing=0.1,
        tangential_law="penalty",
        tangential_stiffness=1e3,
        tangential_damping=0.0,
        friction_coefficient=0.4,
    )
    long, short = FrictionalShock(parameters), FrictionalShock(parameters)
    long.step(600.0)
    for _ in range(20):
        short.step(0.5)
    expected = short.outputs()
    del expected["input_prediction_error"]  # counts steps
    for name, value in expected.items():
        assert long.outputs()[name] == pytest.approx(value, rel=1e-12, abs=1e-50), name
