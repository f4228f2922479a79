"""Sweeps: a case computed at many points of its parameters and inputs.

`load_sweep` reads a sweep file, `run_sweep` computes it on a Dask cluster (`distribution`) and
writes one table; what is computed is kept in a journal, so that a sweep that was killed goes on
where it stopped. The command is `wearfmu sweep`.
"""

from __future__ import annotations

from harness.sweep.sweep_file import Sweep, load_sweep
from harness.sweep.sweep_run import SweepResult, run_sweep

__all__ = ["Sweep", "SweepResult", "load_sweep", "run_sweep"]
