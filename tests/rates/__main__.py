"""How often intervals of rates hold the truth: `python -m tests.rates`, in `make campaign`."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from harness.output_files import write_text
from wearmodel.batch.cores import core_count

from .campaign import outcome
from .processes import PROCESSES
from .rates_table import markdown, row


def main(words: list[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.rates", description=__doc__)
    parser.add_argument("--draws", type=int, default=1000, help="records of each process")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="also write the page")
    arguments = parser.parse_args(words)
    with ProcessPoolExecutor(core_count()) as pool:
        rows = list(pool.map(partial(_row, arguments.draws), range(len(PROCESSES))))
    text = markdown(rows, arguments.draws)
    print(text, end="")
    if arguments.markdown is not None:
        write_text(arguments.markdown, text)
    return 0


def _row(draws: int, number: int) -> str:
    """Return a line of the table; a process itself cannot go to another process."""
    return row(outcome(PROCESSES[number], draws))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
