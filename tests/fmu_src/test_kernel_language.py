"""The kernel keeps to the language that its translator understands as Python does.

Pythran's errors come late and are hard to read, and one habit it takes silently for another: giving
a row's name to a second row copies that row into the first. These checks need no translator.
"""

from __future__ import annotations

import ast

import pytest

from fmu_src.native.translate import joined_kernel, kernel_modules
from wearmodel.kernel import declared
from wearmodel.kernel.parameters import FrictionalShockParameters

MODULES = kernel_modules()
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
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            source = ast.unparse(node.value)
            for target in node.targets:
                if isinstance(target, ast.Name) and source.startswith("work["):
                    rows.setdefault(target.id, set()).add(source)
    return rows


@pytest.mark.parametrize("name", MODULES)
def test_a_kernel_module_uses_functions_numbers_and_rows_alone(name: str) -> None:
    for node in ast.walk(ast.parse(MODULES[name])):
        assert not isinstance(node, FOREIGN), f"{name}: {ast.unparse(node)}"
        if isinstance(node, ast.ImportFrom):
            assert node.level == 1 or node.module in ("__future__", "math")
        assert not isinstance(node, ast.Import)


@pytest.mark.parametrize("name", MODULES)
def test_a_rows_name_is_never_given_to_another_row(name: str) -> None:
    for node in ast.parse(MODULES[name]).body:
        if isinstance(node, ast.FunctionDef):
            for variable, rows in rows_by_name(node).items():
                assert len(rows) == 1, f"{name}.{node.name}: {variable} is {sorted(rows)}"


def test_the_check_of_names_finds_a_second_row() -> None:
    source = "def f(work):\n    row = work[A]\n    if work[B][0] > 0.0:\n        row = work[B]\n"
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert rows_by_name(function) == {"row": {"work[A]", "work[B]"}}


def test_the_joined_kernel_defines_each_name_once() -> None:
    names = []
    for node in ast.parse(joined_kernel()).body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [ast.unparse(target) for target in node.targets]
    assert len(names) == len(set(names))
    assert {"advance", "extrapolate", "measure", "broken_rule"} <= set(names)


def test_the_kernels_row_of_declared_values_is_the_order_of_declaration() -> None:
    places = [
        value
        for name, value in vars(declared).items()
        if name.startswith("DECLARED_") and name != "DECLARED_COUNT"
    ]
    names = list(FrictionalShockParameters.__dataclass_fields__)
    assert places == list(range(len(names)))
    assert len(names) == declared.DECLARED_COUNT
    probe = FrictionalShockParameters(mass=2.0, wear_area=3.0, input_extrapolation_order=1)
    row = probe.as_row()
    assert row[declared.DECLARED_MASS] == 2.0
    assert row[declared.DECLARED_WEAR_AREA] == 3.0
    assert row[declared.DECLARED_ORDER] == 1.0
