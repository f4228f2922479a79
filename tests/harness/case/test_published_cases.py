"""The expected values of published cases agree with closed forms at 30 digits.

Each function returns the values of a case by variable and time, from the parameters of the case.
"""

from __future__ import annotations

import mpmath as mp
import pytest

from harness.case.case_file import load_case
from harness.case.shipped import case_file

from . import friction_cases, impact_cases, structure_cases
from .impact_cases import parameters_of

mp.mp.dps = 30


def den_hartog(case):
    """u = f + G cos(ωt + φ) − f cos t − f tan(π/2ω) sin t from X to −X, for m = k = F = 1."""
    p = parameters_of(case)
    assert p["mass"] == p["stiffness"] == 1
    force = p["mass"] * p["gravity"]
    amplitude, _ = steady_orbit(
        mp.mpf(case.inputs["tangential_load"].omega), p["friction_coefficient"] * force
    )
    assert p["initial_displacement"] == pytest.approx(float(amplitude), rel=1e-15)
    period = 2 * mp.pi / mp.mpf(case.inputs["tangential_load"].omega)
    end = case.experiment.stop_time
    return {
        ("relative_displacement", end): amplitude,
        ("relative_velocity", end): mp.mpf(0),
        ("wear_work", (0.75 * end, end)): 4 * amplitude * force / period,
    }


def steady_orbit(omega, friction):
    """Return amplitude and phase of the cosine of the load, for m = k = F = 1."""
    gain = 1 / (1 - omega**2)
    lag = friction * mp.tan(mp.pi / (2 * omega))
    phase = mp.asin(-lag / (gain * omega))
    if gain < 0:
        phase = mp.pi - phase
    return gain * mp.cos(phase), phase


def moving_belt(case):
    """Slips of V T start every T. The first starts when the spring reaches static friction."""
    p = parameters_of(case)
    load = case.inputs["tangential_load"]
    rate = -mp.mpf(load.value[-1]) / mp.mpf(load.time[-1])
    frequency = mp.sqrt(p["stiffness"] / p["mass"])
    speed = rate / p["stiffness"]
    force = p["mass"] * p["gravity"]
    drop = (p["friction_coefficient_static"] - p["friction_coefficient"]) * force / p["stiffness"]
    slip = 2 * (mp.pi - mp.atan(drop * frequency / speed)) / frequency
    period = slip + 2 * drop / speed
    begin = p["friction_coefficient_static"] * force / rate
    values = {}
    for time, slips in ((10.5, 1), (84.0, 10), (85.0, 11), (91.0, 11)):
        assert begin + (slips - 1) * period < time < begin + slips * period
        values["slip_count", time] = mp.mpf(slips)
        if time > begin + (slips - 1) * period + slip:
            values["relative_displacement", time] = -slips * speed * period
            values["wear_work", time] = slips * speed * period * force
    assert float(period) == pytest.approx(8.068887871591, abs=1e-12)
    return values


def bilinear_vibration(case):
    """Free and pressed arcs are harmonic. The phase of each grid time in the period is exact."""
    p = parameters_of(case)
    k, gap, v = p["normal_stiffness"], p["initial_gap"], -p["initial_normal_velocity"]
    free, pressed = mp.sqrt(k), mp.sqrt(k + p["contact_stiffness"])
    reach = mp.asin(gap * free / v) / free
    touch = v * mp.cos(free * reach)
    below = k * gap / pressed**2
    contact = 2 * (mp.pi / 2 - mp.atan(below * pressed / touch)) / pressed
    period = mp.pi / free + 2 * reach + contact
    values = {}
    for time in (0.3, 50.0, 154.0):
        number, phase = divmod(mp.mpf(time), period)
        if phase < reach:
            place, speed = -v / free * mp.sin(free * phase), -v * mp.cos(free * phase)
        elif phase < reach + contact:
            tau = pressed * (phase - reach)
            place = below - gap - below * mp.cos(tau) - touch / pressed * mp.sin(tau)
            speed = below * pressed * mp.sin(tau) - touch * mp.cos(tau)
        else:
            tau = free * (phase - period)
            place, speed = -v / free * mp.sin(tau), -v * mp.cos(tau)
        values["gap", time] = place + gap
        values["gap_velocity", time] = speed
        values["shock_count", time] = number + (phase > reach)
    return values, 1 / period


def newmark_pulse(case):
    """A pulse A over t0 causes a slip of A t0/(μ g) and A t0² (A/(μ g) − 1)/2."""
    p = parameters_of(case)
    pulse = case.inputs["base_acceleration"]
    push, lasts = mp.mpf(pulse.value[0]), mp.mpf(pulse.time[1])
    slope = case.inputs.get("tangential_load")
    down = mp.mpf(slope.value) / p["mass"] if slope else mp.mpf(0)
    grip = p["friction_coefficient"] * p["gravity"]
    faster, slower = abs(push) + down - grip, grip - down
    side = -mp.sign(push)
    stops = lasts * (1 + faster / slower)
    total = faster * lasts**2 / 2 + (faster * lasts) ** 2 / (2 * slower)
    values = {
        ("relative_velocity", float(lasts)): side * faster * lasts,
        ("relative_displacement", case.experiment.stop_time): side * total,
        ("wear_work", case.experiment.stop_time): total * p["mass"] * p["gravity"],
    }
    before = int(stops * 20 - 0.5) / 20
    left = stops - mp.mpf(before)
    values["relative_velocity", before] = side * slower * left
    values["contact_mode", case.experiment.stop_time] = mp.mpf(1)
    return values


def dropped_contact(case):
    """Drop on a contact K, C without tension. The contact ends at the first zero of K p + C ṗ."""
    p = parameters_of(case)
    m, k, c, g = (
        p["mass"],
        p["contact_stiffness"],
        p.get("contact_damping", mp.mpf(0)),
        p["gravity"],
    )
    speed, gap = -p.get("initial_normal_velocity", mp.mpf(0)), p["initial_gap"]
    touch_speed = mp.sqrt(speed**2 + 2 * g * gap)
    touch = 2 * gap / (speed + touch_speed)
    decay = c / (2 * m)
    omega = mp.sqrt(k / m - decay**2)
    slope = (touch_speed - decay * m * g / k) / omega

    def depth(t):
        return m * g / k - mp.exp(-decay * t) * (
            m * g / k * mp.cos(omega * t) - slope * mp.sin(omega * t)
        )

    def sinking(t):
        return mp.diff(depth, t)

    turn = (mp.pi / 2 + mp.atan(g / (touch_speed * omega))) / omega
    deepest = mp.findroot(sinking, (0, 2 * turn), solver="anderson")
    leave = mp.findroot(
        lambda t: k * depth(t) + c * sinking(t), (deepest, 2.2 * turn), solver="anderson"
    )
    rise = -sinking(leave)
    values = {}
    end = case.experiment.stop_time
    for time in (0.5 * end, 0.75 * end, end):
        after = mp.mpf(time) - touch
        if after < leave:
            values["gap", time], values["gap_velocity", time] = -depth(after), -sinking(after)
        else:
            after -= leave
            values["gap", time] = rise * after - g * after**2 / 2 - depth(leave)
            values["gap_velocity", time] = rise - g * after
    return values, (touch_speed, touch, depth(deepest))


def jenkins(case):
    """Each cycle of ±X dissipates 4 F_N (X − μ F_N/K_T)."""
    p = parameters_of(case)
    force = p["contact_stiffness"] * -mp.mpf(case.inputs["imposed_displacement_x"].value)
    reach = max(map(mp.mpf, case.inputs["imposed_displacement_y"].value))
    grip = p["friction_coefficient"] * force
    limit = grip / p["tangential_stiffness"]
    cycle = 4 * force * (reach - limit)
    return {
        ("wear_work", 1.0): force * (reach - limit),
        ("wear_work", 5.0): force * (reach - limit) + cycle,
        ("wear_work", 9.0): force * (reach - limit) + 2 * cycle,
        ("slip_y", 9.0): reach - limit,
        ("normal_force", 9.0): force,
    }


def ball_on_shaken_table(case):
    """After whole periods, gap and velocity return. Each impact has the impulse m g T."""
    p = parameters_of(case)
    table = case.inputs["base_acceleration_normal"]
    omega = mp.mpf(table.omega)
    period, speed = 2 * mp.pi / omega, mp.mpf(table.amplitude) / omega
    rise = p["gravity"] * period / 2
    table_speed = rise * (1 - p["restitution"]) / (1 + p["restitution"])
    phase = mp.acos(table_speed / speed)
    assert table.phase == pytest.approx(float(phase), rel=1e-14)
    gap = 2 * speed / omega * mp.sin(phase) + rise * period / 4
    assert p["initial_normal_displacement"] == pytest.approx(float(gap), rel=1e-14)
    end = case.experiment.stop_time
    return {
        ("gap", end): gap,
        ("gap_velocity", end): table_speed,
        ("impact_impulse", (end / 2, end)): 2 * p["mass"] * rise / period,
        ("shock_count", end): mp.nint(end / period),
    }


CASES = {
    "den_hartog": den_hartog,
    "moving_belt": moving_belt,
    "bilinear_vibration": lambda case: bilinear_vibration(case)[0],
    "newmark_pulse": newmark_pulse,
    "slope_pulse": newmark_pulse,
    "jenkins": jenkins,
    "sdnd108_a": lambda case: dropped_contact(case)[0],
    "sdnd108_b": lambda case: dropped_contact(case)[0],
    "dropped_on_spring": lambda case: dropped_contact(case)[0],
    "ball_on_shaken_table": ball_on_shaken_table,
    **impact_cases.CASES,
    **friction_cases.CASES,
    **structure_cases.CASES,
}


@pytest.mark.parametrize("name", CASES)
def test_the_expected_numbers_are_those_of_the_closed_forms(name):
    case = load_case(case_file(name))
    values = CASES[name](case)
    assert len(case.expectations) == len(values)
    for expectation in case.expectations:
        place = getattr(expectation, "window", None) or expectation.time
        exact = float(values[expectation.variables[0], place])
        assert expectation.value == pytest.approx(exact, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize(
    ("ratio", "friction", "amplitude"),
    [
        (0.8, 0.3, 2.626104875723),
        (1.25, 0.4, 1.480049696925),
        (2.0, 0.1, 0.329561998888),
        (0.7, 0.2, 1.927774517940),
    ],
)
def test_the_steady_amplitude_is_den_hartogs(ratio, friction, amplitude):
    assert float(steady_orbit(mp.mpf(ratio), mp.mpf(friction))[0]) == pytest.approx(
        amplitude, abs=1e-12
    )


def test_the_frequency_of_the_bilinear_vibration_is_that_of_sdnd122():
    frequency = bilinear_vibration(load_case(case_file("bilinear_vibration")))[1]
    assert float(frequency) == pytest.approx(0.646631040639837, rel=1e-12)


def test_the_dropped_mass_has_the_printed_values_of_vm65():
    touch_speed, touch, depth = dropped_contact(load_case(case_file("dropped_on_spring")))[1]
    assert float(touch_speed) == pytest.approx(27.785, abs=5e-4)
    assert float(touch) == pytest.approx(0.071982, abs=5e-7)
    assert float(1 + depth) == pytest.approx(1.5506, abs=1e-4)


def test_the_circle_of_the_pendulum_has_the_radius_of_rigid_friction():
    """√(a² − μ²g²)/|g/R − ω²|, to the digits of the published value."""
    radius = structure_cases.rotating_pendulum(load_case(case_file("rotating_pendulum")))[1]
    assert float(radius) == pytest.approx(0.119323643, abs=2e-9)
