"""Programs with heyoka: Taylor's method, compiled for each problem by LLVM, with events.

Compilation takes seconds and is not included in the times. Source: Biscani and Izzo, Mon. Not. R.
Astron. Soc. 504 (2021) 2614 and 513 (2022) 4833.
"""

from __future__ import annotations

import math

import ball as b
import heyoka as hy
import numpy as np
import shoe as s
from serve import serve

REACHED = hy.taylor_outcome.time_limit


def shoe(setting, data):
    amplitude = setting["amplitude"]
    velocity, work = hy.make_vars("velocity", "work")
    direction = hy.par[0]
    support = amplitude * hy.sin(s.OMEGA * hy.time)
    arrest = hy.t_event(direction * velocity, direction=hy.event_direction.negative, cooldown=1e-9)
    slip = hy.taylor_adaptive(
        [(velocity, -support - direction * s.LIMIT), (work, s.NORMAL_FORCE * direction * velocity)],
        [0.0, 0.0],
        tol=setting["tolerance"],
        t_events=[arrest],
    )

    def opposed(time):
        return -math.copysign(1.0, math.sin(s.OMEGA * time))

    def run():
        slip.state[:] = 0.0
        slip.time = 0.0
        is_sliding = False
        wear_work = []
        for stop in (s.WINDOW_START, s.WINDOW_END):
            while slip.time < stop:
                if not is_sliding:
                    slip.time = min(stop, s.breakaway(amplitude, slip.time))
                    if slip.time == stop:
                        break
                    slip.pars[0] = opposed(slip.time)
                    is_sliding = True
                start = float(slip.time)
                outcome = slip.propagate_until(stop)[0]
                # The velocity is also 0 at the start of a slip. This event is skipped.
                if slip.time == start:
                    outcome = slip.propagate_until(stop)[0]
                if outcome != REACHED:
                    slip.state[0] = 0.0
                    support = amplitude * math.sin(s.OMEGA * slip.time)
                    is_sliding = abs(support) > s.LIMIT
                    slip.pars[0] = opposed(slip.time)
            wear_work.append(float(slip.state[1]))
        return [s.mean_power(*wear_work)]

    return run


def ball(setting, data):
    height, speed = hy.make_vars("height", "speed")
    impact = hy.t_event(height, direction=hy.event_direction.negative, cooldown=1e-11)
    flight = hy.taylor_adaptive(
        [(height, speed), (speed, hy.expression(-b.GRAVITY))],
        [b.HEIGHT, 0.0],
        tol=setting["tolerance"],
        t_events=[impact],
    )

    def run():
        flight.state[:] = [b.HEIGHT, 0.0]
        flight.time = 0.0
        flight.reset_cooldowns()
        impulse, rests, gaps = 0.0, False, []
        for stop in b.TIMES:
            while flight.time < stop and not rests:
                if flight.propagate_until(stop)[0] != REACHED:
                    down = float(flight.state[1])
                    impulse -= b.MASS * (1.0 + b.RESTITUTION) * down
                    flight.state[:] = [0.0, -b.RESTITUTION * down]
                    if flight.state[1] < b.SLOW:
                        rests = True
                        impulse += b.remaining_impulse(float(flight.state[1]))
            gaps.append(0.0 if rests else float(flight.state[0]))
        return [*gaps[:-1], impulse]

    return run


def tube(setting, data):
    stiffness, damping, shapes, drives, laws, samples, observed = (
        np.array(data[name])
        for name in ("stiffness", "damping", "shapes", "drives", "laws", "samples", "observed")
    )
    modes, contacts = len(stiffness), len(laws)
    q = hy.make_vars(*(f"q{i}" for i in range(modes)))
    v = hy.make_vars(*(f"v{i}" for i in range(modes)))
    e = hy.make_vars(*(f"e{i}" for i in range(contacts)))
    # Parameters: both accelerations at t = 0 and their slopes, then three values for each contact,
    # which are 1 if closed, 1 if stuck, direction of slip.
    closed = [hy.par[4 + 3 * c] for c in range(contacts)]
    stuck = [hy.par[5 + 3 * c] for c in range(contacts)]
    direction = [hy.par[6 + 3 * c] for c in range(contacts)]
    support = [hy.par[axis] + hy.par[2 + axis] * hy.time for axis in (0, 1)]
    pushes, stretching, touches, turns = [], [], [], []

    def across(values, row):
        return hy.sum([float(shapes[row, i]) * values[i] for i in range(modes)])

    for c in range(contacts):
        gap, normal, tangential, damper, friction, offset_1, offset_2 = map(float, laws[c])
        x_1, x_2 = offset_1 + across(q, 3 * c), offset_2 + across(q, 3 * c + 1)
        radius = hy.sqrt(x_1 * x_1 + x_2 * x_2)
        n_1, n_2 = x_1 / radius, x_2 / radius
        most = friction * normal * (radius - gap)
        pull = tangential * e[c]
        held = -pull - damper * (across(v, 3 * c + 1) * n_1 - across(v, 3 * c) * n_2)
        force = closed[c] * normal * (radius - gap)
        rubbing = closed[c] * (stuck[c] * held + direction[c] * most)
        pushes.append((-force * n_1 - rubbing * n_2, rubbing * n_1 - force * n_2))
        stretching.append(-closed[c] * (pull / damper) - rubbing / damper)
        touches.append(hy.t_event(radius - gap, cooldown=1e-12))
        turns.append(
            hy.t_event(closed[c] * (held * held - most * most) + (1.0 - closed[c]), cooldown=1e-12)
        )
    equations = [(q[i], v[i]) for i in range(modes)]
    for i in range(modes):
        terms = [float(drives[axis, i]) * support[axis] for axis in (0, 1)]
        terms += [-float(damping[i]) * v[i], -float(stiffness[i]) * q[i]]
        for c in range(contacts):
            terms += [float(shapes[3 * c, i]) * pushes[c][0]]
            terms += [float(shapes[3 * c + 1, i]) * pushes[c][1]]
        equations.append((v[i], hy.sum(terms)))
    equations += [(e[c], stretching[c]) for c in range(contacts)]
    motion = hy.taylor_adaptive(
        equations,
        np.zeros(2 * modes + contacts),
        tol=setting["tolerance"],
        t_events=touches + turns,
        pars=np.zeros(4 + 3 * contacts),
        compact_mode=True,
    )
    step = data["sample_step"]

    def slip_sign(c):
        """Return the direction of friction in slip, equal to the force for stick."""
        state = motion.state
        x = [laws[c, 5 + k] + shapes[3 * c + k] @ state[:modes] for k in (0, 1)]
        speed = [shapes[3 * c + k] @ state[modes : 2 * modes] for k in (0, 1)]
        sliding = (speed[1] * x[0] - speed[0] * x[1]) / math.hypot(*x)
        held = -laws[c, 2] * state[2 * modes + c] - laws[c, 3] * sliding
        return math.copysign(1.0, held)

    def run():
        motion.state[:] = 0.0
        motion.time = 0.0
        motion.pars[:] = 0.0
        motion.reset_cooldowns()
        for number in range(samples.shape[1] - 1):
            slope = (samples[:, number + 1] - samples[:, number]) / step
            motion.pars[:4] = [*(samples[:, number] - slope * number * step), *slope]
            stop = (number + 1) * step
            while True:
                outcome = motion.propagate_until(stop)[0]
                if outcome == REACHED:
                    break
                event = -int(outcome.value if hasattr(outcome, "value") else outcome) - 1
                c = event % contacts
                flags = motion.pars[4 + 3 * c : 7 + 3 * c]
                if event < contacts:
                    motion.state[2 * modes + c] = 0.0
                    flags[:] = [0.0] * 3 if flags[0] else [1.0, 0.0, slip_sign(c)]
                else:
                    flags[1:] = [0.0, slip_sign(c)] if flags[1] else [1.0, 0.0]
        return observed @ motion.state[:modes]

    return run


if __name__ == "__main__":
    serve({"shoe": shoe, "ball": ball, "tube": tube})
