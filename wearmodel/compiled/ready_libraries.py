"""Compiled libraries in a wheel, and the digest of the sources of a library.

``make wheel`` writes them into the folder ``libraries`` of this package: a library for each
platform and model, and the licences of the tools. Each library contains a text that identifies its
sources, its form. A library of another form is not used. A clone has the folder only after a build.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from .declarations import kernel_modules
from .platform_libraries import Platform

FOLDER = Path(str(files("wearmodel.compiled"))) / "libraries"

_LOG = logging.getLogger(__name__)
_LICENCES = "licences"
_VERSION = "version"
# Subject of each licence, by package: files of its distribution.
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
    """Return the library `name`, without suffix, for a platform, or `None` for another form."""
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
        "note: the compiled library of %s in this package is from other sources and is not used",
        name,
    )


def library_place(platform: Platform, name: str) -> Path:
    """Return the path of a ready-made library."""
    return FOLDER / platform.name / f"{name}{platform.suffix}"


def put_library(platform: Platform, name: str, form: str, content: bytes) -> Path:
    """Write a library into the package, with the licences of its tools, and return its path."""
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
    """Return the version of an installed tool, or of the tool of the ready-made libraries.

    FileNotFoundError if both are missing.
    """
    try:
        return distribution(package).version
    except PackageNotFoundError:
        return _kept_text(package, _VERSION)


def licence_text(package: str, path: str) -> str:
    """Return a file of a tool's licences, installed or next to the ready-made libraries.

    FileNotFoundError if it is missing in both places.
    """
    try:
        text = distribution(package).read_text(path)
    except PackageNotFoundError:
        text = _kept_text(package, path)
    if text is None:
        raise FileNotFoundError(f"the installed package {package} does not contain {path}")
    return text


def _kept_text(package: str, path: str) -> str:
    return (FOLDER / _LICENCES / package / path).read_text(encoding="utf-8")


@cache
def source_digest(modules: tuple[str, ...], packages: tuple[str, ...]) -> str:
    """Return the digest of the source files of a library, in hexadecimal.

    `modules` are modules of the kernel, to which their imports are added. `packages` contain the
    code that lowers, translates and compiles them, and the C++ code that calls them.
    """
    kernel = files("wearmodel").joinpath("kernel")
    sources = [
        kernel.joinpath(f"{name.replace('.', '/')}.py")
        for name in sorted({*kernel_modules(modules), "state_objects"})
    ]
    for package in packages:
        members = sorted(files(package).iterdir(), key=lambda path: path.name)
        sources += [path for path in members if path.name.endswith((".py", ".cpp", ".hpp"))]
    return text_digest(sources)


def text_digest(texts: Iterable[Traversable]) -> str:
    """Return the digest of text files in this order, in hexadecimal."""
    content = hashlib.sha256()
    for source in texts:
        # The line ends of a clone depend on the system.
        content.update(source.read_text(encoding="utf-8").encode() + b"\0")
    return content.hexdigest()
