"""Data of one FMU for its library: ``instance.data`` in its resources.

The sources are those of the Python FMU: the variable table of the slave with its start values, the
declared ranges of the parameters, the texts of rules and failures, the state objects of the kernel,
and the tables of a structure. The file is a sequence of 32-bit integers, 64-bit numbers and texts
in UTF-8, little-endian, without names or gaps. ``instance_data.hpp`` reads the same sequence and
rejects invalid values. A mark and the form of the library precede it, and a CRC-32 follows it.
"""

from __future__ import annotations

import enum
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from string import Formatter
from typing import Any

from fmu_src.bundled.definition import FmuDefinition, InputDerivatives, RecordedPoints
from fmu_src.bundled.variables import Variable
from fmu_src.native.cpp_tables import FILE_MARK, library_form
from fmu_src.native.entry_points import EntryPoints, entry_points
from fmu_src.native.fmi3_variables import Added, EventParameters, added_to, scalars_of

INSTANCE_FILE = "instance.data"

_KINDS = ("Real", "Integer", "Boolean", "String")
# Kinds of values in a failure's text, in the order of the FMI layer's numbers.
_NOTHING, _SAVED, _VARIABLE, _STEP_SIZE, _TIME = range(5)
_MOST_SHOWN = 3
_SOURCE_MARK = "\7"


class _Items:
    """A sequence of values as bytes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def integers(self, *values: int) -> None:
        self._parts.append(struct.pack(f"<{len(values)}i", *values))

    def numbers(self, *values: float) -> None:
        self._parts.append(struct.pack(f"<{len(values)}d", *values))

    def text(self, text: str) -> None:
        content = text.encode("utf-8")
        self._parts.append(struct.pack("<i", len(content)) + content + b"\0")

    def texts(self, by_number: Mapping[int, str]) -> None:
        """Texts by number, from 0; numbers without a text get an empty one."""
        last = max(by_number, default=0)
        self.integers(last + 1)
        for number in range(last + 1):
            self.text(by_number.get(number, ""))

    def list(self, indices: Sequence[int]) -> None:
        self.integers(len(indices), *indices)

    def bytes(self) -> bytes:
        return b"".join(self._parts)


def instance_data(
    guid: str, definition: FmuDefinition, table: Sequence[Variable], *, fmi: int = 2
) -> bytes:
    """Return the content of the file for a variable table with its start values.

    `fmi` is the FMU's version of FMI, 2 or 3.
    """
    form = definition.native
    assert form is not None
    entry = entry_points(definition)
    items = _Items()
    items.text(guid)
    items.integers(fmi)
    if fmi == 3:
        table = scalars_of(form, table)
    _put_variables(items, definition, table)
    _put_added(items, added_to(form, table) if fmi == 3 else ())
    items.texts(_plain(form.rules))
    items.texts(_plain(form.state_rules))
    items.texts(_plain(form.change_rules))
    items.integers(*form.dimensions.values())
    _put_failures(items, form.failures, entry, table)
    items.list(_indices(form.accumulated, entry))
    items.list(_switches(form.acting_back, table))
    items.list(_indices(form.discrete, entry))
    _put_bar(items, form.input_derivatives, table)
    _put_points(items, form.points, table)
    _put_kernel(items, entry)
    content = f"{FILE_MARK}{library_form(definition)}".encode() + items.bytes()
    return content + struct.pack("<I", zlib.crc32(content))


def _put_variables(items: _Items, definition: FmuDefinition, table: Sequence[Variable]) -> None:
    for causality in ("input", "output", "parameter"):
        items.integers(sum(variable.causality == causality for variable in table))
    parameters = (definition.parameters, EventParameters)
    declared = {item.name: item.metadata for owner in parameters for item in fields(owner)}
    free: dict[str, Any] = {"above": None, "minimum": None, "maximum": None}
    for variable in table:
        is_text = isinstance(variable.start, str)
        literals = ""
        if variable.causality == "parameter" and variable.enumeration is not None:
            literals = variable.enumeration.listed()
        items.text(variable.name)
        items.text("" if variable.unit == "1" else f" {variable.unit}")
        items.text(variable.unit)
        kind = "Integer" if variable.kind == "Enumeration" else variable.kind
        items.integers(_KINDS.index(kind))
        items.numbers(0.0 if variable.start is None or is_text else float(variable.start))
        items.text(str(variable.start) if is_text else "")
        items.text(literals)
        items.integers(_member_count(variable.enumeration))
        items.integers(variable.is_tunable)
        _put_range(items, declared.get(variable.name, free))


def _put_added(items: _Items, added: Sequence[Added]) -> None:
    items.integers(len(added))
    for variable in added:
        items.text(variable.name)
        items.integers(variable.role)
        items.list(variable.elements)
        items.integers(len(variable.texts))
        for text in variable.texts:
            items.text(text)


def _member_count(enumeration: type[enum.IntEnum] | None) -> int:
    if enumeration is None:
        return 0
    assert [member.value for member in enumeration] == list(range(len(enumeration)))
    return len(enumeration)


def _put_range(items: _Items, metadata: Mapping[str, Any]) -> None:
    """Lower bound (text, open or not, value) and upper bound of a declared quantity."""
    above, minimum, maximum = metadata["above"], metadata["minimum"], metadata["maximum"]
    if above is not None:
        lower = f"> {above:g}", True, float(above)
    elif minimum is not None:
        lower = f"≥ {minimum:g}", False, float(minimum)
    else:
        lower = "", False, 0.0
    items.text(lower[0])
    items.integers(lower[1])
    items.numbers(lower[2])
    items.integers(maximum is not None)
    items.numbers(0.0 if maximum is None else float(maximum))
    items.text("" if maximum is None else f"≤ {maximum:g}")


def _put_failures(
    items: _Items, texts: Mapping[int, str], entry: EntryPoints, table: Sequence[Variable]
) -> None:
    """Code, text, and the values of its fields."""
    items.integers(len(texts))
    for code, text in texts.items():
        plain, shown = "", []
        for literal, name, _, conversion in Formatter().parse(text):
            plain += literal
            if name == "source":
                plain += _SOURCE_MARK
            elif name is not None:
                assert conversion == "r", f"{name}: messages show numbers as Python's repr"
                shown.append(_shown(name, entry, table))
                plain += chr(len(shown))
        items.integers(code)
        items.text(plain)
        for place in [*shown, *[(_NOTHING, 0)] * _MOST_SHOWN][:_MOST_SHOWN]:
            items.integers(*place)


def _shown(name: str, entry: EntryPoints, table: Sequence[Variable]) -> tuple[int, int]:
    """Kind and index of the value of a field in a failure's text."""
    if name in ("step_size", "time"):
        return (_STEP_SIZE if name == "step_size" else _TIME), 0
    for reference, variable in enumerate(table):
        if variable.name == name and variable.causality == "input":
            return _VARIABLE, reference
    (index,) = entry.saved_indices(name)
    return _SAVED, index


def _indices(fields_: Iterable[str], entry: EntryPoints) -> list[int]:
    """Indices in the saved state."""
    return [index for field in fields_ for index in entry.saved_indices(field)]


def _switches(name: str, table: Sequence[Variable]) -> list[int]:
    """References of the parameters of a name, including those of each contact."""
    names = [variable.name.rpartition(".")[2] for variable in table]
    return [index for index, candidate in enumerate(names) if candidate == name]


def _put_bar(
    items: _Items, derivatives: InputDerivatives | None, table: Sequence[Variable]
) -> None:
    """The parameter that excludes derivatives of inputs, its value and the reason."""
    if derivatives is None:
        reason, name, value = "canInterpolateInputs is false", "", 0.0
    else:
        reason = derivatives.reason
        name, value = derivatives.refused_where
    references = [index for index, variable in enumerate(table) if variable.name == name]
    items.integers(references[0] if references else -1)
    items.numbers(float(value))
    items.text(reason)


def _put_points(items: _Items, points: RecordedPoints | None, table: Sequence[Variable]) -> None:
    """Parameters that select the source of recorded points; -1 without points."""
    if points is None:
        items.integers(*[-1] * 6)
        return
    references = {variable.name: reference for reference, variable in enumerate(table)}
    strings = [index for index, variable in enumerate(table) if variable.kind == "String"]
    items.integers(
        references[points.kind],
        strings.index(references[points.text[0]]),
        strings.index(references[points.file[0]]),
        references[points.value_column],
        int(points.text[1]),
        int(points.file[1]),
    )


def _put_kernel(items: _Items, entry: EntryPoints) -> None:
    """Indices of time and parameters in the kernel, and the initial content of its memory."""
    times = entry.saved_indices("time")
    items.integers(times[0] if times else -1)
    arguments = entry.arguments()
    number_of = {name: number for number, name in enumerate(arguments)}
    items.integers(len(entry.places))
    for argument, index in entry.places:
        items.integers(number_of[argument], index)
    saved, rows = entry.saved(), entry.form.rows()
    for name, kind in arguments.items():
        numbers = [] if name in saved else entry.content(rows.get(name, ()), name, kind)
        items.integers(bool(numbers))
        items.numbers(*numbers)


def _plain(templates: Mapping[int, str]) -> dict[int, str]:
    """Texts with format fields of the FMI layer: \\1 and \\2 for the two values."""
    return {
        number: text.replace("{0!r}", "\1").replace("{1!r}", "\2")
        for number, text in templates.items()
    }
