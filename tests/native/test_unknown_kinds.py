"""A native FMU refuses a kind (an obstacle, a law, a drive) that no equations belong to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fmu_src.models import definition_of

OK, ERROR = 0, 3
KINDS = [
    (model, variable.name, len(variable.enumeration))
    for model in ("FrictionalShock", "DisChoc", "ModalShock", "BaseMotion")
    for variable in definition_of(model).slave.table
    if variable.enumeration is not None and variable.causality == "parameter"
]


@pytest.mark.parametrize(("model", "name", "count"), KINDS)
def test_an_unknown_kind_is_refused_by_name_at_the_end_of_the_initialisation(
    model: str,
    name: str,
    count: int,
    host: Callable[[Path], Any],
    native_fmus: Callable[[str], Path],
) -> None:
    one = host(native_fmus(model))
    for value in (count, -1, 2**31 - 1, -(2**31)):
        assert one.call("fmi2Reset") == OK
        one.messages.clear()
        one.set(**{name: value})
        one.set_up()
        assert one.call("fmi2EnterInitializationMode") == OK
        assert one.call("fmi2ExitInitializationMode") == ERROR
        assert f"{name}={value}" in one.messages[0]
    # The instance is still of use.
    assert one.call("fmi2Reset") == OK
    one.set(**{name: 0})
    one.set_up()
    assert one.call("fmi2EnterInitializationMode") == OK
    assert one.call("fmi2ExitInitializationMode") == OK
    assert one.step(0.0, 1e-3) == OK
