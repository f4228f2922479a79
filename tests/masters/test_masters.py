"""SDND104 and the spring wall in all masters: closed forms, and the timing of the input."""

import math
import os
from dataclasses import replace
from pathlib import Path

import pytest

from harness.doctor import examine
from harness.fmu.interface import read_interface
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters
from wearmodel.models.frictional_shock import FrictionalShock

from .c_host import compile_host, run_host
from .cases import CASES, MasterCase
from .job import Job, MasterError
from .roster import MASTERS, play

WITHOUT_SSP = [name for name in MASTERS if not name.endswith("-ssp")]
WITH_SSP = [name for name in MASTERS if name.endswith("-ssp")]

STEP = 1e-2
STEPS = 300
AMPLITUDE, PHASE = 15.0, 0.3
OUTPUTS = ("wear_work", "relative_velocity", "relative_displacement", "absolute_acceleration")


def assert_exact(master: str, case: MasterCase, fmu_folder: Path) -> None:
    played = play(master, case.job(fmu_folder))
    assert len(played.values) == len(case.marks)
    for quantity in case.quantities:
        # cases.py gives the reason for each tolerance.
        error = quantity.error(case, played)
        assert abs(error) <= quantity.tolerance, (
            f"{quantity.output}: error {error}, tolerance {quantity.tolerance}"
        )
    assert played.seconds > 0.0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("master", WITHOUT_SSP)
def test_the_closed_form_is_reached(master, case, fmu_folder):
    assert_exact(master, case, fmu_folder)


@pytest.mark.parametrize("case", [CASES[1], CASES[-1]], ids=lambda case: case.name)
@pytest.mark.parametrize("master", WITH_SSP)
def test_one_ssp_archive_gives_the_closed_form_to_every_reader(master, case, fmu_folder):
    assert_exact(master, case, fmu_folder)


def test_the_cases_are_those_of_the_documents():
    # SDND104 (V5.01.104): means of F_N |v| over [4, 12] s, computed at 30 digits. The largest force
    # of the spring wall is from the test page of the post-processing operator.
    exact = [case.quantities[0].exact for case in CASES]
    known = [15.2670995893716, 0.409062451015709, 2.26164121279787e-4, 0.0, 9950.3719]
    # The last digit is rounded.
    assert exact == pytest.approx(known, rel=1e-9, abs=0.0)


def shaking(step: int) -> float:
    return AMPLITUDE * math.sin(2.0 * math.pi * step * STEP + PHASE)


def python_model(inputs: list[float]) -> list[float]:
    """Return the outputs of the Python model, with an input for each step."""
    model = FrictionalShock(FrictionalShockParameters(), base_acceleration=inputs[0])
    for value in inputs:
        model.step(STEP, base_acceleration=value)
    outputs = model.outputs()
    return [outputs[name] for name in OUTPUTS]


@pytest.mark.parametrize("master", MASTERS)
def test_each_step_is_given_the_motion_at_its_start(master, fmu_folder):
    job = Job(
        motion_fmu=str(fmu_folder / "BaseMotion.fmu"),
        shoe_fmu=str(fmu_folder / "FrictionalShock.fmu"),
        motion={"amplitude": AMPLITUDE, "phase": PHASE},
        shoe={},
        step_size=STEP,
        marks=(STEPS,),
        outputs=OUTPUTS,
    )
    inputs = [shaking(step) for step in range(STEPS)]
    if master == "fmpy-ssp":
        # FMPy passes values on only after each step, so the input of the first step is 0.
        inputs[0] = 0.0
    got = list(play(master, job).values[-1])
    # Accumulated times have rounding errors of up to 1e-13 s after 300 steps, and each event
    # depends on its time. The outputs are of order 1 to 100.
    assert got == pytest.approx(python_model(inputs), rel=1e-11, abs=1e-11)
    # A delay of one step must be detected.
    late = python_model([shaking(max(step - 1, 0)) for step in range(STEPS)])
    assert got != pytest.approx(late, rel=1e-3)


def refused(fmu_folder: Path) -> Job:
    job = CASES[0].job(fmu_folder)
    return replace(job, shoe={"mass": -1.0}, marks=(4, 8))


@pytest.mark.parametrize("master", ["fmpy", "fmpy-cli", "libcosim", "c-host"])
def test_a_refused_parameter_never_looks_like_a_result(master, fmu_folder):
    with pytest.raises(MasterError):
        play(master, refused(fmu_folder))


def test_the_c_host_hands_on_the_reason(fmu_folder):
    with pytest.raises(MasterError, match=r"mass=-1\.0 kg must be > 0"):
        play("c-host", refused(fmu_folder))


def test_what_the_doctor_tells_to_set_is_enough_and_needed_in_the_c_host(
    fmu_folder, tmp_path, monkeypatch
):
    # The doctor checks only the loader. Here, a host loads the FMU and steps it.
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    fmu = fmu_folder / "FrictionalShock.fmu"
    (told,) = (finding.remedy for finding in examine(fmu) if finding.subject == "C host")
    name, _, value = told.removeprefix("start the host with ").partition("=")
    assert name == "LD_PRELOAD"
    host = compile_host(tmp_path)
    for environment, code in ({}, 2), ({name: value}, 0):
        folder = tmp_path / str(code)
        folder.mkdir()
        done = run_host(
            host, [read_interface(fmu)], folder, 1e-3, "run 1\n", {**os.environ, **environment}
        )
        assert done.returncode == code, done.stderr


def test_ecos_takes_no_notice_of_refused_steps(fmu_folder):
    # Documented in docs/masters/ecos.md. If this fails, correct the page and the master.
    assert play("ecos", refused(fmu_folder)).values == ((0.0,), (0.0,))
