"""Settings of the documentation for Sphinx; `make docs` builds it into build/site.

The pages are Markdown that GitHub shows too. Formulas become MathML while the site is built, so
that the pages need neither a network nor a script for them.
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
# The front page; index.rst takes it in.
exclude_patterns = ["README.md"]

# References that lead nowhere are warnings, and `make docs` takes warnings for errors. Types of
# other libraries lead nowhere: their lists of names are on the network.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!(wearmodel|harness|fmu_src)\b).*")]
# The slips of a rubbing shoe one by one: for the tests; and the kernel's record of parameters.
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
    # As accents the dots of time derivatives sink into the letter where no mathematical font is.
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
    """Docstrings are plain text: keep indented formulas as they are, and |v| an absolute value."""
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
    """List the issue reports below their index, which GitHub shows without this list."""
    if page == "upstream/README":
        reports = sorted(report.stem for report in Path(app.srcdir, "upstream").glob("[a-z]*.md"))
        source[0] += "\n".join(["\n```{toctree}", ":hidden:", "", *reports, "```", ""])


def _write_live_page(app: Sphinx, problem: Exception | None) -> None:
    """Write the page that computes, which the front page shows."""
    if problem is None and app.builder.name == "html":
        write_page(shipped_starts(), Path(app.outdir) / "try.html")


def setup(app: Sphinx) -> None:
    """Let docutils write the formulas, and take docstrings and commands as they are written."""
    app.connect("build-finished", _write_live_page)
    app.connect("source-read", _nest_issue_reports)
    # Before napoleon, which takes the sections apart.
    app.connect("autodoc-process-docstring", _restructured, priority=400)
    # The lexer of a shell colours parts of options and numbers of commands.
    app.add_lexer("sh", TextLexer)
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
