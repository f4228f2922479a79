"""The strict table of a movement, which each BaseMotion.fmu reads, native or not.

Its first line is `MOTION_HEADER`; each line below it is a time and an acceleration in SI units,
as Python writes numbers, with a comma between and a line feed behind. It is written from any record
that `read_shaking` understands.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.errors import RecordError
from harness.records import MOST_TABLE_BYTES
from harness.schema import ParameterValue
from harness.shaking.shaking_record import ShakingRecord, read_shaking
from wearmodel.kernel.base_motion.parameters import MotionKind
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
            raise _no_motion_table(path)
    return text


def require_motion_file(parameters: Mapping[str, ParameterValue]) -> None:
    """Check that a BaseMotion with these parameters does not meet a file of another kind.

    Raises
    ------
    RecordError
        Its file does not begin as a strict table does; the message names the command that writes
        one. The rows are the FMU's to read.
    """
    file = parameters.get("file")
    is_read = parameters.get("kind") in (MotionKind.csv.name, MotionKind.csv.value)
    if not is_read or not isinstance(file, str) or not Path(file).is_file():
        return
    header = f"{MOTION_HEADER}\n".encode()
    with open_regular(file, MOST_TABLE_BYTES) as stream:
        if stream.read(len(header)) != header:
            raise _no_motion_table(Path(file))


def _no_motion_table(path: Path) -> RecordError:
    return RecordError(
        f"{path} is not a table as `wearfmu motion` writes it, from {MOTION_HEADER!r} on: run "
        f"`wearfmu motion {path} --out FILE`, and take that"
    )
