"""The native FMU of a structure gives the bits and the messages of the Python model and FMU."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import fmpy
import pytest
from fmpy import fmi2

from fmu_src.models import definition_of
from fmu_src.models.modal_shock import ModalShock as Slave
from fmu_src.native.entry_points import entry_points
from fmu_src.native.native_builder import build_native_fmu, is_stale
from fmu_src.native.translate import joined_kernel
from wearmodel.models.modal_quantities import structure_inputs
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Initial, Structure

from ..wearmodel.models.modal_shock.structures import random_structure, shaking

STEP = 1e-3
# Kinds of obstacle, rigid modes, dampers and their absence all occur among them.
SEEDS = (3, 4, 5, 8)


class Native:
    """An instance driven like the model object."""

    def __init__(self, path: Path, folder: Path) -> None:
        description = fmpy.read_model_description(path)
        self.variables = {one.name: one for one in description.modelVariables}
        self.outputs = [one for one in description.modelVariables if one.causality == "output"]
        self.slave = fmi2.FMU2Slave(
            guid=description.guid,
            modelIdentifier="ModalShock",
            unzipDirectory=fmpy.extract(path, folder),
            instanceName="structure",
        )
        self.slave.instantiate()

    def start(self, inputs: dict[str, float], **parameters: float) -> None:
        self.slave.reset()
        self.set(parameters)
        self.set(inputs)
        self.slave.setupExperiment()
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()
        self.time = 0.0

    def set(self, values: dict[str, float]) -> None:
        for name, value in values.items():
            variable = self.variables[name]
            setter = self.slave.setReal if variable.type == "Real" else self.slave.setInteger
            setter([variable.valueReference], [value])

    def step(self, inputs: dict[str, float], step_size: float = STEP) -> None:
        self.set(inputs)
        self.slave.doStep(self.time, step_size)
        self.time += step_size

    def values(self) -> list[str]:
        return [
            float(
                (self.slave.getReal if one.type == "Real" else self.slave.getInteger)(
                    [one.valueReference]
                )[0]
            ).hex()
            for one in self.outputs
        ]


def inputs_of(structure: Structure, seed: int) -> Callable[[float], dict[str, float]]:
    """Shaking and loads, functions of time."""
    wave = shaking(seed)
    r = random.Random(seed)
    strength = {one.name: r.uniform(-5.0, 5.0) for one in structure.loads}

    def at(time: float) -> dict[str, float]:
        pushed = {f"load.{name}": one * math.cos(40.0 * time) for name, one in strength.items()}
        return {**wave(time), **pushed}

    return at


def compare(native: Native, structure: Structure, seed: int, steps: int, **options: Any) -> None:
    """Run both and ask for equal bits at each communication point."""
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
            path = build_native_fmu("ModalShock", folder, file_stem=name, structure=structure)
            made[name] = Native(path, folder / name)
        return made[name]

    yield of
    for one in made.values():
        one.slave.freeInstance()


@pytest.mark.parametrize("order", [-1, 0, 1, 2, 3])
def test_the_structure_to_try_has_the_models_bits(
    native_of: Callable[..., Native], order: int
) -> None:
    native = native_of(None, "tube")
    compare(native, Slave.structure, 5, 40, input_extrapolation_order=order)


def test_inputs_at_the_end_of_a_step_have_the_models_bits(
    native_of: Callable[..., Native],
) -> None:
    compare(native_of(None, "tube"), Slave.structure, 6, 40, input_timing=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_structures_have_the_models_bits(
    native_of: Callable[..., Native], seed: int
) -> None:
    structure = random_structure(seed, modes=3 + seed % 3, contacts=1 + seed % 3)
    compare(native_of(structure, f"random_{seed}"), structure, seed, 60)


def test_a_structure_without_contacts_and_points_has_the_models_bits(
    native_of: Callable[..., Native],
) -> None:
    structure = replace(Slave.structure, contacts=(), observed=())
    compare(native_of(structure, "free"), structure, 2, 20)


def test_an_equilibrium_at_the_start_has_the_models_bits(
    native_of: Callable[..., Native],
) -> None:
    base = replace(Slave.structure.base, gravity_y=-400.0, gravity_z=-900.0)
    structure = replace(Slave.structure, base=base, initial=Initial(equilibrium=True))
    native = native_of(structure, "equilibrium")
    compare(native, structure, 7, 20)
    assert float.fromhex(native.values()[0]) > 0.0  # it lies in its first support


def test_parameters_of_contacts_have_the_models_bits(native_of: Callable[..., Native]) -> None:
    native = native_of(None, "tube")
    given = {
        "gap": 3e-4,
        "contact_damping": 2.0,
        "tangential_damping": 0.0,
        "friction_coefficient": 0.4,
        "friction_coefficient_static": 0.5,
        "residual_flexibility": 0.0,
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


def test_first_derivatives_lead_along_the_lines_of_inputs_at_the_end(
    native_of: Callable[..., Native],
) -> None:
    native = native_of(None, "tube")
    name = "base_acceleration_y"
    reference = native.variables[name].valueReference
    r = random.Random(11)
    path = [0.0, *(r.uniform(-40.0, 40.0) for _ in range(20))]
    ends = []
    for derived in (False, True):
        native.start({name: path[0]}, input_timing=0 if derived else 1)
        for start, end in pairwise(path):
            if derived:
                native.slave.fmi2SetRealInputDerivatives(
                    native.slave.component,
                    (fmi2.fmi2ValueReference * 1)(reference),
                    1,
                    (fmi2.fmi2Integer * 1)(1),
                    (fmi2.fmi2Real * 1)((end - start) / STEP),
                )
            native.step({name: start if derived else end})
        ends.append([float.fromhex(value) for value in native.values()])
    assert max(ends[0]) > 1.0  # it knocks
    # The lines are the same to rounding, which the shocks until then amplify a little.
    assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12)


def test_the_kernel_of_all_structures_is_the_same_source() -> None:
    tube, other = (
        entry_points(definition_of("ModalShock", structure))
        for structure in (None, random_structure(8, modes=6, contacts=3))
    )
    assert joined_kernel(tube) == joined_kernel(other)
    assert tube.kernel_source() == other.kernel_source()
    assert tube.header() != other.header()


def test_a_native_fmu_is_stale_for_another_structure(tmp_path: Path) -> None:
    fmu = build_native_fmu("ModalShock", tmp_path, structure=random_structure(3))
    assert not is_stale(fmu, structure=random_structure(3))
    assert is_stale(fmu, structure=random_structure(4))
    assert is_stale(fmu)
