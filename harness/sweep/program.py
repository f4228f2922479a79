"""What computes the rows of a sweep, in a text: two processes with the same one give the same rows.

In it are the sources of the three packages, and what else a row depends on: numpy, which samples
the inputs, and the release of Python, whose `sum` rounds otherwise since 3.12. Whether a
library runs the kernel is not: it gives the bits of what runs interpreted.
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
    """Of every Python file; line ends are those of the system that installed it, and left out."""
    content = hashlib.sha256()
    for package in _PACKAGES:
        root = Path(str(files(package)))
        for source in sorted(root.rglob("*.py"), key=lambda path: path.relative_to(root).parts):
            text = source.read_text(encoding="utf-8").encode()
            name = "/".join((package, *source.relative_to(root).parts))
            content.update(f"{name} {len(text)} ".encode() + text)
    return content.hexdigest()[:12]


# Made when the module is loaded, as the code that runs is: files that change later change neither.
PROGRAM = (
    f"wearfmu {version('wearfmu')} (sources {_source_digest()}) "
    f"with Python {sys.version_info.major}.{sys.version_info.minor} and numpy {np.__version__}"
)
"""Names the program in this process."""


def program() -> str:
    """Return `PROGRAM` of the process that calls."""
    return PROGRAM
