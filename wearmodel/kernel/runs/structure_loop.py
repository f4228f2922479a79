"""A run of a structure with sampled inputs: plain functions, interpreted or compiled.

They are loaded after lowering (`compiled.lowering`): a state object becomes a row of numbers or
several rows, a list of state objects becomes an array with one more axis, and a bundle is split
into its fields.
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

    record: Rows  # a row for each input, with its values at the instants
    derivatives: Rows  # a row for each instant, see `inputs.taylor`. Empty if unknown
    instants: list[float]  # s
    wanted: list[int]  # indices of the outputs that are kept at each instant
    history: Rows  # these outputs, a row for each instant
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
    """Run from instant to instant. Return the code, the steps taken and their number of pieces.

    The state belongs to a run that has started at the first instant. `step_sizes` are the times
    between the instants [s], and `sample` is work space.
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
            # As the clock of a master, so that rounding errors do not add up.
            now.time = instants[number - 1] + step_size
        if number == len(step_sizes) or len(wanted) > 0:
            fill_outputs(body, state, work, values)
            for column in range(len(wanted)):
                history[number][column] = values[wanted[column]]
    return OK, len(step_sizes), pieces
