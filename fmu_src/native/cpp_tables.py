"""The header ``form.hpp`` of the FMI layer, which all FMUs of a model have in common.

It describes the arguments of the model's kernel and identifies the sources of the library. The data
of one FMU are its `instance_data`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from fmu_src.bundled.call_order import PHASES, TIME_TOLERANCE
from fmu_src.bundled.definition import FmuDefinition
from fmu_src.bundled.slave import SafeSlave
from fmu_src.native.entry_points import INPUTS, WATCH, EntryPoints, entry_points
from fmu_src.native.fmi3_variables import ReturnAt
from wearmodel.compiled.declarations import state_object_fields
from wearmodel.compiled.ready_libraries import source_digest
from wearmodel.kernel.events import EventKinds
from wearmodel.kernel.limits import LONGEST_DERIVATIVE

FILE_MARK = "wearfmu instance\n"
# Only FMI 3.0 has a phase for events.
_PHASES = (*PHASES, "event mode")
# Constants of C++ for the indices in the kernel's state object of events, by its fields.
_WATCHED = {
    "kinds": "watched_kinds",
    "quiet_until": "watched_quiet",
    "reached": "watched_reached",
    "pending": "watched_pending",
    "events": "watched_count",
    "last": "watched_last",
    "resolution": "watched_resolution",
}
# Messages by category (FMI 2.0, section 2.2.4), in the order of the FMI layer's numbers.
LOG_CATEGORIES = {
    "logStatusDiscard": "Directional derivatives that do not exist here, with the reason",
    **SafeSlave.log_categories,
}
# Packages with the sources of a library in addition to the kernel, and with its compiler.
_PACKAGES = ("wearmodel.compiled", "fmu_src.native", "fmu_src.web")


def library_form(definition: FmuDefinition) -> str:
    """Return the identifier of a library of a model's present sources and of its instance data.

    It depends on the sources of the kernel and of the FMI layer, but not on platform, compiler,
    structure and start values.
    """
    assert definition.native is not None
    calls = tuple(sorted(definition.native.entry_points().items()))
    entry = entry_points(definition)
    content = hashlib.sha256(source_digest(entry.modules(), _PACKAGES).encode())
    content.update(f"{calls}\0{_form_text(definition, entry)}".encode())
    return f"wearfmu library form {content.hexdigest()}"


def form_header(definition: FmuDefinition) -> str:
    """Return the text of ``form.hpp``, which is the same for all structures and start values."""
    text = _form_text(definition, entry_points(definition))
    form = f"static const char library_form[] = {_quoted(library_form(definition))};"
    return "\n".join(["#pragma once", form, text])


def _form_text(definition: FmuDefinition, entry: EntryPoints) -> str:
    form = definition.native
    assert form is not None
    dimensions = [INPUTS, *form.dimensions]
    arguments = entry.arguments()
    number_of = {name: number for number, name in enumerate(arguments)}
    optional, whole = 0, 0
    if form.optional_dimension:
        optional, whole = map(dimensions.index, form.optional_dimension)
    # The kernel of a model without dimensions requires fixed numbers of inputs and outputs.
    fixed = (-1, -1) if form.dimensions else (entry.counts["input"], entry.counts["output"])
    constants = {
        "derivative_orders": LONGEST_DERIVATIVE,  # of input derivatives
        "dimension_count": len(dimensions),
        "optional_dimension": optional,
        "optional_whole": whole,
        "fixed_inputs": fixed[0],
        "fixed_outputs": fixed[1],
        "sample_argument": number_of["sample"],
        "entered_argument": number_of.get("entered", -1),
        "derivatives_argument": number_of.get("derivatives", -1),
        "outputs_argument": number_of.get("outputs", -1),
        "watch_argument": number_of.get(WATCH, -1),
    }
    watched = list(state_object_fields()[arguments[WATCH]]) if WATCH in arguments else []
    constants["watch_size"] = len(watched)
    for field, name in _WATCHED.items():
        constants[name] = watched.index(field) if watched else 0

    def axis(factors: dict[str, int]) -> str:
        by_dimension = ", ".join(str(factors.get(dimension, 0)) for dimension in dimensions)
        return f"{{{factors.get('', 0)}, {{{by_dimension}}}}}"

    points = form.points
    texts = (points.header, points.own_file, points.text[2], points.file[2]) if points else [""] * 4
    rows = []
    for name, kind in arguments.items():
        axes = [axis(factors) for factors in entry.axes(name, kind)]
        rows.append(f"{{{len(axes)}, {{{', '.join(axes)}}}}} /* {name} */")
    olds = [
        f"{{{number_of[old]}, {number_of[argument]}}}"
        for argument, old in entry.old_arguments().items()
    ]
    olds.append("{-1, -1}")
    return "\n".join(
        [
            f"static const char file_mark[] = {_quoted(FILE_MARK)};",
            f"constexpr double time_tolerance = {TIME_TOLERANCE!r};",
            f"constexpr bool takes_points = {str(points is not None).lower()};",
            f"static const char points_header[] = {_quoted(texts[0])};",
            f"static const char own_points_file[] = {_quoted(texts[1])};",
            *_array("const char *const unread_rules", map(_quoted, texts[2:])),
            *(f"constexpr int {name} = {value};" for name, value in constants.items()),
            *_array("const char *const phase_names", map(_quoted, _PHASES)),
            *_array("const char *const log_categories", map(_quoted, LOG_CATEGORIES)),
            *_array("const int saved_arguments", (str(number_of[name]) for name in entry.saved())),
            *_array("const Argument arguments", rows),
            # Sum of the kinds of events that the kernel watches for, by the user's choice.
            *_array(
                "constexpr double kinds_of_returns",
                (str(EventKinds[choice.name].value) for choice in ReturnAt),
            ),
            # Pairs of an old argument and the present argument. The last pair marks the end.
            *_array("const int old_arguments[][2]", olds),
            "",
        ]
    )


def _array(declaration: str, items: Iterable[str]) -> list[str]:
    brackets = "" if declaration.endswith("]") else "[]"
    return [f"static {declaration}{brackets} = {{", *(f"    {item}," for item in items), "};"]


def _quoted(text: str) -> str:
    """A C string literal in UTF-8."""
    escaped = (
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
        for byte in text.encode("utf-8")
    )
    return f'"{"".join(escaped)}"'
