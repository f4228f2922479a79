"""Sweeps: a case computed at many points of its parameters and inputs.

`load_sweep` reads a sweep file, `run_sweep` computes it on a Dask cluster (`distribution`) and
writes one table; what is computed is kept in a journal, so that a sweep that was killed goes on
where it stopped. The command is `wearfmu sweep`.
"""

from __future__ import annotations

from harness.sweep.batch import Row
from harness.sweep.distribution import cluster_client, local_client
from harness.sweep.fmu_runs import fmu_runs
from harness.sweep.journal import Journal, open_journal
from harness.sweep.kernel_runs import kernel_names, kernel_runs
from harness.sweep.map_picture import require_map, write_map
from harness.sweep.own_process import STARTING_SECONDS
from harness.sweep.program import PROGRAM
from harness.sweep.study import Study
from harness.sweep.sweep_file import Sweep, load_sweep, quantity_of
from harness.sweep.sweep_run import SweepResult, run_sweep
from harness.sweep.uncertainty import is_uncertain, print_spreads, spreads, write_spreads

__all__ = [
    "PROGRAM",
    "STARTING_SECONDS",
    "Journal",
    "Row",
    "Study",
    "Sweep",
    "SweepResult",
    "cluster_client",
    "fmu_runs",
    "is_uncertain",
    "kernel_names",
    "kernel_runs",
    "load_sweep",
    "local_client",
    "open_journal",
    "print_spreads",
    "quantity_of",
    "require_map",
    "run_sweep",
    "spreads",
    "write_map",
    "write_spreads",
]
