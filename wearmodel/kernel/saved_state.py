"""What is wrong with a saved state that comes from outside, be it by another program or damaged."""

from __future__ import annotations

from .communication import broken_samples
from .limits import NO_SUCH_MODE, NO_SUCH_ZEROS
from .records import Parameters, Present, Samples, State
from .roots import is_count_of_zeros


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
    if not is_count_of_zeros(s.zeros_gap):
        return NO_SUCH_ZEROS, s.zeros_gap, 0.0
    if not is_count_of_zeros(s.zeros_force):
        return NO_SUCH_ZEROS, s.zeros_force, 0.0
    if not is_count_of_zeros(s.zeros_slip):
        return NO_SUCH_ZEROS, s.zeros_slip, 0.0
    if not is_count_of_zeros(s.zeros_cone_plus):
        return NO_SUCH_ZEROS, s.zeros_cone_plus, 0.0
    if not is_count_of_zeros(s.zeros_cone_minus):
        return NO_SUCH_ZEROS, s.zeros_cone_minus, 0.0
    return broken_samples(p, samples, now)


def _is_direction(number: float) -> bool:
    return number == 0.0 or abs(number) == 1.0
