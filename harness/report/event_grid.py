"""The events at which a run stopped, as a table: instants, and what jumps there."""

from __future__ import annotations

import numpy as np

from harness.fmu.history import EventRecord
from harness.report.document import Grid

# More rows are for the JSON file.
_MOST_ROWS = 200


def event_grid(events: EventRecord) -> Grid:
    """Return a row for each event, with the variables that any of them changes."""
    jumping = [
        name
        for name, before in events.before.items()
        if not np.array_equal(before, events.after[name])
    ]
    rows = [
        (
            f"{time:.12g}",
            *(
                f"{events.before[name][row]:.6g} → {events.after[name][row]:.6g}"
                for name in jumping
            ),
        )
        for row, time in enumerate(events.times[:_MOST_ROWS])
    ]
    shown = f", the first {_MOST_ROWS} of {len(events)}" if len(events) > _MOST_ROWS else ""
    caption = f"Events at which the run stopped, and what changes there{shown}"
    return Grid(caption, ("time [s]", *jumping), rows)
