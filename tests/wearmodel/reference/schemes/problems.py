"""Problems with a closed form, for the classical schemes."""

import math

from wearmodel.reference.schemes import Problem

# Mass [kg], spring and wall [N/m] of `spring_wall`.
MASS, STIFFNESS, CONTACT_STIFFNESS = 100.0, 1e4, 1e6


def oscillator(
    stiffness: float, *, amplitude: float = 15.0, displacement: float = 0.0, velocity: float = 0.0
) -> Problem:
    """Return a mass of 1 kg on a spring [N/m], without contact, under amplitude·sin 2πt [m/s2]."""

    def response(time, x, v, memory):
        return -stiffness * x - amplitude * math.sin(2.0 * math.pi * time), memory

    return Problem(response, displacement, velocity)


def spring_wall() -> Problem:
    """Return a mass on a spring that hits an elastic wall at x > 0 with 1 m/s, without friction.

    m = 100 kg, k = 1e4 N/m, K_N = 1e6 N/m: F_MAX = K_N v₀/ω_c and a contact time of π/ω_c with
    ω_c = √((k + K_N)/m). It is the other published run of the classical schemes.
    """

    def response(time, x, v, memory):
        return (-CONTACT_STIFFNESS * max(x, 0.0) - STIFFNESS * x) / MASS, memory

    return Problem(response, velocity=1.0)
