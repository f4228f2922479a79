"""`wearfmu build --dependencies`: the description says which inputs each output follows."""

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
# Of outputs up to 1e3 N. An event of the other motion within the step parts the arcs elsewhere, and
# the last bit differs; what truly follows an input does so by the square of the step or more.
NOISE = 1e-10
RUNS: list[dict[str, Any]] = [
    {"stiffness": 10.0, "archard_coefficient": 1.0},
    {"normal_law": 1, "normal_stiffness": 1e4, "contact_stiffness": 1e6, "initial_gap": 0.0},
    {"normal_law": 1, "tangential_law": 1, "initial_gap": 1e-5, "contact_stiffness": 1e5},
    {"normal_law": 2, "initial_gap": 1e-3, "restitution": 0.5, "archard_coefficient": 1.0},
    # Without gravity the support's shaking presses it on the upper plane too.
    {
        "normal_law": 1,
        "obstacle": 1,
        "plane_half_spacing": 1e-4,
        "initial_gap": 1e-4,
        "contact_stiffness": 1e4,
        "gravity": 0.0,
        "archard_coefficient": 1.0,
    },
    {"stop_upper": 1e-3, "stop_lower": -1e-3, "stop_restitution": 0.5},
    {"normal_law": 2, "pendulum_radius": 0.2, "initial_displacement": 0.01},
    {"normal_law": 1, "contact_stiffness": 1e5, "tangential_law": 1, "pendulum_radius": 0.2},
    {"stop_upper": 1e-3, "stop_lower": -1e-3, "stop_stiffness": 1e4, "stop_damping": 10.0},
    {
        "normal_law": 1,
        "contact_stiffness": 1e5,
        "stop_upper": 1e-3,
        "stop_lower": -1e-3,
        "stop_stiffness": 1e4,
        "stop_damping": 10.0,
    },
    {
        "normal_law": 1,
        "contact_stiffness": 1e5,
        "stop_upper": 1e-3,
        "stop_lower": -1e-3,
        "stop_restitution": 0.5,
    },
]


@pytest.fixture
def with_dependencies(
    native_fmu: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Path:
    """What the command writes; the library in it is that of the usual FMU, built before."""
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
    """Pairs of a Real output and an input that it follows at present."""
    kinds = {v.name: v.causality for v in one.description.modelVariables}
    outputs = [n for n, c in kinds.items() if c == "output" and one.kinds[n] == "Real"]
    inputs = [n for n, c in kinds.items() if c == "input"]
    pairs = set()
    for output, given in product(outputs, inputs):
        status, (slope,) = ask(one, [one.references[output]], {one.references[given]: 1.0})
        if status == OK and abs(slope) > NOISE:
            pairs.add((output, given))
    return pairs


def test_what_is_listed_is_what_the_directional_derivatives_follow(
    with_dependencies, native_fmu, host
):
    listed = {
        (output, one) for output, inputs in declared(with_dependencies).items() for one in inputs
    }
    found: set[tuple[str, str]] = set()
    for values in RUNS:
        one = host(native_fmu).initialise(**values, input_extrapolation_order=2)
        for step in range(600):
            shaking = 15.0 * math.sin(2.0 * math.pi * step * STEP)
            inputs = {"base_acceleration": shaking, "base_acceleration_normal": 0.4 * shaking}
            assert one.step(step * STEP, STEP, **inputs, tangential_load=0.1, normal_load=0.2) == OK
            if step < 60 or step % 5 == 0:  # shocks are in the first of them
                found |= followed(one)
            if step > 300 and step % 20 == 0:
                # What a change brings in follows from where the last step has led.
                one.set(stiffness=0.1 * (step % 40), normal_stiffness=0.1 * (step % 40))
                found |= followed(one)
    assert found <= listed
    # Counters and modes have no derivatives, and loads that are constant here are predicted without
    # error; all else that is listed is met in some run.
    constant = {("input_prediction_error", load) for load in ("tangential_load", "normal_load")}
    left = {pair for pair in listed - found if one.kinds[pair[0]] == "Real"}
    assert left == constant


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
