"""`wearfmu sweep`: compute a case at many points."""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.subcommands import options

HELP = "compute a case at many points"
EXAMPLES = """\
examples:
  wearfmu sweep map.toml                      long sweeps use all cores
  wearfmu sweep map.toml --map map.html       draw the results too
  wearfmu sweep map.toml --native             engine "fmu" with the native FMU
  wearfmu sweep map.toml --scheduler tcp://node1:8786   on a Dask cluster

If interrupted, run it again to resume.
Exit codes: 0 all points computed, 1 points failed (their reason is in the last
column), 2 usage or environment.
"""

# Number of printed reasons. The results contain all reasons.
_SHOWN_FAILURES = 5


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `wearfmu sweep`."""
    parser.add_argument("sweep", metavar="SWEEP.toml", type=Path, help="the sweep file")
    options.add_fmu_folder(parser)
    options.add_native(parser, condition='. It requires engine = "fmu"')
    options.add_workers(parser)
    picture = "draw the results over one or two varied quantities"
    options.add_output(parser, "--map", "html", picture)
    parser.add_argument(
        "--json",
        metavar="FILE.json",
        type=Path,
        help="with distributions or Sobol indices: also write quantiles and indices as JSON",
    )
    options.add_force(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Compute the points, and return 0 if all were computed, otherwise 1."""
    import sys
    import time

    from harness.console import text_console
    from harness.errors import UsageError
    from harness.fmu.files import note_python_fmus
    from harness.output_files import require_outputs
    from harness.output_kinds import REPORT, SPREADS_JSON, points_table
    from harness.report.map_picture import require_map, write_map
    from harness.subcommands.progress import shown_count
    from harness.sweep import (
        is_uncertain,
        load_sweep,
        print_spreads,
        run_sweep,
        spreads,
        write_spreads,
    )

    began = time.perf_counter()
    sweep = load_sweep(arguments.sweep, fmu_folder=arguments.out, native=arguments.native)
    if arguments.native:
        note_python_fmus([Path(sweep.study.model).stem])
    if arguments.map is not None:
        require_map(sweep)
    if arguments.json is not None and not is_uncertain(sweep):
        raise UsageError(
            "--json requires a distribution in [vary], or design.kind = 'sobol_indices': the "
            "results of all points are in sweep.output"
        )
    outputs = {
        "sweep.output": (sweep.output, points_table(sweep.output)),
        "--map": (arguments.map, REPORT),
        "--json": (arguments.json, SPREADS_JSON),
    }
    require_outputs(outputs, read=[*sweep.files_read, sweep.journal], force=arguments.force)
    for note in sweep.noted:
        print(note, file=sys.stderr)

    with shown_count(sweep.title, len(sweep.points), "points") as progressed:
        result = run_sweep(
            sweep,
            workers=arguments.workers,
            scheduler=arguments.scheduler,
            progress=progressed,
        )
    if arguments.map is not None:
        write_map(sweep, result.rows, arguments.map)
    if is_uncertain(sweep):
        spread_table = spreads(sweep, result.rows)
        if arguments.json is not None:
            write_spreads(spread_table, arguments.json)
        print_spreads(spread_table, text_console())
    failures = result.failures
    for number, reason in list(failures.items())[:_SHOWN_FAILURES]:
        print(f"point {number}: {reason}")
    if len(failures) > _SHOWN_FAILURES:
        print(f"… and {len(failures) - _SHOWN_FAILURES} points more")
    kept = len(sweep.points) - result.computed
    resumed = f" ({kept} of them before)" if kept else ""
    print(
        f"{len(sweep.points)} points{resumed} in {time.perf_counter() - began:.1f} s, "
        f"{len(failures)} failed: {sweep.output}"
    )
    return options.FAILED if failures else options.PASSED
