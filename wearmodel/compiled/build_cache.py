"""Cache of translated and compiled kernels, by the content of their sources.

Translation and compilation take most of a build, and their results depend only on the sources, the
tools and their options. The cache is in the user's cache folder or in the folder named by
WEARFMU_CACHE. Each file begins with a checksum, and damaged files are built again. The cache is not
used if it cannot be written, or if another user can write to it, because its files are executed.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from ..installation import user_cache_folder
from ..written_files import distrust, replacing

_LOG = logging.getLogger(__name__)
_VARIABLE = "WEARFMU_CACHE"
# Number of files: several for each of some models, platforms and structures.
_LARGEST_COUNT = 200


def cache_folder() -> Path:
    """Folder of the cache."""
    named = os.environ.get(_VARIABLE)
    return Path(named) if named else user_cache_folder() / "native"


def own_folder() -> Path | None:
    """Return the folder of the cache, created if missing, or `None` if it cannot be used.

    Only this user may have write permission, because libraries are loaded from it.
    """
    folder = cache_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if _is_own(folder, folder.stat()) else None
    except OSError as problem:
        _LOG.info("%s: the cache is not used: %s", folder, problem)
        return None


def kept(what: str, made_from: Iterable[bytes], make: Callable[[], bytes]) -> bytes:
    """Return the result of `make`, from the cache if there is one for the same content.

    `what` is the beginning of the file's name, and `made_from` all inputs of the result, in a fixed
    order.
    """
    path = _place(what, made_from)
    content = _read(path)
    if content is None:
        content = make()
        _write(path, content)
    return content


def read_kept(what: str, made_from: Iterable[bytes]) -> bytes | None:
    """Return the result in the cache for the same content, if there is one."""
    return _read(_place(what, made_from))


def _place(what: str, made_from: Iterable[bytes]) -> Path:
    digest = hashlib.sha256(what.encode())
    for part in made_from:
        digest.update(b"%d " % len(part) + part)
    return cache_folder() / f"{what}-{digest.hexdigest()[:32]}"


def _read(path: Path) -> bytes | None:
    try:
        if not _is_own(path.parent, path.parent.stat()):
            return None
        with open(path, "rb", opener=_no_link) as stream:
            if not _is_own(path, os.fstat(stream.fileno())):
                return None
            whole = stream.read()
        os.utime(path)  # most recently used files are removed last
    except OSError:
        return None
    size = hashlib.sha256().digest_size
    if hashlib.sha256(whole[size:]).digest() == whole[:size]:
        return whole[size:]
    _LOG.warning("note: %s is damaged and is built again", path)
    return None


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _is_own(path: Path, status: os.stat_result) -> bool:
    """Whether only this user can have written the file or folder. Otherwise warn once."""
    reason = distrust(status)
    if reason is not None:
        _say_distrusted(str(path), reason)
    return reason is None


@cache
def _say_distrusted(path: str, reason: str) -> None:
    _LOG.warning("note: %s %s: it is not used, and everything is compiled again", path, reason)


def _write(path: Path, content: bytes) -> None:
    """Write a file. Other processes may write and read the same file at this time."""
    if own_folder() is None:
        return
    try:
        with replacing(path, is_ours=True) as part:
            part.chmod(0o600)
            part.write_bytes(hashlib.sha256(content).digest() + content)
        kept_files = [kept_file for kept_file in path.parent.iterdir() if kept_file.is_file()]
        kept_files.sort(key=lambda kept_file: kept_file.stat().st_mtime, reverse=True)
        for old in kept_files[_LARGEST_COUNT:]:
            with contextlib.suppress(FileNotFoundError):
                old.unlink()
    except OSError as problem:
        _LOG.info("%s: the cache is not used: %s", path.parent, problem)
