"""Contact in a portion of a record, and joining of its parts over the whole record."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from .runs import group_argmax
from .shock_record import BoolArray, FloatArray, IndexArray


@dataclass(frozen=True, eq=False)
class ContactPieces:
    """Contact runs, or their parts in one core, in time order, r in number.

    Parameters
    ----------
    start, end : array (r,)
        Instants [s]. The value is undefined at an end where the piece continues in another core.
    peak, peak_time : array (r,)
        Largest |force| [N] and its instant [s].
    impulse : array (r,)
        ∫|F| dt [N.s].
    velocity : array (r,)
        Normal velocity at ``start`` [m/s], negative when approaching. NaN without that column.
    continues : array (r,) of bool
        True for a piece whose run began in an earlier core.
    ended : array (r,) of bool
        False while the force is above the threshold at the piece's end.
    """

    start: FloatArray
    end: FloatArray
    peak: FloatArray
    peak_time: FloatArray
    impulse: FloatArray
    velocity: FloatArray
    continues: BoolArray
    ended: BoolArray


@dataclass(frozen=True, eq=False)
class ContactEnds:
    """First or last samples of contact runs, with the contact time beyond them.

    Parameters
    ----------
    samples : array (e,)
        Sample numbers in the portion, ascending.
    durations : array (e,)
        Time between the sample and the located crossing [s].
    """

    samples: IndexArray
    durations: FloatArray


@dataclass(frozen=True, eq=False)
class PortionContact:
    """Contact found in one portion.

    Parameters
    ----------
    above : array (n,) of bool
        True for the portion's samples in contact.
    pieces : ContactPieces
        The runs' parts in the core.
    onsets, finishes : ContactEnds, optional
        The located ends. None for the sampled reading, where the duration of a sample in contact is
        half the sum of its neighbouring intervals.
    threshold : float
        SEUIL_FORCE [N].
    """

    above: BoolArray
    pieces: ContactPieces
    onsets: ContactEnds | None = None
    finishes: ContactEnds | None = None
    threshold: float = 0.0


def joined_pieces(parts: list[ContactPieces]) -> ContactPieces:
    """Append the pieces of successive cores and join those that continue a run."""
    pieces = ContactPieces(
        **{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(parts[0])}
    )
    first = np.flatnonzero(~pieces.continues)
    return grouped_pieces(pieces, first)


def grouped_pieces(pieces: ContactPieces, first: IndexArray) -> ContactPieces:
    """Make one of each group of successive pieces, given each group's first one."""
    if not first.size:
        return pieces
    last = np.append(first[1:], pieces.start.size) - 1
    largest = group_argmax(pieces.peak, first)
    return ContactPieces(
        start=pieces.start[first],
        end=pieces.end[last],
        peak=pieces.peak[largest],
        peak_time=pieces.peak_time[largest],
        impulse=np.add.reduceat(pieces.impulse, first),
        velocity=pieces.velocity[first],
        continues=np.zeros(first.size, dtype=np.bool_),
        ended=pieces.ended[last],
    )
