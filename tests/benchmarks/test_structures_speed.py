"""Cost of a structure in its contacts, compiled: by modes and contacts, and beside other schemes.

Processor time, because a machine that is shared lengthens the clock's.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time

import fmpy
import numpy as np
import pytest
from fmpy import fmi2

from fmu_src.models import definition_of
from tests.native_fmus import build_native_fmu
from wearmodel import InputTiming, run_structure
from wearmodel.batch.structure_runs import StructureRun
from wearmodel.compiled.run_library import runs_of
from wearmodel.structure import ContactObstacle, Structure

from .compiled_code import clocked, median
from .tube import SAMPLE_STEP, SCHEMES, scheme_displacements, shaking, tube, tube_arrays

MODES = (5, 10, 30, 100)
CONTACTS = (1, 4, 20)
ROUNDS = 3


def ours(modes: int, contacts: int, steps: int) -> StructureRun:
    return run_structure(tube(modes, contacts), shaking(steps), step_size=SAMPLE_STEP, steps=steps)


def processor_seconds(action: Callable[[], object]) -> float:
    return median([clocked(action) for _ in range(ROUNDS)]).processor


@pytest.mark.parametrize("modes", MODES)
def test_cost_of_a_piece(modes, benchmark, capsys):
    if not runs_of("ModalShock").is_compiled:
        pytest.skip("needs a compiled kernel")
    figures = {}
    for contacts in CONTACTS:
        ours(modes, contacts, 2)
        whole = processor_seconds(partial(ours, modes, contacts, 50))
        # What the set-up of a run takes is not a piece's.
        spent = whole - processor_seconds(partial(ours, modes, contacts, 1))
        pieces = ours(modes, contacts, 50).pieces - ours(modes, contacts, 1).pieces
        figures[contacts] = 1e6 * spent / pieces
    benchmark.pedantic(ours, args=(modes, CONTACTS[0], 1), rounds=1)
    benchmark.extra_info.update({f"µs a piece, {c} contacts": f for c, f in figures.items()})
    with capsys.disabled():
        shown = ", ".join(f"{contacts}: {value:.1f}" for contacts, value in figures.items())
        print(f"\n{modes} modes, µs a piece by contacts: {shown}")


class NativeTube:
    """The native FMU of a tube; only its steps are timed."""

    def __init__(self, structure: Structure, steps: int, folder: Path) -> None:
        path = build_native_fmu(definition_of("ModalShock", structure), folder)
        description = fmpy.read_model_description(path)
        references = {one.name: one.valueReference for one in description.modelVariables}
        self.slave = fmi2.FMU2Slave(
            guid=description.guid,
            modelIdentifier="ModalShock",
            unzipDirectory=fmpy.extract(path, folder / "extracted"),
            instanceName="tube",
        )
        self.slave.instantiate()
        record = shaking(steps)
        self.inputs = [references[name] for name in record]
        self.samples = np.array(list(record.values())).T.tolist()
        self.timing = [references["input_timing"]]
        self.outputs = [references[name] for name in displacement_names()]

    def seconds(self) -> float:
        """Of processor time that the steps of a run take."""
        self.slave.reset()
        self.slave.setInteger(self.timing, [int(InputTiming.end)])
        self.slave.setupExperiment()
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()

        def run() -> None:
            for number, values in enumerate(self.samples[1:]):
                self.slave.setReal(self.inputs, values)
                self.slave.doStep(number * SAMPLE_STEP, SAMPLE_STEP)

        return clocked(run).processor

    def displacements(self) -> list[float]:
        """At the end of a run."""
        values: list[float] = self.slave.getReal(self.outputs)
        return values


def displacement_names() -> list[str]:
    return [f"p{number}.displacement_{axis}" for number in range(4) for axis in "xyz"]


@pytest.mark.parametrize("modes", [30, 60, 100])
def test_tube_beside_other_schemes(modes, tmp_path, benchmark, capsys):
    """Displacements of 4 supports at 0.05 s, and what they cost each scheme."""
    pytest.importorskip("numba")
    pytest.importorskip("pythran")
    steps, structure = 50, tube(modes, 4)
    native = NativeTube(structure, steps, tmp_path)
    native.seconds()
    fine = run_structure(
        structure,
        {
            name: np.interp(np.arange(16 * steps + 1) / 16, np.arange(steps + 1), row)
            for name, row in shaking(steps).items()
        },
        step_size=SAMPLE_STEP / 16,
        steps=16 * steps,
    )
    exact = np.array([fine.final[name] for name in displacement_names()])
    scale = np.max(abs(exact))
    own_error = np.max(abs(native.displacements() - exact)) / scale
    arrays = tube_arrays(structure, steps)
    ladder = (50, 100, 200, 500, 1000, 2000)
    rows: dict[tuple[str, int], list[float]] = {}
    errors = {}
    own: list[float] = []
    compiled: list[float] = []
    for scheme in SCHEMES:
        scheme_displacements(scheme, arrays, 1)
    for _ in range(ROUNDS):
        own.append(min(native.seconds() for _ in range(5)))
        whole = clocked(partial(ours, modes, 4, steps)).processor
        compiled.append(whole - clocked(partial(ours, modes, 4, 1)).processor)
        for scheme in SCHEMES:
            for substeps in ladder:
                started = process_time()
                reached = scheme_displacements(scheme, arrays, substeps)
                spent = process_time() - started
                rows.setdefault((scheme, substeps), []).append(spent)
                errors[scheme, substeps] = np.max(abs(reached - exact)) / scale
    needed = np.median(own)
    benchmark.pedantic(native.seconds, rounds=1)
    with capsys.disabled():
        pieces = ours(modes, 4, steps).pieces
        print(
            f"\n{modes} modes: native {1e3 * needed:.2f} ms at {own_error:.1e}, {pieces} pieces; ",
            end="",
        )
        print(f"run_structure {1e3 * np.median(compiled):.2f} ms net of set-up")
        for (scheme, substeps), seconds in rows.items():
            spent = np.median(seconds)
            print(
                f"{scheme}, {substeps} steps a ms: {errors[scheme, substeps]:.1e} in "
                f"{1e3 * spent:.2f} ms, {spent / needed:.2g} times ours"
            )
            benchmark.extra_info[f"{scheme}, {substeps} steps a ms"] = spent / needed


@pytest.mark.parametrize(("modes", "contacts"), [(10, 4), (30, 1), (30, 4)])
def test_cost_of_polygons(modes, contacts, benchmark, capsys):
    """CPU time of the tube in supports with 24 and 96 sides, in units of the round ones."""
    if not runs_of("ModalShock").is_compiled:
        pytest.skip("needs a compiled kernel")
    steps, figures = 4000, {}
    for sides in (0, 24, 96):
        structure = tube(modes, contacts)
        if sides:
            polygons = [
                replace(contact, obstacle=ContactObstacle.polygon, sides=sides)
                for contact in structure.contacts
            ]
            structure = replace(structure, contacts=tuple(polygons))
        run = partial(run_structure, structure, shaking(steps), step_size=SAMPLE_STEP, steps=steps)
        figures[sides] = processor_seconds(run)
    benchmark.pedantic(ours, args=(modes, contacts, 1), rounds=1)
    ratios = {f"{sides} sides": figures[sides] / figures[0] for sides in (24, 96)}
    benchmark.extra_info.update(ratios)
    with capsys.disabled():
        print(f"\n{modes} modes, {contacts} contacts: {ratios}")
