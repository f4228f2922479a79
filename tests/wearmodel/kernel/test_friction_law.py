"""The friction law is in one module of the kernel and agrees with Coulomb's law."""

import ast
import math
from dataclasses import dataclass, fields

import numpy as np
import pytest
from scipy.optimize import brentq

from wearmodel import FrictionalShock, FrictionalShockParameters, ShockSpringParameters
from wearmodel.compiled.declarations import kernel_modules, kernel_names
from wearmodel.kernel.contact.friction import (
    FrictionParameters,
    friction_terms,
    holding_coefficient,
    jump_to_cone,
    rub_impact,
    sliding_friction,
    take_speed,
)
from wearmodel.kernel.contact.parameters import ContactParameters
from wearmodel.kernel.limits import ROW_LENGTH
from wearmodel.kernel.shoe import varying_slip, wearing_slip
from wearmodel.kernel.shoe.parameters import NormalLaw, Parameters, TangentialLaw
from wearmodel.quantities import QuantityError, as_included, check_quantities, including, quantity

# Modules that read friction coefficients, apart from the law and the declarations. They are a
# series that is written out for speed, the law of a spring that slips without friction, and the
# impact on a curved surface, where friction is constant.
WRITTEN_OUT = {"shoe.pendulum", "shoe.varying_slip", "spring.path"}


def test_no_module_of_the_shoe_or_the_spring_reads_a_coefficient_of_friction():
    readers = {
        name
        for name, tree in kernel_modules(kernel_names()).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("friction_coefficient")
        and name.partition(".")[0] in ("shoe", "spring")
    }
    assert {name for name in readers if not name.endswith(".parameters")} <= WRITTEN_OUT


@pytest.mark.parametrize("penalised", [False, True], ids=["rigid", "penalised"])
@pytest.mark.parametrize("wears", [False, True], ids=["wear passive", "wear acts back"])
def test_a_slip_that_asks_the_law_for_each_term_is_the_one_written_out(
    monkeypatch, wears, penalised
):
    def slide() -> tuple[float, ...]:
        parameters = FrictionalShockParameters(
            friction_coefficient_slow=0.3,
            friction_decay_velocity=0.2,
            viscous_friction=0.01,
            initial_velocity=1.5,
            normal_law=NormalLaw.penalty,
            tangential_law=TangentialLaw(int(penalised)),
            contact_stiffness=1e5,
            start_in_equilibrium=True,
            wear_feedback=wears,
            archard_coefficient=1e-8,
        )
        model = FrictionalShock(parameters)
        for _ in range(100):
            model.step(0.01, 3.0)
        return model.output_values()

    written_out = slide()
    for module in (varying_slip, wearing_slip):
        # The last value 0 disables the series that is written out.
        monkeypatch.setattr(
            module, "friction_terms", lambda *given: (*friction_terms(*given)[:-1], 0.0)
        )
    # Both compute the same sums in a different order and differ only by rounding.
    assert slide() == pytest.approx(written_out, rel=1e-10, abs=1e-12)


def test_coulombs_coefficient_depends_on_no_velocity():
    p = Parameters(FrictionalShockParameters(friction_coefficient=0.25))
    assert [sliding_friction(p, velocity) for velocity in (-3.0, 0.0, 1e-9, 7.0)] == [0.25] * 4


@pytest.mark.parametrize(
    ("speed", "after", "wear"),
    # m d|u̇|/dP = −μ with m = 2 kg, μ = 0.5: P = 4 N.s reduces the speed by 1 m/s. Wear is ∫ |u̇|
    # dP.
    [(3.0, 2.0, 10.0), (0.5, 0.0, 0.5), (0.0, 0.0, 0.0)],
    ids=["slides throughout", "stops on the way", "at rest"],
)
def test_an_impact_takes_the_friction_coefficient_of_its_impulse(speed, after, wear):
    p = Parameters(FrictionalShockParameters(mass=2.0, friction_coefficient=0.5))
    rows = ([0.0] * ROW_LENGTH for _ in range(4))
    assert rub_impact(p, p.mass, speed, 4.0, *rows) == (after, wear)


def test_a_parameter_that_the_law_declares_reaches_a_model_behind_its_own():
    @dataclass(frozen=True)
    class Law:
        slope: float = quantity(0.0, description="Slope", unit="s/m", minimum=0.0)
        power: int = quantity(1, description="Power", minimum=1)

    @dataclass(frozen=True)
    @including(Law, without=("slope",))
    class Model:
        mass: float = quantity(1.0, description="Mass", unit="kg")

        def __post_init__(self) -> None:
            check_quantities(self)

    assert [(item.name, item.default) for item in fields(Model)] == [("mass", 1.0), ("power", 1)]
    assert fields(Model)[-1].metadata == fields(Law)[-1].metadata
    with pytest.raises(QuantityError, match="power=0 must be ≥ 1"):
        Model(power=0)


def test_a_field_as_included_keeps_its_place_and_all_that_it_does_not_change():
    @dataclass(frozen=True)
    class Law:
        slope: float = quantity(0.5, description="Slope", unit="s/m", minimum=0.0)
        power: int = quantity(1, description="Power", minimum=1)

    @dataclass(frozen=True)
    @including(Law)
    class Model:
        power: int = as_included()
        mass: float = quantity(1.0, description="Mass", unit="kg")
        slope: float = as_included(default=2.0, minimum=1.0, note="in slip")

    assert [item.name for item in fields(Model)] == ["power", "mass", "slope"]
    power, _, slope = fields(Model)
    assert (power.default, power.metadata) == (1, fields(Law)[1].metadata)
    changed = {"minimum": 1.0, "description": "Slope. in slip"}
    assert (slope.default, slope.metadata) == (2.0, {**fields(Law)[0].metadata, **changed})


@pytest.mark.parametrize(
    ("kind", "absent"),
    [
        (FrictionalShockParameters, set()),
        # A quasi-static spring does not have a static friction coefficient.
        (ShockSpringParameters, {"friction_coefficient_static"}),
        (ContactParameters, set()),
    ],
    ids=["FrictionalShock", "DisChoc", "ModalShock"],
)
def test_every_model_declares_the_whole_law(kind, absent):
    law = {item.name for item in fields(FrictionParameters)}
    assert law - {item.name for item in fields(kind)} == absent


@pytest.mark.parametrize("fall", [0.1, 0.9, 3.0, 40.0, 900.0])
def test_an_anchor_moves_on_to_the_only_point_at_which_the_force_bears_the_stretch(fall):
    for stretch, wanted in ((1.0, 0.99), (1.0, 0.5), (1.3, 1e-3), (0.02, 0.015)):
        # Concave, positive at 0 and negative at `stretch`.
        def excess(way: float, stretch: float = stretch, wanted: float = wanted) -> float:
            return stretch - way - wanted * math.exp(-fall * way)

        want = brentq(excess, 0.0, stretch, xtol=1e-15, rtol=1e-14)
        way, _ = jump_to_cone(stretch, wanted, 1.0, fall)
        assert way == pytest.approx(want, rel=1e-12)


LAWS = {
    "constant": {"friction_coefficient": 0.2, "friction_coefficient_static": 0.3},
    "decay": {
        "friction_coefficient": 0.1,
        "friction_coefficient_slow": 0.3,
        "friction_decay_velocity": 0.2,
    },
    "viscous": {"friction_coefficient": 0.1, "viscous_friction": 0.4},
    "decay and viscous": {
        "friction_coefficient": 0.1,
        "friction_coefficient_slow": 0.3,
        "friction_coefficient_static": 0.35,
        "friction_decay_velocity": 0.2,
        "viscous_friction": 0.4,
    },
    "table": {"friction_table": [[0.0, 0.2], [0.1, 0.1], [0.8, 0.5], [2.0, 0.3]]},
}


@pytest.mark.parametrize("speed", [0.0, 1e-3, 0.05, 0.5, 1.9, 40.0])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_law_at_one_speed_has_its_coefficients_at_all_speeds(law, speed):
    given = FrictionalShockParameters(tangential_law=TangentialLaw(1), **law)
    p = Parameters(given)
    sliding, holding = sliding_friction(p, speed), holding_coefficient(p, speed)
    if law is LAWS["table"]:
        knots = np.array(law["friction_table"]).T
        assert sliding == pytest.approx(np.interp(speed, *knots), rel=1e-14)
    take_speed(p, speed)
    for other in (0.0, 0.02, 0.7, 1.5, 100.0):
        assert sliding_friction(p, other) == sliding
        assert holding_coefficient(p, other) == holding
