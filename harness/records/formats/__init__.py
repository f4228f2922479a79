"""Formats of record files. Each module of this package contains a format.

The module has a `FORMAT` with `name`, `suffixes` and `head(lines, source, interval)`. This function
returns the `Head` of the file, or None if the lines do not have this format. `lines` are the first
lines of the file without line breaks. `source` is the name of the file in messages. `interval` is
the sampling interval [s] that the user gives for a file without times.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from harness.records.formats.delimited import SEPARATORS
from harness.records.head import FixedFormat, Format

__all__ = ["FIXED_FORMATS", "FORMATS", "RECORD_SUFFIXES", "SEPARATORS"]

# This format accepts all tables of numbers, so it is tried last.
_LAST = "delimited"
_NAMES = sorted((module.name for module in pkgutil.iter_modules(__path__)), key=_LAST.__eq__)
FORMATS: tuple[Format, ...] = tuple(import_module(f"{__name__}.{name}").FORMAT for name in _NAMES)
"""All formats, in the order in which they are tried."""
FIXED_FORMATS = [form for form in FORMATS if isinstance(form, FixedFormat)]
RECORD_SUFFIXES = tuple(suffix for form in reversed(FORMATS) for suffix in form.suffixes)
"""Suffixes of files that are read as records."""
