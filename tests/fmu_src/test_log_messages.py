"""Log messages have the format of FMI, and their categories can be selected."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from typing import Any

import fmpy
import pytest
from fmpy import fmi2

from fmu_src.models import fmu_names

from .conftest import Make, content_of, sealed

ERROR = 3
STEP = 1e-3
# A C host that used this text as a format would access arbitrary memory.
HOSTILE = "5%sine %n%s #r1# 100 %"


def printed(message: str) -> str:
    """Return a message as a C host shows it: the format is filled in, and ## becomes #."""
    buffer = ctypes.create_string_buffer(10_000)
    assert message.replace("%%", "").count("%") == 0, message  # or printf would read arguments
    ctypes.CDLL(None).snprintf(buffer, ctypes.c_size_t(len(buffer)), message.encode())
    shown = buffer.value.decode()
    assert shown.replace("##", "").count("#") == 0, message
    return shown.replace("##", "#")


@pytest.mark.parametrize(("parameter", "kind"), [("file", 2), ("table", 1)])
def test_a_text_of_the_user_is_no_format(host: Make, parameter: str, kind: int) -> None:
    one = host("BaseMotion")
    one.initialise(kind=kind, **{parameter: HOSTILE.encode()})
    assert one.step(0.0, STEP) == ERROR
    assert len(one.messages) == 2
    assert all(HOSTILE.split()[0] in printed(message) for message in one.messages)


def test_the_name_of_an_instance_is_no_format(host: Make) -> None:
    one = host(instance=HOSTILE).initialise()
    assert one.step(0.0, -1.0) == ERROR
    assert printed(one.messages[-1]).startswith(f"{HOSTILE}: step_size=-1.0 s")


def test_a_text_that_has_no_utf8_is_refused_and_the_host_lives(host: Make) -> None:
    # Only the bytes of a saved state can contain such a text: half of a surrogate pair.
    one = host("BaseMotion").initialise()
    state = json.loads(content_of(one.written()))
    for place in ("parameters", "failure"):
        spoilt = {**state, place: "\ud800"}
        if place == "parameters":
            spoilt[place] = ["\ud800" if v == "" else v for v in state[place]]
        else:
            spoilt["model"] = None
        one.restores(sealed(json.dumps(spoilt).encode()))
        if place == "failure":
            assert one.step(0.0, STEP) == ERROR
        assert "ud800" in one.messages[-1]


@pytest.mark.parametrize("name", fmu_names())
def test_every_category_that_can_be_chosen_shows_its_messages_and_no_other(
    host: Make, name: str
) -> None:
    one = host(name).initialise()
    declared = [category.name for category in one.description.logCategories]
    assert declared
    for categories, count in ((declared, 1), (["another"], 0), ([], 1)):
        names = (fmi2.fmi2String * len(categories))(*(text.encode() for text in categories))
        size = ctypes.c_size_t(len(categories))
        assert one.call("fmi2SetDebugLogging", fmi2.fmi2True, size, names) == 0
        one.messages.clear()
        assert one.step(0.0, -1.0) == ERROR
        assert len(one.messages) == count, categories


def test_outputs_that_are_not_there_are_read_with_a_reason(host: Make) -> None:
    one = host()
    assert one.get("normal_force") == 0.0
    assert "the model does not exist in phase 'instantiated'" in one.messages[-1]
    one.messages.clear()
    one.initialise(mass=-1.0)
    assert one.get("normal_force") == 0.0
    # It is logged once, at initialisation. A step that fails for this reason logs it again.
    assert [line for line in one.messages if "mass=-1.0 kg must be > 0" in line] == one.messages[:1]
    assert len(one.messages) == 1


def test_the_description_names_the_categories_of_messages(built: Callable[[str], Any]) -> None:
    description = fmpy.read_model_description(built("FrictionalShock"))
    names = [category.name for category in description.logCategories]
    assert names == ["logStatusError", "logStatusWarning"]
