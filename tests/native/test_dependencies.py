"""`wearfmu build --dependencies` lists the inputs on which each output depends."""

import math
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import fmpy
import pytest
from fmpy.validation import validate_fmu

import fmu_src.native.native_builder as native_builder
from harness.command_line import main

from .test_directional_derivatives import ask

OK = 0
STEP = 1e-3
# Wear in slip opens the gap, so the normal displacement depends on the tangential inputs.
WEARS = {
    "normal_law": 1,
    "contact_stiffness": 1e5,
    "wear_feedback": True,
    "wear_time_scale": 1e6,
    "archard_coefficient": 1e-9,
}


@pytest.fixture
def with_dependencies(
    native_fmu: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Path:
    """Build an FMU with the command. It reuses the library of the usual FMU."""
    library = fmpy.extract(native_fmu, tmp_path / "usual")

    def built(definition: Any, platform: Any, layer: Any) -> bytes:
        folder = Path(library) / "binaries" / platform.name
        return (folder / f"{definition.name}{platform.suffix}").read_bytes()

    monkeypatch.setattr(native_builder, "model_library", built)
    command = ["build", "FrictionalShock", "--native", "--dependencies", "--out", str(tmp_path)]
    assert main(command) == 0
    return Path(capsys.readouterr().out.strip())


def declared(fmu: Path) -> dict[str, set[str]]:
    description = fmpy.read_model_description(fmu)
    return {
        unknown.variable.name: {one.name for one in unknown.dependencies}
        for unknown in description.outputs
    }


def followed(one: Any) -> set[tuple[str, str]]:
    """Return pairs of a Real output and an input with a nonzero derivative at present."""
    kinds = {v.name: v.causality for v in one.description.modelVariables}
    outputs = [n for n, c in kinds.items() if c == "output" and one.kinds[n] == "Real"]
    inputs = [n for n, c in kinds.items() if c == "input"]
    pairs = set()
    for output, given in product(outputs, inputs):
        status, (slope,) = ask(one, [one.references[output]], {one.references[given]: 1.0})
        if status == OK and slope != 0.0:
            pairs.add((output, given))
    return pairs


def test_what_the_directional_derivatives_follow_is_listed(with_dependencies, native_fmu, host):
    one = host(native_fmu).initialise(**WEARS, input_extrapolation_order=2)
    for step in range(300):
        shaking = 15.0 * math.sin(2.0 * math.pi * step * STEP)
        inputs = {"base_acceleration": shaking, "base_acceleration_normal": 0.4 * shaking}
        assert one.step(step * STEP, STEP, **inputs, tangential_load=0.1, normal_load=0.2) == OK
    found = followed(one)
    assert {("normal_force", "base_acceleration"), ("gap", "tangential_load")} <= found
    assert found <= {
        (output, given)
        for output, inputs in declared(with_dependencies).items()
        for given in inputs
    }


def test_it_is_a_valid_fmu_of_its_own_beside_the_usual_one(with_dependencies, native_fmu):
    assert with_dependencies.name == "FrictionalShock_dependencies.fmu"
    assert validate_fmu(str(with_dependencies)) == []
    guids = {fmpy.read_model_description(one).guid for one in (with_dependencies, native_fmu)}
    assert len(guids) == 2
    assert not native_builder.is_stale(
        with_dependencies, model="FrictionalShock", dependencies=True
    )
    assert native_builder.is_stale(with_dependencies, model="FrictionalShock")
    assert native_builder.is_stale(native_fmu, dependencies=True)
    text = fmpy.extract(with_dependencies, with_dependencies.parent / "extracted")
    tree = ElementTree.parse(Path(text) / "modelDescription.xml")
    for unknown in tree.iterfind("ModelStructure/Outputs/Unknown"):
        kinds = unknown.attrib["dependenciesKind"].split()
        assert set(kinds) == {"dependent"}
        assert len(kinds) == len(unknown.attrib["dependencies"].split())


def test_the_usual_one_lists_none(native_fmu):
    assert set(map(len, declared(native_fmu).values())) == {0}


def test_a_python_fmu_has_no_derivatives_to_list(tmp_path, capsys):
    assert main(["build", "--dependencies", "--out", str(tmp_path)]) == 2
    assert "--dependencies requires --native" in capsys.readouterr().err
