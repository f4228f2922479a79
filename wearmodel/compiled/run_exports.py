"""Functions of the kernel's runs as a library has them: their arguments, and the calls of them.

An argument is known by its name and annotation, as where the kernel is lowered: a bundle stands for
its fields. From them follow the exports that Pythran needs, the types in which arrays are given,
and a text of C++ with one plain function for each, which takes the places and sizes of all
arguments and leaves behind what the function returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .lowering import bundle_fields, kernel_modules, row_axes, view_type

_PYTHRAN_AXES = ("", "[]", "[:,:] order(C)", "[:,:,:] order(C)")
_MOST_AXES = 3


@dataclass(frozen=True)
class Argument:
    """An argument of a lowered function: its name, whether of whole numbers, and its axes.

    `view` is the C++ type of one that is no number.
    """

    name: str
    is_whole: bool
    axes: int
    view: str

    def pythran_type(self) -> str:
        """Its type in an export."""
        return f"{'int64' if self.is_whole else 'float64'}{_PYTHRAN_AXES[self.axes]}"

    def cpp_value(self, at: int) -> str:
        """C++ that makes it of the place and the sizes numbered `at`."""
        place = f"static_cast<{_number(self.is_whole)} *>(places[{at}])"
        if self.axes == 0:
            return f"*{place}"
        return f"{self.view}({place}, sizes + {_MOST_AXES * at})"


@dataclass(frozen=True)
class RunFunction:
    """A function, its arguments when lowered, and how many numbers it returns."""

    name: str
    arguments: tuple[Argument, ...]
    returned: int

    def export(self) -> str:
        """What Pythran must export."""
        return f"{self.name}({', '.join(taken.pythran_type() for taken in self.arguments)})"

    def cpp_source(self, *, has_lanes: bool) -> str:
        """The plain function of a library that calls it."""
        given = ", ".join(taken.cpp_value(at) for at, taken in enumerate(self.arguments))
        calls = [f"{kernel}::{self.name}()({given})" for kernel in ("wide_kernel", "kernel")]
        if self.returned:
            calls = [f"put({call}, results)" for call in calls]
        wide, narrow = calls
        body = f"if (is_wide) {wide}; else {narrow};" if has_lanes else f"{narrow};"
        return f"RUN({self.name}) {{ {body} }}"


def run_functions(module: str, names: Sequence[str]) -> tuple[RunFunction, ...]:
    """Functions of a module of the kernel, in the order of their definition.

    Raises
    ------
    ValueError
        An argument is none that a library takes.
    """
    tree = kernel_modules((module,))[module]
    return tuple(
        _run_function(node)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in names
    )


def _run_function(node: ast.FunctionDef) -> RunFunction:
    arguments = tuple(
        taken
        for argument in node.args.args
        for taken in _taken_apart(argument.arg, ast.unparse(argument.annotation or ast.Name("")))
    )
    returns = ast.unparse(node.returns or ast.Constant(None))
    returned = returns.count(",") + 1 if returns.startswith("tuple[") else 0
    return RunFunction(node.name, arguments, returned)


def _taken_apart(name: str, kind: str) -> Iterator[Argument]:
    """The arguments that one is when lowered: those of a bundle are its fields."""
    if kind in bundle_fields():
        for inner, of in bundle_fields()[kind].items():
            yield from _taken_apart(f"{name}_{inner}", of)
        return
    scalar = kind
    lists = 0
    while scalar.startswith("list["):
        scalar = scalar[5:-1]
        lists += 1
    is_whole = scalar == "int"
    if is_whole or scalar == "float":
        lengths = ", ".join(["ANY"] * lists)
        yield Argument(name, is_whole, lists, f"View<{_number(is_whole)}, {lengths}>")
    else:
        yield Argument(name, False, lists + row_axes(scalar), view_type(kind))


def _number(is_whole: bool) -> str:
    return "std::int64_t" if is_whole else "double"
