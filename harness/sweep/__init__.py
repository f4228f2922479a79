"""Sweeps: a case computed at many points of its parameters and inputs.

`load_sweep` reads a sweep file, `run_sweep` computes it on a Dask cluster (`distribution`) and
writes one table; what is computed is kept in a journal, so that a sweep that was killed goes on
where it stopped. The command is `wearfmu sweep`.
"""

from __future__ import annotations

from harness.sweep.distribution import cluster_client, local_client
from harness.sweep.map_picture import require_map, write_map
from harness.sweep.own_process import STARTING_SECONDS
from harness.sweep.sweep_file import Sweep, load_sweep
from harness.sweep.sweep_run import SweepResult, run_sweep

__all__ = [
    "STARTING_SECONDS",
    "Sweep",
    "SweepResult",
    "cluster_client",
    "load_sweep",
    "local_client",
    "require_map",
    "run_sweep",
    "write_map",
]
