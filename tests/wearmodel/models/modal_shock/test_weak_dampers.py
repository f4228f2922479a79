"""The limit of small tangential damping is the law without it. Costly steps are rejected."""

import math
import re

import pytest

from fmu_src.models.modal_shock import native_form
from tests.structures import UNIT_BASE, contact, modal_structure
from wearmodel.kernel import limits
from wearmodel.kernel.contact.obstacle import WEAK_DAMPER
from wearmodel.kernel.contact.parameters import LEAST_DAMPING
from wearmodel.kernel.structure.limits import MODAL_MAXIMUM_PIECES, MODAL_PIECES_WATCHED
from wearmodel.models.frictional_shock import StepError
from wearmodel.models.modal_shock import FAILURE_REASONS, ModalShock
from wearmodel.structure import Structure

from .structures import random_structure

STEP = 1e-3
CRITICAL = 2.0 * math.sqrt(1e5)


def turning(tangential_damping: float, contact_damping: float = 0.0) -> Structure:
    """Return a mass of 1 kg, pressed by its weight, whose slip turns on springs of 5 and 7 Hz."""
    pressed = contact(
        gap=-9.81e-6,
        contact_damping=contact_damping,
        tangential_stiffness=1e5,
        tangential_damping=tangential_damping,
        friction_coefficient=0.3,
    )
    return modal_structure(
        [5.0, 7.0, 0.0],
        pressed,
        base={**UNIT_BASE, "gravity_z": -9.81},
        initial={"velocity": [0.5, 0.3, 0.0]},
    )


def reached(tangential_damping: float) -> tuple[list[float], float]:
    """Return displacements and wear work after 4 steps, and the number of pieces."""
    model = ModalShock(turning(tangential_damping))
    pieces = 0.0
    for _ in range(4):
        model.step(STEP)
        pieces += model._work.counts.pieces
    return [*model._state.motion.displacement[:2], model.outputs()["wear_work"]], pieces


def test_a_tangential_damping_that_goes_to_0_converges_to_none_at_first_order():
    limit, few = reached(0.0)
    errors = []
    for damping in (1.0, 0.1):
        found, pieces = reached(damping)
        errors.append([abs(one - other) for one, other in zip(found, limit, strict=True)])
        # A piece spans about ten relaxation times C_T/K_T.
        assert few < pieces < 4.0 * STEP * 1e5 / damping
    for one, other in zip(*errors, strict=True):
        assert math.log10(one / other) == pytest.approx(1.0, abs=0.1)


def test_a_tangential_damping_next_to_0_is_refused_at_the_door():
    least = LEAST_DAMPING * CRITICAL
    for damping in (0.0, 1.01 * least, -1.0):
        ModalShock(turning(damping))
    weak = 0.99 * least
    message = (
        f"c: tangential_damping={weak!r} N.s/m must be 0, its limit, or at least {least!r} N.s/m, "
        "1e-05 of the critical damping"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        ModalShock(turning(weak))
    assert message == native_form(turning(0.0)).rules[WEAK_DAMPER].format(weak, least)


@pytest.mark.long
@pytest.mark.parametrize(
    ("structure", "step_size"),
    [(turning(0.01), 0.1), (turning(CRITICAL, 1e7), 0.1), (random_structure(0), 1e9)],
    ids=["C_T 0.01", "C_N 1e7", "a step of 30 years"],
)
def test_a_step_that_does_not_come_forward_is_given_up_at_once(structure, step_size):
    model = ModalShock(structure)
    saved = model.snapshot()
    with pytest.raises(StepError, match=f"more than {MODAL_MAXIMUM_PIECES} pieces within one step"):
        model.step(step_size)
    assert model._work.counts.pieces == MODAL_PIECES_WATCHED
    assert model.snapshot() == saved


def test_what_the_native_form_says_of_a_failed_step_is_what_the_model_says():
    failures = native_form(turning(0.0)).failures
    for code, reason in FAILURE_REASONS.items():
        assert failures[code].endswith(reason)
    assert str(MODAL_MAXIMUM_PIECES) in failures[limits.TOO_MANY_PIECES]
