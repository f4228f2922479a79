"""Identification of the program that computes the rows of a sweep.

Processes with the same text give the same rows. It contains the digest of the sources, the version
of numpy, which samples the inputs, and of Python, whose `sum` has another rounding since 3.12. The
compiled and the interpreted kernel give equal bits, so it does not contain the library.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

import numpy as np

from harness.provenance import source_digest

# Computed when the module is loaded, so that later changes of files have no effect.
PROGRAM = (
    f"wearfmu {version('wearfmu')} (sources {source_digest()[:12]}) "
    f"with Python {sys.version_info.major}.{sys.version_info.minor} and numpy {np.__version__}"
)
"""The program of this process."""


def program() -> str:
    """Return `PROGRAM` of the calling process."""
    return PROGRAM
