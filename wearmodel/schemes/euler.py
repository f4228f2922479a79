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
    time_step: float,
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
    time_step
        dt [s].
    archive_every
        Steps between two samples; 1 archives every step. t = 0 is always archived.

    Raises
    ------
    ValueError
        Where a parameter breaks its rule, or a table ends before the run.
    """
    oscillator = oscillator.checked()
    check_run(excitation, duration, time_step=time_step)
    check_archive(archive_every)
    steps = whole_steps(duration, time_step)
    archive = compiled_module("schemes.euler").march(
        oscillator, excitation, steps, float(time_step), archive_every
    )
    return record_of(oscillator, archive)


def march(
    oscillator: ShockOscillator,
    excitation: Excitation,
    steps: int,
    time_step: float,
    archive_every: int,
) -> Floats:
    """Return the archive, shape (samples, 6)."""
    position, velocity, rate, contact = start(oscillator, excitation)
    archive = [archived_row(0.0, position, velocity, contact)]
    for step in range(1, steps + 1):
        time = step * time_step
        velocity += time_step * rate
        position += time_step * velocity
        rate, contact = response(oscillator, excitation, time, position, velocity, contact.memory)
        if step % archive_every == 0:
            archive.append(archived_row(time, position, velocity, contact))
    return np.array(archive)
