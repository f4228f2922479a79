"""Sweeps: a case computed at many points of its parameters and inputs.

`load_sweep` reads a sweep file. `run_sweep` computes it, optionally on a Dask cluster, and writes a
table. A journal stores computed points, so that an interrupted sweep can be resumed. The command is
`wearfmu sweep`.
"""

from harness.sweep.batch import PointWork, Row, failed_row
from harness.sweep.distribution import PROGRAM, Workers, own_workers
from harness.sweep.fmu_runs import fmu_runs
from harness.sweep.journal import Journal, open_journal
from harness.sweep.kernel_runs import continued_run, kernel_interface, kernel_runs
from harness.sweep.points import Point, design_points
from harness.sweep.regime_lines import RegimeLine, regime_lines
from harness.sweep.result_file import require_format, write_results
from harness.sweep.sections import SAMPLED_KINDS, Design, Varied
from harness.sweep.sobol_indices import (
    SHARES,
    Index,
    Spread,
    independent_sample,
    is_uncertain,
    print_indices,
    print_spreads,
    spreads,
    write_spreads,
)
from harness.sweep.study import Study, Target, model_definition, model_interface
from harness.sweep.sweep_file import Sweep, load_sweep, quantity_of
from harness.sweep.sweep_run import SweepResult, compute_rows, run_sweep
from harness.sweep.targets import csv_tables, require_different, target_of
