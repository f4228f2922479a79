"""A run of a structure through sampled inputs: plain functions, interpreted or compiled.

They are loaded with their state objects lowered (`compiled.lowering`): such an object is a row of
numbers, or some rows, a list of them an array of one axis more, and a bundle is taken apart into
its fields.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..limits import INPUT_AT_END, OK, TIME
from ..state_objects import Rows, bundle
from ..structure.measures import fill_outputs
from ..structure.state_objects import Body, StructureParameters, StructureState, StructureWork
from ..structure.steps import step_structure, step_structure_along


@bundle
@dataclass
class StructureHistory:
    """Inputs and results of a run."""

    record: Rows  # a row an input, its values at the instants
    derivatives: Rows  # one row an instant, see `inputs.taylor`; empty if unknown
    instants: list[float]  # s
    wanted: list[int]  # indices of the outputs that are kept at each instant
    history: Rows  # those outputs, a row an instant
    values: list[float]  # all outputs at the end


def run_structure_record(
    p: StructureParameters,
    body: Body,
    state: StructureState,
    kept: StructureHistory,
    step_sizes: list[float],
    sample: list[float],
    work: StructureWork,
) -> tuple[int, int, float]:
    """Run from instant to instant; return the code, the steps taken, and how many pieces they had.

    The state is that of a run that has started at the first instant. `step_sizes` are the times
    between the instants [s], `sample` is work space.
    """
    pieces = 0.0
    instants = kept.instants
    wanted = kept.wanted
    history = kept.history
    values = kept.values
    record = kept.record
    now = state.now
    counts = work.counts
    for number in range(len(instants)):
        if number > 0:
            fed = number - 1
            step_size = step_sizes[fed]
            if p.input_timing == INPUT_AT_END:
                fed = number
            sample[TIME] = now.time
            for k in range(len(record)):
                sample[k + 1] = record[k][fed]
            if len(kept.derivatives) > 0:
                slopes = kept.derivatives[fed]
                code = step_structure_along(p, body, state, sample, slopes, step_size, work)
            else:
                code = step_structure(p, body, state, sample, step_size, work)
            pieces += counts.pieces
            if code > OK:
                return code, number - 1, pieces
            # The clock of a master, so that rounding never adds up.
            now.time = instants[number - 1] + step_size
        if number == len(step_sizes) or len(wanted) > 0:
            fill_outputs(body, state, work, values)
            for column in range(len(wanted)):
                history[number][column] = values[wanted[column]]
    return OK, len(step_sizes), pieces
