"""The spring-wall record, and wear power over blocks."""

import numpy as np
import pytest

from wearmodel.reference.schemes import EULER, SchemeRecord, march, mean_wear_power
from wearmodel.statistics import ShockRecord, StatisticsSettings, shock_statistics

from .problems import CONTACT_STIFFNESS, spring_wall


@pytest.fixture(scope="module")
def wall_record() -> ShockRecord:
    record = march(EULER, spring_wall(), duration=0.495, step_size=5e-4)
    return ShockRecord(
        time=record.time,
        normal_force=CONTACT_STIFFNESS * np.maximum(record.displacement, 0.0),
        normal_velocity=-record.velocity,
    )


def test_spring_wall_peaks_are_those_recorded(wall_record):
    # Published for EULER with dt = 5e-4 s (verification of the post-processing operator for shock
    # non-linearities), with 10 and 14 digits. The tolerance is rounding over 722 steps.
    first = wall_record.time < 0.1
    assert np.max(wall_record.normal_force[first]) == pytest.approx(9952.685590457, rel=1e-12)
    assert np.max(wall_record.normal_force) == pytest.approx(9954.7807740037, rel=1e-12)
    assert wall_record.time[np.argmax(wall_record.normal_force)] == 722 * 5e-4  # 0.361 s
    assert wall_record.time[np.argmax(wall_record.normal_force[first])] == 31 * 5e-4  # 0.0155 s


def test_spring_wall_shocks_are_those_recorded(wall_record):
    settings = StatisticsSettings(reading="sampled")
    impact = shock_statistics(wall_record, settings, usure=False).impact
    assert impact is not None
    first, second = impact.shocks
    # Published with 14 digits. The first shock is from an independent computation with 10 digits.
    assert second.impulse == pytest.approx(198.09273674733, rel=1e-12)
    assert second.impact_velocity == pytest.approx(-1.0003141755606, rel=1e-12)
    assert second.duration == pytest.approx(0.0315, rel=1e-12)
    assert first.impulse == pytest.approx(198.0510442, rel=3e-10)
    assert first.duration == pytest.approx(0.031, rel=1e-12)


def ramp(samples: int, *, sticking: tuple[int, ...] = ()) -> SchemeRecord:
    """Return a record of velocity −t/5 at a normal force of 10 N: the wear power is 2 t."""
    time = np.arange(samples, dtype=float)
    sticks = np.zeros(samples, dtype=bool)
    sticks[list(sticking)] = True
    return SchemeRecord(time, -0.1 * time**2, -0.2 * time, sticks)


# A few roundings of small numbers.
EXACT = 1e-15


def test_wear_power_is_the_mean_of_force_times_speed():
    assert mean_wear_power(ramp(11), start=0.0, end=10.0) == pytest.approx(10.0, rel=EXACT)


def test_interval_between_blocks_and_remainder_are_left_out():
    # 11 samples in 2 blocks of 5: means of 2 t over [0, 4] and [5, 9].
    assert mean_wear_power(ramp(11), start=0.0, end=10.0, blocks=2) == pytest.approx(
        (4.0 + 14.0) / 2.0, rel=EXACT
    )


def test_intervals_that_start_in_stick_do_not_wear_but_last():
    # The area 7 of [3, 4] is subtracted from 100, and the duration remains 10.
    got = mean_wear_power(ramp(11, sticking=(3,)), start=0.0, end=10.0)
    assert got == pytest.approx(9.3, rel=EXACT)


def test_window_is_clipped_to_the_record():
    assert mean_wear_power(ramp(11), start=-1.0, end=999.0) == pytest.approx(10.0, rel=EXACT)
    assert mean_wear_power(ramp(11), start=4.0, end=6.0) == pytest.approx(10.0, rel=EXACT)
