"""Measurements that do not determine all parameters. The fit must name each of these parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.fitting import run_fit
from tests.fits.cells import NOISES, Floats, Rig, loaded, with_values

_SHOE = {"stiffness": 40.0, "gravity": 9.81}
_NORMAL = {"gravity": 0.0, "normal_stiffness": 100.0, "normal_damping": 2.0}
_AWAY = {"measured": "gap", "input": "base_acceleration_normal"}
_OMEGA = 10.0


@dataclass(frozen=True)
class Planted:
    """A rig, and the parameters that its measurement does not determine."""

    rig: Rig
    open: tuple[str, ...]


def _harmonic(times: Floats) -> Floats:
    return np.sin(_OMEGA * times)


def _one_way(times: Floats) -> Floats:
    """Alternate sliding at ±0.2 m/s."""
    return 0.05 - np.abs((0.2 * times) % 0.2 - 0.1)


PLANTED = {
    "viscous friction and Coulomb friction at one speed": Planted(
        Rig(
            {"drive": "displacement", "contact_stiffness": 1e4, "tangential_stiffness": 1e6,
             "dist_1": 0.0, "obstacle": "plane"},
            {"friction_coefficient": 0.2, "viscous_friction": 0.1},
            measured="force_y", input="imposed_displacement_y", drive=_one_way, model="DisChoc",
            span=2.0, inputs='[inputs.imposed_displacement_x]\nkind = "constant"\nvalue = -1e-3',
        ),
        ("friction_coefficient", "viscous_friction"),
    ),
    "friction coefficient and unknown preload": Planted(
        Rig({**_SHOE, "gravity": 0.0}, {"friction_coefficient": 0.15, "preload": 10.0}),
        ("friction_coefficient", "preload"),
    ),
    "contact stiffness without contact": Planted(
        Rig({"normal_law": "penalty", "initial_gap": 1.0, **_NORMAL},
            {"normal_damping": 2.0, "contact_stiffness": 2000.0}, **_AWAY),
        ("contact_stiffness",),
    ),
    "restitution without contact": Planted(
        Rig({"normal_law": "rigid", "initial_gap": 1.0, **_NORMAL},
            {"normal_damping": 2.0, "restitution": 0.3}, **_AWAY),
        ("restitution",),
    ),
    "gap without contact": Planted(
        Rig({"normal_law": "penalty", **_NORMAL},
            {"normal_damping": 2.0, "initial_gap": 1.0}, measured="gap_velocity",
            input="base_acceleration_normal"),
        ("initial_gap",),
    ),
    "decay velocity far below the speeds": Planted(
        Rig({**_SHOE, "friction_coefficient_slow": 0.2},
            {"friction_coefficient": 0.15, "friction_decay_velocity": 2e-4},
            fitted={
                "friction_coefficient": "{ start = 0.12, low = 0.05, high = 0.19 }",
                "friction_decay_velocity": "{ start = 3e-4, low = 1e-4, high = 5e-4 }",
            }),
        ("friction_decay_velocity",),
    ),
    "friction at rest without stick": Planted(
        Rig({**_SHOE, "initial_velocity": 0.0},
            {"friction_coefficient": 0.02, "friction_coefficient_static": 0.03},
            scale=2.0,
            fitted={
                "friction_coefficient": "{ start = 0.015, low = 0.005, high = 0.025 }",
                "friction_coefficient_static": "{ start = 0.035, low = 0.026, high = 0.05 }",
            }),
        ("friction_coefficient_static",),
    ),
    "tangential stiffness in gross slip": Planted(
        Rig({**_SHOE, "tangential_law": "penalty"},
            {"friction_coefficient": 0.05, "tangential_stiffness": 1e9}, scale=3.0),
        ("tangential_stiffness",),
    ),
    "gain and amplitude": Planted(
        Rig({"stiffness": 40.0, "damping": 1.0, "friction_coefficient": 0.0}, {},
            fitted={
                "inputs.base_acceleration.scale": "{ start = 1.2, low = 0.5, high = 2.0 }",
                "relative_displacement.gain": "{ start = 0.9, low = 0.5, high = 2.0 }",
            }),
        ("inputs.base_acceleration.scale", "relative_displacement.gain"),
    ),
    "time offset and damping in harmonic motion": Planted(
        Rig({"stiffness": 40.0, "friction_coefficient": 0.0}, {"damping": 4.0},
            drive=_harmonic, span=20.0, first=10.0,
            fitted={
                "damping": "{ start = 5.0, low = 1.0, high = 10.0 }",
                "relative_displacement.gain": "{ start = 1.1, low = 0.5, high = 2.0 }",
                "relative_displacement.time_offset":
                    "{ start = 0.001, low = -0.1, high = 0.1 }",
            }),
        ("damping", "relative_displacement.gain", "relative_displacement.time_offset"),
    ),
    "wear coefficient and wear area": Planted(
        Rig(_SHOE, {"archard_coefficient": 1e-13, "wear_area": 1e-4}, measured="wear_depth"),
        ("archard_coefficient", "wear_area"),
    ),
    "mass and stiffness": Planted(
        Rig({"gravity": 9.81}, {"mass": 1.0, "stiffness": 40.0, "friction_coefficient": 0.1}),
        ("mass", "stiffness"),
    ),
}  # fmt: skip


def left_open(name: str, *, seed: int = 1) -> tuple[str, ...]:
    """Return the parameters without a result, with the reasons, for a rig with 1 % of noise."""
    planted = PLANTED[name]
    fit = loaded(planted.rig, span=planted.rig.span)
    values = NOISES["white"].drawn(fit.channels[0].values, np.random.default_rng(seed))
    return run_fit(with_values(fit, values)).not_known
