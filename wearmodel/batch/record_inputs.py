"""Samples given for a record run: checked, and brought to one shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..models.frictional_shock import INPUT_UNITS
from ..quantities import require_positive

Floats = NDArray[np.float64]


def checked_input(name: str, unit: str, values: Floats) -> Floats:
    """Return the values of an input.

    Parameters
    ----------
    name, unit
        Of the input, for messages.
    values : array, shape (), (samples,) or (records, samples)

    Raises
    ------
    ValueError
        There are more axes, or a value is not finite.
    """
    if values.ndim > 2:
        raise ValueError(f"{name} has {values.ndim} axes; it must have at most records × samples")
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        index = tuple(int(number) for number in wrong[0])
        raise ValueError(f"{name}{list(index)}={values[index]} {unit} must be finite")
    return values


def sample_times(times: Floats, inputs: list[Floats]) -> tuple[Floats, Floats]:
    """Instants of the samples, shape (samples,), and the steps between them, one less [s].

    Parameters
    ----------
    times : array, shape () or (samples,)
        Constant sampling step [s], from t = 0; or the instants.
    inputs
        As `checked_input` returns them: with a sampling step they tell how many samples there are.

    Raises
    ------
    ValueError
        The step is not positive, the instants do not increase, or there are fewer than two.
    """
    if times.ndim == 0:
        counts = [values.shape[-1] for values in inputs if values.ndim]
        if not counts or counts[0] < 2:
            raise ValueError(
                f"times={times} s is a sampling step: one input at least must be an array of ≥ 2 "
                "samples"
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
    """Inputs as one array, shape (records, inputs, samples); and whether records were given.

    Raises
    ------
    ValueError
        The shape of an input does not fit the number of records or of samples.
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
