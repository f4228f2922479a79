"""The calls from C++ into the kernel, derived from the signatures of a model's entry points.

An argument is found by its name and annotation, see `NativeForm`. The exports for Pythran, the
layout of the saved state and ``kernel.cpp`` follow from them. ``kernel.cpp`` contains the calls of
`kernel_calls.hpp` without sizes, so that it is the same for all structures.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

from fmu_src.bundled.definition import FmuDefinition, NativeForm
from wearmodel.compiled.declarations import (
    bundle_fields,
    lowered_name,
    row_axes,
    signature,
    source_tree,
    state_object_fields,
    state_object_shape,
    view_type,
)
from wearmodel.kernel.limits import LONGEST_DERIVATIVE
from wearmodel.quantities import variable_name

# The dimension that each instance has.
INPUTS = "inputs"
# The argument with the kernel's counts and instants of events.
WATCH = "watch"
_PARAMETERS = "p"
_SAMPLE, _STEP_SIZE, _DERIVATIVES, _OUTPUTS = "sample", "step_size", "derivatives", "outputs"
# The sample before the host changed it.
_ENTERED = "entered"
_POINTS = ("times", "values")
_NUMBERS = (_STEP_SIZE, "velocity", "is_requested")
# Prefix of the name of a state object with the parameters before a change.
_OLD = "old_"
_PLAIN = (_SAMPLE, _ENTERED, *_NUMBERS, _DERIVATIVES, _OUTPUTS, *_POINTS)
_PYTHRAN_TYPES = ("float64", "float64[]", "float64[:,:] order(C)", "float64[:,:,:] order(C)")
# Functions that return the number and the values of a broken rule, and functions for a step.
_CHECKS = ("broken_rule", "broken_standing_rule", "broken_state", "change_parameters")
_STEPS = ("step", "step_with_derivatives", "step_to_event")
# Result type of each C++ function, its argument in addition to the rows, and the default result.
_CALLS = {
    "complete": ("void", "", ""),
    **dict.fromkeys(_CHECKS, ("BrokenRule", "", "{0, 0, 0}")),
    **dict.fromkeys(("start", "pass_event", "settle"), ("long", "", "0")),
    **dict.fromkeys(_STEPS, ("long", ", double step_size", "0")),
    "take_event_inputs": ("long", ", double is_requested", "0"),
    "coefficient": ("double", ", double velocity", "0"),
}
# Annotations of rows that are not state objects.
_ROWS = ("list[float]", "Row", "Sample", "Rows")


@dataclass(frozen=True)
class EntryPoint:
    """A function of the kernel by its lowered name, and the annotations of its arguments."""

    module: str
    function: str
    arguments: Mapping[str, str]


@dataclass(frozen=True)
class EntryPoints:
    """Functions of the kernel that a native FMU of a model calls, by their purpose.

    `form` is the model's native form, and `counts` are its numbers of inputs, outputs and
    parameters. `places` contains, for each declared parameter in the order of the variables, its
    argument and its index in the row of the argument.
    """

    form: NativeForm
    points: Mapping[str, EntryPoint]
    counts: Mapping[str, int]
    places: tuple[tuple[str, int], ...]

    def modules(self) -> tuple[str, ...]:
        """Modules of the kernel with these functions, without duplicates."""
        return tuple(dict.fromkeys(point.module for point in self.points.values()))

    def saved(self) -> dict[str, str]:
        """Annotations of the arguments that are the saved state, by their names, in this order."""
        given = self.points["start"].arguments
        plain = (_PARAMETERS, *_PLAIN)
        names = self.form.saved or [argument for argument in given if argument not in plain]
        return {argument: given[argument] for argument in names}

    def saved_indices(self, wanted: str) -> list[int]:
        """Indices of all fields of this name in the saved state."""
        indices = []
        start = 0
        for argument, kind in self.saved().items():
            shape = self._shape(argument, kind)
            state_object, size = kind, prod(shape)
            if kind.startswith("list["):
                state_object, size = kind[5:-1], prod(shape[1:])
            for first in range(start, start + prod(shape), size or 1):
                indices += [first + at for at in _places(state_object, wanted, size)]
            start += prod(shape)
        return indices

    def exports(self) -> list[str]:
        """Functions that Pythran must export, with the types of their arguments."""
        return sorted(
            {
                f"{point.function}("
                + ", ".join(
                    _PYTHRAN_TYPES[_rank(*argument)] for argument in point.arguments.items()
                )
                + ")"
                for point in self.points.values()
            }
        )

    def kernel_source(self) -> str:
        """Text of ``kernel.cpp``."""
        arrays = {name: _view(name, kind) for name, kind in self.arguments().items()}
        taken = " ".join(f"rows.{name} = {_view(name, '')}({name}, &count);" for name in _POINTS)
        made = [
            f"{argument}(blocks[{at}].place, blocks[{at}].sizes)"
            for at, argument in enumerate(arrays)
        ]
        lines = [
            *(["#define KERNEL_HAS_LANES"] if self.form.has_lanes else []),
            '#include "kernel_rows.hpp"',
            "struct Rows {",
            *(f"    {view} {name};" for name, view in arrays.items()),
            f"    explicit Rows(const Block *blocks) : {', '.join(made)} {{}}",
            "};",
            "Rows *new_rows(const Block *blocks) { return new Rows(blocks); }",
            "void delete_rows(Rows *rows) { delete rows; }",
            "void kernel_take_points(Rows &rows, double *times, double *values, long count) {",
            f"    {taken if _POINTS[0] in arrays else ''}",
            "}",
        ]
        for purpose, (result, more, missing) in _CALLS.items():
            call = self._call(purpose) if purpose in self.points else missing
            returned = call if result == "void" else f"return {call}"
            lines.append(f"{result} kernel_{purpose}(Rows &rows{more}) {{ {returned}; }}")
        lines += ["void kernel_outputs(Rows &rows, double *values) {", *self._outputs(), "}"]
        return "\n".join([*lines, ""])

    def arguments(self) -> dict[str, str]:
        """Annotations of all rows that are arguments of the calls, by their names."""
        arguments: dict[str, str] = {}
        for point in self.points.values():
            for argument, kind in point.arguments.items():
                if _rank(argument, kind):
                    # A function can require only the first fields of a state object.
                    arguments.setdefault(argument, kind)
        return arguments

    def old_arguments(self) -> dict[str, str]:
        """Names of the arguments with the parameters before a change, by the present argument."""
        arguments = self.arguments()
        olds = ((_OLD + argument, argument) for argument in arguments)
        return {argument: old for old, argument in olds if old in arguments}

    def _call(self, purpose: str) -> str:
        """The call of a function of the kernel, in the form for the present processor."""
        point = self.points[purpose]
        given = ", ".join(
            argument if argument in _NUMBERS else f"rows.{argument}" for argument in point.arguments
        )
        call = f"kernel::{point.function}()({given})"
        if purpose in _CHECKS:
            return f"broken({call})"
        return (
            f"is_wide ? wide_{call} : {call}" if self.form.has_lanes and purpose in _STEPS else call
        )

    def _outputs(self) -> list[str]:
        if _OUTPUTS not in self.points["outputs"].arguments:
            return [f"    put({self._call('outputs')}, values);"]
        return [
            f"    {self._call('outputs')};",
            f"    for (long i = 0; i < rows.{_OUTPUTS}.size(); ++i)\n"
            f"        values[i] = rows.{_OUTPUTS}[i];",
        ]

    def axes(self, name: str, kind: str) -> list[dict[str, int]]:
        """Lengths of an argument along its axes: factors by dimension, "" for the constant."""
        if name in _POINTS:
            return [{"": 1}]  # before points are read
        if name in (_SAMPLE, _ENTERED):
            return [{INPUTS: 1, "": 1}]
        if name == _DERIVATIVES:
            return [{INPUTS: LONGEST_DERIVATIVE}]
        axes = [_factors(size) for size in self.form.sizes.get(name, ())]
        state_object, lists = kind.replace("list[", "").rstrip("]"), kind.count("list[")
        if state_object in state_object_fields():
            count = len(state_object_fields()[state_object])
            row = axes[lists:] or [{"": size} for size in state_object_shape(state_object)[1:]]
            axes[lists:] = [{"": count}, *row]
        assert axes, f"the sizes of {name} are missing"
        return axes

    def _shape(self, name: str, kind: str) -> tuple[int, ...]:
        """Shape of an argument."""
        sizes = {"": 1, INPUTS: self.counts["input"], **self.form.dimensions}
        return tuple(
            sum(factor * sizes[dimension] for dimension, factor in axis.items())
            for axis in self.axes(name, kind)
        )

    def content(self, rows: Sequence[Any], name: str, kind: str) -> list[float]:
        """Return the initial numbers of an argument, given as `rows`. Empty if all are 0.

        ValueError if the rows do not have the shape that the form describes.
        """
        numbers = list(_numbers(rows))
        if rows and _shape_of(rows, _rank(name, kind)) != self._shape(name, kind):
            raise ValueError(f"{name} must have the shape {self._shape(name, kind)}")
        return numbers if set(map(repr, numbers)) - {"0.0"} else []


def _rank(name: str, kind: str) -> int:
    """Number of axes of an argument. 0 for a number."""
    if name in _NUMBERS:
        return 0
    if name in _PLAIN:
        return 1
    return row_axes(kind)


def _view(name: str, kind: str) -> str:
    """The C++ type of an argument that is not a number."""
    return view_type("Row" if name in _PLAIN else kind)


def _factors(size: str) -> dict[str, int]:
    """Factor by dimension of a size such as "3 contacts + 1". The constant has the dimension ""."""
    factors = {}
    for term in size.split(" + "):
        number, _, dimension = term.rpartition(" ") if not term.isdigit() else (term, "", "")
        factors[dimension] = int(number or 1)
    return factors


def _shape_of(content: Any, rank: int) -> tuple[int, ...]:
    """Shape of nested lists. 0 along all axes after an empty list."""
    shape = []
    for _ in range(rank):
        shape.append(len(content))
        content = content[0] if content else ()
    return tuple(shape)


def _numbers(content: Any) -> Iterator[float]:
    for number in content:
        if isinstance(number, float):
            yield number
        else:
            yield from _numbers(number)


def _places(state_object: str, wanted: str, size: int) -> Iterable[int]:
    """Indices of the fields of a name in a state object of `size` numbers."""
    fields = state_object_fields().get(state_object, {})
    for row, (name, kind) in enumerate(fields.items()):
        at = row * (size // len(fields))
        if name == wanted:
            yield at
        for position, inner in enumerate(state_object_fields().get(kind, ())):
            if inner == wanted:
                yield at + position


def entry_points(definition: FmuDefinition) -> EntryPoints:
    """Return the entry points of a model that has a native form.

    ValueError if a function does not exist in the kernel, or an argument is unknown.
    """
    form = definition.native
    assert form is not None
    points = {purpose: _entry_point(name) for purpose, name in form.entry_points().items()}
    counts = {
        causality: sum(variable.causality == causality for variable in definition.slave.table)
        for causality in ("input", "output", "parameter")
    }
    fields = list(state_object_fields()[points["step"].arguments[_PARAMETERS]])
    declared = {
        variable_name(item): item.name for item in dataclasses.fields(definition.parameters)
    }
    places = tuple(
        form.places.get(variable.name) or (_PARAMETERS, fields.index(declared[variable.name]))
        for variable in definition.slave.table
        if variable.causality == "parameter"
    )
    return EntryPoints(form, points, counts, places)


def _taken_apart(name: str, kind: str) -> Iterator[tuple[str, str]]:
    """An argument with its kind, or the fields of a bundle by their own names."""
    if kind not in bundle_fields():
        yield name, kind
        return
    for inner_name, inner in bundle_fields()[kind].items():
        yield from _taken_apart(inner_name, inner)


@cache
def _entry_point(where: str) -> EntryPoint:
    module, _, name = where.rpartition(".")
    for node in source_tree(module).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            given = signature(module, node).arguments
            arguments = dict(part for argument in given for part in _taken_apart(*argument))
            for argument, kind in arguments.items():
                state_object = kind.replace("list[", "").rstrip("]")
                known = argument in _PLAIN or kind in _ROWS or state_object in state_object_fields()
                if not known:
                    raise ValueError(
                        f"kernel/{module}.{name}: {argument} is {kind or 'not annotated'}; it must "
                        f"be a state object, rows, or one of: {', '.join(_PLAIN)}"
                    )
            return EntryPoint(module, lowered_name(module, name), arguments)
    raise ValueError(f"kernel/{module} does not contain a function {name}")
