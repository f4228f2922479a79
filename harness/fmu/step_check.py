"""Is the step fine enough for its inputs? Asked by cases, sweeps, lives and recorded shakings.

An FMU knows of an input what it has at communication points. What lies between them is

- with `end`, the straight line, which is exact where every sample of a table is such a point;
- with `start`, the extrapolation of past values, which needs several steps a period;
- where it is given derivatives, the Taylor polynomial of a sine, and a table's straight line.

So a sine is judged by its steps a period; a table, a record and noise by the samples that lie
within steps, and with `start` also by the frequency below which 95 % of their power lies. Fewer
than 4 steps a period is an error, fewer than 20 a warning with the error of wear to expect. With
derivatives up to the order n a sine misses (ωh)^(n+1)/(n+1)! of its amplitude within a step h.

Not judged: signals that another FMU makes, and what a model makes of an input that it has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import InputReading
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import SampledSignal, Signal, SineSignal, TableSignal

Floats: TypeAlias = NDArray[np.float64]

FEWEST_STEPS = 4.0
"""Steps a period below which a sine is not known at all."""

ENOUGH_STEPS = 20.0
"""Steps a period from which the error of wear is below some percent."""

WEAR_ERRORS: Mapping[str, tuple[float, ...]] = {
    "steps": (4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0),
    "end": (0.88, 0.57, 0.46, 0.27, 0.17, 0.12, 0.067),
    "automatic": (0.64, 0.32, 0.32, 0.32, 0.13, 0.091, 0.051),
    "hold": (0.64, 0.30, 0.30, 0.19, 0.13, 0.091, 0.051),
    "order 1": (3.4, 2.6, 2.1, 1.3, 0.84, 0.59, 0.34),
    "order 2": (5.9, 3.7, 2.5, 0.92, 0.40, 0.20, 0.063),
    "order 3": (7.6, 3.2, 1.2, 0.12, 0.12, 0.078, 0.032),
}
"""Largest relative error of wear from so many steps a period on, by what lies between the samples.

Measured on a rubbing shoe under a sine of 1.5 times what friction holds, at any phase
(`wearmodel.reference.step_errors`); larger nearer to that limit, a third and less at twice. Of the
automatic order that of the hold where it is larger: noise makes it choose that.
"""

ON_THE_LINE = 1e-2
"""Of half the range of a signal: what a sample within a step may lie beside the line to count as on
it. A sine with 20 steps a period does."""

MOST_MISSED = 0.05
"""Share of its amplitude that a sine may miss within a step by derivatives; more is an error."""

NOTED_MISSED = 1e-6
"""Share from which it is noted."""

WEAR_ERROR_COLUMNS = {-1: "automatic", 0: "hold", 1: "order 1", 2: "order 2", 3: "order 3"}
# Of a step: times written with few digits miss their point by as much.
_AT_A_POINT = 1e-2
# A shorter run is no record whose spectrum says anything: one jump makes it rough.
_FEWEST_OF_A_RECORD = 256
_POWER_SHARE = 0.95
# Noise is alike everywhere: its first samples stand for all.
_NOISE_STEPS = 1000


@dataclass(frozen=True)
class Finding:
    """What is wrong with the step for an input.

    Parameters
    ----------
    is_error : bool
        Whether the result would have little to do with the input; otherwise it is less accurate.
    problem : str
        Input, step and what is wrong, one line.
    remedy : str
        What to write into a case.
    finer_step : float, optional
        A step that would do, s; None where the samples of a table must lie at its ends.
    """

    is_error: bool
    problem: str
    remedy: str
    finer_step: float | None = None


def step_findings(
    inputs: Mapping[str, Signal], experiment: Experiment, reading: InputReading
) -> list[Finding]:
    """Return what is wrong with a step for its inputs, errors first.

    Parameters
    ----------
    inputs : mapping of str to Signal
        By name.
    experiment : Experiment
        Span and step.
    reading : InputReading
        What the FMU takes between communication points.

    Raises
    ------
    ValueError
        If a signal does not cover the span.
    """
    findings = [
        finding
        for name, signal in inputs.items()
        for finding in _findings(f"inputs.{name}", signal, experiment, reading)
    ]
    return sorted(findings, key=lambda finding: not finding.is_error)


def require_fine_step(
    inputs: Mapping[str, Signal], experiment: Experiment, reading: InputReading
) -> tuple[str, ...]:
    """Return warnings on a step, a line each.

    Raises
    ------
    ValueError
        With the first error, unless `experiment.allow_coarse_step`: then errors are warnings.
    """
    lines = []
    for finding in step_findings(inputs, experiment, reading):
        if finding.is_error and not experiment.allow_coarse_step:
            raise ValueError(
                f"{finding.problem}: {finding.remedy}; if it is meant, allow_coarse_step = true "
                "under [experiment] lets it run"
            )
        lines.append(f"{finding.problem}: {finding.remedy}")
    return tuple(lines)


def _findings(
    name: str, signal: Signal, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    if isinstance(signal, SineSignal):
        frequency = abs(signal.omega) / (2.0 * math.pi)
        if signal.amplitude != 0.0:
            what = f"a sine of {frequency:.6g} Hz"
            judge = _missed_by_derivatives if reading.derivatives else _steps_a_period
            yield from judge(name, what, frequency, experiment, reading)
    elif isinstance(signal, NoiseSignal):
        if signal.rms != 0.0:
            yield from _lost_samples(name, *_noise_samples(signal, experiment))
            if reading.is_extrapolated:
                frequency = signal.upper_frequency
                what = f"noise up to {frequency:.4g} Hz"
                yield from _steps_a_period(name, what, frequency, experiment, reading)
    elif isinstance(signal, SampledSignal | TableSignal):
        table = signal.sampled() if isinstance(signal, TableSignal) else signal
        yield from _lost_samples(name, table, experiment)
        if reading.is_extrapolated and table.interpolation == "linear":
            frequency = _upper_frequency(table, experiment)
            what = f"a record with {_POWER_SHARE:.0%} of its power below {frequency:.4g} Hz"
            yield from _steps_a_period(name, what, frequency, experiment, reading)


def _steps_a_period(
    name: str, what: str, frequency: float, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    step = experiment.step_size
    # A period written in decimals may miss a whole number of steps by a rounding.
    steps = math.inf if frequency == 0.0 else (1.0 + 1e-9) / (frequency * step)
    if steps >= ENOUGH_STEPS:
        return
    finer = 1.0 / (ENOUGH_STEPS * frequency)
    remedy = f"take step_size ≤ {finer:.3g} s"
    if reading.is_chosen and not what.startswith("a sine"):
        remedy += ", or input_timing = 'end', which follows the lines between its samples"
    said = f"{name}: {what} has {steps:.3g} steps of step_size={step:.6g} s a period"
    if steps < FEWEST_STEPS:
        yield Finding(True, f"{said} and must have ≥ {FEWEST_STEPS:g}", remedy, finer)
        return
    error = 100.0 * expected_wear_error(steps, reading)
    yield Finding(
        False,
        f"{said}; below {ENOUGH_STEPS:g} the wear may be off by some {_two_digits(error)} %",
        remedy,
        finer,
    )


def _missed_by_derivatives(
    name: str, what: str, frequency: float, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    if frequency == 0.0:
        return
    terms = reading.derivatives + 1
    # By logarithms: the power of a wild step overflows.
    factorial = math.lgamma(terms + 1)
    angle = 2.0 * math.pi * frequency * experiment.step_size
    missed = terms * math.log(angle) - factorial
    if missed <= math.log(NOTED_MISSED):
        return
    finer = math.exp((math.log(NOTED_MISSED) + factorial) / terms) / (2.0 * math.pi * frequency)
    problem = (
        f"{name}: {what} in steps of step_size={experiment.step_size:.6g} s with "
        f"{reading.derivatives} derivatives misses up to "
        f"{_two_digits(100.0 * math.exp(min(missed, 20.0)))} % of its amplitude"
    )
    is_error = missed > math.log(MOST_MISSED)
    if is_error:
        problem += f" and must miss ≤ {100.0 * MOST_MISSED:g} %"
    yield Finding(is_error, problem, f"take step_size ≤ {finer:.3g} s", finer)


def _two_digits(number: float) -> str:
    return f"{round(number, 1 - math.floor(math.log10(number))):g}"


def expected_wear_error(steps: float, reading: InputReading) -> float:
    """Return the relative error of wear to expect of `steps` ≥ 4 a period, see `WEAR_ERRORS`."""
    column = "end" if reading.end == "end" else WEAR_ERROR_COLUMNS.get(reading.order, "hold")
    row = int(np.searchsorted(WEAR_ERRORS["steps"], steps, side="right")) - 1
    return WEAR_ERRORS[column][row]


def _noise_samples(signal: NoiseSignal, experiment: Experiment) -> tuple[SampledSignal, Experiment]:
    """Return some of the samples of noise, and the part of the run that they cover."""
    steps = min(experiment.step_count, _NOISE_STEPS)
    start = experiment.start_time
    part = Experiment(
        start_time=start,
        stop_time=start + steps * experiment.step_size,
        step_size=experiment.step_size,
    )
    first = max(0, math.floor(start / signal.sample_interval))
    last = math.ceil(part.stop_time / signal.sample_interval) + 1
    # What the steps skip is alike everywhere too.
    last = min(last, first + 10 * _NOISE_STEPS)
    instants = np.arange(first, last + 1, dtype=np.float64) * signal.sample_interval
    return SampledSignal(instants, signal.sample(instants)), part


def _lost_samples(name: str, table: SampledSignal, experiment: Experiment) -> Iterator[Finding]:
    """Find samples within steps that are not on the line between communication points."""
    step, start = experiment.step_size, experiment.start_time
    position = (table.times - start) / step
    inside = (position > 0.0) & (
        position < min(experiment.step_count, (table.times[-1] - start) / step)
    )
    if table.interpolation == "previous":
        # A sample that repeats the one before is no jump.
        inside &= np.diff(table.values, prepend=table.values[0]) != 0.0
    within = inside & (np.abs(position - np.round(position)) > _AT_A_POINT)
    if not within.any():
        return
    instants, values = table.times[within], table.values[within]
    before = start + np.floor(position[within]) * step
    ends = np.clip(np.stack((before, before + step)), table.times[0], table.times[-1])
    first, last = table.sample(ends)
    if table.interpolation == "linear":
        beside = np.abs(values - (first + (instants - before) / step * (last - first)))
    else:
        beside = np.maximum(np.abs(values - first), np.abs(values - last))
    half_range = 0.5 * float(np.ptp(table.values))
    share = beside / half_range if half_range > 0.0 else np.zeros_like(beside)
    worst = int(np.argmax(share))
    what = "samples" if table.interpolation == "linear" else "jumps"
    problem = (
        f"{name}: {np.count_nonzero(within)} of {np.count_nonzero(inside)} {what} lie within steps "
        f"of step_size={step:.6g} s"
    )
    lost = f"by up to {100.0 * share[worst]:.2g} % of half the range, at t={instants[worst]:.6g} s"
    remedy = f"take a step_size that has the {what} at communication points"
    if share[worst] > ON_THE_LINE:
        yield Finding(True, f"{problem} and are lost, {lost}", remedy)
    else:
        yield Finding(False, f"{problem}; the input changes little by that, {lost}", remedy)


def _upper_frequency(table: SampledSignal, experiment: Experiment) -> float:
    """Return the frequency [Hz] below which 95 % of a record's power lies, beside its trend."""
    if experiment.step_count < _FEWEST_OF_A_RECORD:
        return 0.0
    values = table.sample(experiment.times())
    values = values - np.linspace(values[0], values[-1], len(values))
    scale = float(np.max(np.abs(values)))
    # What is left of a straight line is rounding.
    if scale <= 1e-9 * float(np.max(np.abs(table.values))):
        return 0.0
    power = np.abs(np.fft.rfft(values / scale)) ** 2
    below = np.cumsum(power)
    number = int(np.searchsorted(below, _POWER_SHARE * below[-1]))
    return number / (len(values) * experiment.step_size)
