"""The spring-wall record, and wear power over blocks."""

import numpy as np
import pytest

from wearmodel.reference.schemes import (
    SchemeRecord,
    ShockOscillator,
    euler,
    mean_wear_power,
    shock_record,
    sine_excitation,
)
from wearmodel.statistics import StatisticsSettings, shock_statistics

from .wall import spring_wall


@pytest.fixture(scope="module")
def wall_record() -> SchemeRecord:
    return euler(spring_wall(), sine_excitation(0.0, 0.0), duration=0.495, step_size=5e-4)


def test_spring_wall_peaks_are_those_recorded(wall_record):
    # Recorded with EULER at dt = 5e-4 s (verification of the post-processing operator for shock
    # non-linearities); printed to 10 and 14 digits, met to rounding over 722 steps.
    first = wall_record.time < 0.1
    assert np.max(wall_record.normal_force[first]) == pytest.approx(9952.685590457, rel=1e-12)
    assert np.max(wall_record.normal_force) == pytest.approx(9954.7807740037, rel=1e-12)
    assert wall_record.time[np.argmax(wall_record.normal_force)] == 722 * 5e-4  # 0.361 s
    assert wall_record.time[np.argmax(wall_record.normal_force[first])] == 31 * 5e-4  # 0.0155 s


def test_spring_wall_shocks_are_those_recorded(wall_record):
    settings = StatisticsSettings(reading="sampled")
    impact = shock_statistics(shock_record(wall_record), settings, usure=False).impact
    assert impact is not None
    first, second = impact.shocks
    # Recorded to 14 digits, the first shock by an independent re-run to 10.
    assert second.impulse == pytest.approx(198.09273674733, rel=1e-12)
    assert second.impact_velocity == pytest.approx(-1.0003141755606, rel=1e-12)
    assert second.duration == pytest.approx(0.0315, rel=1e-12)
    assert first.impulse == pytest.approx(198.0510442, rel=3e-10)
    assert first.duration == pytest.approx(0.031, rel=1e-12)


def test_wall_contact_is_where_the_gap_closes(wall_record):
    # At the start the gap is exactly 0: in contact, without force.
    touching = wall_record.gap <= 0.0
    assert np.array_equal(wall_record.normal_force > 0.0, wall_record.gap < 0.0)
    assert np.all(wall_record.normal_force[touching] == -1e6 * wall_record.gap[touching])
    assert np.all(wall_record.friction_force == 0.0)
    assert np.all(wall_record.tangential_velocity == 0.0)


def ramp(samples: int, *, sticking: tuple[int, ...] = ()) -> SchemeRecord:
    """Normal force 2 N and velocity −t: the wear power is 2 t."""
    time = np.arange(samples, dtype=float)
    sticks = np.zeros(samples, dtype=bool)
    sticks[list(sticking)] = True
    return SchemeRecord(
        ShockOscillator().checked(),
        time,
        -0.5 * time**2,
        -time,
        np.full(samples, 2.0),
        np.full(samples, 0.2),
        sticks,
    )


# Small integers: every sum and quotient below is exact to the last rounding.
EXACT = 1e-15


def test_wear_power_is_the_mean_of_force_times_speed():
    assert mean_wear_power(ramp(11), start=0.0, end=10.0) == pytest.approx(10.0, rel=EXACT)


def test_interval_between_blocks_and_remainder_are_left_out():
    # 11 samples in 2 blocks of 5: means of 2 t over [0, 4] and [5, 9].
    assert mean_wear_power(ramp(11), start=0.0, end=10.0, blocks=2) == pytest.approx(
        (4.0 + 14.0) / 2.0, rel=EXACT
    )


def test_intervals_that_start_in_stick_do_not_wear_but_last():
    # [3, 4] with area 7 is lost from 100, the duration stays 10.
    got = mean_wear_power(ramp(11, sticking=(3,)), start=0.0, end=10.0)
    assert got == pytest.approx(9.3, rel=EXACT)


def test_window_is_clipped_to_the_record():
    assert mean_wear_power(ramp(11), start=-1.0, end=999.0) == pytest.approx(10.0, rel=EXACT)
    assert mean_wear_power(ramp(11), start=4.0, end=6.0) == pytest.approx(10.0, rel=EXACT)
