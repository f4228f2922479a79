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

from .driver import Attempt, Outcome, Run, SchemeState, drive, integrate, start
from .excitation import Excitation
from .scheme_record import Floats, SchemeRecord
from .shock_oscillator import ShakenOscillator, ShockOscillator, response

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
    if oscillator.damping != 0.0:
        raise ValueError(f"damping={oscillator.damping} N.s/m must be 0 with DEVOGE")
    run = Run(duration, first_step, largest_step, archive_every=archive_every)
    return integrate("devoge", oscillator, excitation, None, run)


def march(shaken: ShakenOscillator, method: None, run: Run) -> Floats:
    """Return the archive of `driver.drive`."""
    return drive(init, step, shaken, method, run)


def init(shaken: ShakenOscillator, first_step: float) -> SchemeState:
    """Return the state at t = 0; `kept` is A_prev½.

    Half a step backwards, whose evaluation leaves no trace in the contact's memory. A(t) before
    t = 0 is taken as A(0): a table has nothing there.
    """
    state = start(shaken, first_step)
    half_step = 0.5 * first_step
    past_displacement = (
        state.displacement - half_step * state.velocity + 0.5 * half_step**2 * state.acceleration
    )
    past_velocity = (state.displacement - past_displacement) / half_step
    past_rate, _ = response(shaken, 0.0, past_displacement, past_velocity, state.contact.memory)
    displacement, velocity, rate, contact_velocity, contact, _ = state
    return SchemeState(displacement, velocity, rate, contact_velocity, contact, past_rate)


def step(shaken: ShakenOscillator, method: None, state: SchemeState, attempt: Attempt) -> Outcome:
    """Return what `driver` asks of a step; each is accepted, `kept` is A½."""
    dt = attempt.step_size
    half_step = 0.5 * dt
    velocity = state.velocity
    rate = state.acceleration

    half_displacement = (
        state.displacement + half_step * velocity + dt**2 / 24.0 * (4.0 * rate - state.kept)
    )
    half_velocity = (half_displacement - state.displacement) / half_step
    half_time = attempt.start + half_step
    half_rate, contact = response(
        shaken, half_time, half_displacement, half_velocity, state.contact.memory
    )

    displacement = state.displacement + (dt * velocity + dt**2 / 6.0 * (rate + 2.0 * half_rate))
    end_velocity = (displacement - half_displacement) / half_step
    new_rate, contact = response(shaken, attempt.end, displacement, end_velocity, contact.memory)
    velocity += dt / 6.0 * (rate + 4.0 * half_rate + new_rate)
    new_state = SchemeState(displacement, velocity, new_rate, end_velocity, contact, half_rate)
    return new_state, 0.0, dt, STEP_GROWTH * dt
