"""A slip that turns in the plane until it stops, and ten minutes of rest after it.

A block of 1 kg slides under its weight, and its base is accelerated across for a while. Without a
damper in the friction spring, the direction of friction follows the velocity at the rate
K_T |v|/(μ F_N). The rate is 1e9/s with the stiffest spring in this file.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from wearmodel.batch.structure_runs import run_structure
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.kernel.structure import stepper
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure

from ..friction_forms import FORMS
from .test_bodies_at_rest import DAMPINGS, GRAVITY, STIFFNESSES, VELOCITY, block

ALL_FORMS: dict[str, dict[str, Any]] = {
    **FORMS,
    "table": {"friction_table": [[0.0, 0.05], [0.02, 0.08], [0.06, 0.1]]},
}
STEP = 0.01
ACROSS = 0.5  # m/s2
PUSHED = 5  # steps
SLID = 30  # steps, until every block has come to rest
MINUTES = 600.0  # s
NAMES = ("wear_work", "c.slip_velocity", "c.friction_force_x", "c.friction_force_y")
START = {"input_timing": InputTiming.start, "input_extrapolation_order": 0}
OBLIQUE = pytest.mark.parametrize("turned", [False, True], ids=["along_an_axis", "oblique"])


def turning(form: str, stiffness: float, damping: float, turned: bool) -> Structure:
    return block(form, stiffness, damping, turned, forms=ALL_FORMS)


def slid(structure: Structure, steps: int) -> ModalShock:
    model = ModalShock(structure, **START)
    for number in range(steps):
        model.step(STEP, base_acceleration_y=-ACROSS if number < PUSHED else 0.0)
    return model


def results(model: ModalShock) -> list[float]:
    motion, outputs = model._state.motion, model.outputs()
    friction_work = model._state.contacts[0].friction_work
    moved = [*motion.velocity[:2], *motion.displacement[:2], friction_work]
    return moved + [outputs[name] for name in NAMES]


@pytest.mark.long
@DAMPINGS
@pytest.mark.parametrize("stiffness", STIFFNESSES[1:])
@pytest.mark.parametrize("form", ALL_FORMS)
def test_ten_minutes_of_rest_follow_a_slip_that_turned(
    form: str, stiffness: float, damping: float
) -> None:
    model = slid(turning(form, stiffness, damping, True), SLID)
    resting = model.outputs()
    assert resting["wear_work"] > 0.03 * GRAVITY * VELOCITY
    model.step(MINUTES)
    outputs = model.outputs()
    friction = math.hypot(outputs["c.friction_force_x"], outputs["c.friction_force_y"])
    assert (outputs["c.contact_mode"], outputs["c.slip_velocity"]) == (1.0, 0.0)
    assert friction <= 0.1 * GRAVITY * (1.0 + 1e-12)
    assert outputs["wear_work"] == pytest.approx(resting["wear_work"], rel=1e-9)


# About 300 pieces replace 7 pieces. With K_T = 1e7 N/m, 3000 pieces give the same numbers.
@pytest.mark.long
@OBLIQUE
@pytest.mark.parametrize("form", ALL_FORMS)
def test_a_direction_that_follows_the_velocity_is_as_exact_as_piece_by_piece(
    form: str, turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    structure = turning(form, 1e6, 0.0, turned)
    followed = slid(structure, 3)
    monkeypatch.setattr(stepper, "_follow", lambda *_: 0.0)
    pieces = slid(structure, 3)
    assert pieces._work.counts.pieces > 10.0 * followed._work.counts.pieces
    assert results(followed) == pytest.approx(results(pieces), rel=3e-14)


@pytest.mark.parametrize("stiffness", [1e6, 1e8, 1e10, 1e12])
def test_a_slip_that_turns_takes_few_pieces_and_tends_to_rigid_friction(stiffness: float) -> None:
    # Before slip starts, the spring takes at most (μ F_N)²/(2 K_T), or 5.6/K_T of the velocity.
    coarse, fine = (slid(turning("both", k, 0.0, False), PUSHED) for k in (stiffness, 1e14))
    assert coarse._work.counts.pieces < 20
    assert results(coarse)[:4] == pytest.approx(results(fine)[:4], abs=5.6 / stiffness)


@pytest.mark.native
@pytest.mark.parametrize("form", ALL_FORMS)
def test_a_compiled_slip_that_turns_has_the_same_bits(form: str) -> None:
    structure, steps = turning(form, 1e9, 0.0, True), 4
    inputs = {"base_acceleration_y": np.full(steps + 1, -ACROSS)}
    run = run_structure(structure, inputs, step_size=STEP, steps=steps, outputs=NAMES, **START)
    outputs = slid(structure, steps).outputs()
    assert [run.history[name][-1] for name in NAMES] == [outputs[name] for name in NAMES]


@pytest.mark.campaign
@pytest.mark.native
@DAMPINGS
@OBLIQUE
@pytest.mark.parametrize("stiffness", STIFFNESSES)
@pytest.mark.parametrize("form", ALL_FORMS)
def test_ten_minutes_of_rest_change_nothing(
    form: str, stiffness: float, damping: float, turned: bool
) -> None:
    rest = round(MINUTES / 0.5)
    step_size = np.concatenate((np.full(SLID, STEP), np.full(rest, 0.5)))
    across = np.where(np.arange(SLID + rest + 1) < PUSHED, -ACROSS, 0.0)
    run = run_structure(
        turning(form, stiffness, damping, turned),
        {"base_acceleration_y": across},
        step_size=step_size,
        steps=SLID + rest,
        outputs=NAMES,
        **START,
    )
    # Without a damper, oscillations touch the cone until friction has dissipated the excess.
    resting = slice(SLID + rest // 2, None)
    assert not run.history["c.slip_velocity"][-1]
    worn = run.history["wear_work"][resting]
    assert np.ptp(worn) <= (1e-6 if damping == 0.0 else 0.0) * worn[-1]
    pulling = np.hypot(*(run.history[name][resting] for name in NAMES[2:]))
    assert pulling.max() <= 0.1 * GRAVITY * (1.0 + 1e-12)
