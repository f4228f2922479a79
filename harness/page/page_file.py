"""The page as one HTML file with model, script, style and records."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from fmu_src.archive.licences import page_licences
from fmu_src.models import fmu_definition
from fmu_src.web.web_module import web_instance, web_module
from harness.case.note_rules import FAR, RULES
from harness.errors import MissingLibraryError
from harness.fmu.step_check import ENOUGH_STEPS, FEWEST_STEPS
from harness.output_files import write_text
from harness.page import page_table
from harness.page.page_start import PageStart, settings_of
from harness.provenance import provenance
from harness.report.document import embedded, report_style, script_source, unpacking_script
from harness.shaking import RECORD_PARAMETERS
from wearmodel.installation import MissingToolError

FMU = fmu_definition("FrictionalShock")
# In the order of dependencies.
_SCRIPTS = (
    "numbers.js",
    "kernel.js",
    "record.js",
    "run.js",
    "pictures.js",
    "animation.js",
    "controls.js",
    "save.js",
    "notes.js",
    "page.js",
)


def write_page(starts: Sequence[PageStart], path: Path) -> None:
    """Write the page. See `page_text` for arguments and exceptions.

    Raises OSError if the file cannot be written.
    """
    write_text(path, page_text(starts, path))


def page_text(starts: Sequence[PageStart], path: Path) -> str:
    """Return the HTML of the page, for this file.

    - `starts`: runs to choose from. The page starts with the first.

    Raises MissingLibraryError if the extra `native` is not installed.
    """
    try:
        module = web_module(FMU.name)
    except MissingToolError as problem:
        raise MissingLibraryError(str(problem)) from None
    folder = files("harness.page")
    starts, records = _told_apart(starts)
    rules = page_table.record_rules()
    script = _script()
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    sketch = files("fmu_src.archive") / (FMU.page.sketch or "")
    data = {
        **page_table.variable_facts(FMU),
        "pictures": page_table.page_pictures(),
        "version": version("wearfmu"),
        "provenance": provenance(path),
        "starts": [settings_of(start) for start in starts],
        "records": {name: _packed(content) for name, content in records.items()},
        "slider_positions": page_table.SLIDER_POSITIONS,
        "record_parameters": dict(RECORD_PARAMETERS),
        "record_rules": rules,
        "note_rules": [asdict(rule) for rule in RULES[FMU.name]],
        "far": FAR,
        "step_rules": {"enough": ENOUGH_STEPS, "fewest": FEWEST_STEPS},
    }
    style = (folder / "page.css").read_text(encoding="utf-8")
    return template.render(
        groups=page_table.control_groups(FMU),
        positions=page_table.SLIDER_POSITIONS,
        inputs=data["inputs"],
        starts=starts,
        records=list(records),
        units=_unit_names(rules["known"]),
        version=version("wearfmu"),
        style=Markup(f"{report_style()}\n{_library('uPlot.min.css')}\n{style}"),
        sketch=Markup(sketch.read_text(encoding="utf-8")),
        data=Markup(embedded(json.dumps(data, allow_nan=False, ensure_ascii=False))),
        module=_packed(module),
        instance=_packed(web_instance(FMU.name)),
        licences=page_licences(_library("LICENSE")),
        script=Markup(script),
        script_digest=Markup(script_source(script)),
    )


def _unit_names(known: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the names of units by quantity, without repetitions, in the same order."""
    names: dict[str, dict[str, None]] = {}
    for unit in known.values():
        names.setdefault(unit["quantity"], {})[unit["name"]] = None
    return {quantity: list(of) for quantity, of in names.items()}


def _told_apart(starts: Sequence[PageStart]) -> tuple[list[PageStart], dict[str, bytes]]:
    """Return the starts, and their records by name. Different files get different names."""
    records: dict[str, bytes] = {}
    told = []
    for start in starts:
        record = start.record
        if record is not None:
            name, number = record.name, 1
            while records.get(name, record.content) != record.content:
                number += 1
                name = f"{record.name} ({number})"
            record = replace(record, name=name)
            records[name] = record.content
        told.append(replace(start, record=record))
    return told, records


def _library(name: str) -> str:
    """Return a file of the unchanged copy of uPlot."""
    return (files("harness.page") / "uplot" / name).read_text(encoding="utf-8")


def _script() -> str:
    """Return the script: the library for pictures, and the scripts of this folder."""
    folder = files("harness.page")
    own = "\n".join((folder / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    text = f"{_library('uPlot.iife.min.js')}\n(() => {{\n{unpacking_script()}{own}}})();\n"
    assert "</script" not in text
    return text


def _packed(content: bytes) -> str:
    """Return bytes as compressed text. The same bytes give the same text."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")
