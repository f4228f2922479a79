"""Random runs of shock springs with any obstacle, drive and law, along legs between sine points."""

from __future__ import annotations

import math
import random
from typing import Any

from wearmodel import ShockSpringParameters

STEP = 1e-2  # s
STEPS = 30


def random_spring(seed: int) -> tuple[ShockSpringParameters, list[dict[str, float]]]:
    """Return random parameters and the ends of the legs of a run."""
    draw = random.Random(seed)
    obstacle = draw.choice(["plane", "two_planes", "circle"])
    drive = "displacement" if obstacle == "circle" else draw.choice(["load", "displacement"])
    friction = draw.choice([0.1, 0.3, 0.6])
    parameters: dict[str, Any] = {
        "obstacle": obstacle,
        "drive": drive,
        "length": draw.choice([1e-4, 3e-4]),
        "dist_1": 0.0,
        "dist_2": 0.0,
        "contact_stiffness": 10.0 ** draw.uniform(3.0, 5.0),
        "tangential_stiffness": 10.0 ** draw.uniform(3.0, 5.0),
        "friction_coefficient": friction,
    }
    if drive == "displacement":
        parameters["contact_damping"] = draw.choice([0.0, 0.0, 5.0])
        parameters["tangential_damping"] = draw.choice([0.0, 0.0, 5.0, 50.0])
        if draw.random() < 0.3:
            parameters.update(
                friction_coefficient_slow=1.5 * friction, friction_decay_velocity=0.01
            )
    if draw.random() < 0.3:
        parameters.update(
            wear_feedback=True,
            wear_time_scale=10.0 ** draw.uniform(2.0, 5.0),
            archard_coefficient=1e-12,
            wear_area=1e-4,
        )
    if obstacle == "circle" and seed % 2 == 1:
        parameters.update(obstacle="polygon", sides=3 + seed % 5, wear_feedback=False)
    name, scale = ("imposed_displacement", 1e-3) if drive == "displacement" else ("load", 50.0)
    waves = {
        f"{name}_{axis}": (scale * draw.uniform(0.2, 1.0), draw.uniform(6, 90), draw.uniform(0, 6))
        for axis in "xyz"
    }
    legs = [
        {key: a * math.sin(w * (leg + 1) * STEP + f) for key, (a, w, f) in waves.items()}
        for leg in range(STEPS)
    ]
    return ShockSpringParameters(**parameters), legs
