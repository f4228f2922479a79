"""The JUnit file: its form, and its agreement with the printed table."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from harness.case.case_file import load_case
from harness.case.case_result import CaseResult, run_case
from harness.case.junit import write_junit
from harness.command_line import main

# The intersection of the schemas of Ant and of Jenkins' xunit plugin for the used elements. Order
# and attributes are from Ant, whose schema is stricter.
SCHEMA = """\
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:simpleType name="instant"><xs:restriction base="xs:dateTime">
    <xs:pattern value="[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"/>
  </xs:restriction></xs:simpleType>
  <xs:simpleType name="seconds"><xs:restriction base="xs:decimal">
    <xs:minInclusive value="0"/>
  </xs:restriction></xs:simpleType>
  <xs:simpleType name="name"><xs:restriction base="xs:token">
    <xs:minLength value="1"/>
  </xs:restriction></xs:simpleType>
  <xs:complexType name="problem"><xs:simpleContent><xs:extension base="xs:string">
    <xs:attribute name="message" type="xs:string" use="required"/>
    <xs:attribute name="type" type="name" use="required"/>
  </xs:extension></xs:simpleContent></xs:complexType>
  <xs:complexType name="test">
    <xs:choice minOccurs="0">
      <xs:element name="error" type="problem"/>
      <xs:element name="failure" type="problem"/>
    </xs:choice>
    <xs:attribute name="name" type="name" use="required"/>
    <xs:attribute name="classname" type="name" use="required"/>
    <xs:attribute name="time" type="seconds" use="required"/>
  </xs:complexType>
  <xs:complexType name="suite">
    <xs:sequence>
      <xs:element name="properties"><xs:complexType><xs:sequence>
        <xs:element name="property" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
          <xs:attribute name="name" type="name" use="required"/>
          <xs:attribute name="value" type="xs:string" use="required"/>
        </xs:complexType></xs:element>
      </xs:sequence></xs:complexType></xs:element>
      <xs:element name="testcase" type="test" minOccurs="0" maxOccurs="unbounded"/>
      <xs:element name="system-out" type="xs:string"/>
      <xs:element name="system-err" type="xs:string"/>
    </xs:sequence>
    <xs:attribute name="name" type="name" use="required"/>
    <xs:attribute name="package" type="name" use="required"/>
    <xs:attribute name="id" type="xs:int" use="required"/>
    <xs:attribute name="timestamp" type="instant" use="required"/>
    <xs:attribute name="hostname" type="name" use="required"/>
    <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
    <xs:attribute name="time" type="seconds" use="required"/>
  </xs:complexType>
  <xs:element name="testsuites"><xs:complexType><xs:sequence>
    <xs:element name="testsuite" type="suite" minOccurs="0" maxOccurs="unbounded"/>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>
"""


def suites_in(path: Path) -> dict[str, Any]:
    """Return the suites of a file by name. Check the file against the schema, and its counts."""
    tree = etree.parse(path)
    etree.XMLSchema(etree.fromstring(SCHEMA)).assertValid(tree)
    suites = {suite.get("name"): suite for suite in tree.getroot()}
    for suite in suites.values():
        for attribute, tests in (
            ("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error"),
            ("skipped", "testcase/skipped"),
        ):  # fmt: skip
            assert int(suite.get(attribute)) == len(suite.findall(tests)), attribute
    return suites


def case_in(folder: Path, name: str, text: str) -> str:
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_every_case_is_a_suite_and_every_number_a_test(tmp_path, good_case):
    target = tmp_path / "made" / "cases.xml"
    cases = [
        case_in(tmp_path, "right", good_case),
        case_in(tmp_path, "wrong", good_case.replace("value = 6.0", "value = 6.5")),
        case_in(tmp_path, "broken", good_case.replace("gain = 2.0", "discard_at = 0.5")),
        case_in(tmp_path, "plain", good_case.partition("[[expect]]")[0]),
    ]
    assert main(["validate", *cases, "--junit", str(target)]) == 1
    suites = suites_in(target)
    assert list(suites) == ["right", "wrong", "broken", "plain"]
    numbers = {
        name: [int(suite.get(one)) for one in ("tests", "failures", "errors")]
        for name, suite in suites.items()
    }
    assert numbers == {
        "right": [2, 0, 0], "wrong": [2, 1, 0], "broken": [2, 0, 2], "plain": [1, 0, 0]
    }  # fmt: skip
    for suite in suites.values():
        assert suite.find("testcase").get("name") == "runs"
        assert {one.get("classname") for one in suite.findall("testcase")} == {
            f"wearfmu.{suite.get('name')}"
        }
    (failure,) = suites["wrong"].findall("testcase/failure")
    assert failure.getparent().get("name") == "value total at 1 s"
    assert failure.get("message") == "got 6.0, want 6.5, error 5.000e-01, tolerance 0.000e+00"
    assert "source: 2·3·1" in failure.text
    for error in suites["broken"].findall("testcase/error"):
        assert "rate=3.0 1/s is 100 % too much" in error.get("message")


def test_a_case_that_expects_nothing_is_one_test_that_says_so(tmp_path, good_case):
    target = tmp_path / "cases.xml"
    case = case_in(tmp_path, "plain", good_case.partition("[[expect]]")[0])
    assert main(["validate", case, "--junit", str(target)]) == 0
    suite = suites_in(target)["plain"]
    (test,) = suite.findall("testcase")
    assert len(test) == 0  # no failure and no skip
    assert suite.findtext("system-out").splitlines()[0] == "ran, nothing to compare"
    (verdict,) = suite.findall("properties/property[@name='verdict']")
    assert verdict.get("value") == "ran, nothing to compare"


def test_shipped_cases_are_written_with_one_test_a_check(tmp_path):
    target = tmp_path / "cases.xml"
    assert main(["validate", "bouncing_ball", "spring_wall", "--junit", str(target)]) == 0
    for name, suite in suites_in(target).items():
        expected = load_case(Path("harness/cases") / name / "case.toml").expectations
        names = [one.get("name") for one in suite.findall("testcase")]
        assert names == ["runs", *(one.label for one in expected)]


def result_that_says(text: str, case: Path) -> CaseResult:
    result = run_case(load_case(case), load_case(case).heading.fmu)
    return replace(result, record=None, checks=(), failure=text, notes=(text,))


@pytest.mark.parametrize("text", ["<&\"'>", "]]>", "bell \x07 and \x1b[31m red", "\ufffe", "µ\n²"])
def test_whatever_an_fmu_says_the_file_is_xml(tmp_path, good_case, text):
    case = Path(case_in(tmp_path, "toy", good_case))
    target = tmp_path / "cases.xml"
    write_junit([result_that_says(text, case)], target)
    suite = suites_in(target)["toy"]
    kept = re.sub(r"[\x07\x1b\ufffe]", "\ufffd", text)
    assert suite.find("testcase/error").text == kept
    assert suite.findtext("system-out") == f"note: {kept}"


def test_the_file_is_none_that_is_read(tmp_path, good_case, capsys):
    case = case_in(tmp_path, "toy", good_case)
    assert main(["validate", case, "--junit", case]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"wearfmu: --junit {case} is an input file")
