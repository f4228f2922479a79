"""A case names a structure file, and sets parameters and inputs by dotted names or tables."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from harness.case.case_file import load_case
from harness.case.case_fmu import case_fmu_path, fmu_of
from harness.case.case_result import run_case
from harness.command_line import main
from harness.errors import CaseError
from harness.life import load_life, run_life
from harness.sweep import Sweep, kernel_runs, load_sweep
from harness.sweep.batch import run_batch
from harness.sweep.sweep_run import sweep_digest
from tests.structures import contact, document, point, toml

FLOOR = {"gap": -1e-5, "tangential_stiffness": 1e6, "friction_coefficient": 0.1}
STRUCTURE = toml(
    document(
        [0.0, 0.0],
        contact("floor", "foot", **FLOOR),
        points=[point("foot", x=[1.0, 0.0], z=[0.0, 1.0])],
        base={"participation_z": [0.0, 1.0], "gravity_z": -10.0},
        load=[{"name": "push", "shape": [1.0, 0.0]}],
        initial={"velocity": [1.0, 0.0]},
    )
)
# The block slides v²/2μg, less the residual stretch μ F_N/K_T.
CASE = """\
[case]
title = "slides to rest"
source = "v²/2μg"
fmu = "ModalShock"
structure = "block.toml"
[parameters]
{parameters}
[inputs]
{inputs}
[experiment]
stop_time = 1.0
step_size = 0.1
[[expect]]
quantity = "value"
variable = "floor.sliding_distance"
time = 1.0
value = 0.249998
rtol = 1e-9
source = "v²/2μg − μ F_N/K_T"
reason = "rounding, and the force that is left where the block stops"
"""
DOTTED = {
    "parameters": "floor.friction_coefficient = 0.2",
    "inputs": 'load.push = {kind = "constant", value = 0.0}',
}
QUOTED = {
    "parameters": '"floor.friction_coefficient" = 0.2',
    "inputs": '"load.push" = {kind = "constant", value = 0.0}',
}


def written(folder: Path, texts: dict[str, str], case: str | None = None) -> Path:
    (folder / "block.toml").write_text(STRUCTURE, encoding="utf-8")
    path = folder / "slide.toml"
    path.write_text((case or CASE).format(**texts), encoding="utf-8")
    return path


def test_tables_within_tables_are_dotted_names(tmp_path: Path) -> None:
    dotted = load_case(written(tmp_path, DOTTED))
    quoted = load_case(written(tmp_path, QUOTED))
    assert dotted.parameters == quoted.parameters == {"floor.friction_coefficient": 0.2}
    assert dotted.inputs == quoted.inputs
    assert list(dotted.inputs) == ["load.push"]
    assert dotted.files_read == (tmp_path / "slide.toml", tmp_path / "block.toml")


def test_a_case_of_a_structure_runs_through_an_fmu_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, DOTTED)
    assert main(["run", str(file), "--out", str(tmp_path / "fmus")]) == 0
    assert "0.249998" in capsys.readouterr().out
    (fmu,) = (tmp_path / "fmus").iterdir()
    case = load_case(file)
    assert fmu == case_fmu_path(case, tmp_path / "fmus") == fmu_of(case, tmp_path / "fmus")
    assert fmu.name.startswith("ModalShock_")


@pytest.mark.parametrize(
    ("fmu", "structure", "message"),
    [
        ("DisChoc", "block.toml", "DisChoc does not accept a structure file: use ModalShock"),
        ("other.fmu", "block.toml", "case.structure = 'block.toml' requires case.fmu = \"ModalSh"),
        ("ModalShock", "slide.toml", "slide.toml is a case, not a structure file"),
    ],
)
def test_a_structure_that_does_not_belong_is_refused(
    tmp_path: Path, fmu: str, structure: str, message: str
) -> None:
    text = CASE.replace('"ModalShock"', f'"{fmu}"').replace('"block.toml"', f'"{structure}"')
    case = load_case(written(tmp_path, DOTTED, text))
    with pytest.raises(CaseError) as refused:
        fmu_of(case, tmp_path / "fmus")
    assert message in str(refused.value)


def test_an_unknown_name_points_to_the_list_of_the_structures_own_variables(
    tmp_path: Path,
) -> None:
    case = load_case(
        written(tmp_path, {**DOTTED, "inputs": "load.pull = {kind = 'constant', value = 0.0}"})
    )
    fmu = fmu_of(case, tmp_path / "fmus")
    with pytest.raises(CaseError) as refused:
        run_case(case, fmu)
    assert f"`wearfmu variables {fmu}` lists all" in str(refused.value)


def test_a_case_without_its_structure_says_whose_tube_it_runs(tmp_path: Path) -> None:
    text = CASE[: CASE.index("[[expect]]")].replace('structure = "block.toml"\n', "")
    case = load_case(written(tmp_path, {"parameters": "", "inputs": ""}, text))
    result = run_case(case, fmu_of(case, tmp_path / "fmus"))
    assert result.failure is None
    assert result.notes[0] == (
        'no structure is given, so ModalShock runs its example, a tube: set structure = "FILE" '
        "under [case] to run your own"
    )


def test_a_table_that_is_no_signal_is_still_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"inputs\.load\.push\.kind is missing"):
        load_case(written(tmp_path, {**DOTTED, "inputs": "load.push = {value = 0.0}"}))


SWEEP = """\
[sweep]
title = "how far it slides"
case = "slide.toml"
engine = "{engine}"
output = "slides.csv"
quantities = [{{name = "way", quantity = "value", variable = "floor.sliding_distance", time = 1.0}}]
[design]
kind = "list"
[vary.friction]
of = "parameters.floor.friction_coefficient"
values = [0.2, 0.4]
"""


def test_a_sweep_varies_a_contact_s_parameter_through_the_fmu(tmp_path: Path) -> None:
    written(tmp_path, DOTTED)
    file = tmp_path / "sweep.toml"
    file.write_text(SWEEP.format(engine="fmu"), encoding="utf-8")
    sweep = load_sweep(file, fmu_folder=tmp_path / "fmus")
    rows, _ = run_batch(sweep.study, sweep.points)
    # v²/2μg less the stretch μ F_N/K_T.
    assert [row.values[0] for row in rows] == pytest.approx([0.25 - 2e-6, 0.125 - 4e-6], rel=1e-9)


def swept(folder: Path, engine: str, **texts: str) -> Sweep:
    """Return the sweep of the block with an engine. `texts` replaces sections of the case."""
    written(folder, {**DOTTED, **texts})
    file = folder / "sweep.toml"
    file.write_text(SWEEP.format(engine=engine), encoding="utf-8")
    return load_sweep(file, fmu_folder=folder / "fmus")


def test_a_sweep_by_the_kernel_runs_the_structure_of_its_case(tmp_path: Path) -> None:
    sweep = swept(tmp_path, "kernel")
    rows, _ = run_batch(sweep.study, sweep.points)
    assert [row.values[0] for row in rows] == pytest.approx([0.25 - 2e-6, 0.125 - 4e-6], rel=1e-9)


# The block slides back and forth and is thrown off the floor.
KNOCKING = {
    "parameters": 'input_timing = "{timing}"\nfloor.friction_coefficient = 0.2',
    "inputs": (
        'load.push = {kind = "noise", rms = 8.0, low = 1.0, high = 4.0, sample_interval = 0.05}\n'
        'base_acceleration_z = {kind = "sine", amplitude = 30.0, frequency = 3.0}'
    ),
}


@pytest.mark.parametrize("timing", ["end", "start"])
def test_points_of_a_structure_have_the_bits_of_single_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timing: str
) -> None:
    texts = {**KNOCKING, "parameters": KNOCKING["parameters"].format(timing=timing)}
    monkeypatch.setitem(globals(), "CASE", CASE.replace("step_size = 0.1", "step_size = 0.0125"))
    sweep = swept(tmp_path, "kernel", **texts)
    # Another process receives the study as bytes.
    study = pickle.loads(pickle.dumps(sweep.study))
    case = load_case(tmp_path / "slide.toml")
    fmu = fmu_of(case, tmp_path / "fmus")
    runs = dict(kernel_runs(study, sweep.points))
    for index, (friction,) in enumerate(sweep.points):
        run = runs[index]
        single = run_case(
            replace(case, parameters={**case.parameters, "floor.friction_coefficient": friction}),
            fmu,
        ).record
        assert single is not None
        assert not isinstance(run, str), run
        way = run["floor.sliding_distance"]
        assert way.tolist() == single["floor.sliding_distance"].tolist()
        assert way[-1] > 0.01
        assert single["floor.shock_count"][-1] > 0


def test_a_point_that_breaks_a_rule_of_its_contact_fails_alone(tmp_path: Path) -> None:
    sweep = swept(tmp_path, "kernel", parameters='input_timing = "end"')
    rows, _ = run_batch(sweep.study, [(-0.2,), (0.2,)])
    assert rows[0].failure == "floor: friction_coefficient=-0.2 must be ≥ 0"
    assert rows[1].failure is None


@pytest.mark.parametrize(
    ("of", "message"),
    [
        ("parameters.floor.offset", "'floor.offset' is not a parameter of ModalShock"),
        ("parameters.flor.gap", "'flor.gap' is not a parameter of ModalShock; did you mean"),
        ("structure.modes.damping_ratio", "must be parameters.NAME or inputs.NAME.KEY"),
    ],
)
def test_what_a_sweep_cannot_vary_of_a_structure_is_named(
    tmp_path: Path, of: str, message: str
) -> None:
    written(tmp_path, DOTTED)
    file = tmp_path / "sweep.toml"
    text = SWEEP.format(engine="kernel").replace("parameters.floor.friction_coefficient", of)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError) as refused:
        load_sweep(file, fmu_folder=tmp_path / "fmus")
    assert message in str(refused.value)


def test_another_structure_is_another_sweep(tmp_path: Path) -> None:
    digest = sweep_digest(swept(tmp_path, "kernel"))
    (tmp_path / "block.toml").write_text(STRUCTURE.replace("-10.0", "-9.0"), encoding="utf-8")
    again = load_sweep(tmp_path / "sweep.toml", fmu_folder=tmp_path / "fmus")
    assert sweep_digest(again) != digest


@pytest.mark.long
def test_a_life_wears_the_structure_of_its_case(tmp_path: Path) -> None:
    # The push balances the friction, so the block keeps sliding at 1 m/s under 10 N. The worn
    # depth is so small that the fall to the worn floor does not change its speed.
    steady = {"inputs": 'load.push = {kind = "constant", value = 2.0}'}
    file = written(tmp_path, {**DOTTED, **steady})
    text = file.read_text(encoding="utf-8").partition("[[expect]]")[0]
    text = text.replace("value = 0.0", "value = 1.0")
    text += (
        "[life]\nyears = 1.0\nlaw = {kind = 'ARCHARD', coefficient = 1e-20}\n"
        "shape = {kind = 'FLAT', wear_area = 1e-4}\n"
    )
    file.write_text(text, encoding="utf-8")
    last = run_life(load_life(file)).states[-1]
    assert last.power == pytest.approx(10.0, rel=1e-5)


def test_wear_feedback_of_a_structure_s_contact_is_off_within_the_runs_of_a_life(
    tmp_path: Path,
) -> None:
    file = written(tmp_path, DOTTED)
    structure = STRUCTURE.replace("gap = -1e-05", "gap = -1e-05\nwear_feedback = true")
    (tmp_path / "block.toml").write_text(structure, encoding="utf-8")
    text = file.read_text(encoding="utf-8").partition("[[expect]]")[0]
    text = text.replace("value = 0.0", "value = 1.0")
    text += (
        "[life]\nyears = 1.0\nlaw = {kind = 'ARCHARD', coefficient = 1e-20}\n"
        "shape = {kind = 'FLAT', wear_area = 1e-4}\n"
    )
    file.write_text(text, encoding="utf-8")
    (motion,) = load_life(file).motions
    assert motion.case.parameters["floor.wear_feedback"] is False
