"""The law of friction stands in one module of the kernel, and says what Coulomb's law says."""

from __future__ import annotations

import ast

import pytest

from wearmodel import FrictionalShockParameters
from wearmodel.batch.lowering import kernel_modules, kernel_names
from wearmodel.kernel.contact.friction import rub_impact, sliding_friction
from wearmodel.kernel.limits import ROW_LENGTH
from wearmodel.kernel.shoe.parameters import Parameters

# Who reads coefficients of friction beside the law and the declarations: a series that is written
# out for speed.
WRITTEN_OUT = {"shoe.varying_slip"}


def test_no_module_of_the_shoe_or_the_spring_reads_a_coefficient_of_friction() -> None:
    readers = {
        name
        for name, tree in kernel_modules(kernel_names()).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("friction_coefficient")
        and name.partition(".")[0] in ("shoe", "spring")
    }
    assert {name for name in readers if not name.endswith(".parameters")} <= WRITTEN_OUT


def test_coulombs_coefficient_depends_on_no_velocity() -> None:
    p = Parameters(FrictionalShockParameters(friction_coefficient=0.25))
    assert [sliding_friction(p, velocity) for velocity in (-3.0, 0.0, 1e-9, 7.0)] == [0.25] * 4


@pytest.mark.parametrize(
    ("speed", "after", "wear"),
    # m d|u̇|/dP = −μ with m = 2 kg, μ = 0.5 over P = 4 N.s takes 1 m/s; wear is ∫ |u̇| dP.
    [(3.0, 2.0, 10.0), (0.5, 0.0, 0.5), (0.0, 0.0, 0.0)],
    ids=["slides throughout", "stops on the way", "at rest"],
)
def test_an_impact_takes_the_friction_coefficient_of_its_impulse(
    speed: float, after: float, wear: float
) -> None:
    p = Parameters(FrictionalShockParameters(mass=2.0, friction_coefficient=0.5))
    rows = ([0.0] * ROW_LENGTH for _ in range(4))
    assert rub_impact(p, p.mass, speed, 4.0, *rows) == (after, wear)
