"""Contact runs of a portion: when they begin and end, their peak, impulse and impact velocity.

``sampled`` takes all from the samples: a run lasts from its first sample above the threshold to the
first one below, its impulse weighs each sample above with (t_{i+1} − t_{i−1})/2, and its impact
velocity is that of the first sample.  ``interpolated`` is in located_contact.
"""

from __future__ import annotations

import numpy as np

from .contact_pieces import ContactPieces, PortionContact
from .located_contact import located_contact
from .portions import Portion
from .runs import Runs, runs_in
from .shock_record import FloatArray, StatisticsSettings


def portion_contact(portion: Portion, settings: StatisticsSettings) -> PortionContact:
    """Find contact (|normal force| > threshold) in a portion.

    Raises
    ------
    ValueError
        When the record has no normal force.
    """
    force = np.abs(portion.record.column("normal_force"))
    above = force > settings.force_threshold
    runs = runs_in(above, portion)
    if settings.interpolated:
        return located_contact(portion, runs, force, above, settings.force_threshold)
    return PortionContact(above, _sampled_pieces(portion, runs, force))


def _sampled_pieces(portion: Portion, runs: Runs, force: FloatArray) -> ContactPieces:
    time = portion.record.time
    peak = runs.peaks(force)
    # At the window's own ends the missing neighbour is the sample itself.
    before = time[np.maximum(runs.samples - 1, 0)]
    after = time[np.minimum(runs.samples + 1, time.size - 1)]
    return ContactPieces(
        start=time[runs.begin],
        end=time[np.minimum(runs.end, time.size - 1)],
        peak=force[peak],
        peak_time=time[peak],
        impulse=runs.sums(0.5 * (after - before) * force[runs.samples]),
        velocity=(
            portion.record.column("normal_velocity")[runs.begin]
            if portion.record.has("normal_velocity")
            else np.full(len(runs), np.nan)
        ),
        continues=~runs.starts_here,
        ended=runs.ended,
    )
