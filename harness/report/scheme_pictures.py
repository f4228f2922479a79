"""Pictures that require additional runs: wear power over η, and convergence with the step."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.signals import SineSignal
from harness.fmu.simulation import simulate
from harness.report.document import Picture
from harness.report.panel_table import CONVERGENCE, EULER_AMPLITUDES, INPUT_ORDERS
from harness.report.shoe_pictures import WearPowerPoint
from harness.report.table_pictures import Columns, picture
from wearmodel.reference.closed_forms import RubbingShoe
from wearmodel.reference.schemes import euler_convergence

_WINDOW = (4.0, 12.0)
# η between and outside those of SDND104's four amplitudes.
_EXTRA_ETAS = (0.2, 0.35, 0.5, 0.58, 0.8, 0.92)
_EXTRA_STEP = 4e-3
# Steps [s] of the convergence pictures; EULER is stable below 2/√(9e6) = 6.7e-4 s.
_EULER_STEPS = (1e-4, 5e-5, 2.5e-5)
_FMU_STEPS = (2e-2, 1e-2, 5e-3, 2.5e-3)
_FMU_AMPLITUDE = 15.0


def mean_wear_power(history: RunRecord, window: tuple[float, float] = _WINDOW) -> float:
    """Return the increment of wear_work over a window divided by its length, W."""
    first, last = np.searchsorted(history.times, np.array(window) - 1e-9)
    work = history["wear_work"]
    return float((work[last] - work[first]) / (history.times[last] - history.times[first]))


def extra_wear_powers(fmu: Path) -> list[WearPowerPoint]:
    """Run SDND104's shoe at amplitudes without a case."""
    points = []
    for eta in _EXTRA_ETAS:
        shoe = RubbingShoe(amplitude=1.0 / eta)
        power = mean_wear_power(_run(fmu, shoe, _EXTRA_STEP, 2))
        exact = shoe.mean_wear_power(*_WINDOW)
        label = f"a₀ = {shoe.amplitude:.4g} m/s², step {_EXTRA_STEP:g} s"
        points.append(WearPowerPoint(label, shoe, power, exact))
    return points


def convergence_picture(fmu: Path) -> Picture:
    """Return the errors of EULER and of the FMU over their steps."""
    columns = {"time step": np.array(_EULER_STEPS), "communication step": np.array(_FMU_STEPS)}
    for amplitude in EULER_AMPLITUDES:
        convergence = euler_convergence(amplitude, _EULER_STEPS)
        columns[f"EULER {amplitude:g}"] = np.abs(convergence.relative_errors)
    shoe = RubbingShoe(amplitude=_FMU_AMPLITUDE)
    exact = shoe.mean_wear_power(*_WINDOW)
    for order in INPUT_ORDERS:
        powers = [mean_wear_power(_run(fmu, shoe, step, order)) for step in _FMU_STEPS]
        columns[f"order {order}"] = np.abs(np.array(powers) / exact - 1.0)
    steps = {"time step": "s", "communication step": "s"}
    drawn = picture(CONVERGENCE, Columns(columns, steps), amplitude=f"{_FMU_AMPLITUDE:g}")
    drawn.figure.update_layout(height=520)
    return drawn


def _run(fmu: Path, shoe: RubbingShoe, step_size: float, order: int) -> RunRecord:
    signal = SineSignal(
        kind="sine", amplitude=shoe.amplitude, angular_frequency=shoe.angular_frequency
    )
    return simulate(
        fmu,
        Experiment(stop_time=_WINDOW[1], step_size=step_size),
        parameters={
            "mass": shoe.mass,
            "gravity": shoe.gravity,
            "friction_coefficient": shoe.friction_coefficient,
            "input_extrapolation_order": order,
        },
        inputs={"base_acceleration": signal},
        variables=("wear_work",),
    )
