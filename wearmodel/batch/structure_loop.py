"""A run of a structure through sampled inputs: plain functions, interpreted or compiled.

They are loaded with their records lowered (`lowering`): a record is a row of numbers, or some rows,
and a list of records an array of one axis more.
"""

from __future__ import annotations

from ..kernel.contact.parameters import ContactLaw
from ..kernel.contact.records import ContactState, ContactWork
from ..kernel.inputs.records import Errors, Samples
from ..kernel.limits import INPUT_AT_END, OK, TIME
from ..kernel.records import Rows
from ..kernel.structure.limits import INPUT_TIMING
from ..kernel.structure.measures import fill_outputs
from ..kernel.structure.records import ModalCounts, Modes, Motion, StructurePresent
from ..kernel.structure.steps import step_structure


def run_structure_record(
    p: list[float],
    modes: Modes,
    shapes: Rows,
    drives: Rows,
    coupling: Rows,
    frames: Rows,
    observed: Rows,
    laws: list[ContactLaw],
    motion: Motion,
    contacts: list[ContactState],
    samples: Samples,
    predictions: list[Errors],
    now: StructurePresent,
    present: Rows,
    record: Rows,
    instants: list[float],
    step_size: float,
    wanted: list[int],
    history: Rows,
    values: list[float],
    sample: list[float],
    inputs: Rows,
    piece_inputs: Rows,
    displacements: Rows,
    velocities: Rows,
    works: list[ContactWork],
    forces: list[float],
    counts: ModalCounts,
) -> tuple[int, int, float]:
    """Run from instant to instant; return the code, the steps taken, and how many pieces they had.

    `record` has a row an input with its values at the `instants`. The state is that of a run that
    has started at the first of them. After each step the outputs `wanted` go into a row of
    `history`, all into `values` at the end. The rest is as `step_structure` and `fill_outputs` take
    it.
    """
    pieces = 0.0
    steps = len(instants) - 1
    for number in range(steps + 1):
        if number > 0:
            fed = number - 1
            if p[INPUT_TIMING] == INPUT_AT_END:
                fed = number
            sample[TIME] = now.time
            for k in range(len(inputs)):
                sample[k + 1] = record[k][fed]
            code = step_structure(
                p,
                modes,
                shapes,
                drives,
                coupling,
                laws,
                motion,
                contacts,
                samples,
                predictions,
                now,
                present,
                sample,
                step_size,
                inputs,
                piece_inputs,
                displacements,
                velocities,
                works,
                counts,
            )
            pieces += counts.pieces
            if code > OK:
                return code, number - 1, pieces
            # The clock of a master, so that rounding never adds up.
            now.time = instants[number - 1] + step_size
        if number == steps or len(wanted) > 0:
            fill_outputs(
                modes,
                shapes,
                drives,
                frames,
                observed,
                laws,
                motion,
                contacts,
                predictions,
                now,
                present,
                works,
                forces,
                values,
            )
            for column in range(len(wanted)):
                history[number][column] = values[wanted[column]]
    return OK, steps, pieces
