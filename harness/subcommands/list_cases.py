"""`wearfmu list`: name the shipped cases."""

from __future__ import annotations

import argparse

NAME = "list"
HELP = "list the shipped cases"
EXAMPLES = "example: wearfmu list"


def execute(_arguments: argparse.Namespace) -> int:
    """Print name, FMU and title of each case."""
    from harness.case.case_file import load_case
    from harness.case.shipped import shipped_cases

    cases = [load_case(file) for file in shipped_cases().values()]
    widths = [
        max((len(word) for word in words), default=0)
        for words in ([case.name for case in cases], [case.heading.fmu for case in cases])
    ]
    for case in cases:
        heading = case.heading
        print(f"{case.name:{widths[0]}}  {heading.fmu:{widths[1]}}  {heading.title}")
    return 0
