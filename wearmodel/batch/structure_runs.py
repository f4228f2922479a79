"""Runs of a structure with recorded inputs, compiled if a library is available.

The kernel is the same as in `ModalShock` with the same bits, and about a hundred times faster when
compiled. By default inputs are interpolated linearly between samples, as in `ModalShock` with
input_timing end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from wearmodel.arrays import Floats

from ..compiled.declarations import bundle_fields, class_name, row_axes
from ..compiled.run_library import runs_of
from ..kernel import limits
from ..kernel.shoe.parameters import FrictionalShockParameters, InputTiming
from ..kernel.structure.state_objects import Body, StructureState, StructureWork
from ..models.frictional_shock import StepError
from ..models.modal_quantities import by_side, structure_inputs, structure_outputs
from ..models.modal_shock import FAILURE_REASONS, ModalShock
from ..quantities import require_positive
from ..structure import Structure
from .record_inputs import derivative_rows
from .run_state import RunState


@dataclass(frozen=True)
class StructureRun:
    """Run of a structure, in SI units, with the names of the FMU outputs."""

    time: Floats  #: Times of the samples [s].
    history: Mapping[str, Floats]  #: Name → values at the samples, for the requested outputs.
    final: Mapping[str, float]  #: Name → value at the last sample, for all outputs.
    pieces: int  #: Number of pieces without events, which determines the cost of the run.

    def by_side(self, name: str) -> dict[str, Floats]:
        """Return `wear_work` [J] or `wear_depth` [m] of each side of each polygon, by contact.

        The values are those at the last sample.
        """
        return {contact: np.array(row) for contact, row in by_side(self.final, name).items()}

    @property
    def wear_work_by_side(self) -> dict[str, Floats]:
        """Name of each contact with a polygon → wear work of its sides at the last sample [J]."""
        return self.by_side("wear_work")


def run_structure(
    structure: Structure,
    inputs: Mapping[str, ArrayLike] | None = None,
    *,
    step_size: float | ArrayLike,
    steps: int,
    outputs: Sequence[str] = (),
    start_time: float = 0.0,
    input_timing: InputTiming = InputTiming.end,
    input_extrapolation_order: int = FrictionalShockParameters.input_extrapolation_order,
    derivatives: Mapping[str, ArrayLike] | None = None,
    state: RunState | None = None,
    compiles: bool = True,
) -> StructureRun:
    """Run a structure for `steps` steps of `step_size` [s].

    Parameters
    ----------
    structure
        Description of the structure.
    inputs
        By name, steps + 1 samples or a constant. The default is 0. See
        `models.modal_quantities`.
    step_size, steps
        Time between samples [s], as a number or one number per step, and the number of steps.
    outputs
        Names of outputs whose histories are returned.
    start_time
        Time of the first sample [s].
    input_timing, input_extrapolation_order
        As for `ModalShock`. With `start` each sample is the value at the start of a step, and the
        inputs are extrapolated.
    derivatives
        With `start`, instead of extrapolation: input → array, shape (orders, samples), as for
        `record_runs.run_records`.
    state
        State of an earlier call. The samples begin at its last sample. The state is then updated to
        the last sample, or cleared if the run fails.
    compiles
        Whether to compile a missing library of the kernel. Otherwise the run is interpreted.

    Raises
    ------
    ValueError
        A name is unknown, inputs or step sizes are not finite or have the wrong number, or
        derivatives are given with `end`.
    StepError
        A step could not be completed.
    """
    state = RunState() if state is None else state
    if not state.contents:
        state.start_time = start_time
    instants, between = _instants(step_size, steps, start_time, state)
    samples = _samples(structure, inputs or {}, steps)
    names = [output.name for output in structure_outputs(structure)]
    for name in outputs:
        if name not in names:
            raise ValueError(f"{name!r} is not an output of this structure")
    units = {
        declared_input.name: declared_input.unit for declared_input in structure_inputs(structure)
    }
    if derivatives is not None and input_timing == InputTiming.end:
        raise ValueError(
            "derivatives need input_timing start: with end, inputs are linear over a step"
        )
    slopes = derivative_rows(units, derivatives, steps + 1)
    history = np.zeros((len(instants), len(outputs)))
    final = np.zeros(len(names))
    if not state.contents:
        model = ModalShock(
            structure,
            input_extrapolation_order=input_extrapolation_order,
            input_timing=input_timing,
            start_time=start_time,
            **dict(zip(units, samples[:, 0].tolist(), strict=True)),
        )
        rows = model.kernel_rows()
        bundles = (Body, StructureState, StructureWork)
        state.contents = [np.array(rows["p"]), *(_arrays(bundle, rows) for bundle in bundles)]
    row, body, motion, work = state.contents
    code, taken, pieces = runs_of("ModalShock", compiles=compiles).call(
        "run_structure_record",
        row,
        *body,
        *motion,
        samples,
        slopes,
        instants,
        np.array([names.index(name) for name in outputs], dtype=np.int64),
        history,
        final,
        between,
        np.zeros(len(units) + 1),
        *work,
    )
    is_whole = code == limits.OK and bool(np.all(np.isfinite(final)))
    state.reach(state.steps + steps, state.contents if is_whole else [])
    if code != limits.OK:
        raise StepError(
            f"step of {float(between[int(taken)])!r} s at time={float(instants[int(taken)])!r} s "
            f"failed: {FAILURE_REASONS[code]}"
        )
    if not is_whole:
        raise StepError(f"the run failed: {FAILURE_REASONS[limits.OVERFLOW]}")
    state.final = dict(zip(names, final.tolist(), strict=True))
    return StructureRun(
        time=instants,
        history={name: history[:, column] for column, name in enumerate(outputs)},
        final=state.final,
        pieces=int(pieces),
    )


def _instants(
    step_size: float | ArrayLike, steps: int, start_time: float, state: RunState
) -> tuple[Floats, Floats]:
    """Instants of the samples [s], and the times between them."""
    if steps < 1:
        raise ValueError(f"steps={steps!r} must be ≥ 1")
    between = np.asarray(step_size, dtype=np.float64)
    if between.shape not in ((), (steps,)):
        raise ValueError(
            f"step_size of shape {between.shape} must be one number, or {steps} of them"
        )
    require_positive("step_size", float(np.min(between)), "s")
    if between.ndim:
        return start_time + np.concatenate(([0.0], np.cumsum(between))), between
    points = state.steps + np.arange(steps + 1, dtype=np.float64)
    return state.start_time + points * between, np.full(steps, between)


def _samples(structure: Structure, inputs: Mapping[str, ArrayLike], steps: int) -> Floats:
    names = [declared_input.name for declared_input in structure_inputs(structure)]
    samples = np.zeros((len(names), steps + 1))
    for name, values in inputs.items():
        if name not in names:
            raise ValueError(f"{name!r} is not an input of this structure: {', '.join(names)}")
        array = np.asarray(values, dtype=np.float64)
        if array.shape not in ((), (steps + 1,)):
            raise ValueError(
                f"{name} has the shape {array.shape}: it must be one number, or {steps + 1} samples"
            )
        if not np.all(np.isfinite(array)):
            raise ValueError(f"{name} must be finite")
        samples[names.index(name)] = array
    return samples


def _arrays(bundle: type, rows: Mapping[str, Any]) -> list[Floats]:
    """The fields of a bundle as the arrays that its state objects and rows are when lowered."""
    made = []
    for name, kind in bundle_fields()[class_name(bundle)].items():
        array = np.array(rows[name], dtype=np.float64)
        axes = row_axes(kind)
        made.append(array if array.ndim == axes else np.zeros((0,) * axes))
    return made
