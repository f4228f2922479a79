"""Identification of the program that computes the rows of a sweep.

Processes with the same text give the same rows. It contains the digest of the sources, the version
of numpy, which samples the inputs, and of Python, whose `sum` has another rounding since 3.12. The
compiled and the interpreted kernel give equal bits, so it does not contain the library.
"""

from __future__ import annotations

import hashlib
import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import numpy as np

_PACKAGES = ("wearmodel", "fmu_src", "harness")


def _source_digest() -> str:
    """Return the digest of all Python files, independent of line breaks."""
    content = hashlib.sha256()
    for package in _PACKAGES:
        root = Path(str(files(package)))
        for source in sorted(root.rglob("*.py"), key=lambda path: path.relative_to(root).parts):
            text = source.read_text(encoding="utf-8").encode()
            name = "/".join((package, *source.relative_to(root).parts))
            content.update(f"{name} {len(text)} ".encode() + text)
    return content.hexdigest()[:12]


# Computed when the module is loaded, so that later changes of files have no effect.
PROGRAM = (
    f"wearfmu {version('wearfmu')} (sources {_source_digest()}) "
    f"with Python {sys.version_info.major}.{sys.version_info.minor} and numpy {np.__version__}"
)
"""The program of this process."""


def program() -> str:
    """Return `PROGRAM` of the calling process."""
    return PROGRAM
