"""`wearfmu build`: build the FMUs."""

from __future__ import annotations

import argparse

from harness.subcommands.options import Subparsers, add_fmu_folder, new_parser


def add_parser(subparsers: Subparsers) -> None:
    """Add the parser of `wearfmu build`."""
    parser = new_parser(
        subparsers,
        "build",
        help_line="build the FMUs",
        examples="example: wearfmu build --out fmus",
    )
    add_fmu_folder(parser)
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Build every FMU and print its path."""
    from fmu_src.builder import build_fmu, fmu_names

    for name in fmu_names():
        print(build_fmu(name, arguments.out))
    return 0
