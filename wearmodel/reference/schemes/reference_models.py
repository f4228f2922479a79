"""The two models whose runs were recorded: SDND104's shoe and the mass that meets a spring wall."""

from __future__ import annotations

import math

from .excitation import Excitation, sine_excitation, tabulated_sine
from .shock_oscillator import ShockOscillator

ANGULAR_FREQUENCY = 2.0 * math.pi
"""ω of SDND104's support [rad/s]: a period of 1 s."""


def sdnd104_shoe() -> ShockOscillator:
    """Return the rubbing shoe of SDND104 (V5.01.104), section 1, as it was recorded.

    m = 1 kg, μ = 0.1, F_N = 20 N/m × 0.5 m = m g = 10 N, K_T = 9e6 N/m (the document prints 9e5,
    the recorded errors match 9e6) and C_T = 2√(m(K_T + k)), which the document does not mention.
    """
    return ShockOscillator(
        mass=1.0,
        stiffness=3e-5,
        initial_gap=-0.5,
        contact_stiffness=20.0,
        friction_coefficient=0.1,
        tangential_stiffness=9e6,
    )


def sdnd104_excitation(amplitude: float, *, tabulated: bool) -> Excitation:
    """Return A(t) = amplitude·sin(2πt) on [0, 12] s, exact or from 240 000 intervals of 5e-5 s."""
    if tabulated:
        return tabulated_sine(amplitude, ANGULAR_FREQUENCY, interval=5e-5, intervals=240_000)
    return sine_excitation(amplitude, ANGULAR_FREQUENCY)


def spring_wall() -> ShockOscillator:
    """Return a mass on a spring that meets an elastic wall at x > 0 with 1 m/s, without friction.

    m = 100 kg, k = 1e4 N/m, K_N = 1e6 N/m: F_MAX = K_N v₀/ω_c and a contact of π/ω_c with
    ω_c = √((k + K_N)/m). It is run without excitation, `sine_excitation(0, 0)`.
    """
    return ShockOscillator(
        mass=100.0,
        stiffness=1e4,
        tangential_component=0.0,
        normal_component=-1.0,
        contact_stiffness=1e6,
        initial_velocity=1.0,
    )
