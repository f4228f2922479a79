"""EULER: symplectic Euler with a fixed step, later named central difference.

Order 1 with one evaluation of the force a step; stable while dt < 2/√(K_T/M) without damping.
Source: SDND104 (V5.01.104), modelling A, and the time schemes of the transient operator.
"""

from __future__ import annotations

from ...quantities import require_positive
from .driver import Attempt, Outcome, Run, SchemeState, drive, integrate, start
from .excitation import Excitation
from .scheme_record import Floats, SchemeRecord
from .shock_oscillator import ShakenOscillator, ShockOscillator, response


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
        Steps between two samples; 1 archives every step. t = 0 and the end are always archived.

    Raises
    ------
    ValueError
        Where a parameter breaks its rule, or a table ends before the run.
    """
    require_positive("step_size", step_size, "s")
    run = Run(duration, step_size, step_size, fixed=True, archive_every=archive_every)
    return integrate("euler", oscillator, excitation, None, run)


def march(shaken: ShakenOscillator, method: None, run: Run) -> Floats:
    """Return the archive of `driver.drive`."""
    return drive(start, step, shaken, method, run)


def step(shaken: ShakenOscillator, method: None, state: SchemeState, attempt: Attempt) -> Outcome:
    """Return what `driver` asks of a step; each is accepted."""
    dt = attempt.step_size
    velocity = state.velocity + dt * state.acceleration
    displacement = state.displacement + dt * velocity
    acceleration, contact = response(
        shaken, attempt.end, displacement, velocity, state.contact.memory
    )
    new_state = SchemeState(displacement, velocity, acceleration, velocity, contact, 0.0)
    return new_state, 0.0, dt, dt
