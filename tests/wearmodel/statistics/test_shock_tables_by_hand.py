"""All statistics of a record of twelve samples, compared with values computed by hand."""

import math

import numpy as np
import pytest

from wearmodel.statistics import (
    ShockRecord,
    ShockStatistics,
    StatisticsSettings,
    Usure,
    shock_statistics,
)

# Rounding in sums of a dozen small numbers.
ROUNDING = 1e-14

# t = 0 … 11 s, three contact intervals: samples 2–4, 7, and 9–10.
FORCE = [0, 0, 2, 4, 2, 0, 0, 6, 0, 3, 1, 0]
# Approach speeds at the first samples of the contacts: 0.2, 0.7 and 0.9 m/s.
VELOCITY = [0, 0, -0.2, 0, 0.2, 0, 0, -0.7, 0, -0.9, 0, 0.5]
STICK = [0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0]


def dozen(**changes: object) -> ShockRecord:
    columns: dict[str, object] = {
        "time": np.arange(12.0),
        "normal_force": FORCE,
        "normal_velocity": VELOCITY,
        "tangential_force_1": np.multiply(FORCE, -0.5),
        # |V| = √(0.3² + 0.4²) = 0.5 m/s.
        "tangential_velocity_1": np.full(12, 0.3),
        "tangential_velocity_2": np.full(12, -0.4),
        "position_x": np.arange(1.0, 13.0),
        "position_y": [3.0, -3.0] * 6,
        "position_z": np.full(12, 4.0),
        "stick": STICK,
    }
    return ShockRecord(**{**columns, **changes})  # type: ignore[arg-type]


def sampled(record: ShockRecord | None = None, **settings: object) -> ShockStatistics:
    return shock_statistics(
        record or dozen(),
        StatisticsSettings(reading="sampled", **settings),  # type: ignore[arg-type]
    )


def usure_of(statistics: ShockStatistics) -> Usure:
    assert statistics.usure is not None
    return statistics.usure


def test_positions_have_the_moments_of_their_samples():
    positions = usure_of(sampled()).positions
    along = positions["DEPL_X"]
    # 1 … 12: mean 6.5, mean square 650/12, variance (12² − 1)/12.
    assert along.mean == pytest.approx(6.5, rel=ROUNDING)
    assert along.deviation == pytest.approx(math.sqrt(143 / 12), rel=ROUNDING)
    assert along.rms == pytest.approx(math.sqrt(650 / 12), rel=ROUNDING)
    assert (along.largest, along.smallest) == (12.0, 1.0)
    assert positions["DEPL_Y"].mean == pytest.approx(0.0, abs=ROUNDING)
    assert positions["DEPL_Y"].deviation == pytest.approx(3.0, rel=ROUNDING)
    assert positions["DEPL_Z"].deviation == 0.0


def test_radius_and_angle_follow_from_y_and_z():
    positions = usure_of(sampled()).positions
    radius, angle = positions["DEPL_RADIAL"], positions["DEPL_ANGULAIRE"]
    # (±3, 4): radius 5, angles 53.13° and 126.87°, symmetric about 90°.
    assert (radius.mean, radius.deviation, radius.smallest) == (5.0, 0.0, 5.0)
    half_spread = 90.0 - math.degrees(math.atan2(4.0, 3.0))
    assert angle.mean == pytest.approx(90.0, rel=ROUNDING)
    assert angle.deviation == pytest.approx(half_spread, rel=ROUNDING)
    assert angle.largest == pytest.approx(90.0 + half_spread, rel=ROUNDING)


def test_forces_have_means_over_total_and_shock_time():
    usure = usure_of(sampled())
    normal = usure.forces["FORCE_NORMALE"]
    # Sum 18, sum of squares 70, 12 samples of which 6 are in contact.
    assert normal.mean_total == pytest.approx(1.5, rel=ROUNDING)
    assert normal.mean_shock == pytest.approx(3.0, rel=ROUNDING)
    assert normal.rms_total == pytest.approx(math.sqrt(70 / 12), rel=ROUNDING)
    assert normal.rms_shock == pytest.approx(math.sqrt(70 / 6), rel=ROUNDING)
    assert (normal.largest, normal.smallest) == (6.0, 0.0)
    tangential = usure.forces["FORCE_TANG_1"]
    assert tangential.mean_shock == pytest.approx(-1.5, rel=ROUNDING)
    assert (tangential.largest, tangential.smallest) == (0.0, -3.0)
    assert "FORCE_TANG_2" not in usure.forces


def test_force_threshold_takes_smaller_forces_out_of_the_shock_time():
    usure = usure_of(sampled(force_threshold=2.0))
    # Above 2 N: 4, 6 and 3 N.
    assert usure.forces["FORCE_NORMALE"].mean_shock == pytest.approx(13 / 3, rel=ROUNDING)
    assert usure.forces["FORCE_NORMALE"].mean_total == pytest.approx(1.5, rel=ROUNDING)
    assert usure.shock_times.contact_percentage == pytest.approx(25.0, rel=ROUNDING)


def test_rest_time_joins_the_last_two_runs_into_one_shock():
    impact = sampled(rest_time=1.5, class_count=2).impact
    assert impact is not None
    first, second = impact.shocks
    # Contacts end at the first sample below the threshold: at 5, 8 and 11 s.
    assert (first.instant, first.peak_force, first.impulse) == (3.0, 4.0, 8.0)
    assert (first.duration, first.impact_velocity, first.rebounds) == (3.0, -0.2, 1)
    assert (second.instant, second.peak_force, second.impulse) == (7.0, 6.0, 10.0)
    assert (second.duration, second.impact_velocity, second.rebounds) == (4.0, -0.7, 2)


def test_runs_exactly_the_rest_time_apart_are_two_shocks():
    impact = sampled(rest_time=1.0).impact
    assert impact is not None
    assert [shock.rebounds for shock in impact.shocks] == [1, 1, 1]


def test_global_values_and_histogram_of_the_maxima():
    impact = sampled(rest_time=1.5, class_count=4).impact
    assert impact is not None
    assert (impact.largest_force, impact.mean_peak_force, impact.peak_force_deviation) == (6, 5, 1)
    # Maxima 4 and 6 in four classes of 0.5 N. The last class includes its upper end.
    assert [one.start for one in impact.histogram] == [4.0, 4.5, 5.0, 5.5]
    assert [one.end for one in impact.histogram] == [4.5, 5.0, 5.5, 6.0]
    assert [one.fraction for one in impact.histogram] == [0.5, 0.0, 0.0, 0.5]
    assert [one.density for one in impact.histogram] == [1.0, 0.0, 0.0, 1.0]


def test_equal_maxima_make_one_class():
    impact = sampled(dozen(normal_force=np.minimum(FORCE, 1))).impact
    assert impact is not None
    (one,) = impact.histogram
    assert (one.start, one.end, one.fraction) == (1.0, 1.0, 1.0)
    assert math.isnan(one.density)


def test_shock_times_count_shocks_rebounds_and_durations():
    times = usure_of(sampled(rest_time=1.5)).shock_times
    assert times.shocks_per_second == pytest.approx(2 / 11, rel=ROUNDING)
    assert times.rebounds_per_shock == 1.5
    assert (times.mean_duration, times.largest_duration, times.smallest_duration) == (3.5, 4, 3)
    # Contacts of 3, 1 and 2 s.
    assert times.mean_rebound_time == pytest.approx(2.0, rel=ROUNDING)
    assert times.contact_percentage == pytest.approx(50.0, rel=ROUNDING)


def test_unfinished_shock_counts_for_the_largest_force_only():
    statistics = sampled(window_end=7.0)
    impact = statistics.impact
    assert impact is not None
    assert [shock.peak_force for shock in impact.shocks] == [4.0]
    assert (impact.largest_force, impact.mean_peak_force) == (6.0, 4.0)
    assert usure_of(statistics).shock_times.rebounds_per_shock == 1.0


def test_record_without_contact_has_no_shock():
    statistics = sampled(dozen(normal_force=np.zeros(12)))
    assert statistics.impact is not None
    assert (statistics.impact.shocks, statistics.impact.largest_force) == ((), 0.0)
    assert statistics.impact.histogram == ()
    usure = usure_of(statistics)
    assert math.isnan(usure.forces["FORCE_NORMALE"].mean_shock)
    assert (usure.wear_power, usure.shock_times.contact_percentage) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("block_count", "power"),
    [
        # Interval sums F_i + F_{i+1}: 0 2 6 6 2 0 6 6 3 4 1. The sums at 3 and 9 s start in stick.
        # Each of the others is multiplied by ½ · 0.5 m/s.
        pytest.param(1, 0.25 * 26 / 11, id="one"),
        # Samples 0–3, 4–7, 8–11 of 3 s each. The intervals at 3 and 7 s are not included.
        pytest.param(3, 0.25 * (8 / 3 + 8 / 3 + 4 / 3) / 3, id="three"),
        # Five pairs of 1 s. Samples 10 and 11 are the remainder.
        pytest.param(5, 0.25 * (0 + 6 + 2 + 6 + 3) / 5, id="five"),
    ],
)
def test_wear_power_takes_the_intervals_that_start_in_slip(block_count, power):
    usure = usure_of(sampled(block_count=block_count))
    assert usure.wear_power == pytest.approx(power, rel=ROUNDING)


def test_wear_power_takes_forces_below_the_threshold_too():
    usure = usure_of(sampled(force_threshold=100.0))
    assert usure.wear_power == pytest.approx(0.25 * 26 / 11, rel=ROUNDING)


def test_wear_power_is_unknown_without_tangential_velocity():
    usure = usure_of(sampled(dozen(tangential_velocity_1=None, tangential_velocity_2=None)))
    assert math.isnan(usure.wear_power)


def test_blocks_average_means_and_squares_and_keep_extremes():
    usure = usure_of(sampled(block_count=5))
    along = usure.positions["DEPL_X"]
    # Pairs (1, 2) … (9, 10): means 1.5 … 9.5, deviations 0.5. Samples 11 and 12 are not used.
    assert along.mean == pytest.approx(5.5, rel=ROUNDING)
    assert along.deviation == pytest.approx(0.5, rel=ROUNDING)
    assert along.rms == pytest.approx(math.sqrt(385 / 10), rel=ROUNDING)
    assert (along.largest, along.smallest) == (10.0, 1.0)
    # Block means over the contact time: no contact, 3, 2, 6, 3 N.
    assert usure.forces["FORCE_NORMALE"].mean_shock == pytest.approx(14 / 4, rel=ROUNDING)
    # Shocks are counted in the whole window of 11 s, not in the blocks.
    assert usure.shock_times.shocks_per_second == pytest.approx(3 / 11, rel=ROUNDING)


def test_irregular_steps_turn_means_into_trapezoid_integrals():
    record = ShockRecord(
        time=[0.0, 1.0, 3.0, 4.0, 6.0, 7.0],  # type: ignore[arg-type]
        normal_force=[0.0, 2.0, 4.0, 0.0, 0.0, 0.0],  # type: ignore[arg-type]
        position_x=[1.0, 1.0, 2.0, 2.0, 1.0, 1.0],  # type: ignore[arg-type]
    )
    statistics = sampled(record)
    usure, impact = usure_of(statistics), statistics.impact
    # Weights ½, 1½, 1½, 1½, 1½, ½ s.
    force = usure.forces["FORCE_NORMALE"]
    assert force.mean_total == pytest.approx(9 / 7, rel=ROUNDING)
    assert force.mean_shock == pytest.approx(3.0, rel=ROUNDING)
    assert force.rms_shock == pytest.approx(math.sqrt(30 / 3), rel=ROUNDING)
    assert usure.positions["DEPL_X"].mean == pytest.approx(10 / 7, rel=ROUNDING)
    assert usure.shock_times.mean_duration == 3.0
    assert usure.shock_times.smallest_duration == 3.0
    assert usure.shock_times.contact_percentage == pytest.approx(300 / 7, rel=ROUNDING)
    assert impact is not None
    assert impact.shocks[0].impulse == pytest.approx(9.0, rel=ROUNDING)


def test_rest_time_holds_on_irregular_steps():
    record = ShockRecord(
        time=[0.0, 1.0, 3.0, 4.0, 6.0, 9.0, 10.0],  # type: ignore[arg-type]
        normal_force=[0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0],  # type: ignore[arg-type]
    )
    impact = sampled(record, rest_time=2.0).impact
    assert impact is not None
    # Flights of 1 s (3 to 4) and 3 s (6 to 9).
    assert [(shock.rebounds, shock.duration) for shock in impact.shocks] == [(2, 5.0), (1, 1.0)]


def test_window_keeps_the_samples_on_its_ends():
    # In multiples of 0.1, the ends differ from 0.3 and 0.9 by rounding.
    record = dozen(time=np.arange(12) * 0.1)
    statistics = sampled(record, window_start=0.3, window_end=0.9)
    assert statistics.sample_count == 7
    assert usure_of(statistics).positions["DEPL_X"].mean == pytest.approx(7.0, rel=ROUNDING)


# A parabolic pulse (t − ½)(4½ − t), whose ends are between samples: peak 4 at 2½ s, area 4³/6.
PARABOLA = [0.0, 1.75, 3.75, 3.75, 1.75, 0.0, 0.0]


def parabola() -> ShockRecord:
    return ShockRecord(
        time=np.arange(7.0),
        normal_force=np.array(PARABOLA),
        normal_velocity=np.arange(7.0) - 2.5,
        tangential_velocity_1=np.ones(7),
        tangential_force_1=np.multiply(PARABOLA, 0.1),
    )


def test_interpolated_reading_finds_what_lies_between_the_samples():
    statistics = shock_statistics(parabola())
    assert statistics.impact is not None
    (shock,) = statistics.impact.shocks
    # The cubic through four points of a parabola is exact.
    assert shock.peak_force == pytest.approx(4.0, rel=1e-13)
    assert shock.instant == pytest.approx(2.5, rel=1e-13)
    assert shock.duration == pytest.approx(4.0, rel=1e-13)
    assert shock.impulse == pytest.approx(32 / 3, rel=1e-13)
    assert shock.impact_velocity == pytest.approx(-2.0, rel=1e-13)


def test_interpolated_shock_time_ends_at_the_located_crossings():
    usure = usure_of(shock_statistics(parabola()))
    assert usure.shock_times.contact_percentage == pytest.approx(100 * 4 / 6, rel=1e-13)
    force = usure.forces["FORCE_NORMALE"]
    # Trapezoidal rule over the samples, 2·(½·½·1.75 + ½(1.75 + 3.75)) + 3.75, divided by 4 s.
    assert force.mean_shock == pytest.approx((0.875 + 5.5 + 3.75) / 4, rel=1e-13)
    assert usure.forces["FORCE_TANG_1"].mean_shock == pytest.approx(10.125 / 40, rel=1e-13)
    assert force.mean_total == pytest.approx(11.0 / 6, rel=1e-13)
    assert usure.wear_power == pytest.approx(11.0 / 6, rel=1e-13)


def test_two_samples_above_a_threshold_are_continued_by_straight_lines():
    statistics = shock_statistics(parabola(), StatisticsSettings(force_threshold=3.0))
    assert statistics.impact is not None
    (shock,) = statistics.impact.shocks
    # Between 3.75 and 1.75 N, the force is 3 N at 3/8 of a step outside, on both sides.
    assert shock.duration == pytest.approx(1.75, rel=1e-13)


def test_pulse_of_one_sample_lasts_one_step():
    record = ShockRecord(time=np.arange(5.0), normal_force=np.array([0, 0, 7.0, 0, 0]))
    impact = shock_statistics(record, usure=False).impact
    assert impact is not None
    (shock,) = impact.shocks
    assert (shock.peak_force, shock.instant, shock.duration) == (7.0, 2.0, 1.0)
    # The area of a triangle over this step.
    assert shock.impulse == 3.5
    assert math.isnan(shock.impact_velocity)
