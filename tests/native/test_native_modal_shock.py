"""The native FMU of a structure gives the bits and messages of the Python model and FMU."""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import fmpy
import pytest

from fmu_src.models import definition_of
from fmu_src.models.modal_shock import ModalShock as Slave
from fmu_src.native.cpp_tables import form_header
from fmu_src.native.entry_points import entry_points
from fmu_src.native.instance_data import instance_data
from fmu_src.native.native_builder import is_stale
from tests.native_fmus import build_native_fmu
from wearmodel.compiled import platform_libraries
from wearmodel.kernel.contact.parameters import ContactObstacle
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.models.modal_quantities import structure_inputs
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Initial, Structure

from ..wearmodel.models.modal_shock.structures import (
    random_structure,
    shaking,
    with_curved_planes,
    with_friction_of_speed,
    with_friction_tables,
    with_wear_that_opens,
)
from ..wearmodel.models.modal_shock.test_contacts_at_one_instant import block
from ..wearmodel.models.modal_shock.test_polygons import rubbing_ball
from .conftest import OK, Host, host_of
from .test_directional_derivatives import derivatives
from .test_input_derivatives import set_derivatives

ERROR = 3
STEP = 1e-3
# They include all kinds of obstacle, rigid modes, and dampers or no dampers.
SEEDS = (3, 4, 5, 8)


class Native:
    """An instance with the interface of the model object."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def start(self, inputs: dict[str, float], **parameters: float) -> None:
        assert self.host.call("fmi2Reset") == OK
        self.host.initialise(**parameters, **inputs)
        self.time = 0.0

    def step(self, inputs: dict[str, float], step_size: float = STEP) -> None:
        assert self.host.steps(self.time, step_size, **inputs), self.host.messages
        self.time += step_size

    def values(self) -> list[str]:
        return [float(value).hex() for value in self.host.outputs().values()]


def inputs_of(structure: Structure, seed: int) -> Callable[[float], dict[str, float]]:
    """Return base accelerations and loads as functions of time."""
    wave = shaking(seed)
    r = random.Random(seed)
    strength = {one.name: r.uniform(-5.0, 5.0) for one in structure.loads}

    def at(time: float) -> dict[str, float]:
        pushed = {f"load.{name}": one * math.cos(40.0 * time) for name, one in strength.items()}
        return {**wave(time), **pushed}

    return at


def compare(native: Native, structure: Structure, seed: int, steps: int, **options: Any) -> None:
    """Run both and compare the bits at each communication point."""
    at = inputs_of(structure, seed)
    names = [one.name for one in structure_inputs(structure)]
    model = ModalShock(structure, **options, **at(0.0))
    native.start(at(0.0), **options)
    assert native.values() == [value.hex() for value in model.output_values()]
    seen = set()
    r = random.Random(seed)
    for _ in range(steps):
        inputs = at(native.time)
        step_size = STEP * r.choice([1.0, 1.0, 0.3, 2.0])
        model.time = native.time
        model.step_values(step_size, [inputs[name] for name in names])
        native.step(inputs, step_size)
        values = native.values()
        assert values == [value.hex() for value in model.output_values()]
        seen.add(tuple(values))
    assert len(seen) == steps


@pytest.fixture(scope="module")
def native_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Native]]:
    folder = tmp_path_factory.mktemp("structures")
    made: dict[str, Native] = {}

    def of(structure: Structure | None, name: str) -> Native:
        if name not in made:
            path = build_native_fmu(definition_of("ModalShock", structure), folder, file_stem=name)
            made[name] = Native(host_of(path, folder / name))
        return made[name]

    yield of
    for native in made.values():
        native.host.free()


@pytest.mark.parametrize("order", [-1, 0, 1, 2, 3])
def test_the_structure_to_try_has_the_models_bits(native_of, order):
    native = native_of(None, "tube")
    compare(native, Slave.structure, 5, 40, input_extrapolation_order=order)


def test_contacts_that_act_at_one_instant_have_the_models_bits(native_of):
    structure = block(4, speed=0.05)
    compare(native_of(structure, "block"), structure, 7, 40)


def test_polygons_with_unequal_sides_have_the_models_bits(native_of):
    first, second = Slave.structure.contacts
    polygon = ContactObstacle.polygon
    gaps = tuple(2e-4 + 1e-6 * (number % 3) for number in range(24))
    contacts = (
        replace(first, obstacle=polygon, gaps=gaps),
        replace(second, obstacle=polygon, directions=(10.0, 100.0, 200.0, 300.0)),
    )
    structure = replace(Slave.structure, contacts=contacts)
    compare(native_of(structure, "polygons"), structure, 7, 60)


def test_arrays_of_fmi_3_hold_wear_and_depth_by_side(tmp_path):
    """Compare the arrays of a ball in a polygon, read by FMPy, with the Python model."""
    structure = rubbing_ball(5, archard_coefficient=1e-13, wear_area=2e-4)
    fmu = build_native_fmu(definition_of("ModalShock", structure), tmp_path, fmi=3)
    description = fmpy.read_model_description(str(fmu))
    (depths,) = (one for one in description.modelVariables if one.name == "c.wear_depth_by_side")
    assert [one.start for one in depths.dimensions] == [5]
    assert depths.description.startswith("c: Worn volume")
    assert depths.description.endswith("sides")
    names = ["c.wear_work_by_side", "c.wear_depth_by_side", "c.wear_work", "c.wear_depth"]
    rows = fmpy.simulate_fmu(
        str(fmu),
        start_values={"input_timing": int(InputTiming.end)},
        output=names,
        output_interval=STEP,
        stop_time=60 * STEP,
    )
    model = ModalShock(structure, input_timing=InputTiming.end)
    for number in range(60):
        model.time = number * STEP
        model.step(STEP)
    works, depths_of_sides, work, depth = (rows[name][-1] for name in names)
    # FMPy rounds step sizes differently. `compare` tests equal bits.
    assert works == pytest.approx(model.wear_work_by_side()["c"], rel=1e-10)
    assert depths_of_sides == pytest.approx(model.by_side("wear_depth")["c"], rel=1e-10)
    assert sum(one > 0.0 for one in works) > 2
    # V = k W, divided by a fifth of the area.
    assert sum(works) == pytest.approx(work, rel=1e-12)
    assert depths_of_sides == pytest.approx(1e-13 * works / (2e-4 / 5.0), rel=1e-12)
    assert depths_of_sides.mean() == pytest.approx(depth, rel=1e-12)


def test_inputs_at_the_end_of_a_step_have_the_models_bits(native_of):
    compare(native_of(None, "tube"), Slave.structure, 6, 40, input_timing=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_structures_have_the_models_bits(native_of, seed):
    structure = random_structure(seed, modes=3 + seed % 3, contacts=1 + seed % 3)
    compare(native_of(structure, f"random_{seed}"), structure, seed, 60)


@pytest.mark.parametrize("modes", [4, 11, pytest.param(30, marks=pytest.mark.campaign)])
def test_wide_and_narrow_registers_give_the_models_bits(tmp_path, native_of, monkeypatch, modes):
    structure = random_structure(modes, modes=modes, contacts=2)
    compare(native_of(structure, f"wide_{modes}"), structure, modes, 25)
    narrow = (*platform_libraries.FLAGS, "-DKERNEL_BASELINE")
    monkeypatch.setattr(platform_libraries, "FLAGS", narrow)
    path = build_native_fmu(definition_of("ModalShock", structure), tmp_path, file_stem="narrow")
    native = Native(host_of(path, tmp_path / "narrow"))
    compare(native, structure, modes, 25)
    native.host.free()


@pytest.mark.parametrize("seed", [4, 8])
def test_friction_that_depends_on_speed_has_the_models_bits(native_of, seed):
    structure = with_friction_of_speed(random_structure(seed, modes=5, contacts=3), seed)
    compare(native_of(structure, f"varying_{seed}"), structure, seed, 60)


@pytest.mark.parametrize("seed", [4, 5])
def test_friction_tables_and_curved_planes_have_the_models_bits(native_of, seed):
    structure = with_friction_tables(random_structure(seed, modes=5, contacts=3), seed)
    structure = with_curved_planes(structure, seed)
    compare(native_of(structure, f"tabled_{seed}"), structure, seed, 60)


@pytest.mark.parametrize("seed", [0, 6])
def test_wear_that_opens_the_gaps_has_the_models_bits(native_of, seed):
    structure = with_wear_that_opens(random_structure(seed), seed)
    if seed == 6:
        structure = with_friction_of_speed(structure, seed)
    compare(native_of(structure, f"wearing_{seed}"), structure, seed, 60)


def test_a_structure_without_contacts_and_points_has_the_models_bits(native_of):
    structure = replace(Slave.structure, contacts=(), observed=())
    compare(native_of(structure, "free"), structure, 2, 20)


def test_an_equilibrium_at_the_start_has_the_models_bits(native_of):
    base = replace(Slave.structure.base, gravity_y=-400.0, gravity_z=-900.0)
    structure = replace(Slave.structure, base=base, initial=Initial(equilibrium=True))
    native = native_of(structure, "equilibrium")
    compare(native, structure, 7, 20)
    assert float.fromhex(native.values()[0]) > 0.0  # at rest in its first support


def test_parameters_of_contacts_have_the_models_bits(native_of):
    native = native_of(None, "tube")
    given = {
        "gap": 3e-4,
        "contact_damping": 2.0,
        "tangential_damping": 0.0,
        "friction_coefficient": 0.4,
        "friction_coefficient_static": 0.5,
        "residual_flexibility": 0.0,
        "wear_feedback": True,
        "wear_time_scale": 1e5,
    }
    first, second = Slave.structure.contacts
    changed = replace(first, parameters=replace(first.parameters, **given))
    structure = replace(Slave.structure, contacts=(changed, second))
    at = inputs_of(structure, 9)
    model = ModalShock(structure, **at(0.0))
    native.start(at(0.0), **{f"{first.name}.{name}": value for name, value in given.items()})
    for _ in range(40):
        inputs = at(native.time)
        model.time = native.time
        model.step(STEP, **inputs)
        native.step(inputs)
        assert native.values() == [value.hex() for value in model.output_values()]


def test_first_derivatives_lead_along_the_lines_of_inputs_at_the_end(native_of):
    native = native_of(None, "tube")
    name = "base_acceleration_y"
    r = random.Random(11)
    path = [0.0, *(r.uniform(-40.0, 40.0) for _ in range(20))]
    ends = []
    for derived in (False, True):
        native.start({name: path[0]}, input_timing=0 if derived else 1)
        for start, end in pairwise(path):
            if derived:
                reference = native.host.references[name]
                assert set_derivatives(native.host, (end - start) / STEP, reference=reference) == OK
            native.step({name: start if derived else end})
        ends.append([float.fromhex(value) for value in native.values()])
    assert max(ends[0]) > 1.0  # there are impacts
    # The inputs agree within rounding, which the impacts slightly amplify.
    assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12)


def test_the_kernel_of_all_structures_is_the_same_source():
    definitions = [
        definition_of("ModalShock", structure)
        for structure in (None, random_structure(8, modes=6, contacts=3))
    ]
    tube, other = map(entry_points, definitions)
    assert tube.exports() == other.exports()
    assert tube.modules() == other.modules()
    assert tube.kernel_source() == other.kernel_source()
    forms = {form_header(definition) for definition in definitions}
    assert len(forms) == 1
    assert len({instance_data("", one, one.slave.table) for one in definitions}) == 2


def test_a_native_fmu_is_stale_for_another_structure(tmp_path):
    fmu = build_native_fmu(definition_of("ModalShock", random_structure(3)), tmp_path)
    assert not is_stale(fmu, model=definition_of("ModalShock", random_structure(3)))
    assert is_stale(fmu, model=definition_of("ModalShock", random_structure(4)))
    assert is_stale(fmu)


def test_a_start_without_equilibrium_is_refused_in_the_models_words(tmp_path):
    base = replace(Slave.structure.base, gravity_y=-400.0)
    modes = replace(Slave.structure.modes, frequency=(0.0, *Slave.structure.modes.frequency[1:]))
    structure = replace(
        Slave.structure, modes=modes, base=base, contacts=(), initial=Initial(equilibrium=True)
    )
    with pytest.raises(ValueError, match="an equilibrium does not exist") as refused:
        ModalShock(structure)
    one = host_of(
        build_native_fmu(definition_of("ModalShock", structure), tmp_path), tmp_path / "run"
    )
    one.initialise()
    assert one.step(0.0, STEP) == ERROR
    assert str(refused.value) in one.messages[-1]
    one.free()


@pytest.mark.parametrize("feedback", [False, True], ids=["plain", "wear opens the gaps"])
def test_directional_derivatives_are_the_slopes_of_a_step(native, feedback):
    one = native("ModalShock")
    at = inputs_of(Slave.structure, 13)
    wear = {f"{contact.name}.wear_feedback": feedback for contact in Slave.structure.contacts}
    # A gap changes considerably in each step.
    wear |= {f"{contact.name}.wear_time_scale": 1e7 for contact in Slave.structure.contacts}
    one.initialise(input_extrapolation_order=0, **wear, **at(0.0))
    for step in range(25):
        assert one.step(step * STEP, STEP, **at(step * STEP)) == OK
    before = one.save()
    known, unknown = "load.flow", "end.velocity_y"
    found = []
    for change in (-1e-3, 1e-3):
        assert one.load(before) == OK
        inputs = at(25 * STEP)
        inputs[known] += change
        assert one.step(25 * STEP, STEP, **inputs) == OK
        found.append(one.get(unknown))
    assert one.load(before) == OK
    assert one.step(25 * STEP, STEP, **at(25 * STEP)) == OK
    slope = derivatives(one, unknown, **{known: 1.0})[0]
    # A second-order difference over a step that is nearly linear in the load.
    assert slope == pytest.approx((found[1] - found[0]) / 2e-3, rel=1e-6)
    assert slope > 0.0
