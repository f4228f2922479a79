"""The header that the FMI layer is driven by: variables, ranges, rules, reasons, kernel numbers.

Everything in it comes from what the Python FMU uses: the variable table of the slave, the declared
ranges of the parameters, the texts of rules and failures, the constants of the kernel.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from fmu_src.bundled.call_order import PHASES, TIME_TOLERANCE
from fmu_src.bundled.variables import Variable
from wearmodel.batch.lowering import index_constants
from wearmodel.kernel import limits
from wearmodel.kernel.parameters import RULES, FrictionalShockParameters
from wearmodel.models.frictional_shock import FAILURE_REASONS

# What a log tells by category (FMI 2.0, section 2.2.4), in the order of the FMI layer's numbers.
LOG_CATEGORIES = {
    "logStatusDiscard": "Directional derivatives that do not exist here, with the reason",
    "logStatusError": "Refused calls, steps included, with the reason",
}


def table_header(guid: str, table: Sequence[Variable]) -> str:
    """Text of ``tables.hpp`` for a variable table, which holds the start values."""
    counts = {
        f"{causality}_count": sum(variable.causality == causality for variable in table)
        for causality in ("input", "output", "parameter")
    }
    ranges = {item.name: _range(item.metadata) for item in fields(FrictionalShockParameters)}
    free = '"", false, 0, false, 0, ""'
    variables = [f"{{{_variable(one)}, {ranges.get(one.name, free)}}}" for one in table]
    return "\n".join(
        [
            "#pragma once",
            f"static const char model_guid[] = {_quoted(guid)};",
            f"static const double time_tolerance = {TIME_TOLERANCE!r};",
            *_constants(counts.items()),
            "namespace limits {",
            *_constants(_numbers(vars(limits))),
            "}",
            "namespace records {",
            *_constants(_numbers(index_constants())),
            "}",
            *_array("const char *const phase_names", map(_quoted, PHASES)),
            *_array("const char *const log_categories", map(_quoted, LOG_CATEGORIES)),
            *_array("const char *const rule_texts", _texts(_plain(RULES))),
            *_array("const char *const failure_texts", _texts(FAILURE_REASONS)),
            *_array("const Variable variables", variables),
            "",
        ]
    )


def _numbers(names: Mapping[str, Any]) -> list[tuple[str, float]]:
    """The constants among some names; lower case, for `math.h` defines OVERFLOW as a macro."""
    return [
        (name.lower(), value)
        for name, value in names.items()
        if name.isupper() and isinstance(value, (int, float)) and not name.startswith("_")
    ]


def _constants(pairs: Iterable[tuple[str, float]]) -> list[str]:
    return [
        f"constexpr {'int' if isinstance(value, int) else 'double'} {name} = {value!r};"
        for name, value in pairs
    ]


def _array(declaration: str, items: Iterable[str]) -> list[str]:
    return [f"static {declaration}[] = {{", *(f"    {item}," for item in items), "};"]


def _texts(by_number: dict[int, str]) -> list[str]:
    """Texts by number, from 0; numbers without a text get an empty one."""
    return [_quoted(by_number.get(number, "")) for number in range(max(by_number) + 1)]


def _plain(templates: dict[int, str]) -> dict[int, str]:
    """Python's format fields as the FMI layer fills them: \\1 and \\2 for the two values."""
    return {
        number: text.replace("{0!r}", "\1").replace("{1!r}", "\2")
        for number, text in templates.items()
    }


def _quoted(text: str) -> str:
    """A C string literal in UTF-8."""
    escaped = (chr(one) if _is_printable(one) else f"\\{one:03o}" for one in text.encode("utf-8"))
    return f'"{"".join(escaped)}"'


def _is_printable(byte: int) -> bool:
    return 32 <= byte < 127 and chr(byte) not in '"\\?'


def _variable(variable: Variable) -> str:
    kind = "integer" if variable.kind == "Enumeration" else variable.kind.lower()
    start = 0.0 if variable.start is None else float(variable.start)
    unit = "" if variable.unit == "1" else f" {variable.unit}"
    literals = ""
    if variable.causality == "parameter" and variable.enumeration is not None:
        literals = ", ".join(member.name for member in variable.enumeration)
    return (
        f"{_quoted(variable.name)}, {_quoted(unit)}, {_quoted(variable.unit)}, "
        f"Kind::{kind}, {start!r}, {_quoted(literals)}, {_member_count(variable.enumeration)}"
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
