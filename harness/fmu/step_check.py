"""Is the step fine enough for its inputs? Asked by cases, sweeps, lives and recorded shakings.

A sine is judged by its steps a period: fewer than 4 are an error, fewer than 20 a note. With
derivatives up to the order n it misses (ωh)^(n+1)/(n+1)! of its amplitude within a step h instead.
For our own models all inputs are judged by their effect, see `harness.fmu.step_effect`: more than
2 % is a warning, more than 20 % an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.errors import RunError
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import InputReading
from harness.fmu.noise import NoiseSignal
from harness.fmu.signals import ConstantSignal, SampledSignal, Signal, SineSignal, TableSignal
from harness.fmu.step_effect import (
    FEWEST_JUDGED,
    WARNED,
    Effect,
    StepEffect,
    StepModel,
    step_effect,
)

FEWEST_STEPS = 4.0
"""Steps a period below which a sine is not known at all."""

ENOUGH_STEPS = 20.0
"""Steps a period from which the error of wear is below some percent."""

REFUSED = 0.2
"""Difference above which an effect is an error."""

MOST_MISSED = 0.05
"""Share of its amplitude that a sine may miss within a step by derivatives; more is an error."""

NOTED_MISSED = 1e-6
"""Share from which it is noted."""


@dataclass(frozen=True)
class Finding:
    """What is wrong with the step for an input.

    Parameters
    ----------
    is_error : bool
        Whether the result would have little to do with the input; otherwise it is less accurate.
    problem : str
        Step and what is wrong, one line.
    remedy : str
        What to write into a case.
    finer_step : float, optional
        A step that would do, s; None if it is not known.
    is_effect : bool
        Whether the effect of the step was found too large.
    """

    is_error: bool
    problem: str
    remedy: str
    finer_step: float | None = None
    is_effect: bool = False

    @property
    def line(self) -> str:
        """The problem and its remedy."""
        return f"{self.problem}: {self.remedy}"

    @property
    def refusal(self) -> str:
        """The same for an error that may be meant."""
        return (
            f"{self.line}; if it is meant, allow_coarse_step = true under [experiment] lets it run"
        )


def step_findings(
    inputs: Mapping[str, Signal],
    experiment: Experiment,
    reading: InputReading,
    model: StepModel | None = None,
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
    model : StepModel, optional
        What runs; without it sines alone are judged.

    Raises
    ------
    ValueError
        If a signal does not cover the span.
    """
    findings = [
        finding
        for name, signal in inputs.items()
        if isinstance(signal, SineSignal) and signal.amplitude != 0.0 and signal.omega != 0.0
        for finding in _of_sine(f"inputs.{name}", signal, experiment, reading)
    ]
    # A step that is refused already needs no run.
    if model is not None and (experiment.allow_coarse_step or not has_error(findings)):
        try:
            effect = step_effect(model, inputs, experiment, reading)
        except RunError:
            effect = None  # the run itself gives the reason
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
    """Return warnings on a step, a line each; parameters are those of `step_findings`.

    Raises
    ------
    ValueError
        With the first error, unless `experiment.allow_coarse_step`: then errors are warnings.
    """
    findings = step_findings(inputs, experiment, reading, model)
    if has_error(findings) and not experiment.allow_coarse_step:
        raise ValueError(findings[0].refusal)
    return tuple(finding.line for finding in findings)


def largest_input(points: Sequence[Mapping[str, Signal]]) -> int:
    """Return which of several points has the largest inputs; the first of equal ones.

    Parameters
    ----------
    points : sequence of mapping of str to Signal
        The inputs at each point, one at least. Each input counts as a share of its largest value.
    """
    sizes = [{name: _size(signal) for name, signal in inputs.items()} for inputs in points]
    largest: dict[str, float] = {}
    for values in sizes:
        for name, size in values.items():
            largest[name] = max(size, largest.get(name, 0.0))
    shares = [
        sum(size / largest[name] for name, size in values.items() if size > 0.0) for values in sizes
    ]
    return shares.index(max(shares))


def _size(signal: Signal) -> float:
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
    what = f"{name}: a sine of {frequency:.6g} Hz"
    judge = _missed_by_derivatives if reading.derivatives else _steps_a_period
    return judge(what, frequency, experiment, reading)


def _steps_a_period(
    what: str, frequency: float, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    step = experiment.step_size
    # A period written in decimals may miss a whole number of steps by a rounding.
    steps = (1.0 + 1e-9) / (frequency * step)
    if steps >= ENOUGH_STEPS:
        return
    finer = 1.0 / (ENOUGH_STEPS * frequency)
    is_error = steps < FEWEST_STEPS
    fewest = f"must have ≥ {FEWEST_STEPS:g}" if is_error else f"should have ≥ {ENOUGH_STEPS:g}"
    problem = f"{what} has {steps:.3g} steps of step_size={step:.6g} s a period and {fewest}"
    yield Finding(is_error, problem, f"take step_size ≤ {finer:.3g} s", finer)


def _missed_by_derivatives(
    what: str, frequency: float, experiment: Experiment, reading: InputReading
) -> Iterator[Finding]:
    terms = reading.derivatives + 1
    # By logarithms: the power of a wild step overflows.
    factorial = math.lgamma(terms + 1)
    angle = 2.0 * math.pi * frequency * experiment.step_size
    missed = terms * math.log(angle) - factorial
    if missed <= math.log(NOTED_MISSED):
        return
    finer = math.exp((math.log(NOTED_MISSED) + factorial) / terms) / (2.0 * math.pi * frequency)
    problem = (
        f"{what} in steps of step_size={experiment.step_size:.6g} s with "
        f"{reading.derivatives} derivatives misses up to "
        f"{_two_digits(100.0 * math.exp(min(missed, 20.0))):g} % of its amplitude"
    )
    is_error = missed > math.log(MOST_MISSED)
    if is_error:
        problem += f" and must miss ≤ {100.0 * MOST_MISSED:g} %"
    yield Finding(is_error, problem, f"take step_size ≤ {finer:.3g} s", finer)


def _two_digits(number: float) -> float:
    return round(number, 1 - math.floor(math.log10(abs(number))))


# The effect


def _of_effect(
    effect: StepEffect,
    inputs: Mapping[str, Signal],
    experiment: Experiment,
    reading: InputReading,
) -> Iterator[Finding]:
    """Find the numbers that the step changes too much, regular motion before chaotic motion."""
    step = f"step_size={experiment.step_size:.6g} s"
    if not effect.judged:
        yield Finding(
            False,
            f"{step} is not judged, because {FEWEST_JUDGED} steps have too many events",
            "--check-step compares the run with one at half the step",
        )
    if effect.until < experiment.stop_time - 0.5 * experiment.step_size:
        step += f" (judged until t={effect.until:.6g} s)"
    changed = [number for number in effect.judged if abs(number.share) > WARNED]
    regular = [number for number in changed if not number.is_chaotic]
    if regular:
        worst = max(abs(number.share) for number in regular)
        is_error = worst > REFUSED
        limit = REFUSED if is_error else WARNED
        counts = ", ".join(
            f"{number.name} {_both(number)}"
            for number in effect.shown
            if number.received != number.defined
        )
        problem = (
            f"{step} changes {', '.join(map(_difference, regular))} against the inputs as they are "
            f"defined, and {'must' if is_error else 'should'} change ≤ {100.0 * limit:g} %"
        )
        if counts:
            problem += f" (not judged: {counts})"
        remedy = "take a smaller step_size"
        is_sampled = not all(
            isinstance(signal, ConstantSignal | SineSignal) for signal in inputs.values()
        )
        if is_sampled and not reading.is_extrapolated:
            remedy = "take a step_size that has the samples of the inputs at communication points"
        elif is_sampled and reading.is_chosen:
            remedy += ", or input_timing = 'end', which follows the lines between samples"
        yield Finding(is_error, problem, remedy, is_effect=True)
    for number in changed:
        if number.is_chaotic:
            yield Finding(
                False,
                f"{number.name} is chaotic: known to ± {_two_digits(100.0 * number.scatter):g} % "
                f"in one run ({step} changes {_difference(number)})",
                "compare means over a longer time",
            )


def _difference(number: Effect) -> str:
    """Return a number with what the step changes of it, in words."""
    share = "" if math.isinf(number.share) else f"{_two_digits(100.0 * number.share):+g} % "
    return f"{number.name} by {share}({_both(number)})"


def _both(number: Effect) -> str:
    unit = f" {number.unit}" if number.unit else ""
    return f"{number.received:.4g}{unit} instead of {number.defined:.4g}{unit}"
