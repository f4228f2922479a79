"""The command line `wearfmu`.

Exit codes: 0 all passed, 1 a case failed, 2 wrong usage or an environment that does not serve
(a case or record file that breaks a rule, a missing file, an FMU that cannot be loaded).
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from harness.errors import CaseError, FmuError, MissingLibraryError, RecordError, UsageError
from harness.interrupts import ended_as_interrupted
from harness.subcommands import SUBCOMMANDS

UNUSABLE = 2

_DESCRIPTION = "Frictional shock with wear as FMUs: build them, play cases through them, compare."
_EXAMPLES = """\
examples:
  wearfmu validate               build the FMUs if need be, play all shipped cases
  wearfmu run shoe.toml -v       play a case of your own, or a shipped one, with all detail
  wearfmu run --input quake.csv  shake the mass with a record of your own
  wearfmu sweep map.toml         compute a case at many points
  wearfmu post shoe.csv          shock and wear statistics of a result file
  wearfmu COMMAND --help         what a command takes

exit codes: 0 all passed, 1 a case failed, 2 usage or environment
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; default those of the process.

    Raises
    ------
    SystemExit
        After `--help` and `--version` (0) and for arguments that cannot be parsed (2).
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A pipe on Windows takes Western characters only; better a ? than a lost result.
        sys.stdout.reconfigure(errors="replace")
    parser = argparse.ArgumentParser(
        prog="wearfmu",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"wearfmu {version('wearfmu')}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for subcommand in SUBCOMMANDS:
        subcommand.add_parser(subparsers)
    arguments = parser.parse_args(argv)
    try:
        with ended_as_interrupted():
            exit_code: int = arguments.execute(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who reads has seen enough, as `head` has. Nothing is left to be flushed at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNUSABLE
    except (CaseError, FmuError, MissingLibraryError, RecordError, UsageError, OSError) as problem:
        print(f"wearfmu: {_line(problem)}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("wearfmu: interrupted", file=sys.stderr)
        return UNUSABLE
    return exit_code


def _line(problem: Exception) -> str:
    """Return a problem in one line; the system's name the file first, as ours do."""
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)
