"""Acceleration of a support as a signal: a sine, a table, or an accelerogram in a file.

    a(t) = offset + scale · s(t)
    sine   s(t) = amplitude · sin(2π frequency t + phase)
    table  s(t) through the points of `table`
    csv    s(t) through the points of `file`, a table in s and m/s2

Between two points s is interpolated linearly, or equals the value of the previous point. The
defaults are from SDND104 with a0 = 15 m/s2 (EDF V5.01.104, section 1).

Not included: extrapolation outside the points (rejected), filters, integration to velocity or
displacement.
"""

from __future__ import annotations

from typing import Any

from ..kernel.base_motion.parameters import (
    BaseMotionParameters,
    Interpolation,
    MotionKind,
    MotionParameters,
)
from ..kernel.base_motion.steps import OTHER_VALUE, OUTSIDE, MotionState, move_to
from ..kernel.limits import OK
from ..quantities import Output, require_finite
from .accelerogram import OWN_MOTION, Accelerogram, accelerogram_of_text, read_accelerogram

__all__ = ["BaseMotion", "BaseMotionParameters", "Interpolation", "MotionKind"]

# Result code of a step → its message. The fields are fields of the state, and the source of the
# points.
FAILURES = {
    OUTSIDE: (
        "time={asked!r} s must be in [{first!r}, {last!r}] s, the time span of {source}: add a "
        "point at this time"
    ),
}
# Code of `broken_motion_state` → error of a saved state.
STATE_RULES = {
    OTHER_VALUE: "its acceleration {0!r} m/s2 does not belong to the time {1!r} s",
}
# Text parameter with points → the kind that reads it, and the error for another kind.
TEXTS = {
    name: (kind, f" is read only if kind={kind.name} ({kind:d}): set kind={kind.name} or {name}=''")
    for name, kind in (("table", MotionKind.table), ("file", MotionKind.csv))
}

OUTPUTS: tuple[Output, ...] = (
    Output("acceleration", "m/s2", "Acceleration at the present instant", nominal=10.0),
)


class BaseMotion:
    """Acceleration signal with its present time.

    Parameters
    ----------
    parameters
        Checked parameters.
    start_time
        Time [s] at which the run starts.
    own_motion
        Content of the file if `file` is `accelerogram.OWN_MOTION`.

    Raises
    ------
    ValueError
        The table or file is invalid, does not include the start, or is not read by `kind`.
    """

    def __init__(
        self,
        parameters: BaseMotionParameters | None = None,
        *,
        start_time: float = 0.0,
        own_motion: bytes | None = None,
    ) -> None:
        self.parameters = parameters if parameters is not None else BaseMotionParameters()
        require_finite("start_time", start_time, "s")
        self._p = MotionParameters(self.parameters)
        self._state = MotionState()
        self._points: Accelerogram | None = None
        for name, (kind, rule) in TEXTS.items():
            text = getattr(self.parameters, name)
            if self.parameters.kind is not kind and text not in ("", OWN_MOTION):
                raise ValueError(f"{name}={text!r}{rule}")
        if self.parameters.kind is MotionKind.table:
            self._points = accelerogram_of_text(self.parameters.table)
        elif self.parameters.kind is MotionKind.csv:
            self._points = read_accelerogram(
                self.parameters.file,
                value_column=self.parameters.value_column,
                own_motion=own_motion,
            )
        self.move_to(start_time)

    @property
    def time(self) -> float:
        """Present time [s]."""
        return self._state.time

    def acceleration_at(self, time: float) -> float:
        """Return a(t) [m/s2] at any `time` [s], with the equations of this module.

        ValueError if the time is not finite, or outside the points.
        """
        state = MotionState()
        self._move(state, time)
        return state.acceleration

    def move_to(self, time: float) -> None:
        """Set the present time to `time` [s].

        Raises
        ------
        ValueError
            As in `acceleration_at`. The present time is kept.
        """
        self._move(self._state, time)

    def _move(self, state: MotionState, time: float) -> None:
        require_finite("time", time, "s")
        points = self._points
        times, values = (points.times, points.values) if points is not None else ((), ())
        code = move_to(self._p, state, time, times, values)  # type: ignore[arg-type]  # tuples
        if code != OK:
            assert points is not None
            raise ValueError(
                FAILURES[code].format(
                    asked=time, first=state.first, last=state.last, source=points.source
                )
            )

    def output_values(self) -> list[float]:
        """Return a list with the acceleration [m/s2] at the present time."""
        return [self._state.acceleration]

    def snapshot(self) -> dict[str, Any]:
        """Return the state for `restore` (JSON-serialisable)."""
        return {"time": self.time}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Restore a snapshot.

        ValueError, KeyError or TypeError if the snapshot has another format, or its time is
        outside the points.
        """
        self.move_to(snapshot["time"])
