"""Each FMU runs the code in its own archive, independent of the process and its path."""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fmpy
import pytest

import fmu_src.archive.builder
from fmu_src.archive.builder import build_fmu
from fmu_src.bundled.definition import FmuDefinition
from wearmodel.kernel.shoe.inputs_outputs import OUTPUTS
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters
from wearmodel.models.frictional_shock import FrictionalShock
from wearmodel.models.shock_spring import ShockSpring

STEP = 2.0**-10  # so that i·STEP and the sums of steps are exact
OK = 0


def prepared(
    fmu: Path,
    folder: Path,
    rows: list[list[float]],
    inputs: tuple[str, ...] = ("base_acceleration",),
    **start: float,
) -> dict[str, Any]:
    """Return a run of bare_host.py: extract the FMU and replace names by references."""
    description = fmpy.read_model_description(fmu)
    fmpy.extract(fmu, folder)
    identifier = description.coSimulation.modelIdentifier
    variables = {v.name: v for v in description.modelVariables}

    def kind(name: str) -> str:
        found = variables[name].type
        return "Integer" if found == "Enumeration" else found

    outputs: dict[str, list[int]] = {}
    for variable in description.modelVariables:
        if variable.causality == "output":
            outputs.setdefault(kind(variable.name), []).append(variable.valueReference)
    starts: dict[str, dict[int, float]] = {}
    for name, value in start.items():
        starts.setdefault(kind(name), {})[variables[name].valueReference] = value
    return {
        "library": str(folder / "binaries" / "linux64" / f"{identifier}.so"),
        "resources": (folder / "resources").as_uri(),
        "guid": description.guid,
        "start": starts,
        "step_size": STEP,
        "inputs": [variables[name].valueReference for name in inputs],
        "rows": rows,
        "outputs": outputs,
    }


@contextmanager
def bare_host(*flags: str, **environment: str) -> Iterator[Callable[[list[dict]], dict]]:
    """Start a host process. The function runs requests in it and returns the answer."""
    process = subprocess.Popen(
        [sys.executable, *flags, Path(__file__).with_name("bare_host.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def play(runs: list[dict]) -> dict:
        print(json.dumps(runs), file=process.stdin, flush=True)
        found: dict = json.loads(process.stdout.readline())
        assert {status for run in found["runs"] for status in run["statuses"]} == {OK}
        return found

    try:
        yield play
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.stdin.close()
        process.stdout.close()
        process.wait()


def shaking(steps: int, amplitude: float = 1.5) -> list[list[float]]:
    """Return a base acceleration [m/s2] that causes stick-slip, one row per step."""
    return [[amplitude * math.sin(2.0 * math.pi * i * STEP)] for i in range(steps)]


def shoe_records(rows: list[list[float]], **parameters: float) -> list[list[str]]:
    """Return the outputs of the Python API for the same inputs, initially and after each step."""
    model = FrictionalShock(FrictionalShockParameters(**parameters), base_acceleration=rows[0][0])
    records = [model.output_values()]
    for row in rows:
        model.step(STEP, *row)
        records.append(model.output_values())
    return [[float(value).hex() for value in values] for values in records]


def merged(record: dict[str, list[Any]], counts: tuple[int, ...]) -> list[str]:
    """Return the outputs in the order of the table. `counts` are the indices of the integers."""
    values = list(record["Real"])
    for index, value in zip(counts, record["Integer"], strict=True):
        values.insert(index, float(value).hex())
    return values


SHOE_COUNTS = tuple(i for i, output in enumerate(OUTPUTS) if output.kind is not float)
SPRING_COUNTS = (8,)  # contact_mode


def changed_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build FMUs with a kernel that adds one newton to the normal force."""
    original = fmu_src.archive.builder._bundled_sources

    def sources(definition: FmuDefinition) -> dict[str, str]:
        texts = original(definition)
        texts["wearmodel/kernel/shoe/measures.py"] += (
            "\n\n_true_measure = measure\n\n\n"
            "def measure(*arguments):\n"
            "    normal_force, *others = _true_measure(*arguments)\n"
            "    return (normal_force + 1.0, *others)\n"
        )
        return texts

    monkeypatch.setattr(fmu_src.archive.builder, "_bundled_sources", sources)


def normal_forces(run: dict) -> set[float]:
    return {float.fromhex(record["Real"][0]) for record in run["records"]}


def test_without_any_package_all_modules_are_python_s_or_the_archive_s(built, tmp_path):
    rows = shaking(200)
    folder = tmp_path / "with a space"
    with bare_host("-I", "-S") as play:
        found = play([prepared(built("FrictionalShock"), folder, rows)])
    library = Path(os.__file__).parent
    own = Path(__file__).with_name("bare_host.py")
    foreign = {
        name: file
        for name, file in found["modules"].items()
        if not (
            Path(file).is_relative_to(folder)
            or Path(file) == own
            or (Path(file).is_relative_to(library) and "site-packages" not in file)
        )
    }
    assert foreign == {}
    assert any(name.endswith("kernel.shoe.stepper") for name in found["modules"])
    records = [merged(record, SHOE_COUNTS) for record in found["runs"][0]["records"]]
    assert records == shoe_records(rows)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"friction_coefficient_static": 0.13, "stiffness": 40.0, "damping": 0.3},
        {"tangential_law": 1, "tangential_stiffness": 9e4},
        {"normal_law": 2, "initial_gap": 1e-3, "restitution": 0.6},
        {"normal_law": 1, "contact_stiffness": 1e5, "contact_damping": 3.0, "preload": 2.0},
    ],
    ids=["sdnd104", "springs", "penalised-friction", "rigid-shocks", "penalised-shocks"],
)
def test_the_fmu_gives_the_python_api_s_numbers_bit_by_bit(built, tmp_path, parameters):
    rows = shaking(1000, amplitude=4.0)
    with bare_host() as play:
        found = play([prepared(built("FrictionalShock"), tmp_path, rows, **parameters)])
    records = [merged(record, SHOE_COUNTS) for record in found["runs"][0]["records"]]
    assert records == shoe_records(rows, **parameters)
    assert len({tuple(record) for record in records}) > 100  # outputs change


def test_dis_choc_gives_the_python_api_s_numbers_bit_by_bit(built, tmp_path):
    # A constant normal load and a growing, rotating tangential load: stick, slip and turning slip.
    rows = [[-1.0, 0.01 * i * math.cos(0.05 * i), 0.01 * i * math.sin(0.05 * i)] for i in range(99)]
    spring = ShockSpring()
    records = []
    for row in [[0.0, 0.0, 0.0], *rows]:
        spring.step(load_x=row[0], load_y=row[1], load_z=row[2], step_size=STEP)
        records.append([float(value).hex() for value in spring.output_values()])
    with bare_host() as play:
        found = play(
            [prepared(built("DisChoc"), tmp_path, rows, inputs=("load_x", "load_y", "load_z"))]
        )
    assert [merged(record, SPRING_COUNTS) for record in found["runs"][0]["records"]] == records


def test_packages_of_the_same_names_on_the_host_s_path_are_not_used(built, tmp_path):
    shadow = tmp_path / "shadow"
    for package in ("wearmodel", "fmu_src", "pythonfmu"):
        (shadow / package).mkdir(parents=True)
        (shadow / package / "__init__.py").write_text("raise ImportError('the host s own')\n")
    rows = shaking(100)
    with bare_host(PYTHONPATH=str(shadow)) as play:
        found = play([prepared(built("FrictionalShock"), tmp_path / "shoe", rows)])
    assert "wearmodel" not in found["modules"]
    records = [merged(record, SHOE_COUNTS) for record in found["runs"][0]["records"]]
    assert records == shoe_records(rows)


def test_two_fmus_in_one_process_do_not_disturb_each_other(built, tmp_path):
    rows = shaking(100)
    loads = [[-0.01 * i, 0.02 * i] for i in range(100)]
    shoe = prepared(built("FrictionalShock"), tmp_path / "shoe", rows)
    spring = prepared(built("DisChoc"), tmp_path / "spring", loads, inputs=("load_x", "load_y"))
    with bare_host() as play:
        both = play([shoe, spring])["runs"]
    with bare_host() as play:
        alone = [play([one])["runs"][0] for one in (spring, shoe)]
    assert both == alone[::-1]


def test_two_versions_of_an_fmu_in_one_process_run_their_own_code(built, tmp_path, monkeypatch):
    changed_kernel(monkeypatch)
    other = build_fmu("FrictionalShock", tmp_path)
    rows = shaking(20)
    folders = [tmp_path / "present", tmp_path / "other"]
    with bare_host() as play:
        found = play(
            [
                prepared(path, folder, rows)
                for path, folder in zip((built("FrictionalShock"), other), folders, strict=True)
            ]
        )
    assert [normal_forces(run) for run in found["runs"]] == [{10.0}, {11.0}]
    for folder in folders:
        kernels = [
            name
            for name, file in found["modules"].items()
            if Path(file).is_relative_to(folder) and name.endswith("kernel.shoe.measures")
        ]
        assert len(kernels) == 1


def test_a_rebuilt_fmu_read_again_by_the_same_process_runs_the_new_code(tmp_path, monkeypatch):
    rows = shaking(20)
    path = build_fmu("FrictionalShock", tmp_path)
    with bare_host() as play:
        before = play([prepared(path, tmp_path / "first", rows)])
        changed_kernel(monkeypatch)
        assert build_fmu("FrictionalShock", tmp_path) == path
        after = play([prepared(path, tmp_path / "second", rows)])
    assert normal_forces(before["runs"][0]) == {10.0}
    assert normal_forces(after["runs"][0]) == {11.0}


def test_three_hundred_instances_with_their_own_parameters_live_side_by_side(built, tmp_path):
    rows = shaking(40, amplitude=30.0)
    one = prepared(built("FrictionalShock"), tmp_path, rows, friction_coefficient=0.0)
    reference = next(iter(one["start"]["Real"]))
    coefficients = [0.001 * i for i in range(300)]
    runs = [{**one, "start": {"Real": {reference: value}}} for value in coefficients]
    with bare_host() as play:
        found = play(runs)
    for run, coefficient in zip(found["runs"], coefficients, strict=True):
        last = merged(run["records"][-1], SHOE_COUNTS)
        assert last == shoe_records(rows, friction_coefficient=coefficient)[-1]
