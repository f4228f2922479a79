"""Pictures with runs of their own: wear power over η, and convergence with the step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.signals import SineSignal
from harness.fmu.simulation import simulate
from harness.report.curves import Curve
from harness.report.document import Picture
from harness.report.panels import Panel, side_by_side_figure
from harness.report.shoe_pictures import WearPowerPoint
from wearmodel.reference.closed_forms import RubbingShoe
from wearmodel.reference.schemes import euler_convergence

_WINDOW = (4.0, 12.0)
# η between and beyond those of SDND104's four amplitudes.
_EXTRA_ETAS = (0.2, 0.35, 0.5, 0.58, 0.8, 0.92)
_EXTRA_STEP = 4e-3
# Steps [s] of the convergence pictures; EULER is stable below 2/√(9e6) = 6.7e-4 s.
_EULER_STEPS = (1e-4, 5e-5, 2.5e-5)
_EULER_AMPLITUDES = (15.0, 1.5, 1.01)
_FMU_STEPS = (2e-2, 1e-2, 5e-3, 2.5e-3)
_FMU_AMPLITUDE = 15.0
_COLOURS = ("support", "mass", "wear", "exact")


def mean_wear_power(history: RunRecord, window: tuple[float, float] = _WINDOW) -> float:
    """Return the increment of wear_work over a window by its length, W."""
    first, last = np.searchsorted(history.times, np.array(window) - 1e-9)
    work = history["wear_work"]
    return float((work[last] - work[first]) / (history.times[last] - history.times[first]))


def extra_wear_powers(fmu: Path) -> list[WearPowerPoint]:
    """Run SDND104's shoe at amplitudes that have no case of their own."""
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
    euler = [euler_convergence(amplitude, _EULER_STEPS) for amplitude in _EULER_AMPLITUDES]
    euler_curves = [
        _marked(f"EULER, a₀ = {amplitude:g} m/s²", found.step_sizes, found.relative_errors, colour)
        for amplitude, found, colour in zip(_EULER_AMPLITUDES, euler, _COLOURS, strict=False)
    ]
    shoe = RubbingShoe(amplitude=_FMU_AMPLITUDE)
    exact = shoe.mean_wear_power(*_WINDOW)
    fmu_curves = [
        _marked(
            f"FMU, input of order {order}",
            _FMU_STEPS,
            [
                mean_wear_power(_run(fmu, shoe, step, order)) / exact - 1.0
                for step in _FMU_STEPS
            ],
            _COLOURS[order],
        )
        for order in range(4)
    ]  # fmt: skip
    figure = side_by_side_figure(
        [
            _error_panel(euler_curves, "time step"),
            _error_panel(fmu_curves, "communication step"),
        ]
    )
    figure.update_layout(height=520)
    return Picture(
        "Convergence with the step",
        "Error of the mean wear power of SDND104. First the classical scheme EULER, its steps "
        "bounded by the tangential stiffness, against the limit of the documents' discrete law; a "
        "smooth order is not to be expected, for its stick and slip change at steps only. Then "
        f"FrictionalShock.fmu at a₀ = {_FMU_AMPLITUDE:g} m/s², at steps a hundred times as long, "
        "against the exact arcs. Between communication points the FMU is exact: what is left is "
        "the extrapolation of the input (input_extrapolation_order).",
        figure,
    )


def _error_panel(curves: Sequence[Curve], x_title: str) -> Panel:
    return Panel(
        "|relative error| of the mean wear power",
        tuple(curves),
        x_title,
        logarithmic=True,
        logarithmic_x=True,
    )


def _marked(name: str, steps: Sequence[float], errors: Sequence[float], colour: str) -> Curve:
    return Curve(name, np.array(steps), np.abs(errors), colour, "marked")


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
