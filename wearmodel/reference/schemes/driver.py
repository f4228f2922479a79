"""The march that all classical schemes share: steps from t = 0 to the end, redone where asked.

A scheme gives two plain functions. `init` returns the state at t = 0, which `start` does for most.
`step` attempts one step from a state and returns its `Outcome`. An error below 1 is accepted; a
larger one is redone unless redoing has not helped, or has been done often enough. `drive` takes
both functions, so that each scheme is compiled as one piece with them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ...batch.compile import compiled_module
from ...quantities import require_positive
from .contact_law import INITIAL_MEMORY
from .excitation import Excitation
from .scheme_record import Floats, SchemeRecord, record_of
from .shock_oscillator import Contact, ShakenOscillator, ShockOscillator, response

# The last step is cut to the end of the run, which it reaches to a rounding of the instants; this
# leaves room for the roundings of a table's span too, and is far below any step.
_ROUNDING = 1e-12
END_SHARE = 1.0 - _ROUNDING
"""Share of the duration from which on a run has ended."""
# Steps written with ten digits, as 1/3 s may be, still count as whole.
_WHOLE = 1e-9


class SchemeState(NamedTuple):
    """What a scheme carries from step to step."""

    displacement: float
    """x [m]."""
    velocity: float
    """v that the scheme advances [m/s]; that of the last half step in a leapfrog."""
    acceleration: float
    """ẍ [m/s2] that the contact left the mass."""
    contact_velocity: float
    """Velocity that the contact was given, which is archived [m/s]."""
    contact: Contact
    """The contact's answer to displacement and contact_velocity."""
    kept: float
    """What the scheme alone knows; 0 at the start unless its `init` says otherwise."""


class Attempt(NamedTuple):
    """A step to try."""

    start: float
    """Instant of the state [s]."""
    end: float
    """Instant that the step leads to [s]."""
    step_size: float
    """dt [s]."""
    planned_step: float
    """dt of the first attempt at this step, before any redo [s]."""


class Run(NamedTuple):
    """How a run is marched; a named tuple because numba takes it as it is."""

    duration: float
    """End of the run [s]."""
    first_step: float
    """[s]."""
    largest_step: float
    """[s]."""
    fixed: bool = False
    """All steps are first_step and instants are i·dt; otherwise the last step is cut to the end."""
    smallest_step: float = 0.0
    """Step below which the run is given up [s]."""
    largest_redo_count: int = 0
    """Times a step is redone before it is taken as it is."""
    redo_gain: float = 0.0
    """Ratio by which redoing must lower the error to be tried again."""
    archive_every: int = 1
    """Steps between two samples."""


Outcome = tuple[SchemeState, float, float, float]
"""New state, error, step to redo with [s], step to go on with [s]."""

Method = TypeVar("Method")
Init = Callable[[ShakenOscillator, float], SchemeState]
Step = Callable[[ShakenOscillator, Method, SchemeState, Attempt], Outcome]


def integrate(
    scheme: str, oscillator: ShockOscillator, excitation: Excitation, method: Any, run: Run
) -> SchemeRecord:
    """Check and march a run by the scheme of this module name; return the archived steps.

    Raises
    ------
    ValueError
        Where a parameter breaks its rule, the table ends before the run, or the run is no whole
        number of fixed steps.
    """
    oscillator = oscillator.checked()
    for name in ("duration", "first_step", "largest_step"):
        require_positive(name, getattr(run, name), "s")
    duration = run.duration
    if duration > excitation.span * (1.0 + _ROUNDING):
        raise ValueError(f"duration={duration} s must be ≤ the table's span of {excitation.span} s")
    if run.archive_every < 1:
        raise ValueError(f"archive_every={run.archive_every} must be ≥ 1")
    if run.fixed:
        steps = round(duration / run.first_step)
        if steps < 1 or abs(steps * run.first_step - duration) > _WHOLE * duration:
            raise ValueError(
                f"duration={duration} s must be a whole number of step_size={run.first_step} s"
            )
        duration = steps * run.first_step
    run = Run(float(duration), float(run.first_step), float(run.largest_step), *run[3:])
    march = compiled_module(f"reference.schemes.{scheme}").march
    return record_of(oscillator, march(ShakenOscillator(oscillator, excitation), method, run))


def drive(
    init: Init, step: Step[Method], shaken: ShakenOscillator, method: Method, run: Run
) -> Floats:
    """Return the archive, shape (samples, 6); it ends early where a step fell too low."""
    end = run.duration * END_SHARE
    time = 0.0
    step_size = min(run.first_step, run.largest_step)
    state = init(shaken, step_size)
    archive = [_archived_row(time, state)]
    count = 0
    while time < end:
        count += 1
        if not run.fixed:
            step_size = min(step_size, run.duration - time)
        planned_step = step_size
        redo_count = 0
        previous_error = math.inf
        while True:
            # Fixed steps have the instants i·dt, never accumulated.
            new_time = count * step_size if run.fixed else time + step_size
            attempt = Attempt(time, new_time, step_size, planned_step)
            new_state, error, shorter, longer = step(shaken, method, state, attempt)
            if (
                error < 1.0
                or redo_count >= run.largest_redo_count
                or error * run.redo_gain > previous_error
            ):
                break
            previous_error = error
            step_size = shorter
            redo_count += 1
        if step_size < run.smallest_step and new_time < end:
            break
        time = new_time
        state = new_state
        step_size = min(run.largest_step, longer)
        if count % run.archive_every == 0 or time >= end:
            archive.append(_archived_row(time, state))
    return np.array(archive)


def start(shaken: ShakenOscillator, first_step: float) -> SchemeState:
    """Return the state at t = 0, where the contact remembers nothing: `init` of most schemes."""
    displacement = shaken.oscillator.initial_displacement
    velocity = shaken.oscillator.initial_velocity
    acceleration, contact = response(shaken, 0.0, displacement, velocity, INITIAL_MEMORY)
    return SchemeState(displacement, velocity, acceleration, velocity, contact, 0.0)


def _archived_row(time: float, state: SchemeState) -> tuple[float, ...]:
    """Return the columns of `record.record_of`."""
    normal_force, friction_force, memory = state.contact
    forces = (normal_force, friction_force, 1.0 if memory.sticking else 0.0)
    return (time, state.displacement, state.contact_velocity, *forces)
