"""Each kind that a model accepts has equations in the kernel, and other kinds are rejected.

A kind is a member of an enumeration: an obstacle, a law, a drive. If a member is added to an
enumeration and the kernel of a model has no equations for it, that kernel rejects it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import pytest

from fmu_src.models import definition_of
from wearmodel.compiled.declarations import lowered_name
from wearmodel.compiled.lowering import lowered_kernel
from wearmodel.kernel.base_motion.parameters import (
    BaseMotionParameters,
    Interpolation,
    MotionKind,
    MotionParameters,
)
from wearmodel.kernel.contact.friction import FrictionTableRule
from wearmodel.kernel.contact.parameters import ContactLaw, ContactObstacle
from wearmodel.kernel.shoe.parameters import (
    FrictionalShockParameters,
    InputTiming,
    NormalLaw,
    Obstacle,
    Parameters,
    SlidingDirection,
    TangentialLaw,
)
from wearmodel.kernel.spring.parameters import Drive, Lag, ShockSpringParameters, SpringParameters
from wearmodel.kernel.state_objects import field_names, values_of
from wearmodel.kernel.structure.state_objects import StructureParameters
from wearmodel.models.accelerogram import OWN_MOTION
from wearmodel.models.base_motion import BaseMotion
from wearmodel.models.frictional_shock import FrictionalShock
from wearmodel.models.modal_shock import ModalShock
from wearmodel.models.shock_spring import ShockSpring
from wearmodel.models.structure_buffers import StructureBuffers
from wearmodel.quantities import Choice

from .modal_shock.structures import random_structure


def shake(**kinds: Any) -> None:
    """Run a mass with base motion for one step."""
    FrictionalShock(FrictionalShockParameters(**kinds)).step(1e-3, base_acceleration=3.0)


def lead_spring(**kinds: Any) -> None:
    """Press a shock spring and move it across."""
    drive = kinds.pop("drive", Drive.displacement)
    model = ShockSpring(ShockSpringParameters(drive=drive, **kinds))
    given = "load" if drive == Drive.load else "imposed_displacement"
    model.step(step_size=1.0, **{f"{given}_x": -1.0})
    model.step(step_size=1.0, **{f"{given}_x": -1.0, f"{given}_y": 1.0})


def shake_structure(
    *, obstacle: Any = ContactObstacle.plane, input_timing: Any = InputTiming.start
) -> None:
    """Run a structure whose contact has the obstacle for one step."""
    structure = random_structure(0, contacts=1)
    (contact,) = structure.contacts
    sides = 5 if obstacle == ContactObstacle.polygon else 0
    structure = replace(structure, contacts=(replace(contact, obstacle=obstacle, sides=sides),))
    ModalShock(structure, input_timing=input_timing).step(1e-3)


def move(**kinds: Any) -> None:
    """Evaluate a base motion after a step."""
    texts = {MotionKind.table: {"table": "0 0; 1 1"}, MotionKind.csv: {"file": OWN_MOTION}}
    given = {**texts.get(kinds.get("kind"), {}), **kinds}
    motion = BaseMotion(
        BaseMotionParameters(**given), own_motion=b"time [s],acceleration [m/s2]\n0,0\n1,1\n"
    )
    motion.move_to(0.5)


@dataclass(frozen=True)
class Model:
    """Enumerations of a model by parameter name, and a function that runs the model.

    Attributes
    ----------
    run
        Runs the model with kinds by name.
    kinds
        Enumerations by parameter name.
    """

    run: Callable[..., None]
    kinds: dict[str, type[Choice]]


MODELS = {
    "FrictionalShock": Model(
        shake,
        {
            "normal_law": NormalLaw,
            "tangential_law": TangentialLaw,
            "obstacle": Obstacle,
            "sliding_direction": SlidingDirection,
            "input_timing": InputTiming,
            "friction_table_rule": FrictionTableRule,
        },
    ),
    "DisChoc": Model(
        lead_spring,
        {
            "drive": Drive,
            "obstacle": ContactObstacle,
            "lag": Lag,
            "friction_table_rule": FrictionTableRule,
        },
    ),
    "ModalShock": Model(
        shake_structure, {"obstacle": ContactObstacle, "input_timing": InputTiming}
    ),
    "BaseMotion": Model(move, {"kind": MotionKind, "interpolation": Interpolation}),
}
DECLARED = {
    "FrictionalShock": FrictionalShockParameters,
    "DisChoc": ShockSpringParameters,
    "BaseMotion": BaseMotionParameters,
}
KINDS = [(model, name) for model, one in MODELS.items() for name in one.kinds]
MEMBERS = [(model, name, kind) for model, name in KINDS for kind in MODELS[model].kinds[name]]
UNKNOWN = (-1, 0.5, math.nan, True, "glue", None)


@pytest.mark.parametrize("model", DECLARED)
def test_all_kinds_of_a_model_are_run_here(model):
    declared = {
        one.name: type(one.default)
        for one in fields(DECLARED[model])  # type: ignore[arg-type]
        if isinstance(one.default, Choice)
    }
    assert declared == MODELS[model].kinds


@pytest.mark.parametrize(("model", "name", "kind"), MEMBERS)
def test_each_kind_runs(model, name, kind):
    MODELS[model].run(**{name: kind})


@pytest.mark.parametrize(("model", "name"), KINDS)
@pytest.mark.parametrize("value", UNKNOWN, ids=repr)
def test_an_unknown_kind_is_refused(model, name, value):
    with pytest.raises(ValueError, match=f"{name}=.* must be one of: "):
        MODELS[model].run(**{name: value})


@pytest.mark.parametrize(("model", "name"), KINDS)
def test_a_kind_without_equations_is_refused(monkeypatch, model, name):
    kind = MODELS[model].kinds[name]
    number = len(kind)
    added = int.__new__(kind, number)
    added._name_, added._value_ = "added", number
    monkeypatch.setitem(kind._value2member_map_, number, added)
    assert kind(number) is added
    with pytest.raises(ValueError, match=rf"{name}={number}\.0 must be one of: "):
        MODELS[model].run(**{name: number})


@cache
def lowered(module: str) -> dict[str, Any]:
    """Return the functions of a kernel module in the form from which the native FMU is made."""
    namespace: dict[str, Any] = {}
    exec(lowered_kernel((module,)).text, namespace)
    return namespace


def rule_of(model: str, name: str, number: float) -> int:
    """Return the number of the rule that a kind breaks in the lowered kernel."""
    if model == "ModalShock":
        rows = StructureBuffers(random_structure(0, contacts=1)).kernel_rows()
        record, row = (
            (StructureParameters, rows["p"])
            if name == "input_timing"
            else (ContactLaw, rows["laws"][0])
        )
        row[field_names(record).index(name)] = number
        found = lowered("structure.setup")[
            lowered_name("structure.setup", "broken_structure_rule")
        ](rows["p"], rows["laws"])
    else:
        module, function, record = RULES_OF[model]
        numbers = values_of(record(DECLARED[model]()))
        numbers[list(field_names(record)).index(name)] = number
        found = lowered(module)[lowered_name(module, function)](numbers)
    assert found[1] == (number if found[0] else 0.0)
    return int(found[0])


RULES_OF: dict[str, tuple[str, str, Any]] = {
    "FrictionalShock": ("shoe.parameters", "broken_rule", Parameters),
    "DisChoc": ("spring.parameters", "broken_spring_rule", SpringParameters),
    "BaseMotion": ("base_motion.parameters", "broken_motion_rule", MotionParameters),
}


@pytest.mark.parametrize(("model", "name"), KINDS)
def test_the_native_kernel_refuses_a_kind_without_equations_by_its_own_rule(model, name):
    structure = random_structure(0, contacts=1) if model == "ModalShock" else None
    definition = definition_of(model, structure)
    assert definition.native is not None
    for number in (-1.0, 0.5, float(len(MODELS[model].kinds[name]))):
        text = definition.native.rules[rule_of(model, name, number)]
        assert f"{name}={{0!r}} must be one of: " in text
