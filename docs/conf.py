"""Settings of Sphinx for the documentation, which `make docs` builds in build/site.

GitHub shows the same Markdown pages. Formulas are converted to MathML during the build, so the
pages do not need a network or a script for them.
"""

from __future__ import annotations

import re
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from harness.page import shipped_starts, write_page

project = "wearfmu"
author = "the authors of wearfmu"
copyright = author
release = version = installed_version("wearfmu")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
# index.rst includes this page as the front page.
exclude_patterns = ["README.md"]

# Broken references are warnings, and `make docs` treats warnings as errors. References to types of
# other libraries are ignored, because their inventories are on the network.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!(wearmodel|harness|fmu_src)\b).*")]
# Internal types: the slips of a rubbing shoe are for tests, and the parameters belong to the
# kernel.
nitpick_ignore = [
    ("py:class", "wearmodel.reference.closed_forms.slips.SlipSequence"),
    ("py:class", "wearmodel.kernel.shoe.parameters.Parameters"),
]
default_role = "code"
# Blocks without a language are commands and outputs.
highlight_language = "text"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_fence_as_directive = ["math"]
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"wearfmu {release}"
html_static_path = ["style"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
html_math_renderer = "mathml"
copybutton_prompt_text = "$ "

add_module_names = False
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_typehints_description_target = "documented_params"
autodoc_default_options = {"members": True}
napoleon_google_docstring = False
napoleon_use_rtype = False


def _mathml(node: nodes.Element, *, display: bool) -> str:
    # Dots of time derivatives as accents overlap the letter if a mathematical font is missing.
    formula: str = tex2mathml(node.astext(), as_block=display)
    return formula.replace('accent="true"', 'accent="false"')


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(_mathml(node, display=False))
    raise nodes.SkipNode


def _display(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math">{_mathml(node, display=True)}</div>')
    raise nodes.SkipNode


_SECTION = re.compile(r"-{3,}$")


def _restructured(
    _app: Sphinx, _what: str, _name: str, _of: Any, _o: Any, lines: list[str]
) -> None:
    """Treat docstrings as plain text: keep indented formulas, and |v| as an absolute value."""
    written: list[str] = []
    in_section = False
    for block in "\n".join(lines).strip("\n").split("\n\n"):
        rows = block.splitlines()
        in_section = in_section or any(_SECTION.match(row) for row in rows)
        if not in_section and rows and all(row.startswith("    ") for row in rows):
            written += ["::", "", *rows, ""]
        else:
            written += [*(row.replace("|", "\\|") for row in rows), ""]
    lines[:] = written


def _nest_issue_reports(app: Sphinx, page: str, source: list[str]) -> None:
    """Add the issue reports to the navigation below their index."""
    if page == "upstream/README":
        reports = sorted(report.stem for report in Path(app.srcdir, "upstream").glob("[a-z]*.md"))
        source[0] += "\n".join(["\n```{toctree}", ":hidden:", "", *reports, "```", ""])


def _write_live_page(app: Sphinx, problem: Exception | None) -> None:
    """Write the page that computes, which is shown on the front page."""
    if problem is None and app.builder.name == "html":
        write_page(shipped_starts(), Path(app.outdir) / "try.html")


def setup(app: Sphinx) -> None:
    """Set the renderer of formulas, and keep the text of docstrings and commands."""
    app.connect("build-finished", _write_live_page)
    app.connect("source-read", _nest_issue_reports)
    # This must run before napoleon, which splits docstrings into sections.
    app.connect("autodoc-process-docstring", _restructured, priority=400)
    # The lexer of the shell would colour parts of options and numbers.
    app.add_lexer("sh", TextLexer)
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
