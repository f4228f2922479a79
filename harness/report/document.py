"""Parts of a page, and the single HTML file with style, script, plotly and data."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from harness.case.verdict import Verdict
from harness.figures.palette import COLOURS, dark_by_light
from harness.output_files import write_text
from harness.provenance import provenance

# The kinds of traces in the basic bundle of plotly.
_BASIC_TRACES = {"scatter", "bar", "pie"}


@dataclass(frozen=True)
class Picture:
    """A figure with title and caption."""

    title: str
    caption: str
    # Figure in light colours.
    figure: Any
    # Whether stick, slip and flight are shaded, so that the caption explains the shades.
    shaded: bool = False


@dataclass(frozen=True)
class Grid:
    """A table."""

    # Contents of the table. Empty if the heading of its folded part describes them.
    caption: str
    # Headers. Cells of the first column are headers of their rows.
    columns: Sequence[str]
    # Cells. Verdicts are coloured.
    rows: Sequence[Sequence[str]]
    # For each row, the anchor that its first cell links to.
    links: Sequence[str] = ()


@dataclass(frozen=True)
class KeyNumber:
    """A number of the summary."""

    # Name of the number in words.
    label: str
    value: str
    unit: str = ""


@dataclass(frozen=True)
class Folded:
    """Tables that are hidden until the reader opens their heading."""

    heading: str
    grids: Sequence[Grid]
    # Plain text before the tables.
    paragraphs: Sequence[str] = ()


@dataclass(frozen=True)
class Section:
    """A section of the page, listed in the table of contents."""

    # Id and heading of the section.
    anchor: str
    title: str
    paragraphs: Sequence[str] = ()
    # Highlighted plain text, and tables after the first picture.
    warnings: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    pictures: Sequence[Picture] = ()
    # Verdict, shown with the heading.
    verdict: str = ""
    # Numbers before the first picture.
    key_numbers: Sequence[KeyNumber] = ()
    # Hidden tables after the pictures.
    folded: Sequence[Folded] = ()
    # Tables before the first picture.
    answer: Sequence[Grid] = ()


@dataclass(frozen=True)
class Document:
    """A page."""

    # Heading, and one line with the outcome.
    title: str
    summary: str
    # Paragraphs before the table of contents.
    lead: Sequence[str]
    sections: Sequence[Section]
    # Numbers above all sections.
    key_numbers: Sequence[KeyNumber] = ()
    # A page that computes, which is shown at the end. Empty if there is none.
    live: str = ""


def write_document(document: Document, path: Path) -> None:
    """Write a page that needs no network.

    Raises OSError if the file cannot be written.
    """
    folder = files("harness.report")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    script = unpacking_script() + (folder / "page.js").read_text(encoding="utf-8")
    plotly = _plotly_of(document)
    # The page that computes is part of this page, whose policy must allow its scripts.
    live = re.search(r"script-src ([^;]*);", document.live)
    sources = (gzip.decompress(plotly).decode("utf-8"), script)
    scripts = [*map(script_source, sources), *([live[1]] if live else [])]
    page = template.render(
        document=document,
        scripts=Markup(" ".join(scripts)),
        version=version("wearfmu"),
        provenance=html.escape(json.dumps(provenance(path), indent=1), quote=False),
        style=report_style(),
        script=script,
        plotly=base64.b64encode(plotly).decode("ascii"),
        dark=embedded(json.dumps(dark_by_light())),
        verdicts=list(Verdict),
        figure_json=lambda picture: embedded(picture.figure.to_json()),
        breakable=lambda name: Markup("_<wbr>").join(name.split("_")),
        height=lambda picture: int(picture.figure.layout.height),
    )
    write_text(path, page)


def unpacking_script() -> str:
    """Return the script that unpacks compressed text, for all pages."""
    return (files("harness.report") / "unpacked.js").read_text(encoding="utf-8")


def _plotly_of(document: Document) -> bytes:
    """Return the smallest script of plotly that draws all pictures of the page, compressed."""
    figures = [picture.figure for section in document.sections for picture in section.pictures]
    kinds = {trace.type for figure in figures for trace in figure.data}
    bundle = "basic" if kinds <= _BASIC_TRACES else "cartesian"
    return (files("harness.report") / "plotly" / f"plotly-{bundle}.min.js.gz").read_bytes()


def report_style() -> str:
    """Return the style of a report: colours by name, light and dark, and rules."""
    light, dark = (
        "\n".join(f"  --{name}: {getattr(colour, scheme)};" for name, colour in COLOURS.items())
        for scheme in ("light", "dark")
    )
    rules = (files("harness.report") / "page.css").read_text(encoding="utf-8")
    screen = "@media screen and (prefers-color-scheme: dark)"
    return f":root {{\n{light}\n}}\n{screen} {{\n:root {{\n{dark}\n}}\n}}\n{rules}"


def script_source(script: str) -> str:
    """Return the identifier of a script in a content security policy."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def embedded(text: str) -> str:
    """Return JSON for a script element, without `<`, which could end the element."""
    return text.replace("<", "\\u003c")
