"""Derivatives of inputs at communication points, for FMUs and kernels that use them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from harness.fmu.signals import ConstantSignal, SampledSignal, Signal, SineSignal, TableSignal


def input_derivatives(
    inputs: Mapping[str, Signal], times: NDArray[np.float64], orders: int
) -> dict[str, NDArray[np.float64]]:
    """Return derivatives, from order 1 to `orders`, of inputs that vary between points.

    The arrays have shape (orders or 1, n), in the unit of the input by s^order, at the n
    communication points `times` [s]. Tables and noise are lines between these points, also if
    their samples are closer (`harness.fmu.step_check` reports that). The derivative of a line is
    0 at the last point. Raises ValueError if a table does not cover the span.
    """
    derivatives: dict[str, NDArray[np.float64]] = {}
    if orders == 0:
        return derivatives
    for name, signal in inputs.items():
        if isinstance(signal, SineSignal):
            derivatives[name] = signal.derivatives(times, orders)
        elif not (isinstance(signal, ConstantSignal) or is_held(signal)):
            slopes = np.diff(signal.sample(times)) / np.diff(times)
            derivatives[name] = np.append(slopes, 0.0)[None, :]
    return derivatives


def is_held(signal: Signal) -> bool:
    """Return whether a signal keeps each value until its next sample."""
    return isinstance(signal, SampledSignal | TableSignal) and signal.interpolation == "previous"
