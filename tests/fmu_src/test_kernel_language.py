"""The kernel keeps to the language that its translator understands as Python does.

Pythran's errors come late and are hard to read, and one habit it takes silently for another: giving
a row's name to a second row copies that row into the first. These checks need no translator.
"""

from __future__ import annotations

import ast

import pytest

from fmu_src.bundled.definition import FmuDefinition
from fmu_src.models import fmu_definitions
from fmu_src.native.entry_points import entry_points
from wearmodel.compiled import lowering
from wearmodel.compiled.lowering import (
    index_constants,
    kernel_modules,
    lowered_kernel,
    lowered_module,
    record_fields,
)

NATIVE = [one for one in fmu_definitions() if one.native is not None]
MODULES = kernel_modules(
    dict.fromkeys(module for one in NATIVE for module in entry_points(one).modules())
)
FOREIGN = (
    ast.ClassDef,
    ast.Lambda,
    ast.Try,
    ast.Raise,
    ast.With,
    ast.Dict,
    ast.Set,
    ast.DictComp,
    ast.SetComp,
    ast.GeneratorExp,
    ast.Global,
    ast.Nonlocal,
    ast.NamedExpr,
    ast.Match,
    ast.Starred,
    ast.JoinedStr,
    ast.Yield,
)


def rows_by_name(function: ast.FunctionDef) -> dict[str, set[str]]:
    """Local name → the rows of the work buffer that it is given."""
    rows: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute):
            source = ast.unparse(node.value)
            for target in node.targets:
                if isinstance(target, ast.Name) and source.startswith("work."):
                    rows.setdefault(target.id, set()).add(source)
    return rows


@pytest.mark.parametrize("name", MODULES)
def test_a_kernel_module_uses_functions_numbers_and_rows_alone(name: str) -> None:
    for function in MODULES[name].body:
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                assert not isinstance(node, FOREIGN), f"{name}: {ast.unparse(node)}"


@pytest.mark.parametrize("name", MODULES)
def test_a_kernel_module_imports_the_kernel_and_where_it_declares_the_standard_library(
    name: str,
) -> None:
    tree = MODULES[name]
    declares = any(isinstance(node, ast.ClassDef) for node in tree.body)
    rooms = name.count(".")
    for node in ast.walk(tree):
        assert declares or not isinstance(node, ast.Import)
        if isinstance(node, ast.ImportFrom) and not declares:
            inside = 0 < node.level <= rooms + 1
            assert inside or node.module in ("__future__", "math", "typing")


@pytest.mark.parametrize("name", MODULES)
def test_a_rows_name_is_never_given_to_another_row(name: str) -> None:
    for node in MODULES[name].body:
        if isinstance(node, ast.FunctionDef):
            for variable, rows in rows_by_name(node).items():
                assert len(rows) == 1, f"{name}.{node.name}: {variable} is {sorted(rows)}"


def test_the_check_of_names_finds_a_second_row() -> None:
    source = "def f(work):\n    row = work.a\n    if work.b[0] > 0.0:\n        row = work.b\n"
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert rows_by_name(function) == {"row": {"work.a", "work.b"}}


@pytest.mark.parametrize("definition", NATIVE, ids=lambda one: one.name)
def test_the_joined_kernel_defines_each_name_once(definition: FmuDefinition) -> None:
    entry = entry_points(definition)
    names = []
    for node in ast.parse(entry.joined_kernel()).body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [ast.unparse(target) for target in node.targets]
    assert len(names) == len(set(names))
    assert {point.function for point in entry.points.values()} <= set(names)


@pytest.mark.parametrize("definition", NATIVE, ids=lambda one: one.name)
def test_each_declared_parameter_has_a_place_of_its_own(definition: FmuDefinition) -> None:
    entry = entry_points(definition)
    kinds = entry.arguments()
    found = []
    for argument, index in entry.places:
        record = kinds[argument].removeprefix("list[").removesuffix("]")
        fields = list(record_fields()[record])
        found.append((argument, index // len(fields), fields[index % len(fields)]))
    assert len(found) == len(set(found)) == entry.counts["parameter"]
    names = [one.name for one in definition.slave.table if one.causality == "parameter"]
    assert [field for _, _, field in found] == [name.rpartition(".")[2] for name in names]


def test_a_name_that_is_no_field_of_a_record_is_refused() -> None:
    source = "def f(s: State) -> float:\n    return s.sliding + s.slidign\n"
    with pytest.raises(ValueError, match=r"line 2: s.slidign is no field of a record"):
        lowered_module("example", ast.parse(source))


@pytest.mark.parametrize(
    ("records", "message"),
    [
        pytest.param(
            {"Leg": {"count": "float"}},
            "LEG_COUNT would be the index of Leg.count and the number of fields of Leg",
            id="the number of fields",
        ),
        pytest.param(
            {"LegEnd": {"time": "float"}, "Legend": {"time": "float"}},
            "LEGEND_TIME would be the index of LegEnd.time and the index of Legend.time",
            id="another record",
        ),
    ],
)
def test_a_field_whose_index_would_have_the_name_of_another_constant_is_refused(
    monkeypatch: pytest.MonkeyPatch, records: dict[str, dict[str, str]], message: str
) -> None:
    monkeypatch.setattr(lowering, "record_fields", lambda: records)
    with pytest.raises(ValueError, match=message):
        index_constants.__wrapped__()


def test_a_constant_of_the_kernel_with_the_name_of_an_index_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = next(iter(index_constants()))
    module = ast.parse(f"{name} = 1.0\n")
    monkeypatch.setattr(lowering, "kernel_modules", lambda roots: {"example": module})
    with pytest.raises(ValueError, match=f"{name} of kernel/example .* a record.s index"):
        lowered_kernel(("example",))


@pytest.mark.parametrize("name", MODULES)
def test_a_lowered_module_has_indices_in_the_place_of_attributes(name: str) -> None:
    lowered = lowered_module(name, ast.parse(ast.unparse(MODULES[name])))
    functions = [node for node in lowered.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        assert not [node for node in ast.walk(function) if isinstance(node, ast.Attribute)]
