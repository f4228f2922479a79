"""Checked samples of record runs in one shape."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from wearmodel.arrays import Floats

from ..kernel.limits import LONGEST_DERIVATIVE
from ..models.frictional_shock import INPUT_UNITS
from ..quantities import require_positive


def checked_input(name: str, unit: str, values: Floats) -> Floats:
    """Return the values of an input, shape (), (samples,) or (records, samples).

    ValueError if there are more axes, or a value is not finite.
    """
    if values.ndim > 2:
        raise ValueError(f"{name} has {values.ndim} axes: it must have at most records × samples")
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        index = tuple(int(number) for number in wrong[0])
        raise ValueError(f"{name}{list(index)}={values[index]} {unit} must be finite")
    return values


def sample_times(times: Floats, inputs: list[Floats]) -> tuple[Floats, Floats]:
    """Instants of the samples, shape (samples,), and the steps between them [s].

    `times` is the constant sampling step from t = 0, or the instants. For a sampling step the
    results of `checked_input` give the number of samples. Invalid times raise ValueError.
    """
    if times.ndim == 0:
        counts = [values.shape[-1] for values in inputs if values.ndim]
        if not counts or counts[0] < 2:
            raise ValueError(
                f"times={times} s is a sampling step: at least one input must be an array of ≥ 2 "
                f"samples"
            )
        require_positive("times", float(times), "s")
        return np.arange(counts[0]) * times, np.full(counts[0] - 1, times)
    if times.ndim != 1 or len(times) < 2:
        raise ValueError(f"times of shape {times.shape} must be a number or ≥ 2 instants")
    steps = np.diff(times)
    if not (np.isfinite(times).all() and (steps > 0.0).all()):
        index = int(np.flatnonzero(~(steps > 0.0) | ~np.isfinite(steps))[0])
        raise ValueError(
            f"times[{index + 1}]={times[index + 1]} s must be finite and > times[{index}]="
            f"{times[index]} s"
        )
    return times.copy(), steps


def stacked_inputs(inputs: list[Floats], sample_count: int) -> tuple[Floats, bool]:
    """Inputs as one array, shape (records, inputs, samples), and whether there are several records.

    ValueError if an input does not fit the number of records or of samples.
    """
    counts = [len(values) for values in inputs if values.ndim == 2]
    record_count = max(counts, default=1)
    stacked = np.empty((record_count, len(inputs), sample_count))
    for row, (name, values) in enumerate(zip(INPUT_UNITS, inputs, strict=True)):
        try:
            stacked[:, row, :] = values
        except ValueError:
            raise ValueError(
                f"{name} of shape {values.shape} must fit {record_count} record(s) of "
                f"{sample_count} samples"
            ) from None
    return stacked, bool(counts)


def derivative_rows(
    units: Mapping[str, str], derivatives: Mapping[str, ArrayLike] | None, sample_count: int
) -> Floats:
    """Derivatives of inputs, as in `run_records`, in rows for each step, or an empty array.

    `units` are the units of the inputs in the order of the kernel. ValueError if an input is
    unknown, an array has another shape or more than 15 orders, or a derivative is not finite.
    """
    if derivatives is None:
        return np.empty((0, 0))
    rows = np.zeros((sample_count - 1, len(units), LONGEST_DERIVATIVE))
    for name, values in derivatives.items():
        if name not in units:
            raise ValueError(f"derivatives: {name!r} is not an input: {', '.join(units)}")
        array = np.asarray(values, dtype=np.float64)
        shape = array.shape
        if len(shape) != 2 or shape[0] > LONGEST_DERIVATIVE or shape[1] != sample_count:
            raise ValueError(
                f"derivatives of {name} have the shape {shape}: it must be 1 to "
                f"{LONGEST_DERIVATIVE} orders × {sample_count} samples"
            )
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            row, sample = (int(number) for number in wrong[0])
            raise ValueError(
                f"{name}[{row + 1}][{sample}]={array[row, sample]} {units[name]}/s^{row + 1} must "
                "be finite"
            )
        rows[:, list(units).index(name), : shape[0]] = array[:, :-1].T
    return rows.reshape(sample_count - 1, -1)
