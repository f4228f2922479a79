"""A mass that strikes a wall, the other recorded run of the classical schemes."""

from wearmodel.reference.schemes import ShockOscillator


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
