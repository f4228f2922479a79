"""The life cycle of an FMU instance. The outputs of the slave can be computed by hand."""

import signal
import tempfile
from pathlib import Path

import numpy as np
import pytest

from fmu_src.archive.builder import build_fmu
from harness import RunError, simulate
from harness.fmu import simulation
from harness.fmu.experiment import Experiment
from harness.fmu.signals import ConstantSignal, TableSignal

EIGHTHS = Experiment(stop_time=1.0, step_size=0.125)
THREE = ConstantSignal(kind="constant", value=3.0)
RAMP = TableSignal(kind="table", time=(0.0, 1.0), value=(0.0, 8.0))  # points: 0, 1, … 8


@pytest.fixture
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set the folder where FMUs are extracted during the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_record_holds_the_initial_values_and_those_after_each_step(toy_fmu):
    record = simulate(toy_fmu, EIGHTHS, inputs={"rate": THREE})
    assert record.times.tolist() == [i / 8 for i in range(9)]
    assert record.values["total"].tolist() == [3.0 * i / 8 for i in range(9)]
    assert record.values["count"].tolist() == list(range(9))
    assert record.steps == 8


def test_input_at_start_sets_the_value_of_the_beginning_of_the_step(toy_fmu):
    record = simulate(toy_fmu, EIGHTHS, inputs={"rate": RAMP})
    # The first row is the value at 0 s. Row i has the value at the start of step i.
    assert record.values["seen_rate"].tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7]


def test_input_at_end_sets_the_value_of_the_end_of_the_step(toy_fmu):
    at_end = Experiment(stop_time=1.0, step_size=0.125, input_at="end")
    record = simulate(toy_fmu, at_end, inputs={"rate": RAMP})
    assert record.values["seen_rate"].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("input_at", ["start", "end"])
def test_initialisation_sees_the_input_at_the_start_time(toy_fmu, input_at):
    late = Experiment(start_time=0.5, stop_time=1.0, step_size=0.125, input_at=input_at)
    record = simulate(toy_fmu, late, inputs={"rate": RAMP})
    assert record.values["seen_rate"][0] == 4.0


def test_an_input_that_is_not_listed_keeps_its_start_value(toy_fmu):
    record = simulate(toy_fmu, EIGHTHS, inputs={"offset_rate": THREE})
    assert record.values["total"][-1] == 3.0
    assert not np.any(record.values["seen_rate"])


def test_two_inputs_reach_their_own_variables(toy_fmu):
    record = simulate(toy_fmu, EIGHTHS, inputs={"offset_rate": RAMP, "rate": THREE})
    assert record.values["total"][-1] == 3.0 + (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7) / 8
    assert np.all(record.values["seen_rate"] == 3.0)


def test_parameters_of_every_type_arrive(toy_fmu):
    record = simulate(
        toy_fmu,
        EIGHTHS,
        parameters={"gain": 5, "repeat": 3, "shape": "square", "enabled": False, "note": "épure"},
        inputs={"rate": THREE},
    )
    assert record.values["total"][-1] == 5 * 3 * 2 * 3.0
    assert not np.any(record.values["enabled_seen"])
    assert record.values["note_length"][-1] == len("épure")


def test_steps_follow_on_one_another_without_drift(toy_fmu):
    record = simulate(toy_fmu, Experiment(stop_time=12.0, step_size=1e-3))
    # The slave computes its own time as count·step and compares it with the time from the master.
    assert record.values["clock_error"][-1] == 0.0


def test_only_the_variables_asked_for_are_read(toy_fmu):
    record = simulate(toy_fmu, EIGHTHS, variables=("count", "gain"))
    assert list(record.values) == ["count", "gain"]
    assert np.all(record.values["gain"] == 1.0)


def test_a_discarded_step_ends_the_run_with_the_message_of_the_fmu(toy_fmu):
    with pytest.raises(RunError) as caught:
        simulate(toy_fmu, EIGHTHS, parameters={"discard_at": 0.5}, inputs={"rate": THREE})
    assert str(caught.value) == ("fmi2DoStep at t=0.5 s: discard: rate=3.0 1/s is 100 % too much")
    assert not caught.value.fatal


def test_a_refused_initialisation_ends_the_run_with_the_user_s_text_as_it_was_written(tmp_path):
    # The FMU doubles % and #, because its log messages are formats. The toy FMU does not.
    source = build_fmu("BaseMotion", tmp_path)
    file = "/none/5%sine ##1.csv"
    with pytest.raises(RunError) as caught:
        simulate(source, EIGHTHS, parameters={"kind": "csv", "file": file})
    assert str(caught.value).startswith("fmi2ExitInitializationMode at initialisation: error: ")
    assert file in str(caught.value)
    assert not caught.value.fatal


def test_a_fatal_step_ends_the_run_and_the_process_lives(toy_fmu):
    with pytest.raises(
        RunError, match=r"fmi2DoStep at t=0.5 s: fatal: .*raised on purpose"
    ) as caught:
        simulate(toy_fmu, EIGHTHS, parameters={"raise_at": 0.5})
    assert caught.value.fatal
    assert simulate(toy_fmu, EIGHTHS, inputs={"rate": THREE}).values["total"][-1] == 3.0


def test_an_interrupt_inside_a_slave_is_the_user_s_and_no_failure(toy_fmu, temporary_folder):
    # A test run in the background ignores interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            simulate(toy_fmu, EIGHTHS, parameters={"interrupt_at": 0.5})
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert list(temporary_folder.iterdir()) == []


def test_an_interrupt_that_is_handled_elsewhere_is_left_alone(toy_fmu):
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: seen.append(number))
    try:
        record = simulate(
            toy_fmu, EIGHTHS, parameters={"interrupt_at": 0.875}, inputs={"rate": THREE}
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]
    assert record["total"][-1] == 3.0


def test_an_output_that_is_not_a_number_ends_the_run(toy_fmu):
    with pytest.raises(RunError, match=r"seen_rate=nan at t=0.625 s must be finite"):
        simulate(toy_fmu, EIGHTHS, parameters={"nan_at": 0.5})


@pytest.mark.parametrize(
    "parameters",
    [{}, {"discard_at": 0.5}, {"raise_at": 0.5}, {"nan_at": 0.5}],
    ids=["good run", "discard", "fatal", "nan"],
)
def test_nothing_is_left_in_the_temporary_folder(toy_fmu, temporary_folder, parameters):
    seen: list[int] = []

    def look(_done: float) -> None:
        seen.append(len(list(temporary_folder.iterdir())))

    try:
        simulate(toy_fmu, EIGHTHS, parameters=parameters, progress=look)
    except RunError:
        assert parameters
    assert set(seen) == {1}  # the FMU was extracted here while it ran
    assert list(temporary_folder.iterdir()) == []


def test_an_fmu_is_never_extracted_where_its_library_would_crash(toy_fmu, tmp_path, monkeypatch):
    accented = tmp_path / "été # 100%"
    accented.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(accented))

    def look(_done: float) -> None:
        assert list(accented.iterdir()) == []

    simulate(toy_fmu, EIGHTHS, progress=look)


def test_an_fmu_in_a_folder_with_an_accent_runs(toy_fmu, tmp_path):
    folder = tmp_path / "été # 100%"
    folder.mkdir()
    copy = folder / "ToyIntegrator.fmu"
    copy.write_bytes(toy_fmu.read_bytes())
    assert simulate(copy, EIGHTHS, inputs={"rate": THREE}).values["total"][-1] == 3.0


def test_progress_rises_from_zero_to_one(toy_fmu):
    fractions: list[float] = []
    simulate(toy_fmu, Experiment(stop_time=1.0, step_size=1e-3), progress=fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[0] == 0.0  # before the first step, which may be long
    assert fractions[-1] == 1.0
    assert len(fractions) <= 200


def test_the_progress_of_a_long_run_is_reported_every_so_many_steps(toy_fmu, monkeypatch):
    monkeypatch.setattr(simulation, "_MOST_UNREPORTED_STEPS", 4)
    fractions: list[float] = []
    simulate(toy_fmu, Experiment(stop_time=1.0, step_size=1e-3), progress=fractions.append)
    assert len(fractions) == 1 + 1000 // 4
