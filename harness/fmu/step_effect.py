"""Effect of the communication step, from runs with the inputs as received and as defined.

An FMU receives its inputs at communication points. Between them it uses the extrapolation of past
values, linear interpolation to the next value, or derivatives. The kernel runs with these inputs,
and with the inputs as `harness.fmu.step_inputs` defines them. The difference of wear work, sliding
distance, peak force and peak displacement is the effect of the step.

Limits: there is no kernel for FMUs from other vendors. A run with parameter changes is checked up
to the first change. Only the first part of a long run, or of a run with many events, is checked.
Inputs of DisChoc are always linear over a step, so that a sine has no effect.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmu_src.models import fmu_definition
from harness.errors import RunError
from harness.fmu.experiment import Experiment
from harness.fmu.input_timing import InputReading
from harness.fmu.model_runs import Histories, StepModel
from harness.fmu.signals import Signal
from harness.fmu.step_inputs import (
    Course,
    defined_course,
    is_received_as_defined,
    own_times,
    parts_of_a_step,
    prediction_errors,
    received_course,
)
from wearmodel.arrays import Floats
from wearmodel.batch.cores import core_count
from wearmodel.batch.run_state import RunState
from wearmodel.models.modal_quantities import structure_outputs

WARNED = 0.02
"""Difference above which an effect is reported."""

MOST_POINTS = {"FrictionalShock": 200_000, "ModalShock": 20_000}
"""Maximum number of checked points, including the samples of the inputs. They take tenths of a
second."""

FEWEST_POINTS, INTERPRETED_SHARE = 2000, 0.05
"""Without a compiled library, the larger of this number and this share of the points is checked."""

MOST_PIECES = 20_000
"""Maximum number of checked pieces beyond one per point. Without a compiled library, it is at most
the number of checked points."""

FEWEST_JUDGED = 20
"""Minimum number of checked steps. The first extrapolations of a run have no past values."""

# Relative to the number of the largest contact and the range of motion, see `_Numbers.scales`.
_SMALL_CONTACT, _SMALL_MOTION = 0.01, 1e-6
_ATOM = 1e-10
_ROUNDING = 1e-14
# If disturbances have the first share of their size, chaotic motion keeps more than the second
# share of its scatter.
_LESS, _CHAOTIC_SHARE = 0.1, 1.0 / 3.0
_TOTALS = ("wear_work", "sliding_distance", "peak_normal_force")
_COUNTS = ("shock_count", "slip_count")
_SPRING_FORCE = "force_x"
_PREDICTION_ERROR = "input_prediction_error"


@dataclass(frozen=True)
class Effect:
    """A number from both runs."""

    name: str
    unit: str
    # Values with the inputs as received by the FMU, and as defined.
    received: float
    defined: float
    # Reference of relative differences.
    scale: float
    # Largest deviation of disturbed runs from their mean, divided by `scale`, or 0 if it was not
    # estimated.
    scatter: float = 0.0

    @property
    def share(self) -> float:
        """Relative difference (received − defined)/scale, infinite if `scale` is 0."""
        difference = self.received - self.defined
        if difference == 0.0:
            return 0.0
        return difference / self.scale if self.scale > 0.0 else math.copysign(math.inf, difference)

    @property
    def is_chaotic(self) -> bool:
        """Whether the difference is below twice the scatter."""
        return abs(self.share) < 2.0 * self.scatter


@dataclass(frozen=True)
class StepEffect:
    """Effect of the step."""

    # Wear work, sliding distance, peak force and peak displacement of each contact.
    judged: tuple[Effect, ...]
    # Counts and residual displacements, which are not checked.
    shown: tuple[Effect, ...]
    # End of the checked part [s], or the start if the run is too costly.
    until: float


# If a number overflows, the run itself reports the reason.
@np.errstate(over="ignore", invalid="ignore")
def step_effect(
    model: StepModel, inputs: Mapping[str, Signal], experiment: Experiment, reading: InputReading
) -> StepEffect | None:
    """Return the effect of the step, or `None` if the inputs are received as they are defined.

    The kernel runs twice, until the run ends or reaches the limit of pieces. If a checked number
    differs by more than `WARNED`, 16 to 24 more runs estimate the scatter of chaotic motion. The
    units of `inputs` must be the units of the model's inputs.

    Raises ValueError if a signal does not cover the span. Raises RunError if the model rejects a
    value, or a run fails.
    """
    takes_derivatives, step = model.takes_derivatives, experiment.step_size
    times = experiment.times()
    for signal in inputs.values():
        signal.sample(times[[0, -1]])
    steps, most_pieces = _judged_steps(model, inputs, times, step)
    times = times[: 1 + steps]
    if times.size < 2 or all(
        is_received_as_defined(signal, times, step, reading, takes_derivatives)
        for signal in inputs.values()
    ):
        return None
    received = received_course(inputs, times, step, reading)
    defined = defined_course(inputs, times, step, reading, takes_derivatives)
    at_points = np.searchsorted(defined.times, times)
    numbers = _Numbers(model, at_points)
    received_run, steps = numbers.first_part(received, np.arange(times.size), most_pieces)
    defined_run, steps = numbers.first_part(defined, at_points[: steps + 1], most_pieces)
    if steps < min(FEWEST_JUDGED, times.size - 1):
        return StepEffect((), (), float(times[0]))
    times, defined = times[: steps + 1], defined.between(0, int(at_points[steps]))
    received_run = {name: history[: steps + 1] for name, history in received_run.items()}
    numbers = _Numbers(model, at_points[: steps + 1])
    with_received = numbers.of(received_run, np.arange(times.size))
    with_defined = numbers.of(defined_run)
    scales = numbers.scales(defined_run)
    effects = [
        Effect(name, numbers.unit(name), with_received[name], number, scales.get(name, 0.0))
        for name, number in with_defined.items()
    ]
    judged = [effect for effect in effects if effect.name in scales]
    if any(abs(effect.share) > WARNED for effect in judged):
        errors = prediction_errors(
            inputs, times, reading, received_run.get(_PREDICTION_ERROR, np.empty(0))
        )
        scatters = _scatters(
            judged,
            defined,
            times,
            errors,
            lambda course: numbers.of(numbers.run(course)[0]),
        )
        judged = [
            replace(effect, scatter=scatter)
            for effect, scatter in zip(judged, scatters, strict=True)
        ]
    shown = tuple(effect for effect in effects if effect.name not in scales)
    return StepEffect(tuple(judged), shown, float(times[-1]))


def _judged_steps(
    model: StepModel, inputs: Mapping[str, Signal], times: Floats, step: float
) -> tuple[int, int]:
    """Return the number of checked steps, up to the first change and within the cost limit.

    The second value is the allowed number of pieces beyond one piece per point.
    """
    count = min(int(np.searchsorted(times, model.changes_at - 0.5 * step)), times.size - 1)
    if not inputs or count < 1:
        return count, MOST_PIECES
    points = count * max(parts_of_a_step(signal, step) for signal in inputs.values())
    points += sum(own_times(signal, times[: count + 1], step).size for signal in inputs.values())
    most, most_pieces = MOST_POINTS.get(model.name, points), MOST_PIECES
    if not model.is_compiled:
        most = min(most, max(FEWEST_POINTS, round(INTERPRETED_SHARE * points)))
        most_pieces = min(most_pieces, most)
    return count if points <= most else max(1, count * most // points), most_pieces


# The runs and their numbers


class _Numbers:
    """Runs of a model, and the numbers that are checked or shown.

    `at_points` contains the indices of the communication points in the times of the defined inputs.
    """

    def __init__(self, model: StepModel, at_points: NDArray[np.int64]) -> None:
        self._model = model
        self._at_points = at_points
        if model.structure is not None:
            table: Sequence[Any] = structure_outputs(model.structure)
        else:
            variables = fmu_definition(model.name).slave.table
            table = [variable for variable in variables if variable.causality == "output"]
        wanted = (*_TOTALS, *_COUNTS, _PREDICTION_ERROR, _SPRING_FORCE)
        self._units = {
            output.name: output.unit
            for output in table
            if _last(output.name) in wanted or _is_displacement(output.name)
        }
        # The sum over contacts contains no further information.
        if any(name.endswith(f".{_TOTALS[0]}") for name in self._units):
            self._units.pop(_TOTALS[0])

    def unit(self, number: str) -> str:
        """Return the unit of a number. Numbers that are not outputs are lengths."""
        return "" if _last(number) in _COUNTS else self._units.get(number.split(" ")[-1], "m")

    def first_part(
        self, course: Course, at_points: NDArray[np.int64], most_pieces: int
    ) -> tuple[Histories, int]:
        """Run up to the last point, or until the limit of pieces is reached.

        The length of the parts doubles, so that small differences in pieces seldom change the end.
        Return the histories of outputs and the number of communication steps. Raises RunError.
        """
        state, parts, steps, spent = RunState(), [], 0, 0
        while steps < at_points.size - 1 and spent < most_pieces:
            steps = min(2 * steps + 1, at_points.size - 1)
            points = state.steps
            part, pieces = self.run(course.between(points, int(at_points[steps])), state)
            parts.append(part)
            spent += max(0, pieces - (state.steps - points))
        histories = {
            name: np.concatenate([first, *(part[name][1:] for part in parts[1:])])
            for name, first in parts[0].items()
        }
        return histories, steps

    def run(self, course: Course, state: RunState | None = None) -> tuple[Histories, int]:
        """Run the kernel from its start or from a state, and return the outputs and the pieces.

        Raises RunError if the model rejects a value or the run fails.
        """
        try:
            return self._model.run(course, [*self._units], state or RunState(), compiles=False)
        except (ValueError, TypeError, ArithmeticError) as problem:
            raise RunError(str(problem)) from None

    @np.errstate(over="ignore", invalid="ignore")
    def of(
        self, histories: Histories, at_points: NDArray[np.int64] | None = None
    ) -> dict[str, float]:
        """Return the numbers of a run, with displacements at communication points."""
        numbers = {}
        for name in self._units:
            if _last(name) in (*_TOTALS, *_COUNTS):
                numbers[name] = float(histories[name][-1])
            elif name == _SPRING_FORCE:
                numbers[f"peak {name}"] = float(np.max(np.abs(histories[name])))
        for stem, components in self._displacements(histories, at_points).items():
            squares = np.sum(np.square(components), axis=0)
            numbers[f"peak {stem}"] = float(np.sqrt(np.max(squares)))
            numbers[f"residual {stem}"] = float(np.sqrt(squares[-1]))
        return numbers

    def _displacements(
        self, histories: Histories, at_points: NDArray[np.int64] | None = None
    ) -> dict[str, list[Floats]]:
        """Return the components of each displacement at communication points, by name."""
        components: dict[str, list[Floats]] = {}
        places = self._at_points if at_points is None else at_points
        for name in filter(_is_displacement, self._units):
            stem = name[:-2] if name.endswith(("_x", "_y", "_z")) else name
            components.setdefault(stem, []).append(histories[name][places])
        return components

    def scales(self, defined: Histories) -> dict[str, float]:
        """Return the reference value of each checked number, for relative differences.

        It is the range of a displacement, or the number itself, but at least a hundredth of the
        number of the largest contact. Sliding is at least a millionth of the range of motion and
        the size of an atom. Wear work is at least the work of this sliding under the peak force.
        """
        groups = {
            total: {name: value for name, value in self.of(defined).items() if _last(name) == total}
            for total in (*_TOTALS, f"peak {_SPRING_FORCE}")
        }
        groups["range"] = {
            f"peak {stem}": float(max(np.ptp(component) for component in components))
            for stem, components in self._displacements(defined).items()
        }
        largest = {total: max(group.values(), default=0.0) for total, group in groups.items()}
        sliding = max(_ATOM, _SMALL_MOTION * largest["range"])
        force = max(largest["peak_normal_force"], largest[f"peak {_SPRING_FORCE}"])
        floors = {"sliding_distance": sliding, "wear_work": sliding * force, "range": _ATOM}
        return {
            name: max(number, _SMALL_CONTACT * largest[total], floors.get(total, 0.0))
            for total, group in groups.items()
            for name, number in group.items()
            if total != "range" or self._model.judges_displacement
        }


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _is_displacement(name: str) -> bool:
    return _last(name).startswith(("relative_displacement", "displacement_"))


# Chaotic motion


def _scatters(
    judged: Sequence[Effect],
    defined: Course,
    times: Floats,
    errors: Mapping[str, float],
    numbers: Callable[[Course], dict[str, float]],
) -> list[float]:
    """Return the scatter of each checked number, as a share of its scale.

    In eight runs the inputs differ by rounding, and in eight by normal numbers as large as the
    errors of the inputs. The larger scatter is used. Only the scatter of regular motion is
    proportional to the errors. If only the errors explain a difference, eight runs with a tenth of
    the errors decide whether the motion is chaotic.
    """
    random = np.random.default_rng(0)

    def spread(courses: list[Course]) -> Floats:
        with ThreadPoolExecutor(core_count()) as pool:
            runs = list(pool.map(numbers, courses))
        numbers_of_runs = np.array([[run[effect.name] for effect in judged] for run in runs])
        deviations = np.max(np.abs(numbers_of_runs - np.mean(numbers_of_runs, axis=0)), axis=0)
        return np.asarray(deviations / [effect.scale or math.inf for effect in judged])

    def disturbed(share: float) -> Course:
        lines = {
            name: np.interp(
                defined.times, times, share * error * random.standard_normal(times.size)
            )
            for name, error in errors.items()
            if error > 0.0
        }
        return defined.plus(lines)

    factors = [1.0 + sign * number * _ROUNDING for number in range(1, 5) for sign in (1.0, -1.0)]
    rounded = spread([defined.scaled(factor) for factor in factors])
    erring = spread([disturbed(1.0) for _ in factors])
    shares = np.abs([effect.share for effect in judged])
    if np.any((shares > WARNED) & (shares >= 2.0 * rounded) & (shares < 2.0 * erring)):
        less = spread([disturbed(_LESS) for _ in factors])
        erring = np.where(less > _CHAOTIC_SHARE * erring, erring, 0.0)
    return [float(scatter) for scatter in np.maximum(rounded, erring)]
