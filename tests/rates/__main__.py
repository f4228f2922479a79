"""Coverage of the intervals of rates and lives: `python -m tests.rates`, in `make campaign`."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path

from harness.output_files import write_text
from wearmodel.batch.cores import core_count

from .campaign import outcome
from .cliffs import ERRORS, KINDS, cliff_outcome
from .processes import PROCESSES
from .rates_table import cliff_row, markdown, row


def main(words: list[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.rates", description=__doc__)
    parser.add_argument("--draws", type=int, default=1000, help="records of each process")
    parser.add_argument("--lives", type=int, default=1000, help="lives over each kind of cliffs")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="also write the page")
    arguments = parser.parse_args(words)
    with ProcessPoolExecutor(core_count()) as pool:
        rows = list(pool.map(partial(_row, arguments.draws), range(len(PROCESSES))))
        kinds = [(kind, error) for error in ERRORS for kind in KINDS]
        cliff_rows = list(pool.map(partial(_cliff_row, arguments.lives), kinds))
    computed = f"Computed on {date.today()}."
    text = markdown(rows, arguments.draws, cliff_rows, arguments.lives, computed)
    print(text, end="")
    if arguments.markdown is not None:
        write_text(arguments.markdown, text)
    return 0


def _row(draws: int, number: int) -> str:
    """Return a row of the table. A process cannot be pickled, so its number is given."""
    return row(outcome(PROCESSES[number], draws))


def _cliff_row(lives: int, kind_and_error: tuple[str, float]) -> str:
    kind, error = kind_and_error
    return cliff_row(cliff_outcome(kind, lives, error=error))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
