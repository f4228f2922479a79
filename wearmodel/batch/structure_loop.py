"""A run of a structure through sampled inputs: plain functions, interpreted or compiled.

They are loaded with their records lowered (`lowering`): a record is a row of numbers, or some rows,
and a list of records an array of one axis more.
"""

from __future__ import annotations

from ..kernel.limits import OK
from ..kernel.modal_measures import fill_outputs
from ..kernel.modal_records import (
    ContactLaw,
    ContactState,
    ContactWork,
    ModalCounts,
    Modes,
    Motion,
    Rows,
)
from ..kernel.modal_stepper import advance_structure


def run_structure_record(
    modes: Modes,
    shapes: Rows,
    drives: Rows,
    coupling: Rows,
    frames: Rows,
    observed: Rows,
    laws: list[ContactLaw],
    motion: Motion,
    contacts: list[ContactState],
    samples: Rows,
    step_sizes: list[float],
    wanted: list[int],
    history: Rows,
    values: list[float],
    inputs: Rows,
    present: Rows,
    piece_inputs: Rows,
    displacements: Rows,
    velocities: Rows,
    works: list[ContactWork],
    forces: list[float],
    counts: ModalCounts,
) -> tuple[int, int, float]:
    """Run from sample to sample; return the code, the steps taken, and how many pieces they had.

    `samples` has a row an input, one number more than there are steps; between them the inputs are
    straight lines. After each step the outputs `wanted` go into a row of `history`, all into
    `values` at the end. The rest is as `advance_structure` and `fill_outputs` take it.
    """
    counts.inputs = 2.0
    pieces = 0.0
    steps = len(step_sizes)
    for number in range(steps + 1):
        if number > 0:
            step_size = step_sizes[number - 1]
            for k in range(len(inputs)):
                row = inputs[k]
                row[0] = samples[k][number - 1]
                row[1] = (samples[k][number] - samples[k][number - 1]) / step_size
            code = advance_structure(
                modes,
                shapes,
                drives,
                coupling,
                laws,
                motion,
                contacts,
                inputs,
                piece_inputs,
                displacements,
                velocities,
                works,
                step_size,
                counts,
            )
            pieces += counts.pieces
            if code != OK:
                return code, number - 1, pieces
        if number == steps or len(wanted) > 0:
            for k in range(len(present)):
                instant = present[k]
                instant[0] = samples[k][number]
            fill_outputs(
                modes,
                shapes,
                drives,
                frames,
                observed,
                laws,
                motion,
                contacts,
                present,
                works,
                forces,
                values,
            )
            for column in range(len(wanted)):
                history[number][column] = values[wanted[column]]
    return OK, steps, pieces
