"""Runs of a sweep through an FMU, in any process. The study contains the FMU."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from harness.errors import RunError
from harness.fmu.history import RunRecord
from harness.fmu.input_timing import input_reading
from harness.fmu.instance import extract_fmu, safe_folder
from harness.fmu.interface import read_interface
from harness.fmu.simulation import simulate
from harness.fmu.step_check import require_fine_step
from harness.sweep.points import Point
from harness.sweep.study import Study

# Without a lock, two threads could both fill the cache, and the folder of the first would be
# removed while it is used.
_one_thread = threading.Lock()


def fmu_runs(study: Study, points: Sequence[Point]) -> Iterator[tuple[int, RunRecord | str]]:
    """Run the points, and yield the index of each with its record or its failure."""
    assert study.fmu is not None  # checked by the caller
    # Unpacked once per process, because it takes much longer than a start.
    with _one_thread:
        fmu = Path(_folder_with(study.fmu, study.model).name) / study.model
    interface = read_interface(fmu)
    for index, point in enumerate(points):
        try:
            parameters, inputs = study.parameters_at(point), study.inputs_at(point)
            reading = input_reading(study.experiment, interface, parameters)
            require_fine_step(inputs, study.experiment, reading)
            yield (
                index,
                simulate(
                    fmu,
                    study.experiment,
                    parameters=parameters,
                    inputs=inputs,
                    variables=study.variables(),
                ),
            )
        except (RunError, ValueError) as problem:
            yield index, str(problem)


@cache
def _folder_with(content: bytes, name: str) -> Any:
    """Return a temporary folder with the extracted FMU, removed at the end of the process."""
    folder = tempfile.TemporaryDirectory(prefix="wearfmu-sweep-", dir=safe_folder())
    archive = Path(folder.name) / "archive"
    archive.write_bytes(content)
    extract_fmu(archive, Path(folder.name) / name)
    return folder
