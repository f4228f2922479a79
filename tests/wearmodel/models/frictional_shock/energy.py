"""Energy and wear of a traced run, computed only from the series of segments and the equations.

    ½ m (u̇² + ẇ²) + ½ k u² + ½ k_n w² + ½ K_N ⟨−gap⟩² + ½ K_T e²

changes by the work of f_t and f_n, minus losses. Losses are due to the dampers c, c_n, C_N, C_T,
to friction, to impacts, to the gap that wear opens against K_N, and to springs that lose their
energy. The friction spring loses its energy when the contact opens. The contact spring loses energy
while a mass is inside the obstacle and its damper keeps the force at zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.polynomial import polynomial

from wearmodel import FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw

from .independent_shock import IndependentShock
from .segment_motion import SegmentMotion, depends_on_velocity, opening, value
from .trace import Segment


class EnergyAccount:
    """Terms [J] by name. Losses are positive, and the two inputs count as supplied.

    Attributes
    ----------
    terms
        Energy supplied and lost over the run.
    stored_change
        Stored energy at the end minus stored energy at the start.
    turnover
        Largest stored energy plus the absolute values of all energies supplied or lost.
    wear_work, friction_work, sliding_distance
        Expected outputs of the model, including impacts and sudden displacements of the anchor.
    """

    def __init__(self, parameters: FrictionalShockParameters, segments: Sequence[Segment]) -> None:
        self.parameters = parameters
        self.terms: dict[str, float] = {}
        self.turnover = 0.0
        self.wear_work = 0.0
        self.sliding_distance = 0.0
        first, last = segments[0].before, segments[-1].after
        # An impact at the start of the run comes before the first segment.
        given = first | {
            "velocity": parameters.initial_velocity,
            "normal_velocity": parameters.initial_normal_velocity,
        }
        if parameters.normal_law is NormalLaw.rigid and given != first:
            self._book_impact(given, first)
            first = given
        self.stored_change = self._stored(last) - self._stored(first)
        largest = self._stored(first)
        for segment in segments:
            motion = SegmentMotion(parameters, segment)
            if segment.duration > 0.0:
                self._book_motion(motion)
            self._book_anchor_jump(motion)
            self._book_event(segment)
            largest = max(largest, self._stored(segment.moved))
        self.turnover += largest

    @property
    def residual(self) -> float:
        """Energy [J] that the terms do not explain."""
        signed = [value if name.endswith("input") else -value for name, value in self.terms.items()]
        return math.fsum([-self.stored_change, *signed])

    @property
    def relative_residual(self) -> float:
        """|residual| divided by the turnover."""
        return abs(self.residual) / self.turnover if self.turnover > 0.0 else 0.0

    @property
    def friction_work(self) -> float:
        """Energy [J] lost by friction: in slip, at impacts, by sudden steps of the anchor."""
        return math.fsum(
            self.terms.get(name, 0.0) for name in ("friction", "tangential impact", "anchor jump")
        )

    @property
    def contact_damping_work(self) -> float:
        """Energy [J] lost by C_T and C_N, and by springs of a contact that opens."""
        names = ("friction damper", "contact damper", "slack contact", "forgotten stretch")
        return math.fsum(self.terms.get(name, 0.0) for name in names)

    def _book(self, name: str, energy: float) -> None:
        self.terms[name] = self.terms.get(name, 0.0) + energy
        self.turnover += abs(energy)

    def _stored(self, state: dict[str, float]) -> float:
        values = self.parameters
        w = state["normal_displacement"]
        stored = 0.5 * values.mass * state["velocity"] ** 2
        stored += 0.5 * values.mass * state["normal_velocity"] ** 2
        stored += 0.5 * values.stiffness * state["displacement"] ** 2
        if state["stop"]:
            place = values.stop_upper if state["stop"] > 0.0 else values.stop_lower
            stored += 0.5 * values.stop_stiffness * (state["displacement"] - place) ** 2
        elif values.stop_stiffness > 0.0:
            u = state["displacement"]
            depth = max(0.0, u - values.stop_upper, values.stop_lower - u)
            stored += 0.5 * values.stop_stiffness * depth**2
        if values.normal_law is not NormalLaw.prescribed:
            stored += 0.5 * values.normal_stiffness * w**2
        if values.normal_law is NormalLaw.penalty:
            gap = values.initial_gap + w
            depth = max(0.0, -gap - opening(values, state, 1))
            if values.obstacle is Obstacle.two_planes:
                upper = opening(values, state, -1)
                depth = max(depth, gap - 2.0 * values.plane_half_spacing - upper)
            stored += 0.5 * values.contact_stiffness * depth**2
        if values.tangential_law is TangentialLaw.penalty:
            stored += 0.5 * values.tangential_stiffness * state["stretch"] ** 2
        return stored

    def _book_motion(self, motion: SegmentMotion) -> None:
        values = self.parameters
        self._book("tangential input", motion.integral(motion.tangential_forcing, motion.u_rate))
        self._book_stop(motion)
        self._book("damper", values.damping * motion.integral(motion.u_rate, motion.u_rate))
        if values.pendulum_radius > 0.0:
            pull = polynomial.polymul(motion.normal_force, motion.u) / values.pendulum_radius
            self._book("pendulum", motion.integral(pull, motion.u_rate))
        if values.normal_law is not NormalLaw.prescribed:
            squared = motion.integral(motion.w_rate, motion.w_rate)
            self._book("normal input", motion.integral(motion.normal_forcing, motion.w_rate))
            self._book("normal damper", values.normal_damping * squared)
            if values.normal_law is NormalLaw.penalty and motion.in_contact:
                self._book("contact damper", values.contact_damping * squared)
            if motion.in_contact and values.wear_feedback:
                gap = motion.gap(motion.segment.contact)
                taken = -motion.integral(gap, motion.rate(motion.opening))
                self._book("wear", values.contact_stiffness * taken)
            if values.normal_law is NormalLaw.penalty and not motion.in_contact:
                self._book_slack_contact(motion)
        if motion.in_contact and motion.penalised_friction:
            self._book(
                "friction damper",
                values.in_force().tangential_damping
                * motion.integral(motion.stretch_rate, motion.stretch_rate),
            )
        if motion.sliding:
            self._book("friction", -motion.integral(motion.friction_force, motion.slip))
            self.wear_work += motion.sliding * motion.integral(motion.normal_force, motion.slip)
            self.sliding_distance += motion.sliding * motion.integral(motion.slip, np.ones(1))

    def _book_stop(self, motion: SegmentMotion) -> None:
        """Add the damper of a penalised stop, and its spring while a mass inside is not pushed."""
        values = self.parameters
        if motion.stop:
            squared = motion.integral(motion.u_rate, motion.u_rate)
            self._book("stop", values.stop_damping * squared)
        elif values.stop_stiffness > 0.0:
            for side, place in ((1.0, values.stop_upper), (-1.0, values.stop_lower)):
                depth = side * motion.u
                depth[0] -= side * place
                if value(depth, 0.5 * motion.end) > 0.0:
                    relaxed = motion.integral(depth, motion.rate(depth))
                    self._book("stop", -values.stop_stiffness * relaxed)

    def _book_slack_contact(self, motion: SegmentMotion) -> None:
        """Add the contact spring of a mass that is inside the obstacle without being pushed."""
        for plane in motion.planes:
            gap = motion.gap(plane)
            if value(gap, 0.5 * motion.end) < 0.0:
                released = motion.integral(gap, motion.rate(gap))
                self._book("slack contact", -self.parameters.contact_stiffness * released)

    def _book_anchor_jump(self, motion: SegmentMotion) -> None:
        segment = motion.segment
        jumps = motion.sliding and motion.penalised_friction
        if not jumps or self.parameters.in_force().tangential_damping > 0.0:
            return
        left = segment.before["stretch"]
        reached = motion.stretch[0] if segment.duration > 0.0 else segment.moved["stretch"]
        stiffness = self.parameters.tangential_stiffness
        self._book("anchor jump", 0.5 * stiffness * (left**2 - reached**2))
        self.wear_work += max(0.0, motion.normal_force[0]) * abs(left - reached)
        self.sliding_distance += abs(left - reached)

    def _book_event(self, segment: Segment) -> None:
        moved, after = segment.moved, segment.after
        values = self.parameters
        if segment.event.endswith("stop") and values.stop_stiffness == 0.0:
            lost = moved["velocity"] ** 2 - after["velocity"] ** 2
            self._book("stop", 0.5 * values.mass * lost)
        if segment.event == "opening" and values.tangential_law is TangentialLaw.penalty:
            forgotten = 0.5 * values.tangential_stiffness * moved["stretch"] ** 2
            self._book("forgotten stretch", forgotten)
        if segment.event.startswith("closing") and values.normal_law is NormalLaw.rigid:
            self._book_impact(moved, after)

    def _book_impact(self, moved: dict[str, float], after: dict[str, float]) -> None:
        """Add the impact of a rigid contact, from the states before and after it."""
        values = self.parameters
        half = 0.5 * values.mass
        approach, rebound = moved["normal_velocity"], after["normal_velocity"]
        self._book("normal impact", half * (approach**2 - rebound**2))
        before, left = abs(moved["velocity"]), abs(after["velocity"])
        impulse = values.mass * (1.0 + values.restitution) * abs(approach)
        if values.pendulum_radius > 0.0:
            struck = np.zeros(8)
            struck[0], struck[1], struck[3] = moved["displacement"], moved["velocity"], approach
            IndependentShock(values, {}).strike(struck)
            assert after["velocity"] == pytest.approx(struck[1], abs=1e-12)
            self.wear_work += struck[5]
            self._book("tangential impact", values.friction_coefficient * struck[5])
            left = half * (before**2 - after["velocity"] ** 2)
            self._book("pendulum", left - values.friction_coefficient * struck[5])
            return
        self._book("tangential impact", half * (before**2 - left**2))
        if depends_on_velocity(values):
            struck = np.zeros(8)
            struck[1], struck[3] = moved["velocity"], approach
            IndependentShock(values, {}).strike(struck)
            self.wear_work += struck[5]
            return
        if values.friction_coefficient > 0.0:
            impulse = min(impulse, values.mass * before / values.friction_coefficient)
        self.wear_work += impulse * 0.5 * (before + left)
