"""The strict table of a base motion for BaseMotion.fmu, native or Python.

Its first line is `MOTION_HEADER`. Each further line contains a time and an acceleration in SI
units, separated by a comma. `read_shaking` reads the record from which it is written.
"""

from __future__ import annotations

from pathlib import Path

from harness.fmu.motion_file import not_a_motion_file
from harness.records import MOST_TABLE_BYTES
from harness.shaking.shaking_record import ShakingRecord, read_shaking
from wearmodel.models.accelerogram import MOTION_HEADER
from wearmodel.read_files import open_regular


def motion_text(shaking: ShakingRecord) -> str:
    """Return the acceleration along the support as a strict table with all digits."""
    rows = zip(shaking.times.tolist(), shaking.acceleration.tolist(), strict=True)
    return "\n".join([MOTION_HEADER, *(f"{time!r},{value!r}" for time, value in rows), ""])


def require_motion_text(path: Path) -> str:
    """Return the text of a strict table from `motion_text`, or raise RecordError."""
    text = motion_text(read_shaking(path))
    with open_regular(path, MOST_TABLE_BYTES) as stream:
        if stream.read() != text.encode():
            raise not_a_motion_file(path)
    return text
