"""The file that BaseMotion.fmu reads, in the form of `wearmodel.models.accelerogram`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.errors import RecordError
from harness.records import MOST_TABLE_BYTES
from harness.schema import ParameterValue
from wearmodel.kernel.base_motion.parameters import MotionKind
from wearmodel.models.accelerogram import MOTION_HEADER
from wearmodel.read_files import open_regular


def require_motion_file(parameters: Mapping[str, ParameterValue]) -> None:
    """Raise RecordError if the file of a BaseMotion does not have the header of a strict table.

    The FMU checks the rows.
    """
    file = parameters.get("file")
    is_read = parameters.get("kind") in (MotionKind.csv.name, MotionKind.csv.value)
    if not is_read or not isinstance(file, str) or not Path(file).is_file():
        return
    header = f"{MOTION_HEADER}\n".encode()
    with open_regular(file, MOST_TABLE_BYTES) as stream:
        if stream.read(len(header)) != header:
            raise not_a_motion_file(Path(file))


def not_a_motion_file(path: Path) -> RecordError:
    """Return the error for a file of another kind, with the command that converts it."""
    return RecordError(
        f"{path} must be a table with the header {MOTION_HEADER!r}: convert it by "
        f"`wearfmu motion {path} --out FILE`"
    )
