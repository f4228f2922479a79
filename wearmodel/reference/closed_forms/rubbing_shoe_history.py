"""The motion of the rubbing shoe in time: arcs, events, velocity polyline, histories.

These are the pictures of SDND104: the velocity of the mass as a polyline through its reversals, the
cosine of the support, and the accelerations. `rubbing_shoe` contains the equations.

Source: SDND104 (V5.01.104), section 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...quantities import require_positive
from .rubbing_shoe import Regime, RubbingShoe
from .rubbing_shoe_sequence import SlipSequence, quarter_phase, slip_direction


class ArcKind(Enum):
    """Mode of the contact during an arc."""

    STICK = "stick"
    SLIP = "slip"


@dataclass(frozen=True)
class Arc:
    """A span of time without onset, arrest or reversal.

    Attributes
    ----------
    kind : ArcKind
        Stick or slip.
    direction : int
        Sign of the slip velocity (mass minus support), 0 in stick.
    start, stop : float
        First and last instant [s].
    start_velocity : float
        Velocity of the mass in the fixed frame at the start [m/s]: the support's there.
    """

    kind: ArcKind
    direction: int
    start: float
    stop: float
    start_velocity: float


@dataclass(frozen=True)
class Motion:
    """Histories of support and mass: arrays of one shape, that of the requested instants.

    Attributes
    ----------
    time
        Instants [s].
    support_displacement, support_velocity, support_acceleration
        X, V and A of the support in the fixed frame [m, m/s, m/s2].
    mass_displacement, mass_velocity, mass_acceleration
        The same of the mass.
    relative_displacement
        Mass minus support [m].
    slip_velocity
        Mass minus support [m/s], exactly 0 in stick.
    friction_force
        On the mass [N]: mass × mass_acceleration.
    """

    time: NDArray[np.float64]
    support_displacement: NDArray[np.float64]
    support_velocity: NDArray[np.float64]
    support_acceleration: NDArray[np.float64]
    mass_displacement: NDArray[np.float64]
    mass_velocity: NDArray[np.float64]
    mass_acceleration: NDArray[np.float64]
    relative_displacement: NDArray[np.float64]
    slip_velocity: NDArray[np.float64]
    friction_force: NDArray[np.float64]


@dataclass(frozen=True)
class RubbingShoeHistory:
    """The motion of a rubbing shoe from t = 0 to an instant.

    Parameters
    ----------
    shoe : RubbingShoe
        Mass, friction and base motion.
    until : float
        Last instant [s], > 0.

    Raises
    ------
    ValueError
        If `until` is not positive and finite.
    """

    shoe: RubbingShoe
    until: float

    def __post_init__(self) -> None:
        require_positive("until", self.until, "s")

    @cached_property
    def _slips(self) -> SlipSequence:
        return self.shoe.slips(self.until)

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs in their order, from 0 to `until`.

        In slip-slip the first arc alone is stick.
        """
        speed = self.shoe.amplitude / self.shoe.angular_frequency
        starts = [(ArcKind.STICK, 0, 0.0, -speed)]
        last = self._slips.position(*quarter_phase(self.shoe.angular_frequency, self.until))
        for index in range(last.index + 1):
            slip = self._slips.slip(index)
            phase = index * math.pi + slip.start_phase
            direction = slip_direction(index)
            # V = −(a0/ω) cos ωt with ωt = n π + α; the sign of the slip carries (−1)ⁿ⁺¹.
            velocity = direction * speed * slip.cosine
            start = phase / self.shoe.angular_frequency
            starts.append((ArcKind.SLIP, direction, start, velocity))
            if self.shoe.regime is Regime.STICK_SLIP:
                stop = (phase + slip.span) / self.shoe.angular_frequency
                starts.append((ArcKind.STICK, 0, stop, direction * speed * slip.end_cosine))
        ends = [*(start for _, _, start, _ in starts[1:]), self.until]
        return tuple(
            Arc(kind, direction, start, min(stop, self.until), velocity)
            for (kind, direction, start, velocity), stop in zip(starts, ends, strict=True)
            if start < min(stop, self.until)
        )

    def _times(self, before: ArcKind, after: ArcKind) -> NDArray[np.float64]:
        instants = [b.start for a, b in pairwise(self.arcs) if (a.kind, b.kind) == (before, after)]
        return np.array(instants, dtype=np.float64)

    @property
    def onset_times(self) -> NDArray[np.float64]:
        """Instants [s] before `until` at which stick passes to slip."""
        return self._times(ArcKind.STICK, ArcKind.SLIP)

    @property
    def arrest_times(self) -> NDArray[np.float64]:
        """Instants [s] before `until` at which slip passes to stick."""
        return self._times(ArcKind.SLIP, ArcKind.STICK)

    @property
    def reversal_times(self) -> NDArray[np.float64]:
        """Instants [s] before `until` at which slip turns round without stick."""
        return self._times(ArcKind.SLIP, ArcKind.SLIP)

    @property
    def velocity_vertices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times [s] and velocities of the mass [m/s] at its onsets, arrests and reversals.

        In the fixed frame. In slip the velocity is the straight line between two vertices, in
        stick it is the support's: in slip-slip it is the broken line through them.
        """
        times = np.array([arc.start for arc in self.arcs[1:]], dtype=np.float64)
        velocities = np.array([arc.start_velocity for arc in self.arcs[1:]], dtype=np.float64)
        return times, velocities

    def motion(self, times: ArrayLike) -> Motion:
        """Return the histories of support and mass at given instants.

        At the instant of an event the values are those after it.

        Parameters
        ----------
        times : array_like
            Instants [s], any shape, 0 ≤ times ≤ until.

        Raises
        ------
        ValueError
            An instant is outside [0, until] or not a number.
        """
        time = np.array(times, dtype=np.float64)
        outside = ~((time >= 0.0) & (time <= self.until))
        if outside.any():
            raise ValueError(f"time={time[outside].flat[0]} s must be in [0, {self.until}]")
        rows = [self._state(instant) for instant in time.flat]
        columns = np.array(rows, dtype=np.float64).reshape(-1, 5).T.reshape(5, *time.shape)
        sine, cosine, relative_displacement, slip_velocity, pull = columns
        amplitude, frequency = self.shoe.amplitude, self.shoe.angular_frequency
        support_displacement = -amplitude / frequency**2 * sine
        support_velocity = -amplitude / frequency * cosine
        relative_displacement = amplitude / frequency**2 * relative_displacement
        slip_velocity = amplitude / frequency * slip_velocity
        mass_acceleration = amplitude * pull
        return Motion(
            time=time,
            support_displacement=support_displacement,
            support_velocity=support_velocity,
            support_acceleration=amplitude * sine,
            mass_displacement=support_displacement + relative_displacement,
            mass_velocity=support_velocity + slip_velocity,
            mass_acceleration=mass_acceleration,
            relative_displacement=relative_displacement,
            slip_velocity=slip_velocity,
            friction_force=self.shoe.mass * mass_acceleration,
        )

    def _state(self, time: float) -> tuple[float, float, float, float, float]:
        """Return sin ωt, cos ωt and, without dimensions, the state of the mass.

        That is relative displacement, slip velocity and acceleration, in a0/ω², a0/ω and a0.
        """
        quarters, rest = quarter_phase(self.shoe.angular_frequency, time)
        sine, cosine = math.sin(rest), math.cos(rest)
        for _ in range(quarters % 4):
            sine, cosine = cosine, -sine
        position = self._slips.position(quarters, rest)
        if position.index < 0:
            return sine, cosine, 0.0, 0.0, sine
        slip = self._slips.slip(position.index)
        before = self._slips.net_distance_before(position.index)
        direction = slip_direction(position.index)
        displacement = before + direction * slip.distance_over(0.0, position.offset)
        if position.offset >= slip.span:
            return sine, cosine, displacement, 0.0, sine
        velocity = direction * slip.speed(position.offset)
        return sine, cosine, displacement, velocity, -direction * self.shoe.eta
