"""The slips of the rubbing shoe in their order, and the position of an instant among them.

Phases ωt are reduced to quarter turns in rational arithmetic and rounded once, so the accuracy does
not decrease with time.

Does not model: what decides on the slips (`rubbing_shoe_slips`), forces, dimensions other than
time.
Source: SDND104 (V5.01.104), section 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from .rubbing_shoe_slips import Slip

# π/2 to 75 digits: leaves 1e-17 of a phase up to 1e58 rad.
_QUARTER_TURN = Fraction(
    "1.57079632679489661923132169163975144209858469968755291048747229615390820314"
)


def slip_direction(index: int) -> int:
    """Return the sign of the velocity (mass minus support) of slip number `index`, from 0.

    The support accelerates forwards first and leaves the mass behind: −1, then by turns.
    """
    return 1 if index % 2 else -1


def quarter_phase(angular_frequency: float, time: float) -> tuple[int, float]:
    """Return n and r of ωt = n π/2 + r with |r| ≤ π/4 [rad]."""
    phase = Fraction(angular_frequency) * Fraction(time)
    quarters = round(phase / _QUARTER_TURN)
    return quarters, float(phase - quarters * _QUARTER_TURN)


@dataclass(frozen=True)
class SlipPosition:
    """Position of an instant among the slips.

    `index` is the number of the last slip, from 0, or −1 before the first. `offset` is the phase
    since its start [rad], above its span in stick.
    """

    index: int
    offset: float


@dataclass(frozen=True)
class SlipSequence:
    """The slips of a motion, one in each half period of the base motion.

    The last one of the `slips` repeats. They are empty if the mass never slips.
    """

    angular_frequency: float
    slips: tuple[Slip, ...]

    def slip(self, index: int) -> Slip:
        """Return slip number `index` ≥ 0."""
        return self.slips[min(index, len(self.slips) - 1)]

    def position(self, quarters: int, rest: float) -> SlipPosition:
        """Return the position of the phase n π/2 + r of `quarter_phase`."""
        index = quarters // 2 if self.slips else -1
        while index >= 0:
            # Counted from the peak of the support's acceleration, an odd number of quarter turns.
            from_peak = (quarters - (2 * index + 1)) * (0.5 * math.pi) + rest
            offset = from_peak - self.slip(index).lag
            if offset >= 0.0:
                return SlipPosition(index, offset)
            index -= 1
        return SlipPosition(-1, 0.0)

    def distance(self, start: float, stop: float) -> float:
        """Return ∫ |slip velocity| dt [a0/ω²] from `start` to `stop` [s], start ≤ stop."""
        first = self.position(*quarter_phase(self.angular_frequency, start))
        last = self.position(*quarter_phase(self.angular_frequency, stop))
        if last.index < 0:
            return 0.0
        if first.index == last.index:
            # Not the difference of the offsets, which cancels where the window is short.
            span = self.angular_frequency * (stop - start)
            return self.slip(last.index).distance_over(first.offset, span)
        distances = [self.slip(last.index).distance_over(0.0, last.offset)]
        if first.index >= 0:
            slip = self.slip(first.index)
            distances.append(slip.distance_over(first.offset, slip.span))
        distances += [slip.distance for slip in self.slips[first.index + 1 : last.index]]
        repeated = max(0, last.index - max(first.index + 1, len(self.slips)))
        distances.append(repeated * self.slips[-1].distance)
        return math.fsum(distances)
