"""Adapt the map of earlier sources to the present ones.

Lines are matched by their text. A changed or new line has the tests of the lines that it replaces,
or of its neighbours. Such a test may not execute the new line, which only costs time.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from .earlier_lines import earlier_places
from .native_tree import MUTANTS, native_keys
from .trees import FOLDER, MAP_FOLDER, PRODUCT, ROOT, product_digest


def _clean_digest(tree: Path) -> str:
    """Return the digest of the sources of a tree, computed as in `product_digest`."""
    paths = [path for folder in PRODUCT for path in (tree / folder).rglob("*")]
    names = [path.relative_to(tree).as_posix() for path in paths if path.is_file()]
    content = hashlib.sha256()
    for name in sorted(name for name in names if not name.endswith(".pyc")):
        content.update(name.encode() + b"\0" + (tree / name).read_bytes())
    return content.hexdigest()[:16]


def _lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


def carry_over() -> None:
    """Write the map of the sources in the clean tree as a map of the present sources."""
    clean = FOLDER / "clean"
    earlier, present = _clean_digest(clean), product_digest()
    files = [path.relative_to(ROOT).as_posix() for name in PRODUCT for path in _python(ROOT / name)]
    changed = {
        file: earlier_places(_lines_of(clean / file), _lines_of(ROOT / file))
        for file in files
        if _lines_of(clean / file) != _lines_of(ROOT / file)
    }
    for path in sorted(MAP_FOLDER.glob("*.json")):
        made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if earlier == present or made["product"] != earlier:
            continue
        for file, places in changed.items():
            before = made["lines"].get(file, {})
            after: dict[str, list[int]] = {}
            for line, sources in enumerate(places, start=1):
                tests = {test for source in sources for test in before.get(str(source), [])}
                if tests:
                    after[str(line)] = sorted(tests)
            made["lines"][file] = after
        if MUTANTS in made["lines"]:
            made["lines"][MUTANTS] = _with_neighbours(made["lines"][MUTANTS])
        made["product"] = present
        path.write_text(json.dumps(made), encoding="utf-8")


def _python(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _with_neighbours(reached: dict[str, list[int]]) -> dict[str, list[int]]:
    """Assign the tests of the previous mutant to each new mutant of the C++."""
    known, earlier_keys = native_keys(ROOT), set(native_keys(FOLDER / "clean"))
    tests: list[int] = []
    after: dict[str, list[int]] = {}
    for key in known:
        if key in earlier_keys:
            tests = reached.get(key, [])
        after[key] = tests
    return after
