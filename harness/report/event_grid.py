"""The table of the events at which a run stopped: instants and changed variables."""

from __future__ import annotations

import numpy as np

from harness.fmu.history import EventRecord
from harness.report.document import Grid

# Further rows are in the JSON file only.
_MOST_ROWS = 200


def event_grid(events: EventRecord) -> Grid:
    """Return a table with a row for each event and a column for each variable that changes."""
    changing = [
        name
        for name, before in events.before.items()
        if not np.array_equal(before, events.after[name])
    ]
    rows = [
        (
            f"{time:.12g}",
            *(
                f"{events.before[name][row]:.6g} → {events.after[name][row]:.6g}"
                for name in changing
            ),
        )
        for row, time in enumerate(events.times[:_MOST_ROWS])
    ]
    shown = f", the first {_MOST_ROWS} of {len(events)}" if len(events) > _MOST_ROWS else ""
    caption = f"Events at which the run stopped, and variables that change{shown}"
    return Grid(caption, ("time [s]", *changing), rows)
