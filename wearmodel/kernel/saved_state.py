"""What is wrong with a saved state that comes from outside, be it by another program or damaged."""

from __future__ import annotations

from .communication import broken_samples
from .limits import NO_SUCH_MODE, NO_SUCH_ZEROS
from .records import Parameters, Present, Samples, State
from .roots import impossible_count


def broken_state(
    p: Parameters, s: State, samples: Samples, now: Present
) -> tuple[int, float, float]:
    """OK, or what is wrong with a state whose numbers are finite, and two that its message shows.

    NO_SUCH_MODE; NO_SUCH_ZEROS with the number; or the codes of `communication.broken_samples`.
    """
    if not (
        _is_direction(s.contact) and _is_direction(s.sliding) and _is_direction(s.last_sliding)
    ):
        return NO_SUCH_MODE, 0.0, 0.0
    zeros = impossible_count(
        s.zeros_gap, s.zeros_force, s.zeros_slip, s.zeros_cone_plus, s.zeros_cone_minus
    )
    if zeros != 0.0:
        return NO_SUCH_ZEROS, zeros, 0.0
    return broken_samples(p, samples, now)


def _is_direction(number: float) -> bool:
    return number == 0.0 or abs(number) == 1.0
