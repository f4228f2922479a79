"""`wearfmu build`: build the FMUs."""

from __future__ import annotations

import argparse

from fmu_src.native.compile import PLATFORMS
from harness.errors import FmuError
from harness.subcommands.options import Subparsers, add_fmu_folder, new_parser

_EXAMPLES = """\
examples:
  wearfmu build --out fmus
  wearfmu build --native --platform linux64 win64 darwin64
"""


def add_parser(subparsers: Subparsers) -> None:
    """Add the parser of `wearfmu build`."""
    parser = new_parser(subparsers, "build", help_line="build the FMUs", examples=_EXAMPLES)
    add_fmu_folder(parser)
    parser.add_argument(
        "--native",
        action="store_true",
        help="build FrictionalShock.fmu that needs no Python, into DIR/native (extra `native`)",
    )
    parser.add_argument(
        "--platform",
        nargs="+",
        choices=list(PLATFORMS),
        default=[],
        help="platforms of the native FMU (default: this one); with --native only",
    )
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Build every FMU, or the native one, and print the path."""
    if arguments.native:
        from harness.fmu_files import native_fmu

        print(native_fmu(arguments.out, arguments.platform))
        return 0
    if arguments.platform:
        raise FmuError("--platform goes with --native; the Python FMUs need no platform")
    from fmu_src.builder import build_fmu, fmu_names

    for name in fmu_names():
        print(build_fmu(name, arguments.out))
    return 0
