"""A mass with one degree of freedom and a penalised contact, for the classical schemes.

    M ẍ = F(t, x, v) − K x − C v,    F = −M A(t) + n F_N + τ F_T

x is the mass's displacement along its direction of motion, relative to the support. τ and n are the
components of this direction along the obstacle and along its normal, so gap = initial_gap + n x and
friction depends on τ x: (1, 0) rubs under a constant normal force, (0, ±1) strikes a wall. A mass
with two degrees of freedom is modelled by the FMU only.

The constant normal force m g of SDND104 (V5.01.104) comes from a contact spring of 20 N/m with a
constant penetration of 0.5 m. Its weak spring of 3e-5 N/m belongs to the finite-element model only.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...quantities import require_finite, require_not_negative, require_positive

_UNITS = {
    "mass": "kg",
    "stiffness": "N/m",
    "damping": "N.s/m",
    "tangential_component": "1",
    "normal_component": "1",
    "initial_gap": "m",
    "contact_stiffness": "N/m",
    "contact_damping": "N.s/m",
    "friction_coefficient_static": "1",
    "friction_coefficient": "1",
    "tangential_stiffness": "N/m",
    "tangential_damping": "N.s/m",
    "initial_displacement": "m",
    "initial_velocity": "m/s",
}


class ShockOscillator(NamedTuple):
    """Parameters of the mass and its contact.

    A negative `friction_coefficient_static` means the dynamic one, as in the FMU. A negative
    `tangential_damping` means the critical value 2√(M(K + K_T)). `checked` replaces both.
    """

    mass: float = 1.0
    """M [kg], > 0."""
    stiffness: float = 0.0
    """K of the spring to the support [N/m], ≥ 0."""
    damping: float = 0.0
    """C of the damper to the support [N.s/m], ≥ 0."""
    tangential_component: float = 1.0
    """τ, with τ² + n² = 1."""
    normal_component: float = 0.0
    """n, positive away from the obstacle."""
    initial_gap: float = 0.0
    """Gap at x = 0 [m], negative pressed in."""
    contact_stiffness: float = 0.0
    """K_N [N/m], ≥ 0."""
    contact_damping: float = 0.0
    """C_N [N.s/m], ≥ 0."""
    friction_coefficient_static: float = -1.0
    """μ_s ≥ μ_d. Negative: the same as μ_d."""
    friction_coefficient: float = 0.0
    """μ_d, ≥ 0."""
    tangential_stiffness: float = 0.0
    """K_T [N/m], ≥ 0."""
    tangential_damping: float = -1.0
    """C_T [N.s/m]. Negative: critical."""
    initial_displacement: float = 0.0
    """x at t = 0 [m]."""
    initial_velocity: float = 0.0
    """v at t = 0 [m/s]."""

    def checked(self) -> ShockOscillator:
        """Return the same parameters as floats, with the values filled in that negative ones mean.

        Raises
        ------
        ValueError
            Where a parameter breaks the rule of its field.
        """
        values = self._asdict()
        for name, value in values.items():
            require_finite(name, value, _UNITS[name])
        require_positive("mass", self.mass, _UNITS["mass"])
        for name in (
            "stiffness",
            "damping",
            "contact_stiffness",
            "contact_damping",
            "friction_coefficient",
            "tangential_stiffness",
        ):
            require_not_negative(name, values[name], _UNITS[name])
        if self.friction_coefficient_static < 0.0:
            values["friction_coefficient_static"] = self.friction_coefficient
        elif self.friction_coefficient_static < self.friction_coefficient:
            raise ValueError(
                f"friction_coefficient_static={self.friction_coefficient_static} must be ≥ "
                f"friction_coefficient={self.friction_coefficient}, or negative to use the same "
                "value"
            )
        norm = math.hypot(self.tangential_component, self.normal_component)
        if abs(norm - 1.0) > 1e-12:  # a sine and a cosine are off by some 1e-16
            raise ValueError(
                f"tangential_component={self.tangential_component}, "
                f"normal_component={self.normal_component} must be a unit vector"
            )
        if self.tangential_damping < 0.0:
            stiffness = self.stiffness + self.tangential_stiffness
            values["tangential_damping"] = 2.0 * math.sqrt(self.mass * stiffness)
        return ShockOscillator(*(float(value) for value in values.values()))
