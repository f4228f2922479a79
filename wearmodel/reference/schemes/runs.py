"""The classical schemes by name: EULER, ADAPT 1 and 2, DEVOGE and the Runge-Kutta pairs.

All integrate from t = 0 to `duration` and return the archived steps. Common parameters:

oscillator, excitation
    Mass with its contact, and base acceleration.
duration
    End of the run [s], with fixed steps a whole number of them.
step_size, or first_step and largest_step
    Time steps [s].
largest_redo_count
    Maximum number of repetitions of a step.
archive_every
    Steps between two samples. t = 0 and the end are always included.

All raise ValueError if a parameter is invalid, or a table ends before the run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from wearmodel.arrays import Floats

from ...quantities import require_not_negative, require_positive
from ...statistics import ShockRecord, StatisticsSettings, shock_statistics
from .march import END_SHARE, ROUNDING, Run, march
from .shock_oscillator import Excitation, ShockOscillator
from .tableau import ADAPT_1, ADAPT_2, DEVOGE, EULER, Tableau

DEVOGE_GROWTH = 1.5  #: Largest ratio of two successive steps of DEVOGE.
#: Ratio by which a redone step of a pair must lower the error to be redone once more.
REDO_GAIN = 1.01
SMALLEST_STEP_SHARE = 1e-6  #: Share of the first step below which a run of ADAPT fails.
# Steps written with ten digits, as 1/3 s may be, still count as whole.
_WHOLE = 1e-9


@dataclass(frozen=True)
class SchemeRecord:
    """Samples of one run, arrays of shape (samples,), instants rising from 0.

    Forces are those of the law at the archived displacement and the velocity the scheme gave it.
    """

    oscillator: ShockOscillator  #: The parameters integrated, as floats.
    time: Floats  #: [s].
    displacement: Floats  #: x, relative to the support [m].
    velocity: Floats  #: ẋ [m/s].
    normal_force: Floats  #: F_N ≥ 0 [N].
    friction_force: Floats  #: Friction force on the mass, along the obstacle [N].
    sticking: npt.NDArray[np.bool_]  #: True where the friction law sticks.

    @property
    def gap(self) -> Floats:
        """Distance to the obstacle [m], negative in contact."""
        return self.oscillator.initial_gap + self.oscillator.normal_component * self.displacement

    @property
    def gap_velocity(self) -> Floats:
        """Rate of change of the gap [m/s], negative when approaching."""
        return self.oscillator.normal_component * self.velocity

    @property
    def tangential_velocity(self) -> Floats:
        """Velocity along the obstacle [m/s]."""
        return self.oscillator.tangential_component * self.velocity


def shock_record(record: SchemeRecord) -> ShockRecord:
    """Return the samples as the shock statistics take them, tangential axis 1 along the motion."""
    return ShockRecord(
        time=record.time,
        normal_force=record.normal_force,
        normal_velocity=record.gap_velocity,
        tangential_force_1=record.friction_force,
        tangential_velocity_1=record.tangential_velocity,
        stick=record.sticking,
    )


def mean_wear_power(record: SchemeRecord, *, start: float, end: float, blocks: int = 1) -> float:
    """Return PUIS_USURE, the mean of F_N |v| over the intervals that start in slip [W].

    The window from `start` to `end` [s] is cut to the record and split into `blocks` of equal
    sample count. The intervals between blocks are not integrated: the recorded values show that
    with 8 blocks of 10 000 samples 7 intervals are lost. An empty window raises ValueError.
    """
    settings = StatisticsSettings(
        window_start=start, window_end=end, block_count=blocks, reading="sampled"
    )
    usure = shock_statistics(shock_record(record), settings, impact=False).usure
    assert usure is not None  # asked for by default
    return usure.wear_power


def euler(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    duration: float,
    step_size: float,
    archive_every: int = 1,
) -> SchemeRecord:
    """EULER with a fixed step, stable while dt < 2/√(K_T/M) without damping."""
    require_positive("step_size", step_size, "s")
    run = Run(duration, step_size, step_size, archive_every, is_fixed=True)
    return _integrate(EULER, oscillator, excitation, run)


def adapt(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    order: int,
    duration: float,
    first_step: float,
    largest_step: float,
    points_per_period: int = 50,
    largest_redo_count: int = 16,
    archive_every: int = 1,
) -> SchemeRecord:
    """ADAPT of `order` 1 or 2, with N = `points_per_period` of the apparent frequency.

    An error ≥ 1 divides dt by 1.3333334 and repeats the step. If the error is below 0.75, and at
    least 4 steps were accepted since dt last grew, the next is 1.1 times as long. The last step is
    cut at the end of the run. RuntimeError if the step falls below 1e-6 of the first one.
    """
    if order not in (1, 2):
        raise ValueError(f"order={order} must be 1 or 2")
    if points_per_period < 1:
        raise ValueError(f"points_per_period={points_per_period} must be ≥ 1")
    run = Run(
        duration,
        first_step,
        largest_step,
        archive_every,
        smallest_step=SMALLEST_STEP_SHARE * min(first_step, largest_step),
        largest_redo_count=largest_redo_count,
        points_per_period=points_per_period,
    )
    record = _integrate(ADAPT_1 if order == 1 else ADAPT_2, oscillator, excitation, run)
    if record.time[-1] < duration * END_SHARE:
        raise RuntimeError(
            f"the step fell below {SMALLEST_STEP_SHARE:g} of first_step={first_step} s "
            f"at t={record.time[-1]} s: take fewer points_per_period or a smaller "
            "largest_redo_count"
        )
    return record


def devoge(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    duration: float,
    first_step: float,
    largest_step: float,
    archive_every: int = 1,
) -> SchemeRecord:
    """DEVOGE for a mass without `damping`, which is implicit in the full scheme.

    Each step is at most 1.5 times as long as the previous one, up to the largest step. The error
    control of the recorded runs is not modelled. The recorded wear power is reproduced to 5e-13 if
    this control had no effect (tolerance 1e-3 m, at 1.5 m/s2), and otherwise to 9e-6.
    """
    if oscillator.damping != 0.0:
        raise ValueError(f"damping={oscillator.damping} N.s/m must be 0 with DEVOGE")
    run = Run(duration, first_step, largest_step, archive_every, growth=DEVOGE_GROWTH)
    return _integrate(DEVOGE, oscillator, excitation, run)


def runge_kutta(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    tableau: Tableau,
    duration: float,
    first_step: float,
    largest_step: float,
    tolerance: float = math.inf,
    scale: float = 0.0,
    largest_redo_count: int = 16,
    archive_every: int = 1,
) -> SchemeRecord:
    """RUNGE_KUTTA with `BOGACKI_SHAMPINE_32` or `DORMAND_PRINCE_54` as `tableau`.

    dt is multiplied by 0.9 err^(−1/q), within [0.2, 5]. A step with err ≥ 1 is repeated until this
    no longer reduces err (err > err_previous/1.01).

    Parameters
    ----------
    tolerance
        tol. With the default, infinity, all steps are `first_step`, which must be the largest.
    scale
        ALPHA of the transient operator, ≥ 0: the magnitude [m and m/s] below which errors do not
        matter.
    """
    if not tolerance > 0.0:
        raise ValueError(f"tolerance={tolerance} must be > 0")
    require_not_negative("scale", scale)
    fixed = math.isinf(tolerance)
    if fixed and first_step != largest_step:
        raise ValueError(
            f"largest_step={largest_step} s must be first_step={first_step} s if tolerance is "
            f"infinite"
        )
    run = Run(
        duration,
        first_step,
        largest_step,
        archive_every,
        is_fixed=fixed,
        largest_redo_count=largest_redo_count,
        redo_gain=REDO_GAIN,
        tolerance=0.0 if fixed else tolerance,
        scale=scale,
    )
    return _integrate(tableau, oscillator, excitation, run)


def _integrate(
    tableau: Tableau, oscillator: ShockOscillator, excitation: Excitation, run: Run
) -> SchemeRecord:
    oscillator = oscillator.checked()
    for name in ("duration", "first_step", "largest_step"):
        require_positive(name, getattr(run, name), "s")
    duration = run.duration
    if duration > excitation.span * (1.0 + ROUNDING):
        raise ValueError(f"duration={duration} s must be ≤ the table's span of {excitation.span} s")
    if run.archive_every < 1:
        raise ValueError(f"archive_every={run.archive_every:g} must be ≥ 1")
    if run.is_fixed:
        steps = round(duration / run.first_step)
        if steps < 1 or abs(steps * run.first_step - duration) > _WHOLE * duration:
            raise ValueError(
                f"duration={duration} s must be a whole number of step_size={run.first_step} s"
            )
        run = replace(run, duration=steps * run.first_step)
    samples = np.array(march(oscillator, excitation, tableau, run)).reshape(-1, 6)
    time, displacement, velocity, normal_force, friction_force, sticking = samples.T
    return SchemeRecord(
        oscillator, time, displacement, velocity, normal_force, friction_force, sticking != 0.0
    )
