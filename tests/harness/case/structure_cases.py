"""Closed forms of shipped cases with structures, at 30 digits.

Each function returns the values of a case by variable and time, or by variable and window. They
are computed from the parameters and the structure of the case.
"""

from __future__ import annotations

import mpmath as mp

from wearmodel.structure import read_structure

from .impact_cases import amplitude_of, is_close

mp.mp.dps = 30


def rotating_pendulum(case):
    """A mass on a pendulum bearing moves on a circle under a rotating base acceleration.

    In u = x + iy, with the anchor at r e^(iωt), friction is −i μ F_N e^(iωt) and stretches the
    spring by e = i μ F_N/(K_T + iω C_T). The radius r follows from |A| = a.
    """
    structure = read_structure(case.structure)
    (contact,) = structure.contacts
    p = contact.parameters
    along = case.inputs["base_acceleration_x"], case.inputs["base_acceleration_y"]
    omega, size = mp.mpf(along[0].omega), amplitude_of(case, "base_acceleration_x")
    assert (along[1].omega, along[1].amplitude) == (along[0].omega, along[0].amplitude)
    assert is_close(along[0].phase, mp.pi / 2)
    assert along[1].phase == 0.0
    # The mass is 1 kg.
    force = mp.mpf(p.contact_stiffness) * -mp.mpf(p.gap)
    grip = mp.mpf(p.friction_coefficient) * force
    stretch = mp.mpc(0, grip) / mp.mpc(p.tangential_stiffness, omega * p.tangential_damping)
    detuning = force / mp.mpf(p.pendulum_radius) - omega**2
    across = detuning * stretch.imag + grip
    radius = mp.sqrt(size**2 - across**2) / abs(detuning) - stretch.real
    shaken = -detuning * (radius + stretch) - mp.mpc(0, grip)
    turned = mp.expj(-mp.arg(shaken))
    orbit = (radius + stretch) * turned
    start = structure.initial.displacement[:2], structure.initial.velocity[:2]
    assert all(map(is_close, start[0], (orbit.real, orbit.imag)))
    assert all(map(is_close, start[1], (-omega * orbit.imag, omega * orbit.real)))
    end = case.experiment.stop_time
    late = orbit * mp.expj(omega * mp.mpf(end))
    return {
        ("mass.displacement_x", end): late.real,
        ("mass.displacement_y", end): late.imag,
        ("bearing.wear_power", end): force * omega * radius,
        ("bearing.wear_work", (end / 2, end)): force * omega * radius,
    }, radius


CASES = {"rotating_pendulum": lambda case: rotating_pendulum(case)[0]}
