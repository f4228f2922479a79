"""Kernel functions have short signatures, and each number is declared once."""

import ast
from importlib import import_module
from importlib.resources import files

import pytest

from wearmodel.compiled.declarations import kernel_modules, kernel_names
from wearmodel.kernel.contact import friction, obstacle, parameters
from wearmodel.kernel.shoe import parameters as shoe

LONGEST_SIGNATURE = 8
# An oscillator, its forcing, its initial state and the duration. Pythran cannot infer the type of a
# tuple of some of these.
LONGER = {"free_motion"}


def source(name: str) -> ast.Module:
    path = files("wearmodel").joinpath("kernel", *name.split("."))
    return ast.parse(path.with_name(f"{path.name}.py").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", kernel_modules(kernel_names()))
def test_no_function_of_the_kernel_takes_more_than_eight_arguments(name):
    long = [
        node.name
        for node in ast.walk(source(name))
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and len(node.args.args) > LONGEST_SIGNATURE
        and node.name not in LONGER
    ]
    assert long == []


def test_no_number_stands_for_two_rules_of_a_model():
    for table in (parameters.RULES, obstacle.RULES, shoe.RULES):
        assert all(table[number] == text for number, text in friction.RULES.items())
    assert all(obstacle.RULES[number] == text for number, text in parameters.RULES.items())
    assert max(obstacle.RULES) < obstacle.RULE_COUNT


def written_out(name: str, class_name: str = "") -> set[str]:
    """Return the names to which a module or a class assigns a literal number."""
    body = source(name).body
    if class_name:
        classes = (node for node in body if isinstance(node, ast.ClassDef))
        body = next(node.body for node in classes if node.name == class_name)
    found = set()
    for node in body:
        if isinstance(node, ast.Assign):
            value = node.value.elts[0] if isinstance(node.value, ast.Tuple) else node.value
            if isinstance(value, ast.Constant):
                found.add(ast.unparse(node.targets[0]))
    return found


@pytest.mark.parametrize(
    ("constant", "member"),
    [
        ("limits.PRESCRIBED", "shoe.parameters.NormalLaw.prescribed"),
        ("limits.PENALTY", "shoe.parameters.NormalLaw.penalty"),
        ("limits.RIGID_CONTACT", "shoe.parameters.NormalLaw.rigid"),
        ("limits.RIGID_FRICTION", "shoe.parameters.TangentialLaw.rigid"),
        ("limits.PENALISED_FRICTION", "shoe.parameters.TangentialLaw.penalty"),
        ("limits.POSITIVE_ONLY", "shoe.parameters.SlidingDirection.positive"),
        ("limits.NEGATIVE_ONLY", "shoe.parameters.SlidingDirection.negative"),
        ("limits.INPUT_AT_END", "shoe.parameters.InputTiming.end"),
        ("limits.FLIGHT", "shoe.parameters.ContactMode.FLIGHT"),
        ("limits.STICK", "shoe.parameters.ContactMode.STICK"),
        ("limits.SLIP", "shoe.parameters.ContactMode.SLIP"),
        ("contact.obstacle.PLANE", "contact.parameters.ContactObstacle.plane"),
        ("contact.obstacle.TWO_PLANES", "contact.parameters.ContactObstacle.two_planes"),
        ("contact.obstacle.CIRCLE", "contact.parameters.ContactObstacle.circle"),
        ("spring.parameters.LOAD", "spring.parameters.Drive.load"),
        ("base_motion.steps.SINE", "base_motion.parameters.MotionKind.sine"),
        ("base_motion.steps.PREVIOUS", "base_motion.parameters.Interpolation.previous"),
        ("events.SHOCK", "events.EventKinds.shocks"),
        ("events.SLIP_CHANGE", "events.EventKinds.slip_changes"),
        ("events.OTHER_CHANGE", "events.EventKinds.others"),
        ("events.ALL_KINDS", "events.EventKinds.all"),
    ],
)
def test_a_number_of_an_enumeration_is_written_once(constant, member):
    constants, where = constant.rsplit(".", 1)
    module, class_name, name = member.rsplit(".", 2)
    declared = getattr(getattr(import_module(f"wearmodel.kernel.{module}"), class_name), name)
    assert getattr(import_module(f"wearmodel.kernel.{constants}"), where) == declared
    written = [where in written_out(constants), name in written_out(module, class_name)]
    assert sorted(written) == [False, True]
