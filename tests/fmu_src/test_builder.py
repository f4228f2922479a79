"""Contents of the archive: a valid description, the bundled sources, reproducible bytes."""

import math
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import fmpy
import pytest
from fmpy.validation import validate_fmu

import fmu_src.archive.builder
from fmu_src.archive.builder import build_fmu, is_stale
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.bundled.slave import SafeSlave
from fmu_src.models import fmu_names
from tests.native_fmus import build_native_fmu
from wearmodel.kernel.shoe.parameters import NormalLaw
from wearmodel.models.frictional_shock import INPUT_UNITS, OUTPUT_NAMES

# Name, unit and start value. They must not change, because users' scripts depend on them.
PARAMETERS: dict[str, tuple[str | None, str]] = {
    "mass": ("kg", "1.0"),
    "gravity": ("m/s2", "10.0"),
    "friction_coefficient": ("1", "0.1"),
    "friction_coefficient_static": ("1", "-1.0"),
    "stiffness": ("N/m", "0.0"),
    "damping": ("N.s/m", "0.0"),
    "normal_stiffness": ("N/m", "0.0"),
    "normal_damping": ("N.s/m", "0.0"),
    "preload": ("N", "0.0"),
    "initial_gap": ("m", "0.0"),
    "normal_law": (None, "0"),
    "tangential_law": (None, "0"),
    "obstacle": (None, "0"),
    "plane_half_spacing": ("m", "0.5"),
    "contact_stiffness": ("N/m", "20.0"),
    "contact_damping": ("N.s/m", "0.0"),
    "tangential_stiffness": ("N/m", "9000000.0"),
    "tangential_damping": ("N.s/m", "-1.0"),
    "restitution": ("1", "0.0"),
    "archard_coefficient": ("m2/N", "1e-13"),
    "wear_area": ("m2", "0.0001"),
    "initial_displacement": ("m", "0.0"),
    "initial_velocity": ("m/s", "0.0"),
    "initial_normal_displacement": ("m", "0.0"),
    "initial_normal_velocity": ("m/s", "0.0"),
    "start_in_equilibrium": (None, "false"),
    "input_extrapolation_order": (None, "-1"),
    "input_timing": (None, "0"),
    "friction_coefficient_slow": ("1", "-1.0"),
    "friction_decay_velocity": ("m/s", "0.0"),
    "viscous_friction": ("s/m", "0.0"),
    "wear_feedback": (None, "false"),
    "wear_time_scale": ("1", "1.0"),
    "sliding_direction": (None, "0"),
    "stop_lower": ("m", "-1e+30"),
    "stop_upper": ("m", "1e+30"),
    "stop_restitution": ("1", "0.0"),
    "stop_stiffness": ("N/m", "0.0"),
    "stop_damping": ("N.s/m", "0.0"),
    "pendulum_radius": ("m", "0.0"),
}
ENUMERATIONS = {
    "normal_law": ["prescribed", "penalty", "rigid"],
    "tangential_law": ["rigid", "penalty"],
    "obstacle": ["one_plane", "two_planes"],
    "contact_mode": ["FLIGHT", "STICK", "SLIP"],
}
OUTPUT_UNITS = {
    "normal_force": "N",
    "friction_force": "N",
    "slip_velocity": "m/s",
    "relative_velocity": "m/s",
    "wear_power": "W",
    "friction_power": "W",
    "wear_work": "J",
    "friction_work": "J",
    "worn_volume": "m3",
    "wear_depth": "m",
    "sliding_distance": "m",
    "relative_displacement": "m",
    "gap": "m",
    "gap_velocity": "m/s",
    "peak_normal_force": "N",
    "impact_impulse": "N.s",
    "support_force_tangential": "N",
    "support_force_normal": "N",
    "absolute_acceleration": "m/s2",
    "contact_damping_work": "J",
    "wear_depth_lower": "m",
    "wear_depth_upper": "m",
    "stop_force": "N",
    "stop_impulse": "N.s",
    "stop_work": "J",
    "pendulum_work": "J",
    "parameter_change_work": "J",
    "input_prediction_error": "1",
}
# Parameters that may change in a run.
KNOTS = {
    name: start
    for knot in range(1, 33)
    for name, start in (
        (f"friction_table_speed[{knot}]", ("m/s", "0.0")),
        (f"friction_table_coefficient[{knot}]", ("1", "-1.0")),
    )
}
PARAMETERS |= {"friction_table_rule": (None, "0"), **KNOTS}
TUNABLE = {
    *KNOTS,
    "friction_table_rule",
    "friction_coefficient",
    "friction_coefficient_static",
    "friction_coefficient_slow",
    "friction_decay_velocity",
    "viscous_friction",
    "stiffness",
    "damping",
    "normal_stiffness",
    "normal_damping",
    "contact_stiffness",
    "contact_damping",
    "tangential_stiffness",
    "tangential_damping",
    "initial_gap",
    "plane_half_spacing",
}


def test_the_release_is_that_of_the_package():
    assert SafeSlave.release == version("wearfmu")


@pytest.mark.parametrize("name", fmu_names())
def test_fmpy_finds_no_problem(built, name):
    assert validate_fmu(built(name)) == []


def described(built: Callable[[str], Path], causality: str) -> dict[str, Any]:
    description = fmpy.read_model_description(built("FrictionalShock"))
    return {v.name: v for v in description.modelVariables if v.causality == causality}


def test_the_parameters_are_the_fixed_ones_with_units_and_defaults(built):
    found = described(built, "parameter")
    assert {name: (v.unit, v.start) for name, v in found.items()} == PARAMETERS
    tunable = {name for name, v in found.items() if v.variability == "tunable"}
    assert tunable == TUNABLE
    assert {found[name].variability for name in found if name not in tunable} == {"fixed"}


def test_inputs_and_outputs_are_the_fixed_ones_in_the_model_s_order(built):
    inputs = described(built, "input")
    assert {name: v.unit for name, v in inputs.items()} == INPUT_UNITS
    outputs = described(built, "output")
    assert tuple(outputs) == OUTPUT_NAMES
    assert {name: v.unit for name, v in outputs.items() if v.type == "Real"} == OUTPUT_UNITS


def test_enumerations_have_the_fixed_literals_from_zero(built):
    description = fmpy.read_model_description(built("FrictionalShock"))
    variables = {v.name: v for v in description.modelVariables}
    for name, literals in ENUMERATIONS.items():
        items = variables[name].declaredType.items
        assert [item.name for item in items] == literals
        assert [int(item.value) for item in items] == list(range(len(literals)))


@pytest.mark.parametrize("name", fmu_names())
def test_every_variable_is_described_apart_and_outputs_depend_on_no_input(built, name):
    description = fmpy.read_model_description(built(name))
    assert all(v.description for v in description.modelVariables)
    described_by = Counter(v.description for v in description.modelVariables)
    assert [text for text, count in described_by.items() if count > 1] == []
    assert all(v.quantity for v in description.modelVariables if v.unit not in (None, "1"))
    assert all(unknown.dependencies == [] for unknown in description.outputs)
    assert len(description.initialUnknowns) == len(description.outputs)


@pytest.mark.parametrize("name", fmu_names())
def test_the_same_sources_give_the_same_bytes(built, tmp_path, name):
    assert build_fmu(name, tmp_path).read_bytes() == built(name).read_bytes()


@pytest.mark.parametrize("name", fmu_names())
def test_nothing_in_the_bundle_imports_what_a_host_could_shadow(built, name):
    with zipfile.ZipFile(built(name)) as archive:
        for member in archive.namelist():
            if member.startswith("resources/wearfmu_") and member.endswith(".py"):
                text = archive.read(member).decode()
                assert "import wearmodel" not in text
                assert "from wearmodel" not in text
                assert "from fmu_src" not in text
                assert "import numpy" not in text


def test_a_change_of_any_source_makes_the_fmu_stale(tmp_path, monkeypatch):
    path = build_fmu("FrictionalShock", tmp_path)
    assert not is_stale(path)
    assert is_stale(tmp_path / "missing.fmu")
    original = fmu_src.archive.builder._bundled_sources

    def changed(definition: FmuDefinition) -> dict[str, str]:
        return {
            **original(definition),
            "wearmodel/kernel/series/polynomials.py": "# another text\n",
        }

    monkeypatch.setattr(fmu_src.archive.builder, "_bundled_sources", changed)
    assert is_stale(path)


def test_an_unknown_name_is_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no FMU 'Shoe': choose one of BaseMotion, D"):
        build_fmu("Shoe", tmp_path)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("FrictionalShock", {"masss": 1.0}, "FrictionalShock does not have a parameter 'masss'"),
        (
            "FrictionalShock",
            {"wear_work": 1.0},
            "FrictionalShock does not have a parameter 'wear_work'",
        ),
        ("FrictionalShock", {"mass": -1.0}, "mass=-1.0 kg must be > 0"),
        ("FrictionalShock", {"mass": math.nan}, "mass=nan kg must be finite"),
        ("FrictionalShock", {"mass": "heavy"}, "mass='heavy' must be a number"),
        ("FrictionalShock", {"restitution": 1.5}, "restitution=1.5 must be ≤ 1"),
        (
            "FrictionalShock",
            {"normal_law": 3},
            "normal_law=3 must be one of: prescribed (0), penalty (1), rigid (2)",
        ),
        (
            "FrictionalShock",
            {"start_in_equilibrium": 1},
            "start_in_equilibrium=1 must be true or false",
        ),
        (
            "FrictionalShock",
            {"input_extrapolation_order": 1.5},
            "input_extrapolation_order=1.5 must be a whole number",
        ),
        ("DisChoc", {"elastic_stiffness": -1.0}, "elastic_stiffness=-1.0 N/m must be ≥ 0"),
        ("BaseMotion", {"file": 3}, "file=3 must be a text"),
    ],
)
def test_a_start_value_that_is_none_is_refused(tmp_path, name, values, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        build_fmu(name, tmp_path, start_values=values)
    # The native FMU uses the same check, before compilation.
    if name == "FrictionalShock":
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            build_native_fmu("FrictionalShock", tmp_path, start_values=values)
    assert list(tmp_path.iterdir()) == []


def test_values_that_break_a_rule_only_together_are_left_to_the_initialisation(tmp_path):
    # A master may still set normal_law to a value that allows a gap.
    path = build_fmu("FrictionalShock", tmp_path, start_values={"initial_gap": 0.1})
    assert not is_stale(path, start_values={"initial_gap": 0.1})
    assert is_stale(path)


def test_the_order_and_the_spelling_of_start_values_do_not_matter(tmp_path):
    given = {"normal_law": "penalty", "mass": 2, "gravity": 10}
    same = {"mass": 2.0, "normal_law": NormalLaw.penalty}
    first = build_fmu("FrictionalShock", tmp_path, file_stem="first", start_values=given)
    second = build_fmu("FrictionalShock", tmp_path, file_stem="second", start_values=same)
    assert first.read_bytes() == second.read_bytes()
    assert not is_stale(second, model="FrictionalShock", start_values=given)
