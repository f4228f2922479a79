"""The archived steps of a run, as the shock statistics take them, and their mean wear power."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...statistics import ShockRecord, StatisticsSettings, shock_statistics
from .shock_oscillator import ShockOscillator

Floats = npt.NDArray[np.float64]


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


def record_of(oscillator: ShockOscillator, archive: Floats) -> SchemeRecord:
    """Return the record of an archive of shape (samples, 6): a column for each field, in order."""
    time, displacement, velocity, normal_force, friction_force, sticking = archive.T
    return SchemeRecord(
        oscillator, time, displacement, velocity, normal_force, friction_force, sticking != 0.0
    )


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
