"""Command of the campaign: ``python -m tests.mutants --seed 1 --count 100``."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from .campaign import JOURNAL, Campaign, read_journal
from .carried_map import carry_over
from .coverage_map import (
    NATIVE_FOLDERS,
    NATIVE_MARKERS,
    TEST_FOLDERS,
    CoverageMap,
    make_map,
    read_map,
    test_files,
)
from .groups import GROUPS, sample
from .native_tree import ReachedMutants, native_tree
from .processes import import_libraries
from .table import survivors_of, table_of
from .trees import ROOT, copy_tree, product_digest, tracked_files


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    add = parser.add_argument
    add("--seed", type=int, required=True, help="seed of the sample")
    add("--count", type=int, default=100, help="number of mutants (default: %(default)s)")
    add("--workers", type=int, default=os.cpu_count() or 1, help="processes at a time")
    add("--group", choices=list(GROUPS), action="append", help="only this group of the sample")
    add("--tests", action="append", default=[], help="use only tests of this folder")
    add("--minutes", type=float, default=0.0, help="stop after this time")
    add("--keep-map", action="store_true", help="adapt the map of earlier sources")
    add("--map-only", action="store_true", help="make the map of covering tests and stop")
    add("--table", action="store_true", help="print the table of the journal and stop")
    return parser.parse_args()


def _importers(coverage: CoverageMap, file: str) -> set[str]:
    """Return the tests that execute a file that imports the module of `file`."""
    name = re.compile(rf"\bimport\b.*\b{Path(file).stem}\b|\bfrom\b.*\b{Path(file).stem} import")
    sources = [path for path in tracked_files() if path.endswith(".py") and "tests" not in path]
    tests: set[str] = set()
    for source in sources:
        if name.search((ROOT / source).read_text(encoding="utf-8")):
            tests |= coverage.tests_of_file(source)
    return tests


def main() -> int:
    """Make the map if necessary, decide the mutants of the sample and print the table."""
    given = _arguments()
    began = time.monotonic()
    import_libraries()
    groups = given.group or list(GROUPS)
    chosen = tuple(given.tests) or ""
    files, native_files = (
        [file for file in test_files(folders) if file.startswith(chosen)]
        for folders in (TEST_FOLDERS, NATIVE_FOLDERS)
    )
    native, numbers, rejected = native_tree() if "FMI layer" in groups else (ROOT, {}, set())
    drawn = sample(ROOT, given.seed, given.count, rejected)
    drawn = [mutant for mutant in drawn if mutant.group in groups]
    if not given.table:
        if given.keep_map:
            carry_over()
        product = product_digest()
        make_map(files, copy_tree("clean"), product, given.workers)
        make_map(
            native_files if numbers else [],
            native,
            product,
            given.workers,
            plugin=ReachedMutants,
            markers=NATIVE_MARKERS,
        )
    if given.map_only:
        return 0

    def report(entry: dict[str, Any]) -> None:
        print(
            f"{entry['verdict']:10} {entry['seconds']:6.1f} s  {entry['file']}:{entry['line']} "
            f"{entry['operator']} ({entry['reason']})",
            flush=True,
        )
        if given.minutes and time.monotonic() - began > 60 * given.minutes:
            raise TimeoutError

    if not given.table:
        coverage = read_map([*files, *native_files])
        importers = cache(lambda file: _importers(coverage, file))
        campaign = Campaign(drawn, coverage, numbers, given.workers, given.seed, importers)
        try:
            campaign.run(report)
        except TimeoutError:
            print(f"stopped after {given.minutes:g} minutes; run it again to continue")
    journal = read_journal()
    entries = [journal[mutant.key] for mutant in drawn if mutant.key in journal]
    print(f"seed {given.seed}: {len(entries)} of {len(drawn)} mutants, journal {JOURNAL}")
    print("\n".join(["", *table_of(entries), "", *survivors_of(entries)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
