"""Points of a sweep by the closed form of the rubbing shoe: exact, without steps.

The mass rests on its support at t = 0 with rigid friction and the constant normal force m g. The
base motion is a sine. The only quantity is the wear work over a window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from fmu_src.models import fmu_definition
from harness.case.expectations import WindowExpectation
from harness.fmu.signals import SineSignal
from harness.sweep.points import Point
from harness.sweep.study import Study
from wearmodel import FrictionalShockParameters
from wearmodel.reference.closed_forms import RubbingShoe

FMU = fmu_definition("FrictionalShock")

# Parameters that may differ from their defaults: parameters of the closed form, of the conversion
# of wear work to depth, and of the input of models with steps.
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
    """Raise ValueError unless the closed form applies to the study at this point."""
    if study.model != FMU.name:
        raise ValueError(_only(f"cases of {FMU.name}, not {study.model}"))
    if study.experiment.start_time != 0.0:
        raise ValueError(_only(f"experiment.start_time = 0 s, not {study.experiment.start_time} s"))
    for name, quantity in study.quantities.items():
        if not (
            isinstance(quantity, WindowExpectation)
            and quantity.variable == "wear_work"
            and quantity.quantity in ("mean_rate", "increment")
        ):
            raise ValueError(_only(f"mean_rate and increment of wear_work, not {name}"))
    given: dict[str, Any] = study.parameters_at(point)
    study.interface.require("parameter", given)
    _require_rubbing(study, given)
    _require_sine(study, point)


def closed_form_runs(
    study: Study, points: Sequence[Point]
) -> Iterator[tuple[int, tuple[float, ...] | str]]:
    """Compute the points, and yield the index of each with its quantities or its failure."""
    for index, point in enumerate(points):
        try:
            values = _values(study, point)
        except (ValueError, TypeError) as problem:
            yield index, str(problem)
        else:
            yield index, values


def rubbing_at(study: Study, point: Point) -> tuple[FrictionalShockParameters, SineSignal]:
    """Return the parameters and the base motion of the rubbing shoe at a point.

    Raises ValueError or TypeError for another motion or an invalid value.
    """
    given: dict[str, Any] = study.parameters_at(point)
    return _require_rubbing(study, given), _require_sine(study, point)


def _values(study: Study, point: Point) -> tuple[float, ...]:
    parameters, signal = rubbing_at(study, point)
    shoe = RubbingShoe(
        parameters.mass,
        parameters.gravity,
        parameters.friction_coefficient,
        signal.amplitude,
        signal.omega,
    )
    values = []
    for quantity in study.quantities.values():
        assert isinstance(quantity, WindowExpectation)  # checked when the sweep was read
        is_rate = quantity.quantity == "mean_rate"
        values.append((shoe.mean_wear_power if is_rate else shoe.wear_work)(*quantity.window))
    return tuple(values)


def _require_rubbing(study: Study, given: dict[str, Any]) -> FrictionalShockParameters:
    if set(study.inputs) != {"base_acceleration"}:
        raise ValueError(_only(f"the input base_acceleration, not {[*study.inputs]}"))
    parameters = FrictionalShockParameters(**given)
    for name, wanted in _FIXED.items():
        value = getattr(parameters, name)
        if value != wanted:
            default, is_now = (getattr(number, "name", number) for number in (wanted, value))
            raise ValueError(_only(f"the default {name} = {default!r}, not {is_now!r}"))
    return parameters


def _require_sine(study: Study, point: Point) -> SineSignal:
    signal = study.inputs_at(point)["base_acceleration"]
    if not isinstance(signal, SineSignal) or signal.phase != 0.0 or signal.offset != 0.0:
        raise ValueError(_only("base_acceleration of kind 'sine' with phase and offset 0"))
    return signal


def _only(allowed: str) -> str:
    return f"engine = 'closed_form' accepts only {allowed}: use engine = 'kernel'"
