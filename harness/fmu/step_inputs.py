"""Inputs of a run as they are defined, and whether an FMU receives them in this form.

Tables, records and noise are defined by linear interpolation between their samples, also within
steps, or by values held until the next sample. A sine is defined by its derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from harness.fmu.input_timing import InputReading
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import (
    ConstantSignal,
    Signal,
    SineSignal,
    TableSignal,
    input_derivatives,
    is_held,
)
from wearmodel.arrays import Floats
from wearmodel.kernel.limits import LONGEST_DERIVATIVE
from wearmodel.kernel.shoe.parameters import InputTiming

# Samples closer to a communication point than this share of a step are at the point.
_AT_A_POINT = 1e-6
# Samples closer to the received line than this share of the input's largest value are on the line.
_ON_THE_LINE = 1e-9
# A sine is defined at steps of a quarter period or less, where 15 derivatives are exact to 1e-10.
_LARGEST_ANGLE = 0.5 * math.pi


@dataclass(frozen=True)
class Course:
    """Inputs over a run."""

    # Times [s], shape (n,).
    times: Floats
    # Steps between the times [s], shape (n − 1,), or a number for equal steps.
    step_sizes: float | Floats
    # Values by name, in the unit of the input, shape (n,).
    values: Mapping[str, Floats]
    # Derivatives by name, except for constant inputs, shape (orders, n).
    derivatives: Mapping[str, Floats] | None
    # Whether values are extrapolated from the start of a step (without derivatives) or linear to
    # its end.
    timing: InputTiming = InputTiming.end

    def between(self, first: int, last: int) -> Course:
        """Return the course between the times of two indices."""
        part = slice(first, last + 1)
        sizes = self.step_sizes
        return replace(
            self._mapped(lambda rows: rows[..., part]),
            times=self.times[part],
            step_sizes=sizes if isinstance(sizes, float) else sizes[first:last],
        )

    def scaled(self, factor: float) -> Course:
        """Return the course with all inputs multiplied."""
        return self._mapped(lambda rows: factor * rows)

    def _mapped(self, change: Callable[[Floats], Floats]) -> Course:
        """Return the course with changed values and derivatives."""
        derivatives = self.derivatives
        if derivatives is not None:
            derivatives = {name: change(rows) for name, rows in derivatives.items()}
        values = {name: change(rows) for name, rows in self.values.items()}
        return replace(self, values=values, derivatives=derivatives)

    def plus(self, lines: Mapping[str, Floats]) -> Course:
        """Return the course with added lines, given by values at its times."""
        derivatives = self.derivatives
        if derivatives is not None:
            derivatives = dict(derivatives)
            for name, line in lines.items():
                rows = derivatives.get(name, np.zeros((1, self.times.size))).copy()
                rows[0, :-1] += np.diff(line) / np.diff(self.times)
                derivatives[name] = rows
        values = {name: given + lines.get(name, 0.0) for name, given in self.values.items()}
        return replace(self, values=values, derivatives=derivatives)


def own_times(signal: Signal, times: Floats, step: float) -> Floats:
    """Return the times [s] of a signal's own samples within the steps of a run."""
    first, last = float(times[0]), float(times[-1])
    if isinstance(signal, ConstantSignal | SineSignal):
        return np.empty(0)
    if isinstance(signal, NoiseSignal):
        interval = signal.sample_interval
        own = interval * np.arange(math.ceil(first / interval), math.floor(last / interval) + 1)
    else:
        own = signal.sampled().times if isinstance(signal, TableSignal) else signal.times
        own = own[(own > first) & (own < last)]
    position = (own - first) / step
    return np.asarray(own[np.abs(position - np.round(position)) > _AT_A_POINT])


def parts_of_a_step(signal: Signal, step: float) -> int:
    """Return the number of parts of a step [s] that the derivatives of a sine need."""
    if not isinstance(signal, SineSignal) or signal.amplitude == 0.0:
        return 1
    return max(1, math.ceil(abs(signal.omega) * step / _LARGEST_ANGLE - 1e-9))


def is_received_as_defined(
    signal: Signal, times: Floats, step: float, reading: InputReading, takes_derivatives: bool
) -> bool:
    """Return whether an FMU receives a signal as it is defined.

    If the kernel does not take derivatives, a sine is piecewise linear.
    """
    if isinstance(signal, SineSignal):
        if signal.amplitude == 0.0 or signal.omega == 0.0 or not takes_derivatives:
            return True
        return reading.derivatives == LONGEST_DERIVATIVE and parts_of_a_step(signal, step) == 1
    own = own_times(signal, times, step)
    values = signal.sample(np.concatenate((times, own)))
    if np.ptp(values) == 0.0:
        return True
    if is_held(signal) or reading.is_extrapolated:
        return bool(reading.derivatives) and own.size == 0
    missed = np.abs(values[times.size :] - np.interp(own, times, values[: times.size]))
    return float(np.max(missed, initial=0.0)) <= _ON_THE_LINE * float(np.max(np.abs(values)))


def received_course(
    inputs: Mapping[str, Signal], times: Floats, step: float, reading: InputReading
) -> Course:
    """Return the inputs as an FMU receives them: at communication points, with derivatives."""
    values = {name: signal.sample(times) for name, signal in inputs.items()}
    derivatives = input_derivatives(inputs, times, reading.derivatives) or None
    return Course(times, step, values, derivatives, InputTiming[reading.end])


def defined_course(
    inputs: Mapping[str, Signal],
    times: Floats,
    step: float,
    reading: InputReading,
    takes_derivatives: bool,
) -> Course:
    """Return the inputs as they are defined, at communication points and between them."""
    between = [own_times(signal, times, step) for signal in inputs.values()]
    if takes_derivatives:
        parts = max(parts_of_a_step(signal, step) for signal in inputs.values())
        between += [times[:-1] + number / parts * step for number in range(1, parts)]
    own = np.unique(np.concatenate(between))
    own = own[np.diff(own, prepend=-math.inf) > _AT_A_POINT * step]
    instants = np.sort(np.concatenate((times, own)))
    middles = 0.5 * (instants[1:] + instants[:-1])
    values = {}
    for name, signal in inputs.items():
        if is_held(signal):
            # The value between two times, because rounding decides the side of a discontinuity.
            values[name] = np.append(signal.sample(middles), signal.sample(times[-1:]))
        elif isinstance(signal, SineSignal) and not takes_derivatives:
            values[name] = np.interp(instants, times, signal.sample(times))
        else:
            values[name] = signal.sample(instants)
    if takes_derivatives:
        derivatives = input_derivatives(inputs, instants, LONGEST_DERIVATIVE)
        return Course(instants, np.diff(instants), values, derivatives, InputTiming.start)
    return Course(instants, np.diff(instants), values, None, InputTiming[reading.end])


def prediction_errors(
    inputs: Mapping[str, Signal], times: Floats, reading: InputReading, shares: Floats
) -> dict[str, float]:
    """Return the rms error of each received input, in its unit.

    `shares` is the history of the output `input_prediction_error`. As long as it is unknown, inputs
    are treated as held.
    """
    shares = shares[shares >= 0.0]
    errors = {}
    for name, signal in inputs.items():
        values = signal.sample(times)
        if np.ptp(values) == 0.0:
            errors[name] = 0.0
        elif not reading.is_extrapolated:
            middles = 0.5 * (times[1:] + times[:-1])
            errors[name] = _rms(signal.sample(middles) - 0.5 * (values[1:] + values[:-1]))
        else:
            errors[name] = _rms(shares) * _rms(values) if shares.size else _rms(np.diff(values))
    return errors


def _rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(values))))
