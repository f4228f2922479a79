"""Runs with friction or impacts for each model, used by the tests of all forms of its FMU."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .instance import Instance, Slave


@dataclass(frozen=True)
class Play:
    """A model, its start values, and its inputs before step `number`."""

    model: str
    step_size: float
    start: dict[str, Any]
    inputs: Callable[[int], dict[str, float]]

    def go(self, one: Instance | Slave, first: int, last: int) -> list[dict[str, Any]]:
        """Return the outputs after each step. All steps must be accepted."""
        outputs = []
        for number in range(first, last):
            assert one.steps(number * self.step_size, self.step_size, **self.inputs(number))
            outputs.append(one.outputs())
        return outputs

    def slave(self) -> Slave:
        """Return the initialised Python object."""
        return Slave(self.model).begin(**self.start)


def _shaking(number: int) -> dict[str, float]:
    return {"base_acceleration": 15.0 * math.sin(0.05 * number)}


def _knocking(number: int) -> dict[str, float]:
    return {**_shaking(number), "base_acceleration_normal": 30.0 * math.sin(0.11 * number)}


def _loads(number: int) -> dict[str, float]:
    turn = 0.3 * number
    return {"load_x": -2.0 - math.sin(turn), "load_y": 1.5 * math.sin(turn), "load_z": 0.1 * turn}


def _path(number: int) -> dict[str, float]:
    turn = 0.4 * number
    path = (-2.0 - math.sin(turn), math.cos(turn), math.sin(1.3 * turn))
    return {f"imposed_displacement_{axis}": at for axis, at in zip("xyz", path, strict=True)}


def _round_path(number: int) -> dict[str, float]:
    path = (0.8 * math.cos(0.5 * number), 0.8 * math.sin(0.7 * number), 0.1)
    return {f"imposed_displacement_{axis}": at for axis, at in zip("xyz", path, strict=True)}


def _tube(number: int) -> dict[str, float]:
    return {
        "base_acceleration_y": 30.0 * math.sin(0.075 * number),
        "base_acceleration_z": 20.0 * math.sin(0.107 * number),
        "load.flow": math.sin(0.2 * number),
    }


def _nothing(number: int) -> dict[str, float]:
    return {}


PLAYS = {
    "a mass that rubs": Play(
        "FrictionalShock",
        1e-3,
        {"mass": 2.0, "stiffness": 40.0, "input_extrapolation_order": 3},
        _shaking,
    ),
    "a mass that knocks": Play(
        "FrictionalShock",
        1e-3,
        {"normal_law": 1, "contact_stiffness": 1e4, "initial_gap": 1e-3, "tangential_law": 1},
        _knocking,
    ),
    "a loaded spring": Play("DisChoc", 0.1, {}, _loads),
    "a damped spring that wears its gap": Play(
        "DisChoc",
        0.1,
        {
            "drive": 1,
            "contact_damping": 0.2,
            "tangential_damping": 0.1,
            "wear_feedback": True,
            "wear_area": 1e-12,
            "friction_coefficient_slow": 0.7,
            "friction_decay_velocity": 1.0,
        },
        _path,
    ),
    "a spring in a hole": Play(
        "DisChoc",
        0.1,
        {"drive": 1, "obstacle": 2, "contact_damping": 0.1, "friction_coefficient": 0.1},
        _round_path,
    ),
    "a mass on a spring": Play(
        "DisChoc",
        0.1,
        {"drive": 1, "effective_mass": 0.5, "contact_damping": 0.2, "friction_coefficient": 0.3},
        _path,
    ),
    "a mass in a hole, in parallel": Play(
        "DisChoc",
        0.1,
        {"drive": 1, "effective_mass": 0.5, "lag": 1, "obstacle": 2, "tangential_damping": 0.3},
        _round_path,
    ),
    "a sine": Play("BaseMotion", 1e-3, {"amplitude": 2.0, "phase": 0.3}, _nothing),
    "a table": Play("BaseMotion", 1e-2, {"kind": 1, "table": b"0 0; 0.3 1.1;2 -2e-3"}, _nothing),
    "a tube in supports": Play("ModalShock", 1e-3, {}, _tube),
}
# The first play of each model.
PLAY_OF = {play.model: play for play in reversed(PLAYS.values())}
