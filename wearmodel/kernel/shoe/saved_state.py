"""Checks of saved states from other programs or damaged files."""

from __future__ import annotations

from ..inputs.extrapolation import SHORTEST_ORDINARY, samples_past
from ..inputs.state_objects import Errors, Samples
from ..limits import (
    BASE_ACCELERATION,
    BASE_ACCELERATION_NORMAL,
    NO_SUCH_MODE,
    NO_SUCH_ZEROS,
    NORMAL_LOAD,
    OK,
    SAMPLES_OF_OTHERS,
    TANGENTIAL_LOAD,
    TIME,
)
from ..series.roots import impossible_count
from ..state_objects import Sample
from .parameters import Parameters
from .state_objects import Predictions, Present, State


def broken_state(
    p: Parameters, s: State, samples: Samples, predictions: Predictions, now: Present
) -> tuple[int, float, float]:
    """Check a state of finite numbers. Return OK or an error, and two numbers for its message.

    The errors are NO_SUCH_MODE, NO_SUCH_ZEROS with the number, and errors of `broken_samples`.
    """
    if not (
        _is_direction(s.contact)
        and _is_direction(s.sliding)
        and _is_direction(s.last_sliding)
        and _is_direction(s.stop)
    ):
        return NO_SUCH_MODE, 0.0, 0.0
    zeros = impossible_count(
        s.zeros_gap, s.zeros_force, s.zeros_slip, s.zeros_cone_plus, s.zeros_cone_minus
    )
    if zeros == 0.0:
        zeros = impossible_count(s.zeros_stop, 0.0, 0.0, 0.0, 0.0)
    if zeros != 0.0:
        return NO_SUCH_ZEROS, zeros, 0.0
    return broken_samples(p, samples, predictions, now)


def _is_direction(number: float) -> bool:
    return number == 0.0 or abs(number) == 1.0


def broken_samples(
    p: Parameters, samples: Samples, predictions: Predictions, now: Present
) -> tuple[int, float, float]:
    """Check saved samples. Return OK or an error, and two numbers for its message.

    The numbers of SAMPLES_NOT_PAST are the times of a sample and of the next one [s].
    """
    count = now.sample_count
    acceleration = predictions.base_acceleration
    normal_acceleration = predictions.base_acceleration_normal
    load = predictions.tangential_load
    normal_load = predictions.normal_load
    steady = min(acceleration.steady, normal_acceleration.steady, load.steady, normal_load.steady)
    if not 0.0 <= count <= p.samples_kept or count != int(count) or not steady >= 0.0:
        return SAMPLES_OF_OTHERS, count, steady
    code, time, later = samples_past(samples, count, now.time)
    if code != OK:
        return code, time, later
    shortest = SHORTEST_ORDINARY * now.even_step_size
    closest = now.time - samples.first[TIME]
    if count > 1.0 and p.longest_order > 1.0:
        closest = min(closest, samples.first[TIME] - samples.second[TIME])
    if count > 2.0 and p.longest_order > 2.0:
        closest = min(closest, samples.second[TIME] - samples.third[TIME])
    if (
        (count > 1.0 and not _may_be_steady(predictions, 0.0, samples.first, samples.second))
        or (count > 2.0 and not _may_be_steady(predictions, 1.0, samples.second, samples.third))
        or (count > 3.0 and not _may_be_steady(predictions, 2.0, samples.third, samples.fourth))
    ):
        return SAMPLES_OF_OTHERS, count, steady
    if now.even_step_size != 0.0 and (count != p.samples_kept or closest < shortest):
        return SAMPLES_OF_OTHERS, count, steady
    return OK, 0.0, 0.0


def _may_be_steady(predictions: Predictions, back: float, sample: Sample, before: Sample) -> bool:
    """Whether two samples, the newer `back` samples ago, agree in inputs with `steady` > `back`."""
    return (
        _is_as_steady(predictions.base_acceleration, BASE_ACCELERATION, back, sample, before)
        and _is_as_steady(
            predictions.base_acceleration_normal, BASE_ACCELERATION_NORMAL, back, sample, before
        )
        and _is_as_steady(predictions.tangential_load, TANGENTIAL_LOAD, back, sample, before)
        and _is_as_steady(predictions.normal_load, NORMAL_LOAD, back, sample, before)
    )


def _is_as_steady(errors: Errors, column: int, back: float, sample: Sample, before: Sample) -> bool:
    return errors.steady <= back or sample[column] == before[column]
