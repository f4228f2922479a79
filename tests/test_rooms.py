"""Folders import in one direction only, and long functions give the reason for their length."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("wearmodel", "fmu_src", "harness")


def floors(*names: str) -> dict[str, set[str]]:
    """Map each package to all packages of the lower levels. A text lists the names of a level."""
    allowed: dict[str, set[str]] = {}
    for floor in names:
        below = set(allowed)
        allowed |= {room: below for room in floor.split()}
    return allowed


_KERNEL = {"limits", "state_objects", "events"}

# Order of the folders and of the modules beside them: each one with the ones that it may import.
MAY_IMPORT = {
    ".": floors(*PACKAGES),
    "wearmodel": floors(
        "__init__ arrays installation symbols units read_files written_files",
        "quantities",
        "kernel",
        "structure statistics compiled",
        "models",
        "batch reference",
    ),
    "wearmodel/kernel": {
        "__init__": set(),
        "limits": set(),
        "state_objects": {"limits"},
        "events": {"limits", "state_objects"},
        "series": {"limits"},
        "inputs": {"limits", "state_objects"},
        "contact": {"series"} | _KERNEL,
        "shoe": {"contact", "inputs", "series"} | _KERNEL,
        "spring": {"contact", "series"} | _KERNEL,
        "structure": {"contact", "inputs", "series"} | _KERNEL,
        "bodies": {"contact", "series", "spring", "structure"} | _KERNEL,
        "base_motion": {"limits", "state_objects"},
        "runs": {"contact", "shoe", "structure"} | _KERNEL,
    },
    "fmu_src": floors("__init__ bundled", "models", "archive", "native", "web", "__main__"),
    "harness": floors(
        "axes_across console errors interrupts output_kinds schema worker_process",
        "messages optional_library provenance",
        "output_files",
        "repetition",
        "figures records",
        "fmu",
        "case doctor post",
        "shaking sweep",
        "blocks fitting life",
        "__init__ report",
        "page",
        "subcommands",
        "command_line",
        "__main__",
    ),
}


def modules() -> dict[str, Path]:
    """Return each module of the packages by its full name. A package is its `__init__`."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}


MODULES = modules()


def imported(name: str) -> set[str]:
    """Return the project's modules that a module imports, also within functions and for types."""
    package = name.split(".")[:-1]
    found = []
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            # A name that is imported from a package is a module of it or a name of its `__init__`.
            found += [
                full if full in MODULES or f"{full}.__init__" in MODULES else source
                for full in (f"{source}.{alias.name}" for alias in node.names)
            ]
    return {full for text in found for full in (text, f"{text}.__init__") if full in MODULES} - {
        name
    }


def arrows(place: str) -> Iterator[tuple[str, str, str]]:
    """Yield importing module, its package and the imported package, for each such import."""
    inside = "" if place == "." else place.replace("/", ".") + "."
    for name in MODULES:
        if name.startswith(inside):
            room = name.removeprefix(inside).split(".")[0]
            for other in sorted(imported(name)):
                other_room = other.removeprefix(inside).split(".")[0]
                if other.startswith(inside) and other_room != room:
                    yield name, room, other_room


@pytest.mark.parametrize("place", MAY_IMPORT)
def test_no_import_runs_against_the_order_of_the_folders(place):
    drawn = list(arrows(place))
    assert len(drawn) > 5
    may = MAY_IMPORT[place]
    back = {f"{name} -> {other}" for name, room, other in drawn if other not in may.get(room, ())}
    assert sorted(back) == []


@pytest.mark.parametrize("place", MAY_IMPORT)
def test_the_order_names_the_folders_that_there_are(place):
    inside = "" if place == "." else place.replace("/", ".") + "."
    rooms = {name.removeprefix(inside).split(".")[0] for name in MODULES if name.startswith(inside)}
    assert set(MAY_IMPORT[place]) == rooms


def test_a_function_of_more_than_80_lines_beside_its_docstring_gives_the_reason():
    silent = []
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                docstring = ast.get_docstring(node, clean=False) or ""
                length = node.end_lineno - node.lineno + 1 - len(docstring.splitlines())
                if length > 80 and "is one function because" not in " ".join(docstring.split()):
                    silent.append(f"{name}.{node.name}: {length} lines")
    assert silent == []


def test_no_modules_import_each_other_in_a_circle():
    left = {name: imported(name) for name in MODULES}
    while left:
        ends = {name for name, others in left.items() if not others & set(left)}
        assert ends, f"a circle among {sorted(left)}"
        left = {name: others for name, others in left.items() if name not in ends}
