"""Writes the sources of the verification book: `python docs/book.py RESULTS.json FOLDER`.

RESULTS.json is written by `wearfmu validate --json`. `make book` runs both, and Sphinx then writes
build/book/index.html. The chapters on cases and phenomena are generated from the case files, their
README.md and the results. The other chapters are pages of the documentation. A link to a page that
is not part of the book is replaced by its text and the name of the page.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.case.shipped import shipped_cases

DOCS = Path(__file__).parent
# Pages of the documentation that are chapters, after those that are generated.
PAGES = ("statements", "verification", "validity", "known_defects", "bibliography")
_TITLE = "Verification book"
_INTRODUCTION = """\
The book contains the evidence for the results of wearfmu {version}: each shipped case with its \
equations, exact values and errors, an index by phenomenon, the statements of the source \
documents, the accuracy, the range of validity, the uncertainty and the known defects. The errors \
are from the run of all cases that `make book` performs.
"""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")

Document = Mapping[str, Any]


def _names(case: Document) -> set[str]:
    return {
        str(check.get("variable", "")).rpartition(".")[2]
        for check in case["expect"]
        if check["value"] != 0.0
    }


def _has(*parameters: str) -> Callable[[Document], bool]:
    return lambda case: not set(parameters).isdisjoint(case.get("parameters", {}))


def _expects(*variables: str) -> Callable[[Document], bool]:
    return lambda case: not _names(case).isdisjoint(variables)


# Phenomenon, picture of the documentation or "", and whether a case file contains it.
PHENOMENA: dict[str, tuple[str, Callable[[Document], bool]]] = {
    "Stick-slip and sliding": (
        "rubbing_shoe",
        _expects("slip_count", "sliding_distance", "friction_work", "relative_displacement"),
    ),
    "Base motion": ("own_shaking", lambda case: "base_acceleration" in case.get("inputs", {})),
    "Impact": (
        "contact_modes",
        _expects("impact_impulse", "shock_count", "peak_normal_force", "gap", "gap_velocity"),
    ),
    "Wear": ("", _expects("wear_work", "wear_depth", "wear_depth_lower", "wear_depth_upper")),
    "Wear that opens the gap": ("", _has("wear_feedback")),
    "Friction that depends on speed": (
        "",
        _has("friction_coefficient_slow", "viscous_friction", "friction_table"),
    ),
    "Friction tables": ("", _has("friction_table")),
    "Penalised friction": (
        "",
        lambda case: case.get("parameters", {}).get("tangential_law") == "penalty",
    ),
    "Stops along the slide": ("", _has("stop_lower", "stop_upper")),
    "Parameters that change": ("", lambda case: "change" in case),
    "Structure with contacts": ("tube_orbits", lambda case: case["case"]["fmu"] == "ModalShock"),
    "Contact element": ("contact_of_a_mass", lambda case: case["case"]["fmu"] == "DisChoc"),
    "Shock statistics": (
        "shock_statistics",
        lambda case: any(check["quantity"] == "statistic" for check in case["expect"]),
    ),
}


def shown_error(error: float) -> str:
    """Return an error with one digit. Below 1e-12 it is rounding, which depends on the processor.

    >>> [shown_error(error) for error in (5.67e-10, 3e-15, 0.0023)]
    ['6e-10', '< 1e-12', '2e-3']
    """
    return "< 1e-12" if error < 1e-12 else re.sub(r"e([+-])0", r"e\1", f"{error:.0e}")


def case_documents() -> dict[str, Document]:
    """Return the contents of the shipped case files by name."""
    return {
        name: tomllib.loads(file.read_text(encoding="utf-8"))
        for name, file in shipped_cases().items()
    }


def phenomena(documents: Mapping[str, Document]) -> str:
    """Return the chapter that lists the cases of each phenomenon."""
    text = "# Index by phenomenon\n"
    for title, (picture, contains) in PHENOMENA.items():
        names = [name for name, document in documents.items() if contains(document)]
        links = ", ".join(f"[`{name}`](cases.md#{name})" for name in names)
        text += f"\n## {title}\n\n{links}\n"
        text += f"\n![{title}](pictures/{picture}.svg)\n" if picture else ""
    return text


def cases(documents: Mapping[str, Document], results: Mapping[str, Document]) -> str:
    """Return the chapter with all cases: source, equations, exact values, errors and cost."""
    return "# Cases\n" + "".join(
        _case(name, document, results[name]) for name, document in documents.items()
    )


def _case(name: str, document: Document, result: Document) -> str:
    heading = document["case"]
    facts = {
        "source": heading["source"],
        "model": f"`{heading['fmu']}`",
        "time step": f"{document['experiment']['step_size']:g} s",
        "cost": f"{result['steps']} steps, {result['seconds']:.1g} s",
    }
    readme = shipped_cases()[name].with_name("README.md").read_text(encoding="utf-8")
    title, _, explained = readme.partition("\n")
    # Headings of a README are not entries of the table of contents. Code keeps its comments.
    parts = re.split(r"(```.*?```)", explained, flags=re.DOTALL)
    parts[::2] = [re.sub(r"^#+ (.*)$", r"**\1**", part, flags=re.MULTILINE) for part in parts[::2]]
    lines = [
        f"\n## {name}\n",
        f"{title.removeprefix('# ')}\n",
        "| | |\n|---|---|",
        *(f"| {key} | {_cell(text)} |" for key, text in facts.items()),
        "".join(parts),
        "| quantity | exact value | error | tolerance | origin, reason for the tolerance |",
        "|---|---|---|---|---|",
        *map(_check, result["checks"]),
        "",
    ]
    return _with_links("\n".join(lines), _link_of_case(name))


def _check(check: Document) -> str:
    variable = check.get("variable") or check.get("statistic", "")
    place = f" at {check['time']:g} s" if check.get("time") is not None else ""
    if check.get("window"):
        place = " on [{:g}, {:g}] s".format(*check["window"])
    row = f", row {check['row']}" if check.get("row") else ""
    want = check["want"]
    relative = check["error"] / abs(want) if want else check["error"]
    error = shown_error(relative) if want or relative else "0"
    return (
        f"| {check['quantity']} `{variable}`{row}{place} | {want:.12g} | {error} "
        f"| {check['tolerance']:.1e} | {_cell(check['source'])}. {_cell(check['reason'])} |"
    )


def _cell(text: str) -> str:
    return re.sub(r"([|<>_*])", r"\\\1", text)


def _link_of_case(name: str) -> Callable[[str], str | None]:
    def link(target: str) -> str | None:
        if match := re.fullmatch(r"\.\./(\w+)/(?:README\.md)?", target):
            return f"#{match[1]}"
        file = shipped_cases()[name].with_name(target)
        return f"pictures/{name}_{target}" if file.suffix == ".svg" and file.exists() else None

    return link


def _link_of_page(target: str) -> str | None:
    page = target.partition("#")[0]
    in_book = page in ("", *(f"{name}.md" for name in PAGES)) or page.startswith("pictures/")
    return target if in_book else None


def _with_links(text: str, link: Callable[[str], str | None]) -> str:
    def replaced(match: re.Match[str]) -> str:
        mark, words, target = match.groups()
        if re.match(r"[a-z]+:", target):
            return match[0]
        there = link(target)
        return f"{mark}[{words}]({there})" if there else f"{words} (`{target}`)"

    return _LINK.sub(replaced, text)


def write_book(results: Mapping[str, Document], folder: Path, version: str) -> None:
    """Write the chapters and their pictures into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS / "pictures", folder / "pictures")
    for name, file in shipped_cases().items():
        for picture in file.parent.glob("*.svg"):
            shutil.copy(picture, folder / "pictures" / f"{name}_{picture.name}")
    documents = case_documents()
    chapters = {"phenomena": phenomena(documents), "cases": cases(documents, results)}
    for name in PAGES:
        page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        chapters[name] = _with_links(page, _link_of_page)
    contents = "\n".join(["```{toctree}", ":maxdepth: 2", ":numbered: 1", "", *chapters, "```"])
    chapters["index"] = f"# {_TITLE}\n\n{_INTRODUCTION.format(version=version)}\n{contents}\n"
    for name, text in chapters.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _content = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    write_book(
        {case["name"]: case for case in _content["cases"]},
        Path(sys.argv[2]),
        _content["provenance"]["software"]["version"],
    )
