"""A saved state with an invalid value is refused or gives finite outputs."""

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import content_of, sealed

OK = 0
STEP = 1e-3

# Inputs of a first step after which many numbers of the state are not zero.
SLAVES: dict[str, dict[str, float]] = {
    "FrictionalShock": {"base_acceleration": 15.0},
    "DisChoc": {"load_x": -1.0, "load_y": 1.0},
    "BaseMotion": {},
}
SPOILT = (math.nan, math.inf, -1e308, 1e-310, -1.0, 7.0, 10**400, True, None, "x", [], {})


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values in nested lists and dictionaries."""
    children: Any = ()
    if isinstance(value, dict):
        children = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    for key, child in children:
        yield (*path, key)
        yield from paths(child, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return a copy in which the value at a path is replaced."""
    copy = json.loads(json.dumps(value))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return copy


def outputs_are_finite(one: Any) -> bool:
    return all(math.isfinite(value) for value in one.outputs().values())


@pytest.mark.long
@pytest.mark.parametrize("name", SLAVES)
def test_no_spoilt_state_crashes_or_gives_what_is_not_finite(host, name):
    one, other = host(name).initialise(), host(name).initialise()
    for instance in (one, other):
        assert instance.step(0.0, STEP, **SLAVES[name]) == OK
    good = one.save()
    state = json.loads(content_of(one.serialise(good)))
    refused = taken = 0
    for path in paths(state):
        for new in SPOILT:
            spoilt = sealed(json.dumps(replaced(state, path, new)).encode())
            one.messages.clear()
            if not one.restores(spoilt):
                # The state is refused and the instance is unchanged.
                assert "the state cannot be restored" in one.messages[0]
                assert one.outputs() == other.outputs(), (path, new)
                refused += 1
                continue
            taken += 1
            # All variables can be read, and outputs are finite before and after a step.
            assert outputs_are_finite(one), (path, new)
            for reference, variable in enumerate(one.description.modelVariables):
                if variable.causality != "output":
                    kind = "Integer" if variable.type == "Enumeration" else variable.type
                    one.get_reference(kind, reference)
            one.set(**SLAVES[name])
            one.step(STEP, STEP)
            assert outputs_are_finite(one), (path, new)
            assert one.load(good) == OK
    assert refused > 100
    assert taken > 10
    assert one.step(STEP, STEP) == OK
    assert other.step(STEP, STEP) == OK
    assert one.outputs() == other.outputs()
