"""Run FMUs with fmpy and compare them with reference cases.

`load_case` reads a case file, and `run_case` runs it through an FMU and checks it. `simulate` runs
any FMU without a case file, and `load_fmu` opens an FMU for use from Python. `fit` fits parameters
to measurements. The command is `wearfmu` or `python -m harness`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.case.case_file import Case, load_case
    from harness.case.case_result import CaseResult, run_case
    from harness.errors import CaseError, FmuError, MissingLibraryError, RunError
    from harness.fitting import FitResult, fit
    from harness.fmu.history import RunRecord
    from harness.fmu.loaded import LoadedFmu, load_fmu
    from harness.fmu.simulation import simulate

# Loaded on first use, so that `wearfmu --help` does not import numpy, pydantic and fmpy.
_HOMES = {
    "Case": "case.case_file",
    "CaseError": "errors",
    "CaseResult": "case.case_result",
    "FitResult": "fitting",
    "FmuError": "errors",
    "LoadedFmu": "fmu.loaded",
    "MissingLibraryError": "errors",
    "RunError": "errors",
    "RunRecord": "fmu.history",
    "fit": "fitting",
    "load_case": "case.case_file",
    "load_fmu": "fmu.loaded",
    "run_case": "case.case_result",
    "simulate": "fmu.simulation",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
