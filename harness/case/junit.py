"""Results as a JUnit file, which CI systems show test by test.

The file uses only the common part of the schemas of Jenkins and Ant, which GitLab and GitHub
actions read: a suite for each case, with a test for its run and a test for each expected number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from harness.case.case_result import CaseResult
from harness.case.expectations import Check
from harness.case.verdict import Verdict
from harness.output_files import write_text

# Characters that XML 1.0 cannot contain, even escaped. An FMU may log them.
_NO_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(results: Sequence[CaseResult], path: Path) -> None:
    """Write results for CI.

    There is one `testsuite` for each case, in the same order and with the name of the case:

    - `testcase` "runs" passes if the run was complete. If the FMU rejected a call, it has an
      `error` with the reason. `time` is the computing time of the steps [s].
    - Each expected number has a `testcase`. Outside the tolerance it has a `failure` with actual
      and expected value, error and tolerance. If the run failed, it has an `error`.
    - `system-out` contains the notes, and whether there were expected numbers.

    Tests are never `skipped`.
    """
    began = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    root = Element("testsuites")
    for number, result in enumerate(results):
        root.append(_suite(result, number, began))
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    write_text(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')


def _suite(result: CaseResult, number: int, began: str) -> Element:
    case = result.case
    tests = [_run_test(result), *_number_tests(result)]
    suite = Element(
        "testsuite",
        name=_text(case.name),
        package="wearfmu",
        id=str(number),
        timestamp=began,
        hostname="localhost",
        tests=str(len(tests)),
        failures=str(_count(tests, "failure")),
        errors=str(_count(tests, "error")),
        skipped="0",
        time=tests[0].attrib["time"],
    )
    properties = SubElement(suite, "properties")
    for name, value in (
        ("title", case.heading.title),
        ("file", case.shown),
        ("fmu", result.fmu_path.name),
        ("verdict", result.verdict.value),
    ):
        SubElement(properties, "property", name=name, value=_text(value))
    suite.extend(tests)
    ran = [result.verdict.value] if result.verdict is Verdict.RAN else []
    notes = [*ran, *(f"note: {note}" for note in result.notes)]
    SubElement(suite, "system-out").text = _text("\n".join(notes))
    messages = () if result.record is None else result.record.messages
    SubElement(suite, "system-err").text = _text("\n".join(messages))
    return suite


def _run_test(result: CaseResult) -> Element:
    seconds = 0.0 if result.record is None else result.record.seconds
    test = _test(result, "runs", seconds)
    if result.failure is not None:
        _add(test, "error", "RunError", result.failure)
    return test


def _number_tests(result: CaseResult) -> Iterable[Element]:
    if result.failure is None:
        yield from (_check_test(result, check) for check in result.checks)
        return
    for expectation in result.case.expectations:
        test = _test(result, expectation.label)
        _add(test, "error", "RunError", f"not compared because the run failed: {result.failure}")
        yield test


def _check_test(result: CaseResult, check: Check) -> Element:
    wanted = check.expectation
    test = _test(result, wanted.label)
    if not check.passed:
        message = check.problem or (
            f"got {check.got!r}, want {wanted.value!r}, error {check.error:.3e}, tolerance "
            f"{wanted.tolerance:.3e}"
        )
        details = f"{message}\nsource: {wanted.source}\nreason: {wanted.reason}"
        _add(test, "failure", "Check", message, details)
    return test


def _test(result: CaseResult, name: str, seconds: float = 0.0) -> Element:
    return Element(
        "testcase",
        classname=_text(f"wearfmu.{result.case.name}"),
        name=_text(name),
        time=f"{seconds:.6f}",
    )


def _add(test: Element, kind: str, reason: str, message: str, details: str = "") -> None:
    element = SubElement(test, kind, type=reason, message=_text(message))
    element.text = _text(details or message)


def _count(tests: Iterable[Element], kind: str) -> int:
    return sum(test.find(kind) is not None for test in tests)


def _text(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
