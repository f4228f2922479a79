"""The page on the architecture names existing files, and imports use the packages' interfaces."""

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = ("wearmodel", "fmu_src", "harness")
# An FMU imports single modules of these packages. Their `__init__` in the bundle is empty.
WITHOUT_DOORS = ("fmu_src/bundled", "fmu_src/models", "wearmodel/kernel", "wearmodel/models")


def paths(text: str) -> list[str]:
    """Return the parts of the text that are written as code and look like paths in the clone."""
    return re.findall(r"`((?:wearmodel|fmu_src|harness|tests)/[\w/.]*)`", text)


def test_every_path_on_the_page_exists():
    named = paths(PAGE.read_text(encoding="utf-8"))
    assert len(named) > 40
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_a_picture_names_no_module_twice():
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")
    pictures = [text for text in sections if text.startswith(("From ", "The native FMU"))]
    assert len(pictures) == 3
    for picture in pictures:
        modules = [path for path in paths(picture) if not path.endswith("/")]
        assert sorted(modules) == sorted(set(modules))


def test_the_page_names_every_folder_that_holds_modules():
    named = {path.rstrip("/") for path in paths(PAGE.read_text(encoding="utf-8"))}
    rooms = {
        module.parent.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for module in (ROOT / package).glob("*/__init__.py")
    }
    assert sorted(rooms - named) == []


def imported_modules(module: Path) -> list[tuple[int, str]]:
    """Return line and full name of each module that a module of the project imports from."""
    package = module.relative_to(ROOT).parts[:-1]
    return [
        (node.lineno, ".".join([*package[: len(package) + 1 - node.level], *named]))
        if node.level
        else (node.lineno, node.module or "")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for named in [[node.module] if node.module else []]
    ]


def imports_behind_doors() -> list[str]:
    """Return imports from outside a package that bypass its interface.

    A package has an interface if its `__init__.py` contains `__all__` or, in the harness, imports.
    """
    doors = {
        ".".join(door.parent.relative_to(ROOT).parts): door.parent
        for package in PACKAGES
        for door in (ROOT / package).rglob("__init__.py")
        if door.parent.parent != ROOT
        if re.search(r"^__all__ = |^from harness\.", door.read_text(encoding="utf-8"), re.M)
    }
    assert len(doors) > 12
    # A module with its own page in the documentation of the API can be imported directly.
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "api").iterdir())
    own_doors = {*re.findall(r"automodule:: (\S+)", pages)}
    return [
        f"{module.relative_to(ROOT)}:{line}: {name}"
        for package in PACKAGES
        for module in sorted((ROOT / package).rglob("*.py"))
        if not any(ROOT / room in module.parents for room in WITHOUT_DOORS)
        for line, name in imported_modules(module)
        for door in [doors.get(name.rpartition(".")[0])]
        if door is not None and door not in module.parents and name not in own_doors
    ]


def test_a_room_with_a_door_is_entered_by_it():
    assert imports_behind_doors() == []


def test_no_command_loads_what_takes_a_second_before_it_needs_it():
    """Slow imports cost time in every process, and a sweep has one process for each core."""
    program = (
        "import sys, harness.case, harness.sweep, harness.life, harness.shaking, harness.post\n"
        "import harness.report.shaking_page, harness.report.validation_page\n"
        "slow = ('scipy.io', 'scipy.integrate', 'scipy.linalg', 'scipy.sparse', 'scipy.signal',\n"
        "        'scipy.stats', 'scipy.optimize', 'scipy.special', 'pandas', 'plotly')\n"
        "print(*(name for name in slow if name in sys.modules))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert loaded == "\n"
