"""FMI 2.0 and FMI 3.0 use the same library and give identical results."""

import ctypes
from dataclasses import replace
from pathlib import Path

import fmpy
import numpy as np
import pytest

from fmu_src.models import native_fmu_names
from harness import load_case
from harness.case.case_result import checked_case
from harness.case.shipped import shipped_cases
from harness.fmu.files import native_fmu
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import read_interface
from harness.fmu.signals import Signal
from harness.fmu.simulation import simulate

from .fmi3_host import C_TYPES, OK, Host3, size_of

CASES = {
    name: file
    for name, file in shipped_cases().items()
    if load_case(file).heading.fmu in native_fmu_names()
}
COMBINATIONS = {
    "neither": (False, False),
    "early return": (False, True),
    "event mode": (True, False),
    "both": (True, True),
}


class Rows:
    """Values of scalars of a type, read by one call after each step."""

    def __init__(self, host: Host3, kind: str, names: list[str]) -> None:
        self.names = names
        count = len(names)
        references = (ctypes.c_uint32 * count)(*map(host.reference, names))
        self.values = (C_TYPES[kind] * count)()
        self.call = (f"fmi3Get{kind}", references, size_of(count), self.values, size_of(count))
        self.host = host
        self.rows: list[list[float]] = []

    def read(self) -> None:
        assert self.host.call(*self.call) == OK
        self.rows.append(list(self.values))


def run(host: Host3, times: list[float], inputs: dict[str, np.ndarray], lead: int) -> list[Rows]:
    """Return all scalar outputs of an initialised instance at the communication points."""
    names: dict[str, list[str]] = {}
    for variable in host.variables.values():
        if variable.causality == "output" and not variable.dimensions:
            names.setdefault(host.kind_of(variable.name), []).append(variable.name)
    rows = [Rows(host, kind, of_kind) for kind, of_kind in names.items()]
    for row in rows:
        row.read()
    for index, time in enumerate(times[:-1]):
        samples = {name: float(values[index + lead]) for name, values in inputs.items()}
        end = host.step(time, times[1] - times[0], **samples)
        assert (end.status, end.event, end.early) == (OK, False, False), host.messages
        for row in rows:
            row.read()
    return rows


def fmi2_record(
    fmu: Path, name: str
) -> tuple[RunRecord, dict[str, object], dict[str, Signal], int]:
    """Run a case in FMI 2.0 with sampled inputs.

    Return the record, the parameters and inputs, and whether inputs are at the end of steps.
    """
    interface = read_interface(fmu)
    case = checked_case(load_case(CASES[name]), interface)
    experiment = replace(case.experiment, input_derivatives=False)
    record = simulate(fmu, experiment, parameters=case.parameters, inputs=case.inputs)
    parameters = {key: interface.parameter(key, given)[1] for key, given in case.parameters.items()}
    lead = int(input_reading(experiment, interface, case.parameters).end == "end")
    return record, parameters, dict(case.inputs), lead


@pytest.mark.parametrize("name", CASES)
def test_every_case_has_the_bits_of_fmi_2(name, native_fmus, unpacked3, tmp_path):
    case = load_case(CASES[name])
    model = case.heading.fmu
    if case.structure is None:
        fmu2, folder = native_fmus(model), unpacked3(model)
    else:
        fmu2 = native_fmu(model, tmp_path, structure=case.structure)
        fmu3 = native_fmu(model, tmp_path, structure=case.structure, fmi=3)
        folder = Path(fmpy.extract(str(fmu3), str(tmp_path / "unpacked")))
    record, parameters, inputs, lead = fmi2_record(fmu2, name)
    samples = {key: signal.sample(record.times) for key, signal in inputs.items()}
    host = Host3(folder)
    host.set(**parameters, **{key: float(values[0]) for key, values in samples.items()})
    host.enter(case.experiment.start_time, case.experiment.stop_time)
    assert host.call("fmi3ExitInitializationMode") == OK
    compared = set()
    for rows in run(host, record.times.tolist(), samples, lead):
        columns = np.array(rows.rows, dtype=float).T
        for variable, values in zip(rows.names, columns, strict=True):
            if variable in record.values:
                np.testing.assert_array_equal(values, record.values[variable], err_msg=variable)
                compared.add(variable)
    assert compared == set(record.values)
    host.free()


@pytest.mark.parametrize(("event_mode", "early_return"), COMBINATIONS.values(), ids=COMBINATIONS)
def test_with_events_that_nobody_wants_the_bits_are_the_same_in_all_combinations(
    host3, native_fmu, event_mode, early_return
):
    record, parameters, inputs, lead = fmi2_record(native_fmu, "two_planes")
    samples = {key: signal.sample(record.times) for key, signal in inputs.items()}
    host = host3(event_mode=event_mode, early_return=early_return)
    host.initialise(**parameters, **{key: float(values[0]) for key, values in samples.items()})
    if event_mode:
        assert host.call("fmi3EnterStepMode") == OK
    for rows in run(host, record.times.tolist(), samples, lead):
        columns = np.array(rows.rows, dtype=float).T
        for variable, values in zip(rows.names, columns, strict=True):
            if variable in record.values:
                np.testing.assert_array_equal(values, record.values[variable], err_msg=variable)
    assert host.get("event_count") >= host.get("shock_count") > 0
