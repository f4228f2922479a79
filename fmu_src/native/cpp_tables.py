"""The header that the FMI layer is driven by: variables, ranges, rules, reasons, indices.

Everything in it comes from what the Python FMU uses: the variable table of the slave, the declared
ranges of the parameters, the texts of rules and failures, the records of the kernel.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from string import Formatter
from typing import Any

from fmu_src.bundled.call_order import PHASES, TIME_TOLERANCE
from fmu_src.bundled.definition import FmuDefinition, InputDerivatives, RecordedPoints
from fmu_src.bundled.variables import Variable
from fmu_src.native.entry_points import EntryPoints, entry_points

# What a log tells by category (FMI 2.0, section 2.2.4), in the order of the FMI layer's numbers.
LOG_CATEGORIES = {
    "logStatusDiscard": "Directional derivatives that do not exist here, with the reason",
    "logStatusError": "Refused calls, steps included, with the reason",
    "logStatusWarning": "Inputs that change too fast for the steps, once an instance",
}


def table_header(guid: str, definition: FmuDefinition, table: Sequence[Variable]) -> str:
    """Text of ``tables.hpp`` for a variable table, which holds the start values."""
    form = definition.native
    assert form is not None
    entry = entry_points(definition)
    counts = {
        f"{causality}_count": sum(variable.causality == causality for variable in table)
        for causality in ("input", "output", "parameter")
    }
    ranges = {item.name: _range(item.metadata) for item in fields(definition.parameters)}
    free = '"", false, 0, false, 0, ""'
    variables = [
        f"{{{_variable(variable)}, {ranges.get(variable.name, free)}}}" for variable in table
    ]
    return "\n".join(
        [
            "#pragma once",
            f"static const char model_guid[] = {_quoted(guid)};",
            f"static const double time_tolerance = {TIME_TOLERANCE!r};",
            *_constants(counts.items()),
            *_array("const char *const phase_names", map(_quoted, PHASES)),
            *_array("const char *const log_categories", map(_quoted, LOG_CATEGORIES)),
            *_array("const char *const rule_texts", _texts(_plain(form.rules))),
            *_array("const char *const state_rule_texts", _texts(_plain(form.state_rules))),
            *_array("const Failure failures", _failures(form.failures, entry, table)),
            *_indices("accumulated_indices", form.accumulated, entry),
            *_switches("acting_back", form.acting_back, table),
            *_indices("discrete_indices", form.discrete, entry),
            *_bar(form.input_derivatives, table),
            *_points(form.points, table),
            *_array("const Variable variables", variables),
            "",
        ]
    )


def _failures(texts: Mapping[int, str], entry: EntryPoints, table: Sequence[Variable]) -> list[str]:
    """Code, text, and what its fields show."""
    rows = []
    for code, text in texts.items():
        plain, shown = "", []
        for literal, name, _, conversion in Formatter().parse(text):
            plain += literal
            if name == "source":
                plain += "\7"
            elif name is not None:
                assert conversion == "r", f"{name}: messages show numbers as Python's repr"
                shown.append(_shown(name, entry, table))
                plain += chr(len(shown))
        rows.append(f"{{{code}, {_quoted(plain)}, {{{', '.join(shown)}}}}}")
    return rows


def _shown(name: str, entry: EntryPoints, table: Sequence[Variable]) -> str:
    """Where a failure's text finds the number that a name stands for."""
    if name in ("step_size", "time"):
        return f"{{Of::{name}, 0}}"
    for reference, variable in enumerate(table):
        if variable.name == name and variable.causality == "input":
            return f"{{Of::variable, {reference}}}"
    (index,) = entry.saved_indices(name)
    return f"{{Of::saved, {index}}}"


def _indices(name: str, fields_: Sequence[str], entry: EntryPoints) -> list[str]:
    """Indices in the saved state, ended by -1, for there may be none."""
    indices = [index for field in fields_ for index in entry.saved_indices(field)]
    return _array(f"const int {name}", map(str, (*indices, -1)))


def _switches(array: str, name: str, table: Sequence[Variable]) -> list[str]:
    """References of the parameters of a name, each contact's own too, ended by -1."""
    names = [variable.name.rpartition(".")[2] for variable in table]
    references = [index for index, candidate in enumerate(names) if candidate == name]
    return _array(f"const int {array}", map(str, (*references, -1)))


def _points(points: RecordedPoints | None, table: Sequence[Variable]) -> list[str]:
    """Which parameters say where recorded points come from; -1: there are none."""
    references = {variable.name: reference for reference, variable in enumerate(table)}
    strings = [index for index, variable in enumerate(table) if variable.kind == "String"]
    header, own_file = "", ""
    named = dict.fromkeys(("kind", "text", "file", "column", "text_kind", "file_kind"), -1)
    if points is not None:
        header, own_file = points.header, points.own_file
        named = {
            "kind": references[points.kind],
            "text": strings.index(references[points.text[0]]),
            "file": strings.index(references[points.file[0]]),
            "column": references[points.value_column],
            "text_kind": int(points.text[1]),
            "file_kind": int(points.file[1]),
        }
    return [
        *_constants((f"points_{name}", value) for name, value in named.items()),
        f"static const char motion_header[] = {_quoted(header)};",
        f"static const char own_points_file[] = {_quoted(own_file)};",
        f"constexpr int string_count = {len(strings)};",
        *_array("const int string_references", map(str, (*strings, -1))),
    ]


def _bar(derivatives: InputDerivatives | None, table: Sequence[Variable]) -> list[str]:
    """The parameter that keeps an input from having derivatives, and the reason."""
    if derivatives is None:
        reason = "canInterpolateInputs is false"
        name, value = "", 0.0
    else:
        reason = derivatives.reason
        name, value = derivatives.refused_where
    references = [index for index, variable in enumerate(table) if variable.name == name]
    return [
        f"constexpr int barring_parameter = {references[0] if references else -1};",
        f"constexpr double barring_value = {float(value)!r};",
        f"static const char no_derivatives[] = {_quoted(reason)};",
    ]


def _constants(pairs: Iterable[tuple[str, float]]) -> list[str]:
    return [
        f"constexpr {'int' if isinstance(value, int) else 'double'} {name} = {value!r};"
        for name, value in pairs
    ]


def _array(declaration: str, items: Iterable[str]) -> list[str]:
    return [f"static {declaration}[] = {{", *(f"    {item}," for item in items), "};"]


def _texts(by_number: Mapping[int, str]) -> list[str]:
    """Texts by number, from 0; numbers without a text get an empty one."""
    last = max(by_number, default=0)
    return [_quoted(by_number.get(number, "")) for number in range(last + 1)]


def _plain(templates: Mapping[int, str]) -> dict[int, str]:
    """Python's format fields as the FMI layer fills them: \\1 and \\2 for the two values."""
    return {
        number: text.replace("{0!r}", "\1").replace("{1!r}", "\2")
        for number, text in templates.items()
    }


def _quoted(text: str) -> str:
    """A C string literal in UTF-8."""
    escaped = (
        chr(byte) if _is_printable(byte) else f"\\{byte:03o}" for byte in text.encode("utf-8")
    )
    return f'"{"".join(escaped)}"'


def _is_printable(byte: int) -> bool:
    return 32 <= byte < 127 and chr(byte) not in '"\\?'


def _variable(variable: Variable) -> str:
    kind = "integer" if variable.kind == "Enumeration" else variable.kind.lower()
    is_text = isinstance(variable.start, str)
    start = 0.0 if variable.start is None or is_text else float(variable.start)
    unit = "" if variable.unit == "1" else f" {variable.unit}"
    literals = ""
    if variable.causality == "parameter" and variable.enumeration is not None:
        literals = ", ".join(member.name for member in variable.enumeration)
    return (
        f"{_quoted(variable.name)}, {_quoted(unit)}, {_quoted(variable.unit)}, "
        f"Kind::{kind}, {start!r}, {_quoted(variable.start if is_text else '')}, "
        f"{_quoted(literals)}, {_member_count(variable.enumeration)}"
    )


def _member_count(enumeration: type[enum.IntEnum] | None) -> int:
    if enumeration is None:
        return 0
    assert [member.value for member in enumeration] == list(range(len(enumeration)))
    return len(enumeration)


def _range(metadata: Any) -> str:
    """Lower bound (text, open or not, value) and upper bound of a declared quantity."""
    above, minimum, maximum = metadata["above"], metadata["minimum"], metadata["maximum"]
    if above is not None:
        lower = f'"> {above:g}", true, {float(above)!r}'
    elif minimum is not None:
        lower = f"{_quoted(f'≥ {minimum:g}')}, false, {float(minimum)!r}"
    else:
        lower = '"", false, 0'
    if maximum is None:
        return f'{lower}, false, 0, ""'
    return f"{lower}, true, {float(maximum)!r}, {_quoted(f'≤ {maximum:g}')}"
