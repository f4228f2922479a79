"""`wearfmu ssp`: write base motion and shoe as a system package that other masters read."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands.options import (
    Subparsers,
    add_fmu_folder,
    add_native,
    name_and_value,
    new_parser,
    values_by_name,
)

_MOTION, _SHOE = "BaseMotion", "FrictionalShock"
_EXAMPLES = """\
examples:
  wearfmu ssp shoe.ssp --motion amplitude=1.5 --set friction_coefficient=0.15
  wearfmu ssp shoe.ssp --motion kind=csv --motion file=/data/quake.csv --set normal_law=penalty
"""


def add_parser(subparsers: Subparsers) -> None:
    """Add the parser of `wearfmu ssp`."""
    parser = new_parser(
        subparsers,
        "ssp",
        help_line="write base motion and shoe as a system package (SSP 1.0)",
        examples=_EXAMPLES,
    )
    parser.add_argument("package", metavar="FILE.ssp", type=Path, help="the package to be written")
    for option, name in (("--motion", _MOTION), ("--set", _SHOE)):
        parser.add_argument(
            option,
            metavar="NAME=VALUE",
            action="append",
            type=name_and_value,
            default=[],
            help=f"parameter of {name}; may be repeated",
        )
    parser.add_argument(
        "--stop-time",
        metavar="SECONDS",
        type=_positive,
        default=12.0,
        help="end of the default experiment (default: 12)",
    )
    add_native(parser)
    add_fmu_folder(parser)
    parser.set_defaults(execute=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Write the package and print its path.

    Enumerations become defaults of FMUs of their own, for some masters do not set them.
    """
    from fmu_src.models import fmu_definition, native_fmu_names
    from harness.case.parameter_texts import parameters_of_texts
    from harness.fmu.files import native_fmu, own_fmu, with_start_values
    from harness.fmu.interface import read_interface
    from harness.fmu.system_package import write_system_package
    from harness.output_files import require_outputs

    require_outputs({"FILE.ssp": arguments.package})
    fmus, values = [], []
    for name, option, pairs in (
        (_MOTION, "--motion", arguments.motion),
        (_SHOE, "--set", arguments.set),
    ):
        given = parameters_of_texts(option, fmu_definition(name), values_by_name(option, pairs))
        is_native = arguments.native and name in native_fmu_names()
        fmu = native_fmu(name, arguments.out) if is_native else own_fmu(name, arguments.out)
        variables = read_interface(fmu).variables
        choices = {one: v for one, v in given.items() if variables[one].type == "Enumeration"}
        fmus.append(with_start_values(fmu, name, choices) if choices else fmu)
        interface = read_interface(fmus[-1])
        values.append(
            {one: interface.parameter(one, v)[1] for one, v in given.items() if one not in choices}
        )
    shoe = read_interface(fmus[1])
    write_system_package(
        arguments.package,
        *fmus,
        motion=values[0],
        shoe=values[1],
        outputs=[one for one in shoe.outputs() if shoe.variables[one].type == "Real"],
        stop_time=arguments.stop_time,
    )
    print(arguments.package)
    return 0


def _positive(text: str) -> float:
    value = float(text)
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} must be > 0 and finite")
    return value
