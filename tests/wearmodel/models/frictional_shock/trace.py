"""Trace of a run: its segments with mode, duration and series, from which energies are integrated.

The trace walks through the same pieces as the kernel's `advance`, without its shortcut for quiet
steps, and copies the series of each piece. It needs time and memory. A run without trace is not
affected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from wearmodel import FrictionalShock
from wearmodel.kernel import limits
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.state_objects import State, Work, copy_state
from wearmodel.kernel.shoe.stepper import cross_piece, end_piece

# Series of a segment → its row in the work space, and the count of its coefficients.
_SERIES = {
    "displacement": ("displacement", "motion"),
    "velocity": ("velocity", "motion"),
    "normal_displacement": ("normal_displacement", "normal"),
    "normal_velocity": ("normal_velocity", "normal"),
    "normal_force": ("force", "force"),
    "friction_force": ("friction", "friction"),
    "stretch": ("stretch", "stretch"),
    "slip_velocity": ("slip", "slip"),
    "opening": ("opening", "opening"),
}

EVENT_NAMES = {
    limits.NO_EVENT: "none",
    limits.CLOSING_LOWER: "closing on the lower plane",
    limits.CLOSING_UPPER: "closing on the upper plane",
    limits.OPENING: "opening",
    limits.RELEASE: "release",
    limits.CONE_PLUS: "breakaway at +μ_s F_N",
    limits.CONE_MINUS: "breakaway at −μ_s F_N",
    limits.ARREST: "arrest",
    limits.TURN: "turn",
    limits.STOP_LOWER: "lower stop",
    limits.STOP_UPPER: "upper stop",
    limits.LEAVE_LOWER: "leaves the lower stop",
    limits.LEAVE_UPPER: "leaves the upper stop",
}


@dataclass(frozen=True)
class Segment:
    """Part of a run in one mode, and the event at its end.

    Attributes
    ----------
    start, duration
        Time since the start of the run and duration [s]. The duration of a mode can be 0.
    contact, sliding
        `contact` is 0 in flight and ±1 at the lower or upper plane. `sliding` is 0 in stick, and
        otherwise the direction of slip ±1.
    event
        Name of the event, one of `EVENT_NAMES`.
    before, moved, after
        Kernel state by name at the start of the segment, at its end, and after the event. Without
        a friction damper (C_T = 0) the anchor moves at once at the start of slip, so the stretch
        differs between `before` and the start of its series.
    series
        Name → coefficients of the power series in (t − start)/`length` that the mode uses, empty
        if the duration is 0. `tangential_forcing` and `normal_forcing` are f_t and f_n [N].
    length
        Time unit of the series [s], at least `duration`.
    """

    start: float
    duration: float
    contact: int
    sliding: int
    event: str
    before: dict[str, float]
    moved: dict[str, float]
    after: dict[str, float]
    series: dict[str, tuple[float, ...]]
    length: float


class Trace:
    """Segments of the steps of a model, see `record`.

    Attributes
    ----------
    segments
        Segments of all steps that did not fail, in order.
    duration
        Duration [s] of all segments.
    """

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.duration = 0.0

    def walk(self, p: Parameters, s: State, work: Work, step_size: float) -> None:
        """Repeat a step that succeeded and record its segments.

        `s` is the state at the start of the step and is advanced. `work` contains the polynomials.
        """
        counts = work.counts
        tangential_count = int(counts.step_tangential)
        normal_count = int(counts.step_normal)
        counts.events = counts.pieces = 0.0
        time = 0.0
        while time < step_size:
            before = _values(s)
            reached = cross_piece(p, s, tangential_count, normal_count, time, step_size, work)
            moved = _values(s)
            event = int(counts.event)
            series = {
                "tangential_forcing": tuple(work.tangential_forcing[:tangential_count]),
                "normal_forcing": tuple(work.normal_forcing[:normal_count]),
            }
            for name, (row, count) in _SERIES.items():
                series[name] = tuple(getattr(work, row)[: int(getattr(counts, count))])
            end_piece(p, s, work)  # Uses the rows as work space.
            self.segments.append(
                Segment(
                    start=self.duration + time,
                    duration=reached - time,
                    contact=int(before["contact"]),
                    sliding=int(before["sliding"]),
                    event=EVENT_NAMES[event],
                    before=before,
                    moved=moved,
                    after=_values(s),
                    series=series,
                    length=counts.piece_length,
                )
            )
            time = reached
        self.duration += step_size


def _values(s: State) -> dict[str, float]:
    return {name: getattr(s, name) for name in State.__annotations__}


def record(model: FrictionalShock) -> Trace:
    """Record the segments of all further steps of a model, which end with the pieces."""
    trace = Trace()

    def walked(step: Callable[..., Any]) -> Callable[..., Any]:
        def take(step_size: float, *inputs: float, **named: Any) -> Any:
            state = State()
            copy_state(model._state, state)
            warning = step(step_size, *inputs, **named)
            trace.walk(model._p, state, model._work, step_size)
            copy_state(state, model._state)
            return warning

        return take

    kind = type(model)
    model.step = walked(partial(kind.step, model))  # type: ignore[method-assign]
    polynomial = walked(partial(kind.step_polynomial, model))
    model.step_polynomial = polynomial  # type: ignore[method-assign]
    return trace
