"""Digest of the source files of a library.

It does not depend on the Python version, whose lowered text may differ in blanks or brackets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.resources import files

from .declarations import kernel_modules


def source_digest(
    modules: Iterable[str], writers: Iterable[tuple[str, str]], layers: Iterable[str]
) -> str:
    """Digest of the source files of a library, in hexadecimal.

    `modules` are modules of the kernel, to which their imports are added. `writers` are the package
    and name of each module that lowers, translates or compiles, and `layers` packages of C++.
    """
    kernel = files("wearmodel").joinpath("kernel")
    sources = [
        kernel.joinpath(f"{name.replace('.', '/')}.py")
        for name in sorted({*kernel_modules(modules), "state_objects"})
    ]
    sources += [files(package).joinpath(f"{name}.py") for package, name in writers]
    for folder in layers:
        layer = sorted(files(folder).iterdir(), key=lambda path: path.name)
        sources += [path for path in layer if path.name.endswith((".cpp", ".hpp"))]
    content = hashlib.sha256()
    for source in sources:
        # Some systems give a clone other ends of lines.
        content.update(source.read_text(encoding="utf-8").encode() + b"\0")
    return content.hexdigest()
