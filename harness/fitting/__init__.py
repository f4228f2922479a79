"""Fits of friction and wear parameters to measured histories and wear tests.

`load_fit` reads a case with a section [fit], and `run_fit` runs it. The command is `wearfmu fit`.
"""

from harness.fitting.fit_file import Fit, load_fit
from harness.fitting.fit_run import FitResult, fit, run_fit
from harness.fitting.fit_text import (
    fit_grids,
    fit_lines,
    print_fit,
    require_beside,
    write_fit_json,
    write_fitted_case,
)
