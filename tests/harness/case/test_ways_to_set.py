"""A parameter is set in the same ways by command line, case, sweep and Python."""

from pathlib import Path

import numpy as np
import pytest

from fmu_src.models import fmu_definition
from harness import LoadedFmu, load_case, load_fmu
from harness.case.case_result import run_case
from harness.command_line import main
from harness.errors import UsageError
from harness.fmu.interface import parameters_of_texts
from harness.sweep import load_sweep
from harness.sweep.batch import run_batch
from wearmodel import FrictionalShockParameters, NormalLaw

CASE = """\
[case]
title = "A mass on a spring"
source = "none"
fmu = "FrictionalShock"
[parameters]
normal_law = {law}
contact_stiffness = 1e3
[inputs.base_acceleration]
kind = "constant"
value = 3.0
[experiment]
stop_time = 0.2
step_size = 0.01
"""
SWEEP = """\
[sweep]
title = "Laws"
case = "case.toml"
engine = "{engine}"
output = "laws.csv"
quantities = [{{ name = "force", quantity = "max", variable = "normal_force", window = [0, 0.2] }}]
[design]
kind = "list"
[vary.law]
of = "parameters.normal_law"
values = {values}
"""


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> LoadedFmu:
    return load_fmu("FrictionalShock", folder=tmp_path_factory.mktemp("fmus"))


@pytest.mark.parametrize("law", [1, "penalty", NormalLaw.penalty, np.int64(1)])
def test_an_enumeration_is_given_to_an_fmu_by_number_or_by_name(shoe, law):
    # A mass that drops on a spring reaches a force above its weight of 10 N.
    run = shoe.simulate(0.2, 0.01, parameters={"normal_law": law, "contact_stiffness": 1e3})
    assert float(np.max(run.normal_force)) > 15.0


@pytest.mark.parametrize("law", [1, "penalty", NormalLaw.penalty])
def test_an_enumeration_is_given_to_the_python_model_by_number_or_by_name(law):
    assert FrictionalShockParameters(normal_law=law).normal_law is NormalLaw.penalty


@pytest.mark.parametrize("text", ["1", "penalty"])
def test_an_enumeration_is_set_by_number_or_by_name_and_shown_by_name(text):
    given = parameters_of_texts("--set", fmu_definition("FrictionalShock"), {"normal_law": text})
    assert given == {"normal_law": "penalty"}


@pytest.mark.parametrize("law", ["1", '"penalty"'])
def test_a_case_takes_an_enumeration_by_number_or_by_name(tmp_path, shoe, law):
    (tmp_path / "case.toml").write_text(CASE.format(law=law), encoding="utf-8")
    result = run_case(load_case(tmp_path / "case.toml"), shoe.path)
    assert result.record is not None
    assert float(np.max(result.record.normal_force)) > 15.0


@pytest.mark.parametrize("engine", ["kernel", "fmu"])
def test_a_sweep_takes_an_enumeration_by_number_or_by_name(tmp_path, shoe, engine):
    rows, notes = [], []
    for values in ("[0, 1, 2]", '["prescribed", "penalty", "rigid"]'):
        (tmp_path / "case.toml").write_text(CASE.format(law=0), encoding="utf-8")
        file = tmp_path / "sweep.toml"
        file.write_text(SWEEP.format(engine=engine, values=values), encoding="utf-8")
        sweep = load_sweep(file, fmu_folder=shoe.path.parent)
        rows.append(run_batch(sweep.study, sweep.points)[0])
        notes.append(sweep.notes)
    assert rows[0] == rows[1]
    assert [row.failure for row in rows[0]] == [None, None, None]
    assert notes[0] == notes[1]


@pytest.mark.parametrize("law", [7, -1, True, 1.5])
def test_a_number_that_is_none_of_an_enumeration_is_refused_with_those_that_there_are(shoe, law):
    wanted = r"must be one of:? prescribed( \(0\))?, penalty( \(1\))?, rigid( \(2\))?"
    with pytest.raises(ValueError, match=rf"normal_law={law} {wanted}"):
        FrictionalShockParameters(normal_law=law)
    with pytest.raises(ValueError, match=rf"normal_law={law} {wanted}"):
        shoe.simulate(0.2, 0.01, parameters={"normal_law": law})


# Decimal commas come from French or German keyboards and spreadsheets.
def test_a_decimal_comma_is_answered_with_a_point(shoe):
    remedy = r"friction_coefficient='?0,15'?:? must be a number; use a point: 0\.15"
    with pytest.raises(UsageError, match=remedy):
        parameters_of_texts(
            "--set", fmu_definition("FrictionalShock"), {"friction_coefficient": "0,15"}
        )
    with pytest.raises(ValueError, match=remedy):
        shoe.simulate(0.2, 0.01, parameters={"friction_coefficient": "0,15"})


def write_and_run(folder: Path, text: str) -> int:
    (folder / "case.toml").write_text(text, encoding="utf-8")
    return main(["run", str(folder / "case.toml")])


@pytest.mark.parametrize(
    "attempt",
    [
        lambda folder: write_and_run(folder, CASE.format(law="0\nfriction_coefficient = 0,15")),
        lambda folder: main(["run", "--input", str(folder / "quake.csv"), "--dt", "0,15"]),
    ],
    ids=["case file", "--dt"],
)
def test_a_decimal_comma_elsewhere_is_answered_with_a_point(tmp_path, capsys, attempt):
    try:
        code = attempt(tmp_path)
    except SystemExit as ended:
        code = int(str(ended.code))
    assert code == 2
    assert "use a point: 0.15" in capsys.readouterr().err
