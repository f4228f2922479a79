"""Each kind that a model can be asked for has its equations, and any other is refused.

A kind is a member of an enumeration: an obstacle, a law, a drive. If one is added to an enumeration
and a model's kernel has no equations for it, that kernel refuses it.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import pytest

from wearmodel.kernel.contact.parameters import ContactObstacle
from wearmodel.kernel.spring.parameters import Drive, ShockSpringParameters
from wearmodel.models.shock_spring import ShockSpring
from wearmodel.quantities import Choice


def lead_spring(**kinds: Any) -> None:
    """Press a shock spring on, and lead it across."""
    drive = kinds.pop("drive", Drive.displacement)
    model = ShockSpring(ShockSpringParameters(drive=drive, **kinds))
    given = "load" if drive == Drive.load else "imposed_displacement"
    model.step(step_size=1.0, **{f"{given}_x": -1.0})
    model.step(step_size=1.0, **{f"{given}_x": -1.0, f"{given}_y": 1.0})


@dataclass(frozen=True)
class Model:
    """A model's enumerations by the names of its parameters, and a function that runs it.

    Attributes
    ----------
    run
        Runs it with kinds by name.
    kinds
        Its enumerations by name.
    """

    run: Callable[..., None]
    kinds: dict[str, type[Choice]]


def declared_kinds(declared: Any) -> dict[str, type[Choice]]:
    return {one.name: type(one.default) for one in fields(declared) if is_kind(one.default)}


def is_kind(value: Any) -> bool:
    return isinstance(value, enum.Enum)


MODELS = {
    "DisChoc": Model(lead_spring, declared_kinds(ShockSpringParameters)),
}
KINDS = [(model, name) for model, one in MODELS.items() for name in one.kinds]
MEMBERS = [(model, name, kind) for model, name in KINDS for kind in MODELS[model].kinds[name]]
UNKNOWN = (-1, 0.5, math.nan, True, "glue", None)


def test_all_kinds_of_the_models_are_listed() -> None:
    assert MODELS["DisChoc"].kinds == {"drive": Drive, "obstacle": ContactObstacle}


@pytest.mark.parametrize(("model", "name", "kind"), MEMBERS)
def test_each_kind_runs(model: str, name: str, kind: Choice) -> None:
    MODELS[model].run(**{name: kind})


@pytest.mark.parametrize(("model", "name"), KINDS)
@pytest.mark.parametrize("value", UNKNOWN, ids=repr)
def test_an_unknown_kind_is_refused(model: str, name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}=.* must be one of: "):
        MODELS[model].run(**{name: value})


@pytest.mark.parametrize(("model", "name"), KINDS)
def test_a_kind_without_equations_is_refused(
    monkeypatch: pytest.MonkeyPatch, model: str, name: str
) -> None:
    kind = MODELS[model].kinds[name]
    number = len(kind)
    added = int.__new__(kind, number)
    added._name_, added._value_ = "added", number
    monkeypatch.setitem(kind._value2member_map_, number, added)
    assert kind(number) is added
    with pytest.raises(ValueError, match=rf"{name}={number}\.0 must be one of: "):
        MODELS[model].run(**{name: number})
