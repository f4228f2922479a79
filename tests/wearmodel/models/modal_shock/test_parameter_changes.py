"""Changes of contact parameters in a run: compared with FrictionalShock, in a hole, rejected."""

import json
import math
import random

import pytest

from fmu_src.models.modal_shock import ModalShock as Tube
from wearmodel import FrictionalShock, FrictionalShockParameters, ModalShock

from .structures import mass_problem, masses_on_planes
from .test_against_frictional_shock import COMPARED, STEP, abs_slip, loads

STEPS = 20
EVERY = {**COMPARED, "parameter_change_work": ("parameter_change_work", 1e-3)}


def new_values(
    p: FrictionalShockParameters, seed: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Return new values for the mass, and the same values for its contact."""
    draw = random.Random(seed)
    friction = p.friction_coefficient * draw.choice([0.2, 0.5, 2.0])
    values = {
        "friction_coefficient": friction,
        "friction_coefficient_static": friction * draw.choice([1.0, 1.2]),
        "contact_stiffness": p.contact_stiffness * draw.choice([0.3, 1.0, 4.0]),
        "contact_damping": p.contact_damping * draw.choice([1.0, 2.0]),
        "tangential_stiffness": p.tangential_stiffness * draw.choice([0.3, 1.0, 4.0]),
        "tangential_damping": p.in_force().tangential_damping * draw.choice([1.0, 2.0]),
    }
    of_contact = {f"c0.{name}": value for name, value in values.items()}
    gap = p.initial_gap * draw.choice([1.0, 0.7, 1.3])
    values.update(initial_gap=gap, plane_half_spacing=gap)
    return values, {**of_contact, "c0.gap": gap}


def test_contacts_of_a_structure_change_as_those_of_frictional_shock():
    changed = {FLIGHT: 0, STICK: 0, SLIP: 0}
    for seed in range(80):
        p = mass_problem(seed)
        mass = FrictionalShock(p)
        structure = ModalShock(masses_on_planes([p]), **{"load.weight0": 1.0})
        draw = random.Random(100 + seed)
        at = draw.randrange(1, STEPS)
        for step in range(STEPS):
            if step == at:
                of_mass, of_contact = new_values(p, seed)
                changed[int(mass.outputs()["contact_mode"])] += 1
                mass.change_parameters(of_mass)
                structure.change_parameters(of_contact)
                compare(mass, structure, seed)
            along, across = (p.mass * load for load in loads(seed, step))
            mass.step(STEP, tangential_load=along, normal_load=across)
            structure.step(STEP, **{"load.t0": along, "load.n0": across, "load.weight0": 1.0})
            if step <= at + 1:
                compare(mass, structure, seed)
    assert min(changed.values()) >= 3, changed


FLIGHT, STICK, SLIP = 0, 1, 2


def compare(mass: FrictionalShock, structure: ModalShock, seed: int) -> None:
    of_mass, of_structure = mass.outputs(), structure.outputs()
    for name, (of, size) in EVERY.items():
        whole = name == "parameter_change_work"
        got = of_structure[name if whole else f"c0.{name}"]
        want = abs_slip(of, of_mass[of])
        # Ten roundings of the largest values, amplified by events.
        assert got == pytest.approx(want, rel=1e-9, abs=1e-9 * size), (seed, name)


def tube(steps: int) -> ModalShock:
    model = ModalShock(Tube.structure)
    follow(model, 0, steps)
    return model


def follow(model: ModalShock, first: int, last: int) -> list[tuple[float, ...]]:
    rows = []
    for step in range(first, last):
        model.step(1e-4, base_acceleration_y=100.0 * math.sin(0.05 * step))
        rows.append(model.output_values())
    return rows


def test_a_pressed_hole_that_is_widened_takes_the_work_out_and_lets_the_tube_go():
    model = tube(100)
    before = model.outputs()
    assert before["support_2.contact_mode"] == STICK
    depth = -before["support_2.clearance"]
    stiffness = before["support_2.normal_force"] / depth
    model.change_parameters({"support_2.gap": 2e-3})
    after = model.outputs()
    assert after["support_2.contact_mode"] == FLIGHT
    assert after["support_2.clearance"] == pytest.approx(2e-3 - 2e-4 - depth, rel=1e-12)
    work = -0.5 * stiffness * depth**2
    assert after["parameter_change_work"] == pytest.approx(work, rel=1e-6)
    for name in ("kinetic_energy", "elastic_energy", "wear_work"):
        assert after[name] == before[name]


def test_friction_that_falls_in_a_hole_keeps_the_force_inside_the_cone():
    model = tube(100)
    model.change_parameters({"support_2.friction_coefficient": 0.01})
    outputs = model.outputs()
    friction = math.hypot(*(outputs[f"support_2.friction_force_{axis}"] for axis in "xyz"))
    assert outputs["support_2.contact_mode"] == SLIP
    assert friction == pytest.approx(0.01 * outputs["support_2.normal_force"], rel=1e-12)
    assert outputs["parameter_change_work"] == 0.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"support_1.wear_area": 2.0}, r"support_1\.wear_area is a fixed parameter: 2\.0 m2"),
        ({"support_1.gap": math.nan}, r"support_1\.gap=nan m must be finite"),
        ({"support_2.gap": 0.0}, r"support_2: gap=0\.0 m must be > 0 in a circle"),
        (
            {"support_1.friction_coefficient_static": 0.1},
            r"support_1: friction_coefficient_static=0\.1 must be ≥",
        ),
        ({"input_timing": 1}, "'input_timing' is no parameter of a contact of this structure"),
    ],
    ids=str,
)
def test_a_change_that_breaks_a_rule_is_refused_and_all_stands(changes, message):
    model = tube(20)
    before = model.snapshot()
    with pytest.raises((ValueError, TypeError), match=message):
        model.change_parameters({"support_2.contact_stiffness": 2e6, **changes})
    assert model.snapshot() == before
    assert model.structure == Tube.structure


def test_a_snapshot_brings_the_changed_values_back_bit_by_bit():
    model = tube(90)
    model.change_parameters({"support_2.gap": 1e-4, "support_2.tangential_stiffness": 5e4})
    saved = json.loads(json.dumps(model.snapshot()))
    want = follow(model, 90, 100)
    for host in (model, tube(1)):
        host.restore(saved)
        assert host.changes == {"support_2.gap": 1e-4, "support_2.tangential_stiffness": 5e4}
        assert follow(host, 90, 100) == want
