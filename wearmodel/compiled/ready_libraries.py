"""Libraries that a wheel brings along, so that nothing has to be compiled where it is installed.

``make wheel`` writes them into the folder ``libraries`` of this package: a library for each
platform and model, and the licences of the tools that it was made with. Each library carries the
form of its sources, a text; one of another form is of other sources and is never used. A clone has
no such folder unless a wheel was made in it.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from .platform_libraries import Platform

FOLDER = Path(str(files("wearmodel.compiled"))) / "libraries"

_LOG = logging.getLogger(__name__)
_LICENCES = "licences"
_VERSION = "version"
# What licences are about, by package: files of its distribution.
_TEXTS = {
    "pythran": ("licenses/LICENSE",),
    "ziglang": tuple(
        f"licenses/ziglang/lib/{path}"
        for path in (
            "libcxx/LICENSE.TXT",
            "libc/mingw/COPYING",
            "libc/wasi/LICENSE-MIT",
            "libc/wasi/libc-top-half/musl/COPYRIGHT",
        )
    ),
}


def ready_library(platform: Platform, name: str, form: str) -> bytes | None:
    """Return the library of that name for a platform; None where there is none of this form.

    Parameters
    ----------
    platform
        What it is for.
    name
        Its name without suffix.
    form
        What a library of the present sources carries.
    """
    try:
        content = library_place(platform, name).read_bytes()
    except OSError:
        return None
    if form.encode() in content:
        return content
    _say_other(name)
    return None


@cache
def _say_other(name: str) -> None:
    _LOG.warning(
        "note: the ready-made library of %s is of other sources than those here: it is not used",
        name,
    )


def library_place(platform: Platform, name: str) -> Path:
    """Return where a ready-made library lies."""
    return FOLDER / platform.name / f"{name}{platform.suffix}"


def put_library(platform: Platform, name: str, form: str, content: bytes) -> Path:
    """Write a library into the package, and what its licences say of the tools; return its path.

    Raises
    ------
    ValueError
        It does not carry its form.
    """
    if form.encode() not in content:
        raise ValueError(f"{name} for {platform.name} does not carry its form, {form}")
    place = library_place(platform, name)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    for package, paths in _TEXTS.items():
        texts = {path: licence_text(package, path) for path in paths}
        for path, text in {_VERSION: tool_version(package), **texts}.items():
            target = FOLDER / _LICENCES / package / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    return place


def tool_version(package: str) -> str:
    """Return the version of an installed tool, or of that which ready-made libraries are of.

    Raises
    ------
    FileNotFoundError
        There is neither.
    """
    try:
        return distribution(package).version
    except PackageNotFoundError:
        return _kept_text(package, _VERSION)


def licence_text(package: str, path: str) -> str:
    """Return a file of a tool's licences, installed or beside the ready-made libraries.

    Raises
    ------
    FileNotFoundError
        There is neither.
    """
    try:
        text = distribution(package).read_text(path)
    except PackageNotFoundError:
        text = _kept_text(package, path)
    if text is None:
        raise FileNotFoundError(f"the installed package {package} holds no {path}")
    return text


def _kept_text(package: str, path: str) -> str:
    return (FOLDER / _LICENCES / package / path).read_text(encoding="utf-8")
