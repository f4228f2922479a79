"""Friction tables of shock springs, on any obstacle.

A table with all its knots on one line gives the law of that line. A knot ends a piece, and this
must not change the result.
"""

import random
from dataclasses import replace

import pytest

from wearmodel import ShockSpring, ShockSpringParameters

from .random_springs import STEP, random_spring

PLAIN = ShockSpringParameters.friction_coefficient
# Rounding of a few hundred pieces, to which a breakaway without damper is sensitive.
TOLERANCE = 1e-10


def pair(seed):
    """Return springs with μ = μ_0 + η v and with its table, and the legs, or None for loads."""
    parameters, legs = random_spring(seed)
    if parameters.drive.name == "load":
        return None
    r = random.Random(seed)
    slope, start = r.choice([0.5, 3.0]), r.choice([0.1, 0.3])
    without = {"friction_coefficient_slow": -1.0, "friction_decay_velocity": 0.0}
    viscous = replace(parameters, **without, friction_coefficient=start, viscous_friction=slope)
    speeds = [0.0, *sorted(10.0 ** r.uniform(-3.0, 0.0) for _ in range(r.randint(1, 12))), 1e3]
    table = replace(
        parameters,
        **without,
        friction_coefficient=PLAIN,
        friction_table=[[v, start + slope * v] for v in speeds],
        friction_table_rule=r.choice(["linear", "pchip"]),
    )
    return viscous, table, legs


def course(parameters, legs):
    spring, rows = ShockSpring(parameters), []
    for leg in legs:
        spring.step(**leg, step_size=STEP)
        rows.append(spring.outputs())
    return rows


def largest_difference(first, second):
    return max(
        abs(one[name] - other[name]) / max(1e-3, abs(one[name]))
        for one, other in zip(first, second, strict=True)
        for name in one
    )


@pytest.mark.long
@pytest.mark.parametrize("seeds", [range(40), range(40, 80)], ids=["first", "second"])
def test_a_table_of_knots_on_a_line_is_the_law_of_that_line(seeds):
    compared = sensitive = 0
    for seed in seeds:
        found = pair(seed)
        if found is None:
            continue
        viscous, table, legs = found
        wanted = course(viscous, legs)
        worst = largest_difference(wanted, course(table, legs))
        moved = [{name: value * (1.0 + 1e-14) for name, value in leg.items()} for leg in legs]
        if worst > TOLERANCE and largest_difference(wanted, course(viscous, moved)) > worst / 100:
            sensitive += 1
            continue
        assert worst <= TOLERANCE, (seed, worst)
        compared += 1
    assert compared >= 20
    assert sensitive <= 2


def test_given_loads_refuse_a_table():
    with pytest.raises(ValueError, match=r"friction_table, .* need drive displacement"):
        ShockSpringParameters(friction_table=[[0.0, 0.2], [1.0, 0.1]])


def test_the_table_of_a_spring_replaces_its_coefficient():
    with pytest.raises(ValueError, match=r"friction_coefficient=0\.2 must keep its default"):
        ShockSpringParameters(
            drive="displacement", friction_coefficient=0.2, friction_table=[[0.0, 0.1]]
        )
