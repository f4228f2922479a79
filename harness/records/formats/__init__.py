"""The formats of files of records: one module each, found by being here.

Each has a `FORMAT` with `name`, `suffixes` and `head(lines, source, interval)`. That returns the
names and units of the columns, the factor of the numbers, and how to find these in the lines below;
or None if the lines are not of this format. `lines` are the first of the file, without their ends.
`source` names the file in messages. `interval` is the sampling interval, s, that a user gives for a
file without times.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from harness.records.formats.delimited import SEPARATORS
from harness.records.head import FixedFormat, Format

__all__ = ["FIXED_FORMATS", "FORMATS", "RECORD_SUFFIXES", "SEPARATORS"]

# It takes all tables of numbers.
_LAST = "delimited"
_NAMES = sorted((module.name for module in pkgutil.iter_modules(__path__)), key=_LAST.__eq__)
FORMATS: tuple[Format, ...] = tuple(import_module(f"{__name__}.{name}").FORMAT for name in _NAMES)
"""All formats, in the order in which they are tried."""
FIXED_FORMATS = [form for form in FORMATS if isinstance(form, FixedFormat)]
RECORD_SUFFIXES = tuple(suffix for form in reversed(FORMATS) for suffix in form.suffixes)
"""Suffixes of files that are read as records."""
