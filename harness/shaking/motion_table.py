"""The strict table of a movement, which each BaseMotion.fmu reads, native or not.

Its first line is `MOTION_HEADER`; each line below it is a time and an acceleration in SI units,
as Python writes numbers, with a comma between and a line feed behind. It is written from any record
that `read_shaking` understands.
"""

from __future__ import annotations

from pathlib import Path

from harness.fmu.motion_file import not_a_motion_file
from harness.records import MOST_TABLE_BYTES
from harness.shaking.shaking_record import ShakingRecord, read_shaking
from wearmodel.models.accelerogram import MOTION_HEADER
from wearmodel.read_files import open_regular


def motion_text(shaking: ShakingRecord) -> str:
    """Return a shaking's acceleration along the support as a strict table; no digit is lost."""
    rows = zip(shaking.times.tolist(), shaking.acceleration.tolist(), strict=True)
    return "\n".join([MOTION_HEADER, *(f"{time!r},{value!r}" for time, value in rows), ""])


def require_motion_text(path: Path) -> str:
    """Return the text of a file that is a strict table as `motion_text` writes it.

    Raises
    ------
    RecordError
        It is none, or cannot be read; the message names the command that writes one.
    """
    text = motion_text(read_shaking(path))
    with open_regular(path, MOST_TABLE_BYTES) as stream:
        if stream.read() != text.encode():
            raise not_a_motion_file(path)
    return text
