"""Writes an FMU's archive: the same members give the same bytes."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

# One date for every archive member: the bytes depend on the content alone.
_DATE = (1980, 1, 1, 0, 0, 0)


def write_archive(target: Path, members: Mapping[str, bytes]) -> None:
    """Write the members, by path, in order; the target appears at once, whoever else writes it."""
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    with zipfile.ZipFile(partial, "w") as archive:
        for name, content in sorted(members.items()):
            member = zipfile.ZipInfo(name, date_time=_DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            member.create_system = 3
            archive.writestr(member, content)
    partial.replace(target)
