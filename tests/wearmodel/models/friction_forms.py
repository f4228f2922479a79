"""Forms of the friction law for the tests of bodies at rest."""

from __future__ import annotations

FORMS: dict[str, dict[str, float]] = {
    "constant": {"friction_coefficient": 0.1},
    "viscous": {"friction_coefficient": 0.1, "viscous_friction": 0.05},
    "strengthening": {
        "friction_coefficient": 0.1,
        "friction_coefficient_slow": 0.05,
        "friction_decay_velocity": 0.02,
    },
    "weakening": {
        "friction_coefficient": 0.05,
        "friction_coefficient_slow": 0.1,
        "friction_decay_velocity": 0.02,
    },
    "both": {
        "friction_coefficient": 0.1,
        "friction_coefficient_slow": 0.05,
        "friction_decay_velocity": 0.02,
        "viscous_friction": 0.05,
    },
}
# Without friction at rest, a body never stops. The tests of the other forms do not apply.
VANISHING = {
    "friction_coefficient": 0.1,
    "friction_coefficient_slow": 0.0,
    "friction_decay_velocity": 0.02,
}


def static_coefficient(friction: dict[str, float]) -> float:
    """Return μ_s, the coefficient of slow slip."""
    return friction.get("friction_coefficient_slow", friction["friction_coefficient"])
