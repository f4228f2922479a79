"""Verdict on a case: passed, failed, or without values to compare.

A case without expected values has run but not passed, because its values were not compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """Verdict on a case or on several cases. The value is the printed text."""

    PASSED = "pass"
    FAILED = "FAIL"
    RAN = "ran, nothing to compare"

    @property
    def passed(self) -> bool | None:
        """Whether all compared values agree, or `None` if no values were compared."""
        return None if self is Verdict.RAN else self is Verdict.PASSED


def verdict_on(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on several cases: failed if any failed, passed if any was compared."""
    kinds = set(verdicts)
    if Verdict.FAILED in kinds:
        return Verdict.FAILED
    return Verdict.PASSED if Verdict.PASSED in kinds else Verdict.RAN
