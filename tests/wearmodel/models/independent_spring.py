"""Integrate the shock spring independently with scipy's DOP853 and events, for comparison."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from wearmodel.models.shock_spring import Drive, ShockSpringParameters

from .independent_hole import friction_at

TOLERANCE = 1e-13
MOST_EVENTS = 20


class IndependentSpring:
    """Law of `ShockSpring` at the driving point, from its docstring and DESIGN's equations.

    `wear` is the wear work, and `depth` subtracts the gap that wear opens. `stretch` is e, and
    `mode` is 0 in flight, 1 in stick and 2 in slip.
    """

    def __init__(self, given: ShockSpringParameters) -> None:
        p = given.in_force()
        self.p = p
        series = p.elastic_stiffness if p.drive is Drive.load else np.inf
        self.normal = 1.0 / (1.0 / p.contact_stiffness + 1.0 / series)
        self.tangential = 1.0 / (1.0 / p.tangential_stiffness + 1.0 / series)
        self.beta = 0.0
        if p.wear_feedback:
            self.beta = p.wear_time_scale * p.archard_coefficient / p.wear_area
        self.drive = np.zeros(3)
        self.stretch = np.zeros(2)
        self.wear = 0.0
        self.velocity = np.zeros(3)
        self.mode = 0
        self.events = 0
        self.slip_velocity = 0.0

    def lead(self, target: Sequence[float], duration: float) -> None:
        """Move the driving point straight to `target` [m] within `duration` [s]."""
        target = np.array(target, dtype=float)
        self.start = self.drive.copy()
        self.velocity = (target - self.drive) / duration
        self.friction = friction_at(self.p, float(np.hypot(*self.velocity[1:])))
        # Coefficient of stick.
        self.holding = max(self.p.friction_coefficient_slow, self.friction)
        time = 0.0
        if self.force(0.0, self.wear) <= 0.0:
            self.mode, self.stretch = 0, np.zeros(2)
        elif self.mode == 0 and self.depth(0.0, self.wear) > 0.0:
            self.mode = 1
        if self.mode != 0:
            if self.p.tangential_damping == 0.0:
                self._jump()
            self._choose(0.0)
        while time < duration:
            time = self._piece(time, duration)
        self.drive = target
        if self.mode == 2:
            self.slip_velocity = self.rate(duration, self.stretch, self.wear)
        else:
            self.slip_velocity = 0.0

    def depth(self, time: float, wear: float) -> float:
        place = self.start[0] + self.velocity[0] * time
        return -float(place + self.p.gap_at_rest + self.beta * wear)

    def force(self, time: float, wear: float) -> float:
        depth = self.depth(time, wear)
        return float(self.normal * depth - self.p.contact_damping * self.velocity[0])

    def dragging(self, stretch: np.ndarray) -> np.ndarray:
        return self.tangential * stretch + self.p.tangential_damping * self.velocity[1:]

    def rate(self, time: float, stretch: np.ndarray, wear: float) -> float:
        """Return the rate of the anchor in slip."""
        force = self.force(time, wear)
        if self.p.tangential_damping > 0.0:
            excess = np.hypot(*self.dragging(stretch)) - self.friction * force
            return float(excess / self.p.tangential_damping)
        size = np.hypot(*stretch)
        along = np.hypot(*self.velocity[1:])
        if self.friction > 0.0 and size > 0.0:
            along = stretch @ self.velocity[1:] / size
        share = self.friction * self.normal / self.tangential
        return float((along + share * self.velocity[0]) / (1.0 - share * self.beta * force))

    def _jump(self) -> None:
        """Move the anchor if the cone has become too narrow."""
        force = self.force(0.0, self.wear)
        size = float(np.hypot(*self.stretch))
        held = self.friction if self.mode == 2 else self.holding
        if size > (1.0 + 1e-11) * held * force / self.tangential:
            self._break_away(force)

    def _break_away(self, force: float) -> None:
        """Move the anchor until the stretch is the slip value."""
        self.mode = 2
        size = float(np.hypot(*self.stretch))
        radius = self.friction * force / self.tangential
        if size <= radius:
            return
        fall = self.normal * self.beta
        way = size - radius
        if fall > 0.0:
            way = brentq(lambda w: size - w - radius * np.exp(-fall * w), 0.0, size, xtol=1e-16)
            self.wear += -force * np.expm1(-fall * way) / fall
        else:
            self.wear += force * way
        self.stretch *= (size - way) / size

    def _choose(self, time: float) -> None:
        """Choose stick or slip from the excess, or from its rate on the cone."""
        held = self.friction if self.mode == 2 else self.holding
        bound = held * self.force(time, self.wear)
        pull = self.dragging(self.stretch)
        excess = np.hypot(*pull) - bound
        scale = max(np.hypot(*pull), bound)
        # The force at the closing differs from 0 by rounding.
        scale = max(scale, 1e-3 * self.friction * self.normal)
        if abs(excess) > 1e-11 * scale:
            self.mode = 2 if excess > 0.0 else 1
            return
        # On the cone: in stick, the pull changes by K_T v and the bound by −μ K_N v_x.
        speed = np.hypot(*self.velocity[1:])
        grows = self.tangential * speed
        if np.hypot(*pull) > 0.0:
            grows = self.tangential * float(pull @ self.velocity[1:]) / np.hypot(*pull)
        grows += held * self.normal * self.velocity[0]
        self.mode = 2 if grows > 0.0 else 1

    def _piece(self, time: float, end: float) -> float:
        """Advance to the next event or to the end, and return the time reached."""
        if self.mode == 0:
            # At constant velocity, the only possible event is the closing at depth 0.
            ahead = self.depth(time, self.wear)
            if ahead <= 0.0 and self.velocity[0] < 0.0:
                closing = time + ahead / self.velocity[0]
                if closing < end:
                    self.events += 1
                    self.mode, self.stretch = 1, np.zeros(2)
                    self._choose(closing)
                    return closing
            return end

        if self.mode == 1:
            return self._stick(time, end)
        if self.p.tangential_damping == 0.0:
            return self._undamped_slip(time, end)

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            stretch, wear = y[:2], y[2]
            rate = self.rate(t, stretch, wear)
            pull = self.dragging(stretch)
            direction = pull / np.hypot(*pull)
            force = self.force(t, wear)
            return np.array([*(self.velocity[1:] - rate * direction), force * rate])

        def opens(t: float, y: np.ndarray) -> float:
            return self.force(t, y[2])

        def cone(t: float, y: np.ndarray) -> float:
            return float(np.hypot(*self.dragging(y[:2])) - self.friction * self.force(t, y[2]))

        opens.terminal, opens.direction = True, -1.0  # type: ignore[attr-defined]
        cone.terminal, cone.direction = True, -1.0  # type: ignore[attr-defined]
        y = np.array([*self.stretch, self.wear])
        solution = solve_ivp(
            rates,
            (time, end),
            y,
            "DOP853",
            events=[opens, cone],
            rtol=TOLERANCE,
            atol=1e-15,
            max_step=0.01 * (end - time),
        )
        assert solution.success, solution.message
        self.stretch, self.wear = solution.y[:2, -1].copy(), float(solution.y[2, -1])
        reached = float(solution.t[-1])
        if solution.status == 1:
            self.events += 1
            if len(solution.t_events[0]):
                self.mode, self.stretch = 0, np.zeros(2)
            else:
                self.mode = 1
        return reached

    def _stick(self, time: float, end: float) -> float:
        """Advance in stick, which is linear, to the first root of N or of |pull|² − (μN)²."""
        force = self.force(time, self.wear)
        if abs(force) <= 1e-13 * self.normal:
            force = 0.0  # at the closing
        fall = self.normal * self.velocity[0]
        opening = force / fall if fall > 0.0 else np.inf
        pull, rise = self.dragging(self.stretch), self.tangential * self.velocity[1:]
        squares = np.array(
            [
                rise @ rise - (self.holding * fall) ** 2,
                2.0 * (pull @ rise + self.holding**2 * force * fall),
                pull @ pull - (self.holding * force) ** 2,
            ]
        )
        # The path starts on the cone and turns inside: the root is 0, apart from rounding.
        if abs(squares[2]) <= 1e-11 * (pull @ pull):
            squares[2] = 0.0
        slopes = np.polyder(squares)
        roots = [
            float(root.real)
            for root in np.atleast_1d(np.roots(squares))
            if abs(root.imag) == 0.0 and root.real >= 0.0 and np.polyval(slopes, root.real) > 0.0
        ]
        breaking = min(roots, default=np.inf)
        lasts = min(opening, breaking, end - time)
        self.stretch = self.stretch + lasts * self.velocity[1:]
        if lasts == end - time:
            return end
        self.events += 1
        if breaking < opening:
            self.mode = 2
            if self.p.tangential_damping == 0.0:
                self._break_away(self.force(time + lasts, self.wear))
        else:
            self.mode, self.stretch = 0, np.zeros(2)
        return time + lasts

    def _undamped_slip(self, time: float, end: float) -> float:
        """Advance in slip without a damper, with the angle θ from path to stretch.

        The stretch follows the cone. dθ/dt = −K_T |v| sin θ/(μN) grows without bound as the
        contact opens. With dt = N dz the rate is bounded, and N falls exponentially.
        """
        speed = float(np.hypot(*self.velocity[1:]))
        size = float(np.hypot(*self.stretch))
        ahead = self.velocity[1:] / speed if speed > 0.0 else self.stretch / size
        across = np.array([-ahead[1], ahead[0]])
        angle = 0.0
        if size > 0.0 and self.friction > 0.0:
            angle = float(np.arctan2(across @ self.stretch, ahead @ self.stretch))
        share = self.friction * self.normal / self.tangential
        turn = self.tangential * speed / self.friction if self.friction > 0.0 else 0.0

        def rates(z: float, y: np.ndarray) -> np.ndarray:
            force = self.force(y[0], y[2])
            slip = (speed * np.cos(y[1]) + share * self.velocity[0]) / (
                1.0 - share * self.beta * force
            )
            return np.array([force, -turn * np.sin(y[1]), force * force * slip])

        if self.force(time, self.wear) <= 1e-9 * self.normal * abs(self.velocity[0]) * (end - time):
            # z cannot leave the tip of the cone. The time skipped here has 1e-18 of the work.
            time += 1e-9 * (end - time)
        first = self.force(time, self.wear)

        def ends(z: float, y: np.ndarray) -> float:
            return float(y[0]) - end

        def opens(z: float, y: np.ndarray) -> float:
            return self.force(y[0], y[2]) - 1e-13 * first

        ends.terminal = opens.terminal = True  # type: ignore[attr-defined]
        opens.direction = -1.0  # type: ignore[attr-defined]
        solution = solve_ivp(
            rates,
            (0.0, 1e30),
            np.array([time, angle, self.wear]),
            "DOP853",
            events=[ends, opens],
            rtol=TOLERANCE,
            atol=1e-15,
        )
        assert solution.status == 1, solution.message
        reached, angle, self.wear = map(float, solution.y[:, -1])
        if len(solution.t_events[1]):
            self.events += 1
            self.mode, self.stretch = 0, np.zeros(2)
            return reached
        radius = self.friction * self.force(end, self.wear) / self.tangential
        self.stretch = radius * (np.cos(angle) * ahead + np.sin(angle) * across)
        return end

    def contact_force(self, duration: float) -> float:
        """Return the normal force [N] at the end of the last leg, of length `duration`."""
        if self.mode == 0:
            return 0.0
        return max(0.0, self.force(duration, self.wear))
