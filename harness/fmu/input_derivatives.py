"""Derivatives of inputs at communication points, for FMUs and kernels that take them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from harness.fmu.signals import ConstantSignal, SampledSignal, Signal, SineSignal, TableSignal


def input_derivatives(
    inputs: Mapping[str, Signal], times: NDArray[np.float64], orders: int
) -> dict[str, NDArray[np.float64]]:
    """Return the derivatives of the inputs that are not held from one point to the next.

    With `orders` 0 there are none.

    Parameters
    ----------
    inputs : mapping of str to Signal
        By name.
    times : ndarray, shape (n,)
        Communication points, s.
    orders : int
        The highest order wanted, ≥ 0.

    Returns
    -------
    dict of str to ndarray, shape (orders or 1, n)
        By name, the derivatives of order 1 and up, in the unit of the input by s^order. Tables and
        noise are lines between communication points: `harness.fmu.step_check` says where they are
        not. At the last point, where no step begins, the derivative of a line is 0.

    Raises
    ------
    ValueError
        If a table does not cover the span.
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
