"""Sweeps: a case computed at many points of its parameters and inputs.

`load_sweep` reads a sweep file, `run_sweep` computes it, on a Dask cluster if need be, and
writes one table; what is computed is kept in a journal, so that a sweep that was killed goes on
where it stopped. The command is `wearfmu sweep`.

`harness.sweep.distribution`, which needs Dask, is a door of its own.
"""

from __future__ import annotations

from harness.sweep.batch import Row
from harness.sweep.fmu_runs import fmu_runs
from harness.sweep.journal import Journal, open_journal
from harness.sweep.kernel_runs import kernel_names, kernel_runs
from harness.sweep.map_picture import require_map, write_map
from harness.sweep.own_process import STARTING_SECONDS
from harness.sweep.program import PROGRAM
from harness.sweep.sobol_indices import is_uncertain, print_spreads, spreads, write_spreads
from harness.sweep.study import Study, model_definition
from harness.sweep.sweep_file import Sweep, load_sweep, quantity_of
from harness.sweep.sweep_run import SweepResult, run_sweep

__all__ = [
    "PROGRAM",
    "STARTING_SECONDS",
    "Journal",
    "Row",
    "Study",
    "Sweep",
    "SweepResult",
    "fmu_runs",
    "is_uncertain",
    "kernel_names",
    "kernel_runs",
    "load_sweep",
    "model_definition",
    "open_journal",
    "print_spreads",
    "quantity_of",
    "require_map",
    "run_sweep",
    "spreads",
    "write_map",
    "write_spreads",
]
