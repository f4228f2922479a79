"""The classical explicit schemes EULER, ADAPT, DEVOGE and Runge-Kutta on the shoe of SDND104.

Reference material and a means of comparison, not the FMU's integrator: they reproduce the numbers
recorded for SDND104.

    record = march(EULER, rubbing_shoe(15.0), duration=12.0, step_size=1e-4)
    mean_wear_power(record, blocks=8)
"""

from .comparison import (
    DISCRETE_LAW_LIMITS,
    SCHEMES,
    RecordedRun,
    SchemeError,
    SchemeRow,
    differences_2003,
    euler_errors,
    exact_wear_power,
    observed_order,
    reason_2003,
    recorded_runs,
    repeat,
    scheme_errors,
)
from .march import Problem, SchemeRecord, march
from .rubbing_shoe import WINDOW_END, WINDOW_START, mean_wear_power, rubbing_shoe
from .tableau import (
    ADAPT_1,
    ADAPT_2,
    BOGACKI_SHAMPINE_32,
    DEVOGE,
    DORMAND_PRINCE_54,
    EULER,
    Tableau,
)

__all__ = [
    "ADAPT_1",
    "ADAPT_2",
    "BOGACKI_SHAMPINE_32",
    "DEVOGE",
    "DISCRETE_LAW_LIMITS",
    "DORMAND_PRINCE_54",
    "EULER",
    "SCHEMES",
    "WINDOW_END",
    "WINDOW_START",
    "Problem",
    "RecordedRun",
    "SchemeError",
    "SchemeRecord",
    "SchemeRow",
    "Tableau",
    "differences_2003",
    "euler_errors",
    "exact_wear_power",
    "march",
    "mean_wear_power",
    "observed_order",
    "reason_2003",
    "recorded_runs",
    "repeat",
    "rubbing_shoe",
    "scheme_errors",
]
