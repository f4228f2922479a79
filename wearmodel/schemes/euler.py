"""EULER: symplectic Euler with a fixed step, later named central difference.

Order 1 with one evaluation of the force a step; stable while dt < 2/√(K_T/M) without damping.
Source: SDND104 (V5.01.104), modelling A, and the time schemes of the transient operator.
"""

from __future__ import annotations

import numpy as np

from ..compiled_modules import compiled_module
from .excitation import Excitation
from .oscillator import ShockOscillator, response, start
from .record import (
    Floats,
    SchemeRecord,
    archived_row,
    check_archive,
    check_run,
    record_of,
    whole_steps,
)

ALLOCATING = ("march",)
"""What makes lists and arrays, see `compiled_modules`."""


def euler(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    duration: float,
    step_size: float,
    archive_every: int = 1,
) -> SchemeRecord:
    """Integrate from t = 0 and return the archived steps.

    v ← v + dt a;  x ← x + dt v;  a ← a(t + dt, x, v)

    Parameters
    ----------
    oscillator, excitation
        What moves and what shakes it.
    duration
        End of the run [s], a whole number of steps.
    step_size
        dt [s].
    archive_every
        Steps between two samples; 1 archives every step. t = 0 is always archived.

    Raises
    ------
    ValueError
        Where a parameter breaks its rule, or a table ends before the run.
    """
    oscillator = oscillator.checked()
    check_run(excitation, duration, step_size=step_size)
    check_archive(archive_every)
    steps = whole_steps(duration, step_size)
    archive = compiled_module("schemes.euler").march(
        oscillator, excitation, steps, float(step_size), archive_every
    )
    return record_of(oscillator, archive)


def march(
    oscillator: ShockOscillator,
    excitation: Excitation,
    steps: int,
    step_size: float,
    archive_every: int,
) -> Floats:
    """Return the archive, shape (samples, 6)."""
    displacement, velocity, rate, contact = start(oscillator, excitation)
    archive = [archived_row(0.0, displacement, velocity, contact)]
    for step in range(1, steps + 1):
        time = step * step_size
        velocity += step_size * rate
        displacement += step_size * velocity
        rate, contact = response(
            oscillator, excitation, time, displacement, velocity, contact.memory
        )
        if step % archive_every == 0:
            archive.append(archived_row(time, displacement, velocity, contact))
    return np.array(archive)
