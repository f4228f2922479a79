"""Cost of a compiled structure with contacts, by modes, contacts and sides.

The result is CPU time, because other processes increase the wall time.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from wearmodel import run_structure
from wearmodel.batch.structure_runs import StructureRun
from wearmodel.compiled.run_library import runs_of
from wearmodel.structure import ContactObstacle

from .compiled_code import clocked, median
from .tube import SAMPLE_STEP, shaking, tube

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
        # Subtract the time to set up a run.
        spent = whole - processor_seconds(partial(ours, modes, contacts, 1))
        pieces = ours(modes, contacts, 50).pieces - ours(modes, contacts, 1).pieces
        figures[contacts] = 1e6 * spent / pieces
    benchmark.pedantic(ours, args=(modes, CONTACTS[0], 1), rounds=1)
    benchmark.extra_info.update({f"µs a piece, {c} contacts": f for c, f in figures.items()})
    with capsys.disabled():
        shown = ", ".join(f"{contacts}: {value:.1f}" for contacts, value in figures.items())
        print(f"\n{modes} modes, µs a piece by contacts: {shown}")


@pytest.mark.parametrize(("modes", "contacts"), [(10, 4), (30, 1), (30, 4)])
def test_cost_of_polygons(modes, contacts, benchmark, capsys):
    """Measure the CPU time of the tube with 24 and 96 sides, relative to round supports."""
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
