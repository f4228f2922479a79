"""Closed forms of shipped cases with impacts, at 30 digits.

Each function returns the values of a case by variable and time, or by variable and window. They
are computed from the parameters of the case.
"""

from __future__ import annotations

from dataclasses import replace

import mpmath as mp

from .independent_oscillator import Oscillator, first_root

mp.mp.dps = 30


def parameters_of(case):
    """Return the parameters of a case, with numbers as exact numbers."""
    return {
        name: mp.mpf(value) if isinstance(value, (int, float)) else value
        for name, value in case.parameters.items()
    }


def is_close(number, exact):
    """Whether a number of a case file is equal to an exact number, except for rounding."""
    return abs(mp.mpf(number) - exact) <= mp.mpf("1e-15") * abs(exact) + mp.mpf("1e-17")


def amplitude_of(case, name):
    """Return the amplitude of the sine input as the model receives it.

    With `input_timing` end, the input is linearly interpolated between the samples. This reduces
    the sine by (sin x/x)², x = ω h/2, and adds harmonics of 1/h with about (ω h)²/12 of the
    amplitude.
    """
    sine = case.inputs[name]
    amplitude = mp.mpf(sine.amplitude)
    if case.parameters.get("input_timing") == "end":
        turn = mp.mpf(sine.omega) * mp.mpf(case.experiment.step_size) / 2
        amplitude *= (mp.sin(turn) / turn) ** 2
    return amplitude


def dashpot_release(case):
    """Impact on a spring and a dashpot: e = exp(−ξ (π − atan2(2ξw, 1 − 2ξ²))/w), w² = 1 − ξ²."""
    p = parameters_of(case)
    m, k, c = p["mass"], p["contact_stiffness"], p["contact_damping"]
    speed, gap = -p["initial_normal_velocity"], p["initial_gap"]
    frequency, ratio, lasts = contact_without_pull(m, k, c)
    rest = mp.exp(-ratio * frequency * lasts)
    turn = frequency * mp.sqrt(1 - ratio**2)

    def depth(t):
        return speed * mp.exp(-ratio * frequency * t) * mp.sin(turn * t) / turn

    touch = gap / speed
    values = {}
    for time in (0.12, 0.16):
        values["gap", time] = -depth(mp.mpf(time) - touch)
        values["gap_velocity", time] = -mp.diff(depth, mp.mpf(time) - touch)
        assert touch < time < touch + lasts
    end = case.experiment.stop_time
    values["gap", end] = rest * speed * (mp.mpf(end) - touch - lasts) - depth(lasts)
    values["gap_velocity", end] = rest * speed
    values["contact_damping_work", end] = m * speed**2 * (1 - rest**2) / 2
    return values


def contact_without_pull(mass, stiffness, damping):
    """Return frequency, damping ratio and duration of a contact that ends at zero force."""
    frequency = mp.sqrt(stiffness / mass)
    ratio = damping / (2 * mp.sqrt(stiffness * mass))
    root = mp.sqrt(1 - ratio**2)
    angle = mp.pi - mp.atan2(2 * ratio * root, 1 - 2 * ratio**2)
    return frequency, ratio, angle / (root * frequency)


def bilinear_without_gap(case):
    """Half sines with √(k/m) in flight and √((k + K)/m) in contact, of equal speed at the stop."""
    p = parameters_of(case)
    speed = -p["initial_normal_velocity"]
    free, period = bilinear_period(p["mass"], p["normal_stiffness"], p["contact_stiffness"])
    pressed = mp.pi / (period - mp.pi / free)
    values = {}
    for time in (0.3, 70.0, 140.0):
        number, phase = divmod(mp.mpf(time), period)
        contact = phase < mp.pi / pressed
        angle = pressed * phase if contact else free * (phase - mp.pi / pressed)
        rate, side = (pressed, -1) if contact else (free, 1)
        values["gap", time] = side * speed / rate * mp.sin(angle)
        values["gap_velocity", time] = side * speed * mp.cos(angle)
        values["shock_count", time] = number + 1
    return values


def bilinear_period(mass, free, stop):
    """Return the angular frequency in flight and the period."""
    rate = mp.sqrt(free / mass)
    return rate, mp.pi / rate + mp.pi * mp.sqrt(mass / (free + stop))


def impact_pair(case):
    """A mass flies between two vibrating walls and hits each wall once per period."""
    p = parameters_of(case)
    shaking = case.inputs["base_acceleration_normal"]
    omega = mp.mpf(shaking.omega)
    amplitude = mp.mpf(shaking.amplitude) / omega**2
    play, mass, rest = p["plane_half_spacing"], p["mass"], p["restitution"]
    angle, speed, impulse = pair_orbit(amplitude, omega, rest, play)
    # At t = 0 the walls are at A sin 5π/2, between the impacts at θ + π and θ + 2π.
    turn = 5 * mp.pi / 2
    assert angle + mp.pi < turn < angle + 2 * mp.pi
    flown = speed * (turn - angle - mp.pi) / omega
    gap = flown - amplitude * mp.sin(angle) - amplitude * mp.sin(turn)
    assert is_close(p["initial_normal_displacement"], gap)
    assert is_close(p["initial_normal_velocity"], speed)
    assert is_close(shaking.phase, -mp.pi / 2)
    end = case.experiment.stop_time
    shocks = 2 * mp.nint(end * omega / (2 * mp.pi))
    nearer = min(gap, 2 * play - gap)
    return {
        ("gap", end): nearer,
        ("gap_velocity", end): speed if nearer == gap else -speed,
        ("impact_impulse", (end / 2, end)): mass * impulse * shocks / mp.mpf(end),
        ("shock_count", end): shocks,
    }


def pair_orbit(amplitude, omega, rest, play):
    """Return the phase θ of the upper wall at impact, the speed V, and the impulse of 1 kg."""
    share = (1 - rest) / (1 + rest) * 2 / mp.pi
    # cos θ + share sin θ = −share d/A. The larger of the two solutions in (0, 2π) is unstable.
    angle = mp.atan(share) + mp.acos(-share * play / amplitude / mp.sqrt(1 + share**2))
    speed = 2 * omega / mp.pi * (amplitude * mp.sin(angle) + play)
    return angle, speed, (1 + rest) * (speed - amplitude * omega * mp.cos(angle))


def multipliers(step, angle, speed):
    """Return the eigenvalues of a map (phase, speed) → (phase, speed), the larger one first."""

    def derivative(row, column):
        def moved(shift):
            place = [angle, speed]
            place[column] += shift
            return step(*place)[row]

        small = mp.mpf("1e-10")
        return (moved(small) - moved(-small)) / (2 * small)

    matrix = mp.matrix([[derivative(row, column) for column in range(2)] for row in range(2)])
    return sorted(mp.eig(matrix)[0], key=abs, reverse=True)


def pair_map(amplitude, omega, rest, play):
    """Return the map from an impact to the next, in coordinates mirrored at each impact."""

    def step(angle, speed):
        def miss(t):
            moved = amplitude * (mp.sin(angle + omega * t) - mp.sin(angle))
            return speed * t - 2 * play - moved

        time = mp.findroot(miss, mp.pi / omega)
        arrival = angle + omega * time
        wall = amplitude * omega * mp.cos(arrival)
        return arrival - mp.pi, rest * speed - (1 + rest) * wall

    return step


def shaken_table_map(amplitude, omega, rest, gravity):
    """Return the map from an impact on a table moving as a sin ωt to the impact a period later."""

    def step(angle, speed):
        def miss(t):
            moved = amplitude * (mp.sin(angle + omega * t) - mp.sin(angle))
            return speed * t - gravity * t**2 / 2 - moved

        time = mp.findroot(miss, 2 * mp.pi / omega)
        arrival = angle + omega * time
        table = amplitude * omega * mp.cos(arrival)
        return arrival - 2 * mp.pi, (1 + rest) * table - rest * (speed - gravity * time)

    return step


def ball_on_shaken_table_alternating(case):
    """After the first period doubling, the flights of the ball alternate between two lengths."""
    p = parameters_of(case)
    table = case.inputs["base_acceleration_normal"]
    omega = mp.mpf(table.omega)
    amplitude = mp.mpf(table.amplitude) / omega**2
    step = shaken_table_map(amplitude, omega, p["restitution"], p["gravity"])
    leaving = p["gravity"] * mp.pi / omega

    def returns(angle, speed):
        again, faster = step(*step(angle, speed))
        return again - angle, faster - speed

    angle, speed = mp.findroot(returns, (mp.mpf("0.45"), leaving * mp.mpf("1.15")))
    other, slower = step(angle, speed)
    assert abs(speed - slower) > leaving / 10
    # At t = 0 the table is at its highest point, shortly after an impact of the second kind.
    turn = mp.pi / 2
    flown = (turn - other) / omega
    gap = amplitude * (mp.sin(other) - mp.sin(turn)) + slower * flown - p["gravity"] * flown**2 / 2
    rate = slower - p["gravity"] * flown
    assert is_close(p["initial_normal_displacement"], gap)
    assert is_close(p["initial_normal_velocity"], rate)
    assert is_close(table.phase, -mp.pi / 2)
    impulses = []
    for phase, speed_after in ((angle, speed), (other, slower)):
        wall = amplitude * omega * mp.cos(phase)
        impulses.append(p["mass"] * (1 + 1 / p["restitution"]) * (speed_after - wall))
    period, end = 2 * mp.pi / omega, case.experiment.stop_time
    return {
        ("impact_impulse", (0.2, 0.3)): impulses[0] / period,
        ("impact_impulse", (0.3, 0.4)): impulses[1] / period,
        ("gap", end): gap,
        ("gap_velocity", end): rate,
        ("shock_count", end): mp.nint(end / period),
    }


def oscillator_at_a_stop(case):
    """Return the oscillator of a case along w, its restitution and its gap."""
    p = parameters_of(case)
    sine = case.inputs["base_acceleration_normal"]
    return (
        Oscillator(
            mass=p["mass"],
            damping=p["normal_damping"],
            stiffness=p["normal_stiffness"],
            friction=0.0,
            static=0.0,
            amplitude=-p["mass"] * amplitude_of(case, "base_acceleration_normal"),
            omega=mp.mpf(sine.omega),
            phase=mp.mpf(sine.phase),
        ),
        p["restitution"],
        p["initial_gap"],
    )


def strikes(oscillator, rest, gap, end, place, speed):
    """Return position and speed at the end, and time and speed of each impact at w = −gap."""
    time, impacts, end = mp.mpf(0), [], mp.mpf(end)
    while True:
        motion = oscillator.slip(time, place, speed, 0)
        hits = first_root(
            lambda t, of=motion: of(t) + gap, time, end, max(4, int(100 * (end - time)))
        )
        if hits is None:
            return motion(end), motion(end, 1), impacts
        time, place, speed = hits, -gap, -rest * motion(hits, 1)
        impacts.append((hits, speed / rest))


def struck_oscillator(case, place, speed):
    """Return the values of a case with an oscillator at a stop, from the given initial state."""
    p = parameters_of(case)
    oscillator, rest, gap = oscillator_at_a_stop(case)
    assert is_close(p["initial_normal_displacement"], place)
    assert is_close(p["initial_normal_velocity"], speed)
    end = case.experiment.stop_time
    place, speed, impacts = strikes(oscillator, rest, gap, end, place, speed)
    return {
        ("gap", end): place + gap,
        ("gap_velocity", end): speed,
        ("impact_impulse", end): p["mass"] * (1 + rest) * sum(speed for _, speed in impacts),
        ("shock_count", end): mp.mpf(len(impacts)),
    }, impacts


def grazing(case):
    """The start is the steady vibration without a stop. The first impact is at aω √(1 − (d/a)²)."""
    oscillator, _, gap = oscillator_at_a_stop(case)
    amplitude, place, speed = steady_vibration(oscillator)
    values, impacts = struck_oscillator(case, place, speed)
    exact = amplitude * oscillator.omega * mp.sqrt(1 - (gap / amplitude) ** 2)
    assert abs(impacts[0][1] - exact) < mp.mpf("1e-25")
    return values


def steady_vibration(oscillator):
    """Return amplitude, position and speed at t = 0 of the steady vibration without a stop."""
    motion = oscillator.slip(mp.mpf(0), mp.mpf(0), mp.mpf(0), 0)
    late = 4000 * mp.pi / oscillator.omega
    place, speed = motion(late), motion(late, 1)
    return mp.hypot(place, speed / oscillator.omega), place, speed


def periodic_strike(oscillator, rest, gap, periods):
    """Return load phase and speed at the impact of a periodic orbit, and its multiplier.

    The forced part is the same after the periods. Therefore the free part loses (1 + e) v during
    the periods. This determines the free part as v q. The amplitude of the forced part is then a
    quadratic equation for v.
    """
    m, c, k, w = map(
        mp.mpf, (oscillator.mass, oscillator.damping, oscillator.stiffness, oscillator.omega)
    )
    turn = 2 * mp.pi * periods / w
    step = mp.expm(mp.matrix([[0, turn], [-k / m * turn, -c / m * turn]]))
    place, speed = -(1 + rest) * ((step - mp.eye(2)) ** -1 * mp.matrix([0, 1]))
    response = mp.mpf(oscillator.amplitude) / mp.mpc(k - m * w**2, c * w)
    square, half = place**2 + ((rest - speed) / w) ** 2, gap * place
    struck = (mp.sqrt(half**2 - square * (gap**2 - abs(response) ** 2)) - half) / square
    forced = -gap - struck * place, struck * (rest - speed)
    phase = mp.atan2(forced[0], forced[1] / w) - mp.arg(response)

    def again(phase, speed):
        motion = replace(oscillator, phase=phase).slip(mp.mpf(0), -gap, rest * speed, 0)
        near = mp.mpf("1e-6")
        time = mp.findroot(lambda t: motion(t) + gap, (turn - near, turn + near))
        return phase + w * (time - turn), -motion(time, 1)

    later, faster = again(phase, struck)
    assert abs(later - phase) + abs(faster - struck) < mp.mpf("1e-12")
    return phase, struck, abs(multipliers(again, phase, struck)[0])


def shaw_holmes(case):
    """One impact in two periods of the load. The impact velocity determines the orbit."""
    oscillator, rest, gap = oscillator_at_a_stop(case)
    phase, speed, multiplier = periodic_strike(oscillator, rest, gap, periods=2)
    assert abs(multiplier) < mp.mpf("0.95")
    shift = (mp.mpf(oscillator.phase) - phase) / oscillator.omega
    turn = 4 * mp.pi / oscillator.omega
    motion = oscillator.slip(-mp.fmod(shift + turn, turn), -gap, rest * speed, 0)
    values, impacts = struck_oscillator(case, motion(mp.mpf(0)), motion(mp.mpf(0), 1))
    assert all(abs(each - speed) < mp.mpf("1e-20") for _, each in impacts)
    return values


CASES = {
    "dashpot_release": dashpot_release,
    "bilinear_without_gap": bilinear_without_gap,
    "impact_pair": impact_pair,
    "ball_on_shaken_table_alternating": ball_on_shaken_table_alternating,
    "grazing_impact": grazing,
    "shaw_holmes": shaw_holmes,
}
