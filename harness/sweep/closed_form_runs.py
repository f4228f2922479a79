"""Points of a sweep by the closed form of the rubbing shoe: exact, without steps, all at once.

It knows one motion: a mass that rests on its support at t = 0, is held by rigid friction under the
constant normal force m g alone, and is shaken by a sine; and one quantity, the wear work over a
window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmu_src.models import fmu_definition
from harness.case.expectations import WindowExpectation
from harness.fmu.signals import SineSignal
from harness.sweep.kernel_runs import kernel_names
from harness.sweep.points import Point
from harness.sweep.study import Study
from wearmodel import FrictionalShockParameters
from wearmodel.batch.harmonic_maps import harmonic_wear_powers, require_harmonic_case

FMU = fmu_definition("FrictionalShock")

# What may differ from its default: the closed form's own parameters, what only turns wear work into
# depth, and how a model with steps reads its input.
FREE_PARAMETERS = {
    "mass",
    "gravity",
    "friction_coefficient",
    "archard_coefficient",
    "wear_area",
    "input_extrapolation_order",
    "input_timing",
}
_DEFAULTS = FrictionalShockParameters()
_FIXED = {
    quantity.name: getattr(_DEFAULTS, quantity.name)
    for quantity in fields(FrictionalShockParameters)
    if quantity.name not in FREE_PARAMETERS
}


def require_closed_form(study: Study, point: Point) -> None:
    """Raise ValueError unless the closed form covers the study, as it is at this point."""
    if study.model != FMU.name:
        raise ValueError(_only(f"cases of {FMU.name}; this one is of {study.model}"))
    if study.experiment.start_time != 0.0:
        raise ValueError(
            _only(f"runs from 0 s; experiment.start_time = {study.experiment.start_time} s")
        )
    for name, quantity in study.quantities.items():
        if not (
            isinstance(quantity, WindowExpectation)
            and quantity.variable == "wear_work"
            and quantity.quantity in ("mean_rate", "increment")
        ):
            raise ValueError(_only(f"mean_rate and increment of wear_work; {name} is another"))
    given: dict[str, Any] = study.parameters_at(point)
    kernel_names(study.model).require("parameter", given)
    _require_rubbing(study, given)
    _require_sine(study, point)


def closed_form_runs(
    study: Study, points: Sequence[Point]
) -> Iterator[tuple[int, tuple[float, ...] | str]]:
    """Compute the points; yield the index of each with its quantities, or with why it failed."""
    indices = []
    cases = []
    for index, point in enumerate(points):
        try:
            case = _case(study, point)
        except (ValueError, TypeError) as problem:
            yield index, str(problem)
        else:
            indices.append(index)
            cases.append(case)
    if not cases:
        return
    columns = {name: np.array([case[name] for case in cases]) for name in cases[0]}
    values = [_values(quantity, columns) for quantity in study.quantities.values()]
    for index, *row in zip(indices, *values, strict=True):
        yield index, tuple(float(value) for value in row)


def rubbing_at(study: Study, point: Point) -> tuple[FrictionalShockParameters, SineSignal]:
    """Return the parameters and the shaking of the rubbing shoe that runs at a point.

    Raises
    ------
    ValueError, TypeError
        If it is another thing, or a value is refused.
    """
    given: dict[str, Any] = study.parameters_at(point)
    return _require_rubbing(study, given), _require_sine(study, point)


def _values(quantity: Any, cases: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    # One thread: a sweep has a process for each core.
    powers = harmonic_wear_powers(**cases, window=quantity.window, threads=1)
    start, stop = quantity.window
    return powers if quantity.quantity == "mean_rate" else powers * (stop - start)


def _case(study: Study, point: Point) -> dict[str, float]:
    """Return what `harmonic_wear_powers` takes of a case, or raise ValueError or TypeError."""
    parameters, signal = rubbing_at(study, point)
    case = {
        "mass": parameters.mass,
        "gravity": parameters.gravity,
        "friction_coefficient": parameters.friction_coefficient,
        "amplitude": signal.amplitude,
        "angular_frequency": signal.omega,
    }
    for quantity in study.quantities.values():
        assert isinstance(quantity, WindowExpectation)  # checked when the sweep was read
        require_harmonic_case(**case, window=quantity.window)
    return case


def _require_rubbing(study: Study, given: dict[str, Any]) -> FrictionalShockParameters:
    if set(study.inputs) != {"base_acceleration"}:
        raise ValueError(_only(f"the input base_acceleration; the case feeds {[*study.inputs]}"))
    parameters = FrictionalShockParameters(**given)
    for name, wanted in _FIXED.items():
        value = getattr(parameters, name)
        if value != wanted:
            default, is_now = (getattr(number, "name", number) for number in (wanted, value))
            raise ValueError(_only(f"{name} = {default!r}, the default; it is {is_now!r}"))
    return parameters


def _require_sine(study: Study, point: Point) -> SineSignal:
    signal = study.inputs_at(point)["base_acceleration"]
    if not isinstance(signal, SineSignal) or signal.phase != 0.0 or signal.offset != 0.0:
        raise ValueError(_only("base_acceleration of kind 'sine' with phase and offset 0"))
    return signal


def _only(what: str) -> str:
    return f"engine = 'closed_form' takes only {what}: take engine = 'kernel'"
