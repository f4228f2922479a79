"""Functions of the kernel's runs in a library: their arguments, and C++ calls of them.

An argument has a name and an annotation, and a bundle is replaced by its fields, as in lowering.
This module derives the exports for Pythran, the types of arrays, and a C++ function for each run,
which takes the addresses and sizes of all arguments and stores the result.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from .declarations import lowered_name, row_axes, signature, source_tree, taken_apart, view_type

_PYTHRAN_AXES = ("", "[]", "[:,:] order(C)", "[:,:,:] order(C)")
_MOST_AXES = 3


@dataclass(frozen=True)
class Argument:
    """An argument of a lowered function: name, whether it has whole numbers, number of axes.

    `view` is the C++ type of an argument that is not a number.
    """

    name: str
    is_whole: bool
    axes: int
    view: str

    def pythran_type(self) -> str:
        """Return the type of the argument in an export."""
        return f"{'int64' if self.is_whole else 'float64'}{_PYTHRAN_AXES[self.axes]}"

    def cpp_value(self, at: int) -> str:
        """Return the argument in C++, from the address and sizes with index `at`."""
        place = f"static_cast<{_number(self.is_whole)} *>(places[{at}])"
        if self.axes == 0:
            return f"*{place}"
        return f"{self.view}({place}, sizes + {_MOST_AXES * at})"


@dataclass(frozen=True)
class RunFunction:
    """A function, its lowered name and arguments, and its number of returned numbers."""

    name: str
    lowered: str
    arguments: tuple[Argument, ...]
    returned: int

    def export(self) -> str:
        """Return the export for Pythran."""
        return f"{self.lowered}({', '.join(taken.pythran_type() for taken in self.arguments)})"

    def cpp_source(self, *, has_lanes: bool) -> str:
        """Return the C++ source of the library function that calls it."""
        given = ", ".join(taken.cpp_value(at) for at, taken in enumerate(self.arguments))
        calls = [f"{kernel}::{self.lowered}()({given})" for kernel in ("wide_kernel", "kernel")]
        if self.returned:
            calls = [f"put({call}, results)" for call in calls]
        wide, narrow = calls
        body = f"if (is_wide) {wide}; else {narrow}" if has_lanes else narrow
        return f"RUN({self.name}) {{ {body}; }}"


def run_functions(module: str, names: Sequence[str]) -> tuple[RunFunction, ...]:
    """Return functions of a module of the kernel in the order of their definition."""
    return tuple(
        _run_function(module, node)
        for node in source_tree(module).body
        if isinstance(node, ast.FunctionDef) and node.name in names
    )


def _run_function(module: str, node: ast.FunctionDef) -> RunFunction:
    taken = signature(module, node)
    arguments = tuple(
        _argument(*part) for argument in taken.arguments for part in taken_apart(*argument)
    )
    returned = taken.returns.count(",") + 1 if taken.returns.startswith("tuple[") else 0
    return RunFunction(node.name, lowered_name(module, node.name), arguments, returned)


def _argument(name: str, kind: str) -> Argument:
    scalar = kind
    lists = 0
    while scalar.startswith("list["):
        scalar = scalar[5:-1]
        lists += 1
    is_whole = scalar == "int"
    if is_whole or scalar == "float":
        lengths = ", ".join(["ANY"] * lists)
        return Argument(name, is_whole, lists, f"View<{_number(is_whole)}, {lengths}>")
    return Argument(name, False, lists + row_axes(scalar), view_type(kind))


def _number(is_whole: bool) -> str:
    return "std::int64_t" if is_whole else "double"
