"""The calls from C++ into the kernel, derived from the signatures of a model's entry points.

An argument is known by its name and annotation, as `NativeForm` says; from them follow the exports
that Pythran needs, the layout of the saved state, and ``kernel.cpp``, which has the calls of
`kernel_calls.hpp` and knows no sizes: for all structures it is the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import Any

from fmu_src.bundled.definition import FmuDefinition
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
from wearmodel.compiled.lowering import LoweredKernel
from wearmodel.compiled.translate import joined_kernel
from wearmodel.kernel.limits import LONGEST_DERIVATIVE

# The dimension that each instance has.
INPUTS = "inputs"
# The argument in which the kernel keeps account of events.
WATCH = "watch"
_PARAMETERS = "p"
_SAMPLE, _STEP_SIZE, _DERIVATIVES, _OUTPUTS = "sample", "step_size", "derivatives", "outputs"
# A sample as it was before the host gave another one.
_ENTERED = "entered"
_POINTS = ("times", "values")
_NUMBERS = (_STEP_SIZE, "velocity", "is_requested")
# What the name of a state object of parameters as they were before a change begins with.
_OLD = "old_"
_PLAIN = (_SAMPLE, _ENTERED, *_NUMBERS, _DERIVATIVES, _OUTPUTS, *_POINTS)
_PYTHRAN_TYPES = ("float64", "float64[]", "float64[:,:] order(C)", "float64[:,:,:] order(C)")
# Annotations of rows that are no state objects.
_ROWS = ("list[float]", "Row", "Sample", "Rows")


@dataclass(frozen=True)
class EntryPoint:
    """A function of the kernel, by its lowered name, and the kinds of its arguments by theirs."""

    module: str
    function: str
    arguments: Mapping[str, str]


@dataclass(frozen=True)
class EntryPoints:
    """What a model's native FMU calls, by what for, and the sizes of what it works on.

    `counts` has the number of inputs, outputs and parameters. `rows` is the content with which the
    memory of an argument begins, `sizes` tells how large it is where that does not follow from its
    state object, by the `dimensions` of the instance, and `state` the saved arguments, where the
    start takes more than these; see `NativeForm`. `places` tells for each declared parameter, in
    the order of the variables, the argument and the index in its row.
    """

    points: Mapping[str, EntryPoint]
    counts: Mapping[str, int]
    rows: Mapping[str, Any] = field(default_factory=dict)
    sizes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dimensions: Mapping[str, int] = field(default_factory=dict)
    state: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    has_lanes: bool = False

    def modules(self) -> tuple[str, ...]:
        """The kernel's modules that hold them, each once."""
        return tuple(dict.fromkeys(point.module for point in self.points.values()))

    def saved(self) -> dict[str, str]:
        """Name → annotation of what a saved state holds, in this order."""
        given = self.points["start"].arguments
        plain = (_PARAMETERS, *_PLAIN)
        return {
            argument: given[argument]
            for argument in self.state or [argument for argument in given if argument not in plain]
        }

    def saved_indices(self, wanted: str) -> list[int]:
        """Indices in the saved state of all fields of that name."""
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

    def saved_count(self) -> int:
        """How many numbers the saved state has."""
        return sum(prod(self._shape(*argument)) for argument in self.saved().items())

    def exports(self) -> list[str]:
        """What Pythran must export, with the types that it derives all others from."""
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

    def joined_kernel(self) -> LoweredKernel:
        """What a model needs of the kernel as one module that Pythran accepts."""
        return joined_kernel(self.exports(), self.modules())

    def kernel_source(self) -> str:
        """Text of ``kernel.cpp``."""
        arrays = {name: _view(name, kind) for name, kind in self.arguments().items()}
        has_points = _POINTS[0] in arrays
        taken = " ".join(f"rows.{name} = {_view(name, '')}({name}, &count);" for name in _POINTS)
        made = [
            f"{argument}(blocks[{at}].place, blocks[{at}].sizes)"
            for at, argument in enumerate(arrays)
        ]
        return "\n".join(
            [
                *(["#define KERNEL_HAS_LANES"] if self.has_lanes else []),
                '#include "kernel_rows.hpp"',
                "struct Rows {",
                *(f"    {view} {name};" for name, view in arrays.items()),
                f"    explicit Rows(const Block *blocks) : {', '.join(made)} {{}}",
                "};",
                "Rows *new_rows(const Block *blocks) { return new Rows(blocks); }",
                "void delete_rows(Rows *rows) { delete rows; }",
                "void kernel_take_points(Rows &rows, double *times, double *values, long count) {",
                f"    {taken if has_points else ''}",
                "}",
                f"void kernel_complete(Rows &rows) {{ {self._call('complete', '')}; }}",
                "BrokenRule kernel_broken_rule(Rows &rows) {",
                f"    return {self._call('broken_rule', '{0, 0, 0}', 'broken')};",
                "}",
                "BrokenRule kernel_broken_standing_rule(Rows &rows) {",
                f"    return {self._call('broken_standing_rule', '{0, 0, 0}', 'broken')};",
                "}",
                "BrokenRule kernel_broken_state(Rows &rows) {",
                f"    return {self._call('broken_state', '', 'broken')};",
                "}",
                "BrokenRule kernel_change_parameters(Rows &rows) {",
                f"    return {self._call('change_parameters', '{0, 0, 0}', 'broken')};",
                "}",
                f"long kernel_start(Rows &rows) {{ return {self._call('start', '')}; }}",
                "long kernel_step(Rows &rows, double step_size) {",
                f"    return {self._stepping('step', '')};",
                "}",
                "long kernel_step_with_derivatives(Rows &rows, double step_size) {",
                f"    return {self._stepping('step_with_derivatives', '0')};",
                "}",
                "long kernel_step_to_event(Rows &rows, double step_size) {",
                f"    return {self._stepping('step_to_event', '0')};",
                "}",
                "long kernel_pass_event(Rows &rows) {",
                f"    return {self._call('pass_event', '0')};",
                "}",
                f"long kernel_settle(Rows &rows) {{ return {self._call('settle', '0')}; }}",
                "long kernel_take_event_inputs(Rows &rows, double is_requested) {",
                f"    return {self._call('take_event_inputs', '0')};",
                "}",
                "double kernel_coefficient(Rows &rows, double velocity) {",
                f"    return {self._call('coefficient', '0')};",
                "}",
                "void kernel_outputs(Rows &rows, double *values) {",
                *self._outputs(),
                "}",
                "",
            ]
        )

    def arguments(self) -> dict[str, str]:
        """Name → annotation of all rows that the calls take."""
        arguments: dict[str, str] = {}
        for point in self.points.values():
            for argument, kind in point.arguments.items():
                if _rank(argument, kind):
                    # A function that asks for less is given a state object that begins with it.
                    arguments.setdefault(argument, kind)
        return arguments

    def old_arguments(self) -> dict[str, str]:
        """By the name of an argument that a change of parameters is given, that of its old form."""
        arguments = self.arguments()
        olds = ((_OLD + argument, argument) for argument in arguments)
        return {argument: old for old, argument in olds if old in arguments}

    def _call(self, purpose: str, instead: str, around: str = "") -> str:
        """The call of a function of the kernel, or what stands where the model has none."""
        if purpose not in self.points:
            return instead
        point = self.points[purpose]
        given = ", ".join(
            argument if argument in _NUMBERS else f"rows.{argument}" for argument in point.arguments
        )
        call = f"kernel::{point.function}()({given})"
        return f"{around}({call})" if around else call

    def _stepping(self, purpose: str, instead: str) -> str:
        """As `_call`, in the form for the processor at hand."""
        call = self._call(purpose, instead)
        if not self.has_lanes or purpose not in self.points:
            return call
        return f"is_wide ? {call.replace('kernel::', 'wide_kernel::')} : {call}"

    def _outputs(self) -> list[str]:
        if _OUTPUTS not in self.points["outputs"].arguments:
            return [f"    put({self._call('outputs', '')}, values);"]
        return [
            f"    {self._call('outputs', '')};",
            f"    for (long i = 0; i < rows.{_OUTPUTS}.size(); ++i)",
            f"        values[i] = rows.{_OUTPUTS}[i];",
        ]

    def axes(self, name: str, kind: str) -> list[dict[str, int]]:
        """Lengths of an argument along its axes: factors by dimension; that of "" stands alone."""
        if name in _POINTS:
            return [{"": 1}]  # until there are some
        if name in (_SAMPLE, _ENTERED):
            return [{INPUTS: 1, "": 1}]
        if name == _DERIVATIVES:
            return [{INPUTS: LONGEST_DERIVATIVE}]
        if name in self.sizes:
            return [_factors(size) for size in self.sizes[name]]
        return [{"": size} for size in state_object_shape(kind)]

    def _shape(self, name: str, kind: str) -> tuple[int, ...]:
        """Shape of an argument."""
        sizes = {"": 1, INPUTS: self.counts["input"], **self.dimensions}
        return tuple(
            sum(factor * sizes[dimension] for dimension, factor in axis.items())
            for axis in self.axes(name, kind)
        )

    def content(self, name: str, kind: str) -> list[float]:
        """Numbers that the memory of an argument begins with; none where all are 0.

        Raises
        ------
        ValueError
            They are not as many as the form says.
        """
        rows = self.rows.get(name, ())
        numbers = list(_numbers(rows))
        if rows and _shape_of(rows, _rank(name, kind)) != self._shape(name, kind):
            raise ValueError(f"{name} must have the shape {self._shape(name, kind)}")
        return numbers if set(map(repr, numbers)) - {"0.0"} else []


def _rank(name: str, kind: str) -> int:
    """How many axes an argument has; 0 for a number."""
    if name in _NUMBERS:
        return 0
    if name in _PLAIN:
        return 1
    return row_axes(kind)


def _view(name: str, kind: str) -> str:
    """The C++ type of an argument that is no number."""
    return view_type("Row" if name in _PLAIN else kind)


def _factors(size: str) -> dict[str, int]:
    """Factor by dimension of a size such as "3 contacts + 1"; that of "" stands alone."""
    factors = {}
    for term in size.split(" + "):
        number, _, dimension = term.rpartition(" ") if not term.isdigit() else (term, "", "")
        factors[dimension] = int(number or 1)
    return factors


def _shape_of(content: Any, rank: int) -> tuple[int, ...]:
    """Shape of nested lists; 0 along all axes behind an empty one."""
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
    """Where in a state object of so many numbers the fields of a name are."""
    fields = state_object_fields().get(state_object, {})
    for row, (name, kind) in enumerate(fields.items()):
        at = row * (size // len(fields))
        if name == wanted:
            yield at
        for position, inner in enumerate(state_object_fields().get(kind, ())):
            if inner == wanted:
                yield at + position


def entry_points(definition: FmuDefinition) -> EntryPoints:
    """Entry points of a model that has a native form.

    Raises
    ------
    ValueError
        The kernel has no function of a name that the form gives, or an argument is unknown.
    """
    form = definition.native
    assert form is not None
    points = {purpose: _entry_point(name) for purpose, name in form.entry_points().items()}
    counts = {
        causality: sum(variable.causality == causality for variable in definition.slave.table)
        for causality in ("input", "output", "parameter")
    }
    fields = list(state_object_fields()[points["step"].arguments[_PARAMETERS]])
    places = tuple(
        form.places.get(variable.name) or (_PARAMETERS, fields.index(variable.name))
        for variable in definition.slave.table
        if variable.causality == "parameter"
    )
    return EntryPoints(
        points,
        counts,
        form.rows(),
        form.sizes,
        form.dimensions,
        form.saved,
        places,
        form.has_lanes,
    )


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
    raise ValueError(f"kernel/{module} has no function {name}")
