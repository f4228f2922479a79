"""The laws as independent right-hand sides for scipy's Dormand–Prince 8(5,3) with events.

All normal laws, rigid and penalised friction with coefficients that may depend on the velocity, and
impacts are included. The kernel is not used. Inputs are polynomials over the whole run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.polynomial.polynomial import polyder, polyval
from scipy.integrate import solve_ivp

from wearmodel import FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw

U, U_RATE, W, W_RATE, STRETCH, WEAR, FRICTION_WORK, WEAR_UPPER = range(8)
MOST_EVENTS = 20

Guard = Callable[[float, np.ndarray], float]


class TooManyEventsError(Exception):
    """The run has more events than the comparison allows."""


class IndependentShock:
    """One run from the start inputs to `until`. `events` counts its events."""

    def __init__(
        self, parameters: FrictionalShockParameters, inputs: Mapping[str, Sequence[float]]
    ) -> None:
        self.p = parameters
        self.inputs = inputs
        self.rigid_friction = parameters.tangential_law is TangentialLaw.rigid
        p = parameters
        self.damper = p.tangential_damping
        if self.damper < 0.0:
            self.damper = 2.0 * math.sqrt(p.mass * (p.stiffness + p.tangential_stiffness))
        self.slow = p.friction_coefficient_slow
        if self.slow < 0.0:
            self.slow = p.friction_coefficient
        self.static = p.friction_coefficient_static
        if self.static < 0.0:
            self.static = self.slow
        self.opening = 0.0
        if p.wear_feedback:
            self.opening = p.wear_time_scale * p.archard_coefficient / p.wear_area
        self.contact = 0
        self.sliding = 0
        self.events = 0
        # Side of the stop that supports the mass, and of a stop whose damper released it inside.
        self.stop = self.slack = 0
        self.rigid_stops = parameters.stop_stiffness == 0.0
        radius = parameters.pendulum_radius
        self.curvature = 1.0 / radius if radius > 0.0 else 0.0
        self.stop_impulse = self.stop_count = 0.0

    def friction_coefficient(self, velocity: float) -> float:
        p = self.p
        friction = p.friction_coefficient + p.viscous_friction * abs(velocity)
        if p.friction_decay_velocity > 0.0:
            drop = self.slow - p.friction_coefficient
            friction += drop * math.exp(-abs(velocity) / p.friction_decay_velocity)
        return friction

    def friction_slope(self, velocity: float) -> float:
        p = self.p
        slope = p.viscous_friction
        if p.friction_decay_velocity > 0.0:
            drop = self.slow - p.friction_coefficient
            decay = p.friction_decay_velocity
            slope -= drop / decay * math.exp(-abs(velocity) / decay)
        return slope

    def f_t(self, t: float) -> float:
        i = self.inputs
        shaking = polyval(t, i["base_acceleration"])
        return float(polyval(t, i["tangential_load"]) - self.p.mass * shaking)

    def f_n(self, t: float) -> float:
        i, p = self.inputs, self.p
        shaking = p.gravity + polyval(t, i["base_acceleration_normal"])
        return float(-p.mass * shaking - p.preload - polyval(t, i["normal_load"]))

    def f_n_rate(self, t: float) -> float:
        i = self.inputs
        rate = self.p.mass * polyval(t, polyder(i["base_acceleration_normal"]))
        return float(-rate - polyval(t, polyder(i["normal_load"])))

    def depth(self, plane: int, y: np.ndarray) -> float:
        """Return the wear depth of a plane if wear opens the gap, and 0 otherwise."""
        wear = y[WEAR_UPPER] if plane < 0 else y[WEAR] - y[WEAR_UPPER]
        return self.opening * float(wear)

    def gap(self, plane: int, y: np.ndarray) -> float:
        lower = self.p.initial_gap + float(y[W])
        gap = lower if plane > 0 else 2.0 * self.p.plane_half_spacing - lower
        return gap + self.depth(plane, y)

    def pushing(self, t: float, y: np.ndarray, plane: int) -> float:
        """Return the contact force without clipping at zero."""
        p = self.p
        if p.normal_law is NormalLaw.prescribed:
            return -self.f_n(t)
        if p.normal_law is NormalLaw.rigid:
            return plane * (p.normal_stiffness * y[W] - self.f_n(t))
        damper = p.contact_damping * plane * y[W_RATE]
        return -p.contact_stiffness * self.gap(plane, y) - damper

    def normal_force(self, t: float, y: np.ndarray) -> float:
        return self.pushing(t, y, self.contact) if self.contact else 0.0

    def normal_acceleration(self, t: float, y: np.ndarray) -> float:
        p = self.p
        fixed = p.normal_law is NormalLaw.rigid and self.contact
        if p.normal_law is NormalLaw.prescribed or fixed:
            return 0.0
        net = self.f_n(t) - p.normal_damping * y[W_RATE] - p.normal_stiffness * y[W]
        return (net + self.contact * self.normal_force(t, y)) / p.mass

    def pull(self, t: float, y: np.ndarray) -> float:
        """Return F_N u/R of a pendulum."""
        return self.curvature * self.normal_force(t, y) * float(y[U])

    def holding(self, t: float, y: np.ndarray) -> float:
        """Return F_T in stick."""
        p = self.p
        if self.rigid_friction:
            pushed = 0.0 if self.rigid_stops else self.stop_force(t, y)
            return p.stiffness * y[U] + self.pull(t, y) - self.f_t(t) - pushed
        return -p.tangential_stiffness * y[STRETCH] - self.damper * y[U_RATE]

    def depth_in_stop(self, side: int, y: np.ndarray) -> float:
        place = self.p.stop_upper if side > 0 else self.p.stop_lower
        return side * (float(y[U]) - place)

    def stop_push(self, side: int, y: np.ndarray) -> float:
        p = self.p
        return p.stop_stiffness * self.depth_in_stop(side, y) + p.stop_damping * side * y[U_RATE]

    def stop_force(self, t: float, y: np.ndarray) -> float:
        """Return the force of a penalised stop on the mass."""
        return -self.stop * self.stop_push(self.stop, y) if self.stop else 0.0

    @property
    def rests(self) -> bool:
        return bool(self.stop) and self.rigid_stops

    def left_over(self, t: float, y: np.ndarray) -> float:
        """Return the force of a mass at rest on a rigid stop, including friction."""
        restoring = self.p.stiffness * y[U] + self.pull(t, y)
        return self.stop * (self.f_t(t) - restoring + self.friction(t, y))

    def cone(self, t: float, y: np.ndarray) -> float:
        bound = max(self.static, self.friction_coefficient(y[U_RATE]))
        return bound * self.normal_force(t, y)

    def friction(self, t: float, y: np.ndarray) -> float:
        if not self.contact:
            return 0.0
        if not self.sliding:
            return self.holding(t, y)
        return -self.sliding * self.friction_coefficient(y[U_RATE]) * self.normal_force(t, y)

    def acceleration(self, t: float, y: np.ndarray) -> float:
        p = self.p
        if self.rests or (self.contact and not self.sliding and self.rigid_friction):
            return 0.0
        net = self.stop_force(t, y) + self.f_t(t) - p.damping * y[U_RATE] - p.stiffness * y[U]
        return (net + self.friction(t, y) - self.pull(t, y)) / p.mass

    def stretch_rate(self, t: float, y: np.ndarray) -> float:
        p = self.p
        if self.rigid_friction or not self.contact:
            return 0.0
        if not self.sliding:
            return float(y[U_RATE])
        if self.damper > 0.0:
            return (-self.friction(t, y) - p.tangential_stiffness * y[STRETCH]) / self.damper
        v = y[U_RATE]
        force = self.normal_force(t, y)
        force_rate = -self.contact * self.f_n_rate(t)
        if p.normal_law is NormalLaw.penalty:
            force_rate = -p.contact_stiffness * self.contact * y[W_RATE]
            force_rate -= p.contact_damping * self.contact * self.normal_acceleration(t, y)
        speeding = self.acceleration(t, y)
        speeding = abs(speeding) if v == 0.0 else math.copysign(1.0, v) * speeding
        rate = self.friction_slope(v) * speeding * force
        rate += self.friction_coefficient(v) * force_rate
        # F_N also falls by K_N ḣ, and ḣ contains the velocity of the anchor.
        share = p.contact_stiffness * self.opening * force * self.friction_coefficient(v)
        share /= p.tangential_stiffness
        own = self.sliding * rate / p.tangential_stiffness
        return (own - share * float(v)) / (1.0 - share)

    def slip(self, t: float, y: np.ndarray) -> float:
        return float(y[U_RATE]) - self.stretch_rate(t, y) if self.sliding else 0.0

    def rates(self, t: float, y: np.ndarray) -> list[float]:
        slip = self.slip(t, y)
        stuck = self.contact and not self.sliding and self.rigid_friction
        stuck = stuck or self.rests
        fixed = self.p.normal_law is NormalLaw.rigid and self.contact
        return [
            0.0 if stuck else y[U_RATE],
            self.acceleration(t, y),
            0.0 if fixed else y[W_RATE],
            self.normal_acceleration(t, y),
            self.stretch_rate(t, y),
            self.normal_force(t, y) * abs(slip),
            abs(self.friction(t, y) * slip),
            self.normal_force(t, y) * abs(slip) if self.contact < 0 else 0.0,
        ]

    def guards(self, y: np.ndarray) -> dict[str, Guard]:
        """Return the functions that end the present mode when they fall through zero."""
        found = self.contact_guards(y)
        found.update(self.stop_guards())
        return found

    def stop_guards(self) -> dict[str, Guard]:
        stuck = self.contact and not self.sliding and self.rigid_friction
        if self.rests:
            return {} if stuck else {"leave": self.left_over}
        if stuck:
            return {}
        if self.stop:
            return {"leave": lambda t, y: self.stop_push(self.stop, y)}
        found: dict[str, Guard] = {}
        for side, place in ((1, self.p.stop_upper), (-1, self.p.stop_lower)):
            if self.slack == side:
                found[f"stop {side:+d}"] = lambda t, y, s=side: -self.stop_push(s, y)
                found["slack"] = lambda t, y, s=side: self.depth_in_stop(s, y)
            elif abs(place) < 1e30:
                found[f"stop {side:+d}"] = lambda t, y, s=side: -self.depth_in_stop(s, y)
        return found

    def contact_guards(self, y: np.ndarray) -> dict[str, Guard]:
        p = self.p
        if not self.contact:
            if p.normal_law is NormalLaw.prescribed:
                return {"close +": lambda t, y: self.f_n(t)}
            planes = (1, -1) if p.obstacle is Obstacle.two_planes else (1,)
            found: dict[str, Guard] = {}
            for plane in planes:
                inside = self.inside == plane
                sign = "+" if plane > 0 else "-"
                if inside:
                    found[f"close {sign}"] = lambda t, y, s=plane: -self.pushing(t, y, s)
                    found["release"] = lambda t, y, s=plane: -self.gap(s, y)
                else:
                    found[f"close {sign}"] = lambda t, y, s=plane: self.gap(s, y)
            return found
        found = {"open": self.normal_force}
        if self.sliding:
            found["arrest"] = lambda t, y: self.sliding * self.slip(t, y)
            if not self.rigid_friction:
                turned = math.copysign(1.0, y[U_RATE])
                if y[U_RATE] == 0.0:
                    turned = math.copysign(1.0, self.acceleration(self.time, y))
                found["turn"] = lambda t, y: turned * y[U_RATE]
        else:
            blocked = self.stop if self.rests and self.rigid_friction else 0
            if blocked >= 0:
                found["break +"] = lambda t, y: self.cone(t, y) - self.holding(t, y)
            if blocked <= 0:
                found["break -"] = lambda t, y: self.cone(t, y) + self.holding(t, y)
        return found

    def run(self, until: float, fewest: int = 200) -> np.ndarray:
        """Return the state at `until` [s], after at least `fewest` steps."""
        p = self.p
        y = np.zeros(8)
        y[U], y[U_RATE] = p.initial_displacement, p.initial_velocity
        y[W], y[W_RATE] = p.initial_normal_displacement, p.initial_normal_velocity
        self.time = 0.0
        self.inside = 0
        if p.normal_law is NormalLaw.prescribed:
            if self.f_n(0.0) < 0.0:
                self.contact = 1
        elif p.initial_gap + y[W] < 0.0:
            if self.pushing(0.0, y, 1) > 0.0:
                self.contact = 1
            else:
                self.inside = 1
        if self.contact:
            self.enter(y)
        while self.time < until:
            if self.sliding and not self.rigid_friction and self.damper == 0.0:
                self.drag(y)
            guards = self.guards(y)
            functions = [_terminal(guard) for guard in guards.values()]
            # In long steps, a guard could fall and rise again without being detected.
            tolerances = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
            longest = until / fewest
            piece = solve_ivp(
                lambda t, y: self.rates(t, y),
                (self.time, until),
                y,
                **tolerances,
                max_step=longest,
                events=functions,
            )
            assert piece.success, piece.message
            self.time = float(piece.t[-1])
            # The state at an event is interpolated, which is less accurate than a step.
            before = float(piece.t[-2])
            last = solve_ivp(
                lambda t, y: self.rates(t, y), (before, self.time), piece.y[:, -2], **tolerances
            )
            y = last.y[:, -1].copy()
            fired = [name for name, times in zip(guards, piece.t_events, strict=True) if len(times)]
            if not fired:
                break
            self.events += 1
            if self.events > MOST_EVENTS:
                raise TooManyEventsError
            if not self.rigid_friction and self.sliding and self.damper == 0.0:
                self.imposed(y)
            self.happen(fired[0], y)
        return y

    def imposed(self, y: np.ndarray) -> None:
        bound = self.friction_coefficient(y[U_RATE]) * self.normal_force(self.time, y)
        y[STRETCH] = self.sliding * bound / self.p.tangential_stiffness

    def drag(self, y: np.ndarray) -> None:
        """Without a damper, start the slip at the stretch that the law imposes."""
        before = abs(y[STRETCH])
        if self.opening > 0.0 and before > 0.0:
            self.drag_wearing(y)
            return
        self.imposed(y)
        excess = max(0.0, before - abs(y[STRETCH]))
        y[WEAR] += self.normal_force(self.time, y) * excess
        mean = 0.5 * (before + abs(y[STRETCH]))
        y[FRICTION_WORK] += self.p.tangential_stiffness * excess * mean

    def drag_wearing(self, y: np.ndarray) -> None:
        """Do the same while wear opens the gap: dW/dA = F_N(W), de/dA = −1."""
        p = self.p

        def moved(_: float, z: np.ndarray) -> list[float]:
            force = self.normal_force(self.time, z)
            rates = [0.0] * 8
            rates[STRETCH] = -self.sliding
            rates[WEAR] = force
            rates[WEAR_UPPER] = force if self.contact < 0 else 0.0
            rates[FRICTION_WORK] = p.tangential_stiffness * abs(z[STRETCH])
            return rates

        def excess(_: float, z: np.ndarray) -> float:
            bound = self.friction_coefficient(z[U_RATE]) * self.normal_force(self.time, z)
            return float(self.sliding * z[STRETCH] - bound / p.tangential_stiffness)

        if excess(0.0, y) <= 1e-14:
            return
        piece = solve_ivp(
            moved,
            (0.0, abs(y[STRETCH])),
            y,
            method="DOP853",
            rtol=1e-13,
            atol=1e-16,
            events=[_terminal(excess)],
        )
        y[:] = piece.y[:, -1]

    def enter(self, y: np.ndarray) -> None:
        """Choose stick or slip in a contact that has just closed."""
        y[STRETCH] = 0.0
        self.sliding = 0
        if self.rigid_friction and y[U_RATE] != 0.0:
            self.sliding = int(math.copysign(1.0, y[U_RATE]))
            return
        p = self.p
        force = self.normal_force(self.time, y)
        if p.normal_law is NormalLaw.penalty and self.damper == 0.0 and force < 1e-9:
            # Both forces start at zero, so their rates decide.
            bound = max(self.static, self.friction_coefficient(y[U_RATE]))
            rate = p.contact_stiffness * y[W_RATE]
            rate += p.contact_damping * self.normal_acceleration(self.time, y)
            bearing = -bound * self.contact * rate
            if p.tangential_stiffness * abs(y[U_RATE]) > bearing:
                self.sliding = int(math.copysign(1.0, y[U_RATE]))
            return
        self.settle(y)

    def settle(self, y: np.ndarray) -> None:
        """Stick, or slip at once if the force in stick is outside the cone."""
        holding = self.holding(self.time, y)
        direction = -int(math.copysign(1.0, holding))
        if abs(holding) > max(0.0, self.cone(self.time, y)):
            if self.rests and self.rigid_friction:
                if direction == self.stop:
                    return
                self.stop = 0
            self.sliding = direction

    def happen(self, event: str, y: np.ndarray) -> None:
        """Update state and mode at an event."""
        p = self.p
        if event == "open":
            plane = self.contact
            self.contact = self.sliding = 0
            y[STRETCH] = 0.0
            if p.normal_law is NormalLaw.penalty and p.contact_damping > 0.0:
                self.inside = plane
            elif p.normal_law is not NormalLaw.prescribed:
                y[W] = self._touching(plane, y)
        elif event == "release":
            self.inside = 0
        elif event.startswith("close"):
            plane = 1 if event.endswith("+") else -1
            if p.normal_law is NormalLaw.rigid:
                y[W] = self._touching(plane, y)
                self.strike(y)
                if p.restitution > 0.0:
                    return
                y[W_RATE] = 0.0
            self.contact, self.inside = plane, 0
            self.enter(y)
        elif event == "arrest":
            self.sliding = 0
            if self.rigid_friction:
                y[U_RATE] = 0.0
                self.settle(y)
        elif event == "turn":
            y[U_RATE] = 0.0
            # Without a damper, the rate of the stretch is discontinuous at the kink of |u̇|.
            if self.sliding * self.slip(self.time, y) < 0.0:
                self.sliding = 0
        elif event.startswith("break"):
            self.sliding = -1 if event.endswith("+") else 1
            if self.rests and self.rigid_friction:
                self.stop = 0
        elif event == "leave":
            side, self.stop = self.stop, 0
            if not self.rigid_stops:
                self.slack = side
        elif event == "slack":
            self.slack = 0
        elif event.startswith("stop"):
            side, was_slack = int(event[-2:]), self.slack
            self.stop_count += 1
            self.slack = 0
            if not was_slack:
                y[U] = p.stop_upper if side > 0 else p.stop_lower
            if not self.rigid_stops:
                self.stop = side
                return
            self.stop_impulse += p.mass * (1.0 + p.stop_restitution) * abs(float(y[U_RATE]))
            y[U_RATE] *= -p.stop_restitution
            self.jump(y)
            if y[U_RATE] == 0.0:
                self.stop = side
                self.sliding = self.sliding if not self.rigid_friction else 0
                if self.left_over(self.time, y) < 0.0 and not (
                    self.contact and self.rigid_friction
                ):
                    self.stop = 0
            if not self.contact:
                return
            if self.rigid_friction and y[U_RATE] != 0.0:
                self.sliding = -side
                return
            # The impact changes the force of the friction spring's damper suddenly.
            if self.sliding and self.sliding * self.slip(self.time, y) < 0.0:
                self.sliding = 0
            if not self.sliding:
                self.settle(y)

    def jump(self, y: np.ndarray) -> None:
        """Handle a sudden change of speed in subclasses."""

    def _touching(self, plane: int, y: np.ndarray) -> float:
        place = -self.p.initial_gap - plane * self.depth(plane, y)
        return place if plane > 0 else place + 2.0 * self.p.plane_half_spacing

    def strike(self, y: np.ndarray) -> None:
        """Apply Newton's restitution, and m d|u̇|/dP = −μ(|u̇|) while |u̇| > 0."""
        p = self.p
        impulse = p.mass * (1.0 + p.restitution) * abs(y[W_RATE])
        y[W_RATE] *= -p.restitution
        if self.curvature > 0.0:
            self.strike_pendulum(y, impulse)
            return
        speed = abs(float(y[U_RATE]))
        if speed == 0.0 or impulse == 0.0:
            return
        slide = solve_ivp(
            lambda _, z: [-self.friction_coefficient(z[0]) / p.mass, z[0]],
            (0.0, impulse),
            [speed, 0.0],
            method="DOP853",
            rtol=1e-13,
            atol=1e-16,
            events=[_terminal(lambda _, z: z[0])],
        )
        after = max(0.0, float(slide.y[0, -1]))
        if len(slide.t_events[0]):
            after = 0.0
        y[WEAR] += slide.y[1, -1]
        y[FRICTION_WORK] += 0.5 * p.mass * (speed**2 - after**2)
        y[U_RATE] = math.copysign(after, y[U_RATE])

    def strike_pendulum(self, y: np.ndarray, impulse: float) -> None:
        """Apply m du̇/dP = −u/R − s μ, in at most two slips."""
        p = self.p
        pull = self.curvature * float(y[U])
        velocity, passed = float(y[U_RATE]), 0.0
        while passed < impulse and (velocity != 0.0 or abs(pull) > self.static):
            side = math.copysign(1.0, velocity if velocity != 0.0 else -pull)
            slowing = pull + side * p.friction_coefficient
            begins = 1.0 if velocity == 0.0 else 0.0
            slide = solve_ivp(
                lambda _, z, a=slowing, s=side: [-a / p.mass, s * z[0]],
                (passed, impulse),
                [velocity, 0.0],
                method="DOP853",
                rtol=1e-13,
                atol=1e-16,
                events=[_terminal(lambda _, z, s=side, b=begins: s * z[0] + b)],
            )
            velocity, passed = float(slide.y[0, -1]), float(slide.t[-1])
            if len(slide.t_events[0]):
                velocity = 0.0
            y[WEAR] += slide.y[1, -1]
            y[FRICTION_WORK] += p.friction_coefficient * slide.y[1, -1]
        y[U_RATE] = velocity


def _terminal(guard: Guard) -> Guard:
    def falling(t: float, y: np.ndarray) -> float:
        return guard(t, y)

    falling.terminal = True  # type: ignore[attr-defined]
    falling.direction = -1.0  # type: ignore[attr-defined]
    return falling
