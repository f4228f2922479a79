"""A native FMU defines each kernel function once and has a place for each parameter."""

import ast
import re

import pytest

from fmu_src.models import fmu_definitions
from fmu_src.native.entry_points import entry_points
from wearmodel.compiled.declarations import kernel_modules, state_object_fields
from wearmodel.compiled.translate import joined_kernel

NATIVE = [one for one in fmu_definitions() if one.native is not None]
MODULES = kernel_modules(
    dict.fromkeys(module for one in NATIVE for module in entry_points(one).modules())
)


@pytest.mark.parametrize("name", MODULES)
def test_a_kernel_module_imports_the_kernel_and_where_it_declares_the_standard_library(name):
    tree = MODULES[name]
    declares = any(isinstance(node, ast.ClassDef) for node in tree.body)
    rooms = name.count(".")
    for node in ast.walk(tree):
        assert declares or not isinstance(node, ast.Import)
        if isinstance(node, ast.ImportFrom) and not declares:
            inside = 0 < node.level <= rooms + 1
            assert inside or node.module in ("__future__", "math", "typing")


@pytest.mark.parametrize("definition", NATIVE, ids=lambda one: one.name)
def test_the_joined_kernel_defines_each_name_once(definition):
    entry = entry_points(definition)
    names = []
    for node in ast.parse(joined_kernel(entry.exports(), entry.modules()).text).body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [ast.unparse(target) for target in node.targets]
    assert len(names) == len(set(names))
    assert {point.function for point in entry.points.values()} <= set(names)


@pytest.mark.parametrize("definition", NATIVE, ids=lambda one: one.name)
def test_each_declared_parameter_has_a_place_of_its_own(definition):
    entry = entry_points(definition)
    kinds = entry.arguments()
    found = []
    for argument, index in entry.places:
        state_object = kinds[argument].removeprefix("list[").removesuffix("]")
        fields = list(state_object_fields()[state_object])
        found.append((argument, index // len(fields), fields[index % len(fields)]))
    assert len(found) == len(set(found)) == entry.counts["parameter"]
    names = [one.name for one in definition.slave.table if one.causality == "parameter"]
    declared = [re.sub(r"\[(\d+)\]", r"_\1", name.rpartition(".")[2]) for name in names]
    assert [field for _, _, field in found] == declared
