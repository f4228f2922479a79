"""Lines in a map where the regime of a rubbing shoe changes: the onset of slip, and η*.

The regime of a mass on a support with the acceleration a0 sin ωt depends only on η = μ g/a0. The
mass never slips for η ≥ 1 and always slips for η ≤ η* = 2/√(π² + 4). If η is a product of powers of
the varied quantities, both limits are curves in closed form. Source: SDND104 (V5.01.104),
section 2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness.fmu.signals import SineSignal
from harness.sweep.points import Point
from harness.sweep.study import Study, Target
from harness.sweep.sweep_file import Sweep
from wearmodel import FrictionalShockParameters
from wearmodel.arrays import Floats
from wearmodel.quantities import changes_between
from wearmodel.reference.closed_forms import ETA_STAR

# Parameters that may differ from their defaults.
_FREE_PARAMETERS = {
    "mass",
    "gravity",
    "friction_coefficient",
    "archard_coefficient",
    "wear_area",
    "input_extrapolation_order",
    "input_timing",
}
_SHAKING = ("inputs", "base_acceleration")
# Exponents of η by varied quantity.
_POWERS: dict[Target, int] = {
    **{("parameters", name): 0 for name in _FREE_PARAMETERS},
    ("parameters", "friction_coefficient"): 1,
    ("parameters", "gravity"): 1,
    (*_SHAKING, "amplitude"): -1,
    (*_SHAKING, "frequency"): 0,
    (*_SHAKING, "angular_frequency"): 0,
}
_SAMPLES = 200


@dataclass(frozen=True)
class RegimeLine:
    """A line between two regimes in a map.

    In a sweep of a single quantity, `x` has one value and `y` is empty.
    """

    name: str
    x: Floats
    y: Floats


_LINES = {
    "onset of slip, a₀ = μg": 1.0,
    f"limit of stick, μg/a₀ = η* = {ETA_STAR:.4g}": ETA_STAR,
}


def regime_lines(sweep: Sweep) -> list[RegimeLine]:
    """Return the lines within a sweep of one or two numbers, or [] for other models."""
    study = sweep.study
    powers = [_POWERS.get(target) for target in study.targets]
    if Path(study.model).stem != "FrictionalShock" or None in powers or not any(powers):
        return []
    columns = [np.array(column, dtype=np.float64) for column in zip(*sweep.points, strict=True)]
    positive = np.flatnonzero(np.all([column > 0.0 for column in columns], axis=0))
    if not len(positive):
        return []
    reference = sweep.points[positive[0]]
    eta = _eta(study, reference)
    if eta is None:
        return []
    for value, power in zip(reference, powers, strict=True):
        eta /= float(value) ** (power or 0)
    ranges = [(float(column[column > 0.0].min()), float(column.max())) for column in columns]
    lines = []
    for name, level in _LINES.items():
        x, y = _curve(level / eta, [power or 0 for power in powers], ranges)
        if len(x):
            lines.append(RegimeLine(name, x, y))
    return lines


def _eta(study: Study, point: Point) -> float | None:
    """Return η at a point, or None unless the mass slides freely and a sine is the only input."""
    given: dict[str, Any] = study.parameters_at(point)
    try:
        parameters = FrictionalShockParameters(**given)
        signal = study.inputs_at(point).get("base_acceleration")
    except (ValueError, TypeError):
        return None
    changes = changes_between(FrictionalShockParameters(), parameters)
    if len(study.inputs) != 1 or changes.keys() - _FREE_PARAMETERS:
        return None
    if not isinstance(signal, SineSignal) or signal.phase != 0.0 or signal.offset != 0.0:
        return None
    return float(parameters.friction_coefficient * parameters.gravity / signal.amplitude)


def _curve(
    product: float, powers: Sequence[int], ranges: Sequence[tuple[float, float]]
) -> tuple[Floats, Floats]:
    """Return x^p y^q = `product` within the ranges, with empty y if only x is varied."""
    nowhere = np.empty(0), np.empty(0)
    first, second = (*powers, 0)[:2]
    low, high = ranges[0]
    if not second:
        place = product ** (1.0 / first)
        across = np.array(ranges[1]) if len(ranges) > 1 else np.empty(0)
        return (np.full(max(len(across), 1), place), across) if low <= place <= high else nowhere
    bottom, top = ranges[1]
    if first:
        # From the point where the line enters the map to the point where it leaves it.
        ends = sorted((product / border**second) ** (1.0 / first) for border in (bottom, top))
        low, high = max(low, ends[0]), min(high, ends[1])
    elif not bottom <= product ** (1.0 / second) <= top:
        return nowhere
    if low > high:
        return nowhere
    x = np.exp(np.linspace(math.log(low), math.log(high), _SAMPLES))
    return x, np.clip((product / x**first) ** (1.0 / second), bottom, top)
