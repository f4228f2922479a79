"""Programs with scipy's `solve_ivp`: a call for each phase, ended by terminal events."""

from __future__ import annotations

import math

import ball as b
import numpy as np
import shoe as s
from scipy.integrate import solve_ivp
from serve import serve

# Speed [m/s], as `ball.SLOW`. In shorter flights the search for the event fails by rounding.
SLOW = 1e-6


def _event(function, direction=0):
    function.terminal = True
    function.direction = direction
    return function


def shoe(setting, data):
    amplitude = setting["amplitude"]
    options = {"method": setting["method"], "rtol": setting["rtol"], "atol": 1e-3 * setting["rtol"]}

    def support(time):
        return amplitude * math.sin(s.OMEGA * time)

    def slip(time, state, direction):
        return [-support(time) - direction * s.LIMIT, s.NORMAL_FORCE * direction * state[0]]

    arrest = _event(lambda time, state, direction: direction * state[0], -1)

    def run():
        time, state, direction = 0.0, [0.0, 0.0], 0.0
        work = []
        for stop in (s.WINDOW_START, s.WINDOW_END):
            while time < stop:
                if not direction:
                    time = min(stop, s.breakaway(amplitude, time))
                    direction = -math.copysign(1.0, support(time))
                    continue
                # Steps must be shorter than a slip, because events are located by sign changes
                # between steps.
                solution = solve_ivp(
                    slip, (time, stop), state, events=arrest, args=(direction,),
                    max_step=0.02, **options,
                )  # fmt: skip
                time, state = float(solution.t[-1]), [float(v) for v in solution.y[:, -1]]
                if solution.status == 1:
                    state[0] = 0.0
                    is_stuck = abs(support(time)) <= s.LIMIT
                    direction = 0.0 if is_stuck else -math.copysign(1.0, support(time))
            work.append(state[1])
        return [s.mean_power(*work)]

    return run


def ball(setting, data):
    options = {"method": setting["method"], "rtol": setting["rtol"], "atol": 1e-3 * setting["rtol"]}
    impact = _event(lambda time, state: state[0], -1)

    def flight(time, state):
        return [state[1], -b.GRAVITY]

    def run():
        time, state, impulse, rests, gaps = 0.0, [b.HEIGHT, 0.0], 0.0, False, []
        for stop in b.TIMES:
            while time < stop and not rests:
                solution = solve_ivp(flight, (time, stop), state, events=impact, **options)
                time, state = float(solution.t[-1]), [float(v) for v in solution.y[:, -1]]
                if solution.status == 1:
                    impulse -= b.MASS * (1.0 + b.RESTITUTION) * state[1]
                    state = [0.0, -b.RESTITUTION * state[1]]
                    if state[1] < SLOW:
                        rests = True
                        impulse += b.remaining_impulse(state[1])
            gaps.append(0.0 if rests else state[0])
        return [*gaps[:-1], impulse]

    return run


def tube(setting, data):
    stiffness, damping, shapes, drives, laws, samples, observed = (
        np.array(data[name])
        for name in ("stiffness", "damping", "shapes", "drives", "laws", "samples", "observed")
    )
    modes, contacts = len(stiffness), len(laws)
    first, second = shapes[0::3], shapes[1::3]
    gap, normal, tangential, damper, friction, offset_1, offset_2 = laws.T
    options = {"method": setting["method"], "rtol": setting["rtol"], "atol": setting["rtol"] * 1e-6}
    step = data["sample_step"]

    def contact(state):
        """Return penetration, normal, held force and spring force of all contacts."""
        q, v, stretch = state[:modes], state[modes : 2 * modes], state[2 * modes :]
        x_1, x_2 = offset_1 + first @ q, offset_2 + second @ q
        radius = np.sqrt(x_1 * x_1 + x_2 * x_2)
        n_1, n_2 = x_1 / radius, x_2 / radius
        pull = tangential * stretch
        held = -pull - damper * ((second @ v) * n_1 - (first @ v) * n_2)
        return radius - gap, n_1, n_2, held, pull

    def rates(time, state, line, closed, stuck, direction):
        depth, n_1, n_2, held, pull = contact(state)
        force = np.where(closed, normal * depth, 0.0)
        rubbing = np.where(stuck, held, direction * friction * force)
        q, v = state[:modes], state[modes : 2 * modes]
        a = (line[0] + line[1] * time) @ drives - damping * v - stiffness * q
        a += (rubbing * n_1 - force * n_2) @ second - (force * n_1 + rubbing * n_2) @ first
        return np.concatenate([v, a, np.where(closed, -(pull + rubbing) / damper, 0.0)])

    def touch(i):
        return _event(lambda time, state, *_: contact(state)[0][i])

    def turn(i):
        def at_limit(time, state, line, closed, stuck, direction):
            if not closed[i]:
                return 1.0
            depth, _, _, held, _ = contact(state)
            return abs(held[i]) - friction[i] * normal[i] * depth[i]

        return _event(at_limit)

    events = [touch(i) for i in range(contacts)] + [turn(i) for i in range(contacts)]

    def run():
        state = np.zeros(2 * modes + contacts)
        closed = np.array(contact(state)[0] > 0.0)
        stuck, direction = np.zeros(contacts, bool), np.zeros(contacts)
        for number in range(samples.shape[1] - 1):
            time, stop = number * step, (number + 1) * step
            slope = (samples[:, number + 1] - samples[:, number]) / step
            line = (samples[:, number] - slope * time, slope)
            while time < stop:
                for c in range(contacts):
                    # Only events that leave the present state count. Rounding at the start of a
                    # phase is not an event.
                    events[c].direction = -1 if closed[c] else 1
                    events[contacts + c].direction = 1 if stuck[c] else -1
                solution = solve_ivp(
                    rates, (time, stop), state, events=events,
                    args=(line, closed, stuck, direction), **options,
                )  # fmt: skip
                time, state = float(solution.t[-1]), solution.y[:, -1].copy()
                if solution.status != 1:
                    continue
                for i, instants in enumerate(solution.t_events):
                    if not len(instants):
                        continue
                    c = i % contacts
                    if i < contacts:
                        closed[c] = not closed[c]
                        state[2 * modes + c] = 0.0
                        stuck[c] = False
                        direction[c] = np.sign(contact(state)[3][c]) if closed[c] else 0.0
                    else:
                        stuck[c] = not stuck[c]
                        direction[c] = 0.0 if stuck[c] else np.sign(contact(state)[3][c])
        return observed @ state[:modes]

    return run


if __name__ == "__main__":
    serve({"shoe": shoe, "ball": ball, "tube": tube})
