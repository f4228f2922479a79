"""The kernel's rooms ask each other in one direction only, and hand records and bundles on."""

from __future__ import annotations

import ast
from importlib.resources import files

import pytest

from wearmodel.compiled.lowering import kernel_modules, kernel_names
from wearmodel.kernel.contact import friction, obstacle, parameters
from wearmodel.kernel.shoe import parameters as shoe

# Each room with those that it may ask; every one asks `limits`, `records` and `events`.
MAY_ASK = {
    "limits": set(),
    "records": set(),
    "events": set(),
    "series": set(),
    "inputs": set(),
    "contact": {"series"},
    "shoe": {"contact", "inputs", "series"},
    "spring": {"contact", "series"},
    "structure": {"contact", "inputs", "series"},
    "base_motion": set(),
    "runs": {"contact", "shoe", "structure"},
}
ALL_MAY_ASK = {"limits", "records", "events"}
LONGEST_SIGNATURE = 8
# An oscillator, its forcing, where it starts and for how long; a tuple of some of these Pythran
# cannot type.
LONGER = {"free_motion"}


def source(name: str) -> ast.Module:
    path = files("wearmodel").joinpath("kernel", *name.split("."))
    return ast.parse(path.with_name(f"{path.name}.py").read_text(encoding="utf-8"))


def asked(name: str) -> set[str]:
    """Modules of the kernel that one imports, those for type checkers only too."""
    room = name.split(".")[:-1]
    found = set()
    for node in ast.walk(source(name)):
        if isinstance(node, ast.ImportFrom) and 0 < node.level <= len(room) + 1:
            package = room[: len(room) + 1 - node.level]
            if node.module:
                found.add(".".join([*package, node.module]))
            else:
                found.update(".".join([*package, alias.name]) for alias in node.names)
    return found


@pytest.mark.parametrize("name", kernel_names())
def test_a_room_asks_those_above_it_only(name: str) -> None:
    room = name.split(".")[0]
    rooms = {one.split(".")[0] for one in asked(name)} - {room}
    assert rooms <= MAY_ASK[room] | ALL_MAY_ASK


def test_no_modules_ask_each_other_in_a_circle() -> None:
    arrows = {name: asked(name) for name in kernel_names()}
    while arrows:
        ends = {name for name, others in arrows.items() if not others & set(arrows)}
        assert ends, f"a circle among {sorted(arrows)}"
        arrows = {name: others for name, others in arrows.items() if name not in ends}


@pytest.mark.parametrize("name", kernel_modules(kernel_names()))
def test_no_function_of_the_kernel_takes_more_than_eight_arguments(name: str) -> None:
    long = [
        node.name
        for node in ast.walk(source(name))
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and len(node.args.args) > LONGEST_SIGNATURE
        and node.name not in LONGER
    ]
    assert long == []


def test_no_number_stands_for_two_rules_of_a_model() -> None:
    for table in (parameters.RULES, obstacle.RULES, shoe.RULES):
        assert all(table[number] == text for number, text in friction.RULES.items())
    assert all(obstacle.RULES[number] == text for number, text in parameters.RULES.items())
    assert max(obstacle.RULES) < obstacle.RULE_COUNT
