"""The FMU of ModalShock has the variables of its structure and agrees with the Python model."""

import dataclasses
import json
import math
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.archive.builder import build_fmu, is_stale
from fmu_src.models import definition_of
from fmu_src.models.modal_shock import ModalShock as Slave
from wearmodel.models.modal_quantities import structure_inputs, structure_outputs
from wearmodel.models.modal_shock import ModalShock
from wearmodel.structure import Structure, structure_of

from ..wearmodel.models.modal_shock.structures import random_structure, shaking
from .test_bundled_code import STEP, bare_host, prepared


def rows_of(structure: Structure, steps: int) -> list[list[float]]:
    """Return the inputs of each step in the order of the table. Loads are 0."""
    wave = shaking(5)
    return [
        [wave(step * STEP).get(one.name, 0.0) for one in structure_inputs(structure)]
        for step in range(steps)
    ]


def model_records(structure: Structure, rows: list[list[float]], **options: Any) -> list[list[str]]:
    """Return outputs of the Python model in hexadecimal, initially and after each step."""
    names = [one.name for one in structure_inputs(structure)]
    model = ModalShock(structure, **options, **dict(zip(names, rows[0], strict=True)))
    records = [model.output_values()]
    for row in rows:
        model.step_values(STEP, row)
        records.append(model.output_values())
    return [[float(value).hex() for value in values] for values in records]


def merged(structure: Structure, record: dict[str, list[Any]]) -> list[str]:
    reals, counts = iter(record["Real"]), iter(record["Integer"])
    return [
        next(reals) if one.kind is float else float(next(counts)).hex()
        for one in structure_outputs(structure)
    ]


def played(fmu: Path, folder: Path, structure: Structure, rows: Any, **start: float) -> list[Any]:
    inputs = tuple(one.name for one in structure_inputs(structure))
    with bare_host() as play:
        found = play([prepared(fmu, folder, rows, inputs, **start)])
    files = [file for name, file in found["modules"].items() if "wearmodel" in name]
    assert files
    assert all(Path(file).is_relative_to(folder) for file in files)
    return [merged(structure, record) for record in found["runs"][0]["records"]]


def test_the_structure_to_try_gives_the_python_model_s_numbers_bit_by_bit(built, tmp_path):
    rows = rows_of(Slave.structure, 60)
    records = played(built("ModalShock"), tmp_path, Slave.structure, rows)
    assert records == model_records(Slave.structure, rows)
    assert len({tuple(record) for record in records}) > 50  # outputs change


def test_a_structure_of_one_s_own_gives_the_python_model_s_numbers_bit_by_bit(tmp_path):
    structure = random_structure(3)
    fmu = build_fmu(definition_of("ModalShock", structure), tmp_path, file_stem="Tube")
    assert fmu.name == "Tube.fmu"
    rows = rows_of(structure, 40)
    records = played(fmu, tmp_path / "run", structure, rows, input_extrapolation_order=1)
    assert records == model_records(structure, rows, input_extrapolation_order=1)


def test_the_parameters_of_a_contact_are_the_structure_s_and_can_be_set(tmp_path):
    structure = random_structure(4)
    fmu = build_fmu(definition_of("ModalShock", structure), tmp_path)
    contact = structure.contacts[0]
    variables = {one.name: one for one in fmpy.read_model_description(fmu).modelVariables}
    for field in dataclasses.fields(contact.parameters):
        if "friction_table" in field.name:  # from the structure file only
            assert not any(field.metadata.get("table", field.name) in name for name in variables)
            continue
        variable = variables[f"{contact.name}.{field.name}"]
        value = getattr(contact.parameters, field.name)
        if variable.type == "Boolean":
            assert variable.start == str(value).lower()
        else:
            assert float(variable.start) == value
    rows = rows_of(structure, 20)
    wider = dataclasses.replace(contact.parameters, gap=2.0 * contact.parameters.gap)
    changed = dataclasses.replace(
        structure,
        contacts=(dataclasses.replace(contact, parameters=wider), *structure.contacts[1:]),
    )
    start = {f"{contact.name}.gap": wider.gap}
    records = played(fmu, tmp_path / "run", structure, rows, **start)
    assert records == model_records(changed, rows)
    assert records != model_records(structure, rows)


def test_names_are_structured_and_the_structure_lies_in_the_archive(tmp_path):
    structure = random_structure(3)
    fmu = build_fmu(definition_of("ModalShock", structure), tmp_path)
    assert fmpy.read_model_description(fmu).variableNamingConvention == "structured"
    with zipfile.ZipFile(fmu) as archive:
        inside = structure_of(json.loads(archive.read("resources/structure.json")))
    assert inside == structure


def test_an_fmu_is_stale_for_another_structure(tmp_path):
    fmu = build_fmu(definition_of("ModalShock", random_structure(3)), tmp_path)
    assert not is_stale(fmu, model=definition_of("ModalShock", random_structure(3)))
    assert is_stale(fmu, model=definition_of("ModalShock", random_structure(4)))
    assert is_stale(fmu)


def test_only_modal_shock_takes_a_structure(tmp_path):
    with pytest.raises(
        ValueError, match="DisChoc does not accept a structure file: use ModalShock"
    ):
        build_fmu(definition_of("DisChoc", random_structure(3)), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_two_structures_in_one_process_do_not_mix(tmp_path):
    structures = [random_structure(3), random_structure(4)]
    fmus = [
        build_fmu(definition_of("ModalShock", structure), tmp_path, file_stem=f"S{number}")
        for number, structure in enumerate(structures)
    ]
    rows = rows_of(structures[0], 15)
    inputs = tuple(one.name for one in structure_inputs(structures[0]))
    with bare_host() as play:
        found = play([prepared(fmu, tmp_path / fmu.stem, rows, inputs) for fmu in fmus])
    for structure, run in zip(structures, found["runs"], strict=True):
        records = [merged(structure, record) for record in run["records"]]
        assert records == model_records(structure, rows)
        assert not any(math.isnan(float.fromhex(value)) for value in records[-1])


TWICE = """
import sys
import fmpy

for _ in range(2):
    run = fmpy.simulate_fmu(sys.argv[1], stop_time=0.01, output_interval=1e-3)
    print(float(run[sys.argv[2]][-1]).hex(), flush=True)
"""


def test_an_fmu_of_a_structure_runs_again_when_its_first_folder_is_gone(tmp_path):
    structure = random_structure(3)
    fmu = build_fmu(definition_of("ModalShock", structure), tmp_path, file_stem="Rack")
    output = structure_outputs(structure)[0].name
    # fmpy unpacks each run into a new folder and then removes it.
    done = subprocess.run(
        [sys.executable, "-c", TWICE, str(fmu), output], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.split()
    assert first == second
