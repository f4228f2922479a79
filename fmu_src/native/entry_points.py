"""The calls from C++ into the kernel, derived from the signatures of a model's entry points.

An argument is known by its name and annotation, as `NativeForm` says; from them follow the exports
that Pythran needs, the layout of the saved state, and ``entry.hpp``: a class that holds all rows
that the kernel works on, and has one method a call.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import prod

from fmu_src.bundled.definition import FmuDefinition
from wearmodel.batch.lowering import kernel_modules, record_fields, record_shape
from wearmodel.kernel.limits import LONGEST_ORDER

NAMESPACE = "wear_kernel"
_SAMPLE, _STEP_SIZE, _DERIVATIVES = "sample", "step_size", "derivatives"
_POINTS = ("times", "values")
_PLAIN = (_SAMPLE, _STEP_SIZE, _DERIVATIVES, *_POINTS)
_PYTHRAN_TYPES = {0: "float64", 1: "float64[]", 2: "float64[:,:]"}


# Calls of what a model does not have.
_INSTEAD = {
    "complete": "void complete() {}",
    "broken_rule": "auto broken_rule() { return std::make_tuple(0L, 0.0, 0.0); }",
    "step_with_derivatives": "long step_with_derivatives(double) { return 0; }",
}


@dataclass(frozen=True)
class EntryPoint:
    """A function of the kernel and the annotations of its arguments by their names."""

    module: str
    function: str
    arguments: Mapping[str, str]


@dataclass(frozen=True)
class EntryPoints:
    """What a model's native FMU calls, by what for, and the number of its inputs."""

    points: Mapping[str, EntryPoint]
    input_count: int
    scratch: tuple[str, ...] = ()

    def modules(self) -> tuple[str, ...]:
        """The kernel's modules that hold them, each once."""
        return tuple(dict.fromkeys(point.module for point in self.points.values()))

    def parameters(self) -> tuple[str, str]:
        """Name and record of the argument that holds the parameters."""
        return next(iter(self.points["outputs"].arguments.items()))

    def saved(self) -> dict[str, str]:
        """Name → record of what the start fills and is not scratch: the saved state."""
        name, _ = self.parameters()
        given = self.points["start"].arguments.items()
        return {one: kind for one, kind in given if one not in (name, *_PLAIN, *self.scratch)}

    def saved_indices(self, field: str) -> list[int]:
        """Indices in the saved state of all fields of that name."""
        indices = []
        start = 0
        for record in self.saved().values():
            rows, *length = record_shape(record)
            for row, (name, kind) in enumerate(record_fields()[record].items()):
                at = start + row * prod(length)
                if name == field:
                    indices.append(at)
                indices += [
                    at + position
                    for position, inner in enumerate(record_fields().get(kind, ()))
                    if inner == field
                ]
            start += rows * prod(length)
        return indices

    def saved_count(self) -> int:
        """How many numbers the saved state has."""
        return sum(prod(record_shape(record)) for record in self.saved().values())

    def exports(self) -> list[str]:
        """What Pythran must export, with the types that it derives all others from."""
        return sorted(
            {
                f"{point.function}("
                + ", ".join(
                    _PYTHRAN_TYPES[len(self._shape(*one))] for one in point.arguments.items()
                )
                + ")"
                for point in self.points.values()
            }
        )

    def header(self) -> str:
        """Text of ``entry.hpp``."""
        name, _ = self.parameters()
        saved = self.saved()
        kinds = {
            one: kind for point in self.points.values() for one, kind in point.arguments.items()
        }
        starts, start = {}, 0
        for one, kind in saved.items():
            starts[one] = start
            start += prod(record_shape(kind))
        members = []
        for one, kind in kinds.items():
            shape = self._shape(one, kind)
            if not shape:
                continue
            if one in saved:
                memory = f"saved_ + {starts[one]}"
            else:
                memory = f"{one}_memory"
                members.append(f"double {memory}[{prod(shape)}] = {{}};")
            make = "row" if len(shape) == 1 else "rows"
            sizes = ", ".join(map(str, shape))
            members.append(f"{make.title()} {one} = {make}({memory}, {sizes});")
        calls = []
        for purpose, point in self.points.items():
            # A law without a clock takes none.
            size = f"double {_STEP_SIZE}" if purpose.startswith("step") else ""
            # The rules are for what is declared, before anything is filled in.
            given = [
                "declared" if purpose == "broken_rule" and one == name else one
                for one in point.arguments
            ]
            calls.append(
                f"auto {purpose}({size}) {{ "
                f"return kernel::{point.function}()({', '.join(given)}); }}"
            )
        for purpose, instead in _INSTEAD.items():
            if purpose not in self.points:
                calls.append(instead)
        if _POINTS[0] in kinds:
            taken = " ".join(f"{one} = row({one}_of_record, count);" for one in _POINTS)
            lists = ", ".join(f"double *{one}_of_record" for one in _POINTS)
            calls.append(f"void take_points({lists}, long count) {{ {taken} }}")
        else:
            calls.append("void take_points(double *, double *, long) {}")
        times = self.saved_indices("time")
        derivatives = f"{_DERIVATIVES}_memory" if _DERIVATIVES in kinds else "nullptr"
        lines = [
            f"constexpr int saved_count = {self.saved_count()};",
            f"constexpr int saved_time = {times[0] if times else -1};",
            f"constexpr int derivative_orders = {LONGEST_ORDER}; // of input derivatives",
            f"constexpr bool takes_derivatives = {str(_DERIVATIVES in kinds).lower()};",
            f"namespace kernel = __pythran_{NAMESPACE};",
            "class Kernel : Rowed {",
            "    double *const declared_, *const saved_;",
            "  public:",
            "    Kernel(double *declared, double *saved) : declared_(declared), saved_(saved) {}",
            "    Kernel(const Kernel &) = delete;",
            "    Row declared = row(declared_, parameter_count);",
            *(f"    {member}" for member in members),
            f"    double *const completed = {name}_memory;",
            f"    double *const given_derivatives = {derivatives};",
            *(f"    {call}" for call in calls),
            "};",
        ]
        return "\n".join([*lines, ""])

    def _shape(self, name: str, kind: str) -> tuple[int, ...]:
        """Shape of an argument; () for a number."""
        if name == _STEP_SIZE:
            return ()
        if name in _POINTS:
            return (1,)  # until there are some
        if name == _SAMPLE:
            return (1 + self.input_count,)
        if name == _DERIVATIVES:
            return (self.input_count * LONGEST_ORDER,)
        return record_shape(kind)


def entry_points(definition: FmuDefinition) -> EntryPoints:
    """Entry points of a model that has a native form.

    Raises
    ------
    ValueError
        The kernel has no function of a name that the form gives, or an argument is unknown.
    """
    assert definition.native is not None
    where = definition.native.entry_points()
    points = {purpose: _entry_point(name) for purpose, name in where.items()}
    inputs = sum(variable.causality == "input" for variable in definition.slave.table)
    return EntryPoints(points, inputs, definition.native.scratch)


@cache
def _entry_point(where: str) -> EntryPoint:
    module, _, name = where.partition(".")
    for node in kernel_modules((module,))[module].body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            arguments = {
                one.arg: ast.unparse(one.annotation) if one.annotation else ""
                for one in node.args.args
            }
            for argument, kind in arguments.items():
                if argument not in _PLAIN and kind not in record_fields():
                    raise ValueError(
                        f"kernel/{module}.{name}: {argument} is {kind or 'not annotated'}; it must "
                        f"be a record, or one of: {', '.join(_PLAIN)}"
                    )
            return EntryPoint(module, name, arguments)
    raise ValueError(f"kernel/{module} has no function {name}")
