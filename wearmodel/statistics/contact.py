"""Contact runs of a stretch: when they begin and end, their peak, impulse and impact velocity.

``sampled`` takes all from the samples: a run lasts from its first sample above the threshold to the
first one below, its impulse weighs each sample above with (t_{i+1} − t_{i−1})/2, and its impact
velocity is that of the first sample.  ``interpolated`` is in located_contact.
"""

from __future__ import annotations

import numpy as np

from .contact_pieces import ContactPieces, StretchContact
from .located_contact import located_contact
from .record import FloatArray, StatisticsSettings
from .runs import Runs, runs_in
from .stretches import Stretch


def stretch_contact(stretch: Stretch, settings: StatisticsSettings) -> StretchContact:
    """Find contact (|normal force| > threshold) in a stretch.

    Raises
    ------
    ValueError
        When the record has no normal force.
    """
    force = np.abs(stretch.record.column("normal_force"))
    above = force > settings.force_threshold
    runs = runs_in(above, stretch)
    if settings.interpolated:
        return located_contact(stretch, runs, force, above, settings.force_threshold)
    return StretchContact(above, _sampled_pieces(stretch, runs, force))


def _sampled_pieces(stretch: Stretch, runs: Runs, force: FloatArray) -> ContactPieces:
    time = stretch.record.time
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
            stretch.record.column("normal_velocity")[runs.begin]
            if stretch.record.has("normal_velocity")
            else np.full(len(runs), np.nan)
        ),
        continues=~runs.starts_here,
        ended=runs.ended,
    )
