"""Mean wear power of the rubbing mass SDND104, from samples of the closed form."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from wearmodel.statistics import ShockRecord, StatisticsSettings, shock_statistics

# SDND104 (V5.01.104): m = 1 kg, g = 10 m/s², μ = 0.1, base acceleration 1.5 sin 2πt: stick-slip.
NORMAL_FORCE, FRICTION_ACCELERATION, AMPLITUDE, FREQUENCY = 10.0, 1.0, 1.5, 2.0 * math.pi
# Mean of F_N |v| over [4, 12] s, computed in 30-digit arithmetic.
EXACT_POWER = 0.409062451015709


def stick_slip_record(step: float, start: float) -> ShockRecord:
    """Return samples of the closed form.

    Slip starts when the base acceleration reaches μg and ends when |v| returns to 0.
    """
    onset = math.asin(FRICTION_ACCELERATION / AMPLITUDE) / FREQUENCY
    speed = AMPLITUDE / FREQUENCY

    def slip_speed(since: float) -> float:
        swing = math.cos(FREQUENCY * onset) - math.cos(FREQUENCY * (onset + since))
        return speed * swing - FRICTION_ACCELERATION * since

    slip_time = brentq(slip_speed, 0.1, 0.49, xtol=1e-15)
    # The record has whole periods after the start-up, so the exact mean does not depend on the
    # start.
    time = start + np.arange(round(8.0 / step) + 1) * step
    since = np.mod(time - onset, 0.5)
    swing = math.cos(FREQUENCY * onset) - np.cos(FREQUENCY * (onset + since))
    slips = since < slip_time
    velocity = np.where(slips, speed * swing - FRICTION_ACCELERATION * since, 0.0)
    return ShockRecord(
        time=time,
        normal_force=np.full(time.size, NORMAL_FORCE),
        tangential_velocity_1=velocity,
        stick=~slips,
    )


def wear_power_error(step: float, **settings: object) -> float:
    """Return the largest relative error over several offsets of the samples."""
    errors = []
    for start in 4.0 + step * np.linspace(0.0, 1.0, 8, endpoint=False):
        usure = shock_statistics(
            stick_slip_record(step, start),
            StatisticsSettings(**settings),  # type: ignore[arg-type]
            impact=False,
        ).usure
        assert usure is not None
        errors.append(abs(usure.wear_power / EXACT_POWER - 1.0))
    return max(errors)


@pytest.mark.parametrize("reading", ["sampled", "interpolated"])
def test_wear_power_is_the_trapezoid_of_the_exact_one(reading):
    # Each period has four kinks, where |v| changes its slope by j ≤ 3 m/s². Each error is at most j
    # h²/8, relative to 0.04 m per period: 4·3/8 · 1e-6/0.04 = 4e-5.
    assert wear_power_error(1e-3, reading=reading) < 4e-5


@pytest.mark.parametrize("reading", ["sampled", "interpolated"])
def test_wear_power_converges_with_the_second_power_of_the_step(reading):
    coarse, fine = (wear_power_error(step, reading=reading) for step in (4e-3, 1e-3))
    order = math.log(coarse / fine, 4.0)
    # The order is 2. Both steps divide half a period, so all kinks of a record have the same error.
    # Eight offsets do not contain exactly the largest error.
    assert 1.8 < order < 2.2, f"errors {coarse} and {fine}: order {order}"


def test_eight_blocks_lose_an_interval_each():
    # The interval before each block is not integrated. It is 1/1000 of the block, and the effect
    # depends on the difference between the power in this interval and its mean.
    undivided, blocks = (wear_power_error(1e-3, block_count=count) for count in (1, 8))
    assert undivided < 4e-5
    assert 4e-5 < blocks < 2e-3
