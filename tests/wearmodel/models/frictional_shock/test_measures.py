"""Outputs and their definitions: counts, peaks, distances, support forces, acceleration.

A definition with one or a few operations is met to 1e-15 of its terms, a few units in the last
place.
"""

import math

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.kernel.shoe.inputs_outputs import OUTPUTS

from .law_combinations import laws
from .segment_motion import SegmentMotion, value
from .trace import record

SHAKEN = {
    "mass": 2.0,
    "friction_coefficient": 0.3,
    "friction_coefficient_static": 0.4,
    "stiffness": 50.0,
    "damping": 3.0,
    "normal_stiffness": 40.0,
    "normal_damping": 2.0,
    "contact_stiffness": 2e4,
    "contact_damping": 20.0,
    "tangential_stiffness": 1e4,
    "restitution": 0.4,
    "preload": 1.0,
    "archard_coefficient": 1e-12,
    "wear_area": 2e-4,
}
STEP = 0.01


def inputs_at(time: float) -> dict[str, float]:
    return {
        "base_acceleration": 15.0 * math.sin(9.0 * time),
        "base_acceleration_normal": 14.0 * math.sin(13.0 * time + 1.0),
        "tangential_load": 3.0 * math.cos(5.0 * time),
        "normal_load": 2.0 * math.sin(3.0 * time),
    }


def shaken(normal_law: NormalLaw, tangential_law: TangentialLaw) -> FrictionalShock:
    return FrictionalShock(
        FrictionalShockParameters(
            normal_law=normal_law,
            tangential_law=tangential_law,
            input_extrapolation_order=0,
            **SHAKEN,
        ),
        **inputs_at(0.0),
    )


def test_each_declared_output_has_a_value():
    # The tests below check the values by name.
    assert len(FrictionalShock().output_values()) == len(OUTPUTS)


@laws
def test_forces_on_mass_and_support_balance_at_every_sample(normal_law, tangential_law):
    # Newton's third law: the force on the mass acts on the support,
    # m (ü + A_t) = P_t − support force.
    model = shaken(normal_law, tangential_law)
    values = model.parameters
    modes = set()
    for index in range(300):
        inputs = inputs_at(index * STEP)
        model.step(STEP, **inputs)
        outputs = model.outputs()
        modes.add(outputs["contact_mode"])
        u, u_rate, w, w_rate = model.snapshot()["state"][:4]
        spring = 50.0 * u + 3.0 * u_rate
        assert outputs["support_force_tangential"] == pytest.approx(
            spring - outputs["friction_force"], rel=1e-15
        )
        # Inputs are constant in a step, so tangential_load is the load of this step.
        assert values.mass * outputs["absolute_acceleration"] == pytest.approx(
            inputs["tangential_load"] - outputs["support_force_tangential"], rel=1e-12, abs=1e-12
        )
        reaction = outputs["normal_force"]
        if normal_law is NormalLaw.prescribed:
            assert outputs["support_force_normal"] == -reaction
            weight = 20.0 + 1.0 + 2.0 * inputs["base_acceleration_normal"] + inputs["normal_load"]
            assert reaction == pytest.approx(max(0.0, weight), rel=1e-14)
        else:
            assert outputs["support_force_normal"] == pytest.approx(
                40.0 * w + 2.0 * w_rate - reaction, rel=1e-15, abs=1e-15
            )
            assert outputs["gap"] == w
            assert outputs["gap_velocity"] == w_rate
        assert outputs["wear_power"] == reaction * abs(outputs["slip_velocity"])
        assert outputs["friction_power"] == pytest.approx(0.3 * outputs["wear_power"], rel=1e-15)
        assert outputs["worn_volume"] == pytest.approx(1e-12 * outputs["wear_work"], rel=1e-15)
        assert outputs["wear_depth"] == pytest.approx(outputs["worn_volume"] / 2e-4, rel=1e-15)
    assert modes == {0.0, 1.0, 2.0} or normal_law is NormalLaw.prescribed


@laws
def test_outputs_are_the_derivatives_and_integrals_that_they_say(normal_law, tangential_law):
    # The last segment of a trace ends at the time of the outputs.
    model = shaken(normal_law, tangential_law)
    trace = record(model)
    for index in range(300):
        inputs = inputs_at(index * STEP)
        model.step(STEP, **inputs)
        outputs = model.outputs()
        segment = trace.segments[-1]
        if segment.event != "none":
            continue
        motion = SegmentMotion(model.parameters, segment)
        end = motion.end
        acceleration = value(motion.rate(motion.u_rate), end) + inputs["base_acceleration"]
        # Values are of the order of 100 m/s2 and N. A piece lasts about a hundredth of a second, so
        # the derivative amplifies two dozen roundings of velocities of 1 m/s a hundredfold.
        assert outputs["absolute_acceleration"] == pytest.approx(acceleration, abs=1e-11)
        assert outputs["slip_velocity"] == pytest.approx(value(motion.slip, end), abs=1e-13)
        assert outputs["normal_force"] == pytest.approx(value(motion.normal_force, end), abs=1e-11)
        assert outputs["friction_force"] == pytest.approx(
            value(motion.friction_force, end), abs=1e-11
        )


@laws
def test_counts_and_peaks_are_those_of_the_trace(normal_law, tangential_law):
    model = shaken(normal_law, tangential_law)
    start = model.outputs()
    trace = record(model)
    for index in range(300):
        model.step(STEP, **inputs_at(index * STEP))
    outputs = model.outputs()
    slips = shocks = 0
    peak = start["normal_force"]
    impulse = 0.0
    last = 0 if start["contact_mode"] < 2.0 else int(math.copysign(1.0, -start["friction_force"]))
    for segment in trace.segments:
        if segment.event.startswith("closing"):
            shocks += 1
            impact = 2.0 * 1.4 * abs(segment.moved["normal_velocity"])
            # If the mass comes to rest, the omitted bounces add Σ eⁿ from n = 1.
            impulse += impact / (1.0 - 0.4) if segment.after["contact"] else impact
        if segment.duration == 0.0:
            continue
        sliding = segment.sliding if segment.contact else 0
        slips += sliding not in (0, last)
        last = sliding
        motion = SegmentMotion(model.parameters, segment)
        peak = max(peak, float(max(value(motion.normal_force, motion.samples(400)))))
    assert slips > 5
    assert outputs["slip_count"] == slips
    if normal_law is NormalLaw.prescribed:
        assert outputs["shock_count"] == outputs["impact_impulse"] == 0.0
    else:
        assert shocks > 2
        assert outputs["shock_count"] == shocks
    if normal_law is NormalLaw.rigid:
        assert outputs["impact_impulse"] == pytest.approx(impulse, rel=1e-12)
    else:
        assert outputs["impact_impulse"] == 0.0
    # Samples are below a smooth peak by the square of their spacing.
    assert outputs["peak_normal_force"] >= peak * (1.0 - 1e-13)
    assert outputs["peak_normal_force"] <= peak * (1.0 + 1e-5)


def test_a_rigid_impact_is_no_peak_of_the_normal_force():
    model = FrictionalShock(FrictionalShockParameters(normal_law="rigid", initial_gap=0.1))
    model.step(1.0)
    assert model.outputs()["peak_normal_force"] == 10.0
    assert model.outputs()["impact_impulse"] == pytest.approx(math.sqrt(2.0), rel=1e-14)


def test_setting_inputs_changes_nothing_until_the_next_step():
    model = FrictionalShock(base_acceleration=0.5)
    assert model.outputs()["friction_force"] == 0.5
    assert model.outputs()["absolute_acceleration"] == 0.5
    model.step(0.1, base_acceleration=0.25)
    assert model.outputs()["friction_force"] == 0.25
