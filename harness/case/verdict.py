"""What is said of a case that ran: it passed, it failed, or there was nothing to compare.

A case without expectations has run; it has not passed, since no number of it was compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.case.case_result import CaseResult


class Verdict(StrEnum):
    """What is said of a case, or of several; the value is what people read."""

    PASSED = "pass"
    FAILED = "FAIL"
    RAN = "ran, nothing to compare"

    @property
    def passed(self) -> bool | None:
        """Whether all that was compared agrees; None where nothing was compared."""
        return None if self is Verdict.RAN else self is Verdict.PASSED


def verdict_on(results: Sequence[CaseResult]) -> Verdict:
    """Return the verdict on several cases: failed if any failed, passed if any was compared."""
    verdicts = {result.verdict for result in results}
    if Verdict.FAILED in verdicts:
        return Verdict.FAILED
    return Verdict.PASSED if Verdict.PASSED in verdicts else Verdict.RAN


def summary(results: Sequence[CaseResult]) -> str:
    """Return one line: how many cases and checks passed, in how many steps and seconds."""
    verdicts = [result.verdict for result in results]
    failed, ran = verdicts.count(Verdict.FAILED), verdicts.count(Verdict.RAN)
    said = []
    if failed:
        said.append(f"{failed} of {_count(len(results), 'case')} failed")
    elif ran < len(results):
        said.append(f"{_count(len(results) - ran, 'case')} passed")
    if ran:
        said.append(f"{ran if said else _count(ran, 'case')} {Verdict.RAN}")
    checks = [check for result in results for check in result.checks]
    histories = [result.record for result in results if result.record is not None]
    steps = sum(history.steps for history in histories)
    seconds = sum(history.seconds for history in histories)
    numbers = [f"{steps} steps in {seconds:.2f} s"]
    if checks or any(result.case.expectations for result in results):
        passed = sum(check.passed for check in checks)
        numbers.insert(0, f"{passed} of {_count(len(checks), 'check')} passed")
    return f"{'; '.join(said)}: {', '.join(numbers)}"


def title_of(results: Sequence[CaseResult]) -> str:
    """Return the title of a page of these results: a validation where anything is compared."""
    if any(result.case.expectations for result in results):
        return "Validation report"
    names = [result.case.name for result in results]
    return f"Run of {names[0]}" if len(names) == 1 else f"Runs of {len(names)} cases"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
