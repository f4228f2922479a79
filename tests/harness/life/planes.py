"""A mass that knocks between two planes under noise, as a life file and as parameters."""

from __future__ import annotations

from typing import Any

from wearmodel import FrictionalShockParameters
from wearmodel.kernel.shoe.parameters import NormalLaw, Obstacle

HALF_SPACING = 2e-4  # m
_PARAMETERS: dict[str, float] = {
    "mass": 1.0,
    "gravity": 0.0,
    "friction_coefficient": 0.2,
    "contact_stiffness": 1e6,
    "contact_damping": 200.0,
    "stiffness": 4e3,
    "damping": 10.0,
    "normal_stiffness": 4e3,
    "normal_damping": 10.0,
}


def between_planes(depth: float = 0.0, **more: Any) -> FrictionalShockParameters:
    """Return the parameters of the mass if each plane is worn by a depth [m]."""
    return FrictionalShockParameters(
        **_PARAMETERS,
        normal_law=NormalLaw.penalty,
        obstacle=Obstacle.two_planes,
        initial_gap=HALF_SPACING + depth,
        plane_half_spacing=HALF_SPACING + depth,
        **more,
    )


def life_between_planes(
    band: dict[str, float], *, years: float, relative_error: float, coefficient: float, area: float
) -> str:
    """Return a life file of the mass under band noise along both axes, rms 3 and 5 m/s2."""
    parameters = "\n".join(f"{name} = {value!r}" for name, value in _PARAMETERS.items())
    noise = "\n".join(f"{name} = {value!r}" for name, value in band.items())
    return f"""\
[case]
title = "Between two planes"
source = "test"
fmu = "FrictionalShock"

[parameters]
normal_law = "penalty"
obstacle = "two_planes"
initial_gap = {HALF_SPACING!r}
plane_half_spacing = {HALF_SPACING!r}
{parameters}

[inputs.base_acceleration]
kind = "noise"
rms = 3.0
seed = 3
{noise}

[inputs.base_acceleration_normal]
kind = "noise"
rms = 5.0
seed = 4
{noise}

[experiment]
stop_time = 20.0
step_size = 0.001

[life]
years = {years!r}
relative_error = {relative_error!r}
law = {{ kind = "ARCHARD", coefficient = {coefficient!r} }}
shape = {{ kind = "FLAT", wear_area = {area!r}, scars = 2 }}
"""
