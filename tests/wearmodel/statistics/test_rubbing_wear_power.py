"""Mean wear power of the rubbing mass SDND104 from sampled closed-form motion."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from wearmodel.statistics import ShockRecord, StatisticsSettings, shock_statistics

# SDND104 (V5.01.104): m = 1 kg, g = 10 m/s², μ = 0.1, support acceleration 1.5 sin 2πt: stick-slip.
NORMAL_FORCE, FRICTION_ACCELERATION, AMPLITUDE, FREQUENCY = 10.0, 1.0, 1.5, 2.0 * math.pi
# Mean of F_N |v| over [4, 12] s, computed in 30-digit arithmetic.
EXACT_POWER = 0.409062451015709


def stick_slip_record(step: float, start: float) -> ShockRecord:
    """Slip starts where the support's acceleration reaches μg and ends where |v| is 0 again."""
    onset = math.asin(FRICTION_ACCELERATION / AMPLITUDE) / FREQUENCY
    speed = AMPLITUDE / FREQUENCY

    def slip_speed(since: float) -> float:
        swing = math.cos(FREQUENCY * onset) - math.cos(FREQUENCY * (onset + since))
        return speed * swing - FRICTION_ACCELERATION * since

    slip_time = brentq(slip_speed, 0.1, 0.49, xtol=1e-15)
    # Whole periods, past the start at rest: any start gives the same exact mean.
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
    """Largest relative error over where the samples fall in the motion."""
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
    # Four kinks a period, where |v| rises or falls with a slope j ≤ 3 m/s²: each errs by up to
    # j h²/8, of 0.04 m in a period: 4·3/8 · 1e-6/0.04 = 4e-5.
    assert wear_power_error(1e-3, reading=reading) < 4e-5


@pytest.mark.parametrize("reading", ["sampled", "interpolated"])
def test_wear_power_converges_with_the_second_power_of_the_step(reading):
    coarse, fine = (wear_power_error(step, reading=reading) for step in (4e-3, 1e-3))
    order = math.log(coarse / fine, 4.0)
    # Second order.  Both steps divide the half period, so that all kinks of a record err alike;
    # eight places of the samples do not quite find the worst one.
    assert 1.8 < order < 2.2, f"errors {coarse} and {fine}: order {order}"


def test_eight_blocks_lose_an_interval_each():
    # The interval in front of each block is neither integrated nor timed: a thousandth of it, and
    # what the power differs from its mean there decides the effect.
    undivided, blocks = (wear_power_error(1e-3, block_count=count) for count in (1, 8))
    assert undivided < 4e-5
    assert 4e-5 < blocks < 2e-3
