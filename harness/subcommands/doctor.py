"""`wearfmu doctor`: check whether this machine can load an FMU, with remedies."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "check whether this machine can load an FMU"
EXAMPLES = (
    "examples:\n  wearfmu doctor build/FrictionalShock.fmu\n"
    "  wearfmu doctor FrictionalShock    shipped FMU, built if necessary"
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu doctor`."""
    parser.add_argument(
        "fmu", metavar="FMU", type=Path, help="the .fmu file, or the name of a shipped FMU"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Print each finding in one line, and return 1 if there is a problem, otherwise 0."""
    from harness.doctor import Verdict, examine
    from harness.fmu.files import own_fmu

    fmu = arguments.fmu
    if fmu.suffix != ".fmu" and not fmu.exists():
        fmu = own_fmu(str(fmu))
    exit_code = 0
    for finding in examine(fmu):
        if finding.verdict is Verdict.PROBLEM:
            exit_code = 1
        remedy = f" → {finding.remedy}" if finding.remedy else ""
        print(f"{finding.verdict.value:8}{finding.subject:12}{finding.text}{remedy}", flush=True)
    return exit_code
