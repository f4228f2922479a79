"""Command-line functions of the examples: `--help` shows their docstring."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable


def parser(docstring: str | None) -> argparse.ArgumentParser:
    """Return the argument parser of an example, with its docstring as the help."""
    return argparse.ArgumentParser(
        description=docstring, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def run(main: Callable[[], None]) -> None:
    """Run an example. Exit without a traceback if a file is missing or the pipe is closed."""
    try:
        main()
        sys.stdout.flush()
    except FileNotFoundError as missing:
        sys.exit(f"{missing.filename}: no such file. Build the FMUs by `wearfmu build`")
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed; --help says what is needed")
    except BrokenPipeError:
        # Discard the text that Python would still print at the end of the process.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
