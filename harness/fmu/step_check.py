"""Check of the time step of cases, sweeps, service lives and records.

A sine must have at least 4 steps per period (error) and should have 20 (note). With derivatives up
to order n, the criterion is instead the error (ωh)^(n+1)/(n+1)! of its amplitude within a step h.
With shipped models the effect of the step is computed, see `harness.fmu.step_effect`: more than 2 %
is a warning, and more than 20 % is an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.errors import RunError
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import InputReading
from harness.fmu.model_runs import StepModel
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, SampledSignal, Signal, SineSignal, TableSignal
from harness.fmu.step_effect import (
    FEWEST_JUDGED,
    WARNED,
    Effect,
    StepEffect,
    step_effect,
)
from harness.messages import listed

FEWEST_STEPS = 4.0
"""Minimum number of steps per period of a sine."""

ENOUGH_STEPS = 20.0
"""Number of steps per period from which the error of wear is a few percent."""

REFUSED = 0.2
"""Difference above which an effect is an error."""

MOST_MISSED = 0.05
"""Largest error of a sine by derivatives within a step, as a share of its amplitude."""

NOTED_MISSED = 1e-6
"""Error of a sine above which there is a note."""

# Maximum number of changed numbers in a message. The largest changes are first.
_MOST_LISTED = 3


@dataclass(frozen=True)
class Finding:
    """A problem of the step."""

    # Whether the problem is an error. Otherwise the result is less accurate.
    is_error: bool
    # The step and the problem, in one line.
    problem: str
    # Remedy, as an instruction.
    remedy: str
    # Whether the effect of the step is too large.
    is_effect: bool = False

    @property
    def line(self) -> str:
        """The problem and its remedy."""
        return f"{self.problem}: {self.remedy}"

    @property
    def refusal(self) -> str:
        """The problem, its remedy, and the setting that accepts the step."""
        return f"{self.line}, or set allow_coarse_step = true under [experiment] to run anyway"


def step_findings(
    inputs: Mapping[str, Signal],
    experiment: Experiment,
    reading: InputReading,
    model: StepModel | None = None,
) -> list[Finding]:
    """Return the problems of a step for its inputs, with errors first.

    Without a `model` only sines are checked. Raises ValueError if a signal does not cover the span.
    """
    findings = [
        finding
        for name, signal in inputs.items()
        if isinstance(signal, SineSignal) and signal.amplitude != 0.0 and signal.omega != 0.0
        for finding in _of_sine(f"inputs.{name}", signal, experiment, reading)
    ]
    # No run is necessary if the step is already rejected.
    if model is not None and (experiment.allow_coarse_step or not has_error(findings)):
        try:
            effect = step_effect(model, inputs, experiment, reading)
        except RunError:
            effect = None  # the run itself reports the reason
        if effect is not None:
            findings += _of_effect(effect, inputs, experiment, reading)
    return sorted(findings, key=lambda finding: not finding.is_error)


def has_error(findings: list[Finding]) -> bool:
    """Return whether any finding is an error."""
    return any(finding.is_error for finding in findings)


def require_fine_step(
    inputs: Mapping[str, Signal],
    experiment: Experiment,
    reading: InputReading,
    model: StepModel | None = None,
) -> tuple[str, ...]:
    """Return warnings on a step, one line each, see `step_findings`.

    Raises ValueError with the first error. With `experiment.allow_coarse_step` errors are warnings.
    """
    findings = step_findings(inputs, experiment, reading, model)
    if has_error(findings) and not experiment.allow_coarse_step:
        raise ValueError(findings[0].refusal)
    return tuple(finding.line for finding in findings)


def largest_input(points: Sequence[Mapping[str, Signal]]) -> int:
    """Return the index of the first point with the largest inputs.

    The size of a point is the sum of its inputs, each divided by its largest value at any point.
    """
    sizes = [{name: input_size(signal) for name, signal in inputs.items()} for inputs in points]
    largest: dict[str, float] = {}
    for values in sizes:
        for name, size in values.items():
            largest[name] = max(size, largest.get(name, 0.0))
    shares = [
        sum(size / largest[name] for name, size in values.items() if size > 0.0) for values in sizes
    ]
    return shares.index(max(shares))


def input_size(signal: Signal) -> float:
    """Return the largest magnitude of a signal, or the rms of a noise."""
    match signal:
        case ConstantSignal():
            return abs(signal.value)
        case SineSignal():
            return abs(signal.offset) + abs(signal.amplitude)
        case NoiseSignal():
            return signal.rms
        case TableSignal():
            return max(map(abs, signal.value))
        case SampledSignal():
            return float(np.max(np.abs(signal.values)))


def _of_sine(
    name: str, signal: SineSignal, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    frequency = abs(signal.omega) / (2.0 * math.pi)
    sine = f"{name}: a sine of {frequency:.6g} Hz"
    check = _missed_by_derivatives if reading.derivatives else _steps_per_period
    return check(sine, frequency, experiment, reading)


def _steps_per_period(
    sine: str, frequency: float, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    step = experiment.step_size
    # A decimal period may differ from a whole number of steps by rounding.
    steps = (1.0 + 1e-9) / (frequency * step)
    if steps >= ENOUGH_STEPS:
        return
    finer = 1.0 / (ENOUGH_STEPS * frequency)
    is_error = steps < FEWEST_STEPS
    fewest = f"must have ≥ {FEWEST_STEPS:g}" if is_error else f"should have ≥ {ENOUGH_STEPS:g}"
    problem = f"{sine} has {steps:.3g} steps of step_size={step:.6g} s per period and {fewest}"
    yield Finding(is_error, problem, f"take step_size ≤ {finer:.3g} s")


def _missed_by_derivatives(
    sine: str, frequency: float, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    terms = reading.derivatives + 1
    # Logarithms, because the power of a very large step overflows.
    factorial = math.lgamma(terms + 1)
    angle = 2.0 * math.pi * frequency * experiment.step_size
    missed = terms * math.log(angle) - factorial
    if missed <= math.log(NOTED_MISSED):
        return
    finer = math.exp((math.log(NOTED_MISSED) + factorial) / terms) / (2.0 * math.pi * frequency)
    problem = (
        f"{sine} in steps of step_size={experiment.step_size:.6g} s with "
        f"{reading.derivatives} derivatives has an error of up to "
        f"{_two_digits(100.0 * math.exp(min(missed, 20.0))):g} % of its amplitude"
    )
    is_error = missed > math.log(MOST_MISSED)
    if is_error:
        problem += f", which must be ≤ {100.0 * MOST_MISSED:g} %"
    yield Finding(is_error, problem, f"take step_size ≤ {finer:.3g} s")


def _two_digits(number: float) -> float:
    if math.isinf(number):
        return number
    return round(number, 1 - math.floor(math.log10(abs(number))))


# The effect


def _of_effect(
    effect: StepEffect,
    inputs: Mapping[str, Signal],
    experiment: Experiment,
    reading: InputReading,
) -> Iterator[Finding]:
    """Yield the problems of numbers that the step changes too much, with chaotic motion last."""
    step = f"step_size={experiment.step_size:.6g} s"
    if not effect.judged:
        problem = f"{step} is not checked, because {FEWEST_JUDGED} steps have too many events"
        yield Finding(False, problem, "--check-step compares the run with a run at half the step")
    if effect.until < experiment.stop_time - 0.5 * experiment.step_size:
        step += f" (checked until t={effect.until:.6g} s)"
    changed = [number for number in effect.judged if abs(number.share) > WARNED]
    regular = [number for number in changed if not number.is_chaotic]
    if regular:
        # Sorted by the printed digits, so that rounding does not change the order of equal changes.
        regular.sort(key=lambda number: -abs(_two_digits(number.share)))
        is_error = abs(regular[0].share) > REFUSED
        problem = (
            f"{step} is {'too coarse' if is_error else 'coarse'} for the inputs. It changes "
            f"{_listed(list(map(_difference, regular)))}"
        )
        counts = [
            f"{number.name} {_both(number)}"
            for number in effect.shown
            if number.received != number.defined
        ]
        if counts:
            problem += f". Without limit: {_listed(counts)}"
        limit = f"must be ≤ {100.0 * REFUSED:g}" if is_error else f"should be ≤ {100.0 * WARNED:g}"
        problem += f". Changes {limit} %"
        remedy = "take a smaller step_size"
        is_sampled = not all(
            isinstance(signal, ConstantSignal | SineSignal) for signal in inputs.values()
        )
        if is_sampled and not reading.is_extrapolated:
            remedy = "take a step_size with all samples of the inputs at communication points"
        elif is_sampled and reading.is_chosen:
            remedy += ", or input_timing = 'end', which interpolates the samples linearly"
        yield Finding(is_error, problem, remedy, is_effect=True)
    chaotic = sorted(
        (number for number in changed if number.is_chaotic),
        key=lambda number: -_two_digits(number.scatter),
    )
    if chaotic:
        scatter = [
            f"{number.name} to ± {_two_digits(100.0 * number.scatter):g} %" for number in chaotic
        ]
        problem = f"the motion is chaotic: a single run determines {_listed(scatter)}"
        yield Finding(False, problem, "compare means over a longer time")


def _listed(numbers: list[str]) -> str:
    """Return the first numbers as a text, and the number of further ones."""
    others = len(numbers) - _MOST_LISTED
    more = [f"{others} more number{'s' if others > 1 else ''}"] if others > 0 else []
    return listed([*numbers[:_MOST_LISTED], *more])


def _difference(number: Effect) -> str:
    """Return the change of a number by the step as a text."""
    share = "" if math.isinf(number.share) else f"{_two_digits(100.0 * number.share):+g} % "
    return f"{number.name} by {share}({_both(number)})"


def _both(number: Effect) -> str:
    unit = f" {number.unit}" if number.unit else ""
    return f"{number.received:.4g}{unit} instead of {number.defined:.4g}{unit}"
