"""The classical explicit schemes EULER, ADAPT, DEVOGE and Runge-Kutta with the transient law.

Reference material and a means of comparison, not the FMU's integrator: they reproduce the numbers
recorded for SDND104, and give archived records for the shock statistics.

    record = euler(sdnd104_shoe(), sdnd104_excitation(15.0, tabulated=True),
                   duration=12.0, step_size=1e-4)
    mean_wear_power(record, start=4.0, end=12.0, blocks=8)
"""

from .runs import SchemeRecord, adapt, devoge, euler, mean_wear_power, runge_kutta, shock_record
from .scheme_comparison import (
    SCHEMES,
    WINDOW_END,
    WINDOW_START,
    Convergence,
    RecordedRun,
    SchemeRow,
    differences_2003,
    euler_convergence,
    reason_2003,
    recorded_runs,
    repeat,
)
from .shock_oscillator import (
    ANGULAR_FREQUENCY,
    Excitation,
    ShockOscillator,
    sdnd104_excitation,
    sdnd104_shoe,
    sine_excitation,
    table_excitation,
    tabulated_sine,
)
from .tableau import BOGACKI_SHAMPINE_32, DORMAND_PRINCE_54, Tableau

__all__ = [
    "ANGULAR_FREQUENCY",
    "BOGACKI_SHAMPINE_32",
    "DORMAND_PRINCE_54",
    "SCHEMES",
    "WINDOW_END",
    "WINDOW_START",
    "Convergence",
    "Excitation",
    "RecordedRun",
    "SchemeRecord",
    "SchemeRow",
    "ShockOscillator",
    "Tableau",
    "adapt",
    "devoge",
    "differences_2003",
    "euler",
    "euler_convergence",
    "mean_wear_power",
    "reason_2003",
    "recorded_runs",
    "repeat",
    "runge_kutta",
    "sdnd104_excitation",
    "sdnd104_shoe",
    "shock_record",
    "sine_excitation",
    "table_excitation",
    "tabulated_sine",
]
