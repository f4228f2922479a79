"""Pictures of SDND104's rubbing shoe: closed form, wear power over η, convergence with the step.

Source: SDND104 (V5.01.104), sections 1 and 2: the instants t1 … t4, the reversals θ + n π/ω of
slip-slip, and the mean wear power over η = μ g/a0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness.fmu.experiment import Experiment
from harness.fmu.history import RunRecord
from harness.fmu.signals import SineSignal
from harness.fmu.simulation import simulate
from harness.report.document import Picture
from harness.report.panel_table import (
    CONVERGENCE,
    EULER_AMPLITUDES,
    FRICTION,
    INPUT_ORDERS,
    MOTION,
    THETA,
    WEAR_POWER,
)
from harness.report.shaken_run import ShakenRun
from harness.report.table_pictures import Columns, picture
from wearmodel.reference.closed_forms import ETA_STAR, Regime, RubbingShoe, RubbingShoeHistory
from wearmodel.reference.schemes import euler_errors

_SHOWN_PERIODS = 3.0
_THETA_PERIODS = 12.0
_SUBSCRIPTS = "₁₂₃₄"
# Half periods between two marks of θ + n π/ω, so that labels do not overlap.
_MARK_EVERY = 4
# A spring below this fraction of m ω² changes the mean power by less than the width of a line.
_NEGLIGIBLE_STIFFNESS = 1e-5
_ETAS = np.concatenate([np.linspace(0.02, 0.98, 97), [0.99, 0.995, 1.0, 1.1]])


@dataclass(frozen=True)
class WearPowerPoint:
    """Mean wear power of one run over a window."""

    label: str
    shoe: RubbingShoe
    # Result of the FMU, W.
    wear_power: float
    # Closed form over the same window, W.
    exact: float

    @property
    def scale(self) -> float:
        """m g a0/ω, W."""
        return self.shoe.normal_force * self.shoe.amplitude / self.shoe.angular_frequency


def shoe_of(run: ShakenRun, *, rigid: bool = True) -> RubbingShoe | None:
    """Return the rubbing shoe of a run, or None if the run is not a rubbing shoe.

    - `run`: run with its parameters and inputs
    - `rigid`: whether penalised friction and the weak spring of the documents' model are excluded
    """
    values, signal = run.parameters, run.inputs.get("base_acceleration")
    if not isinstance(signal, SineSignal) or len(run.inputs) != 1 or run.changes:
        return None
    omega = signal.omega
    weak = _NEGLIGIBLE_STIFFNESS * values["mass"] * omega**2
    strange = (
        signal.phase,
        signal.offset,
        values["normal_law"],
        values["damping"],
        values["preload"],
        values["initial_displacement"],
        values["initial_velocity"],
        max(values["friction_coefficient_static"], 0.0),
        run.friction_varies,
        run.wears_its_gap,
        run.swings,
        run.is_stopped,
        values["stiffness"] if rigid or values["stiffness"] > weak else 0.0,
        values["tangential_law"] if rigid else 0.0,
    )
    coefficient = run.friction.friction_coefficient
    positive = (signal.amplitude, omega, coefficient, values["gravity"])
    if any(strange) or run.history.times[0] != 0.0 or min(positive) <= 0.0:
        return None
    return RubbingShoe(
        mass=values["mass"],
        gravity=values["gravity"],
        friction_coefficient=coefficient,
        amplitude=signal.amplitude,
        angular_frequency=omega,
    )


def shoe_pictures(run: ShakenRun, shoe: RubbingShoe) -> list[Picture]:
    """Return acceleration and velocity with the instants of the closed form, θ, and friction."""
    period = 2.0 * math.pi / shoe.angular_frequency
    last = float(run.history.times[-1])
    exact = RubbingShoeHistory(shoe, min(last, _THETA_PERIODS * period))
    events = np.sort(np.concatenate([exact.onset_times, exact.arrest_times, exact.reversal_times]))
    instants = {f"t{mark}": float(time) for mark, time in zip(_SUBSCRIPTS, events, strict=False)}
    words = f"η = μg/a₀ = {shoe.eta:.4g}: {shoe.regime.value}."
    if instants:
        listed = ", ".join(f"{label} = {time:.7g} s" for label, time in instants.items())
        words += f" Instants of the closed form: {listed}."
    shown = run.until(min(last, _SHOWN_PERIODS * period))
    pictures = [picture(MOTION, shown, instants=instants, words=words)]
    if shoe.regime is Regime.SLIP_SLIP:
        pictures.append(_theta_picture(run.until(exact.until), shoe, exact))
    return [*pictures, picture(FRICTION, shown)]


def _theta_picture(run: ShakenRun, shoe: RubbingShoe, exact: RubbingShoeHistory) -> Picture:
    """Return the velocity of the mass, and the distance of its reversals from θ + n π/ω."""
    vertex_times, vertex_velocities = exact.velocity_vertices
    theta = shoe.steady_reversal_time
    half_period = math.pi / shoe.angular_frequency
    order = np.arange(len(exact.reversal_times) + 1)
    steady_times = theta + half_period * order
    speed = shoe.amplitude / shoe.angular_frequency * math.cos(shoe.angular_frequency * theta)
    columns = {
        "time": run.history.times,
        "support_velocity": run.support_velocity,
        "mass_velocity": run.mass_velocity,
        "vertex_time": vertex_times,
        "vertex_velocity": vertex_velocities,
        "steady_time": steady_times,
        "steady_velocity": -speed * (-1.0) ** order,
        "reversal_time": exact.reversal_times,
        # The n-th reversal follows the first onset, which is vertex 0.
        "distance": np.abs(exact.reversal_times - steady_times[1:]),
        "theta": np.array([theta]),
    }
    instants = {
        "θ" if n == 0 else f"θ + {n}π/ω": theta + n * half_period
        for n in range(0, len(order), _MARK_EVERY)
    }
    return picture(THETA, Columns(columns), instants=instants)


def wear_power_picture(points: Sequence[WearPowerPoint]) -> Picture:
    """Return the mean wear power over η: the closed form, and runs of the FMU with their errors.

    In units of m g a0/ω, all amplitudes give the same curve.
    """
    # η = μg/a0 with a0 = 1: _unit_shoe gives powers for m g = 10 N per m/s2 of a0.
    scale = 10.0 / (2.0 * math.pi)
    columns = {
        "exact_eta": _ETAS,
        "steady_power": np.array([_unit_shoe(eta).steady_wear_power for eta in _ETAS]) / scale,
        "window_power": np.array([_unit_shoe(eta).mean_wear_power(4.0, 12.0) for eta in _ETAS])
        / scale,
        "eta": np.array([point.shoe.eta for point in points]),
        "power": np.array([point.wear_power / point.scale for point in points]),
        "error": np.array(
            [abs(p.wear_power / p.exact - 1.0) if p.exact else math.nan for p in points]
        ),
        "eta_star": np.array([ETA_STAR]),
    }
    labels = tuple(point.label for point in points)
    run = Columns(columns, labels=labels)
    drawn = picture(WEAR_POWER, run, instants={"η*": ETA_STAR})
    drawn.figure.update_layout(hovermode="closest", height=620)
    return drawn


def _unit_shoe(eta: float) -> RubbingShoe:
    """Return SDND104's shoe at an amplitude of 1 m/s2, with the friction for η."""
    return RubbingShoe(friction_coefficient=float(eta) / 10.0, amplitude=1.0)


_WINDOW = (4.0, 12.0)
# η between and outside the values of SDND104's four amplitudes.
_EXTRA_ETAS = (0.2, 0.35, 0.5, 0.58, 0.8, 0.92)
_EXTRA_STEP = 4e-3
# Steps [s] of the convergence pictures. EULER is stable below 2/√(9e6) = 6.7e-4 s.
_EULER_STEPS = (1e-4, 5e-5, 2.5e-5)
_FMU_STEPS = (2e-2, 1e-2, 5e-3, 2.5e-3)
_FMU_AMPLITUDE = 15.0


def mean_wear_power(history: RunRecord, window: tuple[float, float] = _WINDOW) -> float:
    """Return the increment of wear_work over a window divided by its length, W."""
    first, last = np.searchsorted(history.times, np.array(window) - 1e-9)
    work = history["wear_work"]
    return float((work[last] - work[first]) / (history.times[last] - history.times[first]))


def extra_wear_powers(fmu: Path) -> list[WearPowerPoint]:
    """Run SDND104's shoe at amplitudes that are not in a case."""
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
        columns[f"EULER {amplitude:g}"] = np.abs(euler_errors(amplitude, _EULER_STEPS))
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
