"""Random polygons of a shock spring, in whole and divided legs, compared with an integration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wearmodel.models.shock_spring import Drive, ShockSpring, ShockSpringParameters

# A driving point and the duration of the leg to it.
Leg = tuple[np.ndarray, float]


def led(
    given: ShockSpringParameters,
    legs: list[Leg],
    outputs: Sequence[str],
    cuts: int = 1,
    change: float = 0.0,
) -> np.ndarray:
    """Return the outputs at the end of each leg. Points are changed by a relative `change`."""
    name, factor = "imposed_displacement", 1.0
    if given.drive is Drive.load:
        name, factor = "load", given.elastic_stiffness
    spring = ShockSpring(given)
    last = np.zeros(3)
    rows = []
    for corner, duration in legs:
        point = corner * (1.0 + change)
        for cut in range(1, cuts + 1):
            place = point if cut == cuts else last + (point - last) * (cut / cuts)
            values = zip("xyz", (factor * place).tolist(), strict=True)
            inputs = {f"{name}_{axis}": value for axis, value in values}
            spring.step(**inputs, step_size=duration / cuts)
        last = point
        rows.append([getattr(spring, output) for output in outputs])
    return np.array(rows)


@dataclass(frozen=True)
class Comparison:
    """Settings of the comparison of polygons. Bounds are relative to max(1, largest output).

    A polygon is left out if it has more than `most_events`, or if outputs differ by more than
    `sensitivity` after a relative `change` of its points.
    """

    outputs: Sequence[str]
    integrated: Callable[[ShockSpringParameters, list[Leg]], tuple[np.ndarray, int]]
    most_events: int
    change: float
    sensitivity: float
    bound: float
    cuts: Sequence[int]
    bound_of_cuts: float

    def left_out(self, given: ShockSpringParameters, legs: list[Leg]) -> bool:
        """Compare a polygon. Return True if it is left out."""
        got = led(given, legs, self.outputs)
        scale = max(1.0, float(np.max(np.abs(got))))
        want, events = self.integrated(given, legs)
        changed = led(given, legs, self.outputs, change=self.change)
        if events > self.most_events or np.max(np.abs(changed - got)) > self.sensitivity * scale:
            return True
        assert np.max(np.abs(got - want)) <= self.bound * scale
        for cuts in self.cuts:
            parted = led(given, legs, self.outputs, cuts)
            assert np.max(np.abs(parted - got)) <= self.bound_of_cuts * scale, cuts
        return False
