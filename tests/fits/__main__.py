"""Coverage of the intervals of fits: `python -m tests.fits`, part of `make campaign`."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

# The matrices are small. More threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from harness.output_files import write_text
from tests.fits.cells import NOISES, RIGS
from tests.fits.cover import Draw, summary, wrong_model
from tests.fits.fits_table import markdown, row
from tests.fits.journal import blocks_of, drawn_blocks
from tests.fits.planted import PLANTED, left_open
from wearmodel.batch.cores import core_count


def main(words: list[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.fits", description=__doc__)
    parser.add_argument("--draws", type=int, default=1000, help="draws of each cell")
    parser.add_argument("--wrong", type=int, default=200, help="draws of the wrong model")
    parser.add_argument(
        "--journal", metavar="FILE", type=Path, help="keep the draws in a file, and resume from it"
    )
    parser.add_argument(
        "--cell", metavar="N", type=int, action="append", help="print only row N of the table"
    )
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="also write the page")
    arguments = parser.parse_args(words)
    cells = [(rig, noise) for rig in RIGS for noise in NOISES]
    chosen = [cells[number - 1] for number in arguments.cell or ()] or cells
    drawn: dict[tuple[str, str], list[Draw]] = {cell: [] for cell in chosen}
    with ProcessPoolExecutor(core_count()) as pool:
        blocks = blocks_of(chosen, arguments.draws)
        for (rig, noise, _), draws in drawn_blocks(blocks, arguments.journal, pool):
            drawn[rig, noise] += draws
        rows = [row(*cell, summary(draws[: arguments.draws])) for cell, draws in drawn.items()]
        print(*rows, sep="\n", flush=True)
    if chosen != cells:
        return 0
    named = {name: _is_named(name) for name in PLANTED}
    noticed = wrong_model(arguments.wrong)
    text = markdown(rows, arguments.draws, named, noticed, arguments.wrong)
    print(text, end="")
    if arguments.markdown is not None:
        write_text(arguments.markdown, text)
    return 0


def _is_named(name: str) -> bool:
    reasons = left_open(name)
    return all(any(by in reason for reason in reasons) for by in PLANTED[name].open)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
