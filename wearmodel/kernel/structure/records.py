"""Records of structures on their modes: each field once with its unit and meaning.

A structure has as many modes and contacts as it has. Numbers of modes are rows as long as there are
modes (`ModeRow`); of each contact there are records of its own, in the order of the file.
"""

from __future__ import annotations

from ..records import ModeRow, record


@record
class Modes:
    """What a structure's modes are."""

    inverse_mass: ModeRow  # 1/kg
    damping: ModeRow  # N.s/m
    stiffness: ModeRow  # N/m
    root_mass: ModeRow  # kg^½: makes velocities comparable by their energy


@record
class Motion:
    """Modal coordinates and velocities."""

    displacement: ModeRow
    velocity: ModeRow


@record
class ModalCounts:
    """Numbers of coefficients, and where the piece ended."""

    motion: float  # coefficients of displacements and velocities
    inputs: float  # of the inputs over the step
    piece_length: float  # s, the time that 1 stands for
    piece_end: float  # where in [0, 1] the piece ended
    same: float  # events that lie no further apart in the piece are one
    instant: float  # share of the piece that is not resolved at its start
    event: float  # the first one; `ContactWork.exit` has those of each contact
    events: float  # in this step
    pieces: float
    watched_from: float  # s since the step began, where the pieces last watched began
    late_input: float  # number, from 1, of an input that has just become late; 0: none


@record
class StructurePresent:
    """Where a structure's run stands."""

    time: float  # s
    sample_count: float
    steps: float  # taken since the start, up to MEMORY_STEPS
