"""Run a shipped case in another host, with the native FMUs of FMI 2.0 and FMI 3.0.

`python -m tests.masters.shipped_case HOST CASE FOLDER` prints in JSON the largest difference
between their outputs, the numbers of outputs and rows, and the largest value. Inputs are samples at
the communication points and are set before each step. If the FMU expects inputs at the end of the
step, the sample of the next point is used. Enumerations are built into the FMUs, because not all
hosts set them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import fmpy
import numpy as np
from numpy.typing import NDArray

from harness.case.case_file import load_case
from harness.case.case_result import checked_case
from harness.case.shipped import case_file
from harness.fmu.experiment import Experiment
from harness.fmu.files import native_fmu, with_start_values
from harness.fmu.input_timing import input_reading
from harness.fmu.interface import FmuInterface, read_interface

from .ecos_master import ecos_library

Histories = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class HostedCase:
    """A case for a host: each input has a sample for each communication point."""

    interface: FmuInterface
    experiment: Experiment
    start_values: dict[str, float | int | str]
    samples: Histories
    outputs: tuple[str, ...]


def hosted_case(name: str, folder: Path, fmi: int) -> HostedCase:
    """Return a shipped case with the FMU of a version of FMI."""
    case = load_case(case_file(name))
    fmu = native_fmu(case.heading.fmu, folder, structure=case.structure, fmi=fmi)
    interface = read_interface(fmu)
    case = checked_case(case, interface)
    chosen = {
        key: value
        for key, value in case.parameters.items()
        if interface.variables[key].type == "Enumeration"
    }
    if chosen:
        fmu = with_start_values(fmu, case.heading.fmu, chosen, structure=case.structure)
        interface = read_interface(fmu)
    times = case.experiment.times()
    lead = int(input_reading(case.experiment, interface, case.parameters).end == "end")
    samples = {}
    for key, signal in case.inputs.items():
        sampled = signal.sample(times)
        samples[key] = np.append(sampled[lead:], [sampled[-1]] * lead)
    values = {
        key: interface.parameter(key, value)[1]
        for key, value in case.parameters.items()
        if key not in chosen
    }
    # Only FMI 3.0 has the event count, and ecos does not read enumerations.
    outputs = tuple(
        output
        for output in interface.outputs()
        if interface.variables[output].type in ("Real", "Integer") and output != "event_count"
    )
    return HostedCase(interface, case.experiment, values, samples, outputs)


def in_fmpy(case: HostedCase, fmu: Path | None = None) -> Histories:
    """Run with `fmpy.simulate_fmu`. A container `fmu` already has the start values."""
    times, signals = case.experiment.times(), None
    if case.samples:
        columns = [("time", float), *((name, float) for name in case.samples)]
        rows = list(zip(times, *case.samples.values(), strict=True))
        signals = np.array(rows, dtype=columns)
    result = fmpy.simulate_fmu(
        str(fmu or case.interface.path),
        start_time=case.experiment.start_time,
        stop_time=case.experiment.stop_time,
        output_interval=case.experiment.step_size,
        start_values={} if fmu else case.start_values,
        input=signals,
        output=case.outputs,
    )
    return {name: np.array(result[name], dtype=np.float64) for name in case.outputs}


def in_fmucontainer(case: HostedCase) -> Histories:
    """Run a container of the same version of FMI with only this FMU in FMPy."""
    with tempfile.TemporaryDirectory(prefix="wearfmu-") as name:
        folder = Path(name)
        shutil.copy(case.interface.path, folder / "alone.fmu")
        lines = ["rule;from_fmu;from_port;to_fmu;to_port", "FMU;alone.fmu;;;"]
        for key, value in case.start_values.items():
            is_boolean = case.interface.variables[key].type == "Boolean"
            text = str(bool(value)).lower() if is_boolean else repr(value)
            lines.append(f"START;alone.fmu;{key};{text};")
        (folder / "box.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [
            *(str(Path(sys.executable).with_name("fmucontainer")), "-fmu-directory", name),
            *("-container", f"box.csv:{case.experiment.step_size!r}"),
            *("-fmi", str(case.interface.fmi)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        if done.returncode != 0 or "Cannot expose" in said:
            raise RuntimeError(said[-500:])
        return in_fmpy(case, folder / "box.fmu")


def in_ecos(case: HostedCase) -> Histories:
    """Run in ecos, with inputs set before each step."""
    ecospy = ecos_library()
    variables = case.interface.variables
    values = {
        f"alone::{key}": bool(value) if variables[key].type == "Boolean" else value
        for key, value in case.start_values.items()
    }
    steps = case.experiment.step_count
    histories = {name: np.empty(steps + 1) for name in case.outputs}
    with ecospy.EcosSimulationStructure() as structure:
        structure.add_model("alone", str(case.interface.path))
        structure.add_parameter_set("start", values)
        step_size = case.experiment.step_size
        with ecospy.EcosSimulation(structure=structure, step_size=step_size) as simulation:

            def feed(index: int) -> None:
                for key, samples in case.samples.items():
                    simulation.set_real(f"alone::{key}", float(samples[index]))

            def read(index: int) -> None:
                for output, history in histories.items():
                    is_real = variables[output].type == "Real"
                    get = simulation.get_real if is_real else simulation.get_integer
                    history[index] = get(f"alone::{output}")

            feed(0)
            assert simulation.init(case.experiment.start_time, parameter_set="start")
            read(0)
            for index in range(steps):
                feed(index)
                simulation.step(1)
                read(index + 1)
            simulation.terminate()
    return histories


HOSTS = {"fmpy": in_fmpy, "fmucontainer": in_fmucontainer, "ecos": in_ecos}


def main(host: str, name: str, folder: str) -> None:
    """Run the case with both FMUs and print their difference."""
    run = HOSTS[host]
    second, third = (run(hosted_case(name, Path(folder), fmi)) for fmi in (2, 3))
    assert second.keys() == third.keys()
    print(flush=True)  # hosts may print other text before
    print(
        json.dumps(
            {
                "difference": max(float(np.max(np.abs(second[k] - third[k]))) for k in second),
                "outputs": len(second),
                "rows": min(map(len, third.values())),
                "largest": max(float(np.max(np.abs(values))) for values in third.values()),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
