"""The archived steps of a run, as arrays, and the doors every scheme shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..quantities import require_positive
from .excitation import Excitation
from .oscillator import Contact, ShockOscillator

Floats = npt.NDArray[np.float64]

# A row of the archive: time, displacement, velocity, normal and friction force, sticking (1 or 0).
Row = tuple[float, float, float, float, float, float]

# The last step is cut to the end of the run, which it reaches to a rounding of the instants; this
# leaves room for the roundings of a table's span too, and is far below any step.
_ROUNDING = 1e-12
END_SHARE = 1.0 - _ROUNDING
"""Share of the duration from which on a run has ended."""
# Steps written with ten digits, as 1/3 s may be, still count as whole.
_WHOLE = 1e-9


def archived_row(time: float, displacement: float, velocity: float, contact: Contact) -> Row:
    """Return one row of the archive."""
    sticking = 1.0 if contact.memory.sticking else 0.0
    return time, displacement, velocity, contact.normal_force, contact.friction_force, sticking


@dataclass(frozen=True)
class SchemeRecord:
    """Samples of one run, arrays of shape (samples,), instants rising from 0.

    Forces are those of the law at the archived displacement and the velocity the scheme gave it.
    """

    oscillator: ShockOscillator
    """The parameters integrated, as floats."""
    time: Floats
    """[s]."""
    displacement: Floats
    """x, relative to the support [m]."""
    velocity: Floats
    """ẋ [m/s]."""
    normal_force: Floats
    """F_N ≥ 0 [N]."""
    friction_force: Floats
    """Friction force on the mass, along the obstacle [N]."""
    sticking: npt.NDArray[np.bool_]
    """True where the friction law sticks."""

    @property
    def gap(self) -> Floats:
        """Distance to the obstacle [m], negative in contact."""
        return self.oscillator.initial_gap + self.oscillator.normal_component * self.displacement

    @property
    def gap_velocity(self) -> Floats:
        """Rate of the gap [m/s], negative when approaching."""
        return self.oscillator.normal_component * self.velocity

    @property
    def tangential_velocity(self) -> Floats:
        """Velocity along the obstacle [m/s]."""
        return self.oscillator.tangential_component * self.velocity


def record_of(oscillator: ShockOscillator, archive: Floats) -> SchemeRecord:
    """Return the record of an archive of shape (samples, 6) whose columns are those of `Row`."""
    time, displacement, velocity, normal_force, friction_force, sticking = archive.T
    return SchemeRecord(
        oscillator, time, displacement, velocity, normal_force, friction_force, sticking != 0.0
    )


def check_run(excitation: Excitation, duration: float, **steps: float) -> None:
    """Raise ValueError unless the duration and steps are positive and the excitation spans it."""
    for name, value in {"duration": duration, **steps}.items():
        require_positive(name, value, "s")
    if duration > excitation.span * (1.0 + _ROUNDING):
        raise ValueError(f"duration={duration} s must be ≤ the table's span of {excitation.span} s")


def check_archive(archive_every: int) -> None:
    """Raise ValueError unless every so many steps are archived."""
    if archive_every < 1:
        raise ValueError(f"archive_every={archive_every} must be ≥ 1")


def whole_steps(duration: float, step_size: float) -> int:
    """Return the number of steps [s] in the duration [s].

    Raises
    ------
    ValueError
        It is not whole, to nine digits.
    """
    steps = round(duration / step_size)
    if steps < 1 or abs(steps * step_size - duration) > _WHOLE * duration:
        raise ValueError(f"duration={duration} s must be a whole number of step_size={step_size} s")
    return steps
