"""What is said of a case that ran: it passed, it failed, or there was nothing to compare.

A case without expectations has run; it has not passed, since no number of it was compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What is said of a case, or of several; the value is what people read."""

    PASSED = "pass"
    FAILED = "FAIL"
    RAN = "ran, nothing to compare"

    @property
    def passed(self) -> bool | None:
        """Whether all that was compared agrees; None where nothing was compared."""
        return None if self is Verdict.RAN else self is Verdict.PASSED


def verdict_on(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on several cases: failed if any failed, passed if any was compared."""
    kinds = set(verdicts)
    if Verdict.FAILED in kinds:
        return Verdict.FAILED
    return Verdict.PASSED if Verdict.PASSED in kinds else Verdict.RAN
