"""Penalised runs compared with scipy's Dormand–Prince 8(5,3) and its event location.

The laws are written here independently as right-hand sides, and scipy's events switch between them.
The kernel is not used.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from wearmodel import FrictionalShock, FrictionalShockParameters

FLIGHT, STICK, SLIP = 0, 1, 2


@dataclass(frozen=True)
class SmoothShock:
    """One mass of 1 kg, one penalised plane, penalised friction with a damper.

    The state is u, u̇, w, ẇ, e, wear work.
    """

    stiffness: float
    contact_stiffness: float
    contact_damping: float
    tangential_stiffness: float
    tangential_damping: float
    static: float
    dynamic: float
    shaking: Callable[[float], float]
    lifting: Callable[[float], float]

    def normal_force(self, y: np.ndarray) -> float:
        return -self.contact_stiffness * y[2] - self.contact_damping * y[3]

    def stretch_rate(self, y: np.ndarray, mode: int, sliding: float) -> float:
        if mode == STICK:
            return y[1]
        bound = sliding * self.dynamic * self.normal_force(y)
        return (bound - self.tangential_stiffness * y[4]) / self.tangential_damping

    def friction(self, y: np.ndarray, mode: int, sliding: float) -> float:
        if mode == FLIGHT:
            return 0.0
        if mode == SLIP:
            return -sliding * self.dynamic * self.normal_force(y)
        return -self.tangential_stiffness * y[4] - self.tangential_damping * y[1]

    def rates(self, t: float, y: np.ndarray, mode: int, sliding: float) -> list[float]:
        force = self.normal_force(y) if mode else 0.0
        stretch_rate = self.stretch_rate(y, mode, sliding) if mode else 0.0
        slip = y[1] - stretch_rate if mode == SLIP else 0.0
        return [
            y[1],
            -self.shaking(t) - self.stiffness * y[0] + self.friction(y, mode, sliding),
            y[3],
            -10.0 - self.lifting(t) + force,
            stretch_rate,
            force * abs(slip),
        ]

    def run(self, y: list[float], until: float) -> np.ndarray:
        """Integrate from flight at w > 0 to `until`, mode by mode."""
        t, state, mode, sliding = 0.0, np.array(y), FLIGHT, 0.0
        while t < until:
            guards = self._guards(mode, sliding)
            for guard in guards:
                guard.terminal = True  # type: ignore[attr-defined]
                guard.direction = -1.0  # type: ignore[attr-defined]
            piece = solve_ivp(
                self.rates,
                (t, until),
                state,
                method="DOP853",
                rtol=1e-12,
                atol=1e-15,
                events=guards,
                args=(mode, sliding),
            )
            assert piece.success
            t, state = float(piece.t[-1]), piece.y[:, -1]
            fired = [index for index, times in enumerate(piece.t_events) if len(times)]
            if not fired:
                return state
            mode, sliding = self._next(mode, sliding, fired[0], state)
        return state

    def _guards(self, mode: int, sliding: float) -> list[Callable[..., float]]:
        if mode == FLIGHT:
            return [lambda t, y, *_: y[2]]
        opening = lambda t, y, *_: self.normal_force(y)  # noqa: E731
        if mode == STICK:
            return [
                opening,
                lambda t, y, *_: (
                    self.static * self.normal_force(y) - abs(self.friction(y, STICK, 0.0))
                ),
            ]
        return [opening, lambda t, y, *_: sliding * (y[1] - self.stretch_rate(y, SLIP, sliding))]

    def _next(self, mode: int, sliding: float, fired: int, y: np.ndarray) -> tuple[int, float]:
        if mode == FLIGHT:
            y[2] = y[4] = 0.0
            mode = STICK
            # With C_N the force starts at once. Otherwise the damper of friction exceeds the cone.
            excess = abs(self.friction(y, STICK, 0.0)) - self.static * self.normal_force(y)
            if excess <= 0.0:
                return STICK, 0.0
            return SLIP, math.copysign(1.0, y[1])
        if fired == 0:
            y[4] = 0.0
            return FLIGHT, 0.0
        if mode == STICK:
            return SLIP, -math.copysign(1.0, self.friction(y, STICK, 0.0))
        return STICK, 0.0


@pytest.mark.parametrize("static", [0.2, 0.3], ids=["one coefficient", "static above dynamic"])
@pytest.mark.parametrize("contact_damping", [0.0, 3.0])
def test_a_penalised_run_agrees_with_an_independent_integration(contact_damping, static):
    # Inputs are cubics over the whole second, equal for both.
    shaking = (8.0, -60.0, 90.0, -30.0)
    lifting = (3.0, -20.0, 25.0, 0.0)
    shock = SmoothShock(
        stiffness=50.0,
        contact_stiffness=4e3,
        contact_damping=contact_damping,
        tangential_stiffness=2e3,
        tangential_damping=20.0,
        static=static,
        dynamic=0.2,
        shaking=lambda t: float(np.polynomial.polynomial.polyval(t, shaking)),
        lifting=lambda t: float(np.polynomial.polynomial.polyval(t, lifting)),
    )
    model = FrictionalShock(
        FrictionalShockParameters(
            friction_coefficient=0.2,
            friction_coefficient_static=static,
            stiffness=50.0,
            normal_law="penalty",
            tangential_law="penalty",
            contact_stiffness=4e3,
            contact_damping=contact_damping,
            tangential_stiffness=2e3,
            tangential_damping=20.0,
            initial_gap=0.01,
            initial_velocity=0.3,
        )
    )
    model.step_polynomial(1.0, base_acceleration=shaking, base_acceleration_normal=lifting)
    u, u_rate, gap, gap_rate, _, wear = shock.run([0.0, 0.3, 0.01, 0.0, 0.0, 0.0], 1.0)
    outputs = model.outputs()
    # All modes occur.
    assert outputs["shock_count"] >= 3
    assert outputs["slip_count"] >= 4
    # scipy has an error of 1e-12 of each quantity a step. After a few hundred steps this is 1e-10
    # of 0.1 m, of 1 m/s and of the wear work.
    assert outputs["relative_displacement"] == pytest.approx(u, abs=1e-11)
    assert outputs["relative_velocity"] == pytest.approx(u_rate, abs=1e-10)
    assert outputs["gap"] == pytest.approx(gap, abs=1e-11)
    assert outputs["gap_velocity"] == pytest.approx(gap_rate, abs=1e-10)
    assert outputs["wear_work"] == pytest.approx(wear, rel=1e-10)
