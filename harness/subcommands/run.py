"""`wearfmu run`: run a case, or a recorded base motion."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness.subcommands import options
from harness.subcommands.playing import live_text, play_files, report_results
from harness.subcommands.progress import shown_progress

if TYPE_CHECKING:
    from harness.schema import ParameterValue
    from harness.shaking import ShakingRecord

HELP = "run a case, or a recorded base acceleration (--input)"
EXAMPLES = """\
examples:
  wearfmu run shoe.toml
  wearfmu run sdnd104_a15 --csv shoe.csv
  wearfmu run studies/noise/case.toml --until-error 0.05
  wearfmu run --input quake.csv --unit g --set mass=20 --report quake.html
  wearfmu run --input quake.csv --normal vertical --set normal_law=penalty \\
      --set start_in_equilibrium=true --set contact_stiffness=1e6
  wearfmu run --input ELC180.AT2 --normal-file ELC-UP.AT2
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu run`."""
    played = parser.add_mutually_exclusive_group(required=True)
    played.add_argument(
        "case",
        metavar="CASE",
        nargs="?",
        help="the case file or its folder, or the name of a shipped case",
    )
    played.add_argument(
        "--input",
        metavar="FILE",
        type=Path,
        help="CSV or PEER .AT2 file: acceleration of the support over time, which drives "
        "FrictionalShock.fmu",
    )
    options.add_fmu_folder(parser)
    options.add_native(parser)
    options.add_fmi(parser)
    options.add_reporting(parser)
    options.add_live(parser)
    options.add_output(parser, "--csv", "csv", "write the recorded history, time first")
    parser.add_argument(
        "--until-error",
        metavar="SHARE",
        type=options.positive("a share"),
        help="with a case: extend the run until the 95 %% interval of its mean wear power has this "
        "relative half width, such as 0.05. Inputs must be constants, sines or noise",
    )
    parser.add_argument(
        "--check-step",
        action="store_true",
        help="run again at half the step, and print the differences of the key numbers",
    )
    _add_shaking_options(parser.add_argument_group("with --input"))


def _add_shaking_options(shaking: argparse._ActionsContainer) -> None:
    """Add the options that have no effect on a case."""
    shaking.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        type=options.name_and_value,
        default=[],
        help="parameter of the FMU, see `wearfmu variables` (may be repeated)",
    )
    options.add_record_reading(shaking)
    shaking.add_argument(
        "--normal",
        metavar="COLUMN",
        help="acceleration away from the plane, by name or number, in the file or in --normal-file",
    )
    shaking.add_argument(
        "--normal-file",
        metavar="FILE",
        type=Path,
        help="file of the acceleration away from the plane with the same times, such as the "
        "vertical component from PEER",
    )
    shaking.add_argument(
        "--substeps",
        metavar="N",
        type=options.positive_integer,
        help="communication steps per sampling interval (default: steps ≤ 1 ms)",
    )
    shaking.add_argument(
        "--statistics",
        action="store_true",
        help="also print the tables of the shock-statistics operator, USURE and IMPACT",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Run the case, or the record, and return 0 if it passed, otherwise 1."""
    from harness.errors import UsageError

    if arguments.input is not None:
        if arguments.until_error is not None:
            raise UsageError("--until-error requires a case, because a record cannot be extended")
        return _run_shaking(arguments)

    from harness.case.shipped import case_file
    from harness.fmu.history import write_csv
    from harness.output_kinds import history_csv

    without_case = argparse.ArgumentParser()
    _add_shaking_options(without_case)
    for name in vars(without_case.parse_args([])):
        if getattr(arguments, name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} requires --input: change the sections of the case instead")
    file = case_file(arguments.case)
    results = play_files(
        [file],
        arguments,
        outputs={"--csv": (arguments.csv, history_csv(_columns_of(file, arguments)))},
        until_error=arguments.until_error,
        check_step=arguments.check_step,
    )
    for result in results:
        if arguments.csv is not None and result.record is not None:
            stride = result.case.experiment.output_stride
            write_csv(result.record, arguments.csv, stride=stride)
    return report_results(results, arguments)


def _columns_of(file: Path, arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the columns of the history of a case, to recognise an existing file."""
    from harness.case.case_file import load_case
    from harness.case.case_fmu import case_fmu_path
    from harness.fmu.interface import read_interface

    if arguments.csv is None or not arguments.csv.is_file():
        return ()
    case = load_case(file)
    fmu = case_fmu_path(case, arguments.out, native=arguments.native, fmi=arguments.fmi)
    expected = (name for expectation in case.expectations for name in expectation.variables)
    return tuple(dict.fromkeys([*read_interface(fmu).outputs(), *expected])) if fmu.exists() else ()


def _run_shaking(arguments: argparse.Namespace) -> int:
    """Run a recorded base motion and print the result."""
    from functools import partial

    from fmu_src.models import fmu_definition
    from harness.console import text_console
    from harness.errors import RunError
    from harness.fmu.files import fmu_path, native_fmu, own_fmu
    from harness.fmu.history import write_csv
    from harness.fmu.interface import parameters_of_texts
    from harness.output_files import require_outputs
    from harness.output_kinds import REPORT, SHAKING_JSON, history_csv
    from harness.shaking import (
        SHAKEN_FMU,
        print_shaking,
        print_understood,
        read_shaking,
        require_parameters,
        run_shaking,
        with_half_the_step,
        write_shaking_json,
    )

    options.require_native_for_fmi(arguments)
    settings = options.values_by_name("--set", arguments.set)
    parameters = parameters_of_texts("--set", fmu_definition(SHAKEN_FMU), settings)
    outputs = {
        "--json": (arguments.json, SHAKING_JSON),
        "--csv": (arguments.csv, history_csv()),
        "--report": (arguments.report, REPORT),
    }
    fmu = fmu_path(SHAKEN_FMU, arguments.out, native=arguments.native, fmi=arguments.fmi)
    read = [path for path in (arguments.input, arguments.normal_file, fmu) if path is not None]
    require_outputs(outputs, read=read, force=arguments.force)
    shaking = read_shaking(
        arguments.input,
        normal_acceleration=arguments.normal,
        normal_file=arguments.normal_file,
        **options.record_reading(arguments),
    )
    require_parameters(shaking, parameters)
    live = _live_text(arguments, parameters, shaking) if arguments.live else ""
    console = text_console()
    make = partial(native_fmu, fmi=arguments.fmi) if arguments.native else own_fmu
    fmu = make(SHAKEN_FMU, arguments.out)
    try:
        with shown_progress() as shown:
            progress = partial(shown, f"{arguments.input.name} ({shaking.listed['duration']:g} s)")
            result = run_shaking(
                fmu, shaking, parameters=parameters, substeps=arguments.substeps, progress=progress
            )
            if arguments.check_step:
                result = with_half_the_step(result, progress=progress)
    except RunError:
        print_understood(shaking, console)
        raise
    # Printed last, because a reader such as `head` may close the pipe.
    if arguments.json is not None:
        write_shaking_json(result, arguments.json)
    if arguments.csv is not None:
        write_csv(result.history, arguments.csv, stride=result.sample_stride)
    if arguments.report is not None:
        from harness.report.shaking_page import write_shaking_report

        write_shaking_report(result, arguments.report, live=live)
    print_shaking(
        result,
        console,
        verbose=arguments.verbose,
        statistics=arguments.statistics,
        report=arguments.report,
    )
    return 0


def _live_text(
    arguments: argparse.Namespace,
    parameters: Mapping[str, ParameterValue],
    shaking: ShakingRecord,
) -> str:
    """Return the page that computes, with this record."""
    from harness.page import start_of_record

    start = start_of_record(
        arguments.input,
        shaking,
        parameters=parameters,
        remove_mean=arguments.remove_mean,
        substeps=arguments.substeps,
        scale=arguments.scale,
    )
    return live_text([start], arguments)
