"""The source tree with all mutants of the C++, and the tests that reach each of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from .groups import group_mutants
from .line_map import LineMap
from .mutant import Mutant
from .native_mutants import HEADER, HEADER_NAME, REACHED, with_all
from .trees import FOLDER, ROOT, copy_tree, digest_of

NATIVE_FOLDER = "fmu_src/native"
#: Name of the C++ in the map, which has keys of mutants instead of numbers of lines.
MUTANTS = "C++ mutants"
_LIST = FOLDER / "native.json"
# Each model has its own constants, by which the compiler selects code.
_MODELS = ("FrictionalShock", "ModalShock", "DisChoc", "BaseMotion")
_SOURCES = ("fmi2.cpp", "fmi3.cpp")

# Prints the command that compiles a source of a model, and writes the model's headers.
_PREPARE = """
import json, sys
from pathlib import Path
from fmu_src.models import fmu_definition
from fmu_src.native.cpp_tables import form_header
from fmu_src.native.entry_points import entry_points
from fmu_src.native.model_library import FMI_LAYER
from wearmodel.compiled.platform_libraries import FLAGS, include_flags
folder = Path(sys.argv[2])
(folder / "form.hpp").write_text(form_header(fmu_definition(sys.argv[1])), encoding="utf-8")
flags = [f for f in FLAGS if f != "-disable-lsr" and f != "-mllvm" and "VERBOSE_ABORT" not in f]
headers = include_flags(*FMI_LAYER.headers, folder, *FMI_LAYER.foreign_headers.values())
print(json.dumps([*flags, *headers]))
"""


def _tree_mutants() -> list[Mutant]:
    return [mutant for mutant in group_mutants(ROOT, "FMI layer") if mutant.is_native]


def native_keys(root: Path) -> list[str]:
    """Return the keys of all mutants of the C++ in a tree, in the order of its files."""
    return [mutant.key for mutant in group_mutants(root, "FMI layer") if mutant.is_native]


def _write_sources(tree: Path, mutants: Sequence[Mutant]) -> None:
    """Write the sources with these mutants into a tree."""
    numbers = {mutant.key: number for number, mutant in enumerate(mutants)}
    by_file: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_file[mutant.file].append(mutant)
    for file, found in by_file.items():
        (tree / file).write_bytes(with_all((ROOT / file).read_bytes(), found, numbers))
    (tree / NATIVE_FOLDER / HEADER_NAME).write_text(HEADER, encoding="utf-8")


def _rejected(tree: Path, mutants: Sequence[Mutant], model: str) -> set[str]:
    """Return the keys of rejected mutants: at an error, or the last before it in its line."""
    rejected = set()
    errors = ""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", _PREPARE, model, folder]
        printed = subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True)
        flags = json.loads(printed.stdout.splitlines()[-1])
        for source in _SOURCES:
            path = str(tree / NATIVE_FOLDER / source)
            compiler = ["-m", "ziglang", "c++", "-fsyntax-only", "-ferror-limit=0", *flags, path]
            checked = subprocess.run([sys.executable, *compiler], capture_output=True, text=True)
            # zig reports an error for the object file, which is not written.
            errors += re.sub(r"^.*error: failed to rename.*\n", "", checked.stderr, flags=re.M)
    for place in re.finditer(r"^(?:.*/)?([\w.]+):(\d+):(\d+): error", errors, re.M):
        name, line, column = place[1], int(place[2]), int(place[3])
        content = (tree / NATIVE_FOLDER / name).read_bytes().split(b"\n")[line - 1]
        here = re.match(rb"\W*(?:if \(!)?mutants::active\((\d+)\)", content[column - 1 :])
        before = re.findall(rb"mutants::active\((\d+)\)", content[:column])
        numbers = [here[1]] if here else before[-1:]
        rejected |= {mutants[int(number)].key for number in numbers}
    if errors and not rejected:
        raise RuntimeError(errors[-4000:])
    return rejected


def native_tree() -> tuple[Path, dict[str, int], set[str]]:
    """Return the tree, the numbers of its mutants by key, and the keys that were rejected.

    A mutant is rejected if it is not C++ for one of the models.
    """
    tree = copy_tree("native")
    mutants = _tree_mutants()
    digest = digest_of(*sorted({mutant.file for mutant in mutants}))
    try:
        made = json.loads(_LIST.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        made = {}
    if made.get("digest") != digest:
        # Most mutants also existed in the earlier sources.
        rejected = _all_rejected(tree, mutants, set(made.get("rejected", ())))
        keys = [mutant.key for mutant in mutants if mutant.key not in rejected]
        made = {"digest": digest, "rejected": sorted(rejected), "usable": keys}
        _LIST.write_text(json.dumps(made), encoding="utf-8")
    rejected = set(made["rejected"])
    usable = [mutant for mutant in mutants if mutant.key not in rejected]
    _write_sources(tree, usable)
    return tree, {mutant.key: number for number, mutant in enumerate(usable)}, rejected


def _all_rejected(tree: Path, mutants: Sequence[Mutant], known: set[str]) -> set[str]:
    """Remove mutants until the compiler accepts the others in all models.

    `known`: keys of mutants that the compiler has rejected before
    """
    rejected = set(known)
    for model in _MODELS:
        while True:
            usable = [mutant for mutant in mutants if mutant.key not in rejected]
            _write_sources(tree, usable)
            found = _rejected(tree, usable, model)
            if not found:
                break
            rejected |= found
    return rejected


class ReachedMutants(LineMap):
    """A map of lines with the mutants of the C++ that a test reaches."""

    def __init__(self, folder: Path, target: Path, seconds_allowed: float) -> None:
        super().__init__(folder, target, seconds_allowed)
        self._reached = folder / "reached"
        os.environ[REACHED] = str(self._reached)

    def pytest_sessionfinish(self) -> None:
        """Write the map."""
        super().pytest_sessionfinish()
        content = json.loads(self._target.read_text(encoding="utf-8"))
        places = {test["id"]: place for place, test in enumerate(content["tests"])}
        keys = json.loads(_LIST.read_text(encoding="utf-8"))["usable"]
        reached: dict[str, set[int]] = defaultdict(set)
        if self._reached.is_file():
            for line in self._reached.read_text(encoding="utf-8").splitlines():
                number, _, name = line.partition(" ")
                test = name.rpartition(" (")[0]
                if test in places:
                    reached[keys[int(number)]].add(places[test])
        content["lines"][MUTANTS] = {key: sorted(found) for key, found in reached.items()}
        self._target.write_text(json.dumps(content), encoding="utf-8")
