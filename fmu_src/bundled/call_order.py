"""What FMI allows when: the phases of a slave's life, and which step follows on the last one."""

from __future__ import annotations

import math

INSTANTIATED = "instantiated"
INITIALISING = "initialisation mode"
STEPPING = "stepping"
TERMINATED = "terminated"
PHASES = (INSTANTIATED, INITIALISING, STEPPING, TERMINATED)

# A master may accumulate its time; rounding this large beside the step is not a gap.
TIME_TOLERANCE = 1e-6


def follows(current_time: float, step_size: float, reached: float) -> bool:
    """Whether a step from `current_time` [s] begins where the last one ended, at `reached` [s].

    One that is as short as the rounding that is allowed must still lead to a later instant.
    """
    is_near = abs(current_time - reached) <= _rounding(step_size, reached)
    return is_near and current_time + step_size > reached


def _rounding(step_size: float, instant: float) -> float:
    return max(TIME_TOLERANCE * step_size, 4.0 * math.ulp(instant))


def why_not_there(current_time: float, step_size: float, reached: float) -> str:
    """What is wrong with a step that does not follow."""
    if not 0.0 < step_size < math.inf:
        return f"step_size={step_size!r} s must be > 0 and finite"
    return (
        f"current_time={current_time!r} s must follow on the last step, "
        f"which ended at {reached!r} s"
    )


def why_not_to_its_end(current_time: float, step_size: float, stop_time: float) -> str:
    """What is wrong with where a step leads, for all models; empty where nothing is.

    It must lead to a later instant that is a number, and not beyond the experiment's `stop_time`.
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
