"""Sliding structures with rigid friction, as limits of penalised friction.

Several masses with rigid friction cannot be cases, because contacts of a structure are penalised.
The references integrate stick and slip with rigid friction by scipy. The errors of the model
decrease in proportion to 1/K_T, as listed in docs/verification.md.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from wearmodel import InputTiming, ModalShock
from wearmodel.structure import structure_of

RAFT, MASS, OMEGA, RATIO = 0.5, 1.0, 4.0 * math.pi, 0.05
WEIGHT, GRIP = (RAFT + MASS) * 9.81, 0.08 * (RAFT + MASS) * 9.81
END = 1.5


def shaken(t: float) -> float:
    """Return the base acceleration [m/s2], a triangular wave that the model follows exactly."""
    return float(np.interp(t, (0.0, 0.25, 0.75, 1.25, 1.75), (0.0, 3.0, -3.0, 3.0, -3.0)))


def mostaghel(end: float) -> tuple[float, float]:
    """Return the displacements of raft and mass for rigid friction between raft and ground."""

    def spring(y: list[float]) -> float:
        """Return the force of the columns on the raft."""
        return MASS * (2.0 * RATIO * OMEGA * (y[3] - y[1]) + OMEGA**2 * (y[2] - y[0]))

    def rates(t: float, y: list[float], side: float) -> list[float]:
        raft = (spring(y) - side * GRIP) / RAFT - shaken(t) if side else 0.0
        return [y[1] if side else 0.0, raft, y[3], -spring(y) / MASS - shaken(t)]

    def driving(t: float, y: list[float]) -> float:
        return spring(y) - RAFT * shaken(t)

    def breaks(t: float, y: list[float], side: float) -> float:
        return abs(driving(t, y)) - GRIP

    def stops(t: float, y: list[float], side: float) -> float:
        return side * y[1]

    breaks.terminal = stops.terminal = True  # type: ignore[attr-defined]
    breaks.direction, stops.direction = 1.0, -1.0  # type: ignore[attr-defined]
    time, state, side, slips = 0.0, [0.0] * 4, 0.0, 0
    while time < end:
        # Each part ends at a corner of the wave.
        corner = min(corner for corner in (0.25, 0.75, 1.25, end) if corner > time)
        run = solve_ivp(
            rates,
            (time, corner),
            state,
            method="DOP853",
            rtol=1e-12,
            atol=1e-14,
            max_step=0.01,
            events=stops if side else breaks,
            args=(side,),
        )
        time, state = float(run.t[-1]), [float(number) for number in run.y[:, -1]]
        if time == corner:
            continue
        if side:
            state[1] = 0.0
        force = driving(time, state)
        side = math.copysign(1.0, force) if not side or abs(force) > GRIP else 0.0
        slips += side != 0.0
    assert slips > 2
    return state[0], state[2]


def sliding_structure(stiffness: float) -> ModalShock:
    """Return raft and mass as a rigid mode, a mode of the columns and a rigid mode across."""
    total = RAFT + MASS
    return ModalShock(
        structure_of(
            {
                "structure": {"title": "a mass on a raft", "source": "two free masses"},
                "modes": {
                    "frequency": [0.0, math.sqrt(total / RAFT) * OMEGA / (2.0 * math.pi), 0.0],
                    "damping_ratio": [0.0, math.sqrt(total / RAFT) * RATIO, 0.0],
                    "generalised_mass": [total, RAFT * MASS / total, total],
                },
                "base": {
                    "participation_x": [total, 0.0, 0.0],
                    "participation_z": [0.0, 0.0, total],
                    "gravity_z": -9.81,
                },
                "point": [
                    {
                        "name": "raft",
                        "shape_x": [1.0, -MASS / total, 0.0],
                        "shape_z": [0.0, 0.0, 1.0],
                    },
                    {"name": "mass", "shape_x": [1.0, RAFT / total, 0.0]},
                ],
                "contact": [
                    {
                        "name": "ground",
                        "point": "raft",
                        "obstacle": "plane",
                        "normal": [0, 0, 1],
                        "gap": -WEIGHT / 1e6,
                        "contact_stiffness": 1e6,
                        "tangential_stiffness": stiffness,
                        "friction_coefficient": 0.08,
                    }
                ],
                "observe": [{"point": "raft"}, {"point": "mass"}],
            }
        ),
        input_timing=InputTiming.end,
    )


def error_of(stiffness: float, steps: int = 150) -> float:
    """Return the larger error of raft and mass at the end, relative to the raft's displacement."""
    model = sliding_structure(stiffness)
    step = END / steps
    for number in range(steps):
        model.step(step, base_acceleration_x=shaken((number + 1) * step))
    got = model.outputs()
    raft, mass = mostaghel(END)
    return max(
        abs(got["raft.displacement_x"] - raft), abs(got["mass.displacement_x"] - mass)
    ) / abs(raft)


@pytest.mark.parametrize(("stiffness", "listed"), [(1e5, 5e-4), (1e7, 5e-6), (1e9, 5e-8)], ids=str)
def test_a_mass_on_a_sliding_raft_has_the_listed_difference_from_rigid_friction(stiffness, listed):
    assert error_of(stiffness) == pytest.approx(listed, rel=0.1)
