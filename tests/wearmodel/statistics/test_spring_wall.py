"""Shock statistics of a mass at a spring wall, compared with closed form and published values.

m = 100 kg, k = 1e4 N/m to ground, wall at x > 0 with K_N = 1e6 N/m, no gap, x(0) = 0, v(0) = 1 m/s
towards the wall. The solution consists of half sines with the angular frequency √((k + K_N)/m) in
contact and √(k/m) in flight.
"""

import math

import numpy as np
import pytest

from wearmodel.statistics import Impact, Shock, ShockRecord, StatisticsSettings, shock_statistics

MASS, STIFFNESS, WALL_STIFFNESS, SPEED = 100.0, 1e4, 1e6, 1.0
CONTACT_FREQUENCY = math.sqrt((STIFFNESS + WALL_STIFFNESS) / MASS)
FLIGHT_FREQUENCY = math.sqrt(STIFFNESS / MASS)
CONTACT_TIME = math.pi / CONTACT_FREQUENCY
FLIGHT_TIME = math.pi / FLIGHT_FREQUENCY
PEAK_FORCE = WALL_STIFFNESS * SPEED / CONTACT_FREQUENCY
IMPULSE = 2.0 * WALL_STIFFNESS * SPEED / CONTACT_FREQUENCY**2


def exact_record(time: np.ndarray) -> ShockRecord:
    """Sample the closed form. The wall's normal points away from it, so approach is negative."""
    phase = np.mod(time, CONTACT_TIME + FLIGHT_TIME)
    in_contact = phase < CONTACT_TIME
    contact, flight = CONTACT_FREQUENCY * phase, FLIGHT_FREQUENCY * (phase - CONTACT_TIME)
    penetration = SPEED / CONTACT_FREQUENCY * np.sin(contact)
    velocity = SPEED * np.where(in_contact, np.cos(contact), -np.cos(flight))
    return ShockRecord(
        time=time,
        normal_force=np.where(in_contact, WALL_STIFFNESS * np.maximum(penetration, 0.0), 0.0),
        normal_velocity=-velocity,
    )


def impact_of(record: ShockRecord, **settings: object) -> Impact:
    impact = shock_statistics(record, StatisticsSettings(**settings), usure=False).impact  # type: ignore[arg-type]
    assert impact is not None
    return impact


def relative_errors(shock: Shock, start: float) -> dict[str, float]:
    return {
        "peak_force": abs(shock.peak_force / PEAK_FORCE - 1.0),
        "impulse": abs(shock.impulse / IMPULSE - 1.0),
        "duration": abs(shock.duration / CONTACT_TIME - 1.0),
        "instant": abs(shock.instant / (start + 0.5 * CONTACT_TIME) - 1.0),
        "impact_velocity": abs(shock.impact_velocity / -SPEED - 1.0),
    }


def worst_error(step: float) -> float:
    """Return the largest relative error of the second shock over offsets of the samples."""
    errors = []
    for shift in np.linspace(0.0, 1.0, 16, endpoint=False):
        # The record starts in the flight before the second shock and contains only this shock.
        time = 0.1 + (np.arange(round(0.4 / step)) + shift) * step
        (shock,) = impact_of(exact_record(time)).shocks
        errors.append(max(relative_errors(shock, CONTACT_TIME + FLIGHT_TIME).values()))
    return max(errors)


@pytest.mark.parametrize("step", [1e-3, 5e-4, 1e-4], ids="step={}".format)
def test_interpolated_shocks_agree_with_the_closed_form(step):
    time = np.arange(round(0.5 / step) + 1) * step
    first, second = impact_of(exact_record(time)).shocks
    for shock, start in ((first, 0.0), (second, CONTACT_TIME + FLIGHT_TIME)):
        for quantity, error in relative_errors(shock, start).items():
            # The required accuracy. The coarsest step has 0.1 rad per sample, whose tenth power is
            # smaller.
            assert error < 1e-8, f"{quantity}: relative error {error}"


def test_accuracy_does_not_depend_on_where_the_samples_fall():
    # The required accuracy, as above.
    assert worst_error(1e-3) < 1e-8


def test_error_falls_with_at_least_the_eighth_power_of_the_step():
    # With fifteen or more samples in contact, all stencils have ten samples.
    coarse, fine = worst_error(2e-3), worst_error(1e-3)
    order = math.log2(coarse / fine)
    # Ten samples give order 10. Coarser steps are not yet asymptotic, and finer ones are affected
    # by rounding.
    assert order > 8.0, f"errors {coarse} and {fine}: order {order}"


def test_threshold_crossings_are_located_as_well():
    threshold = 0.25 * PEAK_FORCE
    (shock,) = impact_of(
        exact_record(0.1 + np.arange(400) * 1e-3), force_threshold=threshold
    ).shocks
    angle = math.asin(0.25)
    # Impulse above the threshold: ∫ F over [angle, π − angle]/ω. Tolerance as above.
    assert shock.duration == pytest.approx((math.pi - 2 * angle) / CONTACT_FREQUENCY, rel=1e-8)
    assert shock.impulse == pytest.approx(IMPULSE * math.cos(angle), rel=1e-8)
    assert shock.impact_velocity == pytest.approx(-SPEED * math.cos(angle), rel=1e-8)


def test_a_force_that_jumps_is_known_to_half_a_step():
    # A damped contact starts with a finite force. Here it is 1000 N for 0.1 s.
    time = np.arange(300) * 1e-3
    force = np.where((time > 0.1004) & (time < 0.2004), 1000.0, 0.0)
    (shock,) = impact_of(ShockRecord(time=time, normal_force=force)).shocks
    # The error is half a step at each end.
    assert shock.duration == pytest.approx(0.1, abs=1e-3)
    assert shock.impulse == pytest.approx(100.0, abs=1.0)
    assert shock.peak_force == pytest.approx(1000.0, rel=1e-12)


def test_sampled_durations_are_of_first_order_only():
    errors = [
        abs(
            impact_of(exact_record(np.arange(round(0.5 / step) + 1) * step), reading="sampled")
            .shocks[1]
            .duration
            / CONTACT_TIME
            - 1.0
        )
        for step in (1e-3, 1e-4)
    ]
    # Each crossing has an error of up to one step, so the contact time has an error of up to two.
    assert errors[0] < 2e-3 / CONTACT_TIME
    assert errors[1] < 2e-4 / CONTACT_TIME
    assert max(errors) > 1e-4


def test_irregular_steps_keep_fourth_order_impulses():
    random = np.random.default_rng(20)
    errors = []
    for count in (500, 1000):
        step = 0.5 / count
        errors.append(
            max(
                abs(impact_of(exact_record(time)).shocks[-1].impulse / IMPULSE - 1.0)
                for time in (
                    (np.arange(count + 1) + random.uniform(-0.3, 0.3, count + 1)) * step
                    for _ in range(20)
                )
            )
        )
    # (ω h)⁴ with h up to 1.6 steps of 1e-3 s: 7e-4, times 1/720 of the quadrature rule.
    assert errors[0] < 2e-6
    # The expected factor is 16 for order 4. The maximum of 20 random grids scatters.
    assert errors[0] / errors[1] > 8.0


def test_noise_falls_back_to_low_degrees_instead_of_being_amplified():
    random = np.random.default_rng(3)
    record = exact_record(np.arange(501) * 1e-3)
    noise = 1e-4
    assert record.normal_force is not None
    noisy = ShockRecord(
        time=record.time,
        normal_force=record.normal_force * (1.0 + noise * random.standard_normal(501)),
        normal_velocity=record.normal_velocity,
    )
    errors = relative_errors(impact_of(noisy).shocks[1], CONTACT_TIME + FLIGHT_TIME)
    # A polynomial of degree 10 would multiply the noise by 2¹⁰. A few standard deviations show that
    # the degree is reduced.
    assert errors["peak_force"] < 5.0 * noise
    assert errors["impulse"] < 5.0 * noise
    assert errors["duration"] < 10.0 * noise


def test_a_shock_cut_by_the_window_is_not_counted_but_its_force_is():
    step = 1e-3
    impact = impact_of(exact_record(np.arange(362) * step))
    # The second maximum is at 0.36105 s, after the last sample. The largest sample is at 0.361 s.
    assert len(impact.shocks) == 1
    assert impact.largest_force == pytest.approx(PEAK_FORCE, rel=1e-5)


def euler_record(step: float, step_count: int) -> ShockRecord:
    """Integrate by symplectic Euler, EULER in the EDF documents, and record every step."""
    position, velocity, force = 0.0, SPEED, 0.0
    rows = [(0.0, force, -velocity)]
    for number in range(1, step_count + 1):
        velocity += step * (-STIFFNESS * position - force) / MASS
        position += step * velocity
        force = max(0.0, WALL_STIFFNESS * position)
        rows.append((number * step, force, -velocity))
    time, normal_force, normal_velocity = np.array(rows).T
    return ShockRecord(time=time, normal_force=normal_force, normal_velocity=normal_velocity)


RECORDED = {
    # EDF's operator with the scheme EULER, 5e-4 s, over [0, 0.495] s (test of IMPACT): all digits.
    "shock 1 INSTANT": (0.0155, 0, "instant"),
    "shock 1 F_MAX": (9952.685590457, 0, "peak_force"),
    "shock 2 INSTANT": (0.361, 1, "instant"),
    "shock 2 F_MAX": (9954.7807740037, 1, "peak_force"),
    "shock 2 T_CHOC": (0.0315, 1, "duration"),
    "shock 2 IMPULSION": (198.09273674733, 1, "impulse"),
    "shock 2 V_IMPACT": (-1.0003141755606, 1, "impact_velocity"),
    # An independent computation with the same scheme and definitions.
    "shock 1 IMPULSION": (198.0510442, 0, "impulse"),
    "shock 1 T_CHOC": (0.031, 0, "duration"),
    "shock 1 V_IMPACT": (-1.0, 0, "impact_velocity"),
}


@pytest.mark.parametrize(("value", "number", "quantity"), RECORDED.values(), ids=RECORDED)
def test_sampled_reading_of_euler_gives_the_recorded_figures(value, number, quantity):
    impact = impact_of(euler_record(5e-4, 990), reading="sampled")
    digits = len(repr(value).replace("-", "").replace(".", "").lstrip("0"))
    got = getattr(impact.shocks[number], quantity)
    # The values must agree in all printed digits.
    assert f"{got:.{digits}g}" == f"{value:.{digits}g}"


def test_sampled_reading_of_euler_gives_the_recorded_global_maximum():
    impact = impact_of(euler_record(5e-4, 990), reading="sampled")
    assert f"{impact.largest_force:.14g}" == "9954.7807740037"
    assert len(impact.shocks) == 2
