"""Data of one FMU for its library: ``instance.data`` in its resources.

The sources are as in the Python FMU: the variable table of the slave with its start values, the
declared ranges of the parameters, the texts of rules and failures, the state objects of the kernel,
and the tables of a structure. The file is a sequence of 32-bit integers, 64-bit numbers and texts
in UTF-8, little-endian, without names or gaps. ``instance_data.hpp`` reads the same sequence and
rejects invalid values. A mark and the form of the library precede it, and a CRC-32 follows it.
"""

from __future__ import annotations

import enum
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Formatter
from typing import Any

from fmu_src.bundled.definition import FmuDefinition, InputDerivatives, RecordedPoints
from fmu_src.bundled.variables import Variable
from fmu_src.native.cpp_tables import FILE_MARK, library_form
from fmu_src.native.entry_points import EntryPoints, entry_points
from fmu_src.native.fmi3_variables import added_to, scalars_of

INSTANCE_FILE = "instance.data"

_KINDS = ("Real", "Integer", "Boolean", "String")
# Kinds of values in a failure's text, in the order of the FMI layer's numbers.
_NOTHING, _SAVED, _VARIABLE, _STEP_SIZE, _TIME = range(5)
_MOST_SHOWN = 3
_SOURCE_MARK = "\7"


def instance_data(
    guid: str, definition: FmuDefinition, table: Sequence[Variable], *, fmi: int = 2
) -> bytes:
    """Return the content of the file for a variable table with its start values.

    `fmi` is the FMU's version of FMI, 2 or 3.
    """
    form = definition.native
    assert form is not None
    entry = entry_points(definition)
    if fmi == 3:
        table = scalars_of(form, table)
    added = added_to(form, table) if fmi == 3 else ()
    content = f"{FILE_MARK}{library_form(definition)}".encode() + _packed(
        guid,
        fmi,
        *_variables(table),
        len(added),
        *(value for more in added for value in (more.name, more.role, more.elements, more.texts)),
        _plain(form.rules),
        _plain(form.state_rules),
        _plain(form.change_rules),
        *form.dimensions.values(),
        len(form.failures),
        *(value for failure in form.failures.items() for value in _failure(*failure, entry, table)),
        _indices(form.accumulated, entry),
        _switches(form.acting_back, table),
        _indices(form.discrete, entry),
        *_bar(form.input_derivatives, table),
        *_points(form.points, table),
        *_kernel(entry),
    )
    return content + struct.pack("<I", zlib.crc32(content))


def _packed(*values: Any) -> bytes:
    """Values as bytes: whole numbers, numbers, texts, and lists after their lengths."""
    parts: list[bytes] = []
    for value in values:
        if isinstance(value, bytes):
            parts.append(value)
        elif isinstance(value, str):
            content = value.encode("utf-8")
            parts.append(struct.pack("<i", len(content)) + content + b"\0")
        elif isinstance(value, float):
            parts.append(struct.pack("<d", value))
        elif isinstance(value, int):
            parts.append(struct.pack("<i", value))
        else:
            parts.append(_packed(len(value), *value))
    return b"".join(parts)


def _variables(table: Sequence[Variable]) -> Iterator[Any]:
    for causality in ("input", "output", "parameter"):
        yield sum(variable.causality == causality for variable in table)
    for variable in table:
        is_text = isinstance(variable.start, str)
        enumeration = variable.enumeration
        yield variable.name
        yield "" if variable.unit == "1" else f" {variable.unit}"
        yield variable.unit
        yield _KINDS.index("Integer" if variable.kind == "Enumeration" else variable.kind)
        yield 0.0 if variable.start is None or is_text else float(variable.start)
        yield str(variable.start) if is_text else ""
        yield enumeration.listed() if enumeration and variable.causality == "parameter" else ""
        yield _member_count(enumeration)
        yield variable.is_tunable
        yield from _range(variable)


def _member_count(enumeration: type[enum.IntEnum] | None) -> int:
    if enumeration is None:
        return 0
    assert [member.value for member in enumeration] == list(range(len(enumeration)))
    return len(enumeration)


def _range(variable: Variable) -> Iterator[Any]:
    """Lower bound (text, open or not, value) and upper bound of a parameter."""
    lower, maximum = None, None
    if variable.causality == "parameter":
        lower, maximum = variable.minimum, variable.maximum
    sign = ">" if variable.is_open_below else "≥"
    yield "" if lower is None else f"{sign} {lower:g}"
    yield variable.is_open_below
    yield 0.0 if lower is None else float(lower)
    yield maximum is not None
    yield 0.0 if maximum is None else float(maximum)
    yield "" if maximum is None else f"≤ {maximum:g}"


def _failure(code: int, text: str, entry: EntryPoints, table: Sequence[Variable]) -> Iterator[Any]:
    """Code, text, and the values of its fields."""
    plain, shown = "", []
    for literal, name, _, conversion in Formatter().parse(text):
        plain += literal
        if name == "source":
            plain += _SOURCE_MARK
        elif name is not None:
            assert conversion == "r", f"{name}: messages show numbers as Python's repr"
            shown.append(_shown(name, entry, table))
            plain += chr(len(shown))
    yield code
    yield plain
    for place in [*shown, *[(_NOTHING, 0)] * _MOST_SHOWN][:_MOST_SHOWN]:
        yield from place


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
    """References of the parameters with this name, including the parameters of each contact."""
    names = [variable.name.rpartition(".")[2] for variable in table]
    return [index for index, candidate in enumerate(names) if candidate == name]


def _bar(derivatives: InputDerivatives | None, table: Sequence[Variable]) -> tuple[int, float, str]:
    """The parameter that excludes derivatives of inputs, its value and the reason.

    Without derivatives the library does not read the parameter.
    """
    if derivatives is None:
        return 0, 0.0, "canInterpolateInputs is false"
    name, value = derivatives.refused_where
    (reference,) = (index for index, variable in enumerate(table) if variable.name == name)
    return reference, float(value), derivatives.reason


def _points(points: RecordedPoints | None, table: Sequence[Variable]) -> Sequence[int]:
    """Parameters that select the source of recorded points, or -1 without points."""
    if points is None:
        return [-1] * 6
    references = {variable.name: reference for reference, variable in enumerate(table)}
    strings = [index for index, variable in enumerate(table) if variable.kind == "String"]
    return (
        references[points.kind],
        strings.index(references[points.text[0]]),
        strings.index(references[points.file[0]]),
        references[points.value_column],
        int(points.text[1]),
        int(points.file[1]),
    )


def _kernel(entry: EntryPoints) -> Iterator[Any]:
    """Indices of time and parameters in the kernel, and the initial content of its memory."""
    times = entry.saved_indices("time")
    yield times[0] if times else -1
    arguments = entry.arguments()
    number_of = {name: number for number, name in enumerate(arguments)}
    yield len(entry.places)
    for argument, index in entry.places:
        yield from (number_of[argument], index)
    saved, rows = entry.saved(), entry.form.rows()
    for name, kind in arguments.items():
        numbers = [] if name in saved else entry.content(rows.get(name, ()), name, kind)
        yield bool(numbers)
        yield struct.pack(f"<{len(numbers)}d", *numbers)


def _plain(templates: Mapping[int, str]) -> list[str]:
    """Texts from number 0 on, with format fields of the FMI layer: \\1 and \\2 for the two values.

    Numbers without a text have an empty text.
    """
    texts = [templates.get(number, "") for number in range(max(templates, default=0) + 1)]
    return [text.replace("{0!r}", "\1").replace("{1!r}", "\2") for text in texts]
