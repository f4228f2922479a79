"""The motion of the rubbing shoe in time: arcs, events, velocity polyline.

The pictures of SDND104 show the velocity of the mass as a polyline through its reversals.
`rubbing_shoe` contains the equations.

Source: SDND104 (V5.01.104), section 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...quantities import require_positive
from .rubbing_shoe import Regime, RubbingShoe
from .rubbing_shoe_sequence import SlipSequence, quarter_phase, slip_direction


class ArcKind(Enum):
    """Mode of the contact during an arc."""

    STICK = "stick"
    SLIP = "slip"


@dataclass(frozen=True)
class Arc:
    """A time span without onset, arrest or reversal, from `start` to `stop` [s].

    `direction` is the sign of the slip velocity (mass minus support), 0 in stick. `start_velocity`
    is the velocity of the mass in the fixed frame at the start [m/s], equal to the support's.
    """

    kind: ArcKind
    direction: int
    start: float
    stop: float
    start_velocity: float


@dataclass(frozen=True)
class RubbingShoeHistory:
    """The motion of a rubbing shoe from t = 0 to `until` [s], > 0 and finite."""

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
