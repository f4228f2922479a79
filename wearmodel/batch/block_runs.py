"""Displacement of a sliding block on a slope: one record, many yield accelerations, two polarities.

A rigid block is on a plane inclined by β with the acceleration a(t) of a record, linear between
samples. u is its displacement on the plane, positive downslope. It slips if the driving force
exceeds friction μ F_N, with the same coefficient in stick and slip (Newmark, Geotechnique 15,
1965).

    a along the slope   ü = a + g sin β − μ g cos β sgn u̇,      μ = (k_y + sin β)/cos β
    a horizontal        ü = a cos β + g sin β − μ F_N/m sgn u̇,  μ = tan(β + atan k_y),
                        F_N/m = max(0, g cos β − a sin β)

a > 0 drives the block downslope. k_y g is the value of a at which it begins to slip downslope.
Polarity "inverse" is the record −a. With `one_way`, friction resists any force upslope. Rotation
and deformation of the block are not included.

The motion is computed by `FrictionalShock` with a prescribed normal force, exactly between samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wearmodel.arrays import Floats

from ..compiled.run_library import runs_of
from ..kernel.shoe.parameters import FrictionalShockParameters, Parameters, SlidingDirection
from ..kernel.state_objects import values_of
from ..units import STANDARD_GRAVITY
from .record_inputs import checked_input, sample_times
from .record_runs import RunFailure, run_failures, work_space


@dataclass(frozen=True)
class BlockRuns:
    """Results of `run_blocks`, arrays of shape (yields, 2): normal and inverse polarity."""

    peak: Floats  #: Largest |u| [m] at any time.
    residual: Floats  #: u at the last sample [m], positive downslope.
    slid: Floats  #: ∫ |u̇| dt [m], where F_N > 0.
    still_sliding: NDArray[np.bool_]  #: Whether the block still slides at the last sample.
    #: Failed runs. Their values are NaN. `parameter_set` is the index of the yield acceleration,
    #: and `record` the index of the polarity.
    failures: tuple[RunFailure, ...]


def friction_of_yield(yield_acceleration: float, slope: float, *, horizontal: bool) -> float:
    """Return the friction coefficient of a block that begins to slip downslope at k_y g.

    Parameters
    ----------
    yield_acceleration : float
        k_y, in g.
    slope : float
        β [rad].
    horizontal : bool
        Whether k_y g is horizontal (or along the slope).
    """
    if horizontal:
        return math.tan(slope + math.atan(yield_acceleration))
    return (yield_acceleration + math.sin(slope)) / math.cos(slope)


def run_blocks(
    yield_accelerations: Sequence[float],
    times: ArrayLike,
    acceleration: ArrayLike,
    *,
    slope: float = 0.0,
    horizontal: bool = False,
    one_way: bool = False,
    compiles: bool = True,
) -> BlockRuns:
    """Run a record in both polarities for each yield acceleration.

    Parameters
    ----------
    yield_accelerations : sequence of float
        k_y > 0, in g (9.80665 m/s2).
    times : float or array, shape (samples,)
        Sampling interval [s], or the increasing times of the samples.
    acceleration : array, shape (samples,)
        a [m/s2]. Positive values drive the block downslope.
    slope : float
        β [rad], 0 ≤ β < π/2.
    horizontal : bool
        Whether a and k_y are horizontal (or along the slope).
    one_way : bool
        Whether the block never slips upslope.
    compiles : bool
        Whether to compile a missing library of the kernel. Otherwise the runs are interpreted.

    Raises
    ------
    ValueError
        A value is out of range, or a record has fewer than two samples.
    """
    record = checked_input("acceleration", "m/s2", np.asarray(acceleration, dtype=np.float64))
    instants, steps = sample_times(np.asarray(times, dtype=np.float64), [record])
    if record.shape != (len(steps) + 1,):
        raise ValueError(f"acceleration of shape {record.shape} must be ({len(steps) + 1},)")
    if not 0.0 <= slope < 0.5 * math.pi:
        raise ValueError(f"slope={slope} rad must be ≥ 0 and < π/2")
    runs = [
        _parameters(yield_acceleration, slope, horizontal=horizontal, one_way=one_way)
        for yield_acceleration in yield_accelerations
    ]
    along = record * math.cos(slope) if horizontal else record
    across = record * math.sin(slope) if horizontal else np.zeros_like(record)
    pull, press = STANDARD_GRAVITY * math.sin(slope), STANDARD_GRAVITY * math.cos(slope)
    # Forces on a mass of 1 kg: f_t = −A_t + g sin β and f_n = −F_N, records × forces × samples.
    forcings = np.array([[sign * along + pull, sign * across - press] for sign in (1.0, -1.0)])
    results = np.full((len(runs) * len(forcings), 4), np.nan)
    codes = np.zeros(len(results), dtype=np.int64)
    steps_taken = np.zeros(len(results), dtype=np.int64)
    given = (np.array(runs), forcings, np.ascontiguousarray(steps))
    runs_of("FrictionalShock", compiles=compiles).call(
        "slide_blocks", *given, results, codes, steps_taken, *work_space()
    )
    shape = (len(runs), len(forcings))
    failures = run_failures(codes, len(forcings), instants[steps_taken])
    peak, residual, slid, still = (column.reshape(shape) for column in results.T)
    return BlockRuns(peak, residual, slid, still > 0.0, failures)


def _parameters(
    yield_acceleration: float, slope: float, *, horizontal: bool, one_way: bool
) -> list[float]:
    """The kernel's parameters of a block of 1 kg, as a row."""
    if not 0.0 < yield_acceleration < math.inf:
        raise ValueError(f"yield_acceleration={yield_acceleration} g must be > 0 and finite")
    friction = friction_of_yield(yield_acceleration, slope, horizontal=horizontal)
    if not 0.0 < friction < math.inf:
        raise ValueError(
            f"yield_acceleration={yield_acceleration} g: on a slope of {slope} rad no coefficient "
            "of friction gives it; β + atan k_y must be < π/2"
        )
    direction = SlidingDirection.positive if one_way else SlidingDirection.both
    declared = FrictionalShockParameters(
        friction_coefficient=friction,
        gravity=STANDARD_GRAVITY * math.cos(slope),
        sliding_direction=direction,
    )
    return values_of(Parameters(declared))
