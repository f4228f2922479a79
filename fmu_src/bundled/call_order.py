"""Order of FMI calls: the phases of a slave, and the start and end of a step."""

from __future__ import annotations

import math

INSTANTIATED = "instantiated"
INITIALISING = "initialisation mode"
STEPPING = "stepping"
TERMINATED = "terminated"
PHASES = (INSTANTIATED, INITIALISING, STEPPING, TERMINATED)

# A master may accumulate its time. A rounding error of this part of the step is not a gap.
TIME_TOLERANCE = 1e-6


def follows(current_time: float, step_size: float, reached: float) -> bool:
    """Whether a step from `current_time` [s] begins at the end of the last step, `reached` [s].

    A step as short as the tolerance must still end at a later instant.
    """
    is_near = abs(current_time - reached) <= _rounding(step_size, reached)
    return is_near and current_time + step_size > reached


def _rounding(step_size: float, instant: float) -> float:
    return max(TIME_TOLERANCE * step_size, 4.0 * math.ulp(instant))


def why_not_there(current_time: float, step_size: float, reached: float) -> str:
    """Return the reason why a step does not follow."""
    if not 0.0 < step_size < math.inf:
        return f"step_size={step_size!r} s must be > 0 and finite"
    return f"current_time={current_time!r} s must be the end of the last step, {reached!r} s"


def why_not_to_its_end(current_time: float, step_size: float, stop_time: float) -> str:
    """Return the reason why a step of any model cannot reach its end, or an empty text.

    The end must be finite, later than the start, and not after the experiment's `stop_time`.
    """
    end = current_time + step_size
    if not current_time < end < math.inf:
        return (
            f"step_size={step_size!r} s must be > 0, finite, and large enough to advance "
            f"time={current_time!r} s"
        )
    if end - stop_time > _rounding(step_size, stop_time):
        return (
            f"current_time + step_size={end!r} s must be ≤ stop_time={stop_time!r} s of the "
            "experiment"
        )
    return ""
