"""Says whether this machine can load an FMU, in this Python and in a host that is not Python.

Each finding is one line with its remedy. What can be tried is tried: one step of the FMU in a
process of its own. What another host would miss is what the system's loader cannot find.
"""

from __future__ import annotations

from harness.doctor.examination import Finding, Verdict, examine

__all__ = ["Finding", "Verdict", "examine"]
