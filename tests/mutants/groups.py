"""The five groups of sources, and all mutants of each."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from .mutant import Mutant
from .native_mutants import native_mutants
from .python_mutants import python_mutants

#: Patterns of the files of each group.
GROUPS = {
    "kernel": ("wearmodel/kernel/**/*.py",),
    "statistics": ("wearmodel/statistics/*.py",),
    "service life": ("harness/life/*.py",),
    "records": (
        "harness/records/**/*.py",
        "harness/shaking/shaking_columns.py",
        "harness/shaking/shaking_record.py",
        "wearmodel/models/accelerogram.py",
        "wearmodel/read_files.py",
        "wearmodel/units.py",
    ),
    # Without the programs that write C++ and build libraries, because each of their mutants would
    # have to be compiled.
    "FMI layer": (
        "fmu_src/bundled/*.py",
        "fmu_src/models/*.py",
        "fmu_src/native/*.cpp",
        "fmu_src/native/*.hpp",
        "fmu_src/native/fmi3_description.py",
        "fmu_src/native/fmi3_variables.py",
        "fmu_src/native/instance_data.py",
    ),
}


def group_files(root: Path, group: str) -> list[Path]:
    """Return the files of a group, sorted."""
    return sorted({path for pattern in GROUPS[group] for path in root.glob(pattern)})


def group_mutants(root: Path, group: str) -> list[Mutant]:
    """Return all mutants of a group, in the order of its files."""
    mutants: list[Mutant] = []
    for path in group_files(root, group):
        found = python_mutants if path.suffix == ".py" else native_mutants
        mutants += found(group, path.relative_to(root).as_posix(), path.read_bytes())
    return mutants


def sample(root: Path, seed: int, count: int, unusable: Iterable[str] = ()) -> list[Mutant]:
    """Draw the same number of mutants from each group.

    A larger sample with the same seed begins with the smaller sample. `unusable` are the keys of
    mutants that the compiler rejects.
    """
    rejected = set(unusable)
    drawn: list[list[Mutant]] = []
    for group in GROUPS:
        mutants = [mutant for mutant in group_mutants(root, group) if mutant.key not in rejected]
        random.Random(f"{seed} {group}").shuffle(mutants)
        drawn.append(mutants)
    in_turn = [mutant for row in zip(*drawn, strict=False) for mutant in row]
    return in_turn[:count]
