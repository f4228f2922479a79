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
    """Run an example; end without a traceback where its reader goes away or a file is missing."""
    try:
        main()
        sys.stdout.flush()
    except FileNotFoundError as missing:
        sys.exit(f"{missing.filename}: no such file; `wearfmu build` builds the FMUs")
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed; --help says what is needed")
    except BrokenPipeError:
        # What is still to be printed at the end of the process goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
