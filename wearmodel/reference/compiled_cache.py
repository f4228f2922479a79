"""Compiled code on the disk, with a checksum: what is damaged is compiled again.

Numba takes what it finds: a file cut short ends every run in an error, and a byte that changed in
the machine code is executed. Loaded only where numba is installed.
"""

from __future__ import annotations

import hashlib
import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import caching

# Typed in part only.
_NumbasCacheFile: Any = caching.IndexDataCacheFile

_LOG = logging.getLogger(__name__)
_CHECKSUM_BYTES = hashlib.sha256().digest_size


def check_kept_code(function: Any) -> None:
    """Let a function that numba compiles, and keeps, read back what is whole only."""
    kept = function._cache
    kept._cache_file = _CheckedCacheFile(
        cache_path=kept.cache_path,
        filename_base=kept._impl.filename_base,
        source_stamp=kept._impl.locator.get_source_stamp(),
    )


class _CheckedCacheFile(_NumbasCacheFile):  # type: ignore[misc]  # untyped base
    """Numba's files of one function, each with a checksum behind what numba reads."""

    def save(self, key: Any, data: Any) -> None:
        try:
            super().save(key, data)
        except OSError as problem:
            _say_unkept(str(Path(self._cache_path).parent), str(problem.strerror))

    def _load_index(self) -> Any:
        return super()._load_index() if self._is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not self._is_whole(self._data_path(name)):
            raise OSError("to numba it is missing")
        return super()._load_data(name)

    def _is_whole(self, path: str) -> bool:
        try:
            content = Path(path).read_bytes()
        except FileNotFoundError:
            return False
        except OSError:
            content = b""
        text, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
        if hashlib.sha256(text).digest() == checksum:
            return True
        _say_damaged(str(Path(self._cache_path).parent))
        return False

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        buffer = io.BytesIO()
        yield buffer
        content = buffer.getvalue()
        with super()._open_for_write(filepath) as stream:
            stream.write(content + hashlib.sha256(content).digest())


# Once for a copy of the package, of which each room has a folder.
@cache
def _say_damaged(folder: str) -> None:
    _LOG.warning("%s: compiled code kept there is damaged: it is compiled again", folder)


@cache
def _say_unkept(folder: str, reason: str) -> None:
    _LOG.warning("%s: compiled code cannot be kept there: %s", folder, reason)
