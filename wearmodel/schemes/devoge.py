"""DEVOGE: the scheme of Devogelaere and Fu, order 4, for an undamped mass.

Two evaluations of the force a step. The contact law sees finite-difference velocities, and that of
the second half step is archived with the force it gave. The step grows from the first to the
largest one by at most 1.5 a step and stays there: the recorded runs' control of the step by an
error estimate is not modelled. Where that control was as good as off (a tolerance of 1e-3 m, at
1.5 m/s2) the recorded wear power is met to 5e-13, else to 9e-6. Linear damping, implicit in the
full scheme, is refused.

Source: the time schemes of the transient operator; SDND104 (V5.01.104), modelling A.
"""

from __future__ import annotations

import numpy as np

from ..compiled_modules import compiled_module
from .excitation import Excitation
from .oscillator import ShockOscillator, response, start
from .record import (
    END_SHARE,
    Floats,
    SchemeRecord,
    archived_row,
    check_archive,
    check_run,
    record_of,
)

ALLOCATING = ("march",)
"""What makes lists and arrays, see `compiled_modules`."""

STEP_GROWTH = 1.5
"""Largest ratio of two successive steps."""


def devoge(
    oscillator: ShockOscillator,
    excitation: Excitation,
    *,
    duration: float,
    first_step: float,
    largest_step: float,
    archive_every: int = 1,
) -> SchemeRecord:
    """Integrate from t = 0 to exactly `duration` and return the archived steps.

    With A = F/M − K x/M, A(x) at finite-difference velocities:

    x½ = x + dt v/2 + dt²/24 (4 A − A_prev½);  v½ enters no force
    x₁ = x + dt v + dt²/6 (A + 2 A½);  v₁ = v + dt/6 (A + 4 A½ + A₁)

    A_prev½ at the start comes from half a step backwards.

    Parameters
    ----------
    oscillator, excitation
        What moves and what shakes it; `damping` must be 0.
    duration
        End of the run [s].
    first_step, largest_step
        Time steps [s].
    archive_every
        Steps between two samples; 1 archives every step. t = 0 and the end are always archived.

    Raises
    ------
    ValueError
        Where a parameter breaks its rule, or a table ends before the run.
    """
    oscillator = oscillator.checked()
    if oscillator.damping != 0.0:
        raise ValueError(f"damping={oscillator.damping} N.s/m must be 0 with DEVOGE")
    check_run(excitation, duration, first_step=first_step, largest_step=largest_step)
    check_archive(archive_every)
    archive = compiled_module("schemes.devoge").march(
        oscillator,
        excitation,
        float(duration),
        float(first_step),
        float(largest_step),
        archive_every,
    )
    return record_of(oscillator, archive)


def march(
    oscillator: ShockOscillator,
    excitation: Excitation,
    duration: float,
    first_step: float,
    largest_step: float,
    archive_every: int,
) -> Floats:
    """Return the archive, shape (samples, 6)."""
    end = duration * END_SHARE
    time = 0.0
    step_size = min(first_step, largest_step)
    displacement, velocity, rate, contact = start(oscillator, excitation)
    archive = [archived_row(0.0, displacement, velocity, contact)]

    # Half a step backwards, whose evaluation leaves no trace in the contact's memory. A(t) before
    # t = 0 is taken as A(0): a table has nothing there.
    half_step = 0.5 * step_size
    past_displacement = displacement - half_step * velocity + 0.5 * half_step**2 * rate
    past_velocity = (displacement - past_displacement) / half_step
    previous_half_rate, _ = response(
        oscillator, excitation, 0.0, past_displacement, past_velocity, contact.memory
    )

    step = 0
    while time < end:
        step += 1
        step_size = min(step_size, duration - time)
        half_step = 0.5 * step_size
        half_displacement = (
            displacement
            + half_step * velocity
            + step_size**2 / 24.0 * (4.0 * rate - previous_half_rate)
        )
        contact_velocity = (half_displacement - displacement) / half_step
        half_rate, contact = response(
            oscillator,
            excitation,
            time + half_step,
            half_displacement,
            contact_velocity,
            contact.memory,
        )
        displacement += step_size * velocity + step_size**2 / 6.0 * (rate + 2.0 * half_rate)
        contact_velocity = (displacement - half_displacement) / half_step
        time += step_size
        new_rate, contact = response(
            oscillator, excitation, time, displacement, contact_velocity, contact.memory
        )
        velocity += step_size / 6.0 * (rate + 4.0 * half_rate + new_rate)
        rate = new_rate
        previous_half_rate = half_rate
        step_size = min(largest_step, STEP_GROWTH * step_size)
        if step % archive_every == 0 or time >= end:
            archive.append(archived_row(time, displacement, contact_velocity, contact))
    return np.array(archive)
