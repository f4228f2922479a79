"""The key [[change]] of case files: effect, errors and unsupported forms."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fmu_src.archive.builder import build_fmu
from harness import load_case, run_case
from harness.case.case_file import Case
from harness.case.mean_until import run_until
from harness.case.shipped import shipped_cases
from harness.command_line import main
from harness.errors import CaseError, UsageError
from harness.life.life_file import load_life
from harness.page import start_of_case
from harness.report.shaken_run import ShakenRun
from harness.sweep.sweep_file import load_sweep

CASE = """
[case]
title = "A block"
fmu = "FrictionalShock"

[parameters]
friction_coefficient = 0.3

[inputs.tangential_load]
kind = "constant"
value = 2.0

[[change]]
time = 0.5
friction_coefficient = 0.1

[experiment]
stop_time = 1.0
step_size = 0.125
"""
CHANGE = "[[change]]\ntime = 0.5\nfriction_coefficient = 0.1\n"


@pytest.fixture(scope="module")
def fmu_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that builds a Python FMU by name."""
    folder = tmp_path_factory.mktemp("fmus")
    return cache(lambda name: build_fmu(name, folder))


def written(folder: Path, old: str = "", new: str = "") -> Path:
    assert old in CASE
    path = folder / "case.toml"
    path.write_text(CASE.replace(old, new) if old else CASE, encoding="utf-8")
    return path


BAD = {
    "no time": ("time = 0.5\nf", "f", "change[1]: time=None must be a number [s]"),
    "time is a text": ("time = 0.5", 'time = "0.5"', "change[1]: time='0.5' must be a number [s]"),
    "nan": ("time = 0.5", "time = nan", "change[1].time: nan must be finite"),
    "names nothing": ("\nfriction_coefficient = 0.1", "", "change[1]: must contain a parameter"),
    "between points": ("time = 0.5", "time = 0.3", "0.3 s must be a communication point"),
    "outside": ("time = 0.5", "time = 2.0", "2 s must be inside the experiment [0, 1] s"),
    "at the start": ("time = 0.5", "time = 0", "change[1]: time=0 s must be after the start"),
    "at the end": ("time = 0.5", "time = 1.0", "change[1]: time=1 s must be after the start"),
    "twice": (
        CHANGE,
        CHANGE + CHANGE,
        "change[2]: time=0.5 s must be later than the change before",
    ),
    "a table": ("[[change]]", "[change]", "change"),
    "not finite": ("coefficient = 0.1", "coefficient = inf", "inf must be finite"),
}


@pytest.mark.parametrize(("old", "new", "message"), BAD.values(), ids=BAD.keys())
def test_a_change_that_breaks_a_rule_is_named_with_its_key(tmp_path, old, new, message):
    path = written(tmp_path, old, new)
    with pytest.raises(CaseError) as refusal:
        load_case(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)


BAD_FOR_THE_FMU = {
    "unknown": (
        "friction_coefficient = 0.1",
        "friction_coeficient = 0.1",
        "change[1]: 'friction_coeficient' is not a parameter of FrictionalShock.fmu; did you mean",
    ),
    "fixed": (
        "friction_coefficient = 0.1",
        "mass = 2.0",
        "change[1]: 'mass' is a fixed parameter of FrictionalShock.fmu and must be tunable",
    ),
    "an input": (
        "friction_coefficient = 0.1",
        "normal_load = 2.0",
        "change[1]: 'normal_load' is an input of FrictionalShock.fmu and not a parameter",
    ),
    "a text": (
        "friction_coefficient = 0.1",
        'friction_coefficient = "low"',
        "change[1]: friction_coefficient='low' must be a number",
    ),
}


@pytest.mark.parametrize(
    ("old", "new", "message"), BAD_FOR_THE_FMU.values(), ids=BAD_FOR_THE_FMU.keys()
)
def test_what_the_fmu_does_not_let_change_is_refused_before_the_run(
    tmp_path, fmu_of, old, new, message
):
    case = load_case(written(tmp_path, old, new))
    with pytest.raises(CaseError) as refusal:
        run_case(case, fmu_of("FrictionalShock"))
    assert message in str(refusal.value)


def test_a_change_acts_from_its_instant_on(tmp_path, fmu_of):
    result = run_case(load_case(written(tmp_path)), fmu_of("FrictionalShock"))
    assert result.record is not None
    velocity = result.record["relative_velocity"]
    # The row at the time of a change shows the state before the change.
    np.testing.assert_allclose(velocity, np.maximum(0.0, result.record.times - 0.5), rtol=1e-14)
    assert list(result.record["contact_mode"]) == [1.0] * 5 + [2.0] * 4


def test_a_value_that_the_model_refuses_ends_the_run_with_its_reason(tmp_path, fmu_of):
    case = load_case(written(tmp_path, "coefficient = 0.1", "coefficient = -0.1"))
    result = run_case(case, fmu_of("FrictionalShock"))
    assert result.failure is not None
    assert "t=0.5 s" in result.failure
    assert "friction_coefficient=-0.1 must be ≥ 0" in result.failure


@pytest.mark.parametrize(
    "key", ["support_2.gap", '"support_2.gap"', "support_2.friction_coefficient"]
)
def test_contacts_of_a_structure_have_dots_in_their_names(tmp_path, key):
    text = CASE.replace("FrictionalShock", "ModalShock").replace(
        "friction_coefficient = 0.1", f"{key} = 0.1"
    )
    path = tmp_path / "case.toml"
    path.write_text(text, encoding="utf-8")
    (change,) = load_case(path).changes
    assert dict(change.values) == {key.strip('"'): 0.1}


def test_who_runs_one_motion_many_times_over_does_without(tmp_path, fmu_of):
    path = written(tmp_path)
    case: Case = load_case(path)
    with pytest.raises(CaseError, match="change: --until-error requires constant parameters"):
        run_until(case, fmu_of("FrictionalShock"), 0.1)
    with pytest.raises(CaseError, match="change: wearfmu life needs a constant mean wear power"):
        load_life(path)
    with pytest.raises(UsageError, match="parameters cannot change during a run on the page"):
        start_of_case(case)
    sweep = tmp_path / "sweep.toml"
    sweep.write_text(
        f'[sweep]\ntitle = "A"\ncase = "{path}"\nengine = "kernel"\noutput = "out.csv"\n'
        'quantities = [{ quantity = "max", variable = "wear_work", window = [0.0, 1.0] }]\n'
        '[design]\nkind = "grid"\n'
        '[vary.mu]\nof = "parameters.friction_coefficient"\nstart = 0.1\nstop = 0.2\ncount = 2\n',
        encoding="utf-8",
    )
    with pytest.raises(CaseError, match="change: a sweep requires constant parameters in each run"):
        load_sweep(sweep, fmu_folder=None)


def test_the_report_marks_the_instants_and_draws_friction_as_it_was(tmp_path, fmu_of):
    result = run_case(load_case(shipped_cases()["block_let_go"]), fmu_of("FrictionalShock"))
    assert result.record is not None
    parameters = {"friction_coefficient": 0.3, "mass": 1.0}
    parameters |= {"friction_coefficient_static": -1.0, "friction_coefficient_slow": -1.0}
    parameters |= {"friction_decay_velocity": 0.0, "viscous_friction": 0.0}
    run = ShakenRun(result.record, parameters, result.case.inputs, changes=result.case.changes)
    times = result.record.times
    want = np.where(times <= 1.0, 3.0, np.where(times <= 3.0, 1.0, 6.0))
    np.testing.assert_allclose(run.friction_limit, want, rtol=1e-14)
    page = tmp_path / "report.html"
    output = tmp_path / "results.json"
    assert main(
        ["run", "block_let_go", "--report", str(page), "--json", str(output), "--out",
         str(fmu_of("FrictionalShock").parent)]
    ) == 0  # fmt: skip
    assert json.loads(output.read_text(encoding="utf-8"))["passed"] is True
    text = page.read_text(encoding="utf-8")
    assert "friction_coefficient = 0.1" in text
    assert "friction_coefficient = 0.6" in text
