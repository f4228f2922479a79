"""Laws of any structure: energy balance, friction inside the cone, divided and repeated steps."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wearmodel import StepError
from wearmodel.kernel.contact.obstacle import CIRCLE
from wearmodel.kernel.contact.state_objects import ContactState
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.kernel.structure import steps as modal_steps
from wearmodel.models.modal_quantities import structure_inputs, structure_outputs
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import ContactObstacle, Structure

from .structures import (
    energy_gained,
    random_structure,
    shaking,
    with_curved_planes,
    with_friction_of_speed,
    with_wear_that_opens,
)

STEP = 2e-3
Friction = Callable[[Structure, int], Structure]


def coulomb(structure: Structure, seed: int) -> Structure:
    return structure


frictions = pytest.mark.parametrize(
    "friction", [coulomb, with_friction_of_speed, with_wear_that_opens]
)


@frictions
@pytest.mark.parametrize(
    "seeds", [range(5), pytest.param(range(5, 200), marks=pytest.mark.campaign)]
)
def test_energy_closes_over_every_piece_and_event(seeds, friction):
    for seed in seeds:
        structure = friction(random_structure(seed), seed)
        model = ModalShock(structure, input_timing=InputTiming.end)
        gained, largest = energy_gained(model, shaking(seed), STEP, 15)
        # A few hundred pieces with about ten roundings each.
        assert abs(gained) < 1e-11 * largest, seed


@pytest.mark.long
@pytest.mark.parametrize("friction", [coulomb, with_friction_of_speed, with_curved_planes])
@pytest.mark.parametrize("seed", range(12))
def test_outputs_of_the_contacts_contain_all_that_they_dissipate(seed, friction):
    structure = friction(random_structure(seed), seed)
    model = ModalShock(structure, input_timing=InputTiming.end)
    gained, largest = energy_gained(model, shaking(seed), STEP, 15, contacts=False)
    outputs = model.outputs()
    taken = 0.0
    for index, contact in enumerate(structure.contacts):
        taken += outputs[f"{contact.name}.friction_work"]
        taken += outputs[f"{contact.name}.contact_damping_work"]
        taken += outputs[f"{contact.name}.pendulum_work"]
        depth = min(0.0, outputs[f"{contact.name}.clearance"])
        if not model._state.contacts[index].closed:
            taken += 0.5 * model._body.laws[index].stiffness * depth**2
    # A few hundred pieces with about ten roundings each.
    assert abs(gained + taken) < 1e-11 * largest


@pytest.mark.long
@frictions
@pytest.mark.parametrize("seed", range(6))
def test_friction_keeps_to_its_cone_and_opposes_slip(seed, friction):
    structure = friction(random_structure(seed), seed)
    model = ModalShock(structure)
    inputs = shaking(seed)
    modes = set()
    for step in range(40):
        model.step(STEP, **inputs(step * STEP))
        outputs = model.outputs()
        for index, contact in enumerate(structure.contacts):
            force = outputs[f"{contact.name}.normal_force"]
            rubbed = math.hypot(
                *(outputs[f"{contact.name}.friction_force_{axis}"] for axis in "xyz")
            )
            parameters = contact.parameters
            fast, slow = parameters.friction_coefficient, parameters.friction_coefficient_slow
            slow = fast if slow < 0.0 else slow
            static = parameters.friction_coefficient_static
            static = slow if static < 0.0 else static
            speed = speed_along_obstacle(model, index)
            sliding = fast + parameters.viscous_friction * speed
            if slow != fast:
                decay = parameters.friction_decay_velocity
                sliding += (slow - fast) * math.exp(-speed / decay)
            mode = outputs[f"{contact.name}.contact_mode"]
            slip = outputs[f"{contact.name}.slip_velocity"]
            modes.add(mode)
            assert rubbed <= max(static, sliding) * force * (1.0 + 1e-9) + 1e-12
            assert (slip > 0.0) <= (mode == 2.0)
            assert outputs[f"{contact.name}.wear_power"] == force * slip
            if mode == 2.0:
                assert rubbed == pytest.approx(sliding * force, rel=1e-12)
            if mode == 0.0:
                assert force == rubbed == 0.0
    assert modes >= {0.0, 2.0}


def speed_along_obstacle(model: ModalShock, index: int) -> float:
    """Return the speed [m/s] of a contact point along its obstacle, from the modal velocities."""
    shapes = np.array(model._body.shapes[3 * index : 3 * index + 3])
    velocity = shapes @ model._state.motion.velocity
    law = model._body.laws[index]
    if law.obstacle != CIRCLE:
        return math.hypot(*velocity[1:])
    y, z = (law.offset_1, law.offset_2) + shapes[:2] @ model._state.motion.displacement
    return math.hypot((velocity[1] * y - velocity[0] * z) / math.hypot(y, z), velocity[2])


@frictions
@pytest.mark.parametrize("seed", range(6))
def test_a_step_cut_in_seven_ends_where_it_did(seed, friction):
    # A constant acceleration is the same polynomial over a step and over its parts.
    structure = friction(random_structure(seed), seed)
    inputs = shaking(seed)(0.4)
    whole, parts = ModalShock(structure, **inputs), ModalShock(structure, **inputs)
    for _ in range(10):
        whole.step(STEP, **inputs)
        for _ in range(7):
            parts.step(STEP / 7.0, **inputs)
    # The last output, the prediction error of the inputs, depends on the steps. In a run of 20 ms,
    # events amplify differences of 1e-16 by a few thousand.
    got, want = parts.output_values()[:-1], whole.output_values()[:-1]
    assert got == pytest.approx(want, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("seed", range(6))
def test_wear_opens_the_gap_of_each_plane_by_its_own_depth_and_a_circle_evenly(seed):
    structure = with_wear_that_opens(random_structure(seed), seed)
    model = ModalShock(structure)
    inputs = shaking(seed)
    worn = 0.0
    for step in range(30):
        model.step(STEP, **inputs(step * STEP))
        outputs = model.outputs()
        for index, contact in enumerate(structure.contacts):
            lower, upper, depth, volume, work, gap = (
                outputs[f"{contact.name}.{name}"]
                for name in (
                    "wear_depth_lower", "wear_depth_upper", "wear_depth", "worn_volume",
                    "wear_work", "clearance",
                )
            )  # fmt: skip
            p = contact.parameters
            assert volume == pytest.approx(p.wear_time_scale * p.archard_coefficient * work)
            assert depth == pytest.approx(volume / p.wear_area, rel=1e-15)
            assert lower + upper == pytest.approx(depth, rel=1e-14)
            law = model._body.laws[index]
            shapes = np.array(model._body.shapes[3 * index : 3 * index + 3])
            x, y = (law.offset_1, law.offset_2) + shapes[:2] @ model._state.motion.displacement
            if contact.obstacle == ContactObstacle.circle:
                wanted = p.gap + depth - math.hypot(x, y)
            elif contact.obstacle == ContactObstacle.two_planes:
                wanted = min(p.gap + lower + x, p.gap + upper - x)
            else:
                wanted = p.gap + lower + x
            assert (upper == 0.0) or contact.obstacle == ContactObstacle.two_planes
            assert gap == pytest.approx(wanted, rel=1e-9, abs=1e-15)
            worn = max(worn, depth / p.gap)
    assert worn > 1e-4  # The wear is large enough to be seen.


@pytest.mark.parametrize("order", [-1, 0, 3], ids=["automatic", "hold", "cubic"])
@pytest.mark.parametrize("timing", list(InputTiming))
def test_a_restored_run_repeats_each_bit(order, timing):
    structure, inputs = random_structure(3), shaking(3)
    model = ModalShock(structure, input_extrapolation_order=order, input_timing=timing)

    def go(first: int, last: int) -> list[tuple[float, ...]]:
        rows = []
        for step in range(first, last):
            model.step(STEP, **inputs(step * STEP))
            rows.append(model.output_values())
        return rows

    go(0, 10)
    saved = json.dumps(model.snapshot())
    wanted = go(10, 20)
    model.restore(json.loads(saved))
    assert go(10, 20) == wanted


def test_a_step_that_fails_leaves_the_state():
    model = ModalShock(random_structure(1), input_extrapolation_order=1)
    model.step(STEP)
    saved, outputs = model.snapshot(), model.output_values()
    with pytest.raises(StepError, match="the state overflowed"):
        model.step(STEP, base_acceleration_x=1e308)
    with pytest.raises(ValueError, match="base_acceleration_x=nan m/s2 must be"):
        model.step(STEP, base_acceleration_x=math.nan)
    with pytest.raises(ValueError, match="is not an input of this structure: base"):
        model.step(STEP, **{"load.jet": 1.0})
    with pytest.raises(ValueError, match="s must be > 0, finite, and large enough"):
        model.step(0.0)
    assert model.snapshot() == saved
    assert model.output_values() == outputs


def test_a_step_of_too_many_pieces_fails_and_leaves_the_state():
    model = ModalShock(random_structure(0))  # This structure is undamped and never comes to rest.
    model.step(STEP)
    saved = model.snapshot()
    advice = "take smaller steps .* or a tangential_damping > 0 where it is 0"
    with pytest.raises(StepError, match=f"more than 20000 pieces within one step: {advice}"):
        model.step(1e9)
    assert model.snapshot() == saved


def test_a_division_by_zero_is_an_overflow_and_leaves_the_state(monkeypatch):
    model = ModalShock(random_structure(1))
    model.step(STEP)
    saved = model.snapshot()

    def spoils_and_divides(*arguments: Any) -> int:
        model._state.motion.displacement[0] = 1.0
        raise ZeroDivisionError

    monkeypatch.setattr(modal_steps, "step_structure", spoils_and_divides)
    with pytest.raises(StepError, match="the state overflowed"):
        model.step(STEP)
    assert model.snapshot() == saved


@pytest.mark.parametrize(
    "change",
    [
        lambda saved: {"state": {**saved["state"], "motion": [math.nan] * 8}},
        lambda saved: {"state": {**saved["state"], "motion": saved["state"]["motion"][1:]}},
        lambda saved: {"state": {**saved["state"], "motion": [[0.0]]}},
        lambda saved: {"state": {**saved["state"], "motion": "abc"}},
        # The total count of numbers is the same, but the parts differ.
        lambda saved: {
            "state": {
                **saved["state"],
                "motion": saved["state"]["motion"][1:],
                "contacts": [*saved["state"]["contacts"], 0.0],
            }
        },
        lambda saved: {"state": {}},
        lambda saved: {"state": None},
        lambda saved: {"changes": {"c0.mass": 1.0}},
        lambda saved: {"events": [1.0]},
    ],
)
def test_a_snapshot_of_another_form_is_refused(change):
    model = ModalShock(random_structure(1))
    model.step(STEP)
    saved = model.snapshot()
    with pytest.raises(ValueError, match="snapshot"):
        model.restore({**saved, **change(saved)})
    assert model.snapshot() == saved


@pytest.mark.parametrize("count", [9.0, -1.0, 0.5])
def test_a_snapshot_with_an_impossible_number_of_samples_is_refused(count):
    model = ModalShock(random_structure(1))
    model.step(STEP)
    saved = model.snapshot()
    model._state.now.sample_count = count
    broken = model.snapshot()
    model.restore(saved)
    with pytest.raises(ValueError, match="belongs to a model of another structure"):
        model.restore(broken)
    assert model.snapshot() == saved


def test_inputs_and_outputs_are_named_by_the_structure():
    structure = random_structure(0)
    inputs = [one.name for one in structure_inputs(structure)]
    assert inputs == [f"base_acceleration_{axis}" for axis in "xyz"]
    names = [one.name for one in structure_outputs(structure)]
    assert names[:2] == ["c0.normal_force", "c0.friction_force_x"]
    totals = ["wear_work", "wear_power", "kinetic_energy", "elastic_energy"]
    assert names[-6:] == [*totals, "parameter_change_work", "input_prediction_error"]
    assert len(names) == len(ModalShock(structure).output_values()) == 2 * 24 + 6


@pytest.mark.parametrize("zeros", [1e300, -1.0, 0.5])
@pytest.mark.parametrize("guard", ["gap", "force", "slip", "cone", "speed"])
def test_a_snapshot_that_counts_impossible_zeros_is_refused(guard, zeros):
    model = ModalShock(random_structure(1))
    model.step(STEP)
    saved = model.snapshot()
    contacts = list(saved["state"]["contacts"])
    contacts[list(ContactState.__slots__).index(f"zeros_{guard}")] = zeros
    with pytest.raises(ValueError, match=re.escape(f"counts {zeros!r} leading zeros")):
        model.restore({**saved, "state": {**saved["state"], "contacts": contacts}})
    assert model.snapshot() == saved
