"""The length of pieces depends on the highest frequency of a structure, and on its amplitude."""

import math

import pytest

from tests.structures import contact, modal_structure, point
from wearmodel.kernel.structure.limits import MODAL_RATE_LIMIT
from wearmodel.models.modal_shock import ModalShock

from .pieces import record

LOW, HIGH, STEP = 5.0, 3000.0, 0.01
ALIKE = 2.0 * math.pi * HIGH * STEP / MODAL_RATE_LIMIT


def pieces_of(displacement: list[float]) -> tuple[int, dict[str, float]]:
    """Return the number of pieces of a step of two free modes, and the outputs after it."""
    structure = modal_structure(
        [LOW, HIGH],
        points=[point("end", y=[1.0, 0.0], z=[0.0, 1.0])],
        observe=[{"point": "end"}],
        initial={"displacement": displacement},
    )
    model = ModalShock(structure)
    pieces = record(model)
    model.step(STEP)
    return len(pieces), model.outputs()


def test_pieces_are_longer_where_the_highest_mode_hardly_moves():
    count, outputs = pieces_of([1e-3, 1e-15])
    assert count < 0.7 * ALIKE
    # Each piece rounds the displacement a few times.
    low = 2.0 * math.pi * LOW * STEP
    assert outputs["end.displacement_y"] == pytest.approx(1e-3 * math.cos(low), rel=1e-13)


def test_pieces_keep_their_length_where_it_moves():
    count, outputs = pieces_of([1e-3, 1e-3])
    assert count >= ALIKE
    # The phase covers 30 periods.
    high = 2.0 * math.pi * HIGH * STEP
    assert outputs["end.displacement_z"] == pytest.approx(1e-3 * math.cos(high), rel=1e-12)


@pytest.mark.parametrize("damping", [100.0, 110.0, 130.0, 170.0])
def test_outputs_in_a_unit_of_time_of_half_a_second_have_the_same_bits(damping):
    def displacement(unit: float) -> float:
        pressed = contact(
            at="end",
            gap=-1e-3,
            contact_stiffness=3e3 / unit**2,
            contact_damping=damping / unit,
        )
        observed = {"points": [point("end", z=[1.0])], "observe": [{"point": "end"}]}
        model = ModalShock(modal_structure([0.0], pressed, **observed))
        model.step(0.05 * unit)
        return model.outputs()["end.displacement_z"]

    assert displacement(2.0) == displacement(1.0)
