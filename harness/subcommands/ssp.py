"""`wearfmu ssp`: write a system package of a base motion and a shoe or structure."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from harness.errors import UsageError
from harness.subcommands import options
from wearmodel.structure import AXES

_MOTION, _SHOE, _STRUCTURE = "BaseMotion", "FrictionalShock", "ModalShock"
HELP = "write a system package (SSP 1.0) for other simulators"
EXAMPLES = """\
examples:
  wearfmu ssp shoe.ssp --motion amplitude=1.5 --set friction_coefficient=0.15
  wearfmu ssp shoe.ssp --motion kind=csv --motion file=/data/motion.csv
  wearfmu ssp tube.ssp --structure tube.toml --set support_1.gap=2e-4 --native
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu ssp`."""
    parser.add_argument("package", metavar="FILE.ssp", type=Path, help="the package to be written")
    parser.add_argument(
        "--structure",
        metavar="FILE",
        type=Path,
        help=f"{_STRUCTURE} with the structure of this file instead of the shoe",
    )
    parser.add_argument(
        "--direction",
        choices=AXES,
        help="with --structure: axis of the base motion (default: x)",
    )
    for option, name in (("--motion", _MOTION), ("--set", f"{_SHOE} or {_STRUCTURE}")):
        parser.add_argument(
            option,
            metavar="NAME=VALUE",
            action="append",
            type=options.name_and_value,
            default=[],
            help=f"parameter of {name} (may be repeated)",
        )
    parser.add_argument(
        "--stop-time",
        metavar="SECONDS",
        type=options.positive("a number of seconds"),
        default=12.0,
        help="end of the default experiment (default: 12)",
    )
    options.add_native(parser)
    options.add_fmu_folder(parser)
    options.add_force(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Write the package and print its path.

    All values become defaults of separate FMUs, because some masters ignore the parameter set.
    """
    from fmu_src.models import fmu_definition, native_fmu_names
    from harness.fmu import files
    from harness.fmu.files import require_motion_file
    from harness.fmu.interface import parameters_of_texts, read_interface
    from harness.fmu.ssp import SINK, write_system_package
    from harness.output_files import require_outputs
    from harness.output_kinds import PACKAGE
    from wearmodel.structure import files_of

    structure = arguments.structure
    named = [Path(text) for _, text in arguments.motion if os.path.isfile(text)]
    read = [*named, *(files_of(structure) if structure is not None else ())]
    require_outputs({"ssp": (arguments.package, PACKAGE)}, read=read, force=arguments.force)
    if structure is None and arguments.direction is not None:
        raise UsageError("--direction requires --structure, because the shoe has one direction")
    shaken = _SHOE if structure is None else _STRUCTURE
    fmus, values = [], []
    for name, option, pairs, file in (
        (_MOTION, "--motion", arguments.motion, None),
        (shaken, "--set", arguments.set, structure),
    ):
        definition = fmu_definition(name)
        if file is not None:
            definition = files.definition_with(name, "structure", file)
        given = parameters_of_texts(option, definition, options.values_by_name(option, pairs))
        is_native = arguments.native and name in native_fmu_names()
        if name == _MOTION:
            require_motion_file(given)
        make = files.native_fmu if is_native else files.own_fmu
        fmu = make(name, arguments.out, structure=file)
        fmus.append(files.with_start_values(fmu, name, given, structure=file) if given else fmu)
        interface = read_interface(fmus[-1])
        values.append(
            {
                name: interface.parameter(name, v)[1]
                for name, v in given.items()
                if interface.variables[name].type != "Enumeration"
            }
        )
    shoe = read_interface(fmus[1])
    write_system_package(
        arguments.package,
        *fmus,
        motion=values[0],
        shoe=values[1],
        outputs=shoe.outputs(),
        stop_time=arguments.stop_time,
        name="shoe" if structure is None else "structure",
        sink=SINK if structure is None else f"{SINK}_{arguments.direction or AXES[0]}",
    )
    print(arguments.package)
    return 0
