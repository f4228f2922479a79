"""Writes an FMU's archive: the same members give the same bytes, and a seal identifies them."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from wearmodel.written_files import replacing

# One date for every archive member: the bytes depend on the content only.
_DATE = (1980, 1, 1, 0, 0, 0)


def write_archive(target: Path, members: Mapping[str, bytes]) -> None:
    """Write the members, by path, in order. The complete file replaces the target in one step."""
    with replacing(target, is_ours=True) as part, zipfile.ZipFile(part, "w") as archive:
        for name, content in sorted(members.items()):
            member = zipfile.ZipInfo(name, date_time=_DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            member.create_system = 3
            archive.writestr(member, content)
        archive.comment = _seal(archive.infolist())


def damage_of(path: Path) -> str | None:
    """Return how an archive differs from the archive that `write_archive` wrote, or None."""
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
            sealed = archive.comment == _seal(archive.infolist())
    except Exception as problem:  # its type depends on the position of the damage
        return str(problem)
    if damaged is not None:
        return f"the checksum of {damaged} is wrong"
    return None if sealed else "its members were changed"


def _seal(members: Iterable[zipfile.ZipInfo]) -> bytes:
    """The archive's comment: a digest of the names, sizes and checksums of all members."""
    content = [(member.filename, member.file_size, member.CRC) for member in members]
    return f"wearfmu {hashlib.sha256(repr(content).encode()).hexdigest()}".encode()
