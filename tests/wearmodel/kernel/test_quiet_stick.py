"""Penalised stick at once: the closed form where it is stiff, a series where the step is short."""

from __future__ import annotations

import math

import pytest

from wearmodel import (
    FrictionalShock,
    FrictionalShockParameters,
)

from .quiet_steps import (
    forbid_pieces,
    moved,
)


@pytest.mark.parametrize("step_size", [1e-7, 1e-6, 1e-4, 1e-3])
@pytest.mark.parametrize("damping_share", [0.0, 0.1, 1.0])
@pytest.mark.parametrize(
    ("stiffness", "mass"),
    [(9e6, 1.0), (1e3, 1.0), (1.0, 1.0), (1.0, 1e3), (1e-2, 1e3)],
)
def test_soft_penalised_stick_loses_nothing_in_short_steps(
    stiffness: float,
    mass: float,
    damping_share: float,
    step_size: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damping = damping_share * 2.0 * math.sqrt(mass * stiffness)
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=mass,
            friction_coefficient=0.5,
            tangential_law="penalty",
            tangential_stiffness=stiffness,
            tangential_damping=damping,
        )
    )
    forbid_pieces(model, monkeypatch)
    steps = 100
    for _ in range(steps):
        model.step(step_size, 0.4)
    outputs = model.outputs()
    u, rate = moved(mass, damping, stiffness, -0.4 * mass, 0.0, steps * step_size)
    # A hundred roundings of numbers no larger than these, which √(K/m) h = 3 turns by 300 rad.
    largest_rate = abs(u) * math.sqrt(stiffness / mass)
    assert outputs["relative_displacement"] == pytest.approx(u, rel=1e-13)
    assert outputs["relative_velocity"] == pytest.approx(rate, rel=1e-13, abs=1e-13 * largest_rate)
