"""Closed forms of shipped cases with friction, at 30 digits.

Each function returns the values of a case by variable and time, or by variable and window. They
are computed from the parameters of the case.
"""

from __future__ import annotations

import mpmath as mp

from .impact_cases import amplitude_of, is_close, parameters_of
from .independent_oscillator import Oscillator, first_root

mp.mp.dps = 30


def blade_damper(case):
    """An oscillator with a spring k_d in series with a slider. The solution consists of arcs."""
    p = parameters_of(case)
    load = case.inputs["tangential_load"]
    drive = amplitude_of(case, "tangential_load"), mp.mpf(load.omega), mp.mpf(load.phase)
    m, c, k, spring = p["mass"], p["damping"], p["stiffness"], p["tangential_stiffness"]
    force = m * p["gravity"]
    grip = p["friction_coefficient"] * force
    time, end = mp.mpf(0), mp.mpf(case.experiment.stop_time)
    u = v = anchor = slid = mp.mpf(0)
    side, slips = 0, 0
    while True:
        pieces = max(4, int(50 * (end - time)))
        if side == 0:
            stuck = Oscillator(m, c, k + spring, 0.0, 0.0, *drive, offset=spring * anchor)
            motion = stuck.slip(time, u, v, 0)

            def border(t, of=motion, anchor=anchor):
                return abs(spring * (of(t) - anchor)) - grip

        else:
            motion = Oscillator(m, c, k, grip, grip, *drive).slip(time, u, v, side)

            def border(t, of=motion):
                return of(t, 1)

        changes = first_root(border, time, end, pieces)
        after = end if changes is None else changes
        if side:
            slid += abs(motion(after) - u)
            anchor = motion(after) - side * grip / spring
        time, u, v = after, motion(after), motion(after, 1)
        if changes is None:
            break
        side = 0 if side else int(mp.sign(v))
        slips += side != 0
    return {
        ("relative_displacement", float(end)): u,
        ("relative_velocity", float(end)): v,
        ("wear_work", float(end)): force * slid,
        ("slip_count", float(end)): mp.mpf(slips),
    }


def dither(case):
    """Fast vibration turns friction into drag. The values are for a period of steady drift."""
    p = parameters_of(case)
    shaking = case.inputs["base_acceleration"]
    omega = mp.mpf(shaking.omega)
    fast = mp.mpf(shaking.amplitude) / omega
    grip = p["friction_coefficient"] * p["gravity"]
    push = mp.mpf(case.inputs["tangential_load"].value) / p["mass"]
    assert is_close(shaking.phase, mp.pi / 2)
    period = 2 * mp.pi / omega
    backward = period * (1 - push / grip) / 2

    def miss(angle):
        gain = mp.sin(angle + omega * backward) - mp.sin(angle)
        return fast * gain - (push + grip) * backward

    # u̇ = W(t) − b sin ω t with W' = push − s grip. After a period the drift W has the same value.
    first = mp.findroot(miss, (mp.pi - omega * backward) / 2) / omega
    second = first + backward
    start = fast * mp.sin(omega * first) - (push - grip) * first
    assert is_close(p["initial_velocity"], start)

    def moved(begin, end, drift, rate):
        turned = mp.cos(omega * end) - mp.cos(omega * begin)
        lasts = end - begin
        return drift * lasts + rate * lasts**2 / 2 + fast / omega * turned

    drifts = start, fast * mp.sin(omega * first), fast * mp.sin(omega * second)
    parts = (
        moved(0, first, drifts[0], push - grip),
        moved(first, second, drifts[1], push + grip),
        moved(second, period, drifts[2], push - grip),
    )
    assert parts[0] > 0 > parts[1]
    end = case.experiment.stop_time
    assert end == float(period)
    return {
        ("relative_displacement", end): sum(parts),
        ("relative_velocity", end): start,
        ("wear_work", end): p["mass"] * p["gravity"] * sum(map(abs, parts)),
        ("slip_count", end): mp.mpf(2),
    }


def conveyor(case):
    """A body on an obliquely vibrating plane, with stick and slip in both directions."""
    p = parameters_of(case)
    along, across = case.inputs["base_acceleration"], case.inputs["base_acceleration_normal"]
    omega = mp.mpf(along.omega)
    push, press = -mp.mpf(along.amplitude), mp.mpf(across.amplitude)
    g, friction = p["gravity"], p["friction_coefficient"]
    assert abs(press) < g

    def excess(t):
        return abs(push * mp.sin(omega * t)) - friction * (g + press * mp.sin(omega * t))

    time, end = mp.mpf(0), mp.mpf(case.experiment.stop_time)
    u = work = v = mp.mpf(0)
    side, slips = 0, 0
    while time < end:
        pieces = max(8, int(2000 * (end - time)))
        if side == 0:
            begins = time if excess(time) > 0 else first_root(excess, time, end, pieces)
            if begins is None:
                break
            time, side = begins, int(mp.sign(push * mp.sin(omega * begins)))
            slips += 1
        rate, steady = push - side * friction * press, side * friction * g

        def speed(t, t0=time, v0=v, rate=rate, steady=steady):
            turned = mp.cos(omega * t0) - mp.cos(omega * t)
            return v0 + rate / omega * turned - steady * (t - t0)

        def pressed(t, of=speed):
            return p["mass"] * (g + press * mp.sin(omega * t)) * abs(of(t))

        stops = first_root(speed, time, end, pieces) or end
        u += mp.quad(speed, [time, stops])
        work += mp.quad(pressed, [time, stops])
        time, v = stops, speed(stops) if stops == end else mp.mpf(0)
        turns = excess(stops) > 0 and stops < end
        side = int(mp.sign(push * mp.sin(omega * stops))) if turns else 0
        slips += turns
    return {
        ("relative_displacement", float(end)): u,
        ("relative_velocity", float(end)): v,
        ("wear_work", float(end)): work,
        ("slip_count", float(end)): mp.mpf(slips),
    }


def triangular_pulse(case):
    """A pulse that rises to A in t_p and falls to 0 in t_p. Each part of the slip is a parabola."""
    p = parameters_of(case)
    pulse = case.inputs["base_acceleration"]
    peak, lasts = mp.mpf(pulse.value[1]), mp.mpf(pulse.time[1])
    grip = p["friction_coefficient"] * p["gravity"]
    slope, share = peak / lasts, grip / peak
    rises = lasts * (1 - share)
    # Three parts: from yield to peak, from the peak to the end of the pulse, and until rest.
    speeds = [slope * rises**2 / 2]
    speeds.append(speeds[0] + (peak - grip) * lasts - slope * lasts**2 / 2)
    assert speeds[1] > 0
    places = [slope * rises**3 / 6]
    places.append(
        places[0] + speeds[0] * lasts + (peak - grip) * lasts**2 / 2 - slope * lasts**3 / 6
    )
    total = places[1] + speeds[1] ** 2 / (2 * grip)
    end = case.experiment.stop_time
    assert 2 * lasts + speeds[1] / grip < end
    return {
        ("relative_velocity", float(lasts)): -speeds[0],
        ("relative_displacement", float(lasts)): -places[0],
        ("relative_velocity", float(2 * lasts)): -speeds[1],
        ("relative_displacement", float(2 * lasts)): -places[1],
        ("relative_displacement", end): -total,
        ("wear_work", end): p["mass"] * p["gravity"] * total,
        ("contact_mode", end): mp.mpf(1),
    }


def varying_load(case):
    """A Jenkins element. Its normal load and its displacement have different phases."""
    p = parameters_of(case)
    across, along = (case.inputs[f"imposed_displacement_{axis}"] for axis in "xy")
    omega = mp.mpf(along.omega)
    assert across.omega == along.omega
    size, friction = mp.mpf(along.amplitude), p["friction_coefficient"]
    spring = p["tangential_stiffness"]

    def load(t):
        turned = mp.mpf(across.amplitude) * mp.sin(omega * t + mp.mpf(across.phase))
        return -p["contact_stiffness"] * (mp.mpf(across.offset) + turned)

    def load_rate(t):
        turned = mp.mpf(across.amplitude) * mp.cos(omega * t + mp.mpf(across.phase))
        return -p["contact_stiffness"] * omega * turned

    def place(t):
        return size * mp.sin(omega * t)

    def slip_rate(t, side):
        return size * omega * mp.cos(omega * t) - side * friction * load_rate(t) / spring

    time, end = mp.mpf(0), mp.mpf(case.experiment.stop_time)
    anchor, work, side = mp.mpf(0), mp.mpf(0), 0
    half = end / 2
    values = {}
    while time < end:
        until = half if time < half else end
        pieces = max(8, int(200 * (until - time)))
        if side == 0:

            def border(t, anchor=anchor):
                return abs(spring * (place(t) - anchor)) - friction * load(t)

            after = first_root(border, time, until, pieces)
            if after is not None:
                side = int(mp.sign(place(after) - anchor))
        else:
            after = first_root(lambda t, of=side: slip_rate(t, of), time, until, pieces)
            stop = until if after is None else after
            work += mp.quad(lambda t, of=side: load(t) * abs(slip_rate(t, of)), [time, stop])
            anchor = place(stop) - side * friction * load(stop) / spring
            side = 0 if after is not None else side
        time = until if after is None else after
        if time == half:
            values["wear_work", float(half)] = work
    values["wear_work", float(end)] = work
    values["slip_y", float(end)] = anchor
    values["normal_force", float(end)] = load(end)
    return values


CASES = {
    "blade_damper": blade_damper,
    "dither": dither,
    "conveyor": conveyor,
    "triangular_pulse": triangular_pulse,
    "varying_load": varying_load,
}
