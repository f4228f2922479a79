"""Trace of a run: its segments with mode, duration and series, from which energies are integrated.

The trace walks through the same pieces as the kernel's `advance`, without its shortcut for quiet
steps, and copies each piece's series. It costs time and memory; nothing of it sits in a plain run.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..kernel import layout
from ..kernel.stepper import cross_piece
from ..kernel.transitions import apply_event

_SERIES = {
    "tangential_forcing": (layout.ROW_TANGENTIAL_FORCING, None),
    "normal_forcing": (layout.ROW_NORMAL_FORCING, None),
    "displacement": (layout.ROW_DISPLACEMENT, layout.COUNT_MOTION),
    "velocity": (layout.ROW_VELOCITY, layout.COUNT_MOTION),
    "normal_displacement": (layout.ROW_NORMAL_DISPLACEMENT, layout.COUNT_NORMAL),
    "normal_velocity": (layout.ROW_NORMAL_VELOCITY, layout.COUNT_NORMAL),
    "normal_force": (layout.ROW_FORCE, layout.COUNT_FORCE),
    "friction_force": (layout.ROW_FRICTION, layout.COUNT_FRICTION),
    "stretch": (layout.ROW_STRETCH, layout.COUNT_STRETCH),
    "slip_velocity": (layout.ROW_SLIP, layout.COUNT_SLIP),
}

EVENT_NAMES = {
    layout.NO_EVENT: "none",
    layout.CLOSING_LOWER: "closing on the lower plane",
    layout.CLOSING_UPPER: "closing on the upper plane",
    layout.OPENING: "opening",
    layout.RELEASE: "release",
    layout.CONE_PLUS: "breakaway at +μ_s F_N",
    layout.CONE_MINUS: "breakaway at −μ_s F_N",
    layout.ARREST: "arrest",
}


@dataclass(frozen=True)
class Segment:
    """A stretch of time in one mode, and the event that ended it.

    Attributes
    ----------
    start, duration
        Instant since the run began and length [s]; the length is 0 for a mode that did not last.
    contact, sliding
        0 flight, ±1 contact with the lower or upper plane; 0 stick, ±1 direction of slip.
    event
        Its name, one of `EVENT_NAMES`.
    before, moved, after
        Kernel state at the segment's start, at its end, and after the event. Without a friction
        damper (C_T = 0) slip begins by pulling the anchor on: the stretch then differs between
        `before` and the start of its series.
    series
        Name → coefficients of the power series in (t − start)/`length`; only those that the mode
        uses, and only where the duration is not 0. `tangential_forcing` and `normal_forcing` are
        f_t and f_n [N].
    length
        Time [s] that the series' unit stands for, at least `duration`.
    """

    start: float
    duration: float
    contact: int
    sliding: int
    event: str
    before: tuple[float, ...]
    moved: tuple[float, ...]
    after: tuple[float, ...]
    series: dict[str, tuple[float, ...]]
    length: float


class Trace:
    """Collects the segments of a model's steps; see `FrictionalShock.record`.

    Attributes
    ----------
    segments
        Those of all steps that did not fail, in their order.
    duration
        Time [s] that they cover.
    """

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.duration = 0.0

    def advance(
        self,
        parameters: list[float],
        state: list[float],
        tangential_forcing: list[float],
        tangential_count: int,
        normal_forcing: list[float],
        normal_count: int,
        step_size: float,
        work: list[list[float]],
    ) -> int:
        """Do what `kernel.stepper.advance` does and keep the segments, unless the step fails.

        Parameters and result are those of `kernel.stepper.advance`.
        """
        # Its loop stands here again, because the state is wanted before and after every event. One
        # loop for both, a generator of pieces, cost a plain run 3 % interpreted and 6 % compiled;
        # a function handed to the kernel is nothing that Pythran translates.
        segments: list[Segment] = []
        counts = work[layout.ROW_COUNTS]
        time = 0.0
        events = 0
        while time < step_size:
            before = tuple(state)
            reached, event = cross_piece(
                parameters,
                state,
                tangential_forcing,
                tangential_count,
                normal_forcing,
                normal_count,
                time,
                step_size,
                work,
            )
            moved = tuple(state)
            if event != layout.NO_EVENT:
                zeros = int(counts[layout.EVENT_ZEROS])
                apply_event(parameters, state, event, zeros, counts[layout.EVENT_FORCING])
                events += 1
            if events > layout.MAXIMUM_EVENTS:
                return layout.TOO_MANY_EVENTS
            series = {}
            for name, (row, count) in _SERIES.items():
                if count is None:
                    length = tangential_count if "tangential" in name else normal_count
                else:
                    length = int(counts[count])
                series[name] = tuple(work[row][:length])
            segments.append(
                Segment(
                    start=self.duration + time,
                    duration=reached - time,
                    contact=int(before[layout.CONTACT]),
                    sliding=int(before[layout.SLIDING]),
                    event=EVENT_NAMES[event],
                    before=before,
                    moved=moved,
                    after=tuple(state),
                    series=series,
                    length=counts[layout.PIECE_LENGTH],
                )
            )
            time = reached
            if len(segments) > layout.MAXIMUM_PIECES:
                return layout.TOO_MANY_PIECES
        self.segments += segments
        self.duration += step_size
        return layout.OK
