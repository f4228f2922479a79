"""What the examples share as commands: `--help` shows their docstring, and `| head` ends them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable


def parser(docstring: str | None) -> argparse.ArgumentParser:
    """Parser of an example's arguments, with its docstring as the help."""
    return argparse.ArgumentParser(
        description=docstring, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def run(main: Callable[[], None]) -> None:
    """Run an example; where the reader of its output goes away, end without a traceback."""
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still to be printed at the end of the process goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
