"""Cost of a structure in its contacts, compiled: a piece by modes and contacts, and beside Euler.

Processor time, because a machine that is shared lengthens the clock's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from wearmodel import run_structure
from wearmodel.batch.structure_runs import StructureRun

from .compiled_code import clocked, median
from .tube import SAMPLE_STEP, euler_displacements, shaking, tube

MODES = (5, 10, 30, 100)
CONTACTS = (1, 4, 20)
GOALS = (1e-3, 1e-6, 1e-9)
ROUNDS = 3


def ours(modes: int, contacts: int, steps: int) -> StructureRun:
    return run_structure(tube(modes, contacts), shaking(steps), step_size=SAMPLE_STEP, steps=steps)


def processor_seconds(action: Callable[[], object]) -> float:
    return median([clocked(action) for _ in range(ROUNDS)]).processor


@pytest.mark.parametrize("modes", MODES)
def test_cost_of_a_piece(modes: int, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numba")
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


def test_tube_beside_symplectic_euler(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Displacements of the supports at 0.05 s, 30 modes in 4 supports."""
    pytest.importorskip("numba")
    steps, structure = 50, tube(30, 4)
    run = ours(30, 4, steps)
    names = [f"p{number}.displacement_{axis}" for number in range(4) for axis in "xyz"]
    exact = np.array([run.final[name] for name in names])
    own = processor_seconds(partial(ours, 30, 4, steps))
    euler_displacements(structure, 1, 1)
    rows = []
    for substeps in (100, 1000, 10_000):
        reached = euler_displacements(structure, steps, substeps)
        error = np.max(abs(reached - exact)) / np.max(abs(exact))
        spent = clocked(partial(euler_displacements, structure, steps, substeps)).processor
        rows.append((substeps, error, spent))
    _, error, spent = rows[-1]
    benchmark.pedantic(ours, args=(30, 4, steps), rounds=1)
    with capsys.disabled():
        print(f"\nours: {1e3 * own:.1f} ms, {run.pieces} pieces")
        for substeps, reached, seconds in rows:
            print(
                f"symplectic Euler, {substeps} steps a ms: {reached:.1e} in {1e3 * seconds:.0f} ms"
            )
        for goal in GOALS:
            # Of the first order: the time for another error follows.
            needed = spent * error / goal
            print(f"error {goal:g}: {needed:.3g} s, {needed / own:.3g} times ours")
            benchmark.extra_info[f"times ours at {goal:g}"] = needed / own
