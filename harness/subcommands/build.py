"""`wearfmu build`: build the FMUs, or an FMU with other defaults."""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import FmuError
from harness.subcommands import options
from wearmodel.compiled.platform_libraries import PLATFORMS

if TYPE_CHECKING:
    from fmu_src.bundled.definition import FmuDefinition

_log = logging.getLogger(__name__)

HELP = "build the FMUs"
EXAMPLES = """\
examples:
  wearfmu build --out fmus
  wearfmu build --native --platform linux64 win64 darwin64
  wearfmu build FrictionalShock --start normal_law=penalty mass=2 --name wall
  wearfmu build FrictionalShock --native --dependencies
  wearfmu build ModalShock --structure tube.toml --name Tube
  wearfmu build DisChoc --contacts contacts.toml --native
  wearfmu build FrictionalShock --native --fmi 3 --start return_at=shocks
  wearfmu build BaseMotion --native --motion motion.csv --name Quake
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu build`."""
    parser.add_argument("fmus", metavar="FMU", nargs="*", help="names of FMUs (default: all)")
    options.add_fmu_folder(parser, default="build")
    parser.add_argument(
        "--native",
        action="store_true",
        help="build native FMUs, which run without Python, into DIR/native (extra `native`)",
    )
    parser.add_argument(
        "--platform",
        nargs="+",
        choices=list(PLATFORMS),
        default=[],
        metavar="PLATFORM",
        help=f"with --native: platforms, of {', '.join(PLATFORMS)} (default: this platform)",
    )
    options.add_fmi(
        parser, effect="builds, into DIR/native/fmi3, native FMUs with events and arrays by"
    )
    parser.add_argument(
        "--dependencies",
        action="store_true",
        help="with --native: list the inputs of each output in the description, for tools that "
        "read the sparsity of directional derivatives from it",
    )
    parser.add_argument(
        "--start",
        metavar="NAME=VALUE",
        nargs="+",
        action="extend",
        type=_start_value,
        default=[],
        help="after the name of an FMU: build it with other defaults of its parameters, for "
        "masters that cannot set them. Enumerations are given by name or number",
    )
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="name of the file of this FMU without .fmu (default: name of the FMU with a digest of "
        "its changes)",
    )
    parser.add_argument(
        "--structure",
        metavar="FILE",
        type=Path,
        help="after ModalShock: build it for the structure of this file",
    )
    parser.add_argument(
        "--motion",
        metavar="FILE",
        type=Path,
        help="after BaseMotion: put this table, written by `wearfmu motion`, into the FMU as its "
        "default motion",
    )
    parser.add_argument(
        "--contacts",
        metavar="FILE",
        type=Path,
        help="after DisChoc: build it for the contacts between bodies in this file",
    )
    options.add_force(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Build the FMUs and print their paths."""
    from fmu_src.archive.builder import build_fmu
    from fmu_src.models import fmu_definition, fmu_names, native_fmu_names
    from harness.fmu.files import BUILD_FOLDER, fmu_path, minutes, native_fmu, written_into
    from harness.messages import nearest
    from harness.output_kinds import FMU
    from wearmodel.installation import missing_tools

    names: Sequence[str] = arguments.fmus
    for name in names:
        if name not in fmu_names():
            known = ", ".join(fmu_names())
            raise FmuError(f"{name!r} must be one of {known}{nearest(name, fmu_names())}")
    if arguments.native and set(names) - set(native_fmu_names()):
        raise FmuError(f"--native: only {' and '.join(native_fmu_names())} have a native form")
    if arguments.platform and not arguments.native:
        raise FmuError("--platform requires --native, because Python FMUs run on all platforms")
    options.require_native_for_fmi(arguments)
    if arguments.dependencies and not arguments.native:
        raise FmuError("--dependencies requires --native, because Python FMUs have no derivatives")
    names = names or (native_fmu_names() if arguments.native else fmu_names())
    definitions, stem, start_values = [fmu_definition(name) for name in names], None, None
    if arguments.start or arguments.structure or arguments.motion or arguments.contacts:
        definition, stem, start_values = _variant(names, arguments)
        definitions = [definition]
    elif arguments.name is not None:
        raise FmuError(
            "--name requires --start, --structure, --motion or --contacts, because other FMUs "
            "have fixed names"
        )
    # In a separate file, because other commands would replace it by the usual FMU.
    folder = arguments.out or BUILD_FOLDER
    ending = "_dependencies" if arguments.dependencies and arguments.name is None else ""
    for name in names:
        file = f"{stem or name}{ending}.fmu"
        own = fmu_path(name, folder, native=arguments.native, fmi=arguments.fmi).with_name(file)
        if FMU.has(own):
            continue
        if not arguments.force:
            raise FmuError(
                f"{own} exists and was not built by wearfmu: choose another --out or --name, or "
                "replace it by --force"
            )
        own.unlink()
    if arguments.native and len(names) > 1 and not missing_tools():
        time = minutes(len(names) * max(1, len(arguments.platform)))
        _log.info("building %s native FMUs: about %s if none is compiled yet", len(names), time)
    for definition in definitions:
        if arguments.native:
            path = native_fmu(
                definition,
                folder,
                arguments.platform,
                file_stem=f"{stem or definition.name}{ending}",
                start_values=start_values,
                dependencies=arguments.dependencies,
                fmi=arguments.fmi,
            )
        else:
            with written_into(folder):
                path = build_fmu(definition, folder, file_stem=stem, start_values=start_values)
        print(path)
    return 0


def _start_value(text: str) -> tuple[str, str]:
    if "=" not in text:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be NAME=VALUE, without spaces: write the name of the FMU before --start"
        )
    return options.name_and_value(text)


def _variant(
    names: Sequence[str], arguments: argparse.Namespace
) -> tuple[FmuDefinition, str, dict[str, Any]]:
    """Return definition, file stem and start values of an FMU with other defaults."""
    from fmu_src.archive.start_values import checked_start_values, variant_stem
    from fmu_src.models import MOTION_STARTS, TAKERS, definition_of, fmu_definition, require_taker
    from fmu_src.native.fmi3_variables import further_parameters
    from harness.case.case_file import naming
    from harness.case.notes import notes_on
    from harness.fmu.files import definition_with, note_large_structure
    from harness.fmu.interface import parameters_of_texts
    from harness.shaking import require_motion_text

    kinds = [kind for kind in TAKERS if getattr(arguments, kind) is not None]
    if len(names) != 1:
        option = "start" if arguments.start else kinds[0]
        name = TAKERS.get(option, "FrictionalShock")
        raise FmuError(
            f"--{option} requires the name of a single FMU, as in: "
            f"wearfmu build {name} --{option} …"
        )
    if arguments.name is not None:
        _require_own_name(arguments.name)
    (name,) = names
    definition = fmu_definition(name)
    for kind in ("structure", "contacts"):
        if kind in kinds:
            definition = definition_with(name, kind, getattr(arguments, kind))
            with naming(str(getattr(arguments, kind))):
                assert definition.native is not None
                definition.native.rows()  # checks the rules between values, for both forms
    if arguments.structure is not None and not arguments.native:
        note_large_structure(definition)
    texts = options.values_by_name("--start", arguments.start)
    further = further_parameters(definition, arguments.fmi)
    given = parameters_of_texts("--start", definition, texts, further)
    if arguments.motion is not None:
        try:
            require_taker(name, "motion")
            definition = definition_of(name, motion=require_motion_text(arguments.motion))
        except ValueError as problem:
            raise FmuError(str(problem)) from None
        given = MOTION_STARTS | given
    values = checked_start_values(definition, given, further)
    for note in (*notes_on(name, values, given), *_contradictions(definition, values)):
        print(f"note: {note}", file=sys.stderr)
    return definition, arguments.name or variant_stem(definition, values), values


def _contradictions(definition: FmuDefinition, values: dict[str, Any]) -> Iterator[str]:
    """Yield a note if start values together break a rule. A master can still set the others."""
    from wearmodel.quantities import variable_name

    if definition.parameters.__init__ is object.__init__:
        return  # the parameters of a structure are not arguments
    declared: dict[str, Any] = {variable_name(item): item for item in fields(definition.parameters)}
    typed = {
        item.name: type(item.default)(values[name])
        for name, item in declared.items()
        if name in values
    }
    try:
        definition.parameters(**typed)
    except ValueError as problem:
        yield f"a run with these start values fails unless it sets others: {problem}"


def _require_own_name(stem: str) -> None:
    """Raise FmuError unless this is a plain file name other than the names of usual FMUs."""
    from fmu_src.models import fmu_names

    if not re.fullmatch(r"\w[\w-]*", stem):
        raise FmuError(
            f"--name {stem!r} must be a file name of letters, digits, _ and -, without .fmu"
        )
    # Some file systems ignore case.
    if stem.casefold() in {name.casefold() for name in fmu_names()}:
        raise FmuError(
            f"--name {stem} is the name of the FMU with the usual defaults: choose another name"
        )
