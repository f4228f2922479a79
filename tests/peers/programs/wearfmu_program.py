"""Programs with the FMUs of this project, driven by fmpy, and with its compiled runs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import ball as b
import numpy as np
from serve import serve

from fmu_src.models import definition_of
from harness.fmu.files import native_fmu, own_fmu
from tests.benchmarks.references import ours
from tests.benchmarks.references.fmu_instance import FmuInstance
from tests.benchmarks.tube import (
    SAMPLE_STEP,
    NativeTube,
    displacement_names,
    shaking,
)
from tests.benchmarks.tube import (
    tube as tube_of,
)
from tests.peers.problems import TUBE_STEPS
from wearmodel import FrictionalShockParameters, NormalLaw, run_blocks, run_structure
from wearmodel.batch.record_runs import run_records

FOLDER = Path(sys.argv[1]).absolute()
BALL = {
    "mass": b.MASS,
    "gravity": b.GRAVITY,
    "restitution": b.RESTITUTION,
    "initial_normal_displacement": b.HEIGHT,
}


def _unpacked() -> Path:
    return Path(tempfile.mkdtemp(dir=FOLDER))


def shoe(setting: dict[str, Any], data: Any) -> Any:
    amplitude, form = setting["amplitude"], setting["form"]
    if form == "FMU":
        through = ours.ThroughTheFmu(own_fmu("FrictionalShock", FOLDER), _unpacked())
        return lambda: [through.solve(amplitude, setting)]
    if form == "native FMU":
        derived = ours.ByDerivatives(native_fmu("FrictionalShock", FOLDER), _unpacked())
        return lambda: [derived.solve(amplitude, setting)]
    method = ours.compiled_polynomials()
    return lambda: [method.solve(amplitude, setting)]


def ball(setting: dict[str, Any], data: Any) -> Any:
    if setting["form"] == "run_records":
        parameters = FrictionalShockParameters(normal_law=NormalLaw.rigid, **BALL)
        times = np.array([0.0, *b.TIMES])

        def by_records() -> list[float]:
            runs = run_records(parameters, times, base_acceleration=0.0 * times, histories=["gap"])
            return [*runs.histories["gap"][1:-1], float(runs.final["impact_impulse"])]

        return by_records
    make = own_fmu if setting["form"] == "FMU" else native_fmu
    instance = FmuInstance(
        make("FrictionalShock", FOLDER), _unpacked(), [], ["gap", "impact_impulse"]
    )
    parameters = {**BALL, "normal_law": int(NormalLaw.rigid)}
    instance.start(**parameters)
    slave, begins = instance.slave, [0.0, *b.TIMES]

    def by_steps() -> list[float]:
        instance.restart(**parameters)
        gaps = []
        for begin, end in zip(begins, b.TIMES, strict=False):
            slave.fmi2DoStep(slave.component, begin, end - begin, 1)
            slave.fmi2GetReal(
                slave.component, instance.output_references, 2, instance.output_values
            )
            gaps.append(instance.output_values[0])
        return [*gaps[:-1], instance.output_values[1]]

    return by_steps


def tube(setting: dict[str, Any], data: Any) -> Any:
    structure = tube_of(len(data["stiffness"]), len(data["laws"]))
    if setting["form"] == "native FMU":
        native = NativeTube(
            native_fmu(
                definition_of("ModalShock", structure),
                FOLDER,
                file_stem=f"tube_{len(data['stiffness'])}",
            ),
            _unpacked(),
            TUBE_STEPS,
        )

        def by_steps() -> list[float]:
            native.run()
            return native.displacements()

        return by_steps

    def by_structure() -> list[float]:
        final = run_structure(
            structure, shaking(TUBE_STEPS), step_size=SAMPLE_STEP, steps=TUBE_STEPS
        ).final
        return [float(final[name]) for name in displacement_names()]

    return by_structure


def blocks(setting: dict[str, Any], data: Any) -> Any:
    yields, times, record = (np.array(data[name]) for name in ("yields", "times", "record"))
    acceleration = data["gravity"] * record
    return lambda: run_blocks(yields, times, acceleration, one_way=True).peak[:, 0]


if __name__ == "__main__":
    serve({"shoe": shoe, "ball": ball, "tube": tube, "blocks": blocks})
