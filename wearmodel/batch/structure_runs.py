"""A structure under recorded inputs, compiled where numba is installed.

The same kernel as `ModalShock`, without the interpreter: some hundred times faster. Between samples
the inputs are straight lines, taken exactly, as `ModalShock` takes them with input_timing end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernel import limits
from ..kernel.records import values_of
from ..models.frictional_shock import FAILURE_REASONS, StepError
from ..models.modal_quantities import structure_inputs, structure_outputs
from ..models.modal_shock import ModalShock
from ..quantities import require_positive
from ..structure.description import Structure
from .compile import compiled_module

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class StructureRun:
    """A run of a structure, SI units, names as those of the FMU's outputs.

    Attributes
    ----------
    time
        s, of the samples.
    history
        Name → values at the samples, of the outputs asked for.
    final
        Name → value at the last sample, of all outputs.
    pieces
        Stretches of time without event, each with one series: what the run cost.
    """

    time: Floats
    history: Mapping[str, Floats]
    final: Mapping[str, float]
    pieces: int


def run_structure(
    structure: Structure,
    inputs: Mapping[str, ArrayLike] | None = None,
    *,
    step_size: float,
    steps: int,
    outputs: Sequence[str] = (),
    start_time: float = 0.0,
) -> StructureRun:
    """Run a structure from its start through `steps` steps of `step_size` [s].

    Parameters
    ----------
    structure
        Its description.
    inputs
        By name steps + 1 samples, or one number that stays; 0 where not given. See
        `models.modal_quantities`.
    step_size, steps
        Time between samples [s], and how many steps.
    outputs
        Names of outputs whose histories are kept.
    start_time
        s.

    Raises
    ------
    ValueError
        A name is unknown, or inputs are not finite or as many as the samples.
    StepError
        A step could not be completed.
    """
    require_positive("step_size", step_size, "s")
    if steps < 1:
        raise ValueError(f"steps={steps!r} must be ≥ 1")
    samples = _samples(structure, inputs or {}, steps)
    names = [one.name for one in structure_outputs(structure)]
    for name in outputs:
        if name not in names:
            raise ValueError(f"{name!r} is no output of this structure")
    input_names = [one.name for one in structure_inputs(structure)]
    model = ModalShock(
        structure,
        start_time=start_time,
        **dict(zip(input_names, samples[:, 0].tolist(), strict=True)),
    )
    loop = compiled_module("batch.structure_loop")
    buffers = _buffers(model)
    history = np.zeros((steps + 1, len(outputs)))
    final = np.zeros(len(names))
    code, taken, pieces = loop.run_structure_record(
        *buffers["before"],
        samples,
        np.full(steps, float(step_size)),
        np.array([names.index(name) for name in outputs], dtype=np.int64),
        history,
        final,
        *buffers["scratch"],
    )
    if code != limits.OK:
        raise StepError(
            f"step of {step_size!r} s at time={start_time + taken * step_size!r} s failed: "
            f"{FAILURE_REASONS[code]}"
        )
    if not np.all(np.isfinite(final)):
        raise StepError(f"the run failed: {FAILURE_REASONS[limits.OVERFLOW]}")
    return StructureRun(
        time=np.asarray(start_time + step_size * np.arange(steps + 1), dtype=np.float64),
        history={name: history[:, column] for column, name in enumerate(outputs)},
        final=dict(zip(names, final.tolist(), strict=True)),
        pieces=int(pieces),
    )


def _samples(structure: Structure, inputs: Mapping[str, ArrayLike], steps: int) -> Floats:
    names = [one.name for one in structure_inputs(structure)]
    samples = np.zeros((len(names), steps + 1))
    for name, values in inputs.items():
        if name not in names:
            raise ValueError(
                f"{name!r} is no input of this structure; there are: {', '.join(names)}"
            )
        array = np.asarray(values, dtype=np.float64)
        if array.shape not in ((), (steps + 1,)):
            raise ValueError(
                f"{name} has the shape {array.shape}; it must be one number, or {steps + 1} samples"
            )
        if not np.all(np.isfinite(array)):
            raise ValueError(f"{name} must be finite")
        samples[names.index(name)] = array
    return samples


def _buffers(model: ModalShock) -> dict[str, list[Floats]]:
    """The model's records and rows as arrays, those before and behind the record in a call."""

    def rows(values: Sequence[Sequence[float]], width: int) -> Floats:
        return np.array(values, dtype=np.float64).reshape(len(values), width)

    modes = len(model._modes.stiffness)
    contacts = len(model._laws)
    inputs = len(model._inputs)
    work_shape = (0, 0)
    if model._works:
        one = values_of(model._works[0])
        work_shape = (len(one), len(one[0]))
    return {
        "before": [
            rows(values_of(model._modes), modes),
            rows(model._shapes, modes),
            rows(model._drives, modes),
            rows(model._coupling, contacts),
            rows(model._frames, 3),
            rows(model._observed, modes),
            rows([values_of(law) for law in model._laws], _width(model._laws)),
            rows(values_of(model._motion), modes),
            rows([values_of(one) for one in model._contacts], _width(model._contacts)),
        ],
        "scratch": [
            np.zeros((inputs, limits.FORCING_LENGTH)),
            np.zeros((inputs, 1)),
            np.zeros((inputs, limits.FORCING_LENGTH)),
            np.zeros((len(model._displacements), modes)),
            np.zeros((len(model._velocities), modes)),
            np.zeros((contacts, *work_shape)),
            np.zeros(modes),
            np.zeros(len(values_of(model._counts))),
        ],
    }


def _width(records: Sequence[object]) -> int:
    return len(values_of(records[0])) if records else 0
