"""Checks whether this machine can load an FMU, in this Python and in other hosts.

Each finding is one line with its remedy. The check runs a step of the FMU in a separate process,
and asks the system's loader for symbols that other hosts would miss.
"""

from __future__ import annotations

from harness.doctor.examination import Finding, Verdict, examine

__all__ = ["Finding", "Verdict", "examine"]
