"""Force loop of a double concave bearing, beside its two pendulums in series.

The structure is that of the case double_concave: a column on a slider. It starts at rest in the
middle and is moved slowly to one side and back.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from console import parser, run

from wearmodel import ModalShock
from wearmodel.structure import Initial, read_structure

CASE = Path(__file__).parents[1] / "harness" / "cases" / "double_concave"
GRAVITY, MASS = 9.81, 1e5
STEP, STOP = 0.01, 5.0


def force_loop() -> tuple[np.ndarray, np.ndarray]:
    """Displacement of the column [m] and horizontal force on the column as a share of its weight.

    The force of the upper contact is friction and the restoring force F_N u/R.
    """
    structure = read_structure(CASE / "structure.toml")
    start = (0.0, *structure.initial.displacement[1:2], 0.0, *structure.initial.displacement[3:])
    model = ModalShock(replace(structure, initial=Initial(displacement=start)))
    radius = structure.contacts[1].parameters.pendulum_radius
    rows = [(0.0, 0.0)]
    for step in range(round(STOP / STEP)):
        model.step(STEP, base_acceleration_x=2.0 * math.sin(2.0 * math.pi * step * STEP / STOP))
        out = model.outputs()
        restoring = out["upper.normal_force"] * out["upper.relative_displacement_x"] / radius
        force = out["upper.friction_force_x"] - restoring
        rows.append((out["column.displacement_x"], force / (MASS * GRAVITY)))
    places, forces = zip(*rows, strict=True)
    return np.array(places), np.array(forces)


def slope_between(
    places: np.ndarray, forces: np.ndarray, first: float, last: float
) -> tuple[float, float]:
    """Slope [1/m] and intercept of |F|/W over |u| on the way out, between two displacements [m]."""
    outward = slice(0, int(np.argmin(places)))
    place, force = -places[outward], forces[outward]
    chosen = (place >= first) & (place <= last)
    slope, intercept = np.polyfit(place[chosen], force[chosen], 1)
    return float(slope), float(intercept)


def main() -> None:
    """Print the slopes of the loop and its friction."""
    parser(__doc__).parse_args()
    lower, upper, friction_lower, friction_upper = 1.0, 1.5, 0.03, 0.06
    knee = (friction_upper - friction_lower) * lower
    mean = (friction_lower * lower + friction_upper * upper) / (lower + upper)
    loop = force_loop()
    first, _ = slope_between(*loop, 0.2 * knee, 0.9 * knee)
    second, friction = slope_between(*loop, 1.2 * knee, 0.2)
    print(f"slope F/W up to u = {knee:g} m: {first:.4f} 1/m, 1/R₁ = {1.0 / lower:.4f} 1/m")
    print(f"slope beyond: {second:.4f} 1/m, 1/(R₁ + R₂) = {1.0 / (lower + upper):.4f} 1/m")
    print(f"friction: {friction:.5f}, (μ₁R₁ + μ₂R₂)/(R₁ + R₂) = {mean:.5f}")


if __name__ == "__main__":
    run(main)
