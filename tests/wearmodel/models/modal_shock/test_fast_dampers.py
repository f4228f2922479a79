"""Dampers far above critical damping are computed up to a limit, and rejected beyond it."""

import math
from dataclasses import replace
from typing import Any

import pytest

from fmu_src.models.modal_shock import native_form
from tests.structures import contact, modal_structure
from wearmodel.kernel.contact.obstacle import FAST_NORMAL_DAMPER, FAST_TANGENTIAL_DAMPER
from wearmodel.kernel.contact.parameters import FASTEST_DAMPER
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure

MASS, STIFFNESS, VELOCITY, DEPTH = 2.0, 1e6, 0.1, 1e-5
LIMIT = FASTEST_DAMPER * MASS


def mass(obstacle: str = "plane", **parameters: Any) -> Structure:
    """Return a mass on rigid modes that is pressed on a plane, or that flies in a hole."""
    law = {
        "gap": 1e-3 if obstacle == "circle" else 0.0,
        "contact_stiffness": STIFFNESS,
        "tangential_stiffness": STIFFNESS,
        "friction_coefficient": 0.3,
        **parameters,
    }
    return modal_structure(
        [0.0] * 3,
        contact(obstacle=obstacle, **law),
        modes={"generalised_mass": [MASS] * 3},
        initial={"velocity": [0.0, 0.0, -VELOCITY], "displacement": [0.0, 0.0, -DEPTH]},
    )


def creeping(depth: float, time: float) -> float:
    """Return the depth [m] of the mass at the limit in closed form, from `depth` on.

    m ẍ + C ẋ + K x = 0 has the rates a ± b, and the mass stays pressed.
    """
    a = LIMIT / (2.0 * MASS)
    b = math.sqrt(a * a - STIFFNESS / MASS)
    slow, fast = STIFFNESS / MASS / (a + b), a + b
    lasting = (VELOCITY + fast * depth) * math.exp(-slow * time)
    return (lasting - (VELOCITY + slow * depth) * math.exp(-fast * time)) / (fast - slow)


def test_a_contact_at_the_limit_creeps_as_its_closed_form():
    model = ModalShock(mass(contact_damping=LIMIT))
    step = 2e-5
    model.step(step)
    wanted = creeping(DEPTH, step)
    assert -model._state.motion.displacement[2] == pytest.approx(wanted, rel=1e-12, abs=0)


def test_a_damper_that_has_stopped_a_mass_lets_go_of_it_at_1e_13_of_the_peak_force():
    # The mass then still has 1e-13 of its speed, and keeps it while the contact is open.
    structure = mass(contact_damping=LIMIT)
    initial = replace(structure.initial, displacement=(0.0, 0.0, 0.0))
    model = ModalShock(replace(structure, initial=initial))
    for number in range(1, 4):
        step = 2e-5
        model.step(step)
        wanted = creeping(0.0, number * step)
        kept = 1e-13 * VELOCITY * number * step
        assert -model._state.motion.displacement[2] == pytest.approx(wanted, rel=1e-14, abs=kept)


@pytest.mark.parametrize("obstacle", ["plane", "two_planes", "circle"])
@pytest.mark.parametrize(
    ("name", "rule"),
    [("contact_damping", FAST_NORMAL_DAMPER), ("tangential_damping", FAST_TANGENTIAL_DAMPER)],
)
def test_a_faster_damper_is_refused_with_its_limit(name, rule, obstacle):
    ModalShock(mass(obstacle, **{name: LIMIT * (1.0 - 1e-12)}))
    broken = mass(obstacle, **{name: 1.01 * LIMIT})
    with pytest.raises(ValueError, match=rf"c: {name}=.* N\.s/m must be at most .* N\.s/m"):
        ModalShock(broken)
    # The FMU has the same rule under this number. It also applies to a value changed in a run.
    assert native_form(broken).rules[rule].startswith(f"c: {name}=")
    model = ModalShock(mass(obstacle))
    with pytest.raises(ValueError, match=rf"c: {name}="):
        model.change_parameters({f"c.{name}": 1.01 * LIMIT})


def test_the_critical_damper_of_any_spring_is_no_faster_than_allowed():
    # 2√(K m) is above the limit of the rate, but its spring is as fast.
    stiffness = 1e16 * MASS
    model = ModalShock(mass(tangential_stiffness=stiffness))
    critical = 2.0 * math.sqrt(stiffness * MASS)
    assert critical > LIMIT
    model = ModalShock(mass(tangential_stiffness=stiffness, tangential_damping=critical))
    assert model._body.laws[0].tangential_damping == critical


def test_a_block_whose_damper_no_step_could_follow_is_refused():
    with pytest.raises(ValueError, match=r"contact_damping=100000000\.0 N\.s/m must be at most"):
        ModalShock(mass(contact_damping=1e8))
