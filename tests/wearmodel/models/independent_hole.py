"""The shock spring in a round hole by scipy's DOP853 with events, for comparison.

Written from the docstrings of `wearmodel.models.shock_spring` and `wearmodel.kernel.contact.forces`
in polar coordinates. r is the distance from the axis. c = x ẏ − y ẋ is constant on a straight leg,
so the velocity of the point along the wall is (c/r, ż).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from wearmodel.kernel.contact.friction import sliding_friction
from wearmodel.kernel.spring.parameters import SpringParameters
from wearmodel.models.shock_spring import ShockSpringParameters

TOLERANCE = 1e-12
# Without a damper, the direction turns without bound at such small forces.
TIP = 1e-8
FLIGHT, STICK, SLIP = 0, 1, 2


def friction_at(p: ShockSpringParameters, speed: float) -> float:
    """Coefficient of friction at a speed [m/s] ≥ 0 of the tangential path."""
    return sliding_friction(SpringParameters(p), speed)


class IndependentHole:
    """Contact in a round hole. `stretch` is (e_t, e_z) and `wear` is the wear work."""

    def __init__(self, given: ShockSpringParameters) -> None:
        self.p = given.in_force()
        self.beta = 0.0
        if given.wear_feedback:
            self.beta = given.wear_time_scale * given.archard_coefficient / given.wear_area
        self.start = np.zeros(3)
        self.velocity = np.zeros(3)
        self.stretch = np.zeros(2)
        self.wear = 0.0
        self.mode = FLIGHT
        self.events = 0

    def radius(self, time: float) -> float:
        return float(np.hypot(*(self.start + self.velocity * time)[:2]))

    def rate(self, time: float) -> float:
        """Return ṙ."""
        place = (self.start + self.velocity * time)[:2]
        radius = self.radius(time)
        return float(place @ self.velocity[:2]) / radius if radius > 0.0 else 0.0

    def along(self, time: float) -> np.ndarray:
        """Velocity along the wall."""
        x, y = self.start[:2]
        turning = x * self.velocity[1] - y * self.velocity[0]
        return np.array([turning / self.radius(time), self.velocity[2]])

    def force(self, time: float, wear: float) -> float:
        depth = self.radius(time) - self.p.gap_at_rest - self.beta * wear
        return self.p.contact_stiffness * depth + self.p.contact_damping * self.rate(time)

    def friction(self, time: float) -> float:
        return friction_at(self.p, float(np.hypot(*self.along(time))))

    def holding(self, time: float) -> float:
        return max(self.p.friction_coefficient_slow, self.friction(time))

    def pull(self, time: float, stretch: np.ndarray) -> np.ndarray:
        return self.p.tangential_stiffness * stretch + self.p.tangential_damping * self.along(time)

    def sliding(self, time: float, stretch: np.ndarray, wear: float) -> float:
        """Return λ in slip."""
        force, friction = self.force(time, wear), self.friction(time)
        if self.p.tangential_damping > 0.0:
            excess = np.hypot(*self.pull(time, stretch)) - friction * force
            return float(excess / self.p.tangential_damping)
        velocity, radius, rate = self.along(time), self.radius(time), self.rate(time)
        outward = (self.velocity[:2] @ self.velocity[:2] - rate**2) / radius  # r̈
        growth = friction * (self.p.contact_stiffness * rate + self.p.contact_damping * outward)
        speed = float(np.hypot(*velocity))
        if self.p.friction_varies and speed > 0.0:
            step = 1e-6 * speed
            slope = (
                (friction_at(self.p, speed + step) - friction_at(self.p, speed - step)) / step / 2
            )
            growth += force * slope * (-(velocity[0] ** 2) * rate / radius / speed)
        direction = stretch / np.hypot(*stretch)
        stiffness = self.p.tangential_stiffness
        fall = friction * self.p.contact_stiffness * self.beta * force / stiffness
        return float((direction @ velocity - growth / stiffness) / (1.0 - fall))

    def lead(self, target: Sequence[float], duration: float) -> None:
        """Move the point straight to `target` [m] within `duration` [s]."""
        self.velocity = (np.array(target) - self.start) / duration
        if self.mode != FLIGHT:
            self._corner()
        time = 0.0
        while time < duration:
            time = (
                self._flight(time, duration) if self.mode == FLIGHT else self._rub(time, duration)
            )
        self.start = np.array(target, dtype=float)

    def forces(self) -> tuple[float, np.ndarray]:
        """Return F_N and (F_t, F_z) of the spring at the present time."""
        if self.mode == FLIGHT:
            return 0.0, np.zeros(2)
        force = max(0.0, self.force(0.0, self.wear))
        pull = self.pull(0.0, self.stretch)
        if self.mode == SLIP:
            pull = pull / np.hypot(*pull) * self.friction(0.0) * force
        return force, pull

    def _corner(self) -> None:
        force = self.force(0.0, self.wear)
        if force <= 0.0:
            self.mode, self.stretch = FLIGHT, np.zeros(2)
            return
        bound = self.friction(0.0) * force
        held = bound if self.mode == SLIP else self.holding(0.0) * force
        excess = float(np.hypot(*self.pull(0.0, self.stretch))) - held
        if excess > 1e-11 * held:
            self.mode = SLIP
            self._break_away(0.0)
        elif excess < -1e-11 * held:
            self.mode = STICK
        if self.mode == SLIP and self.sliding(0.0, self.stretch, self.wear) <= 0.0:
            self.mode = STICK

    def _flight(self, time: float, end: float) -> float:
        """Advance to the closing, which is where the depth becomes positive.

        A contact that its damper opened inside the wall closes when F_N becomes positive.
        """

        def presses(t: float) -> float:
            depth = self.radius(t) - self.p.gap_at_rest - self.beta * self.wear
            force = self.force(t, self.wear)
            return min(depth, force) if self.p.contact_damping > 0.0 else depth

        times = np.linspace(time, end, 3001)
        values = [presses(float(t)) for t in times]
        for before, after, first, last in zip(values, values[1:], times, times[1:], strict=False):
            if after > 0.0:
                closing = float(first)
                if before < 0.0:
                    closing = float(brentq(presses, float(first), float(last), xtol=1e-16))
                self.events += 1
                self.mode, self.stretch = STICK, np.zeros(2)
                force = max(0.0, self.force(closing, self.wear))
                pull = float(np.hypot(*self.pull(closing, self.stretch)))
                grows = self.p.tangential_stiffness * float(np.hypot(*self.along(closing)))
                rises = self.p.contact_stiffness * self.rate(closing)
                tip = force <= 1e-9 * self.p.contact_stiffness
                if self.p.tangential_damping > 0.0 and pull > self.holding(closing) * force:
                    self.mode = SLIP
                elif tip and grows > self.holding(closing) * rises:
                    self.mode = SLIP
                    closing += TIP * (end - time)
                    size = self.friction(closing) * self.force(closing, self.wear)
                    unit = self.along(closing) / np.hypot(*self.along(closing))
                    self.stretch = size / self.p.tangential_stiffness * unit
                return closing
        return end

    def _rub(self, time: float, end: float) -> float:
        is_slip = self.mode == SLIP
        damped = self.p.tangential_damping > 0.0

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            if not is_slip:
                return np.array([*self.along(t), 0.0])
            slip = self.sliding(t, y[:2], y[2])
            pull = self.pull(t, y[:2]) if damped else y[:2]
            return np.array(
                [*(self.along(t) - slip * pull / np.hypot(*pull)), self.force(t, y[2]) * slip]
            )

        first = self.force(time, self.wear)

        def opens(t: float, y: np.ndarray) -> float:
            share = TIP * first if is_slip and not damped else 0.0
            return self.force(t, y[2]) - share

        def turns(t: float, y: np.ndarray) -> float:
            if is_slip:
                return self.sliding(t, y[:2], y[2])
            bound = self.holding(t) * self.force(t, y[2])
            return bound - float(np.hypot(*self.pull(t, y[:2])))

        opens.terminal = turns.terminal = True  # type: ignore[attr-defined]
        opens.direction = turns.direction = -1.0  # type: ignore[attr-defined]
        begun = np.array([*self.stretch, self.wear])
        solution = solve_ivp(
            rates,
            (time, end),
            begun,
            "DOP853",
            events=[opens, turns],
            rtol=TOLERANCE,
            atol=1e-14,
            max_step=0.01 * (end - time),
        )
        assert solution.success, solution.message
        self.stretch, self.wear = solution.y[:2, -1].copy(), float(solution.y[2, -1])
        reached = float(solution.t[-1])
        if solution.status == 1:
            self.events += 1
            if len(solution.t_events[0]):
                self.mode, self.stretch = FLIGHT, np.zeros(2)
            elif is_slip:
                self.mode = STICK
            else:
                reached = self._leave_cone(reached, end)
        return reached

    def _leave_cone(self, time: float, end: float) -> float:
        """Start slip if λ > 0 just outside the cone.

        Otherwise the cone was reached because of rounding at the end of a slip.
        """
        later = TIP * (end - time)
        stretch = self.stretch + later * self.along(time)
        if self.sliding(time + later, stretch, self.wear) > 0.0:
            self.mode = SLIP
            self._break_away(time)
            return time
        self.stretch = stretch
        return time + later

    def _break_away(self, time: float) -> None:
        """Without a damper, move the anchor until the stretch is the slip value."""
        if self.p.tangential_damping > 0.0:
            return
        force = self.force(time, self.wear)
        size = float(np.hypot(*self.stretch))
        radius = self.friction(time) * force / self.p.tangential_stiffness
        fall = self.p.contact_stiffness * self.beta
        way = max(0.0, size - radius)
        if fall > 0.0 and way > 0.0:
            way = brentq(lambda w: size - w - radius * np.exp(-fall * w), 0.0, size, xtol=1e-16)
            self.wear += -force * np.expm1(-fall * way) / fall
        else:
            self.wear += force * way
        self.stretch = self.stretch * (size - way) / size
