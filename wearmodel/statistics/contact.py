"""Contact runs of a stretch: when they begin and end, their peak, impulse and impact velocity.

``sampled`` takes all from the samples: a run lasts from its first sample above the threshold to the
first one below, its impulse weighs each sample above with (t_{i+1} − t_{i−1})/2, and its impact
velocity is that of the first sample.  ``interpolated`` is in located_contact.
"""

from __future__ import annotations

import numpy as np

from .contact_pieces import ContactPieces, ContactShares, StretchContact
from .located_contact import located_contact
from .record import BoolArray, FloatArray, StatisticsSettings
from .runs import Runs, peak_samples, run_sums, runs_in
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
    core_above = above[stretch.core]
    left = stretch.left_half_steps * core_above
    right = stretch.right_half_steps * core_above
    pieces = _sampled_pieces(stretch, runs, force, above, left + right)
    return StretchContact(core_above, ContactShares(left, right, left, right), pieces)


def _sampled_pieces(
    stretch: Stretch, runs: Runs, force: FloatArray, above: BoolArray, weight: FloatArray
) -> ContactPieces:
    time = stretch.record.time
    peak = peak_samples(force, above, runs, stretch.core)
    return ContactPieces(
        start=time[runs.begin],
        end=time[np.minimum(runs.end, time.size - 1)],
        peak=force[peak],
        peak_time=time[peak],
        impulse=run_sums(weight * force[stretch.core], runs, stretch.core),
        velocity=(
            stretch.record.column("normal_velocity")[runs.begin]
            if stretch.record.has("normal_velocity")
            else np.full(len(runs), np.nan)
        ),
        continues=~runs.starts_here,
        ended=runs.ended,
    )
